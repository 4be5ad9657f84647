"""`report`: one self-contained HTML page about one anonymized table."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path
from typing import Any

from metrics.candidates.compare.table import distinct_names
from metrics.cli import reading
from metrics.cli.exit_status import DONE
from metrics.cli.inputs import input_files, load_scorecard, load_settings, randomization_files, sha256_of
from metrics.cli.options import (
    WRITING_USAGE,
    add_analyses_option,
    add_policy_option,
    add_randomization_option,
    add_table_options,
)
from metrics.errors import InputError
from metrics.tables.atomic_write import refuse_inputs, write_file
from metrics.tables.export import require_suffix

_OUTPUTS = ("out", "technical", "appendix")
"""Options that name a file to write."""


def add_parser(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "report", help="write a self-contained report on one anonymized table", usage=WRITING_USAGE
    )
    add_table_options(parser)
    add_analyses_option(parser)
    add_randomization_option(parser, several=True)
    add_policy_option(parser, "the limits against which the report assesses the table (default: those of --settings)")
    parser.add_argument("--out", required=True, metavar="FILE.html", help="where to write the report")
    parser.add_argument(
        "--compared", nargs="+", default=[], metavar="FILE", help="other anonymized tables that the report compares"
    )
    parser.add_argument(
        "--appendix",
        metavar="FILE.html",
        help="also write the confidential appendix, which lists equivalence classes, to this file",
    )
    parser.add_argument(
        "--technical",
        metavar="FILE.html",
        help="also write the technical appendix, which has the definitions and every figure, to this file",
    )
    parser.add_argument("--date", metavar="TEXT", help="the date and time printed in the report (default: now)")
    reading.add_arguments(parser)
    parser.set_defaults(run=run, proposes_analyses=True)


def run(options: argparse.Namespace) -> int:
    """Score, and write the report and its appendices. Raises InputError."""
    from metrics.report import FileDigests, appendix_html, report_html, technical_html  # templates: slow to load

    inputs = input_files(options)
    outputs = {option: path for option in _OUTPUTS if (path := getattr(options, option)) is not None}
    option_of_path: dict[Path, str] = {}
    for option, path in outputs.items():
        require_suffix(path, ".html")
        refuse_inputs(Path(path), inputs)
        first_option = option_of_path.setdefault(Path(path).resolve(), option)
        if first_option != option:
            raise InputError(
                f"--{first_option} and --{option} name the same file", remedy="name two different files", file=path
            )
    settings = load_settings(options)
    tables = [options.anonymized, *options.compared]
    cards = [
        load_scorecard(argparse.Namespace(**{**vars(options), "anonymized": path, "randomization": file}), settings)
        for path, file in zip(tables, randomization_files(options.randomization, len(tables)), strict=True)
    ]
    card = cards[0]
    label, *labels = distinct_names([one.aggregates.anonymized.name for one in cards])
    versions = dict(zip([label, *labels], cards, strict=True))
    date = options.date or datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    digests = FileDigests(sha256_of(options.anonymized), sha256_of(options.original), sha256_of(options.settings))
    render = {
        "out": lambda: report_html(card, versions, label=label, policy=settings.policy, sha256=digests, date=date),
        "technical": lambda: technical_html(card, policy=settings.policy, sha256=digests, date=date),
        "appendix": lambda: appendix_html(card, policy=settings.policy, sha256=digests.anonymized, date=date),
    }
    pages = {option: render[option]() for option in outputs}
    for option, path in outputs.items():
        _write_page(pages[option], path, inputs)
    return DONE


def _write_page(page: str, path: str, inputs: list[str | Path]) -> None:
    write_file(lambda file: file.write(page.encode()), path, inputs)
