"""An attack and its honest twin: two pages, one of which must be refused where it is marked.

::

    It gives ⟪CLM103⟫1.3×<!--claim:tuned--> here.   refused by CLM103 at 1:10, and only there
    §tuned§                                         the sentence of a claim with its marker
    §noisy CLM306§                                  the same, refused at its marker
    §struck:old§                                    the same, under the notice that the ledger asks

A mark is taken out before the page is checked; what it stood before is where the finding is due.
What is due on no page (nothing was checked, a baseline that grew) stands in `beyond`.
"""

import re
from dataclasses import dataclass
from typing import Protocol

PAGE = "page.md"
Due = tuple[str, int, int]
"""A finding as code, line and column; line and column are 0 for one that is of no page."""


_MARK = re.compile(r"⟪(CLM\d{3})⟫")
_TOKEN = re.compile(r"§(?:(?P<what>[a-z]+):)?(?P<claim>[\w.-]+)(?P<codes>(?: CLM\d{3})*)§")


@dataclass(frozen=True, slots=True)
class Attack:
    """A page that must be refused as it is marked, and a twin that must pass.

    `setting` names the register and ledger that both are checked against, `twin_setting` another
    one for the twin. `held` and `twin_held` are the text of a baseline; `edit` is done to the
    attack once its notices are written. A page without any text is no page at all.
    """

    name: str
    page: str
    twin: str
    setting: str = "main"
    twin_setting: str | None = None
    beyond: tuple[str, ...] = ()
    held: str | None = None
    twin_held: str | None = None
    edit: tuple[str, str] | None = None

    @property
    def codes(self) -> set[str]:
        """The codes that the attack is about."""
        found = _TOKEN.finditer(self.page)
        quoted = {code for token in found for code in token["codes"].split()}
        return {*_MARK.findall(self.page), *quoted, *self.beyond}


class Source(Protocol):
    """What the tokens of a page are filled from."""

    def sentence(self, claim: str) -> str:
        """Return the sentence of a claim as it renders."""

    def filled(self, what: str, claim: str) -> str:
        """Return what a token of this kind stands for."""


def written(
    page: str, source: Source, edit: tuple[str, str] | None = None
) -> tuple[str, list[Due]]:
    """Return a page without its marks, and what is due on it, in order."""
    whole = _TOKEN.sub(lambda found: _filled(found, source), page)
    if edit:
        whole = _edited(whole, *edit)
    text, due, position = "", [], 0
    for mark in _MARK.finditer(whole):
        text += whole[position : mark.start()]
        position = mark.end()
        due.append((mark[1], text.count("\n") + 1, len(text) - text.rfind("\n")))
    return text + whole[position:], sorted(due)


def _edited(text: str, old: str, new: str) -> str:
    if old not in text:
        raise ValueError(f"{old!r} is not in {text!r}")
    return text.replace(old, new, 1)


def _filled(found: re.Match[str], source: Source) -> str:
    marks = "".join(f"⟪{code}⟫" for code in found["codes"].split())
    if found["what"]:
        # A notice begins with its comment, and that is where it is refused.
        text = source.filled(found["what"], found["claim"])
        return text.replace("<!-- claims-", f"{marks}<!-- claims-", 1) if marks else text
    sentence = source.sentence(found["claim"])
    return f"{sentence}{marks}<!--claim:{found['claim']}-->"
