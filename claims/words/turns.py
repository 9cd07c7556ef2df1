"""Set phrases of winning, losing and being the same: wipes the floor with, pays for itself."""

from claims.words.term import term

TERMS = (
    term(
        "win",
        "named",
        r"\b(?:wip|mop|sweep|swept)\w* the floor with\b|\b(?:eats|ate) {w3}(?:for|lunch|alive)\b",
        r"\b(?:leav(?:es|e|ing)|left|puts?) {w3}(?:standing|trailing|in (?:the|its|their|our) (?:"
        r"shade|wake|rear-view mirror|shadow)|for dead|on the ropes|gasping)\b",
        r"\b(?:runs?|ran) (?:rings|circles) (?:a?round|about)\b|\bwalks? (?:all )?over {w1}{X}",
        r"\b(?:met|meets|finds|found) (?:its|their) match\b|\ba run for (?:its|their) money\b",
        r"\b(?:head and shoulders|a (?:cut|notch|step|class)|streets|miles|leagues) (?:above|ahead|"
        r"better)\b|\bin (?:a|another|its own|a different) (?:different )?league\b",
        r"\b(?:steals?|stole) a march\b|\bno contest\b|\bgains? ground\b|\bout of reach (?:of|"
        r"for)\b",
    ),
    term(
        "win",
        "named",
        r"\b(?:smok(?:ed|es|ing)|thrash(?:es|ed)|whips|thumps|thumped|clobber(?:s|ed)|wallop(?:s|"
        r"ed)|"
        r"obliterat(?:es|ed)|annihilat(?:es|ed)|torch(?:es|ed)|humbl(?:es|ed)|humiliat(?:es|ed)|"
        r"embarrass(?:es|ed)|hammer(?:s|ed)|rout(?:s|ed)|defeat(?:s|ed)|better(?:s|ed)|topped|"
        r"bested|edg(?:es|ed)|pip(?:s|ped)) {w3}[NRT]+",
        r"\b(?:edg(?:es|ed)|nudg(?:es|ed)|nos(?:es|ed)|inch(?:es|ed)) (?:out|past|ahead|in "
        r"front)\b",
        r"\bout(?:do|pac|run|perform|class|scor|rac|rank|play|smart|gun|match|strip|shin|last|serv|"
        r"scal|decod|generat|sprint|weigh)\w* {w2}[NRT]+",
    ),
    term(
        "win",
        "named",
        r"\b(?:just|finally|now|have|has|easily|narrowly) (?:passed|overhauled|caught|outdone|"
        r"beaten|"
        r"overhauled|toppled|dethroned|eclipsed) {w1}[NR]+",
        r"\b(?:dethron|toppl|overhaul)(?:es|ed|s) {w1}[NRT]+",
        r"\b(?:pulls?|pulled|draws?|moves?|moved|surges?|steams?|races?|raced|sails?|shoots?|shot) "
        r"(?:clear of|away from|past|ahead of|in front of) {w2}{X}",
        r"\b(?:catches|caught|catching) up (?:with|to) {w2}{X}|\bclos(?:es|ed|ing) (?:the gap|in) "
        r"(?:on|to|with) {w2}{X}",
        r"[NRT]+ {w1}(?:comes?|came|finish(?:es|ed)?|places?|placed|ranks?|ranked|lands?) (?:out "
        r")?(?:first|"
        r"on top|in front|top|out ahead|last|second)\b",
        r"\bwinner\W{1,3}(?:[NTRS]|is)|\b(?:clear|overall|undisputed|outright|only) winners?\b",
        r"\b(?:is|are|sits|stands?) (?:well |far |way )?(?:in front|on top|in the lead|out in "
        r"front|"
        r"the winner|the one to beat|top of the (?:class|pile|table))\b",
    ),
    term(
        "lose",
        "named",
        r"\b(?:falls?|fell|comes?|came) (?:far |well )?short\b(?! (?:names?|forms?|of the "
        r"name))",
        r"\b(?:comes?|came|runs?|is|are) (?:a )?(?:poor |distant |close )?(?:second[- ]best|"
        r"runner-up|"
        r"second)\b(?= to|[.,;]|\s*$)",
        r"[NRT]+ {adv}(?:loses|lost)(?: out)?(?=[.;!]|\s*$| (?:on|at|in|everywhere|by|every|"
        r"here)\b)",
        r"[NRT]+ {w2}(?:disappoints|underwhelms|stumbles|falters|buckles|cannot follow|gives out|"
        r"runs out of steam|is left)\b",
        r"[NRTW]+ {is} {adv}(?:sluggish|painfully slow|dog slow|slow)(?=[.,;!]|\s*$| (?:on|at|in|"
        r"under|by|compared|for)\b)",
    ),
    term(
        "faster",
        "named",
        r"\b(?:pays?|paid) (?:for itself|dividends|its way)\b|\b(?:earns?|earned) (?:its|their) "
        r"keep\b",
        r"\b(?:repays?|repaid) (?:the |its |their )?(?:cost|effort|price|overhead)\b",
        r"\b(?:more than )?makes? up for (?:the |its )?(?:cost|overhead|price|slow-?down)\b",
    ),
    term(
        "equal",
        "named",
        r"\b(?:cannot|can't|could not|couldn't|nobody can|impossible to|hard to|unable to) (?:be )?"
        r"(?:tell|told|distinguish\w*|separate\w*)\b(?:[^.;,]{0,40} apart\b| from {w1}[NR]+)",
        r"\b(?:a|an) (?:toss-?up|draw|dead heat|tie|even match|wash|coin flip)\b(?! (?:of|call))",
        r"\bwithin (?:a (?:hair|whisker)|striking distance|touching distance|reach) of\b",
        r"\bevenly matched\b|\blevel[- ]pegging\b|\bin lockstep\b",
        r"\b(?:is|are|runs?|performs?|sits?|stands?|draws?|comes?) {adv}(?:level|even|equal|"
        r"abreast|"
        r"on equal terms|a match|the equal|the peer|neck and neck) (?:with|to|of|for) ",
        r"\b(?:no|without|zero|any) (?:[a-z-]+ )?(?:worse|poorer|heavier|dearer|costlier|weaker) "
        r"(?:than|for)\b",
        r"\bholds? (?:its|their) ground\b|\b(?:reach\w*|near\w*|approach\w*|attain\w*) (?:the |its "
        r"|"
        r"their )?(?:[a-z]+ )?(?:parity|peak|roofline|ceiling|line rate|theoretical)\b",
        r"\b(?:sustain|run|deliver|reach|achiev|hit|serv)\w* (?:at )?line rate\b",
    ),
    term(
        "exact",
        "named",
        r"\b(?:to|down to) the (?:very )?(?:last|final) (?:bit|digit|O+|byte|ulp|decimal|place)\b",
        r"\bdown to the (?:bit|byte|O+|digit)\b",
        r"\b(?:no|zero|not a single|without a(?: single)?) {w2}mismatch(?:es)?\b",
        r"\b(?:same|identical|equal) (?:bits|bytes)\b(?= (?:as|come|out|every)\b)",
        r"\A\W*(?:the )?(?:same|identical) O+ (?:as|on|for|with|every|in)\b",
        r"\bO+ (?:are |is )?(?:identical|equal|exact|the same)\W{1,3}(?:yes|true|✓|✔|all)",
        r"\b(?:bit|byte|token|logit|output|bitwise)[- ](?:reproducible|stable|faithful|true|"
        r"compatible|parity)\b",
        r"\b(?:chang|alter|affect|touch|mov|flip)\w* (?:no|not one|not a single) {w1}(?:O+|bits?|"
        r"bytes?)\b",
        r"\bexact (?:match|agreement|equality|parity) (?:with|to|between|of)\b",
        r"\b(?:matches|match|matched|agrees?|agreed) (?:exactly|perfectly|to the (?:bit|letter)|"
        r"bit "
        r"(?:for|by) bit|everywhere)\b",
        r"\bO+ {w4}(?:come|comes|came) out (?:the same|identical|equal|exactly|as before)\b",
        r"\bexactly (?:what|the O+|as|like) {w2}[NRT]+ {w1}(?:gives?|emits?|"
        r"produces?|answers?|generates?|outputs?|does|W+)\b",
    ),
    term(
        "best",
        "named",
        r"\b(?:won't|will not|cannot|can't|hard to|hard-pressed to|never) (?:find|name|get|buy) "
        r"{w3}\w+(?:er|better|less) {X}",
        r"\b(?:cheapest|fastest|quickest|best|leanest) ways? to (?:run|serve|host|decode|infer|"
        r"generate|sample|use|deploy|train) {w2}{X}",
        r"\b(?:hard|tough|impossible|difficult) to (?:beat|match|top|improve on|rival|equal)\b",
        r"\b(?:nothing|nobody|no one|none|no other [\w-]+|no [NTWR]+) (?:[\w-]+ )?(?:touches|tops|"
        r"comes "
        r"(?:close|near)|gets (?:close|near|more)|comes within|can (?:touch|match|beat|compete|"
        r"keep)|"
        r"keeps up|does (?:it|this) (?:better|faster))\b",
        r"\b(?:nothing|nobody|no one|no other \w+) {w3}{X} {adv}(?:cheaper|faster|better|quicker|"
        r"leaner|"
        r"sooner)\b",
        r"\b(?:nobody|nothing|no one|no other \w+|no [NTR]+) {w3}(?:M+ |W+ |O+ )?(?:as|so|that) "
        r"{quick}\b",
        r"\bhands down\b|\b(?:ahead of|above|faster than|better than) (?:the rest|anything|"
        r"everything|"
        r"everyone|anyone|all others?|any other)\b",
        r"\b(?:beats|leaves|outruns) (?:everything|everyone|all (?:others?|comers)|anything|the "
        r"(?:rest|field|competition))\b",
    ),
)
