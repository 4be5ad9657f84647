"""Figures of random halves of the people: against scoring the halves by hand, and against textbook standard errors."""

import numpy as np
import pytest

from metrics import InputError, Roles, Scorecard, score
from metrics.candidates.compare.comparison import compare
from metrics.candidates.compare.summary import uncertainty_finding
from metrics.candidates.compare.trade_off_chart import trade_off
from metrics.candidates.compare.uncertainty import uncertainty
from metrics.errors import Unavailable
from metrics.formatting import short_percent
from tests.support.small_tables import table

PEOPLE = 400
METRICS = ("k_anonymity", "sample_uniqueness", "granularity")
Cells = dict[str, list[str]]


def cells(seed: int = 5, people: int = PEOPLE) -> Cells:
    generator = np.random.default_rng(seed)
    return {
        "number": [str(number) for number in range(people)],
        "age": [str(age) for age in generator.integers(20, 60, people)],
        "town": [str(town) for town in generator.choice(["A", "B", "C"], people, p=[0.6, 0.3, 0.1])],
        "illness": [str(illness) for illness in generator.choice(["flu", "cold"], people)],
    }


def decades(original: Cells) -> Cells:
    return original | {"age": [f"[{age[0]}0, {int(age[0]) + 1}0[" for age in original["age"]]}


def without_rare_town(original: Cells) -> Cells:
    return original | {"town": ["*" if town == "C" else town for town in original["town"]]}


def cards(original: Cells, versions: dict[str, Cells], **roles: object) -> dict[str, Scorecard]:
    tagged = Roles(quasi_identifiers=["age", "town"], sensitive=["illness"], **roles)  # type: ignore[arg-type]
    return {label: score(table(version), tagged, original=table(original)) for label, version in versions.items()}


def halves_of(people: int, number: int, seed: int) -> list[list[int]]:
    generator = np.random.default_rng(seed)
    return [sorted(generator.permutation(people)[: people // 2].tolist()) for _ in range(number)]


def chosen(of: Cells, records: list[int]) -> Cells:
    return {name: [column[record] for record in records] for name, column in of.items()}


def test_the_figures_are_those_of_the_halves_scored_one_by_one() -> None:
    original = cells()
    versions = {"decades": decades(original), "towns": without_rare_town(original)}
    found = uncertainty(cards(original, versions), METRICS, halves=4, seed=3)
    for half, records in enumerate(halves_of(PEOPLE, 4, 3)):
        of_half = cards(chosen(original, records), {label: chosen(one, records) for label, one in versions.items()})
        for label in versions:
            for row, metric in enumerate(METRICS):
                value = of_half[label][metric].value
                assert value is not None
                sign = -1 if metric == "sample_uniqueness" else 1
                assert found.halves[half, row, found.labels.index(label)] == pytest.approx(sign * value, abs=1e-12)


def test_the_spread_of_a_mean_over_records_is_its_standard_error() -> None:
    original = cells()
    found = uncertainty(cards(original, {"towns": without_rare_town(original)}), ["granularity"], halves=400)
    suppressed = np.array([town == "C" for town in original["town"]])
    error = suppressed.std(ddof=1) / 2 / np.sqrt(PEOPLE)  # one of two quasi-identifiers
    interval = found.interval("towns", "granularity")
    assert interval is not None
    assert not interval.of_half
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_uniques_and_smallest_classes_are_told_of_half_of_the_people() -> None:
    original = cells()
    found = uncertainty(cards(original, {"as it is": original}), METRICS, halves=40)
    uniques, smallest = found.interval("as it is", "sample_uniqueness"), found.interval("as it is", "k_anonymity")
    assert uniques is not None
    assert smallest is not None
    assert uniques.of_half
    halves = -found.halves[:, 1, 0]
    assert [uniques.low, uniques.high] == pytest.approx(np.sort(halves)[[1, 39]].tolist())
    # Every half has a class of one as the whole table has.
    assert (smallest.low, smallest.high, smallest.of_half) == (1, 1, False)


def test_equal_versions_do_not_differ_clearly_and_others_do() -> None:
    original = cells()
    versions = {"one": decades(original), "same": decades(original), "towns": without_rare_town(original)}
    found = uncertainty(cards(original, versions), METRICS, halves=40)
    assert found.better("one", "same", "granularity") == 0.5
    assert not found.is_clear("one", "same", "granularity")
    assert found.better("towns", "one", "granularity") == 1 - found.better("one", "towns", "granularity")  # type: ignore[operator]
    assert found.is_clear("one", "towns", "granularity")
    assert uncertainty_finding(found, "granularity").endswith("no clear difference between one and same")


def test_the_front_is_shared_by_equal_versions() -> None:
    original = cells()
    worse = without_rare_town(decades(original)) | {"age": ["*"] * PEOPLE}
    versions = {"one": original, "decades": decades(original), "dominated": worse | {"town": original["town"]}}
    found = uncertainty(cards(original, versions), METRICS, halves=20)
    front = found.front("sample_uniqueness", "granularity")
    assert front["one"] == 1
    assert all(0 <= share <= 1 for share in front.values())


def test_the_front_is_drawn_with_its_intervals_and_in_how_many_halves_each_version_is_on_it() -> None:
    original = cells()
    scored = cards(original, {"fine": original, "decades": decades(original), "towns": without_rare_town(original)})
    found = uncertainty(scored, METRICS, halves=20)
    plane = ("sample_uniqueness", "granularity")
    assert found.plane == ("k_anonymity", "granularity")
    _, *marks = trade_off(compare(scored), *plane, found=found).data
    front = found.front(*plane)
    assert [mark.text[0] for mark in marks] == [f"{name} {short_percent(share)}" for name, share in front.items()]
    assert [mark.opacity for mark in marks] == pytest.approx([0.3 + 0.7 * share for share in front.values()])
    for label, mark in zip(found.labels, marks, strict=True):
        for metric, value, bars in zip(plane, (mark.x[0], mark.y[0]), (mark.error_x, mark.error_y), strict=True):
            interval = found.interval(label, metric)
            assert interval is not None
            ends = (value - bars.arrayminus[0], value + bars.array[0])
            assert ends == pytest.approx((interval.low, interval.high))


def test_versions_in_another_order_are_divided_alike_by_the_key() -> None:
    original = cells()
    shuffled = np.random.default_rng(1).permutation(PEOPLE).tolist()
    versions = {"decades": decades(original), "shuffled": chosen(decades(original), shuffled)}
    found = uncertainty(cards(original, versions, key=["number"]), METRICS, halves=10)
    assert np.array_equal(found.halves[:, :, 0], found.halves[:, :, 1])


def test_the_records_of_a_person_stay_together() -> None:
    original = cells(people=60)
    doubled = {name: column * 2 for name, column in original.items()}
    found = uncertainty(cards(doubled, {"decades": decades(doubled)}, person="number"), METRICS, halves=10)
    assert (found.halves[:, 0, 0] % 2 == 0).all()


def test_a_seed_draws_the_same_halves_and_another_seed_others() -> None:
    original = cells()
    scored = cards(original, {"decades": decades(original)})
    first, again, other = (uncertainty(scored, METRICS, halves=5, seed=seed).halves for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_what_cannot_be_divided_is_refused_with_the_reason() -> None:
    few = cells(people=20)
    with pytest.raises(Unavailable, match="20 people"):
        uncertainty(cards(few, {"decades": decades(few)}), METRICS)
    with pytest.raises(InputError, match="k_anonymty"):
        uncertainty(cards(few, {"decades": decades(few)}), ["k_anonymty"])
