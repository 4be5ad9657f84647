"""What holds for every method: the same for a seed, records in their order, small and empty tables."""

import pytest

from dashboard.environment import ROOT
from metrics import InputError, Roles, Table, make_candidate
from metrics.candidates.methods.catalog import BY_NAME, METHODS, method_named
from metrics.candidates.methods.method import CandidateMethod, method_parameters, parameter_summary
from tests.support.small_tables import columns_of, table

ROLES = Roles(quasi_identifiers=["age", "job"], sensitive=["ill"], identifiers=["name"])
CELLS = {
    "name": [f"p{i}" for i in range(60)],
    "age": [str(20 + i * 7 % 50) for i in range(60)],
    "job": [("nurse", "smith", "waiter")[i * i % 3] for i in range(60)],
    "ill": ["xyz"[i % 3] for i in range(60)],
}
every = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
seeded = pytest.mark.parametrize("method", [one for one in METHODS if one.takes_seed], ids=lambda method: method.name)
"""k-RR and SafePub take no seed, and change more than cells: their own files test the same of them."""


@every
def test_a_method_declares_what_is_asked_of_it(method: type[CandidateMethod]) -> None:
    asked = set(CandidateMethod.__annotations__) | {"apply"}
    missing = sorted(name for name in asked if not hasattr(method, name))
    assert not missing, (
        f"{method.__name__} lacks {', '.join(missing)}: metrics/candidates/methods/method.py explains them"
    )


@every
def test_the_documentation_lists_a_method_with_its_parameters(method: type[CandidateMethod]) -> None:
    page = ROOT / "docs" / "command-line.md"
    row = next(
        (line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{method.name}` |")), ""
    )
    assert row, f"{page.name} has no row for {method.name}"
    # `--epsilon` also takes those of single columns.
    options = [f"`--{one.name.replace('_', '-')}`" for one in method_parameters(method) if one.name != "epsilons"]
    assert [option for option in options if option not in row] == [], f"the row of {method.name} lacks parameters"


@seeded
def test_the_same_seed_gives_the_same_table_and_only_random_methods_depend_on_it(method: type[CandidateMethod]) -> None:
    made = [columns_of(method().apply(table(CELLS), ROLES, seed=seed)) for seed in (3, 3, 4)]
    assert made[0] == made[1]
    assert (made[0] != made[2]) is method.draws, f"draws of {method.__name__} is {method.draws}"


@seeded
def test_other_columns_stay_and_records_keep_their_order(method: type[CandidateMethod]) -> None:
    original = table(CELLS)
    made = method().apply(original, ROLES, seed=1)
    assert (made.rows, made.names) == (original.rows, original.names)
    assert made["name"] is original["name"]
    assert made["ill"] is original["ill"]
    assert columns_of(made) != columns_of(original)


@seeded
@pytest.mark.parametrize("rows", [0, 1])
def test_a_table_of_no_or_one_record_stays_or_is_refused(method: type[CandidateMethod], rows: int) -> None:
    original = table({name: cells[:rows] for name, cells in CELLS.items()})
    needs_k = "k" in {one.name for one in method_parameters(method)}
    refused = needs_k or (not rows and method.needs_numbers)
    stays_or_is_refused(method, original, "fewer than k|contains numbers" if refused else None)


@seeded
@pytest.mark.parametrize("cell", [None, "*"])
def test_a_table_without_values_stays_or_is_refused(method: type[CandidateMethod], cell: str | None) -> None:
    original = table({**CELLS, "age": [cell] * 60, "job": [cell] * 60})
    stays_or_is_refused(method, original, "contains numbers" if method.needs_numbers else None)


def stays_or_is_refused(method: type[CandidateMethod], original: Table, reason: str | None) -> None:
    if reason is None:
        assert columns_of(method().apply(original, ROLES, seed=1)) == columns_of(original)
    else:
        with pytest.raises(InputError, match=reason):
            method().apply(original, ROLES, seed=1)


@every
def test_parameters_have_a_label_a_help_and_bounds(method: type[CandidateMethod]) -> None:
    for one in method_parameters(method):
        assert one.label
        assert one.help.endswith(".")
        if one.kind in (int, float):
            assert one.low is not None
            with pytest.raises(InputError, match="out of range"):
                method_named(method.name, {one.name: one.low - 1})
    assert parameter_summary(method()) or not method_parameters(method)


def test_unknown_methods_and_parameters_are_named() -> None:
    with pytest.raises(InputError, match='no method "magic"'):
        make_candidate(table(CELLS), "magic", ROLES)
    with pytest.raises(InputError, match='no parameter "k"'):
        make_candidate(table(CELLS), "pram", ROLES, k=5)
    assert set(BY_NAME) == {method.name for method in METHODS}
    with pytest.raises(InputError, match="out of range"):
        make_candidate(table(CELLS), "noise", ROLES, deviation=float("nan"))
