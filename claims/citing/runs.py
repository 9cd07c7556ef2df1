"""`[receipt …]` and `receipt://…`: receipts by name or digest, the files they hold, folders."""

from collections.abc import Iterator
from pathlib import Path

from claims.citing import files, quotations
from claims.citing.brackets import Citation
from claims.citing.entries import Entries
from claims.citing.target import Target, plain_fields
from claims.judging.chain import RefusedError, refusing
from ledger import citation as references
from ledger.log import Ledger
from receipts.digest import Digest
from receipts.errors import Error, MalformedError, NotFoundError, VerificationError
from receipts.receipt import SCHEME, Receipt, digest_of
from receipts.workspace import Workspace

_LONGEST = 8 * 1024 * 1024


class Runs:
    """The receipts of one ledger and its stores, as they are cited."""

    def __init__(self, place: Workspace, ledger: Ledger, entries: Entries) -> None:
        self._place = place
        self._ledger = ledger
        self._entries = entries

    def resolve(self, cited: Citation, page: Path) -> Target:
        """Return what a receipt's citation means, or refuse it."""
        name, slash, part = cited.target.removeprefix(SCHEME).partition("/")
        uri = self._uri(name)
        if uri is None:
            return self._folder(cited.target.removeprefix(SCHEME), page)
        receipt = self._open(uri)
        if part.strip("/"):
            return self._part(receipt, part.strip("/"), name, uri)
        del slash
        names = [subject.name for subject in receipt.statement.subject]
        return Target(
            f"receipt {name}", lambda: self._texts(receipt, names), self._struck(name, uri)
        )

    def _uri(self, name: str) -> str | None:
        """Return the URI by digest, None where no run in the ledger is called so."""
        try:
            uri = references.resolve(self._ledger, SCHEME + name)
        except MalformedError as error:
            raise RefusedError("CLM706", str(error)) from error
        except NotFoundError:
            return None
        if references.first_mention(self._ledger, uri) is None:
            raise RefusedError("CLM701", f"no entry of the ledger names {uri[:34]}…")
        return uri

    def _open(self, uri: str) -> Receipt:
        with refusing("CLM701", NotFoundError), refusing("CLM303", VerificationError):
            self._place.receipts.get(digest_of(uri))
        with refusing("CLM302"):
            return references.open_cited(self._ledger, self._place.receipts, uri)

    def _part(self, receipt: Receipt, part: str, name: str, uri: str) -> Target:
        names = [subject.name for subject in receipt.statement.subject]
        inside = [one for one in names if one == part or one.startswith(f"{part}/")]
        if not inside:
            raise RefusedError(
                "CLM701", f"receipt {name} holds no {part!r}; it holds {', '.join(names[:8])}"
            )
        struck = self._struck(name, uri)
        return Target(f"{part} of receipt {name}", lambda: self._objects(receipt, inside), struck)

    def _folder(self, name: str, page: Path) -> Target:
        """Return the file or folder of receipts with this path: history kept beside the ledger."""
        root = self._place.root
        stores = ("", "receipts", "evidence", self._place.configuration.receipts)
        found: dict[Path, str] = {}
        for store in dict.fromkeys(stores):
            try:
                found.setdefault(files.locate(root, root, f"{store}/{name}".lstrip("/")), store)
            except RefusedError as error:
                if error.code != "CLM701":
                    raise
        del page
        if not found:
            raise RefusedError("CLM701", f"no run or folder of receipts is called {name!r}")
        if len(found) > 1:
            raise RefusedError(
                "CLM702", f"{name} lies in several folders: {', '.join(found.values())}"
            )
        return Target(f"receipt {name}", lambda: _below(next(iter(found))))

    def _struck(self, name: str, uri: str) -> str | None:
        status = self._ledger.status()
        effects = list(status.effects_on_run(uri))
        for index in self._ledger.index.find("run", uri):
            effects += status.effects_on(self._ledger.entry(index))
        told = self._entries.struck(effects)
        return f"receipt {name} {told}" if told else None

    def _texts(self, receipt: Receipt, names: list[str]) -> Iterator[str]:
        yield from plain_fields(receipt.predicate.plain())
        yield from self._objects(receipt, names)

    def _objects(self, receipt: Receipt, names: list[str]) -> Iterator[str]:
        for name in names:
            digest = receipt.statement.subject_digest(name)
            if digest is None:
                continue
            try:
                raw = self._place.objects.get(Digest.parse(digest))
            except Error:
                continue  # Withheld or gone: nothing can be read in it.
            yield quotations.plain(raw[:_LONGEST].decode("utf-8", "replace"))


def _below(path: Path) -> Iterator[str]:
    """Yield the texts of a file, or of the files right in a folder."""
    paths = sorted(path.iterdir())[:100] if path.is_dir() else [path]
    for one in paths:
        if one.is_file() and not one.is_symlink():
            yield quotations.plain(files.text(one).raw)
