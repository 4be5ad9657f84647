"""How files are read: without a question, asked about, refused, or wrong.

`python -m benchmarks.reading_corpus FOLDER` fetches ordinary public files into FOLDER where it does not hold them yet,
reads each by the plan that is proposed, and compares it with what pandas reads by a dialect known beforehand.
`--pollock FOLDER` measures the polluted files of the Pollock benchmark instead (doi:10.14778/3594512.3594518),
`--damage` the damaged files that the tests generate.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter

import pandas as pd

from benchmarks.public_files import Rows, fetch, truth_of
from metrics.errors import InputError
from metrics.reading import propose, read_table
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.table import Table


def difference(found: Rows, expected: Rows) -> str:
    """Where a table as read differs from the truth; "" where it does not. The first row has the names."""
    if len(found[0]) != len(expected[0]) or len(found) != len(expected):
        return f"{len(found) - 1} x {len(found[0])} for {len(expected) - 1} x {len(expected[0])}"
    for line, (row, expected_row) in enumerate(zip(found, expected, strict=True)):
        for column, (cell, truth) in enumerate(zip(row, expected_row, strict=True)):
            if not _same(cell, truth.strip(BLANKS)) and not (line == 0 and truth.strip(BLANKS) in cell):
                return f"record {line}, column {column + 1}"
    return ""


def _same(cell: str, truth: str) -> bool:
    """Whether a cell is the true one; pandas writes booleans, dates, times and numbers of workbooks in other ways."""
    if cell == truth or cell.lower() == truth.lower() in ("true", "false"):
        return True
    try:
        return abs(float(cell) - float(truth)) <= 1e-9 * abs(float(truth)) and not truth.isdigit()
    except ValueError:
        date, _, time = truth.partition(" ")
        return bool(time) and date.count("-") == 2 and cell in (date, time, f"{date}T{time}")


def rows_of(table: Table) -> Rows:
    """Names, then records; missing cells as empty ones."""
    cells = [[column.labels[code] or "" for code in column.codes] for column in table.columns]
    return [[column.name for column in table.columns], *map(list, zip(*cells, strict=True))]


def outcome(source: Path | bytes, name: str, expected: Rows | None) -> tuple[str, str]:
    """What became of a file, and a sentence about it."""
    try:
        proposal = propose(source, name=name)
    except InputError as error:
        return ("refused" if expected else "no table: refused"), str(error)
    questions = "; ".join(question.text for question in proposal.questions)
    try:
        rows = rows_of(read_table(source, name=name, plan=proposal.plan))
    except InputError as error:
        if expected is None:
            return f"no table: {'asked' if questions else 'refused'}", str(error)
        return ("asked, proposal refused" if questions else "refused"), f"{questions} {error}"
    if expected is None:
        return f"no table: {'asked' if questions else 'read'}", questions
    mismatch = difference(rows, expected)
    if questions:
        return f"asked, proposal {'wrong' if mismatch else 'right'}", f"{questions} {mismatch}"
    return ("wrong" if mismatch else "read"), mismatch


def ordinary(folder: Path) -> Iterator[tuple[str, Path, Rows | None]]:
    """Every file of the corpus with its truth."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(path.relative_to(folder))
        yield name, path, truth_of(path, name)


def pollock(folder: Path) -> Iterator[tuple[str, Path, Rows | None]]:
    """Every polluted file, with the clean one beside it as truth."""
    for path in sorted((folder / "csv").glob("*.csv")):
        parameters = json.loads((folder / "parameters" / f"{path.name}_parameters.json").read_text())
        clean = (folder / "clean" / path.name).read_bytes()
        rows = (
            pd.read_csv(folder / "clean" / path.name, header=None, dtype=str, na_filter=False).to_numpy().tolist()
            if clean
            else []
        )
        yield path.name, path, rows if parameters["header_lines"] else [[""] * 9, *rows]


def damaged() -> Iterator[tuple[str, bytes, Rows | None]]:
    """The damaged files that the tests generate, with the cells each was written from; damage may take names away."""
    from tests.corpus.test_corpus import corpus, expected

    for name, clean, content in corpus():
        yield name, content, [[""] * len(clean.names), *map(list, zip(*expected(clean), strict=True))]


def measure(files: Iterable[tuple[str, Path | bytes, Rows | None]], listed: set[str]) -> None:
    """Print how many files came to each outcome, and those of the listed outcomes."""
    counts: Counter[str] = Counter()
    header_counts: Counter[bool] = Counter()
    slowest = (0.0, "")
    for name, source, expected in files:
        start = perf_counter()
        result, sentence = outcome(source, "file", expected)
        slowest = max(slowest, (perf_counter() - start, name))
        counts[result] += 1
        if expected is not None and any(expected[0]):
            header_counts[result == "read"] += 1
        if listed & {result, result.split(",")[0], "all"}:
            print(f"{result}: {name}: {sentence}", flush=True)
    tables = sum(count for result, count in counts.items() if not result.startswith("no table"))
    for result, count in counts.most_common():
        share = "" if result.startswith("no table") else f"{count / max(tables, 1):7.1%}"
        print(f"{result:26}{count:6,}{share}")
    if header_counts:
        print(
            f"{header_counts[True] / header_counts.total():.1%} of the {header_counts.total():,} with a header "
            "read without a question"
        )
    print(f"{tables:,} tables; slowest {slowest[0]:.1f} s: {slowest[1]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where the public files are, or are put")
    parser.add_argument("--base", default="https://github.com/", help="where repositories are cloned from")
    parser.add_argument("--pollock", type=Path, help='the folder "polluted_files" of HPI-Information-Systems/Pollock')
    parser.add_argument("--damage", action="store_true", help="measure the damaged files of the tests")
    parser.add_argument("--list", nargs="*", default=["wrong", "refused"], help='outcomes whose files are named; "all"')
    options = parser.parse_args()
    if options.folder:
        fetch(options.folder, options.base)
        measure(ordinary(options.folder), set(options.list))
    if options.pollock:
        measure(pollock(options.pollock), set(options.list))
    if options.damage:
        measure(damaged(), set(options.list))
