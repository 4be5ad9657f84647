"""P_29 and its parts, against the oracle; why classes violate, in words, as Python writes each."""

import math

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Roles, score
from metrics.config.parameters import CellReading, ClassParameters, P29Parameters, Parameters
from metrics.privacy.p29.measure import P29Components, p29
from metrics.scoring.working import decisive_subject
from metrics.texts import text
from tests import oracle
from tests.support.against_oracle import (
    class_rows,
    near,
    no_class,
)
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import written


def test_worked_example() -> None:
    released = written("""
        age   illness
        20-29 flu
        20-29 cold
        30-39 flu
        30-39 cold
        30-39 cold
    """)
    k = 2
    entropies = [1, -(1 / 3 * math.log2(1 / 3) + 2 / 3 * math.log2(2 / 3))]  # each over log2 of two illnesses
    distances = [1, 0]  # 1/10 and 1/15 from the whole table, spread from 0 for the closest to 1 for the farthest
    assert score(released, Roles(["age"], ["illness"]))["p29"].value == pytest.approx(
        0.5 * (1 - 1 / k) + 0.25 * sum(entropies) / 2 + 0.25 * (1 - sum(distances) / 2)
    )


def test_its_working_begins_with_the_smallest_class_by_equal_values_also_with_wildcards() -> None:
    released = written("""
        age   sex illness
        20-29 f   flu
        20-29 f   flu
        20-29 f   cold
        20-29 f   cold
        30-39 m   flu
        30-39 m   flu
        30-39 m   cold
        *     f   flu
        *     f   cold
    """)
    parameters = Parameters(classes=ClassParameters(suppressed_cell=CellReading.WILDCARD))
    card = score(released, Roles(["age", "sex"], ["illness"]), parameters=parameters)
    smallest = int(card.aggregates.classes.sizes.argmin())
    assert decisive_subject(card, "p29").index == smallest != decisive_subject(card, "k_anonymity").index


MIDDLES = [0.00005, 0.00015, 0.12345, 0.50005, 0.99995, 1 / 3, 2 / 3, 1.0]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 3),
            st.sampled_from([0.0, 0.5]),
            st.one_of(st.sampled_from(MIDDLES), st.integers(0, 20_000).map(lambda n: n / 20_000), st.floats(0, 1)),
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from([0.0, 0.00004, 0.2, 0.5]),
)
def test_reasons_made_for_all_classes_at_once_equal_those_of_each_class(
    classes: list[tuple[int, float, float]], most: float
) -> None:
    sizes, entropies, distances = (np.array(values) for values in zip(*classes, strict=True))
    components = P29Components(sizes, {"illness": entropies}, {"illness": distances})
    result = p29(components, P29Parameters(t_max=most))
    expected = []
    for size, entropy, distance in classes:
        reasons = ["k = 1"] * (size == 1) + ["l = 0 for illness"] * (entropy == 0)
        far = text("p29.reason_t", distance=f"{distance:.4f}", limit=most, column="illness")
        reasons += [far] * (distance > most)
        expected.append("; ".join(reasons))
    assert result.reason_texts().to_pylist() == expected
    chosen = np.arange(len(classes))[::-2]
    assert result.reason_texts(chosen).to_pylist() == [expected[place] for place in chosen]
    assert result.reason_texts(np.arange(0)).to_pylist() == []


@given(sensitive_scenes(), st.integers(0, 100), st.integers(0, 100), st.integers(0, 20))
def test_the_score_and_its_parts_equal_those_of_the_oracle(scene: Scene, one: int, other: int, twentieths: int) -> None:
    low, high = sorted((one, other))
    weights = {"w_k": f"{low / 100}", "w_l": f"{(high - low) / 100}", "w_t": f"{(100 - high) / 100}"}
    given = {**weights, "t_max": f"{twentieths / 20}"}
    card = scene.score("p29", **{f"p29.{name}": value for name, value in given.items()})
    if no_class(card, scene):
        return
    expected = oracle.p29(scene.records, scene.quasi_identifiers, scene.sensitive, **given)
    event(f"score above 0: {expected.score > 0}")
    score = card["p29"]
    assert score.value == near(expected.score)
    assert score.attributes == {name: near(of) for name, of in expected.nl_per_attribute.items()}
    details = score.details
    for name, figure in {
        "k_min": expected.k_min,
        "Nk": expected.nk,
        "Nl": expected.nl,
        "Nt": expected.nt,
        "min_l": expected.smallest_l,
        "max_t": expected.largest_t,
        "violating_classes": len(expected.violating_classes),
        "violating_records": expected.violating_records,
    }.items():
        assert details[name] == near(figure), name
    assert details["attribute_t"] == {name: near(of) for name, of in expected.nt_per_attribute.items()}
    conditions = {condition for reasons in expected.violating_classes.values() for condition, _ in reasons}
    assert {condition for condition, count in details["violating_by_condition"].items() if count} == conditions
    assert len(details["reasons"]) == len(conditions)
    if not conditions:
        assert math.fsum(details["terms"].values()) == near(expected.score)
    found = {key: reasons_of(row["p29_reasons"]) for key, row in class_rows(card).items() if row["p29_reasons"]}
    assert found == {key: set(reasons) for key, reasons in expected.violating_classes.items()}


def reasons_of(message: str) -> set[tuple[str, str | None]]:
    """The gates, and the attributes after "for", of a class's reasons in words."""
    parts = [part.removeprefix("variational ") for part in message.split("; ")]
    return {(part[0], part.partition(" for ")[2] or None) for part in parts}


def test_conditions_that_no_class_fails_are_not_counted() -> None:
    components = P29Components(
        np.array([1, 3, 3]), {"illness": np.array([0.0, 0.5, 0.5])}, {"illness": np.array([0.2, 0.2, 0.9])}
    )
    distant = text("p29.violations_t", distant=1, limit=0.5)
    only_distant = P29Components(np.array([2, 3, 3]), {"illness": np.array([0.5, 0.5, 0.5])}, components.distance)
    assert p29(only_distant).violation_summary() == text("p29.violations", failing=1, records=3, reasons=distant)
    alone = text("p29.violations_k", single_record=1), text("p29.violations_l", single_value=1)
    both = text("p29.violations", failing=1, records=1, reasons=" and ".join(alone))
    near_enough = p29(components, P29Parameters(t_max=0.9))
    assert near_enough.violation_summary() == text("p29.violations_of_several", violations=both)
