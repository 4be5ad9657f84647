"""Suppressed and missing cells as wildcards, against a count of compatible records pair by pair."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from tests.explanations.workings.formulas import assert_derives
from tests.oracle import is_suppressed
from tests.oracle.classes import Record
from tests.support.command_line import call
from tests.support.small_tables import Cells, records, table, written

NAMES = ["q", "r", "s", "t"]
READINGS = st.sampled_from(["value", "wildcard"])


def compatible(one: Record, other: Record, names: list[str], wildcards: set[str | None]) -> bool:
    """As sdcMicro's freqCalc has it: equal in every column, or either cell a wildcard."""
    return all(one[name] == other[name] or {one[name], other[name]} & wildcards for name in names)


def card_of(cells: dict[str, Cells], suppressed: str = "wildcard", missing: str = "value", **more: Any) -> Scorecard:
    parameters = Parameters().with_settings(
        {"classes.suppressed_cell": suppressed, "classes.missing_cell": missing, **more}
    )
    roles = Roles(quasi_identifiers=list(cells))
    return score(table(cells), roles, parameters=parameters, metrics=["k_anonymity", "reidentification_risk"])


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Cells]:
    rows = draw(st.integers(1, 15))
    cell = st.sampled_from(["a", "b", "*", None])
    names = NAMES[: draw(st.integers(1, 4))]
    return {name: draw(st.lists(cell, min_size=rows, max_size=rows)) for name in names}


@given(tables(), READINGS, READINGS)
def test_figures_with_wildcards_equal_those_of_comparing_records_pair_by_pair(
    cells: dict[str, Cells], suppressed: str, missing: str
) -> None:
    names, rows = list(cells), records(cells)
    wildcards = ({"*"} if suppressed == "wildcard" else set()) | ({None} if missing == "wildcard" else set())
    counts = [
        sum(compatible(one, other, names, wildcards) for other in rows if wildcards or not is_suppressed(other, names))
        for one in rows
        if not is_suppressed(one, names)
    ]
    assume(counts)
    card = card_of(cells, suppressed, missing)
    risk: Any = card["reidentification_risk"].result
    each = [1 / count for count in counts]
    assert card["k_anonymity"].value == min(counts)
    assert sorted(np.repeat(risk.people, risk.sizes).tolist()) == sorted(counts)
    assert risk.value == max(each)
    assert risk.prosecutor.average == pytest.approx(sum(each) / len(each), rel=1e-12)
    assert risk.marketer == pytest.approx(sum(each) / len(each), rel=1e-12)
    assert risk.prosecutor.lowest == min(each)
    for at in (0.0, 0.2, 0.5, *each):
        assert risk.curve.above(at) == sum(one > at for one in each)
    for identifier in ("k_anonymity", "reidentification_risk"):
        assert ("wildcards" in card[identifier].details) is bool(wildcards)
        assert_derives(card, identifier)


@given(tables())
def test_wildcards_never_lower_k(cells: dict[str, Cells]) -> None:
    assume(not all(is_suppressed(record, list(cells)) for record in records(cells)))
    plain, wild = card_of(cells, "value"), card_of(cells, "wildcard", "wildcard")
    assert wild["k_anonymity"].value >= plain["k_anonymity"].value
    assert wild["reidentification_risk"].value <= plain["reidentification_risk"].value
    assert wild.aggregates.classes.count == plain.aggregates.classes.count


def test_compatible_is_not_transitive() -> None:
    # The first is compatible with the second, the second with the third, the first with the third not.
    card = card_of({"q": ["a", "*", "b"], "r": ["x", "x", "x"]})
    risk: Any = card["reidentification_risk"].result
    assert sorted(risk.people.tolist()) == [2, 2, 3]
    assert card["k_anonymity"].value == 2
    assert card["k_anonymity"].summary().startswith("Every record is compatible with at least 1 other record (k = 2)")


def test_the_records_suppressed_altogether_are_compatible_with_all() -> None:
    card = card_of({"q": ["a", "b", "*", "*"], "r": ["x", "y", "*", "*"]})
    assert card["k_anonymity"].value == 3
    assert card["reidentification_risk"].details["marketer"] == pytest.approx(1 / 3)


def test_measures_of_each_class_stay_with_equal_values() -> None:
    cells = written("q s\na 1\n* 2\nb 1\nb 2")
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"])
    plain, wild = (
        score(cells, roles, parameters=Parameters().with_settings({"classes.suppressed_cell": reading}))
        for reading in ("value", "wildcard")
    )
    changed = {one.metric.id for one in plain if one.to_dict() != wild[one.metric.id].to_dict()}
    assert changed == {"k_anonymity", "reidentification_risk"}
    assert "classes" in wild["k_anonymity"].metric.settings
    assert json.dumps(wild.to_dict(), allow_nan=False)


def test_many_patterns_of_wildcards_take_no_pairs_of_records() -> None:
    rng = np.random.default_rng(0)
    cells: dict[str, Cells] = {
        name: np.where(rng.random(20_000) < 0.2, "*", rng.integers(0, 6, 20_000).astype(str)).tolist()
        for name in ("a", "b", "c", "d", "e")
    }
    card = card_of(cells)
    risk: Any = card["reidentification_risk"].result
    classes = card.aggregates.class_of_record()
    columns = np.array([cells[name] for name in cells])
    for at in rng.integers(0, 20_000, 20).tolist():
        one = columns[:, [at]]
        count = int(((columns == one) | (columns == "*") | (one == "*")).all(axis=0).sum())
        assert risk.people[classes[at]] == count


def test_the_command_line_reads_suppressed_cells_as_wildcards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("q,r\na,x\n*,x\nb,y\nb,y\n")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q, r]\n")
    arguments = ["score", "--anonymized", str(tmp_path / "a.csv"), "--roles", str(tmp_path / "roles.yaml"), "--json"]
    plain = call(capsys, *arguments).object
    wild = call(capsys, *arguments, "--set", "classes.suppressed_cell=wildcard").object
    assert (plain["metrics"]["k_anonymity"]["value"], wild["metrics"]["k_anonymity"]["value"]) == (1, 2)
