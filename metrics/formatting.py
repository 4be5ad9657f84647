"""Formats numbers, names and text for readers."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

MISSING: Final = "(missing)"
EMPTY: Final = "(empty)"

_MAX_WRITTEN_OUT: Final = 1e15
"""Larger numbers are written as powers of ten."""
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_JOINERS = "\u200c\u200d"
"""Format characters that words of some scripts need."""
_ISOLATE, _POP = "\u2068", "\u2069"
"""First strong isolate, and its end: what is between them is ordered by itself and moves nothing beside it."""
_RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_HAS_RIGHT_TO_LEFT = re.compile(f"[{_RIGHT_TO_LEFT}]")
_ISOLATED = re.compile(f"{_ISOLATE}([^{_ISOLATE}{_POP}{_RIGHT_TO_LEFT}]*[{_RIGHT_TO_LEFT}][^{_ISOLATE}{_POP}]*){_POP}")
_NEXT_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z\d])")


def pluralize(number: float, one: str, many: str | None = None) -> str:
    """A number with its noun in the right form: "1 class", "2,218 classes".

    The number with thousands separators, and the noun. `number`: the number; only 1 takes the singular. `many`: the
    plural; by default the singular with an "s".
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def within_sentence(title: str) -> str:
    """A title as it is written in the middle of a sentence: "granularity", but "P_29" and "KL divergence"."""
    return f"{title[0].lower()}{title[1:]}" if title[1:2].islower() else title


def first_sentence(sentences: str) -> str:
    """The first of several sentences, for a place that holds one."""
    return _NEXT_SENTENCE.split(sentences, maxsplit=1)[0]


