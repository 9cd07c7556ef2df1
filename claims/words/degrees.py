"""Words of degree: is fast, is not far behind, scales well, is half that of another, a big win."""

from claims.words.term import term

_PART = (
    r"(?:half|twice|double|triple|thrice|(?:a|one|two) (?:third|quarter|fifth|tenth|fraction|"
    r"thirds|quarters)(?: of)?)"
)
_ANOTHER = (
    r"(?!rather|other|neither|either|whether|newer|older|later|number|under|deeper|wider|simpler|"
    r"easier|clearer|longer|larger|smaller|higher|lower|bigger|fewer|earlier)"
)
TERMS = (
    term(
        "more",
        "inside",
        r"{Q} {w3}{is} {adv}longer{end}",
        r"[TN]+ {is} {adv}(?:fast|quick|slow|snappy|lean)"
        r"(?=[.,;!]|\s*$| (?:on|at|across|under|everywhere|here|throughout)\b)",
    ),
    term(
        "more",
        "named",
        r"\b" + _ANOTHER + r"[a-z]{3,}er (?:[\w-]+ ){0,3}than (?:any|every|ever|before|anything|"
        r"everyone|everything|most|all|others|usual)\b",
        r"\b(?:cheaper|easier on|faster|quicker|lighter|costlier|dearer) to (?:run|serve|host|"
        r"operate|deploy|decode|load|use) {w3}{X}",
        r"\b(?:less|more|fewer) {w1}(?:time|space|room|steps|work|money|compute|hardware|traffic|"
        r"cycles|launches|resources|ram|copies|bytes|passes|effort)(?= than| for|[.,;]|\s*$)",
        r"\b(?:uses?|needs?|takes?|generates?|emits?|spends?|reads?|moves?|has|have|sees?|drops?|"
        r"issues?) {adv}(?:fewer|less) (?:M+|O+|W+|stalls?|misses|bubbles|copies|steps|timeouts|"
        r"evictions|preemptions|retries|errors|jitter|noise)\b",
        r"\bfewer (?:stalls|hiccups|bubbles|cache misses|preemptions|evictions|timeouts|errors|"
        r"O+ lost)\b",
    ),
    term(
        "equal",
        "inside",
        r"\b(?:is|are|was|were|gets?|comes?|came|runs?) {adv}(?:not far behind|very close "
        r"to|close to|near|"
        r"close behind|hot on the heels of|far from) {w2}[NR]+",
        r"(?<!\w)(?<![\d×x%] )(?<!\btimes )as (?!well|soon|long|far|such|much|many|part|described|"
        r"shown|in\b|an?\b|the\b|seen)[a-z]+ as {w3}[NR]+",
    ),
    term(
        "equal",
        "named",
        r"\b(?:comes?|came|ends?|ended|finish(?:es|ed)?) (?:out |up )?(?:equal|the same|identical|"
        r"level|"
        r"alike|even)\b",
        r"\bfaithful (?:copy|reproduction|replica|port|translation)\b|\b(?:on|at) the level of "
        r"{w2}[NRT]+",
        r"\bat the M+ of (?:the |its |bare )?(?:hardware|metal|silicon|wire|bus|memory)\b",
        r"\bkeeping (?:up|pace) with\b|\b(?:differs? (?:little|hardly|barely|in nothing)|(?:hardly|"
        r"barely|scarcely) differs?)\b",
        r"\b(?:is|are|was|were|lost|stays?|lies?) {adv}(?:in|within|below|inside) the noise\b(?! "
        r"floor)",
        r"\b(?:is|are|was|were|stays?) {adv}(?:the same|identical|as good|as fast) (?:as|to) "
        r"(?:before|"
        r"ever|in the RRR+|[NR]+)",
    ),
    term(
        "exact",
        "nothing",
        r"\b(?:reproducible|exact|identical|equal|same|faithful|stable) (?:right )?down to the "
        r"(?:last )?(?:bit|byte|token|digit)\b",
    ),
    term(
        "exact",
        "named",
        r"\b(?:produc|generat|emit|yield|return|giv|gave|writ|print|mak)\w* {w2}(?:same|identical) "
        r"{w1}(?:text|bytes|sequences?|strings?|words)\b",
        r"\b(?:distributed|sampled) (?:exactly|identically) (?:as|like|to)\b",
    ),
    term(
        "best",
        "named",
        r"\b(?:is|are|remains?|becomes?) the (?:clear |undisputed |overall )?(?:leader|champion|"
        r"king|"
        r"benchmark to beat|gold standard)\b|\b(?:first|top) in (?:its|the|their) class\b|\bfirst "
        r"in "
        r"class\b|\bworld[- ]class\b|\bnumber one\b(?! (?:in the|of))",
        r"\bas good as it gets\b|\bat (?:its|their) (?:very )?best\b|\bat an all-time (?:low|"
        r"high)\b",
        r"\b(?:sets?|raises?|raised) the (?:standard|bar|pace|benchmark)\b|\bgame[- ]changer\b",
        r"(?:[NRT]+|W+) (?:clearly |utterly |completely )?dominates\b",
        r"\b(?:near|at|close to|against) the (?:[a-z]+ )?(?:limits?|ceiling|maximum|peak|optimum|"
        r"roof) (?:of|for)\b|\b(?:near|at|close to) the (?:theoretical|physical|hardware) \w+",
        r"\b(?:hit|reach|attain|achiev|sustain|approach)(?:s|es|ed)? {w1}(?:peak|full|maximum|"
        r"theoretical) {w1}M+",
    ),
    term(
        "win",
        "named",
        r"\b(?:is|are|was|were|be|marks?) (?:a|an) (?:[a-z]+ ){0,2}(?:win|step (?:up|forward|"
        r"back|ahead)|improvement|regression|leap|setback|jump|upgrade|slow-?down|speed-?up|"
        r"performance bug)\b(?! (?:test|suite|check))",
        r"\bblows? {w3}away\b|\benjoys? {w3}(?:advantage|lead|edge)\b|\b(?:eats?|bit|bites?) "
        r"(?:its|"
        r"the|our|their) dust\b",
        r"\b(?:not|\w+n't) even close\b|\bnowhere (?:near|close)\b|\bno comparison\b|\b(?:a world "
        r"of|"
        r"night and day|day and night) difference\b|\bmiles apart\b",
        r"\b(?:in (?:our|its|their|[NTR]+(?:'s)?) favou?r)\b",
        r"\bgap {w4}(?:widens?|widened|narrows?|narrowed|shrinks?|shrank|grows|closes|closed)\b",
        r"{X} (?:is |are |comes |sits )?(?:on top|(?:far|way|well|clearly) (?:below|above|ahead|"
        r"behind|under))(?=[.,;]|\s*$)",
    ),
    term(
        "factor",
        "named",
        r"\b" + _PART + r" (?:of )?(?:that of|those of|what (?:it|they|we|[NRT]+)|[NR]+)\b",
        r"\b" + _PART + r" (?:of )?the (?:time|size|space|room|cost|work|money|effort|price|"
        r"hardware|"
        r"steps|bits|bytes|traffic)\b",
    ),
    term(
        "faster",
        "named",
        r"\b(?:starts?|loads?|boots?|streams?|responds?|answers?|arrives?|opens?|W+) (?:instantly|"
        r"at once|"
        r"immediately|without (?:delay|a hitch|hiccups|stalls|waiting)|in no time|in a flash)\b"
        r"(?! (?:after|when|if|on error))",
        r"\b(?:less|no) waiting\b|\bmore O+(?:, | for | out of )",
        r"\bscal(?:es|e|ed) {adv}(?:well|better|nicely|gracefully|smoothly|badly|poorly|worse|"
        r"out)\b"
        r"(?! (?:to the|by))",
        r"\b(?:benefits?|profits?|gains?) (?:greatly|hugely|most|a lot|enormously|considerably|"
        r"much|"
        r"massively|visibly|noticeably|immensely)\b",
        r"[NRTWMS]+ {w1}(?:degrades?|regresses|deteriorates?|deteriorated|worsens)(?=[.,;!]|\s*$| "
        r"(?:on|at|in|under|with|for|badly|gracefully|sharply)\b)",
        r"[NRTWMS]+ (?:has|have|had) {adv}(?:improved|regressed|degraded|worsened|slowed(?: down)?|"
        r"sped up|got(?:ten)? (?:faster|slower|better|worse))\b",
        r"[NRTWM]+ improve[sd] (?:a lot|much|greatly|markedly|hugely|massively|dramatically|"
        r"significantly|noticeably|visibly)\b",
        r"{Q} {w3}gone (?:up|down)\b",
        r"\bhelps {w1}[MW]+(?=[.,;!]|\s*$| (?:on|at|in|across|a lot|most|everywhere)\b)",
    ),
    term(
        "unchanged",
        "named",
        r"\b(?:no longer|never|not|\w+n't) (?:[a-z]+ )?(?:slow|a bottleneck|the bottleneck)"
        r"(?=[.,;!]|\s*$| (?:on|at|in|for|under)\b)",
        r"\b(?:wast|requir|consum|demand|impos|bring|caus|suffer)(?:e|es|s)? (?:almost |next to |"
        r"practically |virtually )?(?:no|none of|little|zero|nothing of) {w2}M+",
        r"\b(?:wast|cost|los)(?:e|es|s)? (?:almost |next to |practically |virtually )?none of "
        r"{w2}M+",
        r"\bno (?:[a-z]+ )?(?:dent|toll|damage|harm|sag|dip) (?:in|on|to|for)\b|\bno {w1}dent\b",
        r"\bno {w1}(?:influence|bearing|consequences?|side[- ]effects?) (?:on|for|in)\b",
        r"\bspares? (?:you |us |users )?{w3}[MW]+|\bkeeps? {w2}{X} (?:busy|fed|saturated|full|"
        r"hot)\b",
        r"\b(?:makes?|made|chang\w*|does|do) nothing (?:to|about|in|for) {w2}[MWO]+",
        r"\b(?:never|not|\w+n't) keeps? (?:you|users|anyone|requests) waiting\b",
    ),
    term(
        "faster",
        "nothing",
        r"\b(?:giv|gave|deliver|yield|provid|bring|brought|offer|see|saw|get|got|enjoy|show)\w* "
        r"(?:[\w-]+ ){0,3}(?:speed-?ups?|performance (?:gain|boost|win|improvement)s?)\b(?! (?:is|"
        r"are|"
        r"column|table|figure|plot))",
    ),
)
