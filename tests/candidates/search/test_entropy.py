"""Bits lost by generalizing and suppressing are those of the definition, record by record."""

import math
from collections import Counter

import numpy as np
import pytest

import metrics
from metrics.candidates.search.evaluation import Evaluation
from metrics.hierarchies.hierarchy import Hierarchy
from tests.candidates.lattices import AGES, STARS
from tests.candidates.search.evaluated import evaluation_of
from tests.support.small_tables import Cells, cells_of, table


def of_column(cells: Cells, hierarchy: Hierarchy) -> Evaluation:
    """The nodes of a table of one quasi-identifier."""
    content = table({"age": cells, "illness": ["flu"] * len(cells)})
    return evaluation_of((content, metrics.Roles(["age"], sensitive=["illness"]), {"age": hierarchy}))


def random_ages(seed: int, number: int = 40) -> list[str]:
    return np.random.default_rng(seed).choice(["21", "25", "33", "61"], number).tolist()


def surprise(labels: Cells, values: Cells) -> float:
    """Bits that are missing to tell the value of each record by its label."""
    of_label, of_pair = Counter(labels), Counter(zip(labels, values, strict=True))
    return sum(math.log2(of_label[label] / of_pair[label, value]) for label, value in zip(labels, values, strict=True))


def loss_at(evaluation: Evaluation, level: int, suppressed: list[bool]) -> float:
    """The loss of a column at a level where classes with these values are suppressed."""
    (of,), classes = evaluation.columns, evaluation.rollup.at((level,))
    held = np.zeros((1, of.width), dtype=np.int64)
    gone = {of.codes[level][of.leaf_code[code]] for code, lost in enumerate(suppressed) if lost}
    kept = np.array([code not in gone for code in classes.codes(evaluation.rollup.fields[0]).tolist()])
    codes = classes.codes(evaluation.rollup.fields[0])
    held[0, codes[kept]] = classes.counts[kept]
    lost = np.array([evaluation.records - int(held.sum())])
    (found,) = evaluation.entropy.of_column(0, np.array([[level]]), held, lost, kept, np.array([0])).tolist()
    return float(found)


def test_records_are_counted_by_the_labels_of_every_level() -> None:
    evaluation = of_column(["21", "25", "33", "33"], AGES)
    (of,), (totals,) = evaluation.columns, evaluation.entropy.totals
    counted = [{label: totals[level][code] for code, label in enumerate(of.labels[level])} for level in range(4)]
    assert counted == [
        {"21": 1, "25": 1, "33": 2},
        {"20-29": 2, "30-39": 2},
        {"20-39": 4},
        {"*": 4},
    ]


def test_the_largest_loss_is_that_of_suppressing_everything() -> None:
    """Each of four different values is one of four: 2 bits each; two columns lose twice as much."""
    assert of_column(["21", "25", "33", "61"], AGES).entropy.largest == 8
    content = table({"age": ["21", "25", "33", "61"], "sex": ["f", "f", "m", "m"], "illness": ["flu"] * 4})
    evaluation = evaluation_of((content, metrics.Roles(["age", "sex"], sensitive=["illness"]), {"age": AGES}))
    assert evaluation.entropy.largest == 8 + 4


@pytest.mark.parametrize("seed", range(5))
def test_a_level_without_suppression_loses_what_its_labels_do_not_tell(seed: int) -> None:
    ages = random_ages(seed)
    evaluation = of_column(ages, AGES)
    (of,) = evaluation.columns
    for level in range(4):
        expected = surprise(cells_of(of.generalized(level)), ages)
        assert loss_at(evaluation, level, [False] * of.column.distinct) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_suppressed_records_lose_the_way_from_their_label_to_the_root_as_well(seed: int) -> None:
    ages = random_ages(seed)
    evaluation = of_column(ages, AGES)
    (of,) = evaluation.columns
    suppressed = [label in ("33", "61") for label in of.column.labels]
    for level in (0, 1):  # on level 2, 33 shares its label with kept values
        labels = cells_of(of.generalized(level))
        gone = [label for label, age in zip(labels, ages, strict=True) if age in ("33", "61")]
        expected = surprise(labels, ages) + surprise(["*"] * len(gone), gone)
        assert loss_at(evaluation, level, suppressed) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("hierarchy", [AGES, STARS], ids=["ages", "stars"])
def test_the_least_loss_is_at_most_that_of_any_node_that_suppresses_these_records(hierarchy: Hierarchy) -> None:
    leaves = [row[0] for row in hierarchy.rows if row[0]]
    random = np.random.default_rng(3)
    cells = random.choice(leaves, 30).tolist()
    evaluation = of_column(cells, hierarchy)
    (of,) = evaluation.columns
    for level in range(of.height + 1):
        for chosen in random.random((10, of.column.distinct)) < 0.4:
            labels = of.codes[level][of.leaf_code]
            suppressed = np.isin(labels, labels[chosen])
            lost = np.bincount(of.leaf_code[of.column.codes][suppressed[of.column.codes]], minlength=of.width)
            least = evaluation.entropy.least(0, lost)[level]
            assert 0 <= least <= loss_at(evaluation, level, suppressed.tolist()) + 1e-9