def join_names(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence: "k", "k and l", "k, l and t".

    The names, with commas between them.
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def class_in_short(labels: Iterable[str | None]) -> str:
    """A class by its values without the names of the columns: "Female · 30-39 · 2 columns suppressed"."""
    values = list(labels)
    visible_values = [visible(value) for value in values if value != "*"]
    n_hidden = len(values) - len(visible_values)
    if not visible_values:
        return "all values suppressed"
    return " · ".join([*visible_values, f"{pluralize(n_hidden, 'column')} suppressed"] if n_hidden else visible_values)


def format_number(value: float | bool | None) -> str:
    """A figure rounded for reading: "2,218", "0.4312", "1,235", "1.2 × 10⁻⁵"."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "—"
    if value == int(value) and abs(value) < _MAX_WRITTEN_OUT:
        return f"{int(value):,}"
    if 0.001 <= abs(value) < 1000:
        return f"{value:.4f}"
    return f"{value:,.0f}" if 1000 <= abs(value) < _MAX_WRITTEN_OUT else _as_power(value)


def significant(value: float) -> str:
    """A figure in three significant digits: "0.85", "12.3", "18,639", "1.2 × 10⁻⁵"."""
    if value == 0 or 0.001 <= abs(value) < 1000:
        return f"{value:.3g}" if float(f"{value:.3g}") < 1000 else f"{value:,.0f}"
    return f"{value:,.0f}" if 1000 <= abs(value) < _MAX_WRITTEN_OUT else _as_power(value)


def six_digits(value: float) -> str:
    """A figure in six significant digits, for a table: "0.0412345", "1,234,567", "1.23450 × 10⁻⁵"."""
    if not math.isfinite(value):
        return format_number(value)
    if value == 0 or 0.0001 <= abs(value) < 999_999.5:
        return f"{value:,.6g}"
    return f"{value:,.0f}" if 1 <= abs(value) < _MAX_WRITTEN_OUT else _as_power(value, decimals=5)


def exact_number(value: float) -> str:
    """A number as somebody set it, without rounding: "0.2", "1,000", "0.00001"."""
    digits = f"{value:,.10f}".rstrip("0").rstrip(".")
    return digits if digits.strip("-0") else _as_power(value) if value else "0"


def percent(share: float) -> str:
    """A share for reading, small ones in two significant digits; neither 0% nor 100% unless it is."""
    if 0 < share < 0.000001:
        return "less than 0.0001%"
    if 0 < share < 0.001:
        return f"{100 * share:.2g}%"
    if 0.999 < share < 1:
        return "more than 99.9%"
    return f"{max(share, 0.0):,.1%}".replace(".0%", "%")


def distance(figure: float, other: float) -> float:
    """How far apart two figures are as `format_number` writes them, so that readers get the same."""
    return float(f"{abs(_rounded(figure) - _rounded(other)):.12g}")


def _rounded(figure: float) -> float:
    if figure == 0 or 0.001 <= abs(figure) < 1000:
        return round(figure, 4)
    return round(figure) if 1000 <= abs(figure) < _MAX_WRITTEN_OUT else float(f"{figure:.1e}")


def percentage_points(share: float, other: float) -> float:
    """How many percentage points lie between two shares as `percent` writes them, so that readers get the same."""
    points = round(abs(_as_written(share) - _as_written(other)), 6)
    return int(points) if points.is_integer() else points


def _as_written(share: float) -> float:
    return round(100 * share, 1) if abs(share) >= 0.001 else float(f"{100 * share:.2g}")


def sentence_case(text: str) -> str:
    """A text that begins with a capital letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def short_percent(share: float) -> str:
    """Shorten `percent` for where there is little room: "< 0.1%"."""
    return percent(share).replace("less than", "<").replace("more than", ">")


def _as_power(value: float, decimals: int = 1) -> str:
    """A very large or small figure: "1.2 × 10⁻⁵"."""
    mantissa, _, exponent = f"{value:.{decimals}e}".partition("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def on_terminal(text: str) -> str:
    """Text with every character visible, line by line: names from tables must not control a terminal."""
    return "\n".join(printable(line) if line else line for line in without_isolates(text).split("\n"))


def visible(text: str | None) -> str:
    """A table's text as it is shown: every character visible, and isolated where it runs from right to left.

    Control and direction characters appear as ⟨U+202E⟩. A text of which parts are isolated stays as it is. It is for
    readers only: what is exported or compared has no isolates.
    """
    if text is not None and text.isascii() and text.isprintable():
        # Nearly every text is, and a figure has thousands of texts.
        return text or EMPTY
    isolated_parts = _ISOLATED.split(text or "")
    if len(isolated_parts) == 1:
        return isolated(printable(text))
    return "".join(
        f"{_ISOLATE}{printable(part)}{_POP}" if number % 2 else part and printable(part)
        for number, part in enumerate(isolated_parts)
    )


def isolated(text: str) -> str:
    """Text that does not reverse what stands beside it, such as an interval; only right-to-left text needs that."""
    needed = _HAS_RIGHT_TO_LEFT.search(text) and _ISOLATE not in text
    return f"{_ISOLATE}{text}{_POP}" if needed else text


def without_isolates(text: str) -> str:
    """Text as it was before `visible` isolated parts of it, for exports."""
    return _ISOLATED.sub(r"\1", text)


def shortened(text: str, max_length: int) -> str:
    """Text of at most `max_length` characters, the last an ellipsis where some are left out."""
    if len(without_isolates(text)) <= max_length:
        return text
    cut = text[: max_length - 1].rstrip()
    return f"{cut}…{_POP * (cut.count(_ISOLATE) - cut.count(_POP))}"


def closed_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a broken text, each with isolates of its own where one was broken."""
    is_open = False
    for line in lines:
        opened = f"{_ISOLATE}{line}" if is_open else line
        is_open = opened.count(_ISOLATE) > opened.count(_POP)
        yield f"{opened}{_POP}" if is_open else opened


def printable(text: str | None) -> str:
    """Text with every character visible: control and direction characters appear as ⟨U+202E⟩."""
    if text is None:
        return MISSING
    if not text:
        return EMPTY
    if text.isprintable():
        return text
    return "".join(
        f"⟨U+{ord(character):04X}⟩"
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS
        else character
        for character in text
    )
