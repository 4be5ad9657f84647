"""`apply`: do to a table what recipes say."""

from __future__ import annotations

import argparse
from functools import reduce
from typing import Any

import pyarrow as pa

from metrics.cli import reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import load_table
from metrics.cli.options import TABLE_FORMATS, TABLE_OUTPUT
from metrics.cli.projects import add_argument
from metrics.formatting import on_terminal
from metrics.policy.settings import Settings
from metrics.policy.settings_file import read_settings
from metrics.recipes.parsing import read_recipe
from metrics.recipes.recipe import Recipe
from metrics.recipes.steps import Unknown
from metrics.tables.export import require_suffix, write_table
from metrics.tables.table import Table
from metrics.texts import text


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "apply",
        help="apply a recipe written by explore, make or repair to a table",
        usage="%(prog)s --recipe FILE [FILE …] --input FILE --out FILE [options]",
    )
    parser.add_argument(
        "--recipe", required=True, nargs="+", action="extend", metavar="FILE", help="recipes, applied in order"
    )
    parser.add_argument("--input", metavar="FILE", help=f"the table: {TABLE_FORMATS}")
    parser.add_argument(
        "--settings", metavar="FILE", help="settings file saved by the dashboard, for how the table is read"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help=f"where to write the result: {TABLE_OUTPUT}")
    parser.add_argument(
        "--unknown",
        choices=list(Unknown),
        default=Unknown.REFUSE,
        help="what to do with values that the recipe lacks: refuse the table (default) or suppress their cells",
    )
    parser.add_argument(
        "--unknown-values",
        metavar="FILE",
        help=f"write the values that the recipe lacks, by column; confidential: {TABLE_OUTPUT}",
    )
    parser.add_argument(
        "--mapping",
        metavar="FILE",
        help=f"write what each original value was replaced with, by column; confidential: {TABLE_OUTPUT}",
    )
    add_argument(parser)
    reading.add_arguments(parser)
    parser.set_defaults(run=run, needs=("input",))


def run(options: argparse.Namespace) -> int:
    """Read, apply, write and print. Raises InputError."""
    outputs = [path for path in (options.out, options.unknown_values, options.mapping) if path is not None]
    for path in outputs:
        require_suffix(path, ".csv", ".parquet")
    recipe = reduce(Recipe.then, map(read_recipe, options.recipe))
    settings = Settings() if options.settings is None else read_settings(options.settings)
    table = load_table(options.input, options, settings)
    inputs = [*options.recipe, *filter(None, (options.input, options.settings, options.project))]
    if options.unknown_values is not None:
        write_table(_unknown_values(recipe, table), options.unknown_values, inputs)
    applied = recipe.apply(table, unknown=options.unknown)
    write_table(applied.table.to_arrow(), options.out, inputs)
    if options.mapping is not None:
        write_table(applied.mapping(), options.mapping, [*inputs, options.out])
    print(on_terminal("\n".join(applied.lines())))
    if recipe.draws_anew:
        print(on_terminal(text("recipes.draws_anew")))
    if applied.hidden:
        reading.print_note(text("direct_identifiers.unknown", columns=applied.hidden, number=len(applied.hidden)))
    return DONE


def _unknown_values(recipe: Recipe, table: Table) -> pa.Table:
    pairs = [(column, value) for column, values in recipe.unknown_values(table).items() for value in values]
    names, values = zip(*pairs, strict=True) if pairs else ((), ())
    return pa.table({"column": pa.array(names, pa.string()), "value": pa.array(values, pa.string())})
