"""`repair`: write the table with violating classes deleted, suppressed or merged, and say which and why."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from metrics.candidates.limits.enforced import ENFORCED, Limits, not_enforced, repair_limits
from metrics.candidates.repair.items import repair_items
from metrics.candidates.repair.summary import failing_classes, limited_repair_lines, unmet_summary
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to
from metrics.cli import reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import (
    input_files,
    load_policy,
    load_scorecard,
    load_settings,
    load_table,
    note_suppressed,
    people_status,
)
from metrics.cli.options import TABLE_OUTPUT, WRITING_USAGE, add_policy_option, add_recipe_option, add_table_options
from metrics.cli.recipes import check_recipe_path, write_recipe
from metrics.errors import InputError, Unavailable
from metrics.formatting import join_names, on_terminal, within_sentence
from metrics.metric import ABOVE_ZERO
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, SUPPRESSION
from metrics.privacy.p29.measure import P_29
from metrics.recipes.repair_recipe import recipe_of_items, recipe_of_repair
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import require_suffix, write_table
from metrics.tables.table import SUPPRESSED, quoted
from metrics.texts import text

_METHODS = {"delete": Method.RECORDS, "suppress": Method.RECORDS, "cells": Method.CELLS, "merge": Method.MERGE}
_ITEMS = "items"


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "repair", help="change a table until P_29 is above 0, or until other limits are met", usage=WRITING_USAGE
    )
    add_table_options(parser)
    parser.add_argument(
        "--out", required=True, metavar="FILE", help=f"where to write the repaired table: {TABLE_OUTPUT}"
    )
    parser.add_argument(
        "--classes-out",
        metavar="FILE",
        help=f"write the failing classes and why they fail to {TABLE_OUTPUT}; only their numbers are printed",
    )
    add_recipe_option(parser)
    parser.add_argument(
        "--method",
        choices=[*_METHODS, _ITEMS],
        default="delete",
        help="what to do with classes that fail: delete their records, and with limits also those suppressed before "
        "(default), suppress their quasi-identifiers, suppress as few cells as possible, or merge each class into its "
        "nearest neighbour; items: generalize, else suppress items that too few people share (km_anonymity.m and .k)",
    )
    limits = parser.add_argument_group("limits", "what the repaired table must meet (default: P_29 above 0)")
    add_policy_option(limits, "its limits apply unless an option below sets another value")
    limits.add_argument("--k", type=int, metavar="N", help="minimum number of records per class")
    limits.add_argument(
        "--l", type=int, metavar="N", help="minimum number of values of each sensitive attribute per class"
    )
    limits.add_argument("--entropy-l", type=float, metavar="F", help="minimum entropy l-diversity")
    limits.add_argument("--normalized-l", type=float, metavar="F", help="minimum normalized entropy of a class")
    limits.add_argument("--t", type=float, metavar="F", help="maximum distance of a class from the whole table")
    limits.add_argument("--p29", type=float, metavar="F", help="minimum P_29 (0: any value above 0)")
    limits.add_argument("--no-attack", action="store_true", help="require that no attack is profitable or breaks even")
    limits.add_argument("--profitable", action="store_true", help="require that publishing every record is profitable")
    limits.add_argument(
        "--max-suppression", type=float, metavar="F", help="maximum share of suppressed records, 0 to 1"
    )
    limits.add_argument(
        "--importance",
        nargs="+",
        default=[],
        metavar="COLUMN",
        help="columns to preserve, most important first; for --method cells",
    )
    reading.add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Repair, write, and print what was done. Raises InputError if the limits cannot be met."""
    require_suffix(options.out, ".csv", ".parquet")
    if options.classes_out is not None:
        require_suffix(options.classes_out, ".csv", ".parquet")
        if Path(options.classes_out).resolve() == Path(options.out).resolve():
            raise InputError("--classes-out and --out name the same file", remedy="name another file")
    check_recipe_path(options)
    if options.method == _ITEMS:
        return _repair_items(options)
    card, limits = load_scorecard(options, load_settings(options)), _limits(options)
    others = not_enforced(load_policy(options) or NO_LIMITS, limits, card.aggregates.roles)
    titles = [within_sentence(LIMITABLE_MEASURES[name].title) for name in others]
    if titles and not set(limits) - {SUPPRESSION}:
        problem = f"a repair enforces none of the policy's limits: {join_names(titles)}"
        raise InputError(problem, remedy="set limits by options, or change items with --method items")
    repair = _repaired(options, card, limits)
    _write_classes(options, card, repair)
    deleted = options.method == "delete"
    table = repair.without_suppressed if deleted else repair.table
    write_table(table.to_arrow(), options.out, input_files(options))
    if options.recipe is not None:
        write_recipe(recipe_of_repair(card.aggregates, repair, parameters=card.parameters, deleted=deleted), options)
    for line in limited_repair_lines(repair, card.aggregates.classes, card.parameters.p29, deleted=deleted):
        print(on_terminal(line))
    if titles:
        unchecked = f"Not enforced by the repair: {join_names(titles)}."
        print(on_terminal(f"{unchecked} Check the result with `score` and the same policy."))
    note_suppressed(card.aggregates.anonymized, card.aggregates.roles)
    return people_status(table, card.aggregates.roles, repair.limits)


