"""Words that claim nothing where they stand: conditions, goals, orders, denials, quotations.

Decided by the words around the claiming word, in its own clause:

* a condition ("if it is faster", "whether"), in the part that states the condition;
* a wish, a plan, a duty or a guess ("we aim to", "should", "may"), and what will be some day;
* an instruction ("use a faster disk"); a purpose ("to reduce memory, …");
* a denial of an advantage ("not faster"); what nobody claims ("no evidence that it is faster");
* words that are quoted and said to be somebody's, or spoken of as words.

A denial of a drawback is a claim ("no slower", "does not hurt"), and so is "can".
"""

import re
from functools import lru_cache

from claims.words import described, disowned
from claims.words.guards import MOODS

_IF = MOODS.add(
    r"\b(?:if|whether|unless|until|in case|suppose|supposing|assuming|provided that|as long as"
    r"|once|only (?:with|after)|even if|when(?:ever)?|wherever|the more|the (?:faster|quicker|"
    r"sooner))\b"
)
_MODAL = MOODS.add(
    r"\b(?:should|must|may|might|could|would|ought to|shall|needs? to|has to|have to|had to|"
    r"required to)"
    r"(?:n't)?\b[^,;:.]{0,60}\Z"
)
# "You would be hard pressed to tell them apart": no guess and no purpose.
_HARD = re.compile(
    r"(?:\b(?:would|will) (?:be |find it )?|'(?:d|ll) (?:be |find it )?)?\b(?:hard[- ]pressed|hard|"
    r"difficult|tough|impossible|struggle|struggles|unable) to "
)
_NEAR = 40
# What somebody wishes, plans, tries or asks for governs what follows it in its clause.
_WISHED = (
    r"intent|intention|purpose|motivation|point of|aim(?:s|ed|ing)?|goals?",
    r"hop(?:e|es|ed|ing)|intend(?:s|ed)?|tr(?:y|ies|ied|ying) (?:to|and|out|hard)",
    r"striv(?:e|es|ing)|(?<!you )wants?|wanted|plan(?:s|ned|ning)?|attempt(?:s|ed|ing)?",
    r"supposed|meant|designed|(?<!the )expect(?:s|ed)?|objective",
    r"hypothes(?:is|es|ize|ized)|wish(?:es)?",
    r"(?<!its )(?<!their )target(?:s|ing)? (?:is|was|of|for)|targets|seeks?|would like",
    r"roadmap|to-?do|needs?|look(?:ing)? for",
    r"work(?:ing)? (?:on|towards?)(?! (?:all|any|every|each)\b)|predict(?:s|ed)?",
    r"prediction|promis(?:e|es|ed)|ambition|desire[ds]?|question|ask(?:s|ed)?",
    r"wonder(?:s|ed)?|investigat\w+|explor\w+|imagine|help us|join us|welcome",
    r"recommend(?:s|ed)?|advise[sd]?|so that|in order to|towards?|candidates? for",
    r"requests? for|propos(?:e|es|al|als) (?:to|that|a|an|for|of)|ideas?|tips|ticket|quest",
    r"search(?:ing)? for|call(?:s|ing)? for|ways? (?:of|to)|guide",
    r"(?:opened|filed|created|closed) (?:an?|the|\w+) (?:\w+ )?(?:issue|ticket|bug)|bet",
    r"theory|in the hope|(?:task|step|job) is to",
)
_GOVERNED = r"\b(?!,)(?:(?!, (?:and|but|so|yet|which) )(?:[^.;]|\.(?=\w))){0,80}\Z"
_GOAL = MOODS.any(*(rf"\b(?:{some}){_GOVERNED}" for some in _WISHED))
# What something needs less of is spent, and not wished for.
_SPENDS = re.compile(
    r"\bneed(?:s|ed)? (?:[a-z]+ ){0,2}(?:less|fewer|least|fewest|same|equal|similar|comparable|"
    r"identical|no|half|hardly|little|third|"
    r"quarter|fraction|tenth)\b|\bneed(?:s|ed)? (?:[a-z]+ ){0,2}more [^.;]{1,40} than\b"
)
_FUTURE = re.compile(
    r"\b(?:next|future|upcoming|planned|eventually|soon|later|some ?day|tomorrow|"
    r"coming (?:release|version|weeks?|months?|days|year))\b[^.;]{0,60}\bwill\b"
    r"|\bwill\b[^.;]{0,20}\b(?:eventually|soon|later|some ?day|make|publish|try|work|investigate|"
    r"aim|test|"
    r"check|measure|show|focus|continue|improve|add|support|need|"
    r"be (?:listed|shown|added|published|reported|tested|measured|chosen|marked|moved|released|"
    r"removed|reviewed|announced|updated|decided|evaluated|documented|described|discussed|"
    r"compared))\b"
)
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|nor|neither|(?<!with and )(?<!with or )without|hardly|cannot|can't|"
    r"fails? to|failed to|unable to|"
    r"no longer"
    r"|nothing|instead of|rather than|far from|lacks?)|n't)"
    r"(?: (?!only|just|merely)(?:a|an|any|be|been|the|yet|always|quite|much|even|really|so|as|"
    r"in|of|to|is|it"
    r"|significantly|necessarily|[a-z]+ly|run|get|N+|T+|that)){0,4} ?\Z"
)
# "Which is faster depends on the card"; "a decoder that matches it passes".
_DEPENDS = re.compile(
    r"\A(?:which|whether|how|what|who|when|why|where)\b.*\b(?:depends?|hinges|varies|is up to|is "
    r"decided|"
    r"is settled|is explained|is described|is measured|is tested|is checked)\b"
)
_ANY_THAT = re.compile(
    r"\A(?:a|an|any|two|each|only) (?:[\w-]+ ){1,3}(?:that|which|who|whose)\b[^,;:]*\Z"
)
# An order, and what comes of it: "Turn it on and decode is faster."
_COMES_OF_IT = re.compile(
    r"(?:[,:;—]| and| to(?: find| see)) (?:then )?(?:you|it|we|they|nobody|nothing|that|every\w+|"
    r"(?:the |our |its |your |both |all )?(?:\w+ )?[NMWOTRS]+)\b"
)
_LEAD_IN = (
    r"\A(?:(?:please|then|now|also|first|next|finally|instead|always|never|do not|don't|and|or|"
    r"to [^,]{3,60},|[a-z]+ for [a-z]+,|(?:regardless|whatever|for|in|with|when|before|"
    r"after)\b[^,]{2,60},) )*"
)
_IMPERATIVE = re.compile(
    _LEAD_IN
    + r"(?:(?:use|send|give|let|tell|share|contact|submit|join|visit|click|type|enter|refer|run|"
    r"make|choose|pick|prefer|see|try|install|buy|enable|disable|consider|"
    r"compare|ensure|verify|add|build|be|keep|do|go|get|take|put|find|read|write|select|"
    r"switch|turn|reduce|increase|raise|improve|avoid|remember|expect|adjust|download|upgrade|"
    r"update|ask|wait|require|demand|assert|confirm|repeat|replace|remove|configure|reach|apply|"
    r"follow|describe|explain|say(?! goodbye)|cite|bind|halve|accelerate|maximi[sz]e|minimi[sz]e|"
    r"optimi[sz]e|"
    r"preserve|prove|imagine|suppose|assume|think|check|set|measure|export|start|stop|tune|edit|"
    r"save|pass|treat|fill|paste|alter|modify|quote|promise|rerun|redo|supply|feed|hold|leave|"
    r"aim|cut|beat|speed up|pin)\b"
    # Nouns as well: an order only where an object follows.
    r"|(?:note|open|close|lower|limit|record|report|look|watch|change|move|copy|mind|plan|file|"
    r"call|"
    r"test|drop|benchmark|profile|warm|state|match|trim|double|boost|show) (?:the|a|an|your|this|"
    r"that|"
    r"these|it|them|its|all|each|every|some|up|down|out|ahead|at|with|how|whether|if|both|one|"
    r"two)\b)"
    r"(?! (?:of|is|are|was|were|has|have|had|time|times|speed|rate|rates|throughput|"
    r"latency)\b)(?![-'])"
)
_PURPOSE = re.compile(r"(?:\A|[,;:(] ?|[^ ]+ )(?:in order )?to (?:[a-z]+ly )?\Z")
# "… to achieve faster decode": what the superlative or the gain is wanted for.
_TO_GET = re.compile(
    r"\bto (?:[a-z]+ly )?(?:achieve|get|give|make|obtain|provide|ensure|offer|allow|enable|support|"
    r"keep|help)(?: (?!and |but )[\w.'-]+){0,3} ?\Z"
)
_NO_VERB = re.compile(
    r"(?:the same|identical|"
    r"(?:bit|byte|token|logit)[- ]|lossless|equal|(?:exactly|precisely) (?:the|what|as))\b"
)
_ABLE = re.compile(
    r"\b(?:able|manag\w+|help\w*|continu\w*|prov\w+|shown|found|known|enough|turns? out|seems?|"
    r"appears?"
    r"|guaranteed|used|start\w*|begins?|began|observed|seen|allow\w*|lets?|enabl\w+|comes|"
    r"(?:first|only)(?: [\w.-]+){0,3}) (?:[a-z]+ly )?to (?:[a-z]+ly )?\Z"
)
_ABLE_TO = re.compile(_ABLE.pattern.removesuffix(r"(?:[a-z]+ly )?\Z"))
# "Matching vLLM in speed, the backend …" says that it does.
_OF_WHAT_FOLLOWS = re.compile(r"[^,;:]{3,80}, (?:the|our|this|it|we)\b")
_GERUND = re.compile(
    r"(?:\A|\b(?:for|of|by|about|on|without|at|in|before|after|when|while) )(?:[a-z]+ly )?\Z"
)
_ING = re.compile(
    r"(?!nothing|everything|during|blazing|screaming|lightning|outstanding)[a-z]+ing\b"
)
# A heading such as "Beating vLLM at its own game" says that it was done.
_WON = re.compile(
    r"(?:beating|outperforming|outrunning|surpassing|overtaking|catching up with|"
    r"doubling|halving)\b"
    r"(?!.*\b(?:is|are|was|were|requires?|takes?|needs?|remains?|means|would|helps?|matters|should|"
    r"must|can|with|by|gives?|makes?|leads?)\b)"
)
_SAID = re.compile(
    r"\b(?:according to|says?|said|claims?|claimed|reports?|reported|states?|stated|writes?|wrote|"
    r"writing|quot\w+"
    r"|announc\w+|advertis\w+|calls?|called|words?|phrases?|terms?|sentences?|wording|labels?|"
    r"headings?|titles?|talk|paper|article|post|book|headline|tweet|review|banner|poster|slide|"
    r"motto|mention\w*"
    r"|named?|prints?|printed|logs?|logged|entitled|slogan|reads?|promis\w+|marketing|asks?|asked|"
    r"argu\w+|suggest\w*|"
    r"describes?|means?)\b"
)
_QUOTED = re.compile(r"[“\"«„][^”\"»“]{1,300}[”\"»“]|(?<!\w)'[^']{1,80}'(?!\w)|‘[^’]{1,80}’")
_MARK = re.compile(r"[“\"«„‘]|(?<!\w)'")
# So many words in quotation marks are somebody's, or a title.
_TITLE = 3
_BREAK = re.compile(r"[;:—–]| (?:but|and|while|whereas|yet|so) |, ")
_FOR = re.compile(r"\bfor (?:the |even |much |a |an |its |our |your )?\Z")
# "On every prompt, we plan to …", "…, note whether …".
_OF_A_PLAN = re.compile(
    r"[^,]{0,60}, (?:(?:we|you|they) (?:plan|aim|intend|want|hope|should|will|need|must)|please|"
    r"note|record|check|"
    r"compare|use|run|report|measure|write|keep|ask|pass|set)\b"
)
_NOT_A = re.compile(r"\bnot an? [^.,;]{0,30}\Z")
_SAYS_ALL = re.compile(r"(?:\w+ )?(?:all|every|each|always|everywhere)\b")
# "It does not reduce latency" denies a gain; that it does not reduce quality claims.
_NO_GAIN = re.compile(
    r"(?:\w*n[o']t|never) (?:\w+ly )?(?:(?:reduce|lower|cut|shrink|save|shorten|trim|decrease|"
    r"shave) "
    r"(?:[\w-]+ ){0,3}?(?:latenc|memory|time|power|cost|energy|footprint|ttft|tpot|itl|overhead|"
    r"vram|perplex)|"
    r"(?:improve|increase|raise|boost|lift|speed up|accelerate) (?:[\w-]+ ){0,3}?(?:throughput|"
    r"accuracy|quality|"
    r"speed|bandwidth|performance|goodput))"
)
_GIVES_NONE = re.compile(
    r"\b(?:not|\w+n't|never) (?:\w+ly )?(?:make|give|bring|provide|offer|deliver|"
    r"yield|show) [^,;]{0,50}\Z"
)
_ADVANTAGE = frozenset(
    {"faster", "more", "win", "equal", "exact", "best", "factor", "slower", "lose", "flat"}
)


