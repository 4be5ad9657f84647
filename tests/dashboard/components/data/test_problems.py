"""What does not fit between loaded tables is told, once, without a cell's value."""

from dashboard.components.data.problems import problems
from dashboard.workspace import Slot, Workspace
from metrics.config.matching_rule import MatchingRule
from metrics.config.roles import Role
from metrics.hierarchies.hierarchy import Hierarchy
from tests.dashboard.application import csv

QUASI, SENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE


def state(original: bytes | None, *candidates: bytes, **roles: Role) -> Workspace:
    made = Workspace()
    if original is not None:
        made.add(Slot.ORIGINAL, "original.csv", original)
    for number, candidate in enumerate(candidates, 1):
        made.add(Slot.ANONYMIZED, f"candidate{number}.csv", candidate)
    made.roles |= roles
    return made


def test_tables_that_fit_have_no_problems() -> None:
    table = csv(["q", "s"], ["secret", "x"])
    assert problems(state(table, table, q=QUASI, s=SENSITIVE)) == []
    assert problems(Workspace()) == []


def test_different_numbers_of_records_are_reported_without_a_value() -> None:
    (sentence,) = problems(state(csv(["q"], ["secret"], ["b"]), csv(["q"], ["secret"]), q=QUASI))
    assert "candidate1.csv" in sentence
    assert "original.csv" in sentence
    assert "secret" not in sentence


def test_columns_that_only_one_of_two_tables_has_are_named() -> None:
    made = state(csv(["q", "a"], ["1", "2"]), csv(["q", "b"], ["1", "2"]), q=QUASI)
    made.roles |= {"a": Role.INSENSITIVE, "b": Role.INSENSITIVE}
    (sentence,) = problems(made)
    assert sentence == (
        'candidate1.csv: its columns differ from those of original.csv: it lacks "a" and also has "b"; '
        "load matching tables, or continue if this is intended."
    )


def test_an_original_with_suppressed_cells_that_no_candidate_has_may_be_swapped() -> None:
    generalized, exact = csv(["q"], ["*"], ["secret"]), csv(["q"], ["other"], ["secret"])
    (sentence,) = problems(state(generalized, exact, q=QUASI))
    assert sentence.startswith(
        'original.csv: the original has suppressed cells (*) in "q", and candidate1.csv has none'
    )
    assert "swapped" in sentence
    assert problems(state(exact, generalized, q=QUASI)) == problems(state(generalized, generalized, q=QUASI)) == []


def test_problems_are_reported_per_candidate_and_equal_ones_once() -> None:
    made = state(csv(["q"], ["1"]), csv(["q"], ["1"], ["2"]), csv(["q"], ["1"], ["2"], ["3"]), q=QUASI)
    assert len(problems(made)) == 2
    assert len(set(problems(made))) == 2


def test_a_quasi_identifier_that_a_table_lacks_is_reported() -> None:
    (sentence,) = problems(state(csv(["q", "r"], ["1", "2"]), csv(["q"], ["1"]), q=QUASI, r=QUASI))
    assert sentence.startswith('candidate1.csv, column "r": the table has no such column')


def test_an_extra_column_is_reported_for_its_candidate_alone() -> None:
    table = csv(["q"], ["1"])
    made = state(table, table, csv(["q", "extra"], ["1", "2"]), q=QUASI, extra=Role.INSENSITIVE)
    (sentence,) = problems(made)
    assert sentence.startswith("candidate2.csv: its columns differ")
    assert [made.card(label)["k_anonymity"].value for label in made.candidates] == [1, 1]


def test_a_hierarchy_that_misses_values_names_the_line_and_not_the_value() -> None:
    made = state(csv(["q"], ["a"], ["secret"]), csv(["q"], ["*"], ["*"]), q=QUASI)
    made.hierarchies["q"] = Hierarchy([["a", "*"], ["b", "*"]], name="q.csv")
    (sentence,) = problems(made)
    assert sentence.startswith('original.csv, line 3, column "q": the hierarchy q.csv lacks a value of this row')
    assert "secret" not in sentence


def test_a_repeated_key_is_reported_with_its_column_and_line() -> None:
    made = state(csv(["id", "q"], ["7", "1"], ["7", "2"]), csv(["id", "q"], ["7", "1"], ["8", "2"]), q=QUASI)
    made.matching.choose_for_all(MatchingRule(("id",)))
    (sentence,) = problems(made)
    assert 'column "id"' in sentence
    assert "line 3" in sentence


def test_without_a_quasi_identifier_there_is_nothing_to_check() -> None:
    table = csv(["q"], ["1"])
    made = state(table, csv(["r"], ["1"], ["2"]))
    made.roles = dict.fromkeys(made.roles, Role.INSENSITIVE)
    assert problems(made) == []
