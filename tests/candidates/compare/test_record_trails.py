"""One record, or a class, through all versions: against a look at the records themselves."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, Roles, Scorecard, score
from metrics.candidates.compare.record_trails import (
    Trail,
    record_trails,
    record_with_value,
    records_of_class,
    stop_of_trail,
)
from tests.support.small_tables import Cells, cells_of, records, table, written

ROLES = Roles(quasi_identifiers=["q", "Q"], sensitive=["s"])
KEYED = Roles(quasi_identifiers=["q"], sensitive=["s"], key="id")


@st.composite
def versions(draw: st.DrawFn) -> list[dict[str, Cells]]:
    """Two versions of as many records."""
    rows = draw(st.integers(1, 25))
    cells = {"q": st.sampled_from("ab*"), "Q": st.sampled_from("xy*"), "s": st.sampled_from("123")}
    return [{name: draw(st.lists(of, min_size=rows, max_size=rows)) for name, of in cells.items()} for _ in range(2)]


@given(versions(), st.data())
def test_a_class_is_followed_to_the_classes_that_now_contain_its_records(
    made: list[dict[str, Cells]], data: st.DataObject
) -> None:
    cards = {str(place): score(table(cells), ROLES) for place, cells in enumerate(made)}
    first = cards["0"]
    if not first.aggregates.classes.count:
        return
    index = data.draw(st.integers(0, first.aggregates.classes.count - 1))
    positions = records_of_class(first, index)
    named = tuple(first.aggregates.classes.labels(index).values())
    before, after = (records(cells) for cells in made)
    assert positions.tolist() == [row for row, cell in enumerate(before) if (cell["q"], cell["Q"]) == named]
    trails = record_trails(cards, first.aggregates.anonymized, positions)
    assert (trails["0"].classes.tolist(), trails["0"].followed.tolist()) == ([index], [len(positions)])
    where = Counter((after[row]["q"], after[row]["Q"]) for row in positions)
    assert trails["1"].suppressed == where.pop(("*", "*"), 0)
    assert trails["1"].absent == 0
    sizes = Counter((cell["q"], cell["Q"]) for cell in after)
    found = {}
    for number in range(len(trails["1"].classes)):
        one = stop_of_trail(cards["1"], trails["1"], number)
        place = tuple(one.quasi_identifiers.values())
        found[place] = one.followed
        assert one.size == sizes[place]
        assert one.sensitive["s"].distinct == len({cell["s"] for cell in after if (cell["q"], cell["Q"]) == place})
    assert found == where
    followed = trails["1"].followed.tolist()
    assert followed == sorted(followed, reverse=True)


def keyed() -> tuple[dict[str, Scorecard], object]:
    original = written("id q s\n7 10 x\n8 11 y\n9 12 x", "original.csv")
    cards = {
        "turned": score(written("id q s\n9 1* x\n7 1* x\n8 * y", "turned.csv"), KEYED, original=original),
        "fewer": score(written("id q s\n8 1* y\n9 1* x", "fewer.csv"), KEYED, original=original),
    }
    return cards, original


def test_a_record_is_found_by_its_key_in_any_order_of_records() -> None:
    cards, original = keyed()
    position = record_with_value(original, "id", " 8 ")
    assert position == 1
    trails = record_trails(cards, original, np.array([position]))
    assert trails["turned"].suppressed == 1
    assert trails["turned"].summary() == "1 suppressed."
    assert trails["fewer"].summary() == "1 record in a class of 2, a risk of up to 50%."
    gone = record_trails(cards, original, np.array([0]))
    assert gone["turned"].sizes.tolist() == [2]
    assert gone["fewer"].summary() == "1 not in it."
    assert record_with_value(original, "id", "absent") is None
    with pytest.raises(InputError, match="no such column"):
        record_with_value(original, "other", "8")


def test_the_figures_of_a_followed_record_are_those_of_its_class_in_the_class_table() -> None:
    cards, original = keyed()
    trail = record_trails(cards, original, np.array([1]))["fewer"]
    found = stop_of_trail(cards["fewer"], trail, 0)
    assert found.quasi_identifiers == {"q": "1*"}
    frame = cards["fewer"].classes.to_pandas().iloc[found.index]
    assert found.sensitive["s"].distinct == frame["s.distinct"] == 2
    assert found.sensitive["s"].normalized_entropy == frame["s.normalized_entropy"]
    assert found.sensitive["s"].t == frame["s.t"]


def test_if_records_cannot_be_followed_the_reason_is_given() -> None:
    original = written("id q s\n1 a x\n2 a y", "original.csv")
    longer = written("id q s\n1 a x\n2 a y\n2 a y", "longer.csv")
    by_place = record_trails({"c": score(longer, Roles(["q"], ["s"]))}, original, np.array([0]))["c"]
    assert by_place.summary() == (
        "cannot be followed: it has 3 records and original.csv has 2, so records cannot be matched by position."
    )
    by_key = record_trails({"c": score(longer, KEYED)}, original, np.array([0]))["c"]
    assert by_key.unavailable == 'the key column "id" of longer.csv repeats a value'
    without = written("q s\na x\na y", "without.csv")
    assert record_trails({"c": score(original, KEYED)}, without, np.array([0]))["c"].unavailable == (
        'without.csv has no key column "id"'
    )


def test_the_summary_of_a_class_counts_its_records_classes_and_suppressed_records() -> None:
    card = score(written("q s\na x\na y\nb x\n* y"), Roles(["q"], ["s"]))
    trail = record_trails({"c": card}, card.aggregates.anonymized, np.arange(4))["c"]
    assert trail.summary() == "3 records in 2 classes of 1 to 2, a risk of up to 100% and 1 suppressed."
    assert cells_of(card.aggregates.anonymized["q"])[3] == "*"
    assert record_trails({"c": card}, card.aggregates.anonymized, np.arange(0))["c"].summary() == "no record."


def test_records_with_a_repeated_key_are_followed_by_the_rule_of_the_roles() -> None:
    original = written("id q s\n1 10 x\n2 11 y\n2 12 x\n- 13 y\n5 14 y", "original.csv")
    version = written("id q s\n2 1* y\n1 * x\n1 1* x\n9 1* y\n5 1* y", "version.csv")

    def trail(duplicates: str) -> Trail:
        roles = Roles(["q"], ["s"], key="id", duplicates=duplicates, unmatched="leave_out")
        return record_trails({"c": score(version, roles, original=original)}, original, np.arange(5))["c"]

    assert trail("refuse").unavailable == 'the key column "id" of original.csv repeats a value'
    first = trail("first")
    assert (first.followed.tolist(), first.suppressed, first.absent, first.ambiguous) == ([2], 1, 0, 2)
    assert first.summary().endswith(", 1 suppressed and 2 with an ambiguous key.")
    none = trail("leave_out")
    assert (none.followed.tolist(), none.suppressed, none.absent, none.ambiguous) == ([1], 0, 0, 4)


def test_a_version_is_followed_to_itself_whatever_its_keys() -> None:
    version = written("id q s\n1 1* y\n1 1* x", "version.csv")
    assert record_trails({"c": score(version, KEYED)}, version, np.array([1]))["c"].followed.tolist() == [1]


def test_a_record_is_followed_by_a_key_of_several_columns() -> None:
    roles = Roles(["q"], ["s"], key=["id", "visit"])
    original = written("id visit q s\n1 1 10 x\n1 2 11 y", "original.csv")
    card = score(written("visit id q s\n2 1 1* y\n3 1 1* x", "version.csv"), roles)
    found = record_trails({"c": card}, original, np.arange(2))["c"]
    assert (found.followed.tolist(), found.absent) == ([1], 1)
