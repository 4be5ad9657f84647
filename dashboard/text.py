"""Text from files, made harmless where Streamlit would read Markdown."""

from __future__ import annotations

import re

from metrics.wording import visible

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~^=&])")


def plain(text: str | None) -> str:
    """Text that Markdown shows as it is: every sign with a meaning gets a backslash."""
    return _MARKDOWN.sub(r"\\\1", visible(text))
