"""A table that is written as CSV and read again is the same table, so its figures are the same."""

import csv
import io
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from metrics import Hierarchy, Roles, Table, generalized_table, read_hierarchies, read_table, score
from metrics.candidates.methods.catalog import METHODS
from metrics.candidates.methods.method import CandidateMethod
from metrics.engines.duckdb_files import DuckDB
from metrics.hierarchies.builders import IntervalForm, equal_width, masking
from metrics.hierarchies.builders import to_csv as hierarchy_file
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import to_csv
from tests.support.small_tables import columns_of, table

ROLES = Roles(quasi_identifiers=["income", "job"], sensitive=["ill"])
ROWS = 60
JOBS = ("-unknown-", "+cmd|' /C calc'!A0", "@home", "=1+1", "-", "nurse", "'-5", "a;=1", "\u200b=1")
FORMATS: dict[str, Callable[[float], str]] = {
    "whole": lambda number: f"{number:.0f}",
    "plus": lambda number: f"{number:+.0f}",
    "point": lambda number: f"{number:.2f}",
    "comma": lambda number: f"{number:.2f}".replace(".", ","),
    "exponent": lambda number: f"{number:.3e}",
    "exponent with a comma": lambda number: f"{number:.3e}".replace(".", ","),
    "grouped": lambda number: f"{1000 * number:,.1f}",
    "grouped by points": lambda number: f"{1000 * number:,.1f}".translate(str.maketrans(",.", ".,")),
    "grouped by apostrophes": lambda number: f"{1000 * number:,.1f}".replace(",", "'"),
}
NUMBERS = [((i * 37) % 41 - 20) * 1.25 + 0.5 for i in range(ROWS)]


def original_in(form: str) -> Table:
    """Signed numbers in a format, and texts that a spreadsheet would run."""
    cells = {
        "income": [FORMATS[form](number) for number in NUMBERS],
        "job": [JOBS[i * i % len(JOBS)] for i in range(ROWS)],
        "ill": [("+1", "-1", "=x", "flu")[i % 4] for i in range(ROWS)],
    }
    sink = io.StringIO(newline="")
    csv.writer(sink).writerows([cells, *zip(*cells.values(), strict=True)])
    return read_table(sink.getvalue().encode(), name="original")


def read_again(made: Table) -> Table:
    return read_table(to_csv(made.to_arrow()), name=made.name)


def figures(card: Scorecard) -> dict[str, Any]:
    return {one.metric.id: one.value for one in card}


CASES = [(m, f) for m in METHODS if m.takes_seed for f in FORMATS if not m.needs_numbers or not f.startswith("grouped")]


@pytest.mark.parametrize(("method", "form"), CASES, ids=lambda one: getattr(one, "name", one))
def test_every_method_and_number_format_survives(method: type[CandidateMethod], form: str) -> None:
    original = original_in(form)
    made = method().apply(original, ROLES, seed=1)
    again = read_again(made)
    assert columns_of(again) == columns_of(made)
    # A file does not say how its cells were drawn.
    again = again.randomized(made.randomization)
    given_figures, read_figures = (figures(score(one, ROLES, original=original)) for one in (made, again))
    assert read_figures == pytest.approx(given_figures, nan_ok=True)


def hierarchies_of(original: Table) -> dict[str, Hierarchy]:
    is_whole = all(str(label).lstrip("-").isdecimal() for label in original["income"].labels)
    form = IntervalForm.DASH if is_whole else IntervalForm.BRACKETS
    return {"income": equal_width(original["income"], 10, merge=(2,), form=form), "job": masking(original["job"])}


@pytest.mark.parametrize("form", ["whole", "point", "comma"])
def test_levels_of_hierarchies_survive(form: str, tmp_path: Path) -> None:
    original = original_in(form)
    hierarchies = hierarchies_of(original)
    for column, hierarchy in hierarchies.items():
        (tmp_path / f"{column}.csv").write_bytes(hierarchy_file(hierarchy))
    read = read_hierarchies(tmp_path)
    assert {name: one.rows for name, one in read.items()} == {name: one.rows for name, one in hierarchies.items()}
    for levels in product(range(hierarchies["income"].height + 1), (0, 1, hierarchies["job"].height)):
        chosen = dict(zip(ROLES.quasi_identifiers, levels, strict=True))
        made = generalized_table(original, ROLES, hierarchies, chosen)
        again = read_again(made)
        assert columns_of(again) == columns_of(made)
        of_made = figures(score(made, ROLES, original=original, hierarchies=hierarchies))
        assert figures(score(again, ROLES, original=original, hierarchies=read)) == pytest.approx(of_made, nan_ok=True)


def test_names_of_columns_survive() -> None:
    made = table({"=q": ["1"], "-2 to -1": ["2"], "@home": ["3"]})
    assert columns_of(read_again(made)) == columns_of(made)


def test_an_engine_reads_the_same_labels(tmp_path: Path) -> None:
    original = original_in("whole")
    hierarchies = hierarchies_of(original)
    made = generalized_table(original, ROLES, hierarchies, {"income": 1, "job": 0})
    files = {"original": original, "made": made}
    for name, one in files.items():
        (tmp_path / f"{name}.csv").write_bytes(to_csv(one.to_arrow()))
    asked = {"metrics": ["k_anonymity", "granularity", "t_closeness"], "hierarchies": hierarchies}
    with DuckDB() as engine:
        tables = {name: engine.table(tmp_path / f"{name}.csv") for name in files}
        counted = figures(score(tables["made"], ROLES, original=tables["original"], **asked))
    assert counted == pytest.approx(figures(score(made, ROLES, original=original, **asked)))


def test_numbers_that_another_program_guarded_are_numbers() -> None:
    column = read_table(b"x;y\n'-2,0;a\n'-1,5;b\n", name="guarded")["x"]
    assert (column.labels, column.decimal) == (["-2,0", "-1,5"], ",")
