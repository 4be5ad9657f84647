"""Distance between the distributions of a column before and after: by hand and against the oracle."""

import pytest
from hypothesis import assume, event, given

from metrics import Hierarchy, Roles, score
from metrics.scoring.working import working
from tests.oracle import distributions as oracle
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, written
from tests.utility.domains import WORDS, card_of, read_columns
from tests.working.formulas import assert_sound


def test_worked_example() -> None:
    letters = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"], ["d", "CD", "*"]])
    original, released = written("letter\na\nb\nc"), written("letter\nAB\nAB\n*")
    card = score(released, Roles(["letter"]), original=original, hierarchies={"letter": letters})
    # AB stands for a and b by half, * for all four letters by a quarter.
    a = b = 1 / 2 + 1 / 2 + 1 / 4
    c = d = 1 / 4
    distance = (abs(a - 1) + abs(b - 1) + abs(c - 1) + abs(d - 0)) / 2
    assert card["distribution_distance"].value == pytest.approx(distance / 3)  # of three records


DISTANCE = "distribution_distance"


def test_a_wide_interval_is_spread_over_all_numbers_in_it() -> None:
    found = card_of({"q": ["0", "1000000000", "5"]}, {"q": ["0-999999999", "1000000000", "0-9"]})[DISTANCE]
    # 0 and 5 keep what they are expected, all else lies on numbers that nobody holds.
    assert found.value == pytest.approx((2 - 2 * (0.1 + 1e-9)) / 3, rel=1e-12)
    assert found.details["ordered_distance"] == {}


def test_an_untouched_table_has_no_distance_and_exchanged_values_have_one() -> None:
    before: dict[str, Cells] = {"q": ["a", "b", "c", "c"], "r": ["1", "2", "3", "4"]}
    card = card_of(before, before, q=WORDS)
    assert card[DISTANCE].value == working(card, DISTANCE).result == 0
    assert card_of({"q": ["a", "b"]}, {"q": ["b", "b"]})[DISTANCE].value == 0.5


@given(pair_scenes(24))
def test_the_distance_of_every_column_equals_that_of_the_oracle(scene: Scene) -> None:
    assume(scene.rows)
    card, read = scene.score(DISTANCE), read_columns(scene)
    distance = card[DISTANCE]
    try:
        by_column = {
            name: oracle.total_variation(before, after, scene.hierarchies.get(name))
            for name, (before, after) in read.items()
        }
    except ValueError:
        event("left open")
        return
    assert distance.attributes == {name: pytest.approx(float(of), abs=1e-12) for name, of in by_column.items()}
    assert distance.value == pytest.approx(float(sum(by_column.values())) / len(by_column), abs=1e-12)
    for name, ordered in distance.details["ordered_distance"].items():
        slow = oracle.ordered_distance(*read[name], scene.hierarchies.get(name))
        assert ordered == pytest.approx(float(slow), abs=1e-12)
    made = working(card, DISTANCE)
    assert made.result == pytest.approx(distance.value, rel=1e-12, abs=1e-12)
    assert_sound(made)
