"""Rendering of every page of this package: templates, text that stays text, and nothing that is fetched."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from metrics.drawing.version_styles import breakable
from metrics.formatting import percent, pluralize, shortened, visible
from metrics.version import VERSION

_PACKAGE = __name__.rpartition(".")[0]
_MAX_LETTERS = 120
"""Most letters of a cell or a name in a table."""


@cache
def environment() -> Environment:
    """The templates of this package; whatever they write is text."""
    templates = Environment(
        loader=PackageLoader(_PACKAGE, "."),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible_if_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["cut"] = lambda text: shortened(visible(text), _MAX_LETTERS)
    templates.filters["running"] = lambda text: " ".join(text.replace("**", "").replace("\n- ", "\n").split())
    templates.filters["breakable"] = _breakable
    templates.filters["percent"] = percent
    templates.filters["with_links"] = _with_links
    templates.globals["counted"] = pluralize
    templates.globals["font"] = b64encode(files(_PACKAGE).joinpath("inter-latin.woff2").read_bytes()).decode()
    return templates


def render(template: str, **values: object) -> str:
    """A page by the name of its template."""
    return environment().get_template(template).render(version=VERSION, policy=policy(), **values)


def _breakable(name: str) -> Markup:
    """A name that may go on in another line after a mark between its words."""
    return Markup("<wbr>").join(breakable(name, _MAX_LETTERS))


def _with_links(reference: str) -> Markup:
    """A reference in which every DOI is a link."""
    link = r'<a href="https://doi.org/\1" rel="noreferrer">\1</a>'
    return Markup(re.sub(r"(?<=\bdoi )(10\.\d+/[^\s;,]+)", link, str(escape(reference))))


def _visible_if_text(value: Any) -> Any:
    """Whatever the template writes: text without characters that control the text around them."""
    return visible(value) if type(value) is str and value else value


def policy() -> str:
    """Content security policy: no script runs and nothing is fetched, even if something slipped in."""
    return "default-src 'none'; style-src 'unsafe-inline'; font-src data:; form-action 'none'"
