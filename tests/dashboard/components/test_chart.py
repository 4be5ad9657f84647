"""Figures on pages: their blues are those of the page's theme, with contrast in each."""

import io
import tomllib

import pandas as pd
import pyarrow as pa
import pytest

import dashboard.components.chart as module
from dashboard import environment
from dashboard.components.chart import DARK_PRIVACY, ThemedChart, csv_of, mark
from metrics.drawing.theme import MONEY, NEUTRAL, PRIVACY, UTILITY, VIOLATION, chart
from tests.drawing.test_theme import luminance

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
    drawn = chart(
        [{"type": "bar", "x": [1, 2], "y": [1, 2], "marker": {"color": [PRIVACY, UTILITY]}}],
        PRIVACY,
        annotations=[{"text": "a", "font": {"color": VIOLATION}}],
        xaxis={},
        yaxis={},
    )
    themed = ThemedChart(drawn).to_dict()
    assert themed["data"][0]["marker"]["color"] == ["#000001", UTILITY]
    assert themed["layout"]["annotations"][0]["font"]["color"] == VIOLATION
    assert themed["layout"]["title"]["text"] == "&#35;0072B2"
    assert drawn.data[0].marker.color == (PRIVACY, UTILITY)


def test_the_data_of_a_figure_is_offered_as_csv_with_formulas_neutralized() -> None:
    frame = pd.DataFrame({"a": ["=1+1", "é"], "n": [1, 2]}, index=[5, 6])
    assert csv_of(frame) == '"a","n"\n"\'=1+1",1\n"é",2\n'.encode()
    assert csv_of(pa.table({"n": [0.5]})) == b'"n"\n0.5\n'
    assert pd.read_csv(io.BytesIO(csv_of(frame)))["n"].tolist() == [1, 2]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[pd.DataFrame]:
    """Frames handed to Streamlit."""
    frames: list[pd.DataFrame] = []
    monkeypatch.setattr(module.st, "dataframe", lambda frame, **_: frames.append(frame))
    return frames


def test_steering_signs_are_shown_in_cells_and_names(shown: list[pd.DataFrame]) -> None:
    frame = pd.DataFrame({"a\u202eb": ["x\u202ey", "", None, "plain"], "n": [1, 2, 3, 4]})
    module.data_table(frame, "alt")
    (given,) = shown
    assert list(given.columns) == ["a⟨U+202E⟩b", "n"]
    assert given.iloc[:, 0].tolist()[:2] == ["x⟨U+202E⟩y", ""]
    assert given.iloc[:, 0].isna().tolist() == [False, False, True, False]
    assert given["n"].tolist() == [1, 2, 3, 4]
    assert list(frame.columns) == ["a\u202eb", "n"]


def test_ordinary_text_in_a_table_is_not_changed(shown: list[pd.DataFrame]) -> None:
    cells = ["<b>", "=1+1", "質問", "a b", "[x](y)", " "]
    module.data_table(pd.DataFrame({"c": cells}), "alt")
    assert shown[0]["c"].tolist() == cells


def test_shares_have_one_decimal_in_percent_unless_that_would_be_none(shown: list[pd.DataFrame]) -> None:
    module.data_table(pd.DataFrame({"share": [0.40371, 0.2, 0.0003, None, 0.0]}), "alt", shares=("share",))
    assert shown[0]["share"].tolist() == pytest.approx([0.404, 0.2, 0.0003, float("nan"), 0.0], nan_ok=True)


@pytest.mark.parametrize(("records", "rows"), [(0, 1), (3, 3), (50, 10)])
def test_a_table_is_as_high_as_its_rows_up_to_ten(monkeypatch: pytest.MonkeyPatch, records: int, rows: int) -> None:
    heights: list[int] = []
    monkeypatch.setattr(module.st, "dataframe", lambda _, *, height, **__: heights.append(height))
    module.data_table(pd.DataFrame({"n": range(records)}), "alt")
    assert heights == [31 * (rows + 1) + 2]
