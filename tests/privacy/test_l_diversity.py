"""The four l-diversities of every class, against the oracle."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Roles, Table, k_rr, score
from metrics.explanations.findings import findings
from metrics.metric import FindingKind
from tests import oracle
from tests.privacy.others_known import assert_others_known
from tests.support.against_oracle import (
    class_rows,
    keys,
    near,
    no_class,
)
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    released = written("age illness\n20-29 flu\n20-29 flu\n20-29 cold")
    card = score(released, Roles(["age"], ["illness"]))
    entropy = -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))
    assert card["distinct_l_diversity"].value == 2
    assert card["entropy_l_diversity"].value == pytest.approx(math.exp(entropy))
    assert card["normalized_entropy_l_diversity"].value == pytest.approx(entropy / math.log(2))
    # The most frequent value over all but the l - 1 = 1 most frequent ones.
    assert card["recursive_cl_diversity"].value == 2 / 1


L_DIVERSITIES = (
    "distinct_l_diversity",
    "entropy_l_diversity",
    "normalized_entropy_l_diversity",
    "recursive_cl_diversity",
)


@given(sensitive_scenes(), st.integers(2, 4))
def test_every_class_is_as_diverse_as_the_oracle_finds_it(scene: Scene, l: int) -> None:  # noqa: E741
    card = scene.score(*L_DIVERSITIES, "p29", **{"recursive_cl_diversity.l": l})
    if no_class(card, scene):
        return

    def recursive(*given: Any) -> Any:
        return oracle.recursive_cl_diversity(*given, l)

    of_classes = keys(card)
    for identifier in L_DIVERSITIES:
        judge = recursive if identifier == "recursive_cl_diversity" else getattr(oracle, identifier)
        result: Any = card[identifier].result
        worst = []
        for attribute in scene.sensitive:
            judged = judge(scene.records, scene.quasi_identifiers, attribute)
            worst.append(judged.value)
            assert card[identifier].attributes[attribute] == near(judged.value)
            found = dict(zip(of_classes, map(float, result.per_class[attribute]), strict=True))
            assert found == {
                key: math.inf if figure is None else near(figure) for key, figure in judged.per_class.items()
            }
        if identifier == "recursive_cl_diversity":
            known = [figure for figure in worst if figure is not None]
            assert card[identifier].value == near(max(known) if len(known) == len(worst) else None)
            assert card[identifier].details == {"l": l, "others_as_quasi_identifiers": False}
        else:
            assert card[identifier].value == near(min(worst))
    for attribute in scene.sensitive:
        distinct = oracle.distinct_l_diversity(scene.records, scene.quasi_identifiers, attribute).per_class
        normalized = oracle.normalized_entropy_l_diversity(scene.records, scene.quasi_identifiers, attribute)
        for key, row in class_rows(card).items():
            assert row[f"{attribute}.distinct"] == distinct[key]
            assert row[f"{attribute}.normalized_entropy"] == near(normalized.per_class[key])


@given(sensitive_scenes(30))
def test_with_all_other_sensitive_attributes_known_the_least_diverse_part_of_a_class_counts(scene: Scene) -> None:
    assert_others_known(scene, {identifier: getattr(oracle, identifier) for identifier in L_DIVERSITIES})


def test_a_class_reveals_no_value_that_is_suppressed_or_drawn_at_random() -> None:
    def found(released: Table) -> list[str]:
        card = score(released, Roles(["age"], ["illness", "stay"]))
        return [each.sentence for each in findings(card, kinds=[FindingKind.ATTRIBUTE_DISCLOSURE])]

    cells: dict[str, Cells] = {"age": ["20"] * 4 + ["30"] * 4, "illness": ["flu"] * 4 + ["cold"] * 4}
    (both,) = found(table({**cells, "stay": ["1"] * 8}))
    assert "reveals illness or stay (8 in 2 classes)" in both
    (one,) = found(table({**cells, "illness": ["flu"] * 5 + ["cold"] * 3, "stay": ["*"] * 8}))
    assert "reveals illness (4 in 1 class)" in one
    drawn = table({**cells, "stay": ["*"] * 8}).randomized({"illness": k_rr(["flu", "cold"], 1)})
    assert found(drawn) == []
    fact = score(drawn, Roles(["age"], ["illness"]))["distinct_l_diversity"]
    assert fact.summary() == "In 2 of 2 classes, all records share one value of a sensitive attribute (l = 1)."
