"""The desk as an earlier check found it: register and judgements that it established, no ledger.

It offers to the checks of a page what `claims.desk.Desk` offers, as far as that is known for
certain, and raises `UnknownError` or `NotThereError` for the rest.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from claims.checks.page import Checker
from claims.citing import citations
from claims.notices.notices import Notices
from claims.pages.document import Document
from claims.recalling import naming
from claims.recalling.spelling import Told, UnknownError, read
from claims.registers.barred import Barred, Context, Index
from claims.registers.naming import Names
from claims.registers.negative import NegativeSpace
from claims.remembering import answers, established
from claims.remembering.established import Known
from claims.scanner.vocabulary import Vocabulary

if TYPE_CHECKING:
    from claims.desk import Desk
    from claims.numerals.numbers import Number

_Told = TypeVar("_Told")


def told(ask: "Callable[[Desk], _Told]") -> _Told | None:
    """Return what a desk from memory answers, None where it does not know or nothing is known.

    What it answers rests on the files that memory rests on, and the watch of the command takes
    them in.
    """
    watch = answers.current()
    if watch is None or watch.fresh:
        return None
    known = established.known(watch)
    if known is None:
        return None
    seen = dict(watch.seen)
    with known:
        try:
            found = ask(cast("Desk", KnownDesk(known)))
        except Exception:
            # Nothing was said yet. Whatever it is, an error of the page included, the long way
            # meets it again, or does not; and it opens all of its files itself.
            watch.seen = seen
            return None
        watch.seen.update(known.inputs)
    answers.tell_of(known.at, known.inputs, "judged from memory: register and evidence as of")
    return found


class KnownDesk:
    """What was established, in the place of register, judge and ledger."""

    def __init__(self, known: Known) -> None:
        self._known = known
        base = self._base = read(known.base["more"])
        self.here = Told("Session", {"workspace": _workspace(base)}, (), None)
        self.register = _Register(known, base)

    def checker(self) -> Checker:
        """Return what checks pages."""
        register, judge = cast("Any", self.register), cast("Any", _Judge(self._known))
        vocabulary = Vocabulary(phrases=self._known.base["phrases"])
        notices = Notices(cast("Any", Told("Ledger", {}, (), None)), register, _unknown)
        return Checker(register, judge, vocabulary, notices, cast("Any", _Resolver()))

    def standing(self) -> str:
        """Return the line on the ledger, as it was verified."""
        return str(self._base["standing"])


def _workspace(base: Mapping[str, Any]) -> Told:
    fields = {name: base[name] for name in ("documents", "baseline")}
    configuration = Told("Configuration", fields, (), None)
    return Told("Workspace", {"root": Path(base["root"]), "configuration": configuration}, (), None)


class _Claims(Mapping[str, Any]):
    """The claims by id, each read when somebody asks for it."""

    def __init__(self, known: Known, ids: list[str]) -> None:
        self._known = known
        self._ids = dict.fromkeys(ids)

    def __getitem__(self, claim: str) -> Any:
        if claim not in self._ids:
            raise UnknownError(claim)
        return read(self._known.row(naming.of_claim(claim)))

    def __contains__(self, claim: object) -> bool:
        return claim in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


class _Register:
    """The register: which claims there are, and what nobody may say."""

    drafts: Mapping[str, Any] = {}

    def __init__(self, known: Known, base: Mapping[str, Any]) -> None:
        self.claims = _Claims(known, known.base["ids"])
        self.names: tuple[str, ...] = base["names"]
        self.scope_words: Mapping[str, Any] = base["scope_words"]
        self.withdrawn: Mapping[str, Any] = base["withdrawn"]
        self.policy = base["policy"]
        self.negative_space = NegativeSpace(base["negative_space"])
        words = base["words"]
        self.barred = Index(base["barred"], Names.of(words.metrics, words.cells) if words else None)

    def find(self, claim: str) -> Any:
        """Return the claim with this id; what it is called where there is none, is not known."""
        return self.claims[claim]

    def barred_match(self, number: "Number", context: Context) -> Barred | None:
        """Return why this number may not be claimed there, None if it may."""
        return self.barred.match(number, context)


class _Judge:
    """What the judge said."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def judge(self, claim: Told, *, approval: bool = True) -> Any:
        """Return the judgement that was given of just this claim."""
        return read(self._known.row(naming.of_judgement(claim, approval=approval)))

    def cited(self, entry: str) -> Any:
        """Return the receipts that the entry cites."""
        return read(self._known.row(naming.of_entry(entry)))


class _Resolver:
    """Resolves no citation: what is cited is looked up where it stands."""

    def check(self, name: str, page: Document) -> Told:
        """Return that nothing is cited."""
        if list(citations.find(page)):
            raise UnknownError(f"what {name} cites")
        return Told("Cited", {"citations": [], "resolved": 0, "refusals": []}, (), None)


def _unknown() -> NoReturn:
    raise UnknownError("what struck whom")
