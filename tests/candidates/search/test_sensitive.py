"""Sensitive values in the classes of a node are those of its generalized records."""

import math
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.candidates.limits.enforced import K, L
from metrics.candidates.search import sensitive
from metrics.candidates.search.evaluation import Evaluation
from metrics.candidates.search.sensitive import SensitiveCounts
from metrics.config.parameters import GroundDistance, Parameters, TClosenessParameters
from metrics.counting.histograms import Histogram
from metrics.tables.table import Floats
from tests.candidates.lattices import AGES, SENSITIVE, Original, originals
from tests.candidates.search.evaluated import Node, evaluation_of, every_node, groups_at
from tests.support.small_tables import table

PEOPLE = table(
    {
        "age": ["21", "25", "21", "25", "33", "33"],
        "illness": ["flu", "flu", "cold", "cold", "flu", "flu"],
    }
)
ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])


def counts_of(evaluation: Evaluation, original: Original, parameters: Parameters | None = None) -> SensitiveCounts:
    attributes = [original[0][name] for name in original[1].sensitive]
    return SensitiveCounts(evaluation.relation, evaluation.columns, attributes, {}, parameters or Parameters())


def class_labels(evaluation: Evaluation, node: Node) -> list[tuple[str, ...]]:
    """The labels of each class, in their order."""
    classes = evaluation.rollup.at(node)
    by_column = [
        [of.labels[level][code] for code in classes.codes(field)]
        for of, level, field in zip(evaluation.columns, node, evaluation.rollup.fields, strict=True)
    ]
    return list(zip(*by_column, strict=True))


@given(originals(), st.randoms(use_true_random=False))
def test_values_are_counted_within_the_chosen_classes_of_every_node(original: Original, random: Random) -> None:
    evaluation = evaluation_of(original)
    counts = counts_of(evaluation, original)
    for node in every_node(evaluation):
        labels, groups = class_labels(evaluation, node), groups_at(original, evaluation, node)
        members = {tuple(label or "" for label in key): group for key, group in groups.items()}
        chosen = np.array([random.random() < 0.7 for _ in labels])
        own = [members[label] for label, of in zip(labels, chosen, strict=True) if of]
        for name, histogram in counts.histograms(node, chosen).items():
            cells = zip(histogram.group.tolist(), histogram.code.tolist(), histogram.count.tolist(), strict=True)
            found = {(group, histogram.column.labels[code]): count for group, code, count in cells}
            assert found == Counter((place, record[name]) for place, group in enumerate(own) for record in group)
            assert histogram.sizes.tolist() == [len(group) for group in own]
        expected = [[len({record[name] for record in members[label]}) for label in labels] for name in SENSITIVE]
        assert [distinct.tolist() for distinct in counts.distinct(node)] == expected


def test_the_figures_of_a_node_are_those_computed_by_hand() -> None:
    """On level 1, four people in their twenties have flu or cold, evenly; both in their thirties have flu."""
    original: Original = (PEOPLE, ROLES, {"age": AGES})
    evaluation = evaluation_of(original)
    counts = counts_of(evaluation, original)
    ((twenties,),) = [np.flatnonzero([label == ("20-29",) for label in class_labels(evaluation, (1,))])[:, None].T]
    both, young = np.ones(2, dtype=bool), np.arange(2) == twenties
    found = counts.figures([((1,), both), ((1,), young), None])
    assert found["distinct_l_diversity"].tolist() == [1, 2, 0]
    assert found["entropy_l_diversity"] == pytest.approx([1, 2, math.nan], nan_ok=True)
    assert found["normalized_entropy_l_diversity"] == pytest.approx([0, 1, math.nan], nan_ok=True)
    # Of all six, a third has cold: half in the twenties, nobody in the thirties.
    assert found["t_closeness"] == pytest.approx([1 / 3, 0, math.nan], nan_ok=True)
    assert found["p29"][0] == 0  # a class of a single value misses its conditions
    assert found["p29"][1] > 0
    assert math.isnan(found["p29"][2])


def test_a_rule_keeps_no_class_whose_records_are_suppressed_anyway() -> None:
    original: Original = (PEOPLE, ROLES, {"age": AGES})
    evaluation = evaluation_of(original)
    counts = counts_of(evaluation, original)
    by_label = dict(enumerate(label for (label,) in class_labels(evaluation, (1,))))
    for rule, expected in (({K: 2}, {"20-29", "30-39"}), ({K: 2, L: 2}, {"20-29"})):
        kept = counts.kept((1,), np.ones(2, dtype=bool), rule)
        assert {by_label[place] for place in np.flatnonzero(kept)} == expected
        assert not counts.kept((1,), np.zeros(2, dtype=bool), rule).any()


def test_where_a_distance_does_not_apply_only_t_is_missing() -> None:
    original: Original = (PEOPLE, ROLES, {"age": AGES})
    evaluation = evaluation_of(original)
    ordered = Parameters(t_closeness=TClosenessParameters(distance={"illness": GroundDistance.ORDERED}))
    found = counts_of(evaluation, original, ordered).figures([((1,), np.ones(2, dtype=bool))])
    assert math.isnan(found["t_closeness"][0])
    assert found["distinct_l_diversity"].tolist() == [1]


@pytest.mark.parametrize(("about", "worst"), [(("pay", "illness"), 1.0), (("pay",), 2.0), ((), math.nan)])
def test_attributes_that_a_measure_is_not_about_do_not_count(
    monkeypatch: pytest.MonkeyPatch, about: tuple[str, ...], worst: float
) -> None:
    """At the top, six people have two amounts of pay and one illness."""
    figures = dict(sensitive._FIGURES)

    def about_some(histogram: Histogram, *_: Any) -> Floats:
        return np.where(histogram.column.name in about, histogram.distinct, np.nan)

    for measure in ("entropy_l_diversity", "distinct_l_diversity"):
        monkeypatch.setitem(figures, measure, about_some)
    monkeypatch.setattr(sensitive, "_FIGURES", figures)
    people = {"age": ["21", "25", "21", "25", "33", "33"], "pay": ["1", "2"] * 3, "illness": ["flu"] * 6}
    original: Original = (table(people), metrics.Roles(["age"], ["pay", "illness"]), {"age": AGES})
    found = counts_of(evaluation_of(original), original).figures([((3,), np.ones(1, dtype=bool))])
    assert found["entropy_l_diversity"] == pytest.approx([worst], nan_ok=True)
    assert found["distinct_l_diversity"].tolist() == [0 if math.isnan(worst) else worst]
