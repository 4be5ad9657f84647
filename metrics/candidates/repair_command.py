"""`python -m metrics repair`: write the table with what violates deleted, suppressed, or merged, and tell why."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from metrics.candidates.constraints import ABOVE_ZERO, Constraints
from metrics.candidates.repair import repair_by_deletion, repair_by_merging, repaired_table
from metrics.candidates.repair_to import Method, repair_to
from metrics.candidates.told import told, told_of_limits
from metrics.errors import InputError
from metrics.export import write_table
from metrics.scorecard import Scorecard
from metrics.specification import Unavailable
from metrics.table import quoted

_METHODS = {"delete": Method.RECORDS, "suppress": Method.RECORDS, "cells": Method.CELLS, "merge": Method.MERGE}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `repair`, apart from those about inputs and reading."""
    parser.add_argument("--out", required=True, metavar="FILE", help="a .csv or .parquet file")
    parser.add_argument(
        "--method",
        choices=list(_METHODS),
        default="delete",
        help="delete the violating classes (the default), suppress them as rows of *, suppress as few of their cells "
        "as possible, or merge each into its nearest neighbour",
    )
    limits = parser.add_argument_group("limits", "what the table must meet; without one, P_29 above 0")
    limits.add_argument("--k", type=int, metavar="N", help="records in each class, at least")
    limits.add_argument("--l", type=int, metavar="N", help="different values of each sensitive attribute, at least")
    limits.add_argument("--entropy-l", type=float, metavar="F", help="entropy l-diversity, at least")
    limits.add_argument("--normalized-l", type=float, metavar="F", help="normalized entropy of each class, at least")
    limits.add_argument("--t", type=float, metavar="F", help="distance of each class from the whole table, at most")
    limits.add_argument("--p29", type=float, metavar="F", help="P_29, at least; 0: above 0")
    limits.add_argument("--no-attack", action="store_true", help="classes so large that attacking pays for no record")
    limits.add_argument("--profitable", action="store_true", help="publishing pays for every record")
    limits.add_argument("--max-suppression", type=float, metavar="F", help="share of records, 0 to 1, at most")
    limits.add_argument(
        "--importance", nargs="+", default=[], metavar="COLUMN", help="whose cells to keep first, with --method cells"
    )


def run(options: argparse.Namespace, card: Scorecard, inputs: Sequence[str | Path]) -> Iterator[str]:
    """Repair, write, and tell what was done line by line. Raises InputError where the limits cannot be met."""
    constraints = _constraints(options)
    if constraints == Constraints() and options.method in ("delete", "merge"):
        yield from _lifting_p29(options, card, inputs)
        return
    if constraints.p29 is None and constraints == Constraints(max_suppression=constraints.max_suppression):
        constraints = Constraints(max_suppression=constraints.max_suppression, p29=ABOVE_ZERO)
    strange = [name for name in options.importance if name not in card.evidence.roles.quasi_identifiers]
    if strange:
        raise InputError(
            f"--importance names {quoted(strange)}", remedy="name quasi-identifiers, the most important first"
        )
    try:
        repair = repair_to(
            card.evidence,
            constraints,
            _METHODS[options.method],
            parameters=card.parameters,
            importance=options.importance,
        )
    except Unavailable as reason:
        raise InputError(f"the table cannot be repaired: {reason}", remedy="correct that, or see --method") from None
    if repair.unmet:
        raise InputError(
            f"the limits are not met by this method: {'; '.join(repair.unmet)}", remedy="loosen them, or try another"
        )
    table = repair.without_suppressed if options.method == "delete" else repair.table
    write_table(table.to_arrow(), options.out, inputs)
    yield from told_of_limits(repair, card.evidence.classes, deleted=options.method == "delete")


def _constraints(options: argparse.Namespace) -> Constraints:
    return Constraints(
        k=options.k,
        max_suppression=options.max_suppression,
        l=options.l,
        t=options.t,
        p29=ABOVE_ZERO if options.p29 == 0 else options.p29,
        no_attack=options.no_attack,
        profitable=options.profitable,
        entropy_l=options.entropy_l,
        normalized_l=options.normalized_l,
    )


def _lifting_p29(options: argparse.Namespace, card: Scorecard, inputs: Sequence[str | Path]) -> Iterator[str]:
    method = repair_by_merging if options.method == "merge" else repair_by_deletion
    try:
        repair = method(card.evidence, card.parameters.p29)
    except Unavailable as reason:
        raise InputError(
            f"P_29 cannot be repaired: {reason}", remedy="tag a sensitive attribute, or see --method"
        ) from None
    write_table(repaired_table(card.evidence, repair).to_arrow(), options.out, inputs)
    yield from told(repair, card.evidence.classes)
