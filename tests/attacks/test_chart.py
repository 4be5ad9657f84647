"""The dumbbell of an attack: baseline, control and success, with the interval where it is sampled."""

import pytest

from metrics.attacks.analyses.success_by_columns import KnowledgeGrowth, KnownSubset
from metrics.attacks.chart import attack_dumbbell, attacks_by_version, growth_chart
from metrics.attacks.rates import AttackRate
from metrics.drawing.version_styles import version_styles
from metrics.metric import AttackRow
from tests.drawing.drawn import read

EXACT = AttackRate(35, 100, 0.1, None, True)
SAMPLED = AttackRate(50, 100, 0.2, 0.3, False)


def named(figure: object) -> dict[str, object]:
    return {trace.name: trace for trace in figure.data if trace.name}  # type: ignore[attr-defined]


def row(name: str, rate: AttackRate) -> AttackRow:
    return AttackRow(name, rate.value, rate.baseline, rate.control, rate.interval)


def test_an_exact_attack_rate_is_drawn_beside_baseline_without_error_bars() -> None:
    figure = attack_dumbbell({"record linkage": EXACT}, "A finding")
    series = named(figure)
    assert set(series) == {"without the table", "attack"}
    assert (list(series["without the table"].x), list(series["attack"].x)) == ([10], [35])  # type: ignore[attr-defined]
    assert series["attack"].error_x.visible is False  # type: ignore[attr-defined]
    assert figure.layout.title.text == "A finding"


def test_a_sampled_attack_rate_is_drawn_with_its_interval_and_its_control() -> None:
    figure = attack_dumbbell({"diagnosis": SAMPLED, "<b>days</b>": EXACT}, "A finding.")
    series = named(figure)
    assert set(series) == {"without the table", "people not in the table (hold-out)", "attack"}
    assert list(series["people not in the table (hold-out)"].x) == [30]  # type: ignore[attr-defined]
    bars = series["attack"].error_x  # type: ignore[attr-defined]
    assert bars.visible is True
    low, high = SAMPLED.interval or (0, 0)
    assert list(bars.array) == pytest.approx([100 * (high - 0.5), 0])
    assert list(bars.arrayminus) == pytest.approx([100 * (0.5 - low), 0])
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [list(line.x) for line in lines] == [[20, 50], [10, 35]]
    assert not any("<b>days" in note.text for note in figure.layout.annotations)


def test_limits_are_marked_in_their_rows() -> None:
    figure = attack_dumbbell({"a": EXACT, "b": SAMPLED}, "A finding", {"b": 0.4})
    limit = named(figure)["limit"]
    assert (list(limit.x), list(limit.y)) == ([40], ["b"])  # type: ignore[attr-defined]


def test_growth_shows_the_best_choice_the_mean_and_baseline() -> None:
    subsets = {
        1: (KnownSubset(("age",), 0.1, {"s": 0.3}), KnownSubset(("<b>",), 0.3, {"s": 0.2})),
        2: (KnownSubset(("age", "<b>"), 0.5, {"s": 0.6}),),
    }
    growth = KnowledgeGrowth(subsets, ("s",), {"": 0.01, "s": 0.15}, 10, True, True)
    series = named(growth_chart(growth, "s"))
    assert list(series["best columns"].y) == [30, 60]  # type: ignore[attr-defined]
    assert list(series["mean over all choices"].y) == [25, 60]  # type: ignore[attr-defined]
    assert list(series["without the table"].y) == [15, 15]  # type: ignore[attr-defined]
    record = growth_chart(growth)
    assert list(named(record)["best columns"].y) == [30, 50]  # type: ignore[attr-defined]
    assert "<b>" not in str(named(record)["best columns"].hovertext)  # type: ignore[attr-defined]
    assert record.layout.title.text.replace("<br>", " ").startswith("With one known column, record linkage succeeds")
    alone = KnowledgeGrowth({1: subsets[1]}, ("s",), growth.baselines, 10, True, True)
    assert "30%" in growth_chart(alone, "s").layout.title.text


def test_attack_rates_of_versions_are_drawn_beside_baseline() -> None:
    rows = {"light": [row("find", EXACT), row("infer", SAMPLED)], "strict": [row("infer", EXACT)]}
    figure = attacks_by_version(rows, version_styles(rows), "A finding")
    series = named(figure)
    assert (list(series["light"].x), list(series["light"].y)) == ([35, 50], ["find", "infer"])  # type: ignore[attr-defined]
    assert (list(series["strict"].x), list(series["strict"].y)) == ([35], ["infer"])  # type: ignore[attr-defined]
    assert list(series["without the table"].x) == [10, 20]  # type: ignore[attr-defined]
    assert read(figure.layout.title.text) == "A finding"


def test_values_stand_in_the_chart_and_the_axis_ends_where_the_largest_one_is() -> None:
    figure = attack_dumbbell({"a": EXACT, "b": SAMPLED}, "A finding")
    assert [note.text for note in figure.layout.annotations] == ["a <b>35% vs 10%</b>", "b <b>50% vs 20%</b>"]
    assert figure.layout.xaxis.range[1] == pytest.approx(102 * (SAMPLED.interval or (0, 0))[1])


def test_marks_of_versions_have_lanes_of_their_own() -> None:
    rows = {"light": [row("find", EXACT)], "strict": [row("find", EXACT)]}
    figure = attacks_by_version(rows, version_styles(rows), "A finding")
    assert figure.layout.scattermode == "group"
    assert {trace.orientation for trace in figure.data} == {"h"}


@pytest.mark.parametrize("pair", [(50, 40), (35, 35), (90, 10), (100, 0)])
@pytest.mark.parametrize("baseline", [0.1, 0.4])
def test_any_two_rates_are_drawn(pair: tuple[int, int], baseline: float) -> None:
    rows = {
        name: [row("find", AttackRate(hits, 100, baseline, None, True))]
        for name, hits in zip(("light", "strict"), pair, strict=True)
    }
    figure = attacks_by_version(rows, version_styles(rows), "A finding")
    assert [list(trace.x) for trace in figure.data] == [[100 * baseline], [pair[0]], [pair[1]]]
