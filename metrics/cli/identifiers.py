"""`identifiers`: the columns of one table whose values look like direct identifiers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from metrics.cli import projects, reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import load_table
from metrics.cli.options import TABLE_FORMATS, add_json_option
from metrics.errors import InputError
from metrics.formatting import on_terminal, percent, pluralize, printable
from metrics.identifiers.detection import direct_identifiers
from metrics.identifiers.kinds import Identifier
from metrics.policy.settings import Settings


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "identifiers",
        help="list the columns whose values look like direct identifiers",
        usage="%(prog)s (FILE | --project FILE.deid) [--json]",
    )
    parser.add_argument("input", metavar="FILE", nargs="?", help=f"the table to check: {TABLE_FORMATS}")
    projects.add_argument(parser)
    add_json_option(parser)
    reading.add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, look and print. Raises InputError."""
    if options.input is None:
        raise InputError("no table is given", remedy="name a file, or an ARX project with --project")
    table = load_table(options.input, options, Settings())
    identifiers = direct_identifiers(table)
    if options.json:
        print(json.dumps({name: identifier.kind.value for name, identifier in identifiers.items()}))
    else:
        print(on_terminal("\n".join(_lines(table.name, identifiers))))
    return DONE


def _lines(name: str, identifiers: Mapping[str, Identifier]) -> Iterator[str]:
    """The result line by line; examples have their letters and digits hidden."""
    if not identifiers:
        yield (f"{name}: no direct identifiers found. Names of people that many records share are not recognized.")
        return
    yield f"{name}: {pluralize(len(identifiers), 'column')} may identify people directly"
    width = max(len(printable(column)) for column in identifiers)
    for column, identifier in identifiers.items():
        share = f"{percent(identifier.share)} of {pluralize(identifier.values, 'value')}"
        example = printable(identifier.examples[0])
        yield f"  {printable(column).ljust(width)}  {identifier.title}: {share}, such as {example}"
