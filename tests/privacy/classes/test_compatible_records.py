"""Suppressed and missing cells as wildcards, against a count of compatible records pair by pair."""

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from metrics.policy.policy import Policy
from tests.oracle import is_suppressed
from tests.oracle.classes import Record
from tests.oracle.population import expected_inverse
from tests.support.command_line import call
from tests.support.small_tables import Cells, records, table, written
from tests.working.formulas import assert_derives

NAMES = ["q", "r", "s", "t"]
READINGS = st.sampled_from(["value", "wildcard"])


def compatible(one: Record, other: Record, names: list[str], wildcards: set[str | None]) -> bool:
    """Equal in every column, or either cell a wildcard; a record of wildcards alone counts for no other kind."""
    if is_suppressed(other, names):
        return False
    if all(other[name] in wildcards for name in names) and not all(one[name] in wildcards for name in names):
        return False
    return all(one[name] == other[name] or {one[name], other[name]} & wildcards for name in names)


def card_of(
    cells: dict[str, Cells], suppressed: str = "wildcard", missing: str = "value", weights: Cells | None = None
) -> Scorecard:
    parameters = Parameters().with_settings({"classes.suppressed_cell": suppressed, "classes.missing_cell": missing})
    roles = Roles(quasi_identifiers=list(cells), weight=None if weights is None else "weight")
    columns = cells if weights is None else {**cells, "weight": weights}
    return score(table(columns), roles, parameters=parameters, metrics=["k_anonymity", "reidentification_risk"])


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Cells]:
    rows = draw(st.integers(1, 15))
    cell = st.sampled_from(["a", "b", "*", None])
    names = NAMES[: draw(st.integers(1, 4))]
    return {name: draw(st.lists(cell, min_size=rows, max_size=rows)) for name in names}


@given(tables(), READINGS, READINGS, st.lists(st.integers(1, 9), min_size=15, max_size=15))
def test_figures_with_wildcards_equal_those_of_comparing_records_pair_by_pair(
    cells: dict[str, Cells], suppressed: str, missing: str, weights: list[int]
) -> None:
    names, rows = list(cells), records(cells)
    wildcards = ({"*"} if suppressed == "wildcard" else set()) | ({None} if missing == "wildcard" else set())
    kept = [one for one in rows if not is_suppressed(one, names)]
    assume(kept)
    weighed = list(zip(rows, weights, strict=False))
    peers = [[weight for other, weight in weighed if compatible(one, other, names, wildcards)] for one in kept]
    counts = [len(weights_of_peers) for weights_of_peers in peers]
    card = card_of(cells, suppressed, missing, [str(weight) for _, weight in weighed])
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
    by_weight = [expected_inverse(len(peer), len(peer) / sum(peer)) for peer in peers]
    assert sorted(np.repeat(risk.individual.per_class, risk.sizes)) == pytest.approx(sorted(by_weight), rel=1e-9)
    assert risk.individual.expected == pytest.approx(sum(by_weight), rel=1e-9)


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


@pytest.mark.parametrize(("cell", "suppressed", "missing"), [("*", "wildcard", "value"), (None, "value", "wildcard")])
def test_records_of_wildcards_alone_are_no_ones_companions(cell: str | None, suppressed: str, missing: str) -> None:
    card = card_of({"q": ["a", "b", *[cell] * 1000], "r": ["x", "y", *[cell] * 1000]}, suppressed, missing)
    assert card["k_anonymity"].value == 1
    assert card["reidentification_risk"].value == 1
    assert Policy("Five", {"k_anonymity": 5}).check(card).failed


def test_suppressed_records_do_not_join_those_suppressed_in_part() -> None:
    card = card_of({"q": ["a", "a", "*", "*"], "r": ["x", "*", "*", "*"]})
    assert card["k_anonymity"].value == 2
    assert card["k_anonymity"].summary().startswith("Every unsuppressed record is compatible with at least 1 other")
    with_one_column = card_of({"q": ["a", "a", "a", "b", "*", "*"]})
    assert with_one_column["k_anonymity"].value == 1


def test_measures_of_each_class_stay_with_equal_values() -> None:
    cells = written("q r s\na x 1\n* x 2\nb y 1\nb y 2")
    roles = Roles(quasi_identifiers=["q", "r"], sensitive=["s"])
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
        matches = ((columns == one) | (columns == "*") | (one == "*")).all(axis=0) & ~(columns == "*").all(axis=0)
        assert risk.people[classes[at]] == int(matches.sum())


def test_the_command_line_reads_suppressed_cells_as_wildcards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("q,r\na,x\n*,x\nb,y\nb,y\n")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [q, r]\n")
    arguments = ["score", "--anonymized", str(tmp_path / "a.csv"), "--roles", str(tmp_path / "roles.yaml"), "--json"]
    plain = call(capsys, *arguments).object
    wild = call(capsys, *arguments, "--set", "classes.suppressed_cell=wildcard").object
    assert (plain["metrics"]["k_anonymity"]["value"], wild["metrics"]["k_anonymity"]["value"]) == (1, 2)


def test_an_engine_gives_the_figures_of_memory_or_says_that_classes_are_too_many() -> None:
    connection = duckdb.connect()
    cells = connection.sql(
        "SELECT CASE WHEN i % 5 < 2 THEN '*' ELSE (i % 3)::VARCHAR END AS q, "
        "CASE WHEN i % 7 < 2 THEN '*' ELSE (i % 4)::VARCHAR END AS r, "
        "1 + i % 9 AS w FROM range(200) AS t(i)"
    )
    roles = Roles(quasi_identifiers=["q", "r"], weight="w")
    parameters = Parameters().with_settings({"classes.suppressed_cell": "wildcard"})
    in_memory = score(cells.to_arrow_table(), roles, parameters=parameters)
    assert in_memory.aggregates.classes.suppressed
    assert in_memory["reidentification_risk"].details["individual"]
    in_engine = score(cells, roles, parameters=parameters)
    for identifier in ("k_anonymity", "reidentification_risk"):
        assert in_engine[identifier].to_dict() == in_memory[identifier].to_dict()
    divided = score(cells, roles, parameters=parameters, max_classes=3)
    assert divided["k_anonymity"].unavailable
    assert divided["reidentification_risk"].unavailable