def _repair_items(options: argparse.Namespace) -> int:
    """Generalize or suppress the items that too few people share."""
    if options.classes_out is not None:
        raise InputError("--method items writes no classes", remedy="leave out --classes-out")
    settings = load_settings(options)
    table = load_table(options.anonymized, options, settings)
    repaired = repair_items(table, settings.roles, settings.hierarchies, settings.parameters.km_anonymity)
    write_table(repaired.table.to_arrow(), options.out, input_files(options))
    if options.recipe is not None:
        write_recipe(recipe_of_items(str(settings.roles.item), repaired.labels), options)
    suppressed = sum(label == SUPPRESSED for label in repaired.labels.values())
    generalized = len(repaired.labels) - suppressed
    print(on_terminal(text("repair.items.done", generalized=generalized, suppressed=suppressed)))
    return DONE


def _repaired(options: argparse.Namespace, card: Scorecard, limits: Limits) -> LimitedRepair:
    """What the options ask for. Raises InputError if the limits cannot be met."""
    _check_importance(options, card)
    method = _METHODS[options.method]
    if options.method == "delete" and not limits:
        method = Method.FAILING
    if not set(limits) - {SUPPRESSION}:
        limits = {P_29.id: ABOVE_ZERO, **limits}
    try:
        repair = repair_to(card.aggregates, limits, method, parameters=card.parameters, importance=options.importance)
    except Unavailable as reason:
        raise InputError(
            f"the table cannot be repaired: {reason}", remedy="correct that, or choose another --method"
        ) from None
    if repair.unmet:
        raise InputError(
            f"this method cannot meet the limits: {unmet_summary(repair)}",
            remedy=f"relax them{', allow higher levels' if repair.kept else ''}, or choose another --method",
        )
    return repair


def _check_importance(options: argparse.Namespace, card: Scorecard) -> None:
    """Refuse an order of columns that the method does not use, or of columns that are not suppressed."""
    if options.importance and options.method != "cells":
        raise InputError(
            f"--importance has no effect with --method {options.method}", remedy="leave it out, or use --method cells"
        )
    unknown_names = [name for name in options.importance if name not in card.aggregates.roles.quasi_identifiers]
    if unknown_names:
        raise InputError(
            f"--importance names columns that are not quasi-identifiers: {quoted(unknown_names)}",
            remedy="list quasi-identifiers, most important first",
        )


def _limits(options: argparse.Namespace) -> Limits:
    """The limits of the options; those not given are the policy's."""
    given = {name: getattr(options, enforcement.name, None) for name, enforcement in ENFORCED.items()}
    if options.p29 == 0:
        given[P_29.id] = ABOVE_ZERO
    limits = repair_limits(load_policy(options) or NO_LIMITS)
    return {**limits, **{name: bound for name, bound in given.items() if bound is not None and bound is not False}}


def _write_classes(options: argparse.Namespace, card: Scorecard, repair: LimitedRepair) -> None:
    """Write the classes that fail, where that is wanted; they are confidential, and never printed."""
    if options.classes_out is not None:
        write_table(failing_classes(card.classes, repair), options.classes_out, input_files(options))
