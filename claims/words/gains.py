"""Words that say that one is better or worse than another: faster, beats, lags, doubles."""

from claims.words.term import term

BY_LOAD = (
    r"(?! (?:linearly|from the|behind|(?:with|as) (?:the |a |more |longer |larger )?(?:batch|"
    r"context|length|depth|size|prompt|sequence|number|load|concurrency|temperature|more|longer|"
    r"larger)))"
)
TERMS = (
    term(
        "faster",
        "pointed",
        r"(?<![\w-])(?:faster|quicker|snappier|speedier|swifter|sooner)(?![\w-])(?! way| to "
        r"(?:type|write|install|build|compile|read|use|edit|set|get|find|learn|grasp))",
    ),
    term("slower", "pointed", r"(?<![\w-])slower(?![\w-])(?! way)"),
    term(
        "more",
        "inside",
        r"\b(?:better|worse|higher|lower|smaller|larger|bigger|greater|cheaper|leaner|lighter|"
        r"superior|inferior|stronger|weaker|tighter|shorter|finer) {w1}[MW]+",
        r"\b(?:less|more|fewer) (?:usable |free |total |peak |gpu )?[MW]+",
        r"\b(?:better|worse|higher|lower|smaller|larger) O+",
        r"\b(?:more|fewer|less) {w1}(?:O+|requests|users|prompts)(?= (?:per|than|in less|every|"
        r"a second))",
        r"\b(?:superior|inferior) to {w2}{X}",
    ),
    term(
        "more",
        "pointed",
        r"\b{is} {adv}(?:better|worse|higher|lower|smaller|larger|bigger|less|greater|cheaper|"
        r"leaner|lighter|stronger|weaker|tighter|shorter|smoother|thriftier|superior|"
        r"inferior){end}",
    ),
    term("more", "named", r"\b(?:more|less) {adj}\b"),
    term(
        "more",
        "named",
        r"\b(?:served|handled|executed|decoded|supported) {adv}better\b",
    ),
    term(
        "faster",
        "inside",
        r"\b(?:hid(?:e|es|den|ing)|mask(?:s|ed)|absorb(?:s|ed)|amorti[sz](?:es|ed)) {w4}(?:M+|"
        r"overhead)",
        r"\b(?:narrow|bridg|shrink)(?:s|es|ed)? {w2}gap\b",
    ),
    term(
        "more",
        "named",
        r"\b(?!rather|other|neither|either|whether|newer|older|later|longer|number|under|fewer|"
        r"higher|lower|larger|smaller|bigger|deeper|wider|simpler|easier|clearer)"
        r"[a-z]{3,}er than {w3}[NRTS]+",
    ),
    term(
        "win",
        "named",
        r"\b(?:outperform|outpac|outrun|outran|outstrip|outdo|outdid|outclass|outscor|outmatch|"
        r"outgun|outshin|outrank|outdistanc|surpass|overtak|overtook|eclips|trounc|crush|"
        r"overshadow)\w*|\bdominat\w* {w2}[NRT]+|\btrump(?:s|ed)\b",
    ),
    term(
        "win",
        "named",
        r"\b(?:beats?|beating|beaten|bests|smokes|tops|destroys|demolishes)\b(?! (?:of|row|line))",
    ),
    term("win", "named", r"(?<!the )(?<!a )\b(?:wins?|won)\b(?!['-])"),
    term(
        "win",
        "named",
        r"\bunlike (?:in |with |on |under )?{w1}[NR]+",
        r"\b(?:improvements?|gains?|wins?|upgrades?|steps? up) (?:over|on|against) {w2}[NRT]+",
        r"\b(?:sustains?|handles?|serves?|survives?) (?:higher|more|larger|bigger|heavier) \w+",
        r"{Q} {w3}(?:below|above) {w3}[NR]+",
    ),
    term("win", "inside", r"\bexceed\w* {w2}{X}"),
    term("win", "inside", r"\b(?:leads?|led|leading) (?:the )?[NR]+"),
    term(
        "win",
        "named",
        r"\b(?:is|are|was|were|stays?|comes?|came|runs?|remains?|finish\w*|lands?|pulls?|pulled|"
        r"far|well|be|out|miles|way|leagues) {adv}(?:miles |leagues |way )?ahead(?: of)?\b",
    ),
    term(
        "win",
        "named",
        r"\bno match for\b",
        r"\b(?:has|have|had|holds?|held|gains?|gained|takes?|took|keeps?|gives?) {w2}(?:edge|"
        r"upper hand|advantage|lead|crown)\b(?! (?:case|time|author))",
        r"\b(?:runs?|ran) circles around\b|\bputs? {w3}to shame\b|\b(?:comes?|came) out on top\b",
    ),
    term(
        "win",
        "named",
        r"\b(?:breaks?|broke|sets?|holds?) (?:a|the|a new|every|all) (?:[\w-]+ )?records?\b"
        r"(?! at)",
        r"\brecord(?:-breaking|-setting)\b|\brecord {M}",
    ),
    term(
        "lose",
        "named",
        r"\b(?:trails|trailed|lags|lagged|trail|lag)\b|\bunderperform\w*",
    ),
    term(
        "lose",
        "named",
        r"\b(?:falls?|fell|falling|left|stays?|is|are|"
        r"leaves? {w2}[NRT]+(?:'s)?) ?(?:\w+ )?behind\b",
        r"\b(?:leaves?|left|leaving) {w3}in the dust\b|\bblows? {w3}out of the water\b",
        r"\bfalls? short of {w2}{X}",
        r"\b(?:in|takes?|comes?|to) (?:a )?(?:distant )?(?:first|second|third|last)(?: place)?"
        r"(?=[.,;]| (?:by|behind|on|in|to|at)\b)(?<=place)|\branks? (?:first|second|third|last)\b",
    ),
    term("lose", "inside", r"\b(?:loses?|lost) (?:out )?to {w2}{X}"),
    term(
        "lose",
        "inside",
        r"N+ {w1}(?:cannot|can't|can not|does not|doesn't|do not|don't|could not|couldn't) "
        r"(?:keep (?:up|pace) with|match|beat|compete with|touch|rival|come close to|"
        r"reach) {w2}[TSRWM]+",
    ),
    term(
        "lose",
        "named",
        r"N+ {w1}(?:cannot|can't|can not|does not|doesn't|could not|couldn't) (?:keep (?:up|pace)|"
        r"compete)\b",
        r"[NRT]+ {adv}(?:struggles?|chokes?|crawls?)\b",
    ),
    term(
        "win",
        "named",
        r"\b(?:is|are|was|were) {adv}(?:exceeded|surpassed|beaten|matched|equalled|overtaken|"
        r"bettered)\b(?! by the (?:pattern|regex))",
    ),
    term(
        "factor",
        "inside",
        r"\b(?:doubl|tripl|quadrupl|halv)(?:es|ed|ing|e) {w4}{Q}",
        r"{Q} {w3}(?:doubl|tripl|quadrupl|halv)(?:es|ed|e)\b(?! the (?:batch|size))",
    ),
    term(
        "factor",
        "named",
        r"\b(?:twice|half|double|triple|thrice|several times|many times|multiple times|two times|"
        r"three times|ten times) (?:as|the) (?:{quick}|many|much|little|{M})",
        r"\b\w+-?fold (?:faster|better|higher|lower|more|less|increase|improvement|reduction|{M})",
        r"\b(?:several|many|multiple|two|three|four|five|ten) times (?:faster|slower|better|"
        r"higher|lower|more|less|cheaper|smaller)",
        r"\ba fraction of the (?:time|cost|M+)|\b(?:in|at) (?:half|a third|a quarter) the (?:time|"
        r"cost|M+)",
        r"\b(?:cut|reduced|lowered|shrunk|improved|shortened|faster|better|lower) by (?:half|a "
        r"third|a factor|more than half)\b",
    ),
    term(
        "factor",
        "named",
        r"\borders? of magnitude\b(?= (?:faster|slower|better|less|more|lower|higher|"
        r"improvement|speed-?up|smaller|cheaper|beyond|ahead|gain))",
    ),
    term(
        "faster",
        "inside",
        r"\b(?:improv|increas|reduc|boost|cut|slash|lower|rais|shrink|shrank|sav|enhanc|trim|"
        r"lift|gain|decreas|drop|shav|shorten)(?!er\b)\w* {w4}{M}",
        r"\b(?:minimi[sz]|maximi[sz])(?:es|ed) {w2}M+",
        r"\b(?:improves|improved|gains|gained) (?:up)?on {w1}[NRTMW]+",
    ),
    term(
        "faster",
        "inside",
        r"{Q} {w3}(?:improves|improved|increases|increased|drops|"
        r"(?<!is )(?<!are )(?<!was )(?<!were )dropped|falls|fell|shrinks|"
        r"shrank|decreases|decreased|declines|declined|rises|rose|climbs|climbed|jumps|jumped|"
        r"soars|soared|plummets|plummeted|sinks|sank|surges|surged|went (?:up|down)|goes (?:up|"
        r"down)|(?:is|are|was|were|has been|have been) {adv}(?:reduced|improved|increased|lowered|"
        r"boosted|shortened|cut|down|up)(?!-))\b" + BY_LOAD,
        r"[NTWRM]+ {w1}(?:regressed|degraded|slowed(?: down)?)\b",
        r"[NTWR]+ (?:gains|gained|suffers|suffered|regresses|regressed|improves|improved) (?:on|"
        r"at|in|everywhere|across|with|over)\b",
    ),
    term(
        "faster",
        "named",
        r"(?<![\w-])accelerat(?:e|es|ed|ing) {w3}[NMWOTR]+",
        r"[NMWOTR]+ {w2}(?:is|are|was|were|gets?) {adv}accelerated\b",
        r"\b(?:speeds?|sped|speeding) (?:[\w-]+ ){0,2}up\b",
        r"\b(?:super|turbo)charg(?:es|ed|ing)\b",
    ),
    term(
        "faster",
        "named",
        r"\b(?:gives?|gave|deliver\w*|achiev\w+|sees?|saw|gets?|got|yield\w*|provid\w+|brings?|"
        r"brought|shows?|showed|obtain\w*|offer\w*|reach\w*|gain\w*|enjoy\w*) (?:[\w-]+ ){0,4}"
        r"(?:speed-?ups?|improvements?|gains?|savings)\b",
        r"\b(?:large|significant|huge|massive|consistent|clear|big|substantial|considerable|"
        r"major|notable|dramatic) (?:speed-?ups?|(?:improvements?|gains?|boosts?|reductions?|"
        r"leaps?|jumps?|increases?|decreases?) (?:in|of|to) {w2}{M})",
        r"\bspeed-?ups? (?:over|versus|vs|compared)\b",
        r"\b{M} (?:boost|improvement|gain|reduction|speed-?up)s? (?:over|versus|vs|compared|"
        r"against)\b",
    ),
    term(
        "faster",
        "named",
        r"\b(?:pays?|paid) off\b|\bhelps (?:on|at|in|across|with)\b",
        r"\b(?:cheaper|faster|quicker|better|leaner) ways? to (?:serve|infer|generate|decode|"
        r"sample)\b",
        r"\b{is} {adv}(?:instant|instantaneous)\b",
        r"\bsaturat(?:es|ed|e) {w2}(?:M+|the (?:link|wire|memory|bus))",
    ),
    term(
        "faster",
        "named",
        r"\b(?:fix|remov|eliminat|clos|recover|restor|undo|undid)\w* {w3}(?:slow-?downs?|"
        r"regressions?|overhead|degradation|gap|bottlenecks?)\b",
        r"\b(?:slow-?down|regression|overhead|degradation|gap|bottleneck|penalty)s? {w4}(?:is|are|"
        r"was|were|has been|have been) {adv}(?:closed|gone|fixed|removed|eliminated|cured|"
        r"resolved)\b",
    ),
)
