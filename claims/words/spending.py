"""Words that say how much something takes or gives, without a number: tiny, half of it."""

from claims.words.term import term

_PRAISE = (
    r"(?:tiny|minuscule|minute|minimal|modest|excellent|outstanding|superb|remarkable|impressive|"
    r"exceptional|incredible|amazing|stellar|stunning|insane|ultra-?low|ultra-?high|rock-bottom|"
    r"near-zero|blazing|blistering|breathtaking|phenomenal|unbelievable|extraordinary|negligible|"
    r"great|top|"
    r"terrible|awful|horrible|abysmal|poor|(?:very|extremely|remarkably|exceptionally|incredibly|"
    r"surprisingly|consistently|unusually|really|so|super) (?:low|high|small|good|strong|poor|bad|"
    r"short|stable|steady|large))"
)
TERMS = (
    term(
        "faster",
        "named",
        r"\b(?:blazing(?:ly)?|lightning|ultra|super|insanely|extremely|incredibly|remarkably|"
        r"exceptionally|wickedly|crazy|screaming(?:ly)?|amazingly|impressively|very|really|"
        r"surprisingly|stunningly|so|super-|ultra-|seriously|wicked|dead)[- ]?(?:fast|quick|"
        r"efficient|responsive|snappy|lean|cheap)\b(?! as\b)",
        r"\b(?:high-performance|high-throughput|low-latency|(?:memory|compute|energy|cost|power|"
        r"resource)-efficient) (?:[\w-]+ )?[TWNO]+(?! (?:mode|flag|option|plan))",
        r"\bhigh[- ]M+ (?:and \S+ )?(?:[TWN]+|for\b)|\blow[- ]M+ (?:[TWN]+)",
        r"\b(?:blazing|lightning|blistering|breakneck|breathtaking|record|full|top) M+",
        r"[MWNT]+ {w1}(?:flies|flew|screams|rockets|rocketed|zooms|zips along|hums along|purrs)\b"
        r"(?! at \S*\d)",
    ),
    term(
        "more",
        "inside",
        r"\b" + _PRAISE + r" {w1}M+",
        r"{Q}[^.;,]{0,30}? {is} {adv}" + _PRAISE + r"\b",
        r"\A\W*(?:low|high|good|strong|small|short|steady|stable|constant|flat|fast) {w1}{M}"
        r"(?: W+)?, (?:always|everywhere|guaranteed|even|regardless|whatever|with|without|at)\b",
        r"{M}[^.;,]{0,40}? {is} {adv}(?:low|high|tiny|small|good|large|short|long|poor|modest)"
        r"[^.;]{0,20}? (?:compared|by comparison|next to|relative to|against|in comparison|beside|"
        r"alongside|versus|vs)\b",
        r"{M}[^.;,]{0,20}? {is} {adv}(?:in check|under control|at bay|on a par|a strength)\b",
    ),
    term(
        "factor",
        "inside",
        r"\b(?:half|(?:a|one|two|three) (?:third|quarter|fifth|tenth|half|halve|eighth)s?|a "
        r"(?:small "
        r"|tiny )?fraction|a sliver|(?:only )?part|twice|double|triple|thrice|several times|many "
        r"times|ten times|three times) (?:of )?(?:the |its |their |our |that )?{w1}{Q}",
        r"{Q}[^.;,]{0,30}? by (?:a|one|two|three|more than a|almost a|nearly a|about a|over a) "
        r"(?:third|quarter|fifth|tenth|half|thirds|quarters|fifths|large|wide|huge|good|clear|big|"
        r"healthy|comfortable)\b",
        r"{Q}[^.;,]{0,30}? (?:cut|sliced|split|reduced|slashed|brought down) (?:to|in) (?:half|two|"
        r"thirds?|a (?:third|quarter|tenth|fifth|fraction))\b",
    ),
    term(
        "factor",
        "named",
        r"\b(?:half|twice|a third|a quarter|three times|ten times|many times) as (?:long|slow|"
        r"slowly|"
        r"much|many|often|large|big|small|heavy|expensive|cheap|costly|lean|hungry|bad)\b"
        r"(?! (?:lines|files|pages))",
        r"\b(?:a|one|two) (?:third|quarter|half|tenth|fifth|thirds|quarters) (?:faster|slower|"
        r"cheaper|smaller|less|more|lower|higher|quicker|better)\b",
    ),
    term(
        "more",
        "inside",
        r"\b(?:way|far|much|many|lots|a lot|significantly|considerably|vastly|even|noticeably|"
        r"markedly|plenty|substantially|dramatically|still) (?:more|fewer|less) {w2}{M}",
        r"\b(?:more|fewer|less) {w2}(?:M+|W+)(?= (?:than|per|for|at|on|with|under)\b)",
        r"\b(?:lean|light|easy|easier|heavy|heavier|lighter|gentle|gentler|frugal) on {w1}{M}",
        r"\b(?:leaner|slimmer|thriftier|lighter|snappier|nimbler|hungrier|more efficient|more "
        r"capable) {w1}[TN]+",
        r"\b(?:better|worse) {w1}(?!model|W)(?:T+)(?! (?:name|card|file))(?<!model)(?<!models)",
    ),
    term(
        "more",
        "pointed",
        r"\b{is} {adv}(?:heavier|slimmer|thinner|costlier|dearer|hungrier|steadier|crisper|nimbler|"
        r"jumpier|choppier|pricier|sharper|hotter|cooler|noisier|shakier){end}",
    ),
    term(
        "more",
        "named",
        r"\b(?:better|worse|best|fuller|superior) (?:balance|use|trade-?off|mix|value|mileage|"
        r"return|"
        r"ratio) (?:of|between|for|with|in|from|out of)\b",
        r"\b(?:more|less) (?:work|mileage|output|value|performance|M+|O+) (?:out of|from|per|for)"
        r" {w2}{X}",
        r"\b(?:squeez|wring|wrung|extract|tak)(?:es?|s|ed|ing)? (?:more|every (?:last )?(?:drop|"
        r"bit|"
        r"ounce)|the (?:most|last (?:drop|bit|ounce)))\b",
        r"\b(?:makes?|made|making) (?:full|better|the most|good|the best|optimal) (?:use )?of "
        r"{w2}{X}",
        r"\bevery (?:last )?(?:drop|ounce|bit) of {w1}{M}",
    ),
    term(
        "more",
        "named",
        r"\b(?:more|less) (?:efficiently|cheaply|smoothly|accurately|reliably|economically|"
        r"gracefully|quickly|slowly|rapidly|precisely|frugally|swiftly|sparingly|tightly|evenly)\b",
    ),
    term(
        "unchanged",
        "named",
        r"{no} ?{w2}(?:compromises?|sacrific(?:es?|ing)|strings attached|jitter|stalls?|hiccups?|"
        r"stutters?|stuttering|bloat|waste|bubbles?|tradeoffs?|bottlenecks?|hidden costs?|"
        r"catch)\b(?! (?:clause|block|exception))",
        r"\b(?:say|wave|waved|said|kiss) (?:goodbye|farewell) to\b",
        r"\bno more (?:slow|waiting|stalls|overhead|bottlenecks|bloated)\b|\bno slow \w+",
    ),
    term(
        "unchanged",
        "nothing",
        r"\b(?:overhead|slow-?downs?|regressions?|penalty|loss(?:es)?(?: of {M})?|degradation|"
        r"performance cost|M+ (?:cost|loss|impact|penalty|drop)|impact|differences?)\W{0,3}:"
        r"\W{0,3}(?:none|nil|zero|no|negligible|minimal|unmeasurable|within noise)\b",
        r"\b(?:overhead|slow-?down|penalty|loss(?:es)?|degradation|impact|cost|differences?|gap|"
        r"price|hit)(?: (?:of|in|on|from|for|between|to) {w4})? ?(?:(?:is|are|was|were)(?: not|n't|"
        r" hardly| barely| never) (?:measur|notice|perceptib|detectab|visib|discernib|"
        r"distinguish|significan|found|seen|felt|observ)\w*|(?:cannot|can't|can hardly|could not) "
        r"be (?:measured|noticed|seen|detected|felt|told)|(?:is|are|was|were|gets?) {adv}(?:lost|"
        r"drowned|buried|hidden|invisible|below|under|inside|beneath|within|too small)|vanish\w*|"
        r"disappear\w*|rounds to (?:zero|nothing)|(?:is|are) (?:gone|a rounding error))\b",
    ),
)
