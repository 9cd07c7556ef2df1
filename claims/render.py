"""Sentences through templates: those that hold, as text or as Markdown."""

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from claims.judging import qualifiers
from claims.judging.judge import Judgement
from claims.notices import banners
from claims.notices.strikes import Withdrawn
from claims.pages.markup import escape

FORMATS = ("text", "markdown")
_FILES = {"text": "claims.txt.j2", "markdown": "claims.md.j2"}


def render(
    done: Sequence[Judgement],
    output: str,
    standing: str,
    withdrawn: Sequence[Withdrawn] = (),
    *,
    footnotes: bool = False,
) -> str:
    """Return the sentences that hold, in the format `output`, marked as unsealed.

    Each has its qualifiers below it; with `footnotes`, Markdown names the receipt of each. Those
    that were withdrawn follow in a section of their own, each with its reason.
    """
    held = [judgement for judgement in done if judgement.holds]
    template = _template(_FILES[output])
    return template.render(held=held, standing=standing, footnotes=footnotes, withdrawn=withdrawn)


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
    environment.filters["tombstone"] = lambda one: banners.tombstone(one.notice, one.sentence)
    environment.filters["qualifiers"] = qualifiers.lines
    environment.filters["on_page"] = qualifiers.on_page
    return environment.get_template(name)
