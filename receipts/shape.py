"""The base of every model whose fields end up in signed bytes: frozen, strict, nothing unknown."""

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from receipts import digest
from receipts.errors import MalformedError


def _moment(text: str) -> str:
    """Refuse a time that no calendar has; the pattern has settled its spelling."""
    datetime.fromisoformat(text)
    return text


DigestText = Annotated[str, StringConstraints(pattern=digest.PATTERN)]
DecimalText = Annotated[str, StringConstraints(pattern=r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$")]
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
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "value"
    message = "unknown field" if first["type"] == "extra_forbidden" else first["msg"]
    more = error.error_count() - 1
    return f"{place}: {message}" + (f" (and {more} more)" if more else "")
