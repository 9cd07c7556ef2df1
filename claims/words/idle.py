"""Sentences that claim nothing as a whole: questions, definitions, labels, what was not done.

What claims nothing by the words around the claiming word is told by `claims.words.mood`.
"""

import re

from claims.words.guards import MOODS

_QUESTION = re.compile(r"\?[\"'”’»)\]*_]*\s*\Z")
_ASKS = re.compile(
    r"\A(?:how (?:to|much|many|fast|do|does|is|we(?! (?:made|got|cut|beat|"
    r"halved|doubled|sped|won|reduced|improved|caught|matched|closed|tripled|"
    r"reached|overtook|kept|saved|removed|eliminated))|you|it)|(?:why|when|where|what|which) "
    r"(?:is|are|"
    r"was|were|do|does|did|to)|is|are"
    r"|does|do|can|could|will|would|should|has|have)\b(?! not\b)"
)
_DEFINES = MOODS.add(
    r"(?<!this )(?<!that )(?<!which )\b(?:means|we mean|denotes?|stands for|is defined|are defined|"
    r"(?:is|are) called|we define|counts? as|counted as|(?:is|are) (?:considered|treated as|"
    r"regarded as)|we "
    r"call|is the (?:term|word|name|phrase|label) |(?:is|are) the (?:\w+ "
    r")?(?:fraction|ratio|share|part|percentage|number|"
    r"difference|sum|mean|product) (?:of|between|that|at which|by which)|is what (?:[\w'-]+ ){1,5}"
    r"(?:asks?|wants?|needs?|demands?|calls|requires?|hopes?|awaits?)"
    r"|refers to|defined as|definition of)\b"
)
# A term and what it stands for, a target and what it is.
_NAMED = re.compile(
    r"[^:.]{2,60}: (?:in this [\w-]+, |an? (?:[\w-]+ ){1,3}(?:in|for|of|from|where|that|which|"
    r"whose|with)\b"
    r"|the (?:[\w-]+ )?(?:values?|ratio|share|time|number|fraction|percentage|difference|sum|mean|"
    r"maximum|minimum|target|goal|aim|criterion|condition)\b|(?:acceptance|exit) criteri)"
    r"|\W*(?:[\w-]+ ){0,2}(?:targets?|goals?|aims?|plan(?:ned)?|to-?do|wish(?:list)?|"
    r"hypothes[ie]s|expectations?|"
    r"requirements?|(?:acceptance |exit )?criteri(?:on|a)|definitions?|(?:open )?questions?|"
    r"proposals?|"
    r"ideas?|roadmap|next(?: steps?)?|checks?|tests?|gates?)(?: \([^)]{1,30}\)|, [^:,]{1,30})?:"
)
_LABEL = MOODS.add(
    r"\b(?:higher|lower|smaller|larger|bigger|more|less|faster|shorter)(?: \w+)? (?:is|are|=|"
    r"means) (?:better|worse|faster|slower)\b"
)
# "Measuring agreement with X": what is done, unless something is found.
_DOING = re.compile(
    r"(?:measuring|checking|testing|comparing|verifying|reproducing|evaluating|benchmarking|"
    r"profiling)\b"
    r"(?!.*\b(?:is|are|was|were|shows?|showed|gives?|gave|finds?|found|yields?|reveals?|"
    r"confirm\w*|proves?)\b)"
)
_NOTHING_DONE = re.compile(
    r"(?:still )?(?:missing|open|todo|pending|needed|wanted)\b[^:]{0,20}:|"
    r"we (?:say|call|speak of|count|treat|consider) |"
    r"(?:the|our|an?|one|another|its) (?:\w+ ){0,3}(?:aim|goal|target|objective|purpose|hope|plan|"
    r"idea|"
    r"milestone|wish|intent\w*|task) [^.;]{0,60}?\b(?:is|was|remains) (?:that|to|for)\b|"
    r"ideally\b|no (?:\w+ )?(?:comparisons?|measurements?|tests?|runs?|benchmarks?|checks?) "
    r"(?:has|have|was|were) "
    r"|in this (?:document|report|page|section|paper|table), [^,]{2,40} (?:equals|is|means|"
    r"denotes|stands) "
)
_REVERTS = re.compile(r"\W*(?:\[?[\w-]+\]?:? )?revert(?:ed|s)?\b")
_FORBIDS = re.compile(r"\A(?:do not|don't|please|never (?:call|quote|cite|claim|say|state|print)) ")
_THE_MORE = MOODS.add(r"\bthe (?:\w+er|more|less)\b[^.;]{1,80}?, the (?:\w+er|more|less)\b")


def is_idle(text: str, may: int) -> bool:
    """Say whether the sentence is a question, an order, a definition or a label.

    `may` says which patterns of `MOODS` may match it.
    """
    return bool(
        _QUESTION.search(text)
        or _ASKS.match(text)
        or _FORBIDS.match(text)
        or _DOING.match(text)
        or _REVERTS.match(text)
        or _NOTHING_DONE.match(text)
        or (":" in text and _NAMED.match(text))
        or _THE_MORE.search(may, text)
        or _DEFINES.search(may, text)
        or _LABEL.search(may, text)
    )
