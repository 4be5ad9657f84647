"""Texts stay texts; colours carry meaning; categories keep apart what is apart."""

import re
from html import unescape

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.drawing.theme import (
    MONEY,
    NEUTRAL,
    PRIVACY,
    UTILITY,
    VIOLATION,
    categories,
    category_axis,
    chart,
    escaped,
    hover,
    label_above,
    shortened,
    wrapped,
)
from tests.drawing.drawn import HOSTILE, assert_calm, read, takes_no_effect

LABELS = st.lists(st.one_of(st.none(), st.text(max_size=8), st.sampled_from(HOSTILE)), max_size=20)


def luminance(color: str) -> float:
    """Relative luminance of #rrggbb, as WCAG defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_in_a_table_has_no_effect_in_a_figure(text):
    for shown in (escaped(text), escaped(text, 12), wrapped(text), hover(text, text), *categories([text, text])):
        assert takes_no_effect(shown)


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1))
def test_escaped_text_is_shown_unchanged(text):
    assert unescape(escaped(text)) == text


def test_missing_cells_are_named_and_control_characters_made_visible():
    assert escaped(None) == "(missing)"
    assert escaped("") == "(empty)"
    assert escaped("\u202egnp") == "⟨U+202E⟩gnp"
    assert escaped("tab\tstop") == "tab⟨U+0009⟩stop"
    assert escaped("क्\u200dष") == "क्\u200dष"


def test_entities_are_never_cut():
    assert escaped("<<<<<", 3) == "&lt;&lt;…"
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "ab…"


def test_a_title_breaks_into_narrow_lines_but_not_within_an_equation():
    lines = wrapped("no class lies farther from the whole table t = 0.2").split("<br>")
    assert lines == ["no class lies farther from the whole table", "t\u00a0=\u00a00.2"]
    assert all(len(line) <= 45 for line in wrapped("x" * 200).split("<br>"))


@given(LABELS)
def test_every_label_keeps_its_own_category(labels):
    keys = categories(labels)
    assert len(set(keys)) == len(labels)
    assert not {"constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"} & set(keys)
    assert all(takes_no_effect(key) for key in keys)


def test_categories_that_look_the_same_get_a_number():
    assert categories([None, "(missing)", "(missing) (2)", ""]) == [
        "(missing)",
        "(missing) (2)",
        "(missing) (2) (2)",
        "(empty)",
    ]


def test_numbers_and_dates_on_a_category_axis_stay_text():
    axis = category_axis(["00123", "2024-03"], ["00123", ""], "ZIP")
    drawn = chart([{"type": "bar", "x": ["00123", "2024-03"], "y": [1, 2]}], "a title", xaxis=axis, yaxis={})
    assert drawn.layout.xaxis.type == "category"
    assert list(drawn.layout.xaxis.categoryarray) == ["00123", "2024-03"]
    assert list(drawn.layout.xaxis.ticktext) == ["00123"]


def test_a_figure_is_transparent_and_leaves_text_colours_to_the_page():
    drawn = chart([], "<b>T</b>", xaxis=category_axis([], []), yaxis=category_axis([], []))
    assert isinstance(drawn, go.Figure)
    assert_calm(drawn)
    assert read(drawn.layout.title.text) == "<b>T</b>"


@pytest.mark.parametrize("color", [PRIVACY, UTILITY, VIOLATION, NEUTRAL])
def test_colours_have_contrast_on_light_and_dark_backgrounds(color):
    """3:1 as WCAG asks of graphics, on white and on the theme's dark background."""
    assert (1.05) / (luminance(color) + 0.05) >= 3
    assert (luminance(color) + 0.05) / (luminance("#12161C") + 0.05) >= 3


def test_the_five_colours_of_the_theme_differ():
    colors = {PRIVACY, UTILITY, MONEY, VIOLATION, NEUTRAL}
    assert len(colors) == 5
    assert all(re.fullmatch("#[0-9A-F]{6}", color) for color in colors)


@pytest.mark.parametrize(("at", "side"), [(0, "left"), (9, "right"), (5, "left")])
def test_a_threshold_is_labelled_where_there_is_room(at, side):
    assert label_above("limit k = 5", at, (0, 9))["xanchor"] == side


def test_a_label_too_long_for_either_side_is_placed_at_the_edge():
    label = label_above("attack-free only from 76 records on", 5, (0, 9))
    assert (label["xref"], label["x"], label["xanchor"]) == ("x domain", 1, "right")
