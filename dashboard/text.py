"""Text from files, made harmless where Streamlit would read Markdown."""

from __future__ import annotations

import re
import unicodedata

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~^=&])")


def visible(text: str) -> str:
    """Text with control characters and bidirectional overrides shown by their code point instead of obeyed."""
    return "".join(
        f"U+{ord(sign):04X}" if unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs") else sign for sign in text
    )


def plain(text: str) -> str:
    """Text that Markdown shows as it is: every sign with a meaning gets a backslash."""
    return _MARKDOWN.sub(r"\\\1", visible(text))
