"""Whether the words around a bound number deny it: `does not reach 35.2`, `no run reaches 35.2`.

A denial counts where it is of the verb that leads to the number, or stands right before it. What is
said of something else is none: "no flag was set, and it reaches", "a run that was not warmed up
reaches". A bound is none either ("never fell below"), nor is "not only".
"""

from claims.checks import nearby
from receipts import late as re

_FAR = 120
_VERB = (
    r"(?:reach|attain|achiev|hit|get|got|giv|gave|deliver|sustain|run|ran|decod|prefill|generat"
    r"|process|produc|tak|took|need|us|go|went|com|cam|cross|top|beat|outperform|outrun|match|gain|sav"
    r"|cost|cut|lower|rais|drop|fall|fell|ris|rose|climb|hold|held|keep|kept|stay|stand|stood|show"
    r"|measur|see|saw|seen|manag|win|won|speed|sped|doubl|improv|reduc|halv|peak|averag|amount"
    r"|equal|settl|lead|led|lag|trail|lift|increas|decreas|make|made|mak|put|yield|offer|provid"
    r"|exceed|surpass|break|broke|touch|approach|serv|hav|has|had|lose|lost|b(?=e\b))(?:\w*)"
)
_ADVERB = r"(?:(?:\w+ly|even|yet|quite|ever|once|been|be|to|able|actually|still|at|all|so|far)\s+)*"
# A second verb that something does ends the reach of a denial: "did not warm up and reaches".
_REST = (
    r"(?:(?!(?:reaches|decodes|runs|takes|gives|delivers|sustains|generates|gets)\b)"
    r"[^\s,;:]+\s+){0,6}?"
)
# "Nothing else ran when it reached 35.2": what was denied came to its own verb before.
_FINITE = r"(?:is|was|are|were|has|had|ran|used|set|changed|else|when|while|if|once|until|whose)"
_FILL = (
    r"(?:(?:the|a|an|at|by|to|about|around|some|even|as|much|many|up|its|of|with|for|in|than|roughly"
    r"|nearly|almost|more|only|reported|claimed|full)\s+)*[~≈+−-]?"
)
_NOT = (
    r"(?:\b(?:not|never|cannot|hardly|scarcely|no\s+longer|nowhere\s+near|neither|nor)\b|n['’]t\b)"
    r"(?!\s+(?:only|just|merely|simply|least|quite\s+\Z|yet\s+(?:released|merged)))\s+"
)
_UNABLE = (
    r"\b(?:fail(?:s|ed|ing)?|unable|refus(?:e|es|ed))\s+(?:to|at|in)\s+"
    r"|\bwithout\s+(?:ever\s+)?(?=\w+ing\b)"
)
_DENYING = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"(?P<word>{_NOT}){_FILL}\Z",
        rf"(?P<word>{_NOT}|{_UNABLE}){_ADVERB}{_VERB}\s+{_REST}{_FILL}\Z",
        # Nobody does it: "no run reaches", "none of them reaches", "neither decode nor prefill".
        r"(?:\A|[;:,]\s|\bthat\s+|\bat\s+|\bin\s+)\s*"
        r"(?P<word>no\s+(?!one\s+can\b)[\w-]+|none|nobody|nothing|no\s+one|neither)\s+"
        rf"(?:(?!{_FINITE}\b)[\w'’-]+\s+){{0,5}}?{_VERB}\s+{_REST}{_FILL}\Z",
        rf"(?P<word>\b(?:falls?|fell|stops?|stopped|short|far|away)\s+(?:short\s+)?(?:from|of)\s+)"
        rf"(?:reaching\s+)?{_FILL}\Z",
        rf"(?P<word>\b(?:miss(?:es|ed)|lacks?)\s+){_FILL}\Z",
    )
)
_UNTRUE = re.compile(
    r"(?P<word>\b(?:(?:not|isn['’]t|never)\s+(?:true|right|correct|the\s+case)"
    r"|untrue|false|wrong|incorrect|(?:we|I)\s+doubt|doubtful)\s+that\s+)[^.;:]*\Z",
    re.IGNORECASE,
)
_SHORT_FAR = re.compile(r"\b(?:as|so|how)\s+far\s+(?:from|of)\s+\Z", re.IGNORECASE)
_BEHIND = re.compile(
    r"\A(?:\s+[\w-]+){0,4}?\s+(?P<word>(?:(?:is|are|was|were|has|have|had|could|can|will)\s+"
    r"(?:not|never|no\s+longer|hardly|nowhere)|(?:is|was|are|were|has|could)n['’]t|cannot)\s+(?:be\s+|been\s+|yet\s+)*"
    r"(?:reached|attained|achieved|met|hit|seen|measured|observed|delivered|sustained|reproduced"
    r"|possible|true|correct|right|what)\b|(?:is|are|was|were)\s+(?:out\s+of\s+reach|false|wrong|untrue"
    r"|impossible|unreachable))",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[;:.](?=\s)|,(?=\s)(?!\s+(?:we|as|so|on|in)\b[^,]*,)|\b(?:and|but|while|whereas|because|since|although|though|yet)\b"
)
_MAY_DENY = re.compile(
    r"n['’]t\b|\b(?:no|not|never|cannot|hardly|scarcely|nowhere|neither|nor|none|nobody|nothing|fail\w*"
    r"|unable|refus\w+|without|short|far|away|miss\w*|lacks?|un?true|false|wrong|incorrect|doubt\w*"
    r"|out\s+of|impossible|unreachable)\b",
    re.IGNORECASE,
)


def denied(before: str, after: str) -> str | None:
    """Return the words that deny the number between `before` and `after`, None where none do.

    `before` ends where the number begins, or the words that make it a bound.
    """
    near, behind = before[-_FAR:], after[:_FAR]
    if not (_MAY_DENY.search(near) or _MAY_DENY.search(behind)):
        return None
    clause = _last(near)
    tried = () if nearby.ends(_SHORT_FAR, clause) else (one.search(clause) for one in _DENYING)
    found = next(filter(None, tried), None) or _UNTRUE.search(near)
    found = found or _BEHIND.match(_first(behind))
    return " ".join(found["word"].split()) if found else None


def _last(text: str) -> str:
    ends = [one.end() for one in _BREAK.finditer(text)]
    return text[ends[-1] :] if ends else text


def _first(text: str) -> str:
    found = _BREAK.search(text)
    return text[: found.start()] if found else text
