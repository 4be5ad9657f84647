"""`classes`: one row per equivalence class of one anonymized table."""

from __future__ import annotations

import argparse
from typing import Any

from metrics.cli import reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import input_files, load_scorecard, load_settings
from metrics.cli.options import TABLE_OUTPUT, WRITING_USAGE, add_table_options
from metrics.tables.export import write_table


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("classes", help="write one row per equivalence class", usage=WRITING_USAGE)
    add_table_options(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help=f"where to write the classes: {TABLE_OUTPUT}")
    reading.add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, and write the table of classes. Raises InputError."""
    card = load_scorecard(options, load_settings(options))
    write_table(card.classes.to_arrow(), options.out, input_files(options))
    return DONE
