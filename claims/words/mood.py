"""Sentences that claim nothing, whatever words they use: questions, conditions, goals, denials.

Decided by the words around the claiming word, in its own clause:

* a question; a condition ("if it is faster", "whether"), in the part that states the condition;
* a wish, a plan, a duty or a guess ("we aim to", "should", "may"), and what will be some day;
* an instruction ("use a faster disk"); a purpose ("to reduce memory, …");
* a denial of an advantage ("not faster"); what nobody claims ("no evidence that it is faster");
* words that are quoted and said to be somebody's, or spoken of as words;
* a definition ("faster means a ratio above 1"), and a label ("higher is better").

A denial of a drawback is a claim ("no slower", "does not hurt"), and so is "can".
"""

from claims.words.guards import Family
from receipts import late as re

FAMILY = Family()
# So far before a claiming word its surroundings are read, and a word may be cut off there.
CUTS = _WIDE, _NEAR, _CLOSE, _BESIDE = 160, 120, 60, 40
_QUESTION = FAMILY.add(r"\?[\"'”’»)\]*_]*\s*\Z")
_ASKS = FAMILY.add(
    r"\A(?:how (?:to|much|many|fast|do|does|is|we(?! (?:made|got|cut|beat|"
    r"halved|doubled|sped|won|reduced|improved))|you|it)|(?:why|when|where|what|which) (?:is|are|"
    r"was|were|do|does|did|to)|is|are"
    r"|does|do|can|could|will|would|should|has|have)\b(?! not\b)"
)
_IF = FAMILY.add(
    r"\b(?:if|whether|unless|until|in case|suppose|supposing|assuming|provided that|as long as"
    r"|once|even if|when(?:ever)?|wherever|the more|the (?:faster|quicker|sooner))\b"
)
_MODAL = FAMILY.add(
    r"\b(?:should|must|may|might|could|would|ought to|shall|needs? to|has to|have to|had to|"
    r"required to)"
    r"(?:n't)?\b[^,;:.]{0,60}\Z"
)
_GOAL = FAMILY.add(
    r"\b(?:intent|intention|purpose|motivation|point of|aim(?:s|ed|ing)?|goals?|hop(?:e|es|ed|"
    r"ing)|intend(?:s|ed)?|tr(?:y|ies|ied|ying) (?:to|and|out|hard)|"
    r"striv(?:e|es|ing)"
    r"|wants?|wanted|plan(?:s|ned|ning)?|attempt(?:s|ed|ing)?|supposed|meant|designed|expect(?:s|"
    r"ed)?|objective"
    r"|hypothes(?:is|es|ize|ized)|wish(?:es)?|target(?:s|ing)? (?:is|was|of|for)|targets|seeks?|"
    r"would like"
    r"|roadmap|to-?do|needs?|look(?:ing)? for|work(?:ing)? (?:on|towards?)|predict(?:s|ed)?|"
    r"prediction"
    r"|promis(?:e|es|ed)|ambition|desire[ds]?|question|ask(?:s|ed)?|wonder(?:s|ed)?|investigat\w+|"
    r"explor\w+"
    r"|imagine|help us|join us|welcome|recommend(?:s|ed)?|advise[sd]?|so that|in order to|"
    r"towards?|candidates? for|requests? for|propos(?:e|es|al|als) (?:to|that|a|an|for|of)|"
    r"ideas?|tips|ticket|quest|"
    r"search(?:ing)? for|"
    r"call(?:s|ing)? for|ways? (?:of|to)|guide|opened an issue|bet|theory|in the hope)\b"
    r"(?:(?!, (?:and|but|so|yet|which) )[^.;]){0,80}\Z"
)
# What something needs less of is spent, and not wished for.
_SPENDS = FAMILY.add(
    r"\bneed(?:s|ed)? (?:[a-z]+ ){0,2}(?:less|fewer|least|fewest|same|no|half|hardly|little|third|"
    r"quarter|fraction|tenth)\b"
)
_FUTURE = FAMILY.add(
    r"\b(?:next|future|upcoming|planned|eventually|soon|later|some ?day|tomorrow|"
    r"coming)\b[^.;]{0,60}\bwill\b"
    r"|\bwill\b[^.;]{0,20}\b(?:eventually|soon|later|some ?day|make|try|work|investigate|aim|test|"
    r"check|measure|show|focus|continue|improve|add|support|need)\b"
)
_DENIED = FAMILY.add(
    r"(?:\b(?:not|never|no|nor|neither|without|hardly|cannot|can't|fails? to|failed to|unable to|"
    r"no longer"
    r"|nothing|instead of|rather than|far from|lacks?)|n't)"
    r"(?: (?!only|just|merely)(?:a|an|any|be|been|the|yet|always|quite|much|even|really|been|so|as|"
    r"in|of|to|is|it"
    r"|significantly|necessarily|[a-z]+ly|run|get|N+|T+|that)){0,4} ?\Z"
)
_UNCLAIMED = FAMILY.add(
    r"(?:\b(?:too early|too soon|premature|no|not|never|without|nobody|neither|nor|nothing|none|"
    r"cannot|hardly)|"
    r"n't)\b[^.;]{0,40}?\b(?:claim\w*"
    r"|evidence|guarant\w+|promis\w+|prov(?:e|es|ed|en|ing)|proof|impl(?:y|ies|ied)|mean(?:s|t)?|"
    r"show[ns]?"
    r"|establish\w*|assert\w*|assum\w+|measured|tested|known|know|says?|said|conclu\w+|verified|"
    r"checked"
    r"|a (?:statement|reason)|demonstrat\w+|support\w*|sure|clear|reason to|data|figures|numbers|"
    r"measurements?|information|opinion)\b[^.;]{0,60}\Z"
    r"|\b(?:unproven|unknown|unclear|untested|unverified|doubt\w*|remains open|disputed?|myth)\b"
)
_DEFINES = FAMILY.add(
    r"(?<!this )(?<!that )(?<!which )\b(?:means|we mean|denotes?|stands for|is defined|are defined|"
    r"is called|we call"
    r"|refers to|defined as|definition of)\b"
)
# Nobody here says so: it is only spoken of, or it is asked, checked, awaited, taken back.
_DISOWNED = FAMILY.add(
    r"\b(?:no such claim|makes? no (?:\w+ )?(?:claim|statement|promise)|(?:do|does|did|can|could|"
    r"will|"
    r"would)(?: not|n't) (?:yet )?(?:claim|say|know|promise|assume|assert|measure|show|prove|"
    r"establish)\b|"
    r"(?:have|has|had|was|were|is|are|been)(?: not|n't| never) (?:yet |been |ever |even "
    r")*(?:measured|"
    r"tested|checked|verified|shown|established|proven|compared|benchmarked|evaluated|confirmed|"
    r"tried|"
    r"demonstrated|quantified|studied|published)|(?:is|are|remains?|stays?|left) (?:an |still |"
    r"yet |to be |"
    r"wide )*(?:open|unclear|unknown|untested|unproven|unverified|unmeasured|undecided|disputed|"
    r"hypothetical|"
    r"measured|tested|verified|shown|seen|determined|speculation)\b(?! (?:on|in|at|with|by|"
    r"under)\b)|"
    r"remains? to be|yet to (?:be |\w+ly )?(?:evaluate|measure|test|verify|check|confirm|show|"
    r"establish|"
    r"compare|try|benchmark|prove|reproduce|publish|decide|study|quantify|run|examine|evaluated|"
    r"measured|tested|"
    r"verified|checked|confirmed|shown|established|compared|tried|decided|determined|published)|"
    r"(?:is|was|remains|are) (?:the|our|a|one|still a) (?:\w+ )?(?:goal|aim|target|plan|"
    r"hope|dream|wish|ambition|requirement|hypothesis|question|claim|slogan|myth|rumou?r|"
    r"assumption|guess|milestone))\b"
)
_SPOKEN_OF = FAMILY.add(
    r"\b(?:the|a|this|that|any|every|no|their|our|his|her|old|whose) (?:\w+ ){0,2}(?:claim|"
    r"claims|statement|"
    r"idea|myth|rumou?r|belief|assumption|hypothesis|suspicion|question|notion|theory|sentence|"
    r"slogan|phrase|"
    r"allegation|impression|report|reports|headline|wording|boast|prediction|expectation|"
    r"complaint) "
    r"(?:that|of|about|whether|like|says|said|saying|reads|reading|was|is|:)\b[^.;]{0,100}\Z"
    r"|\b(?:checks?|tests?|asserts?|requires?|demands?|verifies|verify|decides?|determines?|"
    r"asks?|measures?|"
    r"compares?|shows?|describes?|explains?|lists?|tells?|see|find out|learn|records?|states?) "
    r"(?:us |you |"
    r"users )?(?:how|which|why|what|where|when)\b[^.;]{0,80}\Z"
    r"|\b(?:checks|tests|asserts|requires|demands|verifies|ensures|decides) (?:that|"
    r"whether)\b[^.;]{0,80}\Z"
    r"|\b(?:wait(?:s|ing)?|withdr\w+|retract\w*|reject\w*|struck|den(?:y|ies|ied)|"
    r"dispute\w*|doubt\w*|refus\w+|reopen\w*|speculat(?:es?|ed|ing)|debat\w+|discuss\w*|argu\w+|"
    r"opinion) "
    r"(?:\w+ ){0,4}(?:that|whether|if|for|about|on)\b(?:(?! (?:and|but) )[^.;]){0,80}\Z"
)
# Somebody else says so, in whatever they write.
_OTHERS_SAY = FAMILY.add(
    r"\b(?:their|the|a|an|his|her|one|some|another|its|most|many|several|other|that|this) "
    r"(?:[\w-]+ ){0,2}"
    r"(?:blogs?|papers?|articles?|posts?|vendors?|authors?|marketing|websites?|talks?|tweets?|"
    r"docs|readme|"
    r"abstracts?|press release|announcement|reviewers?|colleagues?|users?|customers?|readers?|"
    r"maintainers?|"
    r"critics|people|folks|reports?|leaflet|brochure|data ?sheet|whitepaper|manual|benchmarks? "
    r"site|forum|"
    r"rumou?rs?|comment|issue|ticket|studies|study|thesis|survey)(?:'s)? (?:[\w.-]+ "
    r"){0,5}?(?:says?|said|"
    r"reports?|reported|claims?|claimed|calls?|called|states?|stated|writes?|wrote|argues?|"
    r"argued|describes?|"
    r"announces?|announced|promises?|promised|suggests?|suggested|asks?|asked|complains?|"
    r"complained|notes?|"
    r"noted|thinks?|believes?|insists?|hints?|has it|mentions?|quotes?|boasts?|"
    r"advertises?)\b[^.;]{0,120}\Z"
)
# "Which is faster depends on the card"; "a decoder that matches it passes".
_DEPENDS = FAMILY.add(
    r"\A(?:which|whether|how|what|who|when|why|where)\b.*\b(?:depends?|hinges|varies|is up to|is "
    r"decided|"
    r"is settled|is explained|is described|is measured|is tested|is checked)\b"
)
_ANY_THAT = FAMILY.add(
    r"\A(?:a|an|any|two|each|only) (?:[\w-]+ ){1,3}(?:that|which|who|whose)\b[^,;:]*\Z"
)
# An order, and what comes of it: "Turn it on and decode is faster."
_COMES_OF_IT = FAMILY.add(
    r"(?:[,:;—]| and| to(?: find| see)) (?:then )?(?:you|it|we|they|nobody|nothing|that|every\w+|"
    r"(?:the |our |its |your |both |all )?(?:\w+ )?[NMWOTRS]+)\b"
)
_LABEL = FAMILY.add(
    r"\b(?:higher|lower|smaller|larger|bigger|more|less|faster|shorter)(?: \w+)? (?:is|are|=|"
    r"means) (?:better|worse|faster|slower)\b"
)
_LEAD_IN = (
    r"\A(?:(?:please|then|now|also|first|next|finally|instead|always|never|do not|don't|and|or|"
    r"to [^,]{3,60},) )*"
)
_IMPERATIVE = FAMILY.add(
    _LEAD_IN
    + r"(?:(?:use|send|give|let|tell|share|contact|submit|join|visit|click|type|enter|refer|run|"
    r"make|choose|pick|prefer|see|try|install|buy|enable|disable|consider|"
    r"compare|ensure|verify|add|build|be|keep|let|do|go|get|take|put|give|find|read|write|select|"
    r"switch|turn|reduce|increase|raise|improve|avoid|remember|expect|adjust|download|upgrade|"
    r"update|ask|wait|require|demand|assert|confirm|repeat|replace|remove|configure|reach|apply|"
    r"follow|describe|explain|say(?! goodbye)|cite|bind|halve|accelerate|maximi[sz]e|minimi[sz]e|"
    r"optimi[sz]e|"
    r"preserve|prove|imagine|suppose|assume|think|check|set|measure|export|start|stop|tune|edit|"
    r"save|pass|aim|cut|beat|speed up|pin)\b"
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
_FORBIDS = FAMILY.add(r"\A(?:do not|don't|please|never (?:call|quote|cite|claim|say|state|print)) ")
_THE_MORE = FAMILY.add(r"\bthe (?:\w+er|more|less)\b[^.;]{1,80}?, the (?:\w+er|more|less)\b")
_PURPOSE = FAMILY.add(r"(?:\A|[,;:(] ?|[^ ]+ )(?:in order )?to (?:[a-z]+ly )?\Z")
_ABLE = FAMILY.add(
    r"\b(?:able|manag\w+|help\w*|continu\w*|prov\w+|shown|found|known|enough|turns? out|seems?|"
    r"appears?"
    r"|used|start\w*|begins?|began|observed|seen|allow\w*|lets?|enabl\w+|comes|"
    r"appear|(?:first|only)(?: [\w.-]+){0,3}) (?:[a-z]+ly )?to (?:[a-z]+ly )?\Z"
)
_GERUND = FAMILY.add(
    r"(?:\A|\b(?:for|of|by|about|on|without|at|in|before|after|when|while) )(?:[a-z]+ly )?\Z"
)
_ING = FAMILY.add(
    r"(?!nothing|everything|during|blazing|screaming|lightning|outstanding)[a-z]+ing\b"
)
# A heading such as "Beating vLLM at its own game" says that it was done.
_WON = FAMILY.add(
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
    r"|named?|entitled|slogan|reads?|promis\w+|marketing|asks?|asked|argu\w+|suggest\w*|"
    r"describes?|means?)\b"
)
_OTHERS_CLAIM = FAMILY.add(
    r"\b(?:according to|(?<!we )(?:claims?|claimed|claiming|purports?|advertises?|alleges?|alleged|"
    r"boasts?"
    r"|is said|are said|reportedly|allegedly|supposedly|believes?|argues?))\b[^.;]{0,80}\Z"
)
_QUOTED = re.compile(r"[“\"«„][^”\"»“]{1,300}[”\"»“]|(?<!\w)'[^']{1,80}'(?!\w)|‘[^’]{1,80}’")
_MARKS = "“\"«„'‘"
# So many words in quotation marks are somebody's, or a title.
_TITLE = 3
# It starts with one class, so that the text between is passed over in one go.
_BREAK = re.compile(r"[;:—–, ](?:(?<=[;:—–])|(?<= )(?:but|and|while|whereas|yet|so) |(?<=,) )")
_FOR = FAMILY.add(r"\bfor (?:the |even |much |a |an |its |our |your )?\Z")
_ADVANTAGE = frozenset(
    {"faster", "more", "win", "equal", "exact", "best", "factor", "slower", "lose", "flat"}
)


def is_idle(text: str, may: int) -> bool:
    """Say whether the sentence is a question, an order, a definition or a label.

    `may` holds what `FAMILY` says of its words.
    """
    return bool(
        _QUESTION.search(may, text)
        or _ASKS.match(may, text)
        or _FORBIDS.match(may, text)
        or _THE_MORE.search(may, text)
        or _DEFINES.search(may, text)
        or _LABEL.search(may, text)
    )


def excuses(plain: str, masked: str, start: int, end: int, kind: str, may: int) -> bool:
    """Say whether the claiming word at `start` to `end` of a sentence claims nothing.

    `plain` is the sentence in lower case, `masked` the same with its subjects masked, and `may`
    what `FAMILY` says of the words of both.
    """
    before = plain[:start]
    clause = before[_last_break(before) :]
    near = before[-_NEAR:]
    if _is_condition(before, may) or _MODAL.search(may, clause) or _is_goal(plain, start, end, may):
        return True
    if (
        _DISOWNED.search(may, plain)
        or _DEPENDS.search(may, plain)
        or _SPOKEN_OF.search(may, before[-_WIDE:])
        or _is_ordered(plain, masked, start, may)
    ):
        return True
    if _OTHERS_SAY.search(may, near) or (
        _ANY_THAT.search(may, before) and len(plain[end:].split()) > _TITLE - 1
    ):
        return True
    if (
        _FUTURE.search(may, plain)
        or _UNCLAIMED.search(may, near)
        or _OTHERS_CLAIM.search(may, near)
    ):
        return True
    if kind in _ADVANTAGE and _DENIED.search(may, masked[start - len(clause) : start][-_CLOSE:]):
        return True
    if (
        kind in ("best", "more", "faster", "win")
        and _FOR.search(may, near)
        and not plain.startswith(("less", "fewer"), start)
    ):
        return True
    if _is_purpose(plain, start, may) or _is_gerund(plain, masked, start, may):
        return True
    return _is_quoted(plain, start, end)


def _is_ordered(plain: str, masked: str, start: int, may: int) -> bool:
    """Say whether the word is part of an order, and not of what comes of it."""
    return bool(_IMPERATIVE.match(may, plain)) and not _COMES_OF_IT.search(may, masked, 0, start)


def _is_goal(text: str, start: int, end: int, may: int) -> bool:
    first = max(0, start - _NEAR)
    spent = _SPENDS.search(may, text, first, end)
    return bool(_GOAL.search(may, text[first : min(start, spent.start()) if spent else start]))


def _last_break(text: str) -> int:
    return max((found.end() for found in _BREAK.finditer(text)), default=0)


def _is_condition(before: str, may: int) -> bool:
    """Say whether an "if" stands before the word with no comma between that ends its part."""
    ends = [found.end() for found in _IF.finditer(may, before)]
    return bool(ends) and re.search(r"[,;:]", before[ends[-1] :]) is None


def _is_purpose(text: str, start: int, may: int) -> bool:
    if text.startswith(("to ", "in order to ")) and "," not in text[:start]:
        return True
    before = text[max(0, start - _CLOSE) : start]
    return bool(_PURPOSE.search(may, before)) and not _ABLE.search(may, before)


def _is_gerund(text: str, masked: str, start: int, may: int) -> bool:
    if masked[start].isupper() or _WON.match(may, text[start:]):
        return False
    word = _ING.match(may, text, start)
    return bool(word and _GERUND.search(may, text[max(0, start - _BESIDE) : start]))


def _is_quoted(text: str, start: int, end: int) -> bool:
    if not any(mark in text for mark in _MARKS):
        return False
    for found in _QUOTED.finditer(text):
        if found.start() < start and end <= found.end():
            rest = text[: found.start()] + text[found.end() :]
            is_told = len(found[0].split()) >= _TITLE and len(rest.split()) >= _TITLE
            return is_told or bool(_SAID.search(rest))
    return False
