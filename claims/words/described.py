"""Sentences of a documentation that describe and report no result: a step, a choice, a kind.

* what is under way ("we are building a faster loader"), and what is asked for ("we test that …");
* a choice ("loads the fastest variant for your card"), and two words that exclude each other
  ("faster or slower", "2.1 or higher");
* what somebody did in each case ("spread over all layers");
* the name of a kind ("a low-latency kernel"), and a span ("from the first to the last token").
"""

import re

# What is being done, and not done yet; what somebody would love to do.
_UNDERWAY = re.compile(
    r"\b(?:are|am|is|were|was) (?:\w+ )?(?:developing|fixing|working (?:on|towards?|to|out)|"
    r"building|planning|exploring|"
    r"preparing|investigating|considering|looking)\b(?:(?!, | and | but )[^.;]){0,80}\Z"
    r"|\b(?:how|ways?|where) (?:we|you|they|one|it) (?:can|could|might|may)\b[^.,;]{0,80}\Z"
)
_LOVES = re.compile(r"\balways (?:love|like|welcome|glad|happy|open|recommend)\b")
# "We test that …": what is asked for; "we verified that" is a result.
_ASKED_FOR = re.compile(
    r"\b(?:we|they|you|to|that|and) (?:also |always |only )?(?:test|check|assert|require|demand|"
    r"ensure|make sure|verify) that\b[^.;]{0,120}\Z"
    r"|\b(?:must|shall)\b(?:(?!,? (?:and|but|so|yet|while) )[^.;]){0,120}\Z"
)
# What is chosen by being the best is no best of its own.
_SELECTS = re.compile(
    r"(?:\b|auto-)(?!\w*[eo]rs?\b)(?:select|pick|choos|chose|load|detect|identif|determin|search|"
    r"look|dropp|quot|"
    r"discard)\w*(?: for)? (?:the |its |our |your |of the )?\Z"
    r"|\b(?:chosen|selected|picked|tuned|optimi[sz]ed|trained|searched)\b[^.;,]{0,20} "
    r"(?:that|which|to) \Z"
)
# Beside "all" or "every", what somebody did so in each case.
_DONE = re.compile(
    r"\b(?:distribut|remov|spread|shard|split|appl[iy]|cop[iy]|plac|assign|allocat|mapp?|turn|"
    r"enabl|disabl|register|import|export|install|broadcast|re-export|document|provid)"
    r"(?:e|es|ed|s|y|ing)?\b[^.;]{0,60}\Z"
)
# "A low-latency kernel" names a kind; "low latency, always" boasts.
_KIND_OF = re.compile(r"\b(?:an?|the|of|our|with|for|these|those|and|other|which is a) \Z")
_DEGREE = re.compile(
    r"(?:high|low)-(?:speed|performance|quality|throughput|latency|memory|power)\b"
)
_ALWAYS = re.compile(r"\b(?:every|always|all|any)\b")
_COMPARES = frozenset(["faster", "slower", "more", "best", "equal"])
# How far apart the two are at most.
_NEAR = 24
_ALTERNATIVES = re.compile(
    r"(?<!neither )(?<!equal)(?<!same)(?<!as )\b(?:[\d.]+|"
    r"(?!equal\b|same\b|good\b|fast\b|better\b(?! or worse))\b[\w-]+) or (?:higher|lower|later|"
    r"newer|older|worse|better|slower|faster|longer|shorter|larger|smaller|more|less|fewer)\b"
    r"|\b(?:faster|better|higher|larger|more|longer)(?:,| ?/|,? and|,? or) (?:slower|worse|lower|"
    r"smaller|less|shorter)\b"
)


# How something is done, and what is set by a flag.
_BY_DOING = re.compile(
    r"\b(?:is|are|was|were|be) \w+(?:ed|n|t) (?:only |simply |again )?by \w+ing\b"
)
_IS_SET = re.compile(
    r" ?(?:(?!once|when|after|if|while|where|as)[\w-]+ )?(?:is|are|can be|was|were) (?:\w+ "
    r")?(?:selected|chosen|set|enabled|configured|"
    r"requested|turned o|kept|saved|dropped|discarded|quoted)"
)