def excuses(plain: str, masked: str, start: int, end: int, kind: str, may: int) -> bool:
    """Say whether the claiming word at `start` to `end` of a sentence claims nothing.

    `plain` is the sentence in lower case, `masked` the same with its subjects masked; `may` says
    which patterns of `MOODS` may match it.
    """
    start = _looked_from(plain, start, end, kind)
    before = plain[:start]
    clause = before[_last_break(before) :]
    if _is_condition(before, may) or _is_hedged(plain, clause, start, may):
        return True
    if _is_goal(plain, start, end, may) or _is_to_come(plain):
        return True
    if disowned.is_disowned(plain, before, may):
        return True
    if _is_ordered(plain, masked, start):
        return True
    if _ANY_THAT.search(before) and len(plain[end:].split()) >= _TITLE:
        return True
    if _is_denied(plain, masked, start, kind, clause):
        return True
    # "It generalizes to all models" is no purpose.
    is_meant = (kind != "general" or plain.startswith("to ")) and _is_purpose(plain, start)
    if is_meant or _is_gerund(plain, masked, start):
        return True
    return described.describes(plain, start, end, kind, clause) or _is_quoted(plain, start, end)


@lru_cache(maxsize=16)
def _is_to_come(plain: str) -> bool:
    """Say whether it will be so some day, or depends."""
    return bool(("will" in plain and _FUTURE.search(plain)) or _DEPENDS.search(plain))


