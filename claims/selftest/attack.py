"""An attack and its honest twin: two pages, one of which must be refused where it is marked.

::

    It decodes at ⟪CLM103⟫1.3×<!--claim:tuned--> here.      refused by CLM103 at 1:15, and only there
    §tuned§                                                 the sentence of a claim with its marker
    §noisy CLM306§                                          the same, refused at its marker

A mark is taken out before the page is checked; what it stood before is where the finding is due.
What is due on no page (nothing was checked, a baseline that grew) stands in `beyond`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

PAGE = "page.md"
Due = tuple[str, int, int]
"""A finding as code, line and column; line and column are 0 for one that is of no page."""
Sentences = Mapping[str, str]

_MARK = re.compile(r"⟪(CLM\d{3})⟫")
_SENTENCE = re.compile(r"§([\w.-]+)((?: CLM\d{3})*)§")


@dataclass(frozen=True, slots=True)
class Attack:
    """A page that must be refused as it is marked, and a twin that must pass.

    `setting` names the register and ledger that both are checked against, `twin_setting` another
    one for the twin. `beside` are pages that stand beside both; `held` and `twin_held` are the text
    of a baseline.
    """

    name: str
    page: str
    twin: str
    setting: str = "main"
    twin_setting: str | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    beyond: tuple[str, ...] = ()
    held: str | None = None
    twin_held: str | None = None

    @property
    def codes(self) -> set[str]:
        """The codes that the attack is about."""
        quoted = {code for found in _SENTENCE.finditer(self.page) for code in found[2].split()}
        return {*_MARK.findall(self.page), *quoted, *self.beyond}


def written(page: str, sentences: Sentences) -> tuple[str, list[Due]]:
    """Return a page without its marks, and what is due on it, in order."""
    whole = _SENTENCE.sub(lambda found: _quoted(found, sentences), page)
    text, due, position = "", [], 0
    for mark in _MARK.finditer(whole):
        text += whole[position : mark.start()]
        position = mark.end()
        due.append((mark[1], text.count("\n") + 1, len(text) - text.rfind("\n")))
    return text + whole[position:], sorted(due)


def _quoted(found: re.Match[str], sentences: Sentences) -> str:
    claim = found[1]
    marks = "".join(f"⟪{code}⟫" for code in found[2].split())
    return f"{sentences.get(claim, 'It holds so.')}{marks}<!--claim:{claim}-->"
