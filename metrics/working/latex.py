"""Numbers and texts as LaTeX: fractions stay exact, and no text of a table is ever read as a command."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from metrics.formatting import printable, shortened

EQUALS: Final = "="
APPROXIMATES: Final = r"\approx"
COMMA: Final = r",\;"
TIMES: Final = r"\times"
ABOVE: Final = ">"
NOT_ABOVE: Final = r"\le"
AT_LEAST: Final = r"\ge"
BELOW: Final = "<"
BEGIN: Final = r"\begin{aligned}"
ROW: Final = r" \\[6pt] "
END: Final = r"\end{aligned}"
_MAX_LETTERS = 24
_MAX_TERMS = 4
_DIGITS = 6
_LARGEST_PLAIN = 10**15
_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        # Two of them in a row would become a dash.
        "-": "{-}",
    }
)


def as_text(label: str | None) -> str:
    r"""A table's text as \text{…}: no character of it takes effect, invisible ones are named, a long one is cut."""
    # The style sheet isolates it: a formula cannot show the characters that would.
    line = " ".join(printable(label).split())
    return rf"\text{{{shortened(line, _MAX_LETTERS).translate(_ESCAPES)}}}"


def whole(number: int) -> str:
    """A whole number with its thousands apart; beyond 15 digits as a power of ten."""
    if abs(number) >= _LARGEST_PLAIN:
        return _power(number)
    return f"{number:,}".replace(",", "{,}")


def _power(number: int) -> str:
    # Via the digits: a product of many domains is beyond what a double holds.
    digits = str(abs(number))
    return rf"{'-' if number < 0 else ''}{digits[0]}.{digits[1:4]} \times 10^{{{len(digits) - 1}}}"


def rounded(number: float) -> str:
    """A number with six significant digits."""
    if not math.isfinite(number):
        return r"\infty" if number > 0 else r"-\infty"
    if number == int(number) and abs(number) < _LARGEST_PLAIN:
        return whole(int(number))
    if 1e-4 <= abs(number) < 999_999.5:
        return f"{number:.{_DIGITS}g}"
    if 1 <= abs(number) < _LARGEST_PLAIN:
        return f"{number:,.2f}".replace(",", "{,}")
    mantissa, exponent = f"{number:.{_DIGITS - 1}e}".split("e")
    return rf"{mantissa.rstrip('0').rstrip('.')} \times 10^{{{int(exponent)}}}"


def approx(number: float) -> str:
    r"""= 2 for a whole number, \approx 0.405639 for any other that was computed in decimals."""
    return f"{EQUALS if number == int(number) else APPROXIMATES} {rounded(number)}"


def fraction(number: Fraction) -> str:
    """A fraction as it is: a whole number, or numerator over denominator with the sign in front."""
    if number.denominator == 1:
        return whole(number.numerator)
    sign = "-" if number < 0 else ""
    return rf"{sign}\frac{{{whole(abs(number.numerator))}}}{{{whole(number.denominator)}}}"


def value_of(number: Fraction) -> str:
    r"""A fraction and its value: \frac{3}{20} = 0.15, or \approx where six digits do not hold it."""
    if number.denominator == 1:
        return whole(number.numerator)
    return rf"{fraction(number)} {equals(number)}"


def equals(number: Fraction) -> str:
    r"""= 0.15, or \approx 0.333333 where six digits do not hold the fraction."""
    if number.denominator == 1:
        return f"{EQUALS if abs(number) < _LARGEST_PLAIN else APPROXIMATES} {whole(number.numerator)}"
    decimal = rounded(float(number))
    is_exact = not decimal.count("{") and Fraction(decimal) == number
    return f"{EQUALS if is_exact else APPROXIMATES} {decimal}"


def decimals(number: Fraction) -> str:
    """An amount in decimals where six digits hold it, else as a fraction."""
    decimal = rounded(float(number))
    return decimal if not decimal.count("{") and Fraction(decimal) == number else fraction(number)


def plain_fraction(number: Fraction) -> str:
    """A fraction for a table's cell: 3/20, −1/5, 0."""
    sign = "−" if number < 0 else ""
    number = abs(number)
    return f"{sign}{number.numerator:,}" + ("" if number.denominator == 1 else f"/{number.denominator:,}")


def abbreviated(terms: Iterable[str], total: int, between: str = "+") -> str:
    """Terms in a row; of a long row the first, and how many more there are."""
    first_terms: list[str] = []
    limit = _MAX_TERMS if total > _MAX_TERMS + 1 else total
    for term in terms:
        if len(first_terms) == limit:
            break
        first_terms.append(term)
    row = f" {between} ".join(first_terms)
    n_omitted = total - len(first_terms)
    return row if n_omitted <= 0 else rf"{row} {between} \dots \text{{ ({n_omitted:,} more terms)}}"


def signed_sum(terms: Sequence[Fraction]) -> str:
    """A sum of fractions in which a negative one stands in brackets."""
    return abbreviated((fraction(term) if term >= 0 else f"({fraction(term)})" for term in terms), len(terms))


def lines(*parts: str) -> str:
    """Several lines of one formula, aligned at their &: short lines fit a narrow page."""
    return BEGIN + ROW.join(parts) + END
