"""What anonymized values cover, and the KL divergence and distribution distance that rest on it."""

import math

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.aggregates import TableAggregates
from metrics.explanations.workings import working
from metrics.utility.kl_divergence import _looked_up
from metrics.utility.spread import Spread, spread_of
from tests.explanations.workings.formulas import assert_sound
from tests.oracle import distributions as oracle
from tests.oracle.reading import read_cells
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, records, table, written

IDS = ("kl_divergence", "distribution_distance")
WORDS = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"], ["d", "CD", "*"]])


def card_of(before: dict[str, Cells], after: dict[str, Cells], **hierarchies: Hierarchy) -> Scorecard:
    roles = Roles(quasi_identifiers=list(after))
    return score(table(after), roles, original=table(before), hierarchies=hierarchies, metrics=IDS)


def column(before: Cells, after: Cells, hierarchy: Hierarchy | None = None) -> Spread:
    aggregates = TableAggregates(
        table({"q": after}), Roles(quasi_identifiers=["q"]), table({"q": before}), {"q": hierarchy} if hierarchy else {}
    )
    return spread_of(aggregates, "q")


def covers(of: Spread) -> list[set[int]]:
    """Per anonymized value, its elements."""
    return [
        set() if group < 0 else set(np.flatnonzero(of.groups[group] == code).tolist())
        for code, group in enumerate(of.group_of)
    ]


def test_leaves_of_a_hierarchy() -> None:
    of = column(["a", "b", "c", "a"], ["AB", "b", "*", "CD"], WORDS)
    assert covers(of) == [{0, 1}, {1}, {0, 1, 2, 3}, {2, 3}]
    assert of.element.tolist() == [0, 1, 2]
    assert of.after(np.array([1, 1, 1, 1])).tolist() == [0.75, 1.75, 0.75, 0.75]


def test_a_label_on_two_levels_covers_the_leaves_of_both() -> None:
    twice = Hierarchy([["1", "5", "*"], ["5", "9", "*"], ["9", "9", "*"]])
    assert covers(column(["1", "5", "9"], ["5", "5", "9"], twice)) == [{0, 1}, {1, 2}]


def test_whole_numbers_and_other_spellings_of_them() -> None:
    of = column(["1", "1.0", "4", "2"], ["1", "01.0", "3-4", "*"])
    assert of.of.rule == "original values"
    of = column(["1", "1.0", "4", "2"], ["1.0", "1", "[3-5)", "*"])
    assert of.of.rule == "integers"
    assert of.element.tolist() == [0, 0, 3, 1]
    assert covers(of) == [{0}, {0}, {2, 3}, {0, 1, 2, 3}]


def test_a_vast_range_consists_of_the_numbers_that_occur() -> None:
    of = column(["0", "1000000000", "5"], ["0-999999999", "1000000000", "0-9"])
    assert (of.elements, of.of.size) == (3, 10**9 + 1)
    assert covers(of) == [{0, 1}, {2}, {0, 1}]
    card = card_of({"q": ["0", "1000000000", "5"]}, {"q": ["0-999999999", "1000000000", "0-9"]})
    expected = 0.1 + 1e-9
    assert card["kl_divergence"].value == pytest.approx(-2 / 3 * math.log(expected), rel=1e-12)
    # 0 and 5 keep what they are expected, all else lies on numbers that nobody holds.
    assert card["distribution_distance"].value == pytest.approx((2 - 2 * expected) / 3, rel=1e-12)
    assert card["distribution_distance"].details["ordered_distance"] == {}


def test_masks_intervals_and_labels_are_recognized_by_what_they_replaced() -> None:
    of = column(["4760", "4761", "4801", "x"], ["476*", "476*", "48**", "last"])
    assert covers(of) == [{0, 1}, {2}, {3}]
    of = column(["1.5", "2.5", "7"], ["1-3", "1-3", ">=5"])
    assert covers(of) == [{0, 1}, {2}]


def test_the_divergence_by_hand() -> None:
    # a and b are expected 1 each by AB and 1/4 each by *; c and d 1/4 each by *.
    card = card_of({"q": ["a", "b", "c"]}, {"q": ["AB", "AB", "*"]}, q=WORDS)
    expected = (2 * math.log(1 / 1.25) + math.log(4)) / 3
    result = card["kl_divergence"]
    assert result.value == pytest.approx(expected, rel=1e-12)
    assert result.details["bits"] == pytest.approx(expected / math.log(2), rel=1e-12)
    assert result.details["largest"] == pytest.approx(math.log(4 / 3), rel=1e-12)
    assert result.details["spread_over_the_whole_domain"] == 1
    assert card["distribution_distance"].value == pytest.approx((0.25 + 0.25 + 0.75 + 0.25) / 6, rel=1e-12)
    assert "q changed the most" in card["distribution_distance"].summary()


