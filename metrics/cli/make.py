"""`make`: make an anonymized table by one of the methods beside the lattice, and write it."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from metrics.aggregates import TableAggregates
from metrics.candidates.methods.catalog import METHODS, method_named
from metrics.candidates.methods.method import CandidateMethod, Parameter, parameters_of
from metrics.cli import reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import input_files, load_settings, load_table
from metrics.cli.options import TABLE_FORMATS, TABLE_OUTPUT, add_json_option, add_setting_options
from metrics.errors import InputError
from metrics.tables.export import require_suffix, write_table
from metrics.wording import on_terminal, pluralize


def add_parser(commands: Any) -> None:
    """Add the command and its options, those of the methods from their parameters."""
    parser = commands.add_parser(
        "make",
        help="make an anonymized table by a method",
        usage="%(prog)s --original FILE --roles FILE --method NAME --out FILE [options]",
    )
    parser.add_argument("--original", required=True, metavar="FILE", help=f"the table to anonymize: {TABLE_FORMATS}")
    names = [method.name for method in METHODS]
    parser.add_argument("--method", required=True, choices=names, metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random numbers (default 0)")
    parser.add_argument("--out", required=True, metavar="FILE", help=f"write the table: {TABLE_OUTPUT}")
    for name, users in _parameters().items():
        one = next(iter(users.values()))
        about = f"{one.help} ({', '.join(_in_short(method, of) for method, of in users.items())})"
        parser.add_argument(f"--{_option(name)}", dest=_place(name), default=None, help=about, **_form(one))
    add_setting_options(parser)
    add_json_option(parser)
    reading.add_arguments(parser)
    parser.set_defaults(run=run, anonymized=None, population=None, holdout=None, policy=None, preset=None)


def run(options: argparse.Namespace) -> int:
    """Make the table, write it, and print its classes. Raises InputError."""
    given = {name: getattr(options, _place(name)) for name in _parameters()}
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    method = method_named(options.method, {name: value for name, value in values.items() if value is not None})
    if options.seed < 0:
        raise InputError("--seed is below 0", remedy="set a whole number of at least 0")
    require_suffix(options.out, ".csv", ".parquet")
    settings = load_settings(options)
    original = load_table(options.original, options, settings)
    made = method.apply(original, settings.roles, settings.hierarchies, seed=options.seed)
    write_table(made.to_arrow(), options.out, input_files(options))
    sizes = TableAggregates(made, settings.roles).class_sizes
    if options.json:
        parameters = {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(method).items()
        }
        said = {
            "method": method.name,
            "parameters": parameters,
            "seed": options.seed,
            "rows": made.rows,
            "classes": sizes.count,
            "smallest_class": sizes.smallest,
        }
        print(json.dumps(said, allow_nan=False))
    else:
        smallest = pluralize(sizes.smallest or 0, "record")
        print(on_terminal(f"{original.name}: {pluralize(made.rows, 'record')} by {method.title}, {_written(method)}"))
        print(f"{pluralize(sizes.count, 'class', 'classes')}, the smallest of {smallest}")
    return DONE


def _parameters() -> dict[str, dict[str, Parameter]]:
    """Each parameter by the names of the methods that have it."""
    found: dict[str, dict[str, Parameter]] = {}
    for method in METHODS:
        for one in parameters_of(method):
            found.setdefault(one.name, {})[method.name] = one
    return found


def _option(name: str) -> str:
    return name.replace("_", "-")


def _place(name: str) -> str:
    return f"parameter_{name}"


def _form(one: Parameter) -> dict[str, Any]:
    """How argparse reads a parameter."""
    if one.kind is bool:
        return {"action": "store_true"}
    if one.kind is tuple:
        return {"nargs": "+", "metavar": "COLUMN"}
    return {"type": one.kind, "metavar": "N" if one.kind is int else "F"}


def _in_short(method: str, one: Parameter) -> str:
    return method if one.kind in (bool, tuple) else f"{method}: default {one.default}"


def _written(method: CandidateMethod) -> str:
    """The parameters in words: "k 5, l 1, relaxed"."""
    parts = []
    for one in parameters_of(type(method)):
        value = getattr(method, one.name)
        if one.kind is bool:
            parts += [_option(one.name)] if value else []
        elif value != ():
            parts.append(f"{_option(one.name)} {' '.join(value) if isinstance(value, tuple) else value}")
    return ", ".join(parts)
