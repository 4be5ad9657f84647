"""What every page of this package is rendered with: templates, text that stays text, and nothing that is fetched."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from metrics.figures.theme import shortened
from metrics.wording import pluralize, visible

_MAX_LETTERS = 120
"""Of a cell or a name in a table."""


@cache
def environment() -> Environment:
    """The templates of this package; whatever they write is text."""
    made = Environment(
        loader=PackageLoader("metrics.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["cut"] = lambda text: shortened(visible(text), _MAX_LETTERS)
    made.globals["counted"] = pluralize
    return made


def _finalized(value: Any) -> Any:
    """Whatever the template writes: text without characters that control the text around them."""
    return visible(value) if type(value) is str and value else value


def policy() -> str:
    """Content security policy: no script runs and nothing is fetched, even if something slipped in."""
    return "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'"
