"""YAML as people write it, read so that nothing changes on the way and every fault has a place.

Numbers stay their source text (`33.50` is "33.50"), a key may stand once, aliases, anchors, tags
and directives are refused, and an empty value is an error: absent fields are left out. Every value
remembers its line and column, so that an error can say ``claims.yaml:12:5``.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, DocumentStartEvent, Event, NodeEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from receipts import files, yaml_quick
from receipts.errors import MalformedError
from receipts.shape import Shape, explain

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 32
_TEXT_TAGS = {"str", "int", "float", "timestamp"}
_Shape = TypeVar("_Shape", bound=Shape)
Path_ = tuple[str | int, ...]


@dataclass
class Source:
    """A YAML document: its value, and the place of every part of it."""

    name: str
    value: Any = None
    places: dict[Path_, tuple[int, int]] = field(default_factory=dict)

    def place(self, path: Path_ = ()) -> str:
        """Return `file:line:column` of the part at `path`, or of the nearest part around it."""
        while path and path not in self.places:
            path = path[:-1]
        line, column = self.places.get(path, (1, 1))
        return f"{self.name}:{line}:{column}"

    def fault(self, path: Path_, message: str) -> MalformedError:
        """Return the error that says `message` at `path`."""
        return MalformedError(f"{self.place(path)}: {message}")

    def parse(self, shape: type[_Shape]) -> _Shape:
        """Return the document as `shape`; the first fault is told with its place."""
        try:
            return shape.model_validate(self.value, strict=False)
        except ValidationError as error:
            path = tuple(error.errors(include_url=False)[0]["loc"])
            raise self.fault(path, explain(error)) from error


def read(path: Path) -> Source:
    """Return the YAML document in the file at `path`."""
    return load(files.read(path, MAX_BYTES, "YAML file"), str(path))


def load(data: bytes, name: str) -> Source:
    """Return the YAML document in `data`; `name` is what errors call it."""
    if len(data) > MAX_BYTES:
        raise MalformedError(f"{name}: larger than {MAX_BYTES} bytes")
    source = Source(name)
    text = _text(data, name)
    if quick := yaml_quick.read(text):
        source.value, source.places = quick
        return source
    try:
        _refuse_detours(text, name)
        node = YAML(typ="safe", pure=True).compose(text)
    except ReaderError as error:
        place = _place(text[: error.position])
        message = f"the character U+{error.character:04X} is not allowed"
        raise MalformedError(f"{name}{place}: {message}") from error
    except MarkedYAMLError as error:
        raise MalformedError(f"{name}{_mark(error)}: {error.problem or 'bad YAML'}") from error
    except (YAMLError, ValueError, RecursionError) as error:
        message = str(error).partition("\n")[0]
        raise MalformedError(f"{name}: not YAML: {message}") from error
    if node is None:
        raise MalformedError(f"{name}:1:1: the document is empty")
    source.value = _value(node, (), source)
    return source


def _mark(error: MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    return f":{mark.line + 1}:{mark.column + 1}" if mark else ""


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = _place(data[: error.start].decode("utf-8"))
        raise MalformedError(f"{name}{place}: not UTF-8 text") from error


def _place(before: str) -> str:
    """Return `:line:column` of the character that follows `before`."""
    return f":{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def _refuse_detours(text: str, name: str) -> None:
    """Refuse what makes a document say something else than it seems to, and deep nesting."""
    depth = 0
    for event in YAML(typ="safe", pure=True).parse(text):
        depth += type(event).__name__ in ("MappingStartEvent", "SequenceStartEvent")
        depth -= type(event).__name__ in ("MappingEndEvent", "SequenceEndEvent")
        deep = f"nested deeper than {MAX_DEPTH} levels" if depth > MAX_DEPTH else None
        if fault := deep or _detour(event):
            place = f"{event.start_mark.line + 1}:{event.start_mark.column + 1}"
            raise MalformedError(f"{name}:{place}: {fault}")


def _detour(event: Event) -> str | None:
    if isinstance(event, AliasEvent):
        return f"aliases (*{event.anchor}) are not allowed"
    if isinstance(event, DocumentStartEvent) and (event.version or event.tags):
        return "directives (%) are not allowed"
    if isinstance(event, NodeEvent) and event.anchor:
        return f"anchors (&{event.anchor}) are not allowed"
    tag = getattr(event, "tag", None)
    return f"the tag {tag} is not allowed" if tag else None


def _value(node: Node, path: Path_, source: Source) -> Any:
    # The value of a key has the key's place: an empty one would have that of the next line.
    source.places.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
    if isinstance(node, ScalarNode):
        return _scalar(node, path, source)
    if isinstance(node, SequenceNode):
        return [_value(item, (*path, i), source) for i, item in enumerate(node.value)]
    if isinstance(node, MappingNode):
        return _mapping(node, path, source)
    raise source.fault(path, f"unexpected {type(node).__name__}")


def _mapping(node: MappingNode, path: Path_, source: Source) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            raise source.fault(path, "a key must be plain text")
        inner = (*path, key.value)
        source.places[inner] = (key.start_mark.line + 1, key.start_mark.column + 1)
        if key.value in found:
            raise source.fault(inner, f"the key {key.value!r} stands twice")
        found[key.value] = _value(value, inner, source)
    return found


def _scalar(node: ScalarNode, path: Path_, source: Source) -> str | bool:
    tag = str(node.tag).rpartition(":")[2]
    if any(0xD800 <= ord(character) <= 0xDFFF for character in node.value):
        raise source.fault(path, "half a surrogate pair is no text; write the character itself")
    if tag in _TEXT_TAGS:
        return str(node.value)
    if tag == "bool":
        return str(node.value).lower() == "true"
    if tag == "null":
        raise source.fault(path, "the value is empty; leave the field out if it is absent")
    raise source.fault(path, f"the tag {node.tag} is not allowed")
