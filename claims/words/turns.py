"""Figures of speech that claim, which no grammar of comparison holds: wipes the floor with, flies.

What they are spelt with stands beside other words anywhere, so each is a pattern of the masked
sentence. A new one belongs here only if `claims.words.grammar` cannot say it of a whole class.
"""

from claims.words.term import term

TERMS = (
    # Of one that wins, and of one that is left.
    term(
        "win",
        "named",
        r"\b(?:wip|mop|sweep|swept)\w* the floor with\b|\b(?:eats?|ate|bit|bites?) {w3}(?:dust|"
        r"for (?:lunch|breakfast|dinner)|lunch|alive)\b",
        r"\b(?:lunch|breakfast|dinner)\b.* (?:ate|eats?|eaten)\b",
        r"\b(?:leav(?:es|e|ing)|left|puts?) {w5}(?:standing|trailing|in the dust|in (?:the|its|"
        r"their|our)"
        r" (?:shade|wake|rear-view mirror|shadow)|for dead|on the ropes|gasping)\b",
        r"\b(?:leaves?|left|leaving) {w2}[NRT]+ {w3}behind\b",
        r"\b(?:gives?|gave|given) {w2}{X} an? {w2}(?:lift|kick|push|bump|edge|leg up|head start)\b",
        r"\bbefore {w1}[NR]+ (?:does|do|did|can)\b",
        r"\b(?:runs?|ran) (?:rings|circles) (?:a?round|about)\b|\bwalks? (?:all )?over {w1}{X}",
        r"\b(?:met|meets|finds|found) (?:its|their) match\b|\ba run for (?:its|their) money\b",
        r"\b(?:head and shoulders|a (?:cut|notch|step|class)|streets) (?:above|ahead|better)\b",
        r"\bin (?:a|another|its own|a different) (?:different )?league\b|\bout of reach (?:of|"
        r"for)\b",
        r"\bblows? {w3}(?:away|out of the water)\b|\b(?:steals?|stole) a march\b|\bgains? ground\b",
        r"\b(?:not|\w+n't) even close\b|\bnowhere (?:near|close)\b|(?:\A|\b(?:is|was|just|simply) "
        r"|'s )no "
        r"comparison\b|\bmiles "
        r"apart\b"
        r"|\b(?:a world of|night and day|day and night) difference\b",
        r"\b(?:better|fuller|full|the fullest|more efficient|the most) use of\b",
        r"\b(?:works?|worked|does|did) wonders\b",
        r"\bpleasantly surprised (?:by|with|at|how)\b",
        r"\bmore {w2}out of\b|\bfalls? {w4}short\b|\b(?:is|are) what {w2}{X} (?:would|does|gives|"
        r"produces)\b",
        r"\b(?:cannot|can't|\w+n't|hardly) hold a candle to\b|\ba matter of (?:moments|seconds|"
        r"milliseconds)\b",
        r"\bwinner\W{1,3}(?:[NTRS]|is)|\b(?:clear|overall|undisputed|outright|only) winners?\b",
        r"{X} (?:is |are |comes |sits )?(?:on top|(?:far|way|well|clearly) (?:below|above|ahead|"
        r"behind|under))"
        r"(?=[.,;]|\s*$)",
        r"\b(?:just|finally|now|have|has|easily|narrowly) (?:passed|overtook|caught) {w1}[NR]+",
        r"\bgap {w4}(?:widens?|widened|narrows?|narrowed|shrinks?|shrank|grows|closes|closed)\b",
        r"\b(?:diminishing|shrinking|negative) returns\b",
        r"\bma(?:kes?|de) {w2}{X} {w2}(?:looks?|seems?|feels?) (?:like )?\w+"
        r"|\b(?:won't|never|can't) go(?:ing)? back to\b"
        r"|\bgoing back to {w4}feels?\b",
    ),
    term(
        "best",
        "named",
        r"\b(?:the|an?|our) (?:\w+-)?leading [NRT]+\b(?!/)",
        r"\bthe envy of\b|\b(?:alone|first|top|spot|place) on the (?:podium|leaderboard|list|"
        r"table)\b",
        r"\b(?:won't|will not|cannot|can't|hard to|hard-pressed to|never) (?:find|name|get|buy|"
        r"imagine|picture|think of|ask for|want) "
        r"{w3}\w+(?:er|"
        r"better|less) {X}",
        r"\ban? (?:\w+ )?upgrade "
        r"(?:over|from|on) {w2}{X}",
        r"\b(?:rankings?|leaderboards?|results?|numbers|figures|measurements?|evaluations?|"
        r"evals?|tests?|surveys?|judges?|raters?|voters?|benchmarks?|comparisons?|M+|O+) {w2}"
        r"(?:puts?|ranks?|ranked|places?|placed|crowns?|crowned) {w1}{X} {w1}(?:first|last|on top|"
        r"at the (?:top|bottom)|ahead|in front|in (?:first|top|pole) (?:place|position))\b"
        r"(?! in [\w-]+ order)",
        r"\b(?:is|are|was|were|be|proved|proves|remains?|remained|became|makes?|made)(?: to be)? "
        r"{w2}(?:(?:weak|strong|slow|fast|cheap|quick|light|heavi|thrifti|lean|poor|saf)est|best|"
        r"worst|(?:most|least) (?!common|popular|recent|important|usual|likely|obvious|documented)"
        r"[\w-]+) (?:[\w-]+ )?(?:options?|choices?|candidates?|contenders?|performers?|picks?|"
        r"combinations?|solutions?|alternatives?)\b",
        r"{X} {w1}top(?:s|ped)? {w2}(?:profiles?|flame ?graphs?|charts?|rankings?|bill)\b",
        r"\bgood luck (?:finding|beating|getting|squeezing|topping)\b",
        r"\bscal(?:e|es|ed|ing) (?:\w+ )?(?:perfectly|linearly|ideally|gracefully)\b",
        r"\b(?:best|lowest|highest|fastest|shortest|strongest|quickest|cleanest) (?:\w+ "
        r")?(?:numbers?|"
        r"figures?|results?|times?|scores?|readings?|marks?|showing)\b",
        r"\b(?:squeez|wring|wrung|extract)(?:es?|s|ed|ing)? (?:every (?:last )?(?:drop|bit|"
        r"ounce)|the (?:most|last"
        r" (?:drop|bit|ounce)))\b|\bevery (?:last )?(?:drop|ounce|bit) of {w1}{M}",
    ),
    # Fast and slow without a comparison, and what is spared.
    term(
        "faster",
        "named",
        r"[MWNT]+ {w1}(?:flies|flew|screams|rockets|rocketed|zooms|zips along|hums along|"
        r"purrs)\b(?! at \S*\d)",
        r"\b(?:starts?|loads?|boots?|streams?|responds?|answers?|arrives?|opens?|W+) "
        r"(?:instantly|at once|"
        r"immediately|without (?:a hitch|hiccups|stalls|waiting)|in no time|in a flash)\b"
        r"(?! (?:after|when|if|on error))",
        r"\b(?:starts?|loads?|boots?|answers?|responds?|finish(?:es)?|ready|done) (?:\w+ "
        r")?(?:within|in) "
        r"(?:a few |mere |under )?(?:seconds|moments|milliseconds)\b(?! of| after)",
        r"\bno longer (?:the bottleneck|dominat\w+|limit\w*|block\w*|stall\w*|hold\w* back)\b",
        r"\b(?:hid(?:es|e|ing|den)|remov\w+|eliminat\w+|amorti[sz]\w+|mask\w*|absorb\w*) (?:\w+ "
        r")?the "
        r"(?:\w+ )?(?:cost|penalty|price|delay|M+|bubbles?|traffic)\b",
        r"\b(?:reduc|lower|cut|shrink|trim|minimi[sz]|decreas|slash|halv)\w* (?:the |our |your "
        r")?(?:\w+ )?"
        r"(?:costs?|jitter|losses|delays?|bubbles?|stalls?|waste)\b",
        r"\b(?:used to|once) (?:take|took) (?:\w+ )?(?:weeks|days|hours|minutes|months)\b",
        r"\b(?:less|no) waiting\b|\bmore O+(?:, | for | out of )|\b(?:before|faster than) you "
        r"can (?:blink|say)\b"
        r"|\btime to blink\b|\bin the blink of an eye\b",
        r"\b(?:pays?|paid) (?:for itself|dividends|its way)\b|\b(?:earns?|earned) (?:its|their) "
        r"keep\b"
        r"|\b(?:repays?|repaid) (?:the |its |their )?(?:cost|effort|price|overhead)\b",
        r"\b(?:say|wave|waved|said|kiss) (?:goodbye|farewell) to\b"
        r"|\bno more (?:slow|waiting|stalls|overhead|bottlenecks|bloated)\b|\bno slow \w+",
    ),
    term(
        "faster",
        "inside",
        r"{Q} {w3}(?:goes|went|gone|falls|fell|shot|shoots) through the (?:floor|roof|ceiling)\b",
        r"\b(?:shav|trim|cut|knock|slic|shed|lop|carv|clip|chop|peel|scrap|tak|took)\w* {w4}"
        r"(?:off|from|out of) {w2}{M}",
        r"{M} (?:is|are|was|were|has been) {adv}(?:back|down|up)\b(?= (?:to|at|from|since|by|"
        r"across|over|"
        r"where)|[.,;!]|\s*$)",
        r"\b(?:lean|light|easy|easier|heavy|heavier|lighter|gentle|gentler|frugal) on {w1}{M}",
    ),
    term(
        "factor",
        "named",
        r"\b(?:cut|slash|reduc|chop|shr[aiu]nk|brought down|bring|trim|drop)\w* {w4}(?:in|by) "
        r"half\b",
        r"\b(?:half|twice|double|triple|thrice|(?:a|one|two) (?:third|quarter|fifth|tenth|"
        r"fraction|thirds|"
        r"quarters)(?: of)?) (?:of )?the (?:time|size|space|room|cost|work|price|hardware|steps|"
        r"bits|traffic)\b",
    ),
    term(
        "more",
        "inside",
        r"\A\W*(?:low|high|good|strong|small|short|steady|stable|constant|flat|fast) {w1}{M}(?: "
        r"W+)?, (?:always|"
        r"everywhere|guaranteed|even|regardless|whatever|with|without|at)\b",
    ),
    # Nothing is lost, and nothing tells them apart.
    term(
        "unchanged",
        "named",
        r"[MO]+ (?:is|are|was|were|stays?|remains?) (?:\w+ )?(?:independent of|immune to|"
        r"insensitive to|"
        r"oblivious to|agnostic to|unfazed by)\b",
        r"\b(?:makes?|made|chang\w*|does|do) nothing (?:to|about|in|for) {w2}[MWO]+",
        r"\b(?:never|not|\w+n't) keeps? (?:you|users|anyone|requests) waiting\b",
        r"\b(?:not|never|hardly|barely|scarcely|\w+n't) (?:even |really )?(?:noticeable|"
        r"perceptible|"
        r"measurable|detectable|discernible)\b",
        r"{M} {w4}(?:survive[sd]?|withst\w+) (?!only|until)",
        r"\b(?:without|not|never) (?:\w+ )?giv(?:e|ing) up (?!to)",
        r"\b(?:not|\w+n't|never|without) (?:\w+ )?slow(?:ing)? (?:anything|it|things|us|them|"
        r"{X}) (?:\w+ )?down\b",
        r"\b(?:is|was|are|were) (?:exactly |still )?what (?:it|they) (?:was|were|is)\b",
        r"\b(?:is|are) a thing of the past\b|\bno longer an? (?:issue|problem|concern|"
        r"bottleneck)\b",
        r"\bno (?:larger|bigger|higher|longer|greater|heavier|worse|costlier|slower) than\b",
        r"\bspares? (?:you |us |users )?{w3}[MW]+|\bkeeps? {w2}{X} (?:busy|fed|saturated|full|"
        r"hot)\b",
        r"\b(?:not|\w+n't|never|nor|without) (?:[a-z]+ly )?(?:alter|affect|chang|touch)(?:e|es|"
        r"ing|s)? {w4}(?:"
        r"ratio|result|outcome|quality|M+|O+)",
        r"\b(?:not|never|\w+n't) (?:move|shift|budge|chang|affect|alter)\w* (?:any of )?(?:the|"
        r"our) "
        r"(?:\w+ )?(?:metrics?|numbers?|figures?|needle|dial)\b",
        r"\blooks? (?:just |exactly )?(?:like|the way|as) it (?:did|always|used)\b",
        r"\b(?:never|not|\w+n't) (?:ever )?falls? back\b",
        r"\bM+ (?!to ){w4}overlap(?=[.,;]|\s*$)",
    ),
    term(
        "unchanged",
        "nothing",
        r"\b(?:no|little|hardly any|zero|without|negligible|minimal) (?:[\w-]+ ){0,3}(?:effects?|"
        r"influence) (?:on|upon) {w3}{M}",
        # Of what is bad, that it is nowhere.
        r"\b(?:throttling|stalls?|errors?|jitter|drift|hangs?|crash\w*|failures?|leaks?|"
        r"regressions?|stutter\w*|pauses?|bubbles?|overflows?|nans?|spikes?|artifacts?|deadlocks?|"
        r"races?|timeouts?|hiccups?|outliers?|degradation|loss(?:es)?|overhead|M+) (?:is|are|was|"
        r"were|stayed|remained|has been|have been) {w1}(?:absent|gone|nowhere)\b"
        r"(?! (?:from (?!start)|once|when|if|after|until|unless|as soon))",
        r"\b(?:overhead|slow-?downs?|regressions?|penalty|loss(?:es)?(?: of {M})?|degradation|"
        r"performance cost|"
        r"M+ (?:cost|loss|impact|penalty|drop)|impact|differences?)\W{0,3}:\W{0,3}(?:none|nil|"
        r"zero|no|negligible|"
        r"minimal|unmeasurable|within noise)\b",
        r"\b(?:extra|added|additional|new) [a-z -]{3,40} (?:comes?|came|is|are|was|were) (?:for "
        r"free|"
        r"free|at no (?:\w+ )?(?:cost|charge|price)|cost-free)\b(?! (?:of|software|to|from|and "
        r"open)\b)",
        r"\b(?:all|every|each) (?:\w+ )?(?:requests?|prompts?|users?|queries|clients?) (?:were|"
        r"was|are|is|"
        r"got|gets) (?:\w+ )?(?:in time|on time|within (?:the |its |their )?(?:deadline|slo|sla|"
        r"target|limit|"
        r"budget))\b",
        r"\b(?:regression|penalty|loss)-free\b|\b(?:perf\w*|latency|throughput|memory|cost|"
        r"accuracy|"
        r"quality|speed|power|energy|perplexity)-neutral\b",
    ),
    term(
        "equal",
        "named",
        r"\b(?:buys?|bought|gains?|gained|wins?|won|earns?|earned) {w1}(?:nothing|little) (?:over|"
        r"above|beyond|against|compared)\b",
        r"\bcompetitive (?:with|to|against)\b|\bclose to (?:that|those) of\b",
        r"\b(?:comput|achiev|deliver|return|produc|giv|reach|see|say|do)(?:es|s|e) (?:exactly |"
        r"just )?what {w2}{X} "
        r"(?:\w+ )?(?:comput|achiev|deliver|return|produc|giv|reach|see|say|do)(?:es|s|e)\b",
        r"\b(?:clos|narrow|bridg|eliminat|eras)\w* (?:the|that|this|any) (?:\w+ )?gap\b",
        r"\b(?:needs?|uses?|takes?|draws?|consumes?) (?:about |exactly |roughly )?the same "
        r"amount\b",
        r"[MO]+ {w1}match\w* (?:the|their) (?:published|reported|stated|official|documented)\b",
        r"\bup to the (?:speed|pace|level|M+) of\b|\bthe {w1}{Q} (?:you|we|it|they) (?:had|got|"
        r"have|get|saw) "
        r"(?:with|on|from|under|before)\b",
        r"\bfaithful (?:copy|reproduction|replica|port|translation)\b",
        r"\b(?:(?:would|will|\w+'d|\w+'ll) (?:be |find it |struggle |have a hard time "
        r")?)?(?:cannot|can't"
        r"|could not|couldn't|(?:nobody|no one) (?:can|could)|impossible to|hard to|unable to|"
        r"hard[- ]"
        r"pressed to|difficult to|tough to|struggle to|have a hard time|to) (?:be "
        r")?(?:tell|told|"
        r"separate\w*)\b[^.;,]{0,40} (?:apart|from)\b",
        r"\b(?:swear|think|believe) (?:it|they|that|this) (?:came|was|were|is)\b",
    ),
    term(
        "equal",
        "inside",
        r"\b(?:attain|obtain|reach|achiev|deliver|recover|retain|preserv|hit)\w* (?:\w+ )?the "
        r"(?:full |same )?(?:\w+ )?{Q} (?:(?:of|that) {w2}[NRTW]+\b(?! [a-z]+s\b)|(?:reported|"
        r"published|stated) )",
    ),
    term(
        "lose",
        "named",
        r"\b(?:is|are|was|were|remains?|stays?|runs?) (?:still|far|well|clearly|slightly|a bit|"
        r"way|just) "
        r"behind {w1}[NR]+",
        r"(?:[NR]+|\bold(?:er)?) {w1}(?:cannot|can't|could not|couldn't|unable to|fails? to|"
        r"failed to|struggles? "
        r"to) "
        r"(?:quite )?"
        r"(?:keep (?:up|pace)|catch up|compete|measure up|come close|hold up) (?:with|to)\b",
    ),
    term(
        "general",
        "nothing",
        r"\b(?:all|every|always|each|throughout)\b[^.;]{0,60}\b(?:targets?|slos?|slas?|deadlines?|"
        r"budgets?|goals?|objectives?) (?:was|were|has been|have been|is|are) (?:always )?(?:met|"
        r"held|"
        r"kept|hit|satisfied)\b",
        r"\b(?:targets?|slos?|slas?|deadlines?|goals?|objectives?) (?:was|were|has been|have been) "
        r"(?:always )?(?:met|held|kept|hit|satisfied) (?:in|on|at|for|across) (?:all|every|each)\b",
        r"(?:[NMWOTRS]+|gains?|speed-?ups?|improvements?|benefits?|savings?|method|approach) "
        r"(?:\w+ )?(?:carr(?:y|ies|ied) over|transfers?|generali[sz]es?|extends?) to (?:\w+ "
        r")?(?:other|"
        r"larger|all|"
        r"any|every|unseen|most) {w1}{X}",
        r"\b(?:runs?|works?|loads?|fits?|starts?|serves?|boots?) on any [NT]+\b",
        r"\bO+ (?:\w+ )?appl(?:y|ies) to {w2}(?:all|any|every|other|unseen)\b",
        r"(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )\b(?:runs|works?|worked|handles?|loads?|"
        r"serves?|"
        r"compiles?|converts?|quantizes?|appl(?:y|ies)|pass(?:es)?|plugs?|scales?) (?:in |"
        r"[a-z]+ly )?"
        r"(?:on |with |for |to |in |under |at |against )?(?:any|every|all|arbitrary|whatever) "
        r"(?!of the|the)",
        r"\A\W*(?:every|all|any)\b(?:(?! to | must | should )[^.;,]){3,60} (?:(?:loads?|works?|"
        r"pass(?:es)?|converts?|fits?) (?:on|in|at|with|"
        r"without|correctly|as|out of|under|since)|(?:runs?|ran) (?:without|correctly|out of the "
        r"box|unchanged))\b",
        r"\b(?:no|nothing) [^.;,]{2,40} (?:is|are) (?:left out|unsupported|too (?:old|small|large|"
        r"big|slow|long))\b"
        r"|\bno \w+ (?:that )?(?:we|it) (?:do|does)(?: not|n't) (?:support|handle|run)\b",
        r"\b(?:surviv\w+|withst\w+|cop(?:es|ed|ing) with|tolerat\w+) (?:any|every|all)\b",
        r"\b(?:never|not once) (?:returns?|produces?|emits?|gives?|yields?|sends?|outputs?) "
        r"(?:an? |any )?(?:truncated|wrong|"
        r"invalid|empty|incorrect|corrupt\w*|broken|malformed|garbled|stale)\b",
        # What is bad is nowhere, and what is meant is so everywhere.
        r"\b(?:no longer|never|not|\w+n't) (?:ever )?(?:occurs?|arises?|recurs?|reappears?) (?:on|"
        r"in|at|for|with|under|across) (?:any|either)\b",
        r"\b(?:no longer|never) (?:ever )?(?:appears?|shows? up|seen|observed)"
        r" (?:on|in|at|for|with|under|across) (?:any|either)\b",
        r"[NMWOTRS]+ (?:[\w-]+ ){0,3}(?:invariably|unfailingly|infallibly|never fails? to)\b",
        r"\b(?:meets?|met|hits?|keeps?|kept|holds?|held|reach(?:es)?|reached) (?:its|their|the|our|"
        r"all|every) (?:[\w/-]+ ){0,4}(?:targets?|slos?|slas?|deadlines?|goals?|"
        r"objectives?)[^.;]{0,60} (?:(?:for|under|on|in|with|at|across) "
        r"(?:arbitrary|any|all|every)|always|whatever|regardless)\b",
        r"\b(?:never|not once) (?:ever )?(?:drop|lose|lost|refuse|reject|abort|break|broke|cut|"
        r"kill|miss)\w* {w3}(?:connections?|requests?|streams?|sessions?|sockets?|"
        r"clients?|users?|jobs?)\b",
    ),
    term(
        "equal",
        "inside",
        r"\bat (?:full|native|line|peak|wire|hardware) {w1}(?:M+|rate)\b|\bback to full {w1}M+",
    ),
    term(
        "exact",
        "nothing",
        r"\b(?:reproducible|exact|identical|equal|same|faithful|stable) (?:right )?down to the "
        r"(?:last )?(?:bit|"
        r"byte|token|digit)\b",
        r"\A\W*(?:identical|lossless)\W*\Z",
        r"\b(?:guarantees?|guaranteed|assures) (?:[\w-]+ )?(?:valid|correct|well-formed|consistent|"
        r"conforming|faithful|sound|unbiased) (?:[\w-]+ )?{X}",
        r"\b(?:continu|resum|pick|carr|restart|proceed)\w* (?:up |on |again )?(?:exactly|"
        r"precisely) (?:where|from where|as if|as though)\b",
        r"\b(?:sampl\w+|draw\w*|drawn) {w2}from (?:the|its|their) (?:exact|true|correct|unbiased|"
        r"unmodified) (?:[\w-]+ )?O+",
        r"\b(?:runs|repeats|reruns|repetitions|seeds?)\b[^.;,]{0,40} (?:never|do not|don't|did "
        r"not|didn't)"
        r" (?:ever )?(?:differ|disagree|diverge|vary)\b",
        r"\bdiff\w*\b[^.;]{0,100}\b(?:empty|clean|no (?:lines?|difference)|nothing|silent)\b",
    ),
    term(
        "exact",
        "named",
        r"\b(?:checksums?|hash(?:es)?|digests?) (?:of|from|over) {w3}{X} {w4}(?:are|were|came "
        r"out|come "
        r"out|is|was) (?:all )?(?:equal|identical|the same)\b|\b(?:checksums?|hash(?:es)?|"
        r"digests?) (?:of|from|over) "
        r"{w3}{X} {w1}(?:agrees?|agreed|match(?:es|ed)?|coincided?)\b",
        r"\b(?:repeated|every|each|all|any|always|invariably|seed|rerun\w*|again)\b[^.;]{0,50} "
        r"(?:yield|"
        r"give|produce|return|print|emit|generate)(?:s|ed)? (?:exactly |only )?(?:a single|one) O+",
        r"\b(?:restor|recover|reconstruct|recreat|rebuil|reproduc|replay|decod)\w* {w3}[\w-]+ "
        r"(?:exactly|perfectly|faithfully|precisely)(?=[.,;]|\s*$)",
        r"\b(?:accurate|correct|exact|right|true) to (?:within )?(?:the )?(?:last|final) (?:\w+ "
        r")?(?:bit|digit|"
        r"ulp|place)\b",
        r"\bO+ (?:are |is )?(?:identical|equal|exact|the same)\W{1,3}(?:yes|true|✓|✔|all)",
    ),
)
