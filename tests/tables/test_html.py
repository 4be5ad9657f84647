"""Tables as HTML: cells as text, and short tables as a whole."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from metrics import METRICS, InputError, Roles, Scorecard, score
from metrics.tables.html import MAX_ROWS, cell_text, html_table
from tests.drawing.drawn import HOSTILE
from tests.support.html_tables import texts
from tests.support.small_tables import Cells, table


@pytest.mark.parametrize(
    ("cell", "text"),
    [(None, "(missing)"), ("", "(empty)"), (math.inf, "∞"), (math.nan, "—"), (True, "yes"), (0.25, "0.25"), (7, "7")],
)
def test_missing_infinite_and_rounded_cells_are_shown_as_text(cell: str | float | None, text: str) -> None:
    assert cell_text(cell) == text


def test_short_tables_are_drawn_whole() -> None:
    assert len(texts(html_table("all", ("n",), [(i,) for i in range(99)]))) == 101


CELLS: dict[str, Cells] = {"q": ["1*", "1*", "2*", "2*", "*"], "r": ["a", "a", None, None, "*"], "s": list("xyxyx")}
BEFORE: dict[str, Cells] = {"q": ["10", "11", "20", "21", "22"], "r": ["a", "a", None, None, "c"], "s": list("xyxyx")}
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s"])


def card(**given: Any) -> Scorecard:
    return score(table(CELLS, "anonymized"), ROLES, original=table(BEFORE, "original"), **given)


def hostile() -> Scorecard:
    name = HOSTILE[0]
    cells = list(HOSTILE)
    roles = Roles(quasi_identifiers=[name], sensitive=["s"])
    return score(table({name: cells, "s": cells[::-1]}, "<script>.csv"), roles)


@pytest.mark.parametrize(
    "view",
    [
        lambda: hostile()._repr_html_(),
        lambda: hostile().classes._repr_html_(),
        lambda: hostile().aggregates.classes._repr_html_(),
        lambda: hostile().aggregates.anonymized._repr_html_(),
        lambda: "".join(one._repr_html_() for one in hostile()),
    ],
)
def test_markup_in_a_table_has_no_effect_in_a_notebook(view: Callable[[], str]) -> None:
    assert texts(view())
    assert "\u202e" not in view()


def test_a_table_shows_its_first_records() -> None:
    assert texts(table(CELLS, "five")._repr_html_())[:10] == [
        "five: 5 records, 3 columns", "q", "r", "s", "1*", "a", "x", "1*", "a", "y",
    ]  # fmt: skip
    assert "(missing)" in texts(table(CELLS)._repr_html_())
    long = texts(table({"n": [str(i) for i in range(50)]})._repr_html_())
    assert long[2:] == [*map(str, range(MAX_ROWS)), "and 30 rows more"]
    assert texts(table({"n": []})._repr_html_()) == ["table: 0 records, 1 column", "n"]


def test_a_notebook_shows_classes_as_a_table() -> None:
    seen = card()
    assert texts(seen.aggregates.classes._repr_html_()) == [
        "2 equivalence classes, and 1 suppressed record", "q", "r", "records",
        "1*", "a", "2", "2*", "(missing)", "2",
    ]  # fmt: skip
    drawn = texts(seen.classes._repr_html_())
    assert drawn[0] == "2 equivalence classes"
    assert {"size", "s.distinct", "s.t", "p29_reasons"} <= set(drawn)


def test_a_score_shows_its_finding_or_the_reason() -> None:
    seen = card()
    drawn = texts(seen["t_closeness"]._repr_html_())
    assert drawn[:5] == ["t-closeness", "Value", "0", "Finding", seen["t_closeness"].summary()]
    assert "s alone" in drawn
    assert seen["classification_accuracy"].summary() in texts(seen["classification_accuracy"]._repr_html_())


def test_a_console_shows_a_scorecard_as_one_line_per_metric() -> None:
    lines = repr(card()).splitlines()
    assert lines[:3] == ["anonymized", "  P_29: 0.75", "  k-anonymity: 2"]
    assert len(lines) == len(METRICS) + 1
    assert repr(card()["classification_accuracy"]) == "Classification accuracy: —"


def test_an_estimate_shows_its_interval() -> None:
    estimated = card(metrics=["classification_accuracy"])["classification_accuracy"]
    assert estimated.interval is not None
    assert "95% interval" in texts(estimated._repr_html_())
    assert card()["k_anonymity"].interval is None


def test_a_scorecard_becomes_a_data_frame_of_one_row_per_metric() -> None:
    seen = card()
    frame = seen.to_pandas()
    assert list(frame.index) == [spec.id for spec in METRICS]
    assert frame.index.name == "metric"
    assert list(frame.columns) == ["title", "family", "value", "low", "high", "range", "direction", "finding"]
    for one in seen:
        row = frame.loc[one.metric.id]
        assert row["value"] is one.value or row["value"] == one.value
        assert row["finding"] == one.summary()
    assert isinstance(frame.loc["profitability", "value"], bool)
    assert frame.loc["classification_accuracy", "value"] is None
    assert frame["low"].notna().to_list() == [one.interval is not None for one in seen]
    estimated = card(metrics=["classification_accuracy"])
    found = estimated.to_pandas().loc["classification_accuracy"]
    assert (found["low"], found["high"]) == estimated["classification_accuracy"].interval


def test_data_frames_of_every_library_can_be_scored_directly() -> None:
    expected = card().to_dict()
    frames = [pd.DataFrame, pl.DataFrame, lambda cells: pl.DataFrame(cells).to_arrow()]
    for make in frames:
        for other in frames:
            assert score(make(CELLS), ROLES, original=other(BEFORE)).to_dict() == expected
    assert score(table(CELLS), ROLES, original=pd.DataFrame(BEFORE)).to_dict() == expected
    numbers = pd.DataFrame({"q": [1, 1, 2], "s": [0.5, np.nan, 0.5]})
    assert score(numbers, Roles(quasi_identifiers=["q"], sensitive=["s"]))["k_anonymity"].value == 1


def test_a_population_can_be_given_as_a_data_frame() -> None:
    people = pd.DataFrame({"q": ["1*"] * 4 + ["2*"] * 9, "r": ["a"] * 4 + [None] * 9})
    given = score(pd.DataFrame(CELLS), ROLES, population=people).aggregates.population
    assert given is not None
    assert (given.name, given.rows) == ("population", 13)


def test_a_table_that_cannot_be_used_is_refused_by_its_part() -> None:
    with pytest.raises(InputError, match=r"^original: "):
        score(pd.DataFrame(CELLS), ROLES, original=pd.DataFrame({"q": [], "r": []}))
    with pytest.raises(InputError, match=r"^anonymized"):
        score(pd.DataFrame({"q": [[1]], "r": ["a"], "s": ["x"]}), ROLES)
    with pytest.raises(InputError, match=r'^anonymized, column "s"'):
        score(pd.DataFrame({"q": ["a"], "r": ["a"]}), ROLES)
