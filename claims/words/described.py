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
    r"\b(?:are|am|is|were|was) (?:\w+ )?(?:developing|fixing|working|building|planning|exploring|"
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
    r"(?:\b|auto-)(?:select|pick|choos|chose|load|detect|identif|determin|search|look|dropp|quot|"
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
_FROM = re.compile(r"\bfrom [^,;]{1,60}\Z")
_ALWAYS = re.compile(r"\b(?:every|always|all|any)\b")
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
    r"requested|turned o)"
)


def describes(plain: str, start: int, end: int, kind: str, clause: str) -> bool:
    """Say whether the claiming word at `start` to `end` only describes.

    `plain` is the sentence in small letters, `clause` what stands before it in its own clause.
    """
    before = plain[max(0, start - 160) : start]
    if _UNDERWAY.search(before + plain[start:end]) or _ASKED_FOR.search(before):
        return True
    if kind in ("best", "faster") and _SELECTS.search(before) and not _ALWAYS.search(plain, end):
        return True
    if kind == "more" and _KIND_OF.search(before) and _DEGREE.match(plain, start):
        return True
    if kind == "general" and (_DONE.search(clause) or _LOVES.search(plain)):
        return True
    if kind in ("equal", "exact", "general") and _BY_DOING.search(plain):
        return True
    if kind in ("best", "more") and _IS_SET.match(plain, end):
        return True
    if plain.startswith("to the", start) and _FROM.search(before):
        return True
    return any(one.start() < end and start < one.end() for one in _ALTERNATIVES.finditer(plain))
