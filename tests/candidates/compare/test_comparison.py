"""Versions side by side: against brute force over small figures, and what a ranking owes whatever the figures."""

import math
from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import METRICS, InputError, Mean, Roles, score
from metrics.candidates.compare.comparison import MeasureChange, VersionComparison, VersionMeasure, compare
from metrics.candidates.compare.summary import comparison_summary
from metrics.metric import Direction, Family
from metrics.scoring.catalog import BY_ID, HEADLINES
from tests.support.comparisons import Figures, comparison_of
from tests.support.small_tables import table, written

HIGHER = tuple(spec.id for spec in METRICS if spec.direction is Direction.HIGHER)
LOWER = tuple(spec.id for spec in METRICS if spec.direction is Direction.LOWER)
CHOSEN = ("k_anonymity", "t_closeness", "granularity")

VALUES = st.one_of(st.none(), st.integers(0, 4), st.floats(0, 1, width=16))
FIGURES = st.lists(st.fixed_dictionaries(dict.fromkeys(CHOSEN, VALUES)), min_size=1, max_size=7).map(
    lambda rows: {f"c{place}": row for place, row in enumerate(rows)}
)
WEIGHTS = st.fixed_dictionaries(dict.fromkeys(CHOSEN, st.integers(0, 10)))


def dominates(first: Mapping[str, float | None], second: Mapping[str, float | None], chosen: Sequence[str]) -> bool:
    """By the definition, metric by metric."""
    as_good, better = True, False
    for one in chosen:
        a, b = first[one], second[one]
        if a is None or b is None:
            return False
        if BY_ID[one].direction is Direction.LOWER:
            a, b = -a, -b
        as_good, better = as_good and a >= b, better or a > b
    return as_good and better


@given(FIGURES, st.lists(st.sampled_from(CHOSEN), min_size=1, max_size=3, unique=True))
def test_dominance_is_that_of_the_definition(figures: Figures, chosen: list[str]) -> None:
    expected = {}
    for label, row in figures.items():
        above = tuple(other for other, theirs in figures.items() if dominates(theirs, row, chosen))
        if above:
            expected[label] = above
    assert comparison_of(figures).dominated(chosen) == expected


@given(FIGURES, st.permutations(CHOSEN))
def test_the_pareto_front_is_the_set_of_versions_that_none_dominates(figures: Figures, chosen: list[str]) -> None:
    first, second = chosen[:2]
    comparison = comparison_of(figures)
    measured = {label for label, row in figures.items() if row[first] is not None and row[second] is not None}
    front = comparison.pareto_front(first, second)
    assert set(front) == measured - set(comparison.dominated((first, second)))
    assert len(set(front)) == len(front)
    sign = -1 if BY_ID[first].direction is Direction.LOWER else 1
    values = [sign * float(figures[label][first] or 0) for label in front]
    assert values == sorted(values, reverse=True)


@given(FIGURES)
def test_the_best_versions_show_the_best_figure_unless_all_look_equal(figures: Figures) -> None:
    comparison = comparison_of(figures)
    for one in CHOSEN:
        known = {label: row[one] for label, row in figures.items() if row[one] is not None}
        extreme = min if BY_ID[one].direction is Direction.LOWER else max
        shown = {label: comparison.measure_text(label, one) for label in known}
        best = {shown[label] for label, value in known.items() if value == extreme(known.values())}
        wanted = {label for label in known if shown[label] in best}
        assert set(comparison.best(one)) == (wanted if wanted != set(known) else set())


def ranking_problem(weights: Mapping[str, float]) -> str:
    with pytest.raises(InputError) as caught:
        comparison_of({"a": dict.fromkeys(CHOSEN, 1.0)}).rank(weights)
    return str(caught.value)


def test_a_weight_that_cannot_be_used_is_refused() -> None:
    for weight in (-1, math.nan, math.inf):
        assert "set a number of at least 0" in ranking_problem({"k_anonymity": weight})
    assert 'there is no metric "absent"' in ranking_problem({"absent": 1})


@given(FIGURES, WEIGHTS)
def test_a_ranking_lists_every_version_once_in_the_order_of_scores(figures: Figures, weights: dict[str, int]) -> None:
    ranked = comparison_of(figures).rank(weights)
    assert sorted(one.label for one in ranked) == sorted(figures)
    assert all(0 <= one.score <= 1 + 1e-12 for one in ranked)
    assert [one.place for one in ranked] == sorted(one.place for one in ranked)
    for one in ranked:
        assert one.place == 1 + sum(other.score > one.score + 1e-11 for other in ranked)


@given(FIGURES, WEIGHTS)
def test_a_dominating_version_is_never_ranked_below_the_dominated_one(
    figures: Figures, weights: dict[str, int]
) -> None:
    comparison = comparison_of(figures)
    place = {one.label: one.place for one in comparison.rank(weights)}
    for label, above in comparison.dominated(CHOSEN).items():
        assert all(place[other] <= place[label] for other in above)