def _looked_from(plain: str, start: int, end: int, kind: str) -> int:
    """Return where "would be hard pressed to" starts before the word, if it stands there."""
    if kind not in ("equal", "unchanged", "best"):
        return start
    near = max(0, start - _NEAR)
    hard = (one for one in _HARD.finditer(plain, near, end) if one.start() <= start <= one.end())
    return next((one.start() for one in hard), start)


def _is_hedged(plain: str, clause: str, start: int, may: int) -> bool:
    """Say whether a "may" or "could" stands before the word; who could not find it has looked."""
    looked = clause.endswith("could ") and plain.startswith("not ", start)
    return bool(_MODAL.search(may, clause)) and not looked


def _is_denied(plain: str, masked: str, start: int, kind: str, clause: str) -> bool:
    """Say whether an advantage is denied, or is only what something is meant for."""
    if kind in ("more", "faster", "best") and _GIVES_NONE.search(plain[:start]):
        return True
    if kind in _ADVANTAGE and _DENIED.search(masked[start - len(clause) : start][-60:]):
        return True
    if kind == "general" and len(plain[:start].split()) <= 1 and _OF_A_PLAN.match(plain, start):
        return True
    if kind == "general" and _NOT_A.search(plain[:start]) and _SAYS_ALL.search(plain, start):
        return True
    if kind == "unchanged" and _NO_GAIN.match(plain, start):
        return True
    is_wanted = kind in ("best", "more", "faster", "win") and _FOR.search(plain[:start][-120:])
    return bool(is_wanted) and not plain.startswith(("less", "fewer"), start)


