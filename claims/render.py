"""Sentences through templates: those that hold, as text or as Markdown."""

import re
from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from claims import qualifiers
from claims.judge import Judgement

# What Markdown would take for markup; an underscore inside a word (`Q4_K_M`) is none.
_MARKUP = re.compile(r"[\\`*<>\[\]|~&$]|(?<![^\W_])_|_(?![^\W_])|\A[#+=-]")
_LIST = re.compile(r"\A(\d{1,9})([.)])(?=\s|\Z)")
FORMATS = ("text", "markdown")
_FILES = {"text": "claims.txt.j2", "markdown": "claims.md.j2"}


def render(
    done: Sequence[Judgement], output: str, standing: str, *, footnotes: bool = False
) -> str:
    """Return the sentences that hold, in the format `output`, marked as unsealed.

    Each has its qualifiers below it; with `footnotes`, Markdown names the receipt of each.
    """
    held = [judgement for judgement in done if judgement.holds]
    return _template(_FILES[output]).render(held=held, standing=standing, footnotes=footnotes)


def escape(sentence: str) -> str:
    """Return `sentence` spelled so that Markdown renders it as it is."""
    return _LIST.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", sentence))


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader("claims.templates", ""),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - text and Markdown; HTML pages get an environment of their own
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["markdown"] = escape
    environment.filters["qualifiers"] = qualifiers.lines
    environment.filters["on_page"] = qualifiers.on_page
    return environment.get_template(name)
