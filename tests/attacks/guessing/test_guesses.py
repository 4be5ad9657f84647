"""Guesses from the possible records of a person: the most frequent value or the median, and how far they are right."""

from collections import Counter
from statistics import median

import numpy as np
import pytest

from metrics.attacks.guessing.guesses import Guesser, all_records_batch, has_many_numbers, label_numbers
from metrics.attacks.knowledge.possible_records import Batch, Released
from metrics.counting.counts import MemoryRelation
from tests.support.small_tables import Cells, table

NUMBERS = [str(number) for number in range(21)]
"""As many different numbers as it takes for the median to be guessed."""


def guesser_of(values: Cells, original: Cells, *, tolerance: float = 0, groups: Cells = ()) -> tuple[Guesser, Batch]:
    """A guesser of released values, and a batch of one person for each group, whose records are possible."""
    relation = MemoryRelation(table({"group": groups or ["all"] * len(values), "value": values}))
    released = Released.from_relation(relation, ["group"])
    cells, of_original = relation.count_within(["group"], "value"), table({"value": original})["value"]
    each = np.arange(released.count)
    return Guesser(released, cells, of_original, tolerance, 1), Batch(
        each, np.ones_like(each), each, each, each, released.count
    )


def right(values: Cells, own: str | None, original: Cells, **options: float) -> tuple[float, bool, bool]:
    """How far a person's value is guessed from these possible records, and whether they are certain or misled."""
    guesser, batch = guesser_of(values, original, **options)
    person = table({"value": [own]})["value"]
    codes, numbers = guesser.values_of(person), label_numbers(person)
    found = guesser.success(batch, guesser.counts(batch), codes, numbers)
    return float(found.right[0]), bool(found.certain[0]), bool(found.misled[0])


@pytest.mark.parametrize(
    ("values", "own", "expected"),
    [
        (["flu", "flu", "cold"], "flu", (1, False, False)),
        (["flu", "flu", "cold"], "cold", (0, False, False)),
        (["flu", "cold"], "cold", (0.5, False, False)),  # a tie: right every second time
        (["flu", "flu"], "flu", (1, True, False)),
        (["flu", "flu"], "cold", (0, False, True)),
        (["flu", "*", "*"], "flu", (1, False, False)),  # nobody has the value `*`
        (["*", "*"], "flu", (0, False, False)),
    ],
)
def test_the_most_frequent_value_of_the_possible_records_is_guessed(
    values: Cells, own: str, expected: tuple[float, bool, bool]
) -> None:
    assert right(values, own, ["flu", "cold"]) == expected


def test_guesses_are_those_made_group_by_group() -> None:
    random = np.random.default_rng(5)
    values, groups = random.choice(list("abcd"), 200).tolist(), random.choice(list("pqrstuvwxyz"), 200).tolist()
    guesser, batch = guesser_of(values, values, groups=groups)
    for own in "abcd":
        person = table({"value": [own] * batch.rows})["value"]
        found = guesser.success(batch, guesser.counts(batch), guesser.values_of(person), label_numbers(person))
        for group, share in zip(sorted(set(groups)), found.right.tolist(), strict=True):
            counts = Counter(value for value, of in zip(values, groups, strict=True) if of == group)
            best = [value for value, count in counts.items() if count == max(counts.values())]
            assert share == pytest.approx(1 / len(best) if own in best else 0)


def test_where_all_possible_records_are_suppressed_the_guess_is_that_from_all_records() -> None:
    guesser, batch = guesser_of(["flu", "flu", "cold", "*"], ["flu", "cold"], groups=["a", "a", "a", "b"])
    person = table({"value": ["flu", "flu"]})["value"]
    found = guesser.success(batch, guesser.counts(batch), guesser.values_of(person), label_numbers(person))
    assert found.right.tolist() == [1, 1]
    only_suppressed = Batch(np.array([0]), np.array([1]), np.array([0]), np.array([0]), np.array([1]), 1)
    assert [guesser.label(value) for value in guesser.guesses(guesser.counts(only_suppressed))] == ["flu"]


def test_a_number_is_right_within_the_tolerance_of_the_median() -> None:
    values = ["1", "2", "10", "20"]
    guesser, batch = guesser_of(values, NUMBERS)
    assert guesser.medians(batch, guesser.counts(batch)).tolist() == [6]  # the mean of the middle two
    assert [right(values, "8", NUMBERS, tolerance=of)[0] for of in (1, 2)] == [0, 1]


def test_medians_are_those_found_group_by_group() -> None:
    random = np.random.default_rng(6)
    values, groups = random.integers(0, 40, 150).astype(str).tolist(), random.choice(list("pqrstuvw"), 150).tolist()
    guesser, batch = guesser_of(values, NUMBERS, groups=groups)
    expected = [
        median(int(value) for value, of in zip(values, groups, strict=True) if of == group)
        for group in sorted(set(groups))
    ]
    assert guesser.medians(batch, guesser.counts(batch)).tolist() == expected


def test_an_interval_counts_as_its_middle_and_other_text_as_no_number() -> None:
    guesser, batch = guesser_of(["0-10", "*", "unknown"], NUMBERS)
    assert guesser.medians(batch, guesser.counts(batch)).tolist() == [5]
    none, batch = guesser_of(["unknown"], NUMBERS)
    assert np.isnan(none.medians(batch, none.counts(batch))).all()


def test_labels_that_write_one_number_are_one_value() -> None:
    guesser, batch = guesser_of(["3", "3.0", "4"], ["3", "4"])
    assert guesser.counts(batch).count.tolist() == [2, 1]
    assert right(["3", "3.0", "4", "4"], "3.00", ["3", "4"])[0] == 0.5


def test_the_median_is_guessed_of_more_than_twenty_different_numbers_only() -> None:
    assert has_many_numbers(table({"value": [*NUMBERS, None]})["value"])
    assert not has_many_numbers(table({"value": [*NUMBERS[:20], None]})["value"])
    assert not has_many_numbers(table({"value": [*NUMBERS, "unknown"]})["value"])


def test_released_values_that_the_original_lacks_are_counted_but_not_suppressed_ones() -> None:
    original = table({"value": ["flu", "cold"]})["value"]
    guesser, _ = guesser_of(["flu", "respiratory", "*", "*"], ["flu", "cold"])
    assert guesser.share_absent_from_original(original) == 0.25


def test_without_knowledge_everybody_has_all_records_as_possible_records() -> None:
    released = Released.from_relation(MemoryRelation(table({"age": ["1", "2", "2"]})), ["age"])
    assert all_records_batch(2, released).sizes(released).tolist() == [3, 3]
