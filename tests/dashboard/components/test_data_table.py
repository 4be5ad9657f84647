"""Tables on a page show signs that steer text, and leave every other cell alone."""

import pandas as pd
import pytest

import dashboard.components.data_table as module


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
