"""Risks of records, listed one by one: of the prosecutor, the marketer and the journalist."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import Parameters, Roles, score
from metrics.privacy.reidentification_risk.measure import reidentification_risk
from tests.oracle import equivalence_classes
from tests.oracle import population as oracle
from tests.privacy.samples import ROLES as SAMPLED_ROLES
from tests.privacy.samples import SAMPLE, Sampled, samples
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import Cells, table, written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    released = written("age\n20-29\n20-29\n30-39\n30-39\n30-39")
    found = score(released, Roles(["age"]))["reidentification_risk"]
    assert found.value == max(1 / 2, 1 / 3)
    assert found.details["prosecutor"]["average"] == pytest.approx((2 * 1 / 2 + 3 * 1 / 3) / 5)


THRESHOLDS = st.sampled_from([0, 0.05, 0.09, 0.1, 0.2, 0.25, 0.334, 0.5, 1])


@given(sensitive_scenes(24), THRESHOLDS)
def test_prosecutor_and_marketer_risks_equal_those_found_record_by_record(scene: Scene, threshold: float) -> None:
    card = scene.score("reidentification_risk", **{"reidentification_risk.threshold": threshold})
    own = {key: len(of) for key, of in equivalence_classes(scene.records, scene.quasi_identifiers)}
    score_of = card["reidentification_risk"]
    assert_derives(card, "reidentification_risk")
    if not own:
        assert score_of.unavailable
        return
    expected = oracle.risk(own, own, threshold)
    details = score_of.details
    assert score_of.value == float(expected.highest)
    assert details["prosecutor"] == {name: pytest.approx(float(of)) for name, of in vars(expected).items()}
    assert details["marketer"] == pytest.approx(len(own) / sum(own.values()))
    assert (details["journalist"], details["individual"], details["refused"]) == (None, None, {})
    result: Any = score_of.result
    assert result.per_class[""].tolist() == [1 / size for size in card.aggregates.classes.sizes]


@given(st.lists(st.integers(1, 12), min_size=1, max_size=30), st.floats(0, 1))
def test_the_curve_counts_the_records_above_any_threshold(sizes: list[int], threshold: float) -> None:
    curve = reidentification_risk(np.array(sizes)).curve
    for at in (threshold, 0.0, *curve.thresholds.tolist(), *np.nextafter(curve.thresholds, 0).clip(0).tolist()):
        assert curve.above(at) == sum(size for size in sizes if 1 / size > at)
    assert (np.diff(curve.thresholds) > 0).all()
    assert (np.diff(curve.records) < 0).all()
    assert curve.shares[0] == 1
    assert curve.above(1) == 0


def test_a_record_is_at_risk_strictly_above_the_threshold() -> None:
    sizes = np.array([5, 10, 11, 12])
    shares = [reidentification_risk(sizes, t).prosecutor.records_at_risk for t in (0.2, 0.199, 0.1, 0.09)]
    assert shares == [0, 5 / 38, 5 / 38, 26 / 38]


def test_a_threshold_that_is_set_decides_which_records_are_at_risk() -> None:
    cells: dict[str, Cells] = {"q": ["a"] * 4 + ["b"]}
    parameters = Parameters().with_settings({"reidentification_risk.threshold": 0.3})
    card = score(table(cells), Roles(quasi_identifiers=["q"]), parameters=parameters)
    assert card["reidentification_risk"].details["prosecutor"]["records_at_risk"] == 0.2
    assert card["reidentification_risk"].details["threshold"] == 0.3
    finding = card["reidentification_risk"].summary()
    assert all(figure in finding for figure in ("100%", "40%", "20%", "threshold (30%)"))


@pytest.mark.parametrize(("suppressed", "whose"), [(0, "No record"), (1, "No unsuppressed record")])
def test_where_no_record_is_at_risk_the_finding_says_so(suppressed: int, whose: str) -> None:
    card = score(table({"q": ["a"] * 5 + ["*"] * suppressed}), Roles(quasi_identifiers=["q"]))
    assert card["reidentification_risk"].summary().endswith(f"{whose} has a risk above 20%.")


@given(samples())
def test_the_journalist_risk_equals_that_found_person_by_person(scene: Sampled) -> None:
    card, expected = scene.score("reidentification_risk"), scene.expected
    assume(expected.own)
    journalist = oracle.risk(expected.sizes, expected.own, 0.2)
    assert card["reidentification_risk"].unavailable is None
    assert card["reidentification_risk"].details["journalist"] == {
        name: pytest.approx(float(figure)) for name, figure in vars(journalist).items()
    }
    assert_derives(card, "reidentification_risk")


def test_without_a_population_journalist_risk_is_not_available() -> None:
    details = score(SAMPLE, SAMPLED_ROLES)["reidentification_risk"].details
    assert details["journalist"] is None
    assert details["refused"] == {}


def test_the_journalist_average_is_the_mean_and_not_the_larger_average_of_arx() -> None:
    """ARX, after El Emam, takes the larger of the mean and of the classes over the people whom they cover."""
    sizes, people = np.array([1, 999]), np.array([10, 1_000])
    result = reidentification_risk(sizes, population=people)
    assert result.journalist is not None
    mean = (1 / 10 + 999 / 1_000) / 1_000
    assert result.journalist.average == pytest.approx(mean)
    assert len(sizes) / people.sum() > 1.5 * mean
    assert result.marketer == 2 / 1_000
