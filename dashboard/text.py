"""Text from files, made harmless where Streamlit would read Markdown; limits and metrics in a few words."""

from __future__ import annotations

import re

from metrics.drawing.version_styles import TABLE_FILE
from metrics.formatting import visible
from metrics.metric import Metric

# Within a word a hyphen and an underscore have no meaning, and widgets are announced with every backslash.
_MARKDOWN = re.compile(r"((?<![^\W_])[-_]|[-_](?![^\W_])|[\\`*{}\[\]()#+.!|<>$:~^=&])")
# Streamlit looks for addresses, arrows and icons once more when the backslashes are gone, and makes links of addresses.
_SOUGHT_AGAIN = re.compile(
    r"(?<=[<>~])(?=[-=])|(?<=-)(?=[->])|(?<=:)(?=//|material[/_]|streamlit:)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE
)
_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST_NAME = 60
_WORD_JOINER = "\u2060"
"""Without width and no place to break a line: the only sign that can come between unseen."""


def plain(text: str | None) -> str:
    """Text that Markdown shows as it is: every sign with a meaning gets a backslash, what is read later is cut up."""
    return _MARKDOWN.sub(r"\\\1", _SOUGHT_AGAIN.sub(_WORD_JOINER, visible(text)))


def file_stem(label: str) -> str:
    """A version's name as the part of a file's name, without the ending of a table."""
    return _UNSAFE.sub("_", TABLE_FILE.sub("", label))[:_LONGEST_NAME]


def with_symbols(limit: str) -> str:
    """A limit with ≥ and ≤ for its words, where room is short."""
    return limit.replace("at least", "≥").replace("at most", "≤")


def metric_help(metric: Metric) -> str:
    """Describe what a metric measures and its range, for the help beside its value."""
    bounds = (metric.minimum, metric.maximum)
    shares = [f"{100 * bound:g}%".replace("-", "−") for bound in bounds if bound is not None] if metric.is_share else []
    span = " to ".join(shares) if len(shares) == len(bounds) else metric.range
    return f"{metric.meaning} Range: {span}."
