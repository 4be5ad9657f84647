"""Numbers and shares in words."""

import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.formatting import (
    beside,
    class_in_short,
    closed_lines,
    digits_beside,
    distance,
    exact_number,
    format_number,
    on_terminal,
    percent,
    percentage_points,
    printable,
    shortened,
    six_digits,
    visible,
    without_isolates,
)
from metrics.scoring.metric_score import finite


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (True, "yes"),
        (False, "no"),
        (12345, "12,345"),
        (0.123456, "0.123"),
        (197.42, "197"),
        (0.4, "0.4"),
        (999.96, "1,000"),
        (1.0, "1"),
        (0.0, "0"),
    ],
)
def test_numbers_have_separators_and_three_significant_digits(value: float | bool | None, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("number", "rounded", "exact"),
    [
        (2218, "2,218", "2,218"),
        (0.43121, "0.431", "0.43121"),
        (18639.26, "18,639", "18,639.26"),
        (5e3 + 0.25, "5,000", "5,000.25"),
        (1.24e-5, "1.24 × 10⁻⁵", "0.0000124"),
        (2e-5, "2 × 10⁻⁵", "0.00002"),
        (0, "0", "0"),
        (2.0**70, "1.18 × 10²¹", "1,180,591,620,717,411,303,424"),
    ],
)
def test_numbers_in_sentences_are_written_out(number: float, rounded: str, exact: str) -> None:
    assert (format_number(number), exact_number(number)) == (rounded, exact)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (0.041234567, "0.0412346"),
        (12345.678, "12,345.7"),
        (999_999.7, "1,000,000"),
        (1_234_567, "1,234,567"),
        (-2e-5, "-2 × 10⁻⁵"),
        (float("inf"), "∞"),
    ],
)
def test_a_table_holds_six_significant_digits(number: float, text: str) -> None:
    assert six_digits(number) == text


@given(st.floats(1e-12, 1e18) | st.floats(-1e18, -1e-12))
def test_no_number_is_written_with_an_e(number: float) -> None:
    for write in (format_number, exact_number, six_digits):
        assert not re.search(r"e[+-]?\d", write(number))


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (0.0001, "0.01%"),
        (0.36, "36%"),
        (0.365, "36.5%"),
        (0.07894, "7.89%"),
        (0.000123, "0.0123%"),
        (-1e-17, "0%"),
        (0.9996, "more than 99.9%"),
        (1, "100%"),
    ],
)
def test_shares_are_rounded_to_0_or_100_percent_only_if_exact(share: float, text: str) -> None:
    assert percent(share) == text


@given(st.floats(0.001, 1e6), st.floats(-1e-3, 1e-3))
def test_a_number_beside_a_limit_is_written_on_its_side_of_it(limit: float, change: float) -> None:
    value = limit * (1 + change)
    shown = float(format_number(value, digits_beside(value, limit)).replace(",", "").replace(" × 10⁻⁴", "e-4"))
    assert (shown > limit, shown < limit) == (value > limit, value < limit)


@pytest.mark.parametrize(
    ("value", "text"), [(0.2, "0.2"), (0.20004, "0.20004"), (0.19951, "0.1995"), (0.2531, "0.253"), (None, "—")]
)
def test_a_number_beside_a_limit_has_three_digits_where_they_suffice(value: float | None, text: str) -> None:
    assert beside(value, 0.2) == text


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["Female", "30-39"], "Female · 30-39"),
        (["Female", "*", None], "Female · (missing) · 1 column suppressed"),
        (["*", "*"], "all values suppressed"),
    ],
)
def test_a_class_in_short_counts_what_is_suppressed(labels: list[str | None], expected: str) -> None:
    assert class_in_short(labels) == expected


@pytest.mark.parametrize(
    ("share", "other", "points"),
    [
        (0.7271, 0.7166, 1),
        (0.5384, 0.4686, 6.9),
        (0.2, 0.2, 0),
        (0.0005, 0.25, 24.95),
        (0.07894, 0.5384, 45.91),
        (0, 1, 100),
    ],
)
def test_percentage_points_are_those_between_the_shares_as_they_are_written(
    share: float, other: float, points: float
) -> None:
    assert percentage_points(share, other) == percentage_points(other, share) == points


@pytest.mark.parametrize(
    ("figure", "other", "apart"),
    [(0.49604, 0.87978, 0.384), (1, 41, 40), (4999.4, 1428.6, 3570), (0, 1.236e-5, 1.24e-5)],
)
def test_figures_are_as_far_apart_as_they_are_written(figure: float, other: float, apart: float) -> None:
    assert distance(figure, other) == apart


MALE, HEBREW = "ذكر", "תל אביב"
RIGHT_TO_LEFT = st.text("ذكرת 12-*", min_size=1)


def test_a_right_to_left_value_is_isolated_where_it_is_shown_and_nothing_else_is() -> None:
    assert visible(MALE) == f"\u2068{MALE}\u2069"
    assert class_in_short([MALE, "40-49", "20*"]) == f"\u2068{MALE}\u2069 · 40-49 · 20*"
    for text in ("Zürich", "東京", "40-49", "a\u202eb"):
        assert "\u2068" not in visible(text)


@given(st.text(), RIGHT_TO_LEFT)
def test_a_sentence_with_isolated_values_is_shown_as_it_is(words: str, value: str) -> None:
    sentence = f"{printable(words)} {visible(value)}"
    assert visible(sentence) == sentence
    assert without_isolates(sentence) == f"{printable(words)} {printable(value)}"


def test_isolates_without_a_counterpart_are_named_as_other_direction_characters_are() -> None:
    assert visible(f"\u2068{MALE}") == f"\u2068⟨U+2068⟩{MALE}\u2069"
    assert visible("\u2068plain\u2069") == "⟨U+2068⟩plain⟨U+2069⟩"


@given(st.lists(RIGHT_TO_LEFT, min_size=1, max_size=4), st.integers(2, 12))
def test_a_cut_or_broken_text_has_as_many_ends_of_isolates_as_beginnings(values: list[str], length: int) -> None:
    text = " · ".join(map(visible, values))
    cut = shortened(text, length)
    lines = list(closed_lines(textwrap.wrap(text, length)))
    for part in (cut, *lines):
        assert part.count("\u2068") == part.count("\u2069")
    assert len(cut.translate(dict.fromkeys(map(ord, "\u2068\u2069")))) <= length


def test_a_terminal_and_json_get_no_isolates() -> None:
    assert on_terminal(f"{visible(MALE)} 1\n{HEBREW}") == f"{MALE} 1\n{HEBREW}"
    assert finite({"reasons": [f"l = 0 for {visible(MALE)}"]}) == {"reasons": [f"l = 0 for {MALE}"]}
