"""Words that say where something measured goes, or that it stays where it is: comes down, holds."""

from claims.words.gains import BY_LOAD
from claims.words.term import term

TERMS = (
    term(
        "faster",
        "inside",
        r"{Q} {w4}(?:comes?|came|brought|creeps?|crept|ticks?|ticked|edged?|edges|inche[sd]|moved|"
        r"moves|trended|trends) {adv}(?:down|up|upwards?|downwards?)\b" + BY_LOAD,
        r"{Q} {w4}(?:has|have|had) {adv}(?:shrunk|sunk|fallen|risen|dropped|improved|halved|"
        r"doubled|tripled|increased|decreased|climbed|worsened|jumped|regressed|degraded|slipped)\b"
        + BY_LOAD,
        r"{Q} {w3}(?:goes|went|gone|falls|fell|shot|shoots) through the (?:floor|roof|ceiling)\b",
        r"{Q} {w2}(?:dips|dipped|tumbles|tumbled|plunges|plunged|dwindles|dwindled|slipped|"
        r"worsens|worsened|skyrockets|skyrocketed|collapses|collapsed|suffers|suffered)\b"
        + BY_LOAD,
        r"\b(?:br(?:ings?|ought)|driv(?:es|en)|drove|push(?:es|ed)?|pulls?) {w2}{M} {adv}(?:down|"
        r"up|"
        r"back|to (?:the|a) (?:floor|minimum))\b",
        r"\b(?:br(?:ings?|ought)) (?:down|up) {w2}{M}",
        r"{M} (?:is|are|was|were|has been) {adv}(?:back|down|up)\b(?= (?:to|at|from|since|by|"
        r"across|over|where)|[.,;!]|\s*$)",
        r"{M} (?:saved|gained|regained|won)(?=[.,;:!]|\s*$| (?:on|in|over|by|per))",
        r"\b(?:frees?|freed|reclaims?|reclaimed|recovers?|regains?|wins? back) (?:up )?{w3}{M}",
    ),
    term(
        "flat",
        "inside",
        r"{Q} {w3}(?:holds?|held|stays?|stayed|remains?|remained|keeps?|kept|sits|sat) {adv}"
        r"(?:steady|level|put|firm|constant|unchanged|flat|stable|up|where (?:it|they)|the same|"
        r"even|bounded|fixed|within)\b",
        r"{Q} (?:itself |there |then )?(?:hardly|barely|scarcely|never) (?:ever )?(?:moves?|"
        r"moved|budges?|budged|changes?|changed|grows?|grew|rises?|rose|drops?|dropped|falls?|"
        r"fell|varies|varied|wavers?|suffers?|dips?|shifts?|notices?)\b",
        r"{Q} {w2}(?:does|do|did|has|have|is|are)(?: not|n't) (?:[a-z]+ly |even )?(?:move|budge|"
        r"grow|rise|drop|fall|climb|increase|decrease|shrink|vary|dip|sag|waver|worsen|collapse|"
        r"moved|budged|grown|risen|dropped|fallen|climbed|increased|changed|moving|growing|"
        r"rising|dropping|falling)\b",
        r"{Q} {w2}(?:(?:does|do|did)(?: not|n't) depend on|is independent of|(?:is|are) blind "
        r"to)\b",
        r"{Q} {w2}(?:grows?|grew|scales?|scaled|rises?|increases?) (?:\w+ly )?(?:linearly|"
        r"sub-?linearly|super-?linearly|logarithmically|gracefully|near-linearly)\b",
    ),
    term(
        "flat",
        "named",
        r"(?<!non-)\b(?:linear|near-linear|super-?linear|perfect|ideal) (?:scaling|speed-?ups?)\b",
    ),
    term(
        "equal",
        "named",
        r"\b(?:never|not|\w+n't) (?:[a-z]+ly |ever )?(?:drop|dip|fall|sink|go|rise|climb|run|get|"
        r"stray|"
        r"slip)(?:s|es|ped|ting)? (?:far |much |any )?(?:below|under|beneath|above|over|behind|"
        r"beyond|from) {w2}{X}",
        r"\b(?:never|not|\w+n't) (?:[a-z]+ly )?exceeds? {w2}[NRT]+",
    ),
    term(
        "unchanged",
        "inside",
        r"\b(?:never|not|\w+n't|no longer|without) (?:[a-z]+ly |ever )?(?:stall|block|starv|"
        r"throttl|"
        r"interrupt|disturb|drag|weigh|tax|touch|bottleneck|hamper|hinder|delay|interfere with|eat "
        r"into|dent|"
        r"erod|cripple|bloat|inflat|burden)(?:e|es|s|ing)? {w2}{M}",
    ),
    term(
        "slower",
        "inside",
        r"\b(?:hurts|harms|degrades|worsens|slows(?: down)?|hampers|ruins|wrecks|tanks|kills|"
        r"erodes|inflates|bloats|cripples) {w3}{M}",
        r"\b(?:costs|burns|wastes) (?:us |you |some |extra |a lot of |too much |more |much "
        r"){0,2}{Q}",
    ),
    term(
        "more",
        "named",
        r"\b(?:takes?|took|needs?|needed|lasts?|spends?|spent|requires?) {adv}(?:a good deal |a "
        r"great "
        r"deal |considerably |a lot |half |twice )?(?:longer|less (?:time|work|effort)|more time|"
        r"as "
        r"long|as (?:little|much|many))\b(?! (?:as (?:you|it|possible)))",
        r"\b(?:finish|return|answer|respond|start|complet|arriv|load|boot)(?:e|es|s|ed)? {adv}"
        r"(?:earlier|sooner|later|more quickly|more slowly)\b",
    ),
)
