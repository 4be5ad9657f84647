"""`score`: every metric of one anonymized table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Any

from metrics.cli import engines, reading
from metrics.cli.exit_status import DONE, REQUIREMENT_FAILED
from metrics.cli.inputs import (
    ReferenceTables,
    input_files,
    load_policy,
    load_scorecard,
    load_settings,
    score_table,
    settings_for,
)
from metrics.cli.junit import junit_xml
from metrics.cli.not_shown import not_shown, shows_all_available
from metrics.cli.options import (
    SCORING_USAGE,
    add_analyses_option,
    add_json_option,
    add_policy_option,
    add_randomization_option,
    add_table_options,
)
from metrics.counting.counts import EngineTable
from metrics.errors import InputError
from metrics.explanations.direct_identifiers import identifiers_to_dict
from metrics.explanations.findings import BEFORE_RELEASE, findings, said
from metrics.formatting import on_terminal, pluralize
from metrics.metric import FindingKind
from metrics.policy.built_in_policies import source_of
from metrics.policy.limitable_measures import metrics_for
from metrics.policy.policy import Policy, PolicyResult, Status
from metrics.policy.requirement import Requirement, parse_requirement
from metrics.scoring.catalog import BY_ID, METRICS
from metrics.scoring.scorecard import Scorecard
from metrics.tables.atomic_write import write_file
from metrics.utility.analyses import ANALYSES, sentences


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("score", help="score one anonymized table", usage=SCORING_USAGE)
    add_table_options(parser)
    add_json_option(parser)
    add_analyses_option(parser)
    add_randomization_option(parser)
    parser.add_argument(
        "--require",
        nargs="+",
        action="extend",
        default=[],
        metavar="'ID OP NUMBER'",
        help="exit with status 1 unless all of these requirements are met, such as 'k_anonymity >= 5'",
    )
    add_policy_option(parser, "exit with status 1 unless the table meets its limits")
    parser.add_argument(
        "--junit", metavar="FILE", help="write a JUnit report with a test case for each requirement and limit"
    )
    engines.add_arguments(parser)
    reading.add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, print, and check requirements and policy. Raises InputError."""
    requirements = [parse_requirement(text) for text in options.require]
    policy = load_policy(options)
    options.metrics = _computed(options.metrics, {requirement.metric for requirement in requirements}, policy)
    if options.junit is not None and not requirements and (policy is None or not policy.limits):
        raise InputError("there is nothing to test", remedy="add --require or --policy", file=options.junit)
    settings = load_settings(options)
    engines.check_options(options, settings_for(options.anonymized, settings).roles)
    if options.engine == engines.MEMORY:
        return _print_and_check(load_scorecard(options, settings), options, requirements, policy)
    with engines.running(options) as (session, progress):

        def table(path: str) -> EngineTable:
            return engines.table(session, path, options, settings.reading_of(Path(path).name, None))

        references = ReferenceTables(None if options.original is None else table(options.original))
        settings = settings_for(options.anonymized, settings)
        card = score_table(table(options.anonymized), references, settings, options, progress.scored)
        return _print_and_check(card, options, requirements, policy, progress.written)


def _computed(chosen: Sequence[str], required: Set[str], policy: Policy | None) -> list[str]:
    """The metrics to compute: those chosen (by default all but the slow ones), and those that are checked."""
    limited = () if policy is None else metrics_for(policy.limits)
    checked_ids = [id for id in BY_ID if id in required or id in limited]
    if not chosen and not any(BY_ID[id].on_demand for id in checked_ids):
        return []
    chosen = chosen or [metric.id for metric in METRICS if not metric.on_demand]
    return list(chosen) if "all" in chosen else [*dict.fromkeys([*chosen, *checked_ids])]


def _print_and_check(
    card: Scorecard,
    options: argparse.Namespace,
    requirements: Sequence[Requirement],
    policy: Policy | None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Print the scorecard and write the classes; the exit status says whether requirements and policy are met."""
    if options.classes_out is not None:
        engines.write_classes(card.class_tables(progress), options.classes_out, input_files(options))
    policy_result = None if policy is None else policy.check(card)
    if options.junit is not None:
        report = junit_xml(card, requirements, policy_result)
        write_file(lambda file: file.write(report), options.junit, input_files(options))
    (_print_json if options.json else _print_text)(card, options, policy_result)
    unmet = [requirement for requirement in requirements if not requirement.holds(card)]
    for requirement in unmet:
        print(on_terminal(requirement.failure(card)), file=sys.stderr)
    policy_failed = policy_result is not None and policy_result.status is Status.FAILS
    return REQUIREMENT_FAILED if unmet or policy_failed else DONE


def _print_json(card: Scorecard, options: argparse.Namespace, result: PolicyResult | None) -> None:
    printed = {**card.to_dict(), "direct_identifiers": identifiers_to_dict(card.aggregates)}
    if result is not None:
        source = source_of(result.policy)
        printed["policy"] = {**result.to_dict(), "source": None if source is None else source.to_dict()}
    print(json.dumps(printed, allow_nan=False))


def _print_text(card: Scorecard, options: argparse.Namespace, result: PolicyResult | None) -> None:
    print(on_terminal(scorecard_text(card, options.metrics)))
    if card.aggregates.original is not None and (options.analyses or ANALYSES.id in options.metrics):
        for sentence in sentences(card.aggregates, card.parameters):
            print(on_terminal(f"  {sentence}"))
    verdict = None if result is None else result.summary()
    to_settle = [finding.sentence for finding in findings(card, kinds=(FindingKind.ORDER, *BEFORE_RELEASE))]
    first = " ".join(filter(None, [said(card, FindingKind.IDENTIFIERS), verdict]))
    for sentence in filter(None, [first, *to_settle]):
        print(on_terminal(sentence))
    source = None if result is None else source_of(result.policy)
    if source is not None:
        print(f"{source.summary()} {source.url}")


def scorecard_text(card: Scorecard, metrics: Sequence[str]) -> str:
    """The scorecard as text: title, value, range, direction and finding in aligned columns.

    It has a row for each of `metrics`; without them, or with "all", for each that is available, and a line on the rest.
    """
    aggregates = card.aggregates
    removed_note = "" if aggregates.comparison.removed is None else f"{aggregates.comparison.removed:,} removed, "
    lines = [
        f"{aggregates.anonymized.name}: {pluralize(aggregates.anonymized.rows, 'record')}, "
        f"{aggregates.class_sizes.suppressed:,} suppressed, {removed_note}"
        f"{pluralize(aggregates.class_sizes.count, 'equivalence class', 'equivalence classes')}"
    ]
    if aggregates.comparison.tally is not None:
        lines.append(aggregates.comparison.tally.summary(aggregates.roles.matching))
    lines += [finding.sentence for finding in findings(card, kinds=[FindingKind.MISFIT_LABELS])]
    chosen = [score for score in card if score.metric.id in metrics]
    if shows_all_available(metrics):
        chosen = [score for score in card if score.result is not None]
    rows = [
        (
            score.metric.shown.title,
            score.shown_text(),
            score.metric.shown.range,
            str(score.metric.shown.direction),
            score.summary(),
        )
        for score in chosen
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    for *cells, finding in rows:
        aligned_cells = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        lines.append("  ".join([*aligned_cells, finding]))
    if shows_all_available(metrics):
        lines += not_shown([score.unavailable for score in card if score.unavailable is not None])
    return "\n".join(lines)