@given(FIGURES, WEIGHTS, st.integers(1, 9))
def test_only_the_proportions_of_weights_count(figures: Figures, weights: dict[str, int], factor: int) -> None:
    comparison = comparison_of(figures)
    scores = {one.label: one.score for one in comparison.rank(weights)}
    scaled = {one.label: one.score for one in comparison.rank({key: factor * w for key, w in weights.items()})}
    assert scaled == pytest.approx(scores)


@given(FIGURES, WEIGHTS)
def test_the_order_of_versions_changes_no_score(figures: Figures, weights: dict[str, int]) -> None:
    backwards = dict(reversed(figures.items()))
    scores = {one.label: (one.score, one.place) for one in comparison_of(figures).rank(weights)}
    assert {one.label: (one.score, one.place) for one in comparison_of(backwards).rank(weights)} == scores


@given(FIGURES, st.sampled_from(CHOSEN))
def test_one_metric_alone_ranks_by_its_figures(figures: Figures, one: str) -> None:
    comparison = comparison_of(figures)
    assume(comparison.differs(one))
    first = {ranked.label for ranked in comparison.rank({one: 3}) if ranked.place == 1}
    assert first == set(comparison.best(one))
    assert all(ranked.score == 1 for ranked in comparison.rank({one: 3}) if ranked.place == 1)


def test_weighted_ranks_and_scores_equal_those_computed_by_hand() -> None:
    figures = {
        "a": {"k_anonymity": 2, "t_closeness": 0.5},
        "b": {"k_anonymity": 10, "t_closeness": 0.3},
        "c": {"k_anonymity": 4, "t_closeness": 0.1},
    }
    ranked = comparison_of(figures).rank({"k_anonymity": 1, "t_closeness": 3})
    assert [(one.label, one.place) for one in ranked] == [("c", 1), ("b", 2), ("a", 3)]
    assert [one.score for one in ranked] == pytest.approx([0.25 * 0.25 + 0.75, 0.25 + 0.75 * 0.5, 0])
    assert ranked[1].parts == pytest.approx({"k_anonymity": 1, "t_closeness": 0.5})


def test_a_metric_without_a_figure_improves_no_rank() -> None:
    figures = {"a": {"k_anonymity": None, "granularity": None}, "b": {"k_anonymity": 1, "granularity": None}}
    ranked = comparison_of(figures).rank({"k_anonymity": 1, "granularity": 9})
    assert [(one.label, one.score) for one in ranked] == [("b", 1), ("a", 0)]
    assert set(ranked[0].parts) == {"k_anonymity"}
    assert [one.place for one in comparison_of(figures).rank({"k_anonymity": 0})] == [1, 1]
    assert comparison_of(figures).best("k_anonymity") == comparison_of(figures).best("granularity") == ()


def test_figures_that_look_alike_make_no_version_better() -> None:
    figures: Figures = {"a": {"granularity": 0.24141}, "b": {"granularity": 0.24139}, "c": {"granularity": 0.2}}
    assert comparison_of(figures).best("granularity") == ("a", "b")
    assert comparison_of({label: figures[label] for label in "ab"}).best("granularity") == ()


def test_rounding_errors_of_a_sum_make_no_version_better() -> None:
    sums = {math.fsum(order) for order in permutations([0.1, 0.2, 0.3])} | {0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1}
    assert len(sums) == 2
    figures = {str(place): {"granularity": value} for place, value in enumerate(sums)}
    assert comparison_of(figures).best("granularity") == ()
    assert comparison_of(figures).dominated(("granularity",)) == {}
    assert comparison_of(figures).change("0", "1", "granularity") == MeasureChange(0.0, None)


@pytest.mark.parametrize(
    ("metric", "base", "value", "expected"),
    [
        ("k_anonymity", 2, 5, MeasureChange(3, True)),
        ("t_closeness", 0.5, 0.75, MeasureChange(0.25, False)),
        ("t_closeness", 0.5, 0.25, MeasureChange(-0.25, True)),
        ("profitability", True, False, MeasureChange(-1, False)),
        ("profitability", False, True, MeasureChange(1, True)),
        ("p29", 0.5, 0.5, MeasureChange(0, None)),
        ("p29", None, 0.5, None),
        ("p29", 0.5, None, None),
    ],
)
def test_a_change_against_the_baseline_has_an_amount_and_a_direction(
    metric: str, base: float, value: float, expected: MeasureChange | None
) -> None:
    assert comparison_of({"base": {metric: base}, "other": {metric: value}}).change("other", "base", metric) == expected


