"""`make`: make an anonymized table by one of the methods beside the lattice, or compare what they cost."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from metrics.aggregates import TableAggregates
from metrics.candidates.methods.catalog import METHODS, candidate_by, method_named
from metrics.candidates.methods.costs import method_costs
from metrics.candidates.methods.method import Parameter, draw_seed, method_parameters, parameter_summary
from metrics.candidates.methods.safepub import PRESETS
from metrics.cli import reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import input_files, load_settings, load_table, note_suppressed, people_status
from metrics.cli.options import TABLE_FORMATS, TABLE_OUTPUT, add_json_option, add_recipe_option, add_setting_options
from metrics.cli.recipes import check_recipe_path, write_recipe
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import on_terminal, pluralize
from metrics.privacy.k_anonymity.measure import K_ANONYMITY
from metrics.recipes.recipe import recipe_of_method
from metrics.scoring.catalog import BY_ID
from metrics.tables.export import require_suffix, write_table
from metrics.tables.table import Table
from metrics.tables.values import parse_number
from metrics.texts import text

_EPSILON, _EPSILONS = "epsilon", "epsilons"
"""One option gives both: a number, or that of a column."""


def add_parser(commands: Any) -> None:
    """Add the command and its options, those of the methods from their parameters."""
    parser = commands.add_parser(
        "make",
        help="make an anonymized table with one of several methods",
        usage="%(prog)s --original FILE --roles FILE (--method NAME --out FILE | --compare) [options]",
    )
    parser.add_argument("--original", metavar="FILE", help=f"the table to anonymize: {TABLE_FORMATS}")
    names = [method.name for method in METHODS]
    parser.add_argument("--method", choices=names, metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the random numbers (default: generated and printed); keep it secret: anyone who has it can "
        "remove the noise",
    )
    parser.add_argument("--out", metavar="FILE", help=f"write the table: {TABLE_OUTPUT}")
    parser.add_argument(
        "--compare",
        action="store_true",
        help="instead of making one table, compare the information loss of all methods at the same k and the same "
        "success of record linkage; accepts only --k, --l and --seed",
    )
    for name, users in _parameters().items():
        if name != _EPSILONS:
            form, about = _form(next(iter(users.values()))), _help(users)
            if name == _EPSILON:
                form, about = {"nargs": "+", "metavar": "[COLUMN=]F"}, f"{about} {_help(_parameters()[_EPSILONS])}"
            parser.add_argument(f"--{_option(name)}", dest=_place(name), default=None, help=about, **form)
    add_setting_options(parser)
    add_recipe_option(parser)
    add_json_option(parser)
    reading.add_arguments(parser)
    parser.set_defaults(run=run, needs=("original",), anonymized=None, population=None, holdout=None, policy=None)


def run(options: argparse.Namespace) -> int:
    """Make the table and write it, or compare the methods. Raises InputError."""
    arguments = {name: getattr(options, _place(name)) for name in _parameters() if name != _EPSILONS}
    values = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in arguments.items()
        if value is not None
    }
    values |= _epsilons(values.pop(_EPSILON, ()))
    if options.seed is not None and options.seed < 0:
        raise InputError("--seed is below 0", remedy="set a whole number of at least 0")
    return _compare(options, values) if options.compare else _make(options, values)


def _epsilons(given: Sequence[str]) -> dict[str, Any]:
    """The ε of all columns, and those of single ones, as in sex=0.5."""
    own = tuple(one for one in given if "=" in one)
    common = [one for one in given if "=" not in one]
    number = parse_number(common[0]) if len(common) == 1 else None
    if common and number is None:
        raise InputError("--epsilon is not a number", remedy="write 1, or diagnosis=1 for an ε of a column")
    return ({} if number is None else {_EPSILON: number}) | ({_EPSILONS: own} if own else {})


def _make(options: argparse.Namespace, values: Mapping[str, Any]) -> int:
    if options.method is None or options.out is None:
        raise InputError("--method and --out are required", remedy="give both, or --compare")
    method = method_named(options.method, values)
    require_suffix(options.out, ".csv", ".parquet")
    check_recipe_path(options)
    settings = load_settings(options)
    original = load_table(options.original, options, settings)
    seed = draw_seed() if options.seed is None and method.takes_seed else options.seed
    candidate = candidate_by(method, original, settings.roles, settings.hierarchies, seed=seed)
    write_table(candidate.to_arrow(), options.out, input_files(options))
    note_suppressed(original, settings.roles)
    if options.recipe is not None:
        write_recipe(recipe_of_method(method, original, settings.roles, settings.hierarchies, seed=seed), options)
    sizes = TableAggregates(candidate, settings.roles).class_sizes
    smallest_class = sizes.smallest if sizes.count else 0
    if options.json:
        summary = {
            "method": method.name,
            "parameters": {
                parameter.name: getattr(method, parameter.name) for parameter in method_parameters(type(method))
            },
            "seed": seed,
            "rows": candidate.rows,
            "classes": sizes.count,
            "smallest_class": smallest_class,
        }
        print(json.dumps(summary, allow_nan=False))
    else:
        smallest = pluralize(smallest_class, "record")
        description = f"{method.title}, {parameter_summary(method)}{'' if seed is None else f', seed {seed}'}"
        print(on_terminal(f"{original.name}: {pluralize(candidate.rows, 'record')} by {description}"))
        print(f"{pluralize(sizes.count, 'equivalence class', 'equivalence classes')}; the smallest has {smallest}")
        for sentence in _coverage(candidate, settings.roles):
            print(on_terminal(sentence))
    return people_status(candidate, settings.roles, {K_ANONYMITY.id: getattr(method, "k", 0)})


def _coverage(candidate: Table, roles: Roles) -> Iterator[str]:
    """Of a table with randomized columns, which ones ε is about, and which sensitive ones it is not."""
    drawn = candidate.randomization
    if not drawn:
        return
    yield text("local_dp.made", columns=list(drawn), epsilon=sum(by.epsilon for by in drawn.values()))
    truthful = [name for name in roles.sensitive if name not in drawn]
    if truthful:
        yield text("local_dp.truthful", columns=truthful, number=len(truthful))


def _compare(options: argparse.Namespace, values: Mapping[str, Any]) -> int:
    unsupported = next((name for name in values if name not in ("k", "l")), None)
    if unsupported is not None or options.method is not None or (options.out or options.recipe) is not None:
        raise InputError("--compare accepts only --k, --l and --seed", remedy="omit the other options")
    settings = load_settings(options)
    original = load_table(options.original, options, settings)
    inputs = (original, settings.roles, settings.hierarchies)
    costs = method_costs(*inputs, **values, seed=options.seed or 0, parameters=settings.parameters)
    if options.json:
        print(json.dumps({"methods": [asdict(cost) for cost in costs]}, allow_nan=False))
        return DONE
    for cost in costs:
        print(on_terminal(f"{cost.title}{f', {cost.settings}' if cost.settings else ''}"))
        if cost.figures is None:
            print(on_terminal(f"  {cost.unavailable}"))
            continue
        figures = [f"{BY_ID[name].title} {BY_ID[name].measure_text(value)}" for name, value in cost.figures.items()]
        note = "" if cost.reached else "; record linkage succeeds more often than on Mondrian's table"
        print(on_terminal(f"  smallest class {cost.smallest_class}; {'; '.join(figures)}{note}"))
    return DONE


def _parameters() -> dict[str, dict[str, Parameter]]:
    """Each parameter by the names of the methods that have it."""
    users: dict[str, dict[str, Parameter]] = {}
    for method in METHODS:
        for parameter in method_parameters(method):
            users.setdefault(parameter.name, {})[method.name] = parameter
    return users


def _help(users: Mapping[str, Parameter]) -> str:
    """Each meaning of a parameter, with the methods for which it holds."""
    methods: dict[str, list[str]] = {}
    for method, parameter in users.items():
        methods.setdefault(parameter.help, []).append(_in_short(method, parameter))
    help_text = " ".join(f"{meaning} ({', '.join(names)})" for meaning, names in methods.items())
    return help_text.replace("%", "%%")  # argparse formats it


def _option(name: str) -> str:
    return name.replace("_", "-")


def _place(name: str) -> str:
    return f"parameter_{name}"


def _form(parameter: Parameter) -> dict[str, Any]:
    """How argparse reads a parameter."""
    if parameter.kind is bool:
        return {"action": "store_true"}
    if parameter.kind is tuple:
        return {"nargs": "+", "metavar": "COLUMN"}
    if parameter.name == "degree":
        return {"type": _degree, "metavar": "F|NAME"}
    return {"type": parameter.kind, "metavar": "N" if parameter.kind is int else "F"}


def _degree(given: str) -> float:
    """A degree of generalization, as a number or by ARX's name."""
    degree = PRESETS.get(given, parse_number(given))
    if degree is None:
        raise argparse.ArgumentTypeError(f"write a number from 0 to 1, or {', '.join(PRESETS)}")
    return degree


def _in_short(method: str, parameter: Parameter) -> str:
    return method if parameter.kind in (bool, tuple) else f"{method}: default {parameter.default}"
