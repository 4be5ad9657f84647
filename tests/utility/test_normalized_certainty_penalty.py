"""Normalized certainty penalty, against a slow version that looks at one cell after the other."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, score
from metrics.scoring.scorecard import Score
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    letters = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "CDE", "*"], ["d", "CDE", "*"], ["e", "CDE", "*"]])
    original, released = written("letter age\na 20\nc 30"), written("letter age\nAB 20-24\nc 30")
    card = score(released, Roles(["letter", "age"]), original=original, hierarchies={"letter": letters})
    penalties = [2 / 5, 0, 4 / 10, 0]  # two of five letters, and an interval of 4 in a range of 10
    assert card["normalized_certainty_penalty"].value == pytest.approx(sum(penalties) / 4)
    assert card["normalized_certainty_penalty"].details["sum"] == pytest.approx(sum(penalties))


GROUPS = [["a", "AB", "*"], ["b", "AB", "*"], ["c", "CDE", "*"], ["d", "CDE", "*"], ["e", "CDE", "*"]]
AGES = {str(age): [str(age), f"[{age // 5 * 5}-{age // 5 * 5 + 5})", "*"] for age in range(20, 40)}


def scored(original: dict[str, Cells], anonymized: dict[str, Cells], hierarchies: dict[str, Hierarchy]) -> Score:
    card = score(
        table(anonymized), Roles(list(anonymized)), original=table(original, "original"), hierarchies=hierarchies
    )
    return card["normalized_certainty_penalty"]


def penalty_of_group(label: str) -> Fraction:
    """Leaves under the label over all leaves, 0 for a leaf: the definition for categorical attributes."""
    leaves = sum(label in row for row in GROUPS)
    return Fraction(leaves, len(GROUPS)) if leaves > 1 else Fraction(0)


def ends(label: str) -> list[int]:
    """The smallest and the largest whole number of a label; none of "*"."""
    if label == "*":
        return []
    first, _, beyond = label.strip("[)").partition("-")
    return [int(first), int(beyond) - 1 if beyond else int(first)]


def penalty_of_age(label: str, labels: list[str]) -> Fraction:
    """Width of the interval over the range of all labels of both tables: the definition for numeric attributes."""
    known = [end for one in labels for end in ends(one)]
    width = max(known) - min(known)
    if not width:
        return Fraction(0)
    return Fraction(ends(label)[1] - ends(label)[0], width) if ends(label) else Fraction(1)


levels = st.sampled_from([0, 1, 2])


@given(st.lists(st.tuples(st.sampled_from(GROUPS), levels, st.sampled_from(list(AGES)), levels), min_size=1))
def test_the_penalty_equals_the_mean_over_single_cells(rows: list[tuple[list[str], int, str, int]]) -> None:
    original = {"group": [group[0] for group, *_ in rows], "age": [age for *_, age, _ in rows]}
    anonymized = {
        "group": [group[level] for group, level, *_ in rows],
        "age": [AGES[age][level] for *_, age, level in rows],
    }
    found = scored(original, anonymized, {"group": Hierarchy(GROUPS)})
    labels = [*original["age"], *anonymized["age"]]
    expected = {
        "group": sum(map(penalty_of_group, anonymized["group"])) / Fraction(len(rows)),
        "age": sum(penalty_of_age(label, labels) for label in anonymized["age"]) / Fraction(len(rows)),
    }
    assert found.attributes == {name: pytest.approx(float(figure)) for name, figure in expected.items()}
    assert found.value == pytest.approx(float(sum(expected.values()) / 2))


def test_the_penalty_is_0_for_the_original_and_1_for_a_suppressed_table() -> None:
    original: dict[str, Cells] = {"group": list("abcde"), "age": ["20", "21", "22", "23", "39"]}
    hierarchies = {"group": Hierarchy(GROUPS)}
    assert scored(original, original, hierarchies).value == 0
    assert scored(original, {name: ["*"] * 5 for name in original}, hierarchies).value == 1
