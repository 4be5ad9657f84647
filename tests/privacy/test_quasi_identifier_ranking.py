"""The ranking of sets of quasi-identifiers, against a slow version and by hand."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Roles, Scorecard, score
from metrics.config.parameters import RankingParameters
from metrics.privacy.quasi_identifier_ranking.measure import QUASI_IDENTIFIER_RANKING, QuasiIdentifierRanking
from tests.oracle import uniqueness as oracle
from tests.privacy.subsets import GUIDE, assert_progress, assert_without_suppressed, kept_of, no_class, scored
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import Cells, records, written


def test_worked_example() -> None:
    released = written("""
        age   sex
        20-29 f
        20-29 f
        20-29 m
        30-39 m
    """)
    found = score(released, Roles(["age", "sex"]), metrics=["quasi_identifier_ranking"])["quasi_identifier_ranking"]
    shares = {tuple(one["columns"]): (one["distinction"], one["separation"]) for one in found.details["ranking"]}
    # Distinct combinations of 4 records, and pairs that differ of 4 · 3 / 2.
    assert shares == {("age", "sex"): (3 / 4, 5 / 6), ("sex",): (2 / 4, 4 / 6), ("age",): (2 / 4, 3 / 6)}
    assert found.value == 3 / 4


RANKING = "quasi_identifier_ranking"


def ranking(card: Scorecard) -> QuasiIdentifierRanking:
    result = card[RANKING].result
    assert isinstance(result, QuasiIdentifierRanking)
    return result


@given(sensitive_scenes(18), st.integers(1, 4))
def test_every_set_of_columns_distinguishes_as_many_records_as_the_oracle_finds(scene: Scene, most: int) -> None:
    names, rows = [*scene.quasi_identifiers, *scene.sensitive], records(scene.anonymized)
    card = scored(scene.anonymized, names, metrics=(RANKING,), **{f"{RANKING}.max_columns": most})
    kept = kept_of(rows, names)
    if no_class(card, RANKING, kept):
        return
    ranked = ranking(card)
    subsets = [one for size in range(1, most + 1) for one in combinations(names, size)]
    assert sorted(one.columns for one in ranked.ranking) == sorted(subsets)
    for one in (*ranked.ranking, ranked.together):
        distinction, separation = oracle.distinction_and_separation(rows, names, one.columns)
        assert one.distinction == float(distinction)
        assert one.separation == pytest.approx(float(separation), rel=1e-12)
        alike = Counter(tuple(row[name] for name in one.columns) for row, held in zip(rows, kept, strict=True) if held)
        assert one.k == min(alike.values())
    smallest = min(one.k for one in ranked.ranking)
    assert ranked.weakest.k == smallest
    assert len(ranked.weakest.columns) == min(len(one.columns) for one in ranked.ranking if one.k == smallest)
    assert [one.distinction for one in ranked.ranking] == sorted(one.distinction for one in ranked.ranking)[::-1]


def test_a_single_record_is_distinguished_from_no_other() -> None:
    alone: dict[str, Cells] = {"q": ["a"], "r": [None]}
    result = ranking(scored(alone))
    assert (result.value, result.together.separation) == (1, 0)


def test_four_equal_records_have_a_quarter_as_many_classes() -> None:
    assert ranking(scored({"q": ["a"] * 4, "r": [""] * 4})).value == 0.25


def test_suppressed_records_are_left_out() -> None:
    assert_without_suppressed(RANKING)


def test_the_ranking_is_computed_on_demand_with_progress() -> None:
    assert_progress(QUASI_IDENTIFIER_RANKING)


def test_sets_of_up_to_three_columns_are_ranked_unless_another_number_is_set() -> None:
    assert RankingParameters().max_columns == 3
    assert "residence" in ranking(scored(GUIDE)).attributes
    assert "education" in ranking(scored(GUIDE)).summary()
