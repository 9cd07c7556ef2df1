"""Every citation of a page resolved, or refused by name, and the words quoted before it looked up.

What is cited and no longer stands may be cited only by a sentence that says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from claims.citing import citations, files, sections
from claims.citing.brackets import Citation
from claims.citing.claimed import Claimed
from claims.citing.entries import Entries
from claims.citing.runs import Runs
from claims.citing.target import Target, brief, require_words
from claims.judging.chain import RefusedError
from claims.judging.judge import Judge
from claims.pages.document import Document
from claims.registers.register import Register
from claims.rules import Refusal
from ledger.log import Ledger
from receipts import late as re
from receipts.workspace import Workspace

_SAYS_SO = re.compile(
    r"\b(?:supersed|retract|withdr[ae]w|contest|struck|strike|revoked|tombstone|no longer stands"
    r"|voided|barred|taken back)\w*",
    re.IGNORECASE,
)
_THIS_PAGE = {"", "doc", "here", "this page", "this document"}
_SUFFIXES = ("", ".md", ".markdown", ".txt")


@dataclass
class Cited:
    """The citations of a page, how many of them resolve, and the refusals of the others.

    Tentative ones are left out where what they name does not exist.
    """

    citations: list[Citation]
    resolved: int
    refusals: list[Refusal]


class Resolver:
    """Resolves citations against one workspace, its ledger and its register."""

    def __init__(
        self, place: Workspace, ledger: Ledger, register: Register, judge: Judge, broken: str | None
    ) -> None:
        self._place = place
        self._broken = broken
        self._claims = Claimed(register, judge)
        self._entries = Entries(ledger, place.objects)
        self._runs = Runs(place, ledger, self._entries)

    def check(self, name: str, page: Document) -> Cited:
        """Return the citations of the page called `name`, each resolved or refused."""
        counted: list[Citation] = []
        done = Cited(counted, 0, [])
        groups: dict[int, list[tuple[Citation, Target | None]]] = {}
        for citation in citations.find(page):
            target, refusal = self._one(name, page, citation)
            if refusal:
                done.refusals.append(refusal)
            if target or refusal:
                counted.append(replace(citation, tentative=False))
                groups.setdefault(citation.group, []).append((citation, target))
            done.resolved += target is not None and refusal is None
        for members in groups.values():
            done.refusals.extend(_quoted_before(name, members))
        return done

    def _one(
        self, name: str, page: Document, citation: Citation
    ) -> tuple[Target | None, Refusal | None]:
        place = f"{name}:{citation.line}:{citation.column}"
        try:
            target = self._resolve(name, page, citation)
        except RefusedError as error:
            if citation.tentative and error.code in ("CLM701", "CLM706"):
                return None, None
            message = f"[{brief(citation.text)}]: {error}"
            return None, Refusal(error.code, message, place=place)
        if target.struck and not _SAYS_SO.search(citation.sentence):
            return target, Refusal("CLM703", target.struck, place=place)
        return target, None

    def _resolve(self, name: str, page: Document, citation: Citation) -> Target:
        if citation.problem:
            raise RefusedError("CLM706", citation.problem)
        if citation.form in ("ledger", "receipt") and self._broken:
            raise RefusedError("CLM301", self._broken)
        folder = Path(name).absolute().parent
        if citation.form == "ledger":
            target = self._entries.resolve(citation)
        elif citation.form == "claims":
            target = self._claims.resolve(citation)
        elif citation.form == "receipt":
            target = self._runs.resolve(citation, folder)
        elif citation.form == "file":
            target = self._file(citation, folder)
        else:
            target = self._section(citation, folder, page)
        require_words(target, citation)
        return target

    def _file(self, citation: Citation, folder: Path) -> Target:
        path = files.locate(self._place.root, folder, citation.target)
        if not citation.lines and not citation.inside and path.is_dir():
            return Target(citation.target, tuple)
        found = files.text(path)
        files.require_lines(found, citation.lines, citation.target)
        where = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in citation.lines)
        told = f"{citation.target}:{where}" if where else citation.target
        return Target(told, lambda: (found.part(citation.lines),))

    def _section(self, citation: Citation, folder: Path, page: Document) -> Target:
        target, heading = citation.target, citation.items[0]
        if target.lower() in _THIS_PAGE:
            text = sections.find(page.source, heading, "this page")
        else:
            path = self._document(target, folder)
            text = sections.find(files.text(path).raw, heading, target)
        return Target(f"§{heading} of {target or 'this page'}", lambda: (text,))

    def _document(self, target: str, folder: Path) -> Path:
        """Return the document with this path, or this name among those of the workspace."""
        root = self._place.root
        if "/" in target or "." in target:
            return files.locate(root, folder, target)
        documents = [Path(one) for one in self._place.configuration.documents]
        names = [
            str(one) for one in documents if target.lower() in (one.name.lower(), one.stem.lower())
        ]
        names += [f"{base}{target}{suffix}" for base in ("", "docs/") for suffix in _SUFFIXES]
        found: dict[Path, str] = {}
        for one in names:
            try:
                path = files.locate(root, folder, one)
            except RefusedError as error:
                if error.code != "CLM701":
                    raise
                continue
            if path.is_file():
                found.setdefault(path, one)
        if not found:
            raise RefusedError("CLM701", f"no document is called {target!r}")
        if len(found) > 1:
            raise RefusedError("CLM702", f"{target!r} may be {' or '.join(found.values())}")
        return next(iter(found))


def _quoted_before(name: str, members: list[tuple[Citation, Target | None]]) -> Iterator[Refusal]:
    """Refuse words quoted before citations none of which says them; an unresolved one may."""
    quote = members[0][0].before
    targets = [target for _, target in members]
    if quote is None or None in targets:
        return
    if not any(target.says(quote.words) for target in targets if target):
        names = " nor in ".join(target.name for target in targets if target)
        message = f"“{brief(quote.words)}” does not stand in {names}"
        yield Refusal("CLM704", message, place=f"{name}:{quote.line}:{quote.column}")
