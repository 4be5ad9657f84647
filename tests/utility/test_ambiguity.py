"""Ambiguity against the oracle, how combinations are spread over records, and how their number is told."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import event, given

from metrics import Roles, score
from metrics.hierarchies.domain import Coverage
from metrics.utility.ambiguity.measure import Ambiguity, ambiguity, ambiguity_totals, combinations_summary, format_power
from tests.oracle.utility import ambiguity as oracle
from tests.support.against_oracle import domain_cells, near
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, records, table, written


def test_worked_example() -> None:
    original = written("age sex\n1 m\n2 f\n3 f\n4 m")
    released = written("age sex\n1-2 m\n1-2 f\n3-4 *\n* *")
    found = score(released, Roles(["age", "sex"]), original=original)["ambiguity"]
    combinations = 2 * 1 + 2 * 1 + 2 * 2 + 4 * 2
    assert found.details["mean_combinations"] == combinations / 4
    assert found.value == pytest.approx(1 - (combinations - 4) / (4 * 4 * 2 - 4))


@given(pair_scenes())
def test_mean_ambiguity_follows_from_its_distribution_over_records(scene: Scene) -> None:
    result = scene.score("ambiguity")["ambiguity"].result
    if not isinstance(result, Ambiguity):
        return
    assert result.records.sum() == scene.rows
    mean = math.fsum(10.0**result.log10_combinations * result.records) / scene.rows
    assert mean == pytest.approx(result.mean_combinations, rel=1e-9)
    each = np.repeat(result.log10_combinations, result.records)
    assert result.log10_median == sorted(each)[(len(each) - 1) // 2]
    assert each.max() <= result.log10_largest + 1e-9


def test_the_spread_of_the_worked_example_equals_that_of_the_oracle() -> None:
    before: dict[str, Cells] = {"born": ["1970", "1981", "1983", "1988"], "sex": ["m", "f", "f", "m"]}
    after: dict[str, Cells] = {"born": ["1970 - 1979", "1980 - 1989", "1980 - 1989", "*"], "sex": ["m", "f", "*", "*"]}
    roles = Roles(quasi_identifiers=["born", "sex"])
    result = score(table(after), roles, original=table(before))["ambiguity"].result
    assert isinstance(result, Ambiguity)
    spread = Counter[int]()
    for log, number in zip(result.log10_combinations.tolist(), result.records.tolist(), strict=True):
        spread[round(10**log)] += number
    assert spread == {10: 2, 20: 1, 40: 1}
    original, anonymized = (
        [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)] for cells in (before, after)
    )
    assert oracle(original, anonymized, ["born", "sex"], {}).mean_combinations == 20


def test_deleted_records_count_as_the_whole_domain_and_come_last() -> None:
    original = table({"id": ["1", "2", "3"], "q": ["a", "b", "c"]}, "original")
    anonymized = table({"id": ["2"], "q": ["b"]}, "anonymized")
    result = score(anonymized, Roles(quasi_identifiers=["q"], key="id"), original=original)["ambiguity"].result
    assert isinstance(result, Ambiguity)
    assert result.records.tolist() == [1, 2]
    assert result.log10_combinations == pytest.approx([0, math.log10(3)])
    assert result.mean_combinations == pytest.approx(7 / 3)


def test_more_combinations_than_a_double_can_hold_are_counted() -> None:
    names = [f"q{i}" for i in range(120)]
    cells: dict[str, Cells] = {name: ["x", "*"] for name in names}
    content = table(cells)
    combinations = score(content, Roles(quasi_identifiers=names)).aggregates.relation.count(names)
    covered = {
        column.name: Coverage(np.where(np.array(column.labels) == "*", 1e4, 1.0), 10_000, "hierarchy")
        for column in combinations.columns
    }
    cells = {name: np.ones(2, dtype=np.int64) for name in names}
    result = ambiguity(ambiguity_totals(combinations, covered), cells, covered)
    assert sorted(result.log10_combinations) == pytest.approx([0, 480])
    assert result.log10_mean_combinations == pytest.approx(480 - math.log10(2))
    assert math.isinf(result.mean_combinations)
    assert "10⁴⁸⁰ combinations of values" in result.summary()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1"),
        (12.5, "12.5"),
        (1879.68, "1,880"),
        (218_722.56, "218,723"),
        (35_083_235, "35.1 million"),
        (140_000_000, "140 million"),
        (2.5e9, "2.5 billion"),
        (999.9e12, "1000 trillion"),
        (3e15, "10¹⁵"),
        (1e27, "10²⁷"),
    ],
)
def test_large_numbers_are_written_with_million_billion_or_a_power_of_ten(number: float, text: str) -> None:
    assert format_power(math.log10(number)) == text


def test_the_number_of_combinations_is_in_the_singular_or_plural() -> None:
    assert combinations_summary(0.0) == "1 combination of values"
    assert combinations_summary(math.log10(2)) == "2 combinations of values"


@given(pair_scenes())
def test_the_mean_number_of_combinations_equals_that_of_the_oracle(scene: Scene) -> None:
    original, anonymized, strange, fits = domain_cells(scene)
    score = scene.score("ambiguity")["ambiguity"]
    event(f"available: {fits}")
    assert (score.unavailable is None) is fits
    if not fits:
        return
    expected = oracle(records(original), records(anonymized), scene.quasi_identifiers, scene.hierarchies)
    assert score.value == near(expected.score)
    assert score.details["mean_combinations"] == near(expected.mean_combinations)
    assert score.details["log10_mean_combinations"] == near(math.log10(expected.mean_combinations))
    for name in scene.quasi_identifiers:
        alone = oracle(records(original), records(anonymized), [name], scene.hierarchies)
        assert score.attributes[name] == (None if name in strange else near(alone.score))
