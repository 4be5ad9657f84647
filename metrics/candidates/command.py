"""`python -m metrics explore`: score every generalization of a lattice and tell the best."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from metrics.candidates.exploration import Exploration
from metrics.candidates.figures import FIGURES
from metrics.candidates.generalize import generalized_table
from metrics.candidates.lattice import MOST_NODES, explore
from metrics.candidates.suppression import SuppressionRule
from metrics.errors import InputError
from metrics.export import require_suffix, write_table
from metrics.settings import Settings
from metrics.specification import Direction
from metrics.table import Table
from metrics.wording import counted, on_terminal, shown

_SHOWN = ("granularity", "non_uniform_entropy", "ambiguity", "precision", "loss", "publisher_payout")
_SHOWN_OF_SENSITIVE = ("distinct_l_diversity", "t_closeness", "p29")
_MOST_OF_FRONT = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `explore`, apart from those about inputs and reading."""
    measures = [name for name, figure in FIGURES.items() if figure.direction is not Direction.TRUE]
    parser.add_argument("--k", type=int, default=5, metavar="N", help="suppress classes below N records (default 5)")
    parser.add_argument(
        "--l", type=int, metavar="N", help="suppress classes with fewer than N values of a sensitive attribute"
    )
    parser.add_argument("--t", type=float, metavar="F", help="suppress classes farther than F from the whole table")
    parser.add_argument(
        "--no-attack", action="store_true", help="suppress classes so small that an attack pays, whatever --k says"
    )
    parser.add_argument(
        "--max-suppression", type=float, default=0.04, metavar="F", help="share of records, 0 to 1 (default 0.04)"
    )
    parser.add_argument("--measure", choices=measures, default="loss", help="what is best (default: loss, as in ARX)")
    parser.add_argument(
        "--most-nodes", type=int, default=MOST_NODES, metavar="N", help="search larger lattices best-first"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--out", metavar="FILE", help="write the best generalized table, .csv or .parquet")


def run(options: argparse.Namespace, original: Table, given: Settings, inputs: Sequence[str | Path]) -> None:
    """Explore, print, write. Raises InputError where no node meets the limits, after printing what was found."""
    if options.out is not None:
        require_suffix(options.out, ".csv", ".parquet")
    if options.most_nodes < 1:
        raise InputError("--most-nodes is smaller than 1", remedy="give a whole number of at least 1")
    k = SuppressionRule.without_attacks(given.parameters.profitability).k if options.no_attack else options.k
    rule = SuppressionRule(k=k, l=options.l, t=options.t)
    found = explore(
        original,
        given.roles,
        given.hierarchies,
        max_suppression=options.max_suppression,
        rule=rule,
        parameters=given.parameters,
        measure=options.measure,
        most_nodes=options.most_nodes,
    )
    if options.json:
        print(json.dumps(found.to_dict(), allow_nan=False))
    else:
        print(on_terminal("\n".join(told(found, original.name))))
    if found.best is None:
        sentence = " ".join(one.in_words() for one in found.nearest()[:1]) or "No generalization has such a figure."
        raise InputError(sentence.rstrip("."), remedy="loosen that limit, or choose another measure")
    if options.out is not None:
        levels = found.levels_of(found.best)
        best = generalized_table(
            original, given.roles, given.hierarchies, levels, rule=rule, parameters=given.parameters
        )
        write_table(best.to_arrow(), options.out, inputs)


def told(found: Exploration, name: str) -> Iterator[str]:
    """Line by line: how far it got, the best node, and the best of the front."""
    feasible = int(found.feasible().sum())
    meets = "meets" if feasible == 1 else "meet"
    yield (
        f"{name}: {found.nodes_evaluated:,} of {counted(found.nodes_total, 'generalization')} evaluated; "
        f"{feasible:,} {meets} the limits"
    )
    if not found.finished:
        yield "The search ended before all others were ruled out: a better one may exist"
    if found.best is None:
        return
    title = FIGURES[found.measure].title.lower()
    yield f"Best by {title}:"
    width = max(len(attribute) for attribute in found.attributes)
    for attribute, level, height in zip(
        found.attributes, found.levels[found.best].tolist(), found.heights, strict=True
    ):
        yield f"  {attribute.ljust(width)}  level {level} of {height}"
    yield f"  {_figures(found, found.best)}"
    front = found.front(found.measure, "smallest_class")
    yield (
        f"{counted(len(front), 'generalization')} cannot be bettered in {title} without a smaller k"
        + (f"; the first {_MOST_OF_FRONT}:" if len(front) > _MOST_OF_FRONT else ":")
    )
    for index in front[:_MOST_OF_FRONT].tolist():
        levels = ", ".join(str(level) for level in found.levels[index].tolist())
        figure = shown(found.figures[found.measure][index].item())
        yield f"  [{levels}]  k = {found.figures['smallest_class'][index]:,}, {title} {figure}"


def _figures(found: Exploration, index: int) -> str:
    node = found.node(index)
    parts = [
        f"{counted(node['suppressed_rows'], 'record')} suppressed",
        counted(node["classes"], "class", "classes"),
        f"the smallest of {counted(node['smallest_class'] or 0, 'record')}",
    ]
    parts += [f"{FIGURES[name].title} {shown(node[name])}" for name in (*_SHOWN, *_SHOWN_OF_SENSITIVE) if name in node]
    return "; ".join(parts)