def _is_ordered(plain: str, masked: str, start: int) -> bool:
    """Say whether the word is part of an order, and not of what comes of it."""
    return bool(_IMPERATIVE.match(plain)) and not _COMES_OF_IT.search(masked, 0, start)


def _is_goal(text: str, start: int, end: int, may: int) -> bool:
    first = max(0, start - 120)
    spent = _SPENDS.search(text, first, end)
    return bool(_GOAL.search(may, text[first : min(start, spent.start()) if spent else start]))


def _last_break(text: str) -> int:
    return max((found.end() for found in _BREAK.finditer(text)), default=0)


def _is_condition(before: str, may: int) -> bool:
    """Say whether an "if" stands before the word with no comma between that ends its part."""
    ends = [found.end() for found in _IF.finditer(may, before)]
    return bool(ends) and re.search(r"[,;:]", before[ends[-1] :]) is None


def _is_purpose(text: str, start: int) -> bool:
    if text.lstrip('"“(*_').startswith(("to ", "in order to ")) and "," not in text[:start]:
        return True
    if _NO_VERB.match(text, start):
        return False
    before = text[max(0, start - 60) : start]
    if _TO_GET.search(before):
        return not _ABLE_TO.search(text[max(0, start - 90) : start])
    return bool(_PURPOSE.search(before)) and not _ABLE.search(before)


def _is_gerund(text: str, masked: str, start: int) -> bool:
    if (
        masked[start].isupper()
        or _WON.match(text[start:])
        or (not text[:start].strip() and _OF_WHAT_FOLLOWS.match(text))
    ):
        return False
    word = _ING.match(text, start)
    return bool(word and _GERUND.search(text[max(0, start - 40) : start]))


def _is_quoted(text: str, start: int, end: int) -> bool:
    for found in _quotes(text):
        if found.start() < start and end <= found.end():
            rest = text[: found.start()] + text[found.end() :]
            is_told = len(found[0].split()) >= _TITLE and len(rest.split()) >= _TITLE
            return is_told or bool(_SAID.search(rest))
    return False


@lru_cache(maxsize=16)
def _quotes(text: str) -> tuple[re.Match[str], ...]:
    return tuple(_QUOTED.finditer(text)) if _MARK.search(text) else ()
