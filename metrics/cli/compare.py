"""`compare`: the same scores for several anonymized tables, one column each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from metrics.attacks.analyses.repeated_draws import choice_among_draws, repeated_draws
from metrics.candidates.compare.comparison import Answers, VersionComparison, answers
from metrics.candidates.compare.summary import (
    better_shares,
    clear_best,
    comparison_summary,
    front_sentence,
    of_half,
    with_interval,
)
from metrics.candidates.compare.table import comparison_table, distinct_names
from metrics.candidates.compare.uncertainty import Uncertainty, uncertainty
from metrics.cli import reading
from metrics.cli.engines import in_database
from metrics.cli.exit_status import BAD_INPUT, DONE
from metrics.cli.inputs import (
    ReferenceTables,
    input_files,
    load_references,
    load_settings,
    load_table,
    randomization_files,
    randomized,
    score_table,
    settings_for,
)
from metrics.cli.not_shown import not_shown, shows_all_available
from metrics.cli.options import (
    TABLE_OUTPUT,
    add_analyses_option,
    add_json_option,
    add_randomization_option,
    add_table_options,
)
from metrics.errors import InputError, Unavailable
from metrics.explanations.direct_identifiers import identifiers_to_dict
from metrics.explanations.findings import findings
from metrics.formatting import on_terminal, printable
from metrics.metric import FindingKind, Metric
from metrics.policy.settings import Settings
from metrics.scoring.catalog import HEADLINES
from metrics.scoring.scorecard import SCHEMA_VERSION, Scorecard
from metrics.tables.export import require_suffix, write_table
from metrics.texts import text
from metrics.utility.analyses import ANALYSES

_MARK = " *"


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "compare",
        help="score several anonymized tables, one column each",
        usage="%(prog)s --anonymized FILE FILE ... --roles FILE [options]",
    )
    add_table_options(parser, several=True)
    add_json_option(parser)
    add_analyses_option(parser)
    add_randomization_option(parser, several=True)
    parser.add_argument(
        "--uncertainty",
        action="store_true",
        help="score random halves of the people, and say which versions differ beyond chance",
    )
    parser.add_argument("--out", metavar="FILE", help=f"also write the comparison to this file: {TABLE_OUTPUT}")
    reading.add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score every table, print and write the comparison.

    A table that cannot be scored is reported on standard error, and the others are compared; the exit status is then
    2. Raises InputError if none can be scored, or the output cannot be written.
    """
    settings = load_settings(options)
    references = load_references(options, settings)
    if options.out is not None:
        require_suffix(options.out, ".csv", ".parquet")
    cards: dict[str, Scorecard] = {}
    comparison, objects, identifying, failures = _score_all(options, settings, references, cards)
    found = _uncertainty(cards, comparison, options.metrics) if options.uncertainty else None
    releases = {label: card.aggregates for label, card in cards.items()}
    together = [*repeated_draws(releases), *filter(None, [choice_among_draws(releases)])]
    if options.json:
        sampled: dict[str, Any] = {} if found is None else {"uncertainty": found.to_dict()}
        sampled |= {"published_together": together} if together else {}
        print(json.dumps({"schema_version": SCHEMA_VERSION, "candidates": objects, **sampled}, allow_nan=False))
    else:
        lines = [*comparison_lines(comparison, options.metrics, found), *identifying]
        lines += [text("intersection_attack.in_brief", found=sentence) for sentence in together]
        print(on_terminal("\n".join(lines)))
    if options.out is not None:
        write_table(comparison_table(comparison), options.out, input_files(options))
    for sentence in failures:
        print(on_terminal(sentence), file=sys.stderr)
    return BAD_INPUT if failures else DONE