def test_all_suppressed_and_untouched() -> None:
    before: dict[str, Cells] = {"q": ["a", "b", "c", "c"], "r": ["1", "2", "3", "4"]}
    gone = card_of(before, {name: ["*"] * 4 for name in before}, q=WORDS)["kl_divergence"]
    assert gone.value == pytest.approx(gone.details["largest"], rel=1e-12)
    assert gone.details["normalized"] == pytest.approx(0, abs=1e-12)
    kept = card_of(before, before, q=WORDS)
    assert (kept["kl_divergence"].value, kept["distribution_distance"].value) == (0, 0)
    assert kept["kl_divergence"].details["normalized"] == 1
    assert "unchanged" in kept["kl_divergence"].summary()
    for metric_id in ("kl_divergence", "distribution_distance"):
        assert working(kept, metric_id).result == 0


def test_deleted_records_are_spread_over_the_whole_domain() -> None:
    original = written("id q\n1 a\n2 b\n3 c")
    anonymized = written("id q\n3 c\n1 AB")
    roles = Roles(quasi_identifiers=["q"], key="id")
    card = score(anonymized, roles, original=original, hierarchies={"q": WORDS})
    expected = (2 * math.log(1 / 0.75) + math.log(1 / 1.25)) / 3
    assert card["kl_divergence"].value == pytest.approx(expected, rel=1e-12)
    assert working(card, "kl_divergence").result == pytest.approx(expected, rel=1e-12)


def test_exchanged_values_make_it_infinite_and_say_so() -> None:
    card = card_of({"q": ["a", "b"]}, {"q": ["b", "b"]})
    assert card["kl_divergence"].value is None
    assert "1 original records" in str(card["kl_divergence"].unavailable)
    assert card["distribution_distance"].value == 0.5


def test_keys_beyond_whole_numbers_of_64_bits() -> None:
    names = [f"q{i}" for i in range(40)]
    before: dict[str, Cells] = {name: [f"{(i * (k + 3)) % 17}x" for i in range(30)] for k, name in enumerate(names)}
    after = {
        name: ["*" if i % 7 == k % 7 else cell for i, cell in enumerate(of)]
        for k, (name, of) in enumerate(before.items())
    }
    value = card_of(before, after)["kl_divergence"].value
    assert value == pytest.approx(oracle.kl_divergence(records(before), records(after), names, {}), rel=1e-9)


@given(st.integers(1, 4), st.integers(1, 12), st.integers(0, 12), st.data())
def test_looking_up_tuples(width: int, known: int, sought: int, data: st.DataObject) -> None:
    codes = st.tuples(*[st.integers(0, 3)] * width)
    among = data.draw(st.lists(codes, min_size=known, max_size=known, unique=True)) if known <= 4**width else []
    assume(among)
    places = data.draw(st.lists(st.tuples(*[st.integers(-1, 3)] * width), min_size=sought, max_size=sought))
    columns = [np.array([row[i] for row in places], dtype=np.int64) for i in range(width)]
    known_columns = [np.array([row[i] for row in among], dtype=np.int64) for i in range(width)]
    found = _looked_up(zip(columns, known_columns, strict=True), sought, known)
    assert found.tolist() == [among.index(place) if place in among else -1 for place in places]


@given(pair_scenes(24))
def test_against_the_oracle(scene: Scene) -> None:
    assume(scene.rows)
    card = scene.score(*IDS)
    read = {
        name: read_cells(scene.original[name], scene.anonymized[name], scene.hierarchies.get(name))
        for name in scene.quasi_identifiers
    }
    original, anonymized = (records({name: pair[side] for name, pair in read.items()}) for side in (0, 1))
    try:
        expected = oracle.kl_divergence(original, anonymized, scene.quasi_identifiers, scene.hierarchies)
    except ValueError:
        event("left open")
        return
    divergence, distance = card["kl_divergence"], card["distribution_distance"]
    if math.isinf(expected):
        event("infinite")
        assert divergence.unavailable
        assert "infinite" in divergence.unavailable
    else:
        assert divergence.value == pytest.approx(expected, rel=1e-9, abs=1e-9)
        made = working(card, "kl_divergence")
        assert made.result == pytest.approx(divergence.value, rel=1e-12, abs=1e-12)
        assert_sound(made)
    by_column = {
        name: oracle.total_variation(before, after, scene.hierarchies.get(name))
        for name, (before, after) in read.items()
    }
    assert distance.attributes == {name: pytest.approx(float(of), abs=1e-12) for name, of in by_column.items()}
    assert distance.value == pytest.approx(float(sum(by_column.values())) / len(by_column), abs=1e-12)
    for name, ordered in distance.details["ordered_distance"].items():
        slow = oracle.ordered_distance(*read[name], scene.hierarchies.get(name))
        assert ordered == pytest.approx(float(slow), abs=1e-12)
    made = working(card, "distribution_distance")
    assert made.result == pytest.approx(distance.value, rel=1e-12, abs=1e-12)
    assert_sound(made)