def test_each_scorecard_becomes_a_column_of_the_comparison() -> None:
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"])
    coarse = score(written("q s\n* x\n* y\n1 x\n1 y", "coarse.csv"), roles)
    fine = score(written("q s\n2 x\n1 y\n1 x\n1 y", "fine.csv"), roles)
    comparison = compare({"coarse": coarse, "fine": fine})
    assert [spec.id for spec in comparison.metrics] == [spec.id for spec in METRICS]
    for spec in METRICS:
        assert comparison.value("fine", spec.id) == fine[spec.id].value
        assert comparison.answers["fine"][spec.id].unavailable == fine[spec.id].unavailable
    assert comparison.best("k_anonymity") == ("coarse",)
    assert comparison.first_differing(Family.PRIVACY) == "p29"
    assert comparison.first_differing(Family.PRIVACY, ["reidentification_risk"]) == "reidentification_risk"
    assert not comparison.differs("granularity")


def test_headlines_are_metrics_of_the_catalog() -> None:
    assert set(HEADLINES) <= set(BY_ID)


def test_a_misstated_figure_is_shown_and_wins_nothing() -> None:
    found = VersionComparison(
        {
            "generalized": {"k_anonymity": VersionMeasure(5), "granularity": VersionMeasure(0.4)},
            "perturbed": {"k_anonymity": VersionMeasure(5), "granularity": VersionMeasure(0.9, misstated=True)},
        }
    )
    assert found.value("perturbed", "granularity") == 0.9
    assert found.best("granularity") == ()  # nobody knows whether 0.4 is better
    lower = VersionComparison(
        {**found.answers, "kept": {"k_anonymity": VersionMeasure(5), "granularity": VersionMeasure(0.95)}}
    )
    assert lower.best("granularity") == ("kept",)
    # What is at most 0.9 is below 0.95, whatever it is.
    assert lower.dominated(["k_anonymity", "granularity"]) == {"generalized": ("kept",), "perturbed": ("kept",)}
    assert "(95% versus at most 90%)" in comparison_summary(lower, ["k_anonymity", "granularity"])[-1]
    assert found.dominated(["k_anonymity", "granularity"]) == {}
    assert found.pareto_front("k_anonymity", "granularity") == ("generalized",)
    assert [one.label for one in found.rank({"granularity": 1})] == ["generalized", "perturbed"]
    alone = VersionComparison({"perturbed": {"granularity": VersionMeasure(0.9, misstated=True)}})
    assert comparison_summary(alone, ["granularity"]) == ("No version has a comparable value for the chosen metrics.",)


def test_a_share_of_other_things_in_each_table_makes_none_the_best() -> None:
    figures = {"a": {"singling_out_attack": 0.5}, "b": {"singling_out_attack": 1.0}}
    assert comparison_of(figures).best("singling_out_attack") == ()


def test_no_version_is_better_in_analyses_by_less_than_the_uncertainty_of_the_original() -> None:
    def of(**figures: tuple[float, float]) -> VersionComparison:
        return VersionComparison(
            {label: {"analyses": VersionMeasure(value, order=within)} for label, (value, within) in figures.items()}
        )

    alike = of(a=(0.9, 0.5), b=(0.8, 0.5))
    assert alike.best("analyses") == ()
    assert alike.change("a", "b", "analyses") == MeasureChange(pytest.approx(0.1), None)  # type: ignore[arg-type]
    assert alike.dominated(["analyses"]) == {}
    assert {one.place for one in alike.rank({"analyses": 1})} == {1}
    told = of(a=(0.9, 0.6), b=(0.8, 0.5))
    assert told.best("analyses") == ("a",)
    change = told.change("b", "a", "analyses")
    assert change is not None
    assert change.better is False
    # More results within the intervals, yet less overlap: neither is called better.
    against = of(a=(0.9, 0.5), b=(0.8, 0.6))
    assert against.best("analyses") == ()
    change = against.change("a", "b", "analyses")
    assert change is not None
    assert change.better is None


def test_releases_whose_results_lie_in_the_same_intervals_are_alike_in_analyses() -> None:
    stays = [f"{10 + number % 17}" for number in range(120)]
    original = {"sex": [*("fm" * 60)], "stay": stays}
    changed = {
        label: {**original, "stay": [f"{int(stay) + shift}" for stay in stays]}
        for label, shift in (("as it is", 0), ("within", 1), ("beyond", 4))
    }
    cards = {
        label: score(
            table(cells),
            Roles("sex"),
            original=table(original),
            analyses={"stay": Mean("stay", "sex")},
            metrics=["analyses"],
        )
        for label, cells in changed.items()
    }
    values = [float(cards[label]["analyses"].value or 0) for label in changed]
    assert values[0] == 1 > values[1] > values[2]
    pair = compare({label: cards[label] for label in ("as it is", "within")})
    assert pair.best("analyses") == ()
    assert compare(cards).best("analyses") == ("as it is", "within")
    assert compare(cards).dominated(["analyses"]) == {"beyond": ("as it is", "within")}
