"""`python -m metrics compare`: the same scores for several candidates, one column each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from metrics.candidates.compare import Answers, Comparison, answers
from metrics.candidates.compare_told import HEADLINES, verdict
from metrics.errors import InputError
from metrics.export import require_suffix, write_table
from metrics.scorecard import SCHEMA_VERSION, Scorecard, shown
from metrics.wording import on_terminal, visible

_FIXED = ("metric", "title", "family", "unit", "direction", "best")
_MARK = " *"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `compare`, apart from those about inputs and reading."""
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--out", metavar="FILE", help="also write the table, .csv or .parquet")


def run(options: argparse.Namespace, scored: Callable[[str], Scorecard], inputs: Sequence[str | Path]) -> bool:
    """Score each candidate, print and write; whether all could be scored.

    One that cannot is told in a sentence on standard error, and the others are compared. Raises InputError where none
    is left, or the output cannot be written.
    """
    if options.out is not None:
        require_suffix(options.out, ".csv", ".parquet")
    found: dict[str, Answers] = {}
    objects: dict[str, dict[str, Any]] = {}
    failures: dict[str, InputError] = {}
    for path, label in zip(options.anonymized, candidate_labels(options.anonymized), strict=True):
        try:
            card = scored(path)
        except InputError as error:
            failures[str(error)] = error
            continue
        # Of each card only what is printed is kept: the tables need not fit into memory together.
        found[label], objects[label] = answers(card), card.to_dict()
    if not found:
        *first, last = failures.values()
        for failure in first:
            print(on_terminal(str(failure)), file=sys.stderr)
        raise last
    comparison = Comparison(found)
    if options.json:
        print(json.dumps({"schema_version": SCHEMA_VERSION, "candidates": objects}, allow_nan=False))
    else:
        print(on_terminal("\n".join(told(comparison))))
    if options.out is not None:
        write_table(comparison_table(comparison), options.out, inputs)
    for sentence in failures:
        print(on_terminal(sentence), file=sys.stderr)
    return not failures


def candidate_labels(paths: Iterable[str]) -> list[str]:
    """A label for each candidate: its file's name; of equal names the later ones get a number."""
    return distinct_names([Path(path).name for path in paths], ())


def told(comparison: Comparison) -> Iterator[str]:
    """Line by line: the metrics with a column per candidate, the best of each marked, then the verdict."""
    rows = [
        [
            spec.title,
            *(
                shown(comparison.value(label, spec.id)) + (_MARK if label in comparison.best(spec.id) else "")
                for label in comparison.labels
            ),
        ]
        for spec in comparison.metrics
    ]
    header = ["", *(visible(label) for label in comparison.labels)]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in (header, *rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    if len(comparison.labels) > 1:
        yield f"{_MARK.strip()} the best of those that differ"
        measured = [spec.id for spec in comparison.metrics if comparison.measured(spec.id)]
        yield from verdict(comparison, [one for one in HEADLINES if one in measured] or measured)


def comparison_table(comparison: Comparison) -> pa.Table:
    """One row per metric: what it is, who is best, and a column of figures per candidate, "yes" as 1.

    A candidate that is named as one of the other columns gets a number.
    """
    specs = comparison.metrics
    texts: Mapping[str, list[str]] = {
        "metric": [spec.id for spec in specs],
        "title": [spec.title for spec in specs],
        "family": [str(spec.family) for spec in specs],
        "unit": [spec.unit for spec in specs],
        "direction": [str(spec.direction) for spec in specs],
        "best": ["; ".join(comparison.best(spec.id)) for spec in specs],
    }
    columns = [pa.array(texts[name], pa.string()) for name in _FIXED]
    for label in comparison.labels:
        values = [comparison.value(label, spec.id) for spec in specs]
        columns.append(pa.array([None if value is None else float(value) for value in values], pa.float64()))
    return pa.Table.from_arrays(columns, names=[*_FIXED, *distinct_names(comparison.labels, _FIXED)])


def distinct_names(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The names; one that stands there before or is taken gets a number."""
    used, labels = set(taken), []
    for name in names:
        label, number = name, 2
        while label in used:
            label, number = f"{name} ({number})", number + 1
        used.add(label)
        labels.append(label)
    return labels
