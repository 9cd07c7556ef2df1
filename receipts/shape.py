"""The base of every model whose fields end up in signed bytes: frozen, strict, nothing unknown."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
    ValidationError,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from receipts import digest
from receipts.errors import MalformedError


def _moment(text: str) -> str:
    """Refuse a time that no calendar has; the pattern has settled its spelling."""
    datetime.fromisoformat(text)
    return text


def _whole(value: Any) -> Any:
    """Refuse text that is a whole number in another spelling (`6.0`, `1_000`), and truth values."""
    if isinstance(value, bool) or (isinstance(value, str) and not _WHOLE.fullmatch(value)):
        raise PydanticCustomError("int_parsing", "no whole number")
    return value


def _not_negative(text: str) -> str:
    if text.startswith("-"):
        raise ValueError("must not be below zero")
    return text


_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)", re.ASCII)
DigestText = Annotated[str, StringConstraints(pattern=digest.PATTERN)]
DecimalText = Annotated[str, StringConstraints(pattern=r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$")]
LimitText = Annotated[DecimalText, AfterValidator(_not_negative)]
Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number as people write it in YAML, and as such only."""
Hex64 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Time = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"
    ),
    AfterValidator(_moment),
]


class Shape(BaseModel):
    """A record with exactly the declared fields; a field that is absent stays absent."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    @classmethod
    def parse(cls, value: Any, what: str) -> Self:
        """Return `value` as this shape; `MalformedError` names `what` and the field at fault."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise MalformedError(f"{what}: {explain(error)}") from error

    def plain(self) -> dict[str, Any]:
        """Return the plain value that canonical JSON spells, without absent fields."""
        return self.model_dump(exclude_none=True)


class Labelled(Shape):
    """A label alone, to ask whether a text can be one."""

    label: Label


def explain(error: ValidationError) -> str:
    """Return one line on the first fault of a validation, with the path of its field."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "value"
    message = _sentence(first)
    more = error.error_count() - 1
    return f"{place}: {message}" + (f" (and {more} more)" if more else "")


_SENTENCES: Mapping[str, str] = {
    "extra_forbidden": "unknown field",
    "missing": "is missing",
    "string_type": "must be text",
    "model_type": "must be a mapping of fields",
    "dict_type": "must be a mapping of fields",
    "list_type": "must be a list",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_pattern_mismatch": "is not of the required form: {value}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "too_short": "must have at least {min_length}",
    "too_long": "must have at most {max_length}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "value_error": "{error}",
}


def _sentence(fault: ErrorDetails) -> str:
    """Return what is wrong in our words, in those of the library where we have none."""
    value = repr(fault["input"])
    short = value if len(value) <= 60 else f"{value[:60]}…"
    facts = {**fault.get("ctx", {}), "value": short}
    if fault["type"] == "literal_error" and " or " in facts["expected"]:
        facts["expected"] = f"one of {facts['expected']}"
    known = _SENTENCES.get(fault["type"])
    return known.format(**facts) if known else fault["msg"]
