"""`explore`: score every generalization in the lattice of the hierarchies, and find the best one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.limits.enforced import ENFORCED, K, L, Limits, T, not_enforced, search_limits, without_sensitive
from metrics.candidates.limits.measures import MEASURES, NODE_MEASURES
from metrics.candidates.limits.suppression import suppression_rule
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.finding import not_run_finding, search_finding
from metrics.candidates.search.lattice import MAX_NODES, SEARCH_SECONDS, explore
from metrics.cli import reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import (
    analyses_file,
    input_files,
    load_policy,
    load_settings,
    load_table,
    note_suppressed,
    people_status,
)
from metrics.cli.options import (
    TABLE_FORMATS,
    TABLE_OUTPUT,
    add_analyses_option,
    add_json_option,
    add_policy_option,
    add_recipe_option,
    add_setting_options,
)
from metrics.cli.projects import project_of
from metrics.cli.recipes import check_recipe_path, write_recipe
from metrics.config.analyses import check_analyses
from metrics.config.roles import DEFAULT_WEIGHT, Roles
from metrics.config.roles_file import number_of
from metrics.errors import InputError
from metrics.formatting import format_number, join_names, on_terminal, pluralize, within_sentence
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, NO_ATTACK, SUPPRESSION, measure_text
from metrics.policy.policy import Policy
from metrics.recipes.recipe import recipe_of_levels
from metrics.scoring.catalog import BY_ID
from metrics.tables.export import require_suffix, write_table
from metrics.utility.analyses import ANALYSES

_DEFAULT_K = 5
_DEFAULT_MAX_SUPPRESSION = 0.04
_COUNTS = ("suppressed_rows", "classes", "smallest_class")
_PRINTED_MEASURES = (
    "granularity",
    "non_uniform_entropy",
    "ambiguity",
    "precision",
    "loss",
    "publisher_payout",
    "distinct_l_diversity",
    "t_closeness",
    "p29",
    "analyses",
)
_MAX_PRINTED_OPTIONS = 8


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "explore",
        help="find the best generalization that meets the limits",
        usage="%(prog)s --original FILE --roles FILE --hierarchies DIR [options]",
    )
    parser.add_argument("--original", metavar="FILE", help=f"the table to generalize: {TABLE_FORMATS}")
    add_setting_options(parser)
    add_policy_option(
        parser, "its limits apply, except on metrics that the search does not compute; the options below override them"
    )
    parser.add_argument(
        "--k", type=int, metavar="N", help=f"suppress classes with fewer than N records (default {_DEFAULT_K})"
    )
    parser.add_argument(
        "--l", type=int, metavar="N", help="suppress classes with fewer than N values of a sensitive attribute"
    )
    parser.add_argument("--t", type=float, metavar="F", help="suppress classes that exceed the t-closeness limit F")
    parser.add_argument(
        "--no-attack",
        action="store_true",
        help="suppress classes small enough for a profitable attack as well; --k then defaults to 1",
    )
    parser.add_argument(
        "--max-suppression",
        type=float,
        metavar="F",
        help=f"largest share of records to suppress, 0 to 1 (default {_DEFAULT_MAX_SUPPRESSION})",
    )
    parser.add_argument(
        "--measure",
        choices=MEASURES,
        metavar="MEASURE",
        help="what the best generalization optimizes (default: that of --project, else loss, as in ARX): "
        f"{', '.join(MEASURES)}; k is the smallest class before suppression, and analyses are those listed, or else "
        "proposed ones",
    )
    add_analyses_option(parser)
    parser.add_argument(
        "--max-nodes",
        type=int,
        default=MAX_NODES,
        metavar="N",
        help=f"evaluate all generalizations if there are at most N, else use branch and bound (default {MAX_NODES:,})",
    )
    parser.add_argument(
        "--max-seconds",
        type=float,
        metavar="F",
        help=f"stop after F seconds and print the best so far (default for branch and bound: {SEARCH_SECONDS:g})",
    )
    parser.add_argument(
        "--keep",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN=LEVEL",
        help="highest levels allowed, such as sex=0 to keep the column as it is; records may still be suppressed",
    )
    parser.add_argument(
        "--weights",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN=WEIGHT",
        help=f"how much columns count in the loss, 0 to 1 (default {DEFAULT_WEIGHT})",
    )
    add_json_option(parser)
    parser.add_argument("--out", metavar="FILE", help=f"write the best generalized table: {TABLE_OUTPUT}")
    add_recipe_option(parser)
    reading.add_arguments(parser)
    parser.set_defaults(run=run, needs=("original",), anonymized=None, population=None, holdout=None)


def run(options: argparse.Namespace) -> int:
    """Explore, print and write.

    Raises InputError if no generalization meets the limits, after printing what was found.
    """
    project = project_of(options)
    options.measure = options.measure or ("loss" if project is None else project.measure)
    settings = load_settings(options)
    settings = replace(settings, roles=_what_matters(settings.roles, options))
    original = load_table(options.original, options, settings)
    _check(options)
    parameters = settings.parameters
    if options.measure == ANALYSES.id:
        check_analyses(parameters.analyses, original, original, analyses_file(options))
    policy = load_policy(options) or NO_LIMITS
    limits = _limits(options, policy)
    if not settings.roles.sensitive and options.l is None and options.t is None:
        limits = without_sensitive(limits)
    rule = suppression_rule(limits, parameters)
    exploration = explore(
        original,
        settings.roles,
        settings.hierarchies,
        rule=rule,
        limits=limits,
        parameters=parameters,
        measure=options.measure,
        max_nodes=options.max_nodes,
        max_seconds=options.max_seconds,
    )
    _print(exploration, original.name, not_enforced(policy, limits, settings.roles), as_json=options.json)
    if exploration.best is None:
        nearest = exploration.nearest()
        sentence = f"No generalization has a value of {options.measure}." if nearest is None else nearest.summary()
        raise InputError(sentence.rstrip("."), remedy="relax a limit, or choose another measure")
    levels = exploration.levels_of(exploration.best)
    search_settings: dict[str, Any] = {"rule": rule, "parameters": parameters}
    status = DONE
    if options.out is not None:
        best = generalized_table(original, settings.roles, settings.hierarchies, levels, **search_settings)
        write_table(best.to_arrow(), options.out, input_files(options))
        note_suppressed(original, settings.roles)
        status = people_status(best, settings.roles, limits)
    if options.recipe is not None:
        write_recipe(
            recipe_of_levels(original, settings.roles, settings.hierarchies, levels, **search_settings), options
        )
    return status


def _what_matters(roles: Roles, options: argparse.Namespace) -> Roles:
    """The roles with the weights and highest levels of the options. Raises InputError."""
    of_options = (("--weights", "column_weights", options.weights), ("--keep", "highest_levels", options.keep))
    for option, key, texts in of_options:
        pairs = [text.rpartition("=") for text in texts]
        try:
            numbers = {column: number_of(key, number, option, column) for column, _, number in pairs}
            changed: dict[str, Any] = {key: {**getattr(roles, key), **numbers}}
            roles = replace(roles, **changed)
        except InputError as error:
            raise InputError(error.problem, remedy=f"correct {option}", column=error.column) from None
    return roles


def _check(options: argparse.Namespace) -> None:
    """Raise InputError where an option makes no sense, before anything takes time."""
    if options.out is not None:
        require_suffix(options.out, ".csv", ".parquet")
    check_recipe_path(options)
    if options.max_seconds is not None and not options.max_seconds > 0:
        raise InputError("--max-seconds is not above 0", remedy="set a number of seconds above 0")
    if options.max_nodes < 1:
        raise InputError("--max-nodes is smaller than 1", remedy="set a whole number of at least 1")


def _print(exploration: Exploration, name: str, not_searched: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**exploration.to_dict(), "not_searched": not_searched}, allow_nan=False))
        return
    print(on_terminal("\n".join(exploration_lines(exploration, name))))
    if not_searched:
        titles = join_names([within_sentence(LIMITABLE_MEASURES[measure].title) for measure in not_searched])
        print(on_terminal(f"Not part of the search: {titles}. Check the result with `score` and the same policy."))


def _limits(options: argparse.Namespace, policy: Policy) -> Limits:
    """The limits: options first, then the policy, then defaults."""
    # Without a k, the size that prevents attacks alone decides.
    defaults = {K: 1 if options.no_attack else _DEFAULT_K, SUPPRESSION: _DEFAULT_MAX_SUPPRESSION}
    given = {K: options.k, L: options.l, T: options.t, SUPPRESSION: options.max_suppression}
    given[NO_ATTACK] = options.no_attack or None
    return {**defaults, **search_limits(policy), **{name: bound for name, bound in given.items() if bound is not None}}


def exploration_lines(exploration: Exploration, name: str) -> Iterator[str]:
    """The result line by line: how many were evaluated, the best one, and the first Pareto-optimal options."""
    feasible = int(exploration.feasible().sum())
    yield (
        f"{name}: {exploration.nodes_evaluated:,} of {pluralize(exploration.nodes_total, 'generalization')} evaluated; "
        f"{feasible:,} {'meets' if feasible == 1 else 'meet'} the limits"
    )
    yield search_finding(exploration)
    yield from filter(None, [not_run_finding(exploration)])
    if exploration.best is None:
        return
    title = within_sentence(NODE_MEASURES[exploration.measure].title)
    width = max(len(attribute) for attribute in exploration.attributes)
    levels = exploration.levels[exploration.best].tolist()
    for attribute, level, height in zip(exploration.attributes, levels, exploration.heights, strict=True):
        yield f"  {attribute.ljust(width)}  level {level} of {height}"
    yield f"  {_figures_text(exploration, exploration.best)}"
    pareto_front = exploration.pareto_front(exploration.measure, "smallest_class")
    count = pluralize(len(pareto_front), "Pareto-optimal option")
    first_note = f"; the first {_MAX_PRINTED_OPTIONS}" if len(pareto_front) > _MAX_PRINTED_OPTIONS else ""
    yield f"{count} by {title} and smallest class{first_note}:"
    for index in pareto_front[:_MAX_PRINTED_OPTIONS].tolist():
        node_levels = ", ".join(str(level) for level in exploration.levels[index].tolist())
        value = format_number(exploration.figures[exploration.measure][index].item())
        yield f"  [{node_levels}]  {title} {value}, smallest class {exploration.figures['smallest_class'][index]:,}"


def _figures_text(exploration: Exploration, index: int) -> str:
    node = exploration.node(index)
    texts = [
        f"{pluralize(node['suppressed_rows'], 'record')} suppressed",
        pluralize(node["classes"], "class", "classes"),
        f"smallest class: {pluralize(node['smallest_class'] or 0, 'record')}",
    ]
    limited = [ENFORCED[name].node for name in exploration.limits]
    names = [name for name in dict.fromkeys([*_PRINTED_MEASURES, *limited]) if name in node and name not in _COUNTS]
    shown = {name: (measure_text(name, node[name]) if name in BY_ID else format_number(node[name])) for name in names}
    texts += [f"{NODE_MEASURES[name].title} {value}" for name, value in shown.items()]
    return "; ".join(texts)
