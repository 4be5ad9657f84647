"""Figures on pages: their blues are those of the page's theme, with contrast in each."""

import tomllib

import pytest

from dashboard import environment
from dashboard.components.figure import DARK_PRIVACY, ThemedFigure, mark
from metrics.figures.theme import MONEY, NEUTRAL, PRIVACY, UTILITY, VIOLATION, figure
from tests.figures.test_theme import luminance

THEME = tomllib.loads((environment.ROOT / "dashboard" / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]


def contrast(one, other):
    """The ratio of two colours' luminance, as WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_marks_stand_out_from_the_page(mode):
    """3:1 as WCAG asks of graphics; of orange, which is too light for a white page, no figure draws a lone mark."""
    page, blue = THEME[mode]["backgroundColor"], THEME[mode]["chartCategoricalColors"][0]
    colours = [blue, UTILITY, VIOLATION, NEUTRAL, *([MONEY] if mode == "dark" else [])]
    assert min(contrast(colour, page) for colour in colours) >= 3
    assert contrast(blue, page) >= 4.5


def test_the_themes_have_the_blues_of_figures():
    assert THEME["light"]["chartCategoricalColors"][0] == PRIVACY
    assert THEME["dark"]["chartCategoricalColors"][0] == DARK_PRIVACY
    assert DARK_PRIVACY in mark("●", PRIVACY)
    assert mark("|", NEUTRAL) == f'<span style="color:{NEUTRAL}">|</span>'


def test_streamlit_replaces_the_blue_of_a_figure_and_nothing_else():
    drawn = figure(
        [{"type": "bar", "x": [1, 2], "y": [1, 2], "marker": {"color": [PRIVACY, UTILITY]}}],
        PRIVACY,
        annotations=[{"text": "a", "font": {"color": VIOLATION}}],
        xaxis={},
        yaxis={},
    )
    themed = ThemedFigure(drawn).to_dict()
    assert themed["data"][0]["marker"]["color"] == ["#000001", UTILITY]
    assert themed["layout"]["annotations"][0]["font"]["color"] == VIOLATION
    assert themed["layout"]["title"]["text"] == "&#35;0072B2"
    assert drawn.data[0].marker.color == (PRIVACY, UTILITY)
