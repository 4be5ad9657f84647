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
    """A title within a sentence: "granularity", but "P_29", "SafePub" and "KL divergence"."""
    return f"{title[0].lower()}{title[1:]}" if title.partition(" ")[0][1:].islower() else title


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


def rounded(value: float, digits: int = 3) -> float:
    """A number as it is written: in significant digits, but never in fewer than those of its whole part."""
    return round(value, _decimals(value, digits)) if math.isfinite(value) else value


def _decimals(value: float, digits: int) -> int:
    return max(digits - 1 - int(f"{value:e}".partition("e")[2]), 0)


def format_number(value: float | bool | None, digits: int = 3) -> str:
    """A number rounded for reading, without zeros that mean nothing: "2,218", "0.431", "18,639", "1.24 × 10⁻⁵"."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "—"
    if value == int(value) and abs(value) < _MAX_WRITTEN_OUT:
        return f"{int(value):,}"
    return _written_out(value, digits) if 0.001 <= abs(value) < _MAX_WRITTEN_OUT else _as_power(value, digits)


def _written_out(value: float, digits: int) -> str:
    number = f"{value:,.{_decimals(value, digits)}f}"
    return number.rstrip("0").rstrip(".") if "." in number else number


def six_digits(value: float) -> str:
    """A number in six significant digits, for a calculation that readers repeat: "0.0412345", "1,234,567"."""
    return format_number(value, 6)


def digits_beside(value: float | None, limit: float) -> int:
    """How many significant digits show on which side of a limit a value is: four of 0.2004 beside 0.2, else three."""
    if value is None or not math.isfinite(value) or math.isnan(limit):
        return 3
    side = (value > limit, value < limit)
    return next(n for n in range(3, 18) if n == 17 or (rounded(value, n) > limit, rounded(value, n) < limit) == side)


def beside(value: float | None, limit: float) -> str:
    """A number with as many digits as it takes to compare it with a limit."""
    return format_number(value, digits_beside(value, limit))


def exact_number(value: float) -> str:
    """A number as somebody set it, without rounding: "0.2", "1,000", "0.00001"."""
    digits = f"{value:,.10f}".rstrip("0").rstrip(".")
    return digits if digits.strip("-0") else _as_power(value) if value else "0"


def percent(share: float, digits: int = 3) -> str:
    """A share for reading, rounded like numbers; neither 0% nor 100% unless it is."""
    if 0 < share < 0.000001:
        return "less than 0.0001%"
    number = _written_out(100 * max(share, 0.0), digits)
    return "more than 99.9%" if number == "100" and share < 1 else f"{number}%"


def distance(value: float, other: float) -> float:
    """How far apart two numbers are as they are written, so that readers get the same."""
    return float(f"{abs(rounded(value) - rounded(other)):.12g}")


def percentage_points(share: float, other: float) -> float:
    """How many percentage points lie between two shares as `percent` writes them."""
    return distance(100 * share, 100 * other)


def sentence_case(text: str) -> str:
    """A text that begins with a capital letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def short_percent(share: float, digits: int = 3) -> str:
    """Shorten `percent` for where there is little room: "> 99.9%"."""
    return percent(share, digits).replace("less than", "<").replace("more than", ">")


def _as_power(value: float, digits: int = 2) -> str:
    """A very large or small number: "1.24 × 10⁻⁵"."""
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


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