def _score_all(
    options: argparse.Namespace, settings: Settings, references: ReferenceTables, cards: dict[str, Scorecard]
) -> tuple[VersionComparison, dict[str, dict[str, Any]], list[str], list[str]]:
    """The comparison, scorecards as objects by label, sentences on columns that identify, and a message per failure.

    The scorecards themselves are put into `cards` where halves of them are to be scored, or columns are randomized.
    """
    answers_by_label: dict[str, Answers] = {}
    objects: dict[str, dict[str, Any]] = {}
    identifying: list[str] = []
    failures: dict[str, InputError] = {}
    labels = version_labels(options.anonymized)
    files = randomization_files(options.randomization, len(labels))
    for path, label, file in zip(options.anonymized, labels, files, strict=True):
        try:
            anonymized = randomized(load_table(path, options, settings), references.original, file)
            card = score_table(anonymized, references, settings_for(path, settings), options)
        except InputError as error:
            failures[str(error)] = error
            continue
        if options.uncertainty or any(files):
            cards[label] = card
        # Else only what is printed is kept of each scorecard: the tables need not fit into memory together.
        identifiers = {"direct_identifiers": identifiers_to_dict(card.aggregates)}
        answers_by_label[label], objects[label] = answers(card), {**card.to_dict(), **identifiers}
        found = findings(card, kinds=(FindingKind.IDENTIFIERS, FindingKind.COLUMNS_TO_SETTLE))
        identifying += [f"{printable(label)}: {finding.sentence}" for finding in found]
    if not answers_by_label:
        *earlier, last = failures.values()
        for failure in earlier:
            print(on_terminal(str(failure)), file=sys.stderr)
        raise last
    return VersionComparison(answers_by_label), objects, identifying, list(failures)


def _uncertainty(cards: Mapping[str, Scorecard], comparison: VersionComparison, metrics: Sequence[str]) -> Uncertainty:
    """What halves of the people say by the metrics that are shown. Raises InputError."""
    shown = HEADLINES if shows_all_available(metrics) else metrics
    chosen = [spec.id for spec in comparison.metrics if spec.id in shown and comparison.is_scored_for_all(spec.id)]
    try:
        return uncertainty(cards, [name for name in chosen if name != ANALYSES.id])
    except Unavailable as reason:
        raise InputError(str(reason), remedy="leave out --uncertainty") from None


def version_labels(paths: Iterable[str]) -> list[str]:
    """A label for each table: its file name, numbered if it repeats; of an address without its login."""
    return distinct_names([Path(path.rpartition("@")[2] if in_database(path) else path).name for path in paths])


def _table(comparison: VersionComparison, metrics: Iterable[Metric], found: Uncertainty | None) -> Iterator[str]:
    """A line per metric, its best values marked, below the names of the versions."""
    rows = [["", *(printable(label) for label in comparison.labels)]]
    for spec in metrics:
        best = clear_best(comparison, spec.id, found)
        half = of_half(found, spec.id) if found is not None and spec.id in found.metrics else ""
        figures = {label: comparison.answers[label][spec.id].shown for label in comparison.labels}
        cells = [with_interval(found, label, spec.id, one) + _MARK * (label in best) for label, one in figures.items()]
        rows.append([f"{spec.shown.title}{half}", *cells])
    yield from _aligned(rows)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def comparison_lines(
    comparison: VersionComparison, metrics: Sequence[str] = (), found: Uncertainty | None = None
) -> Iterator[str]:
    """The comparison line by line: a row per metric with the best values marked, then the conclusions.

    It has a row for each of `metrics`; without them, or with "all", for each that some version has, and a last line on
    the others.
    """
    reasons = {spec.id: comparison.reason(spec.id) for spec in comparison.metrics}
    shows_all = shows_all_available(metrics)
    shown = [spec for spec in comparison.metrics if (reasons[spec.id] is None if shows_all else spec.id in metrics)]
    yield from _table(comparison, shown, found)
    if found is not None and len(found.labels) > 1:
        yield from ("", *_aligned(better_shares(found)), "")
        if found.plane is not None:
            yield f"{front_sentence(found, *found.plane)}."
    if len(comparison.labels) > 1:
        clearly = "" if found is None else "; where halves of the people were scored, only if it is clearly the best"
        yield f"{_MARK.strip()} best value, for metrics whose values differ{clearly}"
        measured_ids = [spec.id for spec in comparison.metrics if comparison.measured(spec.id)]
        yield from comparison_summary(
            comparison, [metric_id for metric_id in HEADLINES if metric_id in measured_ids] or measured_ids, found
        )
    if shows_all:
        yield from not_shown([reason for reason in reasons.values() if reason is not None])
