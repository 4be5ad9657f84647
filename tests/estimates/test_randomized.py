"""Means and cross-tabulations of randomized columns: estimates of the true ones, whose intervals cover as they say."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import scipy.stats

import metrics
from metrics import Count, Crosstab, Hierarchy, Linear, Logistic, Mean, Roles, k_rr, score
from metrics.aggregates import TableAggregates
from metrics.config.analyses import Estimated, Term
from metrics.estimates.analyze import analyze
from metrics.estimates.estimate import Lost, Value
from metrics.estimates.result import AnalysisResult
from metrics.texts import text
from metrics.utility.count_queries.queries import saved_answer
from tests.support.small_tables import Cells, table

SEXES, WARDS, STAYS = ["f", "m"], ["a", "b", "c"], ["1", "2", "4", "8"]
BY = {"sex": k_rr(SEXES, 1.5), "ward": k_rr(WARDS, 1), "stay": k_rr(STAYS, 2)}
SHARES = np.array([[0.24, 0.12, 0.04], [0.12, 0.18, 0.3]])
"""Of each sex and ward among the people that tables are drawn from."""
MEAN_STAY = sum(share * (1 + ward) for share, ward in zip(SHARES.sum(axis=0), (1.0, 2.0, 1.0), strict=True))


def run(before: dict[str, Cells], after: dict[str, Cells], analysis: Estimated, **trees: Hierarchy) -> AnalysisResult:
    by = {name: BY[name] for name, cells in after.items() if cells is not before[name]}
    released, roles = table(after).randomized(by), Roles(quasi_identifiers=next(iter(before)))
    return analyze(TableAggregates(released, roles, table(before), trees), analysis)


def published(chance: np.random.Generator, name: str, cells: Sequence[str]) -> list[str]:
    """Randomized response by the definition: stay with one probability, else one of the others."""
    values = list(map(str, BY[name].values))
    stays = chance.random(len(cells)) < BY[name].kept + BY[name].drawn[0]
    moved = np.where(stays, 0, chance.integers(1, len(values), len(cells)))
    return [values[(values.index(cell) + int(step)) % len(values)] for cell, step in zip(cells, moved, strict=True)]


def draws(tables: int, records: int) -> Iterator[tuple[dict[str, Cells], dict[str, Cells]]]:
    """Tables of people, with their randomized versions."""
    chance = np.random.default_rng(47)
    for _ in range(tables):
        cell = chance.choice(6, records, p=SHARES.ravel())
        sex, ward = [SEXES[each] for each in cell // 3], [WARDS[each] for each in cell % 3]
        # 1 or 4 in ward b, else 1, 2 or 4: the mean is 1 + 1, 1 + 2 or 1 + 1.
        stay = [
            str(chance.choice([1, 4], p=[1 / 3, 2 / 3]) if each == "b" else chance.choice([1, 2, 4], p=[0.4, 0.4, 0.2]))
            for each in ward
        ]
        before: dict[str, Cells] = {"sex": sex, "ward": ward, "stay": stay}
        yield before, {name: published(chance, name, cells) for name, cells in before.items()}  # type: ignore[arg-type]


def test_worked_example() -> None:
    """At ε = ln 3, 70% of published f tell of 90%: (0.7 − 0.25) / 0.5."""
    before: dict[str, Cells] = {"sex": ["f"] * 9 + ["m"], "ward": ["a", "b"] * 5}
    after = table({"sex": ["f"] * 7 + ["m"] * 3, "ward": ["a"] * 10}).randomized({"sex": k_rr(SEXES, float(np.log(3)))})
    found = analyze(TableAggregates(after, Roles("sex"), table(before)), Crosstab(["sex", "ward"]))
    value = next(each.released for each in found.estimates if each.name == "f, a")
    assert value is not None
    # A published f counts 1.5 and an m −0.5: the variance is 4 · 0.7 · 0.3, and its root over √10 is 0.2898.
    assert value.estimate == pytest.approx(0.9)
    assert value.error == pytest.approx(np.sqrt(4 * 0.7 * 0.3 / 10))
    assert (value.low, value.high) == pytest.approx((0.9 - 1.959964 * value.error, 0.9 + 1.959964 * value.error))
    assert found.randomized == ("sex",)
    assert {each.labels for each in found.estimates} == {((), ("a",)), ((), ())}
    assert found.summary().endswith(text("analyses.randomized", columns=["sex"]))


def _covered(found: list[tuple[Value | None, float]]) -> float:
    return float(np.mean([value is not None and value.low <= true <= value.high for value, true in found]))


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    shares: list[tuple[Value | None, float]] = []
    means: list[tuple[Value | None, float]] = []
    numbers: list[tuple[Value | None, float]] = []
    for before, after in draws(150, 2000):
        crosstab = run(before, after, Crosstab(["sex", "ward"]))
        shares += [
            (each.released, SHARES[SEXES.index(sex), WARDS.index(ward)])
            for each in crosstab.estimates
            for sex, ward in [each.groups]
        ]
        by_ward = run(before, {**after, "stay": before["stay"]}, Mean("stay", ["ward"]))
        truth = {"a": 2.0, "b": 3.0, "c": 2.0}
        means += [(each.released, truth[each.groups[0]]) for each in by_ward.estimates]
        everybody = run(before, after, Mean("stay"))
        numbers += [(each.released, MEAN_STAY) for each in everybody.estimates]
    for found in (shares, means, numbers):
        assert 0.93 <= _covered(found) <= 0.975
        errors = np.array([value.estimate - true for value, true in found if value is not None])
        assert abs(errors.mean()) < 3 * errors.std() / np.sqrt(len(errors))


def test_means_of_groups_that_the_noise_may_hide_have_a_true_interval_or_none() -> None:
    chance, values = np.random.default_rng(8), [f"v{value}" for value in range(12)]
    by, covered, hidden = k_rr(values, 1.5), [], 0
    for _ in range(40):
        true = chance.integers(0, 12, 2000)
        drawn = np.where(chance.random(2000) < by.kept, true, chance.integers(0, 12, 2000))
        before: dict[str, Cells] = {
            "ill": [values[code] for code in true],
            "stay": [f"{number:.1f}" for number in chance.gamma(2, 3, 2000)],
        }
        released = table({**before, "ill": [values[code] for code in drawn]}).randomized({"ill": by})
        aggregates = TableAggregates(released, Roles("ill"), table(before))
        for each in analyze(aggregates, Mean("stay", ["ill"])).estimates:
            if each.released is None:
                assert each.lost is Lost.NOISE
                hidden += 1
            else:
                assert each.released.width > 0
                covered.append(each.released.low <= 6 <= each.released.high)
    assert 0 < hidden < len(covered)
    assert 0.92 <= np.mean(covered) <= 0.98


def by_illness(
    tables: int, records: int, values: int, epsilon: float
) -> Iterator[tuple[AnalysisResult, list[str], list[str]]]:
    """Means of the stay by a randomized illness, whose true means are 5, 6, 7, …, with the cells that they are of."""
    chance, names = np.random.default_rng(46), [f"i{value:02}" for value in range(values)]
    stays = np.exp(epsilon) / (np.exp(epsilon) + values - 1)
    shares = np.arange(1, values + 1) / (values * (values + 1) / 2)
    for _ in range(tables):
        # One record of each illness at least, so that the original has them all.
        true = np.concatenate([np.arange(values), chance.choice(values, records - values, p=shares)])
        days = [str(day) for day in 5 + true + chance.integers(-4, 5, records)]
        steps = np.where(chance.random(records) < stays, 0, chance.integers(1, values, records))
        illness = [names[value] for value in (true + steps) % values]
        before = table({"q": ["a"] * records, "illness": [names[value] for value in true], "stay": days})
        after = table({"q": ["a"] * records, "illness": illness, "stay": days})
        released = after.randomized({"illness": k_rr(names, epsilon)})
        yield analyze(TableAggregates(released, Roles("q"), before), Mean("stay", ["illness"])), illness, days


def test_means_by_a_randomized_column_are_ratios_of_sums_over_records() -> None:
    found, illness, days = next(by_illness(1, 600, 6, 1.0))
    stays, moves = (np.exp(each) / (np.e + 5) for each in (1, 0))
    inverse = np.linalg.inv(np.where(np.eye(6) == 1, stays, moves))
    lost = 0
    for group, each in enumerate(found.estimates):
        counted = [(inverse[int(cell[1:]), group], float(day)) for cell, day in zip(illness, days, strict=True)]
        size, squares = sum(weight for weight, _ in counted), sum(weight**2 for weight, _ in counted)
        mean = sum(weight * day for weight, day in counted) / size
        if size <= 1.959964 * np.sqrt(squares - size**2 / 600) or not 1 <= mean <= 14:
            lost += 1
            assert each.released is None
            assert each.lost is Lost.NOISE
            continue
        variance = sum((weight * (day - mean)) ** 2 for weight, day in counted) / size**2
        kish = size**2 / squares
        assert each.released is not None
        assert each.released.estimate == pytest.approx(mean)
        assert each.released.error == pytest.approx(np.sqrt(variance))
        quantile = scipy.stats.t.ppf(0.975, kish - 1)
        if size <= quantile * np.sqrt(squares - size**2 / 600):
            assert (each.released.low, each.released.high) == (1, 14)
            continue
        for end in (each.released.low, each.released.high):  # what the data just do not reject
            assert 1 <= end <= 14
            sums = [weight * (day - end) for weight, day in counted]
            assert end in (1, 14) or abs(sum(sums)) == pytest.approx(
                quantile * np.sqrt(sum(each**2 for each in sums) - sum(sums) ** 2 / 600)
            )
    assert 0 < lost < 6


@pytest.mark.parametrize(
    ("values", "epsilon", "tables"), [(2, 0.3, 40), (6, 1.0, 40), (20, 0.5, 60), (20, 1.0, 60), (20, 2.0, 20)]
)
def test_intervals_of_means_by_a_randomized_column_cover_and_have_a_width(
    values: int, epsilon: float, tables: int
) -> None:
    covered = [
        each.released.low <= 5 + group <= each.released.high and each.released.width > 0
        for found, _, _ in by_illness(tables, 2000, values, epsilon)
        for group, each in enumerate(found.estimates)
        if each.released is not None
    ]
    assert np.mean(covered) >= 0.93


def test_equal_means_by_a_randomized_column_differ_by_chance_alone() -> None:
    chance, different = np.random.default_rng(3), []
    for _ in range(400):
        sex, stay = ([str(each) for each in chance.choice(of, 400)] for of in (SEXES, STAYS))
        before: dict[str, Cells] = {"sex": [*sex], "stay": [*stay]}
        found = run(before, {**before, "sex": [*published(chance, "sex", sex)]}, Mean("stay", ["sex"]))
        different += [each.released.is_significant for each in found.estimates if each.released is not None]
    assert 0.02 <= np.mean(different) <= 0.08


def test_a_table_that_is_only_called_randomized_with_certainty_is_as_the_original() -> None:
    before, _ = next(draws(1, 500))
    after = table(before).randomized({name: k_rr(by.values, 20) for name, by in BY.items()})
    aggregates = TableAggregates(after, Roles("sex"), table(before))
    analyses: list[Any] = [Crosstab(["sex", "ward"]), Mean("stay", ["ward"])]
    for analysis in analyses:
        for each in analyze(aggregates, analysis).estimates:
            assert each.released is not None
            assert each.released.estimate == pytest.approx(each.original.estimate, abs=1e-5)


def test_missing_cells_are_values_that_a_cross_tabulation_leaves_out() -> None:
    values = ["f", "m", None]
    by = k_rr(values, 3)
    before: dict[str, Cells] = {"sex": ["f"] * 3000 + ["m"] * 1000 + [None] * 2000, "ward": ["a", "b"] * 3000}
    chance = np.random.default_rng(0)
    moved = np.where(chance.random(6000) < by.kept + by.drawn[0], 0, chance.integers(1, 3, 6000))
    after = [values[(values.index(cell) + int(step)) % 3] for cell, step in zip(before["sex"], moved, strict=True)]
    released = table({**before, "sex": after}).randomized({"sex": by})
    found = analyze(TableAggregates(released, Roles("sex"), table(before)), Crosstab(["sex", "ward"]))
    assert sum(each.released.estimate for each in found.estimates if each.released) == pytest.approx(1)
    for each in found.estimates:
        assert each.released is not None
        assert each.released.estimate == pytest.approx(each.original.estimate, abs=0.02)


def test_levels_join_values() -> None:
    tree = Hierarchy([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    before, after = next(draws(1, 2000))
    found = run(before, after, Mean("stay", [Term("ward", level=1)]), ward=tree)
    assert [each.groups for each in found.estimates] == [("ab",), ("c",)]
    assert not any(each.is_merged for each in found.estimates)


def test_a_regression_on_randomized_cells_is_lost() -> None:
    before, after = next(draws(1, 500))
    for analysis in (Linear("stay", ["ward"]), Logistic("ward", ["a"], ["sex"])):
        found = run(before, {**before, "ward": after["ward"]}, analysis)
        assert (found.value, found.survivors, found.kept) == (0, 0, 0)
        assert {each.lost for each in found.estimates} == {Lost.RANDOMIZED}
        assert found.summary().endswith(
            "Values of ward were randomized, and a regression on randomized cells is biased."
        )
    assert run(before, {**before, "ward": after["ward"]}, Linear("stay", ["sex"])).kept == 1


def test_the_function_for_data_frames_takes_the_randomization() -> None:
    before, after = next(draws(1, 500))
    original, saved = table(before), {"both": Crosstab(["sex", "ward"])}
    parameters = metrics.Parameters(analyses=saved)
    card = metrics.score(table(after).randomized(BY), Roles("sex"), original=original, parameters=parameters)
    found = metrics.analyses(table(after), "sex", original=original, analyses=saved, randomization=BY)
    assert found == card["analyses"].value != metrics.analyses(table(after), "sex", original=original, analyses=saved)


def test_a_column_drawn_anew_tells_nothing() -> None:
    before, after = next(draws(1, 200))
    released = table(after).randomized({"ward": k_rr(WARDS, 0)})
    found = analyze(TableAggregates(released, Roles("sex"), table(before)), Mean("stay", ["ward"]))
    assert (found.randomized, found.removed, len(found.estimates)) == ((), ("ward",), 1)
    count = saved_answer(TableAggregates(released, Roles("sex"), table(before)), Count({"ward": ["a"]}))
    assert (count.estimate, count.smallest, count.largest) == pytest.approx((200 / 3, 0, 200))


@pytest.mark.parametrize(("published", "epsilon", "distance"), [(7, 3, 0), (10, 3, 0.2), (9, 1, 0.8)])
def test_joint_counts_are_estimated(published: int, epsilon: float, distance: float) -> None:
    """9 of 10 are f. At ε = ln 3, 7 published f tell of 9, and 10 of 15 and −5 m, which count as all f; at 0 of 5."""
    before: dict[str, Cells] = {"sex": ["f"] * 9 + ["m"], "ward": ["a"] * 10}
    after = table({**before, "sex": ["f"] * published + ["m"] * (10 - published)})
    released = after.randomized({"sex": k_rr(SEXES, float(np.log(epsilon)))})
    card = score(released, Roles(["sex", "ward"]), original=table(before), metrics=["k_marginals"])
    assert card["k_marginals"].value == pytest.approx(500 * (2 - distance))
