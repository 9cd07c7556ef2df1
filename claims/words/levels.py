"""Words that say that nothing differs: matches, no regression, lossless, flat."""

from claims.words.term import term

TERMS = (
    term(
        "exact",
        "nothing",
        r"\A\W*(?:identical|lossless|exact)\W*\Z",
    ),
    term(
        "exact",
        "pointed",
        r"\b(?:bit|byte|token)[- ](?:identical|exact|equal|accurate|perfect|for[- ](?:bit|byte|"
        r"token))(?:ly)?\b",
        r"\bbit-?wise[- ](?:equal|identical|exact|the same|equivalent)\b",
        r"\bnumerically (?:identical|equivalent|exact|equal|the same)\b",
    ),
    term("exact", "named", r"\bloss-?less(?:ly)?\b"),
    term(
        "exact",
        "inside",
        r"\b(?:produc|generat|emit|yield|return|giv|gave|output|decod|sampl|W+|writ|mak|get|got|"
        r"leav)\w* {w2}(?:same|identical) {w2}(?:O+|text|bytes|sequences?)\b",
        r"\bidentical {w1}(?:O+|text\b)",
        r"{O}[^.;,]{0,40}? {is} {adv}(?:the same|identical|equal|exact)\b",
        r"\b(?:exactly|precisely) the same {w1}{O}|\bthe exact same {w1}{O}",
        r"{O} {w3}(?:verbatim|identically|exactly|faithfully)\b",
        r"{O} {is} (?:exactly|precisely) (?:that|those|what)\b",
        r"{O} {w3}(?:agree|agrees|agreed|coincides?)\b",
        r"\b(?:no|zero|not a single) {w2}(?:mismatch(?:es)?|{O} (?:differs?|mismatch\w*))\b",
    ),
    term(
        "exact",
        "pointed",
        r"\b(?:is|are|was|were|be|stays?|stayed|remains?|remained|keeps?|kept|and|fully|"
        r"verified) {adv}exact(?=[.,;:!)]|\s*$| (?:on|in|for|with|under|at|against|to|when|"
        r"across|by)\b)",
        r"\b(?:is|are|stays?|remains?) {adv}deterministic\b(?=[.,;:!)]|\s*$| (?:on|in|for|across|"
        r"at|and)\b)",
    ),
    term(
        "exact",
        "inside",
        r"\b(?:reproduc|replicat)\w* (?:the )?{w1}[NROT]+",
    ),
    term(
        "equal",
        "named",
        r"\bmatch(?:es|ed)? or (?:exceed|beat|outperform|surpass|better)\w*",
        r"\bmeets? (?:or \w+ )?(?:native|vendor|reference|baseline) ",
    ),
    term(
        "equal",
        "inside",
        r"\b(?:match(?:es|ed)?) {w3}{X}|\bmatching {w1}{X}",
    ),
    term(
        "equal",
        "inside",
        r"\b(?:equals|equal|equall?ed|is equal to|are equal to|equal to) {w4}{X}",
    ),
    term(
        "equal",
        "named",
        r"\b(?:on (?:a )?par|(?:reach\w*|at|achiev\w*|near|is|to|has|have|full|{M}) parity|parity "
        r"(?:with|is reached)|on a level|(?:draws?|pulls?) level|on (?:an )?equal footing|neck and "
        r"neck|(?:keeps?|kept) pace|(?:keeps?|kept) up with|toe to toe|holds? (?:its|their) own|in "
        r"the same (?:league|class|ballpark))\b",
    ),
    term(
        "equal",
        "inside",
        r"\bat (?:full|native|line|peak|wire|hardware) {w1}(?:M+|rate)\b",
        r"\bat the (?:M+|pace|rate|level) of {w2}[NRT]+",
    ),
    term(
        "equal",
        "named",
        r"\b(?:performs?|performed|behaves?|runs?|scores?|fares?|W+) (?:identically|the same|alike|"
        r"similarly|equally)\b",
        r"\b(?:performs?|performed|works?|runs?|does|do|just|equally|every bit|fares?|W+) "
        r"(?:equally |just |exactly )?as well\b(?! as)",
        r"\b(?:performs?|works?|runs?|does|fares?|W+) (?:just |every bit )?as well as\b",
        r"\bequally (?:well|{quick})\b",
    ),
    term(
        "equal",
        "pointed",
        r"\b(?:just|equally|every bit|exactly|nearly|almost|at least) as {quick}\b(?! as possible)",
        # "1.33× as fast as" names a ratio, and says nothing of being equal.
        r"(?<!\w)(?<![\d×x%] )(?<!\btimes )as {adv}{quick} as\b(?! (?:possible|you|we can|"
        r"they can|needed|necessary|it gets))",
    ),
    term(
        "equal",
        "named",
        r"\b(?:ties?|tied) (?:with|on|for|in)\b",
        r"\b(?:is|are|was|were|be|stays?|remains?|performs?|{X}) {adv}(?:comparable|competitive|"
        r"indistinguishable|equivalent|interchangeable|on equal terms)\b",
        r"\brivals? {w1}{X}",
        r"\b(?:comparable|competitive|similar|equivalent) (?:[\w-]+ )?{Q}",
        r"\bindistinguishable from\b",
    ),
    term(
        "equal",
        "named",
        r"\bcompares? (?:very )?(?:favou?rably|well)\b|\b(?:stands?|holds?) up (?:to|against)\b",
        r"\bnear-native\b|\bclose to native\b",
        r"\bno (?:higher|lower|larger|smaller|more|longer) than {w3}[NR]+",
        r"\b(?:no|zero|without) (?:any )?(?:divergence|deviation|discrepanc(?:y|ies)|drift)\b",
        r"\bwithin (?:the )?(?:run-to-run )?noise\b(?! floor of)",
        r"\b(?:not|\w+n't|never) (?:[a-z]+ly )?(?:differ|deviate|diverge)s?\b",
        r"\b(?:no|not) different (?:from|to|than)\b",
    ),
    term(
        "equal",
        "inside",
        r"\b(?:same|equal|identical) {w1}{Q}{end}",
        r"{Q}[^.;,]{0,30}? {is} {adv}(?:the same|identical|equal|equivalent)\b",
    ),
    term(
        "equal",
        "pointed",
        r"\b(?:no|not|\w+n't|never|no longer) {adv}(?:slower|worse|less {adj}|more expensive|"
        r"inferior)\b",
        r"\b(?:not|\w+n't|never|no longer) {adv}(?:falls? behind|lags?|trails?|loses?)\b",
    ),
    term(
        "unchanged",
        "nothing",
        r"{no} ?{w3}(?:regressions?|slow-?downs?|degradations?)\b(?! (?:tests?|suites?|checks?|"
        r"was run|testing))",
        r"\b(?:regression|penalty|loss)-free\b|\b\w+-neutral\b",
        r"\b(?:never|not) an? (?:slow-?down|regression|degradation)\b",
    ),
    term(
        "unchanged",
        "nothing",
        r"(?:{no} ?{w3}overhead|(?:overhead|cost|penalty|impact|loss|losses|differences?|"
        r"degradation)(?: (?:of|in|on|from|for) {w3})? ?{is} {adv}(?:negligible|minimal|zero|nil|"
        r"unmeasurable|imperceptible|small|low|within noise))\b",
        r"\boverhead-free\b",
    ),
    term(
        "unchanged",
        "named",
        r"\b(?:zero-cost|zero-overhead|cost-free)\b",
        r"\b(?:at|with) (?:no|zero|little|negligible) (?:[\w-]+ )?(?:cost|price|expense)\b",
        r"\b(?:costs?|adds?|takes?) {w1}(?:nothing|next to nothing)\b",
        r"\b(?:is|are|comes?|was) {adv}(?:essentially |almost |practically |nearly |virtually |"
        r"basically )?(?:for )?free(?=[.,;:!)]|\s*$| (?:in|with|on|here|when)\b)",
    ),
    term(
        "unchanged",
        "named",
        r"{no} ?{w3}(?:loss(?:es)?|penalt(?:y|ies)|drop|impact|differences?|change|hit|tax|"
        r"decline|deterioration|costs?|effect|downsides?|drawbacks?|trade-offs?)\b(?! (?:file|"
        r"function|log))",
    ),
    term(
        "unchanged",
        "named",
        r"\b(?:not|\w+n't|never|nor|without|cannot) (?:[a-z]+ly |even |ever )?(?:hurt|slow|degrad|"
        r"regress|reduc|affect|chang|worsen|impair|harm|lower|suffer|penaliz|alter|sacrific|"
        r"compromis)(?:e|es|ing|s)?\b(?! to\b)",
        r"\b(?:not|\w+n't|never|without) (?:cost|costing|los(?:e|ing)|add(?:ing)?|tak(?:e|ing)|"
        r"increas(?:e|ing)|rais(?:e|ing)|consum(?:e|ing)|us(?:e|ing)|need(?:ing)?) {w2}M+",
        r"\b{is} (?:not|in no way|never) (?:[a-z]+ly )?(?:affected|changed|harmed|hurt|impaired|"
        r"degraded|reduced|slowed|altered|impacted)\b",
    ),
    term(
        "unchanged",
        "inside",
        r"\bnothing (?:changes|changed|is lost|was lost|gets lost) (?:in|of|for|about) {w2}{M}",
        r"\b(?:chang|affect|alter|hurt|degrad|reduc)\w* neither {w2}{X}",
    ),
    term(
        "unchanged",
        "inside",
        r"\b(?:adds?|costs?|introduces?|incurs?|takes?|uses?|loses?|needs?) (?:[a-z]+ly )?(?:no|"
        r"zero|hardly any|little|negligible|nothing to) {w2}{M}",
        r"\bno {M} {w2}(?:lost|sacrificed|traded|given)",
    ),
    term(
        "unchanged",
        "inside",
        r"{M}[^.;,]{0,40}? {is} {adv}(?:unchanged|preserved|intact|retained|maintained|constant|"
        r"unaffected|stable|steady|untouched)\b",
        r"\b(?:preserv|retain|maintain|conserv)(?:s|es|ing|e)? {w4}{M}",
        r"\b(?:unchanged|constant|unaffected) {w1}{M}",
        r"\b(?:keeps?|kept|keeping) {w2}{M} {w2}(?:constant|flat|low|the same|unchanged|stable|"
        r"intact|steady)\b",
        r"\b(?:keeps|kept|keeping) (?:the |its |all |full |all of the )?(?:M+|full [MR]+|R+)",
        r"\bleav(?:es|ing) {w3}(?:unchanged|intact|untouched|unaffected)\b(?<=d|t)(?={end})",
    ),
    term(
        "unchanged",
        "named",
        r"\b(?:loses?|lost|gives? up|gave up|sacrifices?|breaks?) nothing\b|\bnothing (?:lost|"
        r"sacrificed|given up)\b",
        r"\b{is} {adv}(?:invisible|neutral|harmless|unnoticeable|imperceptible)\b",
        r"\bmakes? no difference\b|\bmade no difference\b",
    ),
    term(
        "exact",
        "nothing",
        r"\bnot (?:a single|one) (?:token|logit|bit|byte|output|O+) (?:differs?|changes?|changed|"
        r"is "
        r"different|was different)\b",
    ),
    term("flat", "inside", r"{M}[^.;,]{0,40}? {is} {adv}flat\b", r"\bflat {w1}{M}"),
)
