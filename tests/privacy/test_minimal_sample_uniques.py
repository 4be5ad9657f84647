"""Sample uniqueness, minimal sample uniques and the ranking of quasi-identifiers, against slow versions and books."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from metrics.config.parameters import RankingParameters, SampleUniquesParameters
from metrics.metric import finish
from metrics.privacy.column_subsets import SubsetCounts
from metrics.privacy.minimal_sample_uniques import (
    MINIMAL_SAMPLE_UNIQUES,
    MinimalSampleUniques,
    msu_weights,
    spread_risk,
)
from metrics.privacy.quasi_identifier_ranking import QUASI_IDENTIFIER_RANKING, QuasiIdentifierRanking
from metrics.scoring.scorecard import score_aggregates
from tests.oracle import uniqueness as oracle
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import Cells, records, table

IDS = ("sample_uniqueness", "minimal_sample_uniques", "quasi_identifier_ranking")


def scored(columns: dict[str, Cells], quasi_identifiers: list[str] | None = None, **chosen: object) -> Scorecard:
    roles = Roles(quasi_identifiers=quasi_identifiers or list(columns))
    return score(table(columns), roles, metrics=IDS, parameters=Parameters().with_settings(chosen))


def uniques(card: Scorecard) -> MinimalSampleUniques:
    result = card["minimal_sample_uniques"].result
    assert isinstance(result, MinimalSampleUniques)
    return result


def ranking(card: Scorecard) -> QuasiIdentifierRanking:
    result = card["quasi_identifier_ranking"].result
    assert isinstance(result, QuasiIdentifierRanking)
    return result


# Published examples

GUIDE: dict[str, Cells] = {
    "residence": ["urban"] * 4 + ["rural"] + ["urban"] * 5,
    "gender": ["f", "f", "f", "m", "f", "m", "f", "m", "f", "f"],
    "education": [
        "secondary incomplete", "secondary incomplete", "primary incomplete", "secondary complete",
        "secondary complete", "secondary complete", "primary complete", "post-secondary", "secondary incomplete",
        "secondary incomplete",
    ],
    "labor": [
        "employed", "employed", "non-LF", "employed", "unemployed", "employed", "non-LF", "unemployed", "non-LF",
        "non-LF",
    ],
}  # fmt: skip


@pytest.mark.parametrize("most", [3, 4])
def test_the_table_of_the_sdc_practice_guide(most: int) -> None:
    # Benschop, Machingauta, Welch: Statistical disclosure control: a practice guide, table 4.5.
    result = uniques(scored(GUIDE, **{"minimal_sample_uniques.max_columns": most}))
    card = scored(GUIDE, **{"minimal_sample_uniques.max_columns": most})
    scores, _ = result.of_records(card.aggregates.class_of_record())
    assert scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert (result.value, result.records) == (0.4, 4)


def test_the_dis_scores_of_the_sdc_practice_guide() -> None:
    # They are spread by the scores that sdcMicro had before version 5.0.3: an MSU of k of 4 columns added
    # (2^(4-k) - 1) k! (4-k)! / 4!, which is 7/4 for one column and 1/2 for two.
    result = uniques(scored(GUIDE))
    older = spread_risk(result.found @ np.array([7 / 4, 1 / 2, 1 / 4]), result.uniques, result.risk, 4)
    dis = older[scored(GUIDE).aggregates.class_of_record()]
    assert np.round(dis, 4).tolist() == [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]


def test_the_example_of_templs_book() -> None:
    # M. Templ, Statistical disclosure control for microdata, 2017, as sdcMicro's tests have it.
    columns: dict[str, Cells] = {
        "age": ["20s"] * 7 + ["60s"],
        "gender": ["m"] * 4 + ["f"] * 3 + ["m"],
        "income": ["50k+"] * 2 + ["50k-"] * 6,
        "education": ["high"] * 4 + ["university", "high", "middle", "university"],
    }
    card = scored(columns, **{"minimal_sample_uniques.max_columns": 4})
    scores, _ = uniques(card).of_records(card.aggregates.class_of_record())
    assert scores[4:].tolist() == [4, 2, 6, 8]


@pytest.mark.parametrize("order", ["abc", "acb", "cab", "cba"])
def test_contributions_as_in_the_tests_of_sdcmicro(order: str) -> None:
    cells: dict[str, Cells] = {"a": ["2", "1", "1"], "b": ["0", "3", "0"], "c": ["0", "6", "0"]}
    result = uniques(scored(cells, list(order)))
    assert result.attributes == {"a": 0.5, "b": 0.375, "c": 0.375}


def test_weights() -> None:
    assert msu_weights(4, 3).tolist() == [6, 2, 1]
    assert msu_weights(4, 4).tolist() == [6, 2, 1, 1]
    assert msu_weights(8, 3).tolist() == [7 * 6 * 5, 6 * 5, 5]
    assert msu_weights(1, 1).tolist() == [1]


# Slow versions


@given(sensitive_scenes(18), st.integers(1, 4), st.sampled_from([0.01, 0.1, 0.5]))
def test_generated_tables(scene: Scene, most: int, fraction: float) -> None:
    names, rows = [*scene.quasi_identifiers, *scene.sensitive], records(scene.anonymized)
    chosen = {
        "minimal_sample_uniques.max_columns": most,
        "minimal_sample_uniques.fraction": fraction,
        "quasi_identifier_ranking.max_columns": most,
    }
    card = scored(scene.anonymized, names, **chosen)
    kept = [not oracle_suppressed(row, names) for row in rows]
    if not any(kept):
        reason = "every record is suppressed" if rows else "the table has no records"
        assert all(card[name].unavailable == reason for name in IDS)
        return
    assert card["sample_uniqueness"].value == float(oracle.sample_uniqueness(rows, names))

    expected, result = oracle.suda(rows, names, min(most, len(names)), fraction), uniques(card)
    scores, dis = result.of_records(card.aggregates.class_of_record())
    assert scores[kept].tolist() == expected.scores
    assert dis[kept] == pytest.approx(expected.dis_scores, rel=1e-9)
    assert not scores[~np.array(kept)].any()
    assert result.value == sum(map(bool, expected.msus)) / sum(kept)
    assert result.risk == (None if expected.dis is None else pytest.approx(expected.dis))
    sizes = [len(one) for own in expected.msus for one in own]
    assert result.details()["by_size"] == [sizes.count(size) for size in range(1, min(most, len(names)) + 1)]
    assert result.attributes == pytest.approx({name: float(part) for name, part in expected.contributions.items()})

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


def oracle_suppressed(row: object, names: list[str]) -> bool:
    return all(row[name] == "*" for name in names)  # type: ignore[index]


# Edges


def test_one_record() -> None:
    card = scored({"q": ["a"], "r": [None]})
    assert card["sample_uniqueness"].value == 1
    assert uniques(card).value == 1
    assert uniques(card).details()["by_size"] == [2, 0]
    assert ranking(card).value == 1
    assert ranking(card).together.separation == 0


def test_one_class() -> None:
    card = scored({"q": ["a"] * 4, "r": [""] * 4})
    assert [card[name].value for name in IDS] == [0, 0, 0.25]
    assert uniques(card).risk is None
    assert "2 columns" in card["minimal_sample_uniques"].summary()


def test_suppressed_records_are_left_out() -> None:
    with_them = scored({"q": ["a", "a", "b", "*", "*"], "r": ["x", "y", "*", "*", "*"]})
    without = scored({"q": ["a", "a", "b"], "r": ["x", "y", "*"]})
    for name in IDS:
        assert with_them[name].to_dict() == without[name].to_dict()
    scores, _ = uniques(with_them).of_records(with_them.aggregates.class_of_record())
    assert scores[3:].tolist() == [0, 0]


def test_many_values_in_many_columns() -> None:
    # Their combinations are more than 64 bits can number.
    columns: dict[str, Cells] = {f"q{i}": [f"v{(i * j) % 97}" for j in range(400)] for i in range(1, 24)}
    card = scored(columns, **{"quasi_identifier_ranking.max_columns": 1, "minimal_sample_uniques.max_columns": 1})
    names = list(columns)
    group, totals = SubsetCounts(card.aggregates.classes).groups(range(len(names)))
    assert len(set(group.tolist())) == card.aggregates.classes.count
    assert totals.sum() == 400
    assert totals[group].tolist() == card.aggregates.classes.sizes.tolist()


def test_too_many_subsets_are_refused() -> None:
    card = scored(
        {f"q{i}": ["a", "b"] for i in range(60)},
        **{"minimal_sample_uniques.max_columns": 5, "quasi_identifier_ranking.max_columns": 5},
    )
    for name in IDS[1:]:
        reason = card[name].unavailable
        assert reason is not None
        assert f"set {name}.max_columns lower" in reason


def test_in_steps() -> None:
    card = score(table(GUIDE), Roles(quasi_identifiers=list(GUIDE)))
    for metric in (MINIMAL_SAMPLE_UNIQUES, QUASI_IDENTIFIER_RANKING):
        assert metric.on_demand
        assert card[metric.id].unavailable is not None
        assert metric.gradual is not None
        steps = list(metric.gradual(card.aggregates, Parameters()))
        assert steps == sorted(steps)
        assert steps[-1] == 1
        assert len(steps) == 4 + 6 + 4
        whole = finish(metric.gradual(card.aggregates, Parameters()))
        assert whole.value == metric.compute(card.aggregates, Parameters()).value
        dropped = metric.gradual(card.aggregates, Parameters())
        assert 0 < next(dropped) < 1
        dropped.close()


def test_scores_stand_in_the_class_table() -> None:
    card = score_aggregates(scored(GUIDE).aggregates, Parameters(), ("all",))
    rows = card.classes.to_arrow().to_pylist()
    assert sorted(row["suda_score"] for row in rows) == sorted(uniques(card).scores.tolist())


def test_parameters_are_checked() -> None:
    assert (SampleUniquesParameters().max_columns, RankingParameters().max_columns) == (3, 3)
    assert "residence" in ranking(scored(GUIDE)).attributes
    assert "education" in ranking(scored(GUIDE)).summary()
