"""Words that say that nothing is better, or that it is always so: fastest, on every prompt."""

from claims.words.term import term

_OF_THE_RUNS = (
    r"(?! (?:of|in|over|among) (?:the |its |our |all |this |that |these )?(?:\w+ )?(?:runs?|reps?|"
    r"repetitions?|samples?|attempts?|pairs?|table|column|row))"
)
TERMS = (
    term(
        "best",
        "pointed",
        r"\b(?:close to|near|nearly|near-|at|is|are|reach\w*|hits?) ?(?:the )?(?:optimal|roofline|"
        r"optimum|hardware limit|speed of light)\b",
    ),
    term(
        "best",
        "inside",
        r"\b(?:the|a|our) (?:leading|top|premier|foremost|number one) {w1}[TWN]+",
        r"\b(?:top-tier|top-notch|unbeatable) {w1}[MWT]+",
    ),
    term(
        "best",
        "pointed",
        r"(?<![\w-])(?:fastest|quickest|slowest)(?![\w-])(?! (?:ways?(?! to (?:serve|infer|"
        r"generate|decode|sample|prefill))|path to|route|option|runs?|reps?|repetitions?|"
        r"samples?|time to market|growing))" + _OF_THE_RUNS,
    ),
    term(
        "best",
        "named",
        r"\b(?:state[- ]of[- ]the[- ]art|sota)\b(?! (?:[\w-]+ )?(?:models?|llms?|T+|hardware|"
        r"techniques?|systems?|methods?|is described|[TN]+\b))",
        r"\b(?:is|are|new|sets?|a|achiev\w*|beats?|match\w*) (?:the )?(?:new )?"
        r"(?:state[- ]of[- ]the[- ]art|sota)\b(?! is)",
    ),
    term(
        "best",
        "inside",
        r"(?<!for )(?<!for the )\b(?:best(?:-performing)?|cheapest|leanest|strongest) {w1}(?:{X}|"
        r"inference|library|framework|solution)" + _OF_THE_RUNS,
    ),
    term(
        "best",
        "pointed",
        r"\b{is} {adv}(?:best|cheapest|leanest|strongest)(?:[- ]in[- ]class| of| for| on|"
        r" available|"
        r" among| with| when| at| in| here|(?=[.,;]|\s*$))" + _OF_THE_RUNS,
        r"\bbest[- ]in[- ]class\b|\bbest-performing\b|\bin a class of its own\b",
    ),
    term(
        "best",
        "named",
        r"\b(?:has|have|knows|finds) no (?:equals?|rivals?|match|peers?|competitors?)\b",
    ),
    term(
        "best",
        "named",
        r"\bbest of (?:all|any|every|its|the)\b" + _OF_THE_RUNS,
        r"\bsecond only to\b|\bno other [\w-]+ (?:reaches|achieves|offers|delivers|comes)\b",
        r"\bthe envy of\b|\bwithout (?:equal|peer|rival|parallel)\b",
        r"\b(?:excels?|shines?) (?:at|on|in|with)\b|\bdwarfs {w1}{X}",
    ),
    term("best", "named", r"\b(?:most|least) {adj}\b"),
    term(
        "best",
        "inside",
        r"\b(?:highest|lowest|smallest|greatest|largest|shortest) {w1}{M}" + _OF_THE_RUNS,
        r"{M}[^.;,]{0,30}? {is} {adv}(?:highest|lowest|smallest|greatest|largest|shortest)\b"
        + _OF_THE_RUNS,
    ),
    term(
        "best",
        "named",
        r"\b(?:unmatched|unrivall?ed|unbeaten|unbeatable|unparallell?ed|unsurpassed|unequall?ed|"
        r"peerless|unprecedented|second[- ]to[- ]none|(?:industry|market|class|world)-leading|"
        r"world-class)\b",
    ),
    term(
        "best",
        "named",
        r"(?:^|[.,;:(] ?|\b(?:and|that|but|today|currently|there is|"
        r"there are) )(?:no (?!evidence|proof|claim|reason|guarantee|sign|data|word|"
        r"need)(?:other )?[\w-]+|nothing|"
        r"nobody|none|no one|nowhere) (?:[\w.'-]+ ){0,4}(?:faster|better|quicker|slower|worse|"
        r"beats?|"
        r"outperforms?|matches|comes close|rivals|surpasses|more {adj})\b",
    ),
    term(
        "best",
        "named",
        r"\bscal(?:e|es|ed|ing) (?:\w+ )?(?:perfectly|linearly|ideally)\b",
    ),
    term(
        "general",
        "pointed",
        r"\b(?:on|for|in|across|at|with|under|over|by) (?:every|all|any|each)(?: of the| of our|"
        r" the| our| these)? {w2}{domain}",
    ),
    term(
        "general",
        "named",
        r"\b(?:regardless of|irrespective of|independent of|no matter (?:the|what|which|how)|"
        r"whatever the) {w2}(?:{domain}|M+)",
        r"\b(?:across the board|universally|everywhere|uniformly|invariably|always|"
        r"without exception)\b",
    ),
)