# What goes in is the same by design; what comes out may be claimed to be.
_GOES_IN = re.compile(
    r"\b(?:read|reads|takes?|uses?|used|using|sees?|shares?|shared|sent|"
    r"sends?|consum\w+|"
    r"process\w*|fed|given|loads?|replay\w*|encode\w*|tokeniz\w+|asked|asks?|judged?|scored|"
    r"measured|"
    r"timed|store[sd]?|started)(?: (?:on|with|from|by))? (?:exactly |precisely )?(?:the |this |"
    r"these )?\Z"
)
_SHARES = re.compile(
    r"\bshar(?:e|es|ed|ing) (?:the )?\Z|\b(?:api|interface|syntax|format|schema|signature)s? "
    r"(?:is |are |that is )?\Z"
)
# "Always" of what is so by definition, or is advised.
_TRIVIAL = re.compile(
    r" (?:true|false|possible|appreciated|welcome|required|recommended|(?:a )?(?:good|safe|best|"
    r"wise)\b)"
)
_IS_ASKED = re.compile(
    r" ?(?:[\w-]+ ){0,2}(?:is|are) (?:required|needed|demanded|mandatory|expected|asked for|"
    r"recommended)\b"
)
# A check of equality is no equality.
_NAMES_A_CHECK = re.compile(
    r" (?:checks?|tests?|data|stud(?:y|ies)|reports?|evidence|runs?|comparisons?|gates?|modes?|"
    r"flags?|options?|harness|assert\w*|"
    r"requirements?|criteri\w+|suites?|validation|verification)\b"
)
# A tie is reported when: what a report says in which case.
_IS_TOLD = re.compile(
    r"[^,.;]{0,24} (?:is|are) (?:reported|shown|printed|declared|counted|recorded|called|flagged|"
    r"marked) "
    r"(?:when|if|as|only)\b"
)
# What is made again is no equal, unless it is said of what comes out.
_REDOES = re.compile(r"(?:reproduc|replicat)\w*\b")
_COMES_OUT = re.compile(
    r"\b(?:outputs?|results?|tokens?|logits?|scores?|accurac\w+|latenc\w+|throughput|numbers?|"
    r"figures?|values?|"
    r"reference|exactly|faithfully|text|quality|behaviou?r|perplexity|distribution)\b"
)
_IS_USED = re.compile(
    r"\b(?:we|you|to|also) (?:also )?(?:use|set|choose|chose|pick|select) (?:a |the )?(?:much )?\Z"
)
_IN_LOOKS = re.compile(
    r" in (?:its |the |their )?(?:[\w-]+ ){0,2}(?:choice|order|naming|names?|style|licen[cs]e|"
    r"layout|look|syntax|"
    r"formats?|spelling|structure|wording)\b"
)
_KEPT = re.compile(r"\b(?:keep|kept|sav|stor|restor|return)\w* (?:only )?(?:the )?\Z")
_MEASURED = re.compile(
    r"\b(?:latency|latencies|memory|accuracy|throughput|power|cost|overhead|quality)"
)
_SPAN = re.compile(
    r"\bfrom [^,;]{1,60}\Z|\b(?:rounded|truncated|printed|shown|padded|copied|read|filled|cut) \Z"
)


def describes(plain: str, start: int, end: int, kind: str, clause: str) -> bool:
    """Say whether the claiming word at `start` to `end` only describes.

    `plain` is the sentence in small letters, `clause` what stands before it in its own clause.
    """
    before = plain[max(0, start - 160) : start]
    return (
        _is_underway(plain, before, start, end)
        or bool(_IS_ASKED.match(plain, end))
        or bool(_IS_TOLD.match(plain, end))
        or _is_chosen(plain, before, start, end, kind)
        or _is_method(plain, before, end, clause, kind)
        or (kind == "more" and bool(_IS_USED.search(before)))
        or (kind == "equal" and _is_redone(plain, start))
        or (plain.startswith("to the", start) and bool(_SPAN.search(before)))
        or (kind in _COMPARES and _is_alternative(plain, start, end))
    )


def _is_redone(plain: str, start: int) -> bool:
    """Say whether somebody's work is done again, and not matched by what comes out."""
    return bool(_REDOES.match(plain, start)) and not _COMES_OUT.search(plain, start)


def _is_underway(plain: str, before: str, start: int, end: int) -> bool:
    """Say whether it is still being done, or only asked for; most sentences hold none of these."""
    said = before + plain[start:end]
    if ("ing" in said or "how " in said or "way" in said or "where " in said) and (
        _UNDERWAY.search(said)
    ):
        return True
    is_asked = "that " in before or "must" in before or "shall" in before
    return is_asked and bool(_ASKED_FOR.search(before))


def _is_alternative(plain: str, start: int, end: int) -> bool:
    """Say whether the word is one of two that exclude each other."""
    first, last = max(0, start - _NEAR), end + _NEAR
    near = plain[first:last]
    if " or " not in near and "," not in near and "/" not in near:
        return False
    return any(
        one.start() < end and start < one.end()
        for one in _ALTERNATIVES.finditer(plain, first, last)
    )


def _is_chosen(plain: str, before: str, start: int, end: int, kind: str) -> bool:
    """Say whether the best is chosen, kept or set, or whether a word only names a kind."""
    if kind == "best" and _KEPT.search(before) and not _MEASURED.search(plain, start, end):
        return True
    if (
        kind in ("best", "faster", "general")
        and _SELECTS.search(before)
        and not _ALWAYS.search(plain, end)
    ):
        return True
    if kind in ("best", "more") and _IS_SET.match(plain, end):
        return True
    return kind == "more" and bool(_KIND_OF.search(before) and _DEGREE.match(plain, start))


def _is_method(plain: str, before: str, end: int, clause: str, kind: str) -> bool:
    """Say whether it tells how something is done, to what, or with what."""
    if kind == "equal" and _IN_LOOKS.match(plain, end):
        return True
    if kind in ("exact", "equal", "unchanged") and _NAMES_A_CHECK.match(plain, end):
        return True
    if kind == "exact":
        is_input = bool(_GOES_IN.search(before))
    elif kind == "equal":
        is_input = bool(_SHARES.search(before))
    else:
        is_input = False
    if kind == "general" and (
        _DONE.search(clause) or _LOVES.search(plain) or _TRIVIAL.match(plain, end)
    ):
        return True
    is_done = kind in ("equal", "exact", "general") and " by " in plain
    return is_input or (is_done and bool(_BY_DOING.search(plain)))
