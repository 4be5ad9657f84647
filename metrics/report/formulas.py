"""Formulas for a page: MathML, which browsers show without any script or font of a server."""

from __future__ import annotations

from functools import lru_cache

from latex2mathml.converter import convert
from markupsafe import Markup, escape


@lru_cache(maxsize=256)
def mathml(latex: str) -> Markup:
    """A formula of the catalog as MathML, its LaTeX as the alternative text."""
    markup = convert(latex, display="block")
    return Markup(markup.replace("<math ", f'<math alttext="{escape(latex)}" ', 1))
