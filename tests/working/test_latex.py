"""Numbers and texts as LaTeX."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.formatting import visible
from metrics.working.latex import (
    abbreviated,
    approx,
    as_text,
    decimals,
    equals,
    fraction,
    plain_fraction,
    rounded,
    signed_sum,
    value_of,
    whole,
)
from tests.working.formulas import assert_safe, unescaped

_MEANT = {r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", "{-}": "-"}
NASTY = [r"\frac{1}{0}", "}{", "$$", r"\end{aligned}", "a_b^c~d#e&f%g", "\u202ex", "a\nb", "--", r"\text{", "漢字", ""]


@given(st.text(max_size=24) | st.sampled_from(NASTY))
def test_special_characters_of_latex_are_shown_literally(label: str) -> None:
    made = as_text(label)
    assert_safe(made)
    assert unescaped(made) == ""
    inner = made.removeprefix(r"\text{").removesuffix("}")
    read = re.sub(r"\\text\w+\{\}|\{-\}|\\([{}$%&#_])", lambda match: match[1] or _MEANT[match[0]], inner)
    seen = " ".join(visible(label).split())
    assert read == (seen if len(seen) <= 24 else seen[:23].rstrip() + "…")


def test_missing_values_are_named_and_long_texts_cut_in_formulas() -> None:
    assert as_text(None) == r"\text{(missing)}"
    assert as_text("x" * 100) == rf"\text{{{'x' * 23}…}}"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (Fraction(3, 20), r"\frac{3}{20} = 0.15"),
        (Fraction(-1, 5), r"-\frac{1}{5} = -0.2"),
        (Fraction(1, 3), r"\frac{1}{3} \approx 0.333333"),
        (Fraction(0), "0"),
        (Fraction(1200), "1{,}200"),
        (Fraction(1, 10**6), r"\frac{1}{1{,}000{,}000} \approx 1 \times 10^{-6}"),
    ],
)
def test_a_fraction_is_shown_exactly_and_as_a_decimal(number: Fraction, shown: str) -> None:
    assert value_of(number) == shown


@given(st.fractions())
def test_an_equals_sign_precedes_only_numbers_that_are_shown_exactly(number: Fraction) -> None:
    sign, shown = equals(number).split(" ", 1)
    if sign == "=":
        assert Fraction(shown.replace("{,}", "")) == number
    for made in (fraction(number), decimals(number), value_of(number)):
        assert_safe(made)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.40563906222956647, "0.405639"),
        (13.0, "13"),
        (280665866.38591605, "280{,}665{,}866.39"),
        (1e22, r"1 \times 10^{22}"),
        (0.00001234, r"1.234 \times 10^{-5}"),
        (float("inf"), r"\infty"),
    ],
)
def test_decimals_are_rounded_for_display_in_latex(number: float, shown: str) -> None:
    assert rounded(number) == shown


def test_rounded_numbers_are_introduced_by_an_approximate_sign() -> None:
    assert approx(2.0) == "= 2"
    assert approx(0.5) == r"\approx 0.5"


def test_whole_numbers_have_separators_and_huge_ones_a_power_of_ten() -> None:
    assert whole(1234567) == "1{,}234{,}567"
    assert whole(10**400) == r"1.000 \times 10^{400}"


def test_long_sums_are_abbreviated() -> None:
    assert abbreviated(map(str, range(5)), 5) == "0 + 1 + 2 + 3 + 4"
    assert abbreviated(map(str, range(16)), 16) == r"0 + 1 + 2 + 3 + \dots \text{ (12 more terms)}"
    assert signed_sum([Fraction(1, 2), Fraction(-1, 2)]) == r"\frac{1}{2} + (-\frac{1}{2})"


def test_fractions_in_tables_are_reduced_and_written_with_a_slash() -> None:
    assert [plain_fraction(Fraction(n, 20)) for n in (3, -4, 0, 40)] == ["3/20", "−1/5", "0", "2"]


@given(st.floats(1e-12, 1e18) | st.floats(-1e18, -1e-12) | st.just(999_999.7))
def test_no_number_of_a_formula_is_written_with_an_e(number: float) -> None:
    assert not re.search(r"e[+-]?\d", rounded(number))
