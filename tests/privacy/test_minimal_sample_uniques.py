"""Minimal sample uniques and the scores of SUDA, against a slow version and books."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from metrics.config.parameters import SampleUniquesParameters
from metrics.privacy.minimal_sample_uniques.measure import (
    MINIMAL_SAMPLE_UNIQUES,
    MinimalSampleUniques,
    msu_weights,
    spread_risk,
)
from metrics.scoring.scorecard import score_aggregates
from tests.oracle import uniqueness as oracle
from tests.privacy.subsets import GUIDE, assert_progress, assert_without_suppressed, kept_of, no_class, scored
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import Cells, records, written


def test_worked_example() -> None:
    released = written("""
        age sex
        20  f
        20  f
        20  m
        30  m
    """)
    found = score(released, Roles(["age", "sex"]), metrics=["minimal_sample_uniques"])["minimal_sample_uniques"]
    # Only the last record is 30, and only the third is 20 and m, of which neither is unique by itself.
    assert found.value == 2 / 4
    assert found.details["by_size"] == [1, 1]


UNIQUES = "minimal_sample_uniques"


def uniques(card: Scorecard) -> MinimalSampleUniques:
    result = card[UNIQUES].result
    assert isinstance(result, MinimalSampleUniques)
    return result


# Published examples


@pytest.mark.parametrize("most", [3, 4])
def test_scores_equal_those_of_the_sdc_practice_guide(most: int) -> None:
    # Benschop, Machingauta, Welch: Statistical disclosure control: a practice guide, table 4.5.
    result = uniques(scored(GUIDE, **{f"{UNIQUES}.max_columns": most}))
    card = scored(GUIDE, **{f"{UNIQUES}.max_columns": most})
    scores = result.scores[card.aggregates.class_of_record()]
    assert scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert (result.value, result.records) == (0.4, 4)


def test_dis_scores_equal_those_of_the_sdc_practice_guide() -> None:
    # They are spread by the scores that sdcMicro had before version 5.0.3: an MSU of k of 4 columns added
    # (2^(4-k) - 1) k! (4-k)! / 4!, which is 7/4 for one column and 1/2 for two.
    result = uniques(scored(GUIDE))
    older = spread_risk(result.found @ np.array([7 / 4, 1 / 2, 1 / 4]), result.uniques, result.risk, 4)
    dis = older[scored(GUIDE).aggregates.class_of_record()]
    assert np.round(dis, 4).tolist() == [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]


def test_scores_equal_those_of_templs_book() -> None:
    # M. Templ, Statistical disclosure control for microdata, 2017, as sdcMicro's tests have it.
    columns: dict[str, Cells] = {
        "age": ["20s"] * 7 + ["60s"],
        "gender": ["m"] * 4 + ["f"] * 3 + ["m"],
        "income": ["50k+"] * 2 + ["50k-"] * 6,
        "education": ["high"] * 4 + ["university", "high", "middle", "university"],
    }
    card = scored(columns, **{f"{UNIQUES}.max_columns": 4})
    scores = uniques(card).scores[card.aggregates.class_of_record()]
    assert scores[4:].tolist() == [4, 2, 6, 8]


@pytest.mark.parametrize("order", ["abc", "acb", "cab", "cba"])
def test_columns_contribute_as_in_the_tests_of_sdcmicro(order: str) -> None:
    cells: dict[str, Cells] = {"a": ["2", "1", "1"], "b": ["0", "3", "0"], "c": ["0", "6", "0"]}
    result = uniques(scored(cells, list(order)))
    assert result.attributes == {"a": 0.5, "b": 0.375, "c": 0.375}


def test_a_unique_set_of_fewer_columns_weighs_more() -> None:
    assert msu_weights(4, 3).tolist() == [6, 2, 1]
    assert msu_weights(4, 4).tolist() == [6, 2, 1, 1]
    assert msu_weights(8, 3).tolist() == [7 * 6 * 5, 6 * 5, 5]
    assert msu_weights(1, 1).tolist() == [1]


# Slow versions


@given(sensitive_scenes(18), st.integers(1, 4), st.sampled_from([0.01, 0.1, 0.5]))
def test_scores_and_contributions_equal_those_of_the_oracle(scene: Scene, most: int, fraction: float) -> None:
    names, rows = [*scene.quasi_identifiers, *scene.sensitive], records(scene.anonymized)
    chosen = {f"{UNIQUES}.max_columns": most, f"{UNIQUES}.fraction": fraction}
    card = scored(scene.anonymized, names, metrics=(UNIQUES,), **chosen)
    kept = kept_of(rows, names)
    if no_class(card, UNIQUES, kept):
        return
    expected, result = oracle.suda(rows, names, min(most, len(names)), fraction), uniques(card)
    class_of_record = card.aggregates.class_of_record()[kept]
    assert result.scores[class_of_record].tolist() == expected.scores
    assert result.dis_scores[class_of_record] == pytest.approx(expected.dis_scores, rel=1e-9)
    assert result.value == sum(map(bool, expected.msus)) / sum(kept)
    assert result.risk == (None if expected.dis is None else pytest.approx(expected.dis))
    sizes = [len(one) for own in expected.msus for one in own]
    assert result.details()["by_size"] == [sizes.count(size) for size in range(1, min(most, len(names)) + 1)]
    assert result.attributes == pytest.approx({name: float(part) for name, part in expected.contributions.items()})


# Edges


def test_a_single_record_is_unique_by_each_of_its_values() -> None:
    alone: dict[str, Cells] = {"q": ["a"], "r": [None]}
    result = uniques(scored(alone))
    assert result.value == 1
    assert result.details()["by_size"] == [2, 0]


def test_of_several_equal_records_none_is_unique() -> None:
    card = scored({"q": ["a"] * 4, "r": [""] * 4})
    assert uniques(card).value == 0
    assert uniques(card).risk is None
    assert "2 columns" in card[UNIQUES].summary()


def test_suppressed_records_are_left_out() -> None:
    assert_without_suppressed(UNIQUES)


def test_minimal_sample_uniques_are_computed_on_demand_with_progress() -> None:
    assert_progress(MINIMAL_SAMPLE_UNIQUES)


def test_the_class_table_contains_the_scores_of_minimal_sample_uniques() -> None:
    card = score_aggregates(scored(GUIDE).aggregates, Parameters(), ("all",))
    rows = card.classes.to_arrow().to_pylist()
    assert sorted(row["suda_score"] for row in rows) == sorted(uniques(card).scores.tolist())


def test_sets_of_up_to_three_columns_are_looked_at_unless_another_number_is_set() -> None:
    assert SampleUniquesParameters().max_columns == 3
