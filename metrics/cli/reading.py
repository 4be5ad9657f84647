"""Options for reading files, and what is printed about how a file was read."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from metrics.errors import InputError
from metrics.formatting import on_terminal
from metrics.policy.settings import ReadOptions
from metrics.reading import propose, read_table, require_answered
from metrics.reading.source import streamed_source
from metrics.tables.read_plan import MAX_LINES, ReadPlan
from metrics.tables.regular_file import read_document
from metrics.tables.table import Table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one option for each field of a reading plan, and the options for whole plans."""
    group = parser.add_argument_group(
        "reading", "how files are read: detected unless set here; these options apply to every table"
    )
    group.add_argument(
        "--read-plan", metavar="FILE", help="JSON file: a reading plan, or an object with one plan per file name"
    )
    group.add_argument(
        "--accept-proposals", action="store_true", help="read files as detected, even if the detection is ambiguous"
    )
    group.add_argument(
        "--delimiter",
        metavar="CHAR",
        type=_delimiter,
        help=r"character between CSV cells; \t for a tab, '' for a single column",
    )
    group.add_argument("--quote", metavar="CHAR", help="character around CSV cells; '' for none")
    group.add_argument("--escape", choices=["", "\\"], help="character that escapes the next one; '' for none")
    group.add_argument("--encoding", metavar="NAME", help="character encoding, such as utf-8, utf-16, latin-1 or big5")
    group.add_argument("--decimal", choices=[".", ","], help="decimal separator of numbers")
    group.add_argument("--sheet", metavar="NAME", help="sheet of the workbook")
    group.add_argument(
        "--missing", nargs="+", action="extend", default=[], metavar="TEXT", help="texts that mean a missing value"
    )
    group.add_argument("--skip-lines", type=_lines, metavar="N", help="number of lines before the header")
    group.add_argument("--header-lines", type=_lines, metavar="N", help="number of header lines; 0 for none")
    group.add_argument("--footer-lines", type=_lines, metavar="N", help="number of lines after the last record")
    group.add_argument(
        "--blank-lines",
        choices=["cells", "nothing"],
        help="in a table of one column: whether empty lines are cells or are ignored",
    )
    group.add_argument(
        "--omit-columns",
        dest="omitted_columns",
        nargs="+",
        type=_lines,
        action="extend",
        default=[],
        metavar="N",
        help="positions of the columns to skip, from 1",
    )
    group.add_argument(
        "--names", nargs="+", action="extend", default=[], metavar="NAME", help="new names for all columns of the file"
    )
    group.add_argument(
        "--value-labels",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="read value labels (the default) or the codes of SPSS and Stata files",
    )


def read(path: str, options: argparse.Namespace, saved: ReadOptions) -> Table:
    """Read a table, and print what its plan omits. Raises InputError if the plan is ambiguous."""
    plan = plan_for(path, options, saved)
    table = read_table(path, plan=plan, renamed=saved.renamed, same_values=saved.same_values)
    print_left_out(table.name, plan)
    return table


def plan_for(path: str | Path, options: argparse.Namespace, saved: ReadOptions, *, in_memory: bool = True) -> ReadPlan:
    """The reading plan of a file: from the plan file, else from the settings, else as detected.

    Single options replace fields of the plan. Accepted proposals and notes are printed on standard error. Raises
    InputError if the detection is ambiguous and proposals are not accepted.
    """
    name = Path(path).name
    saved_plan = _read_plan(options.read_plan, name) or saved.plan
    if saved_plan is not None:
        plan = replace(saved_plan, **plan_fields(options, ReadOptions()))
        plan.check(name)
        return plan
    source, choices = path if in_memory else streamed_source(Path(path)), plan_fields(options, saved)
    proposal = propose(source, **choices)
    if options.encoding and proposal.plan.encoding not in (None, "utf-8"):
        # The option applies to every table: a file that proves to be UTF-8 is one that it was not meant for.
        with suppress(InputError):
            utf8_proposal = propose(source, **{field: value for field, value in choices.items() if field != "encoding"})
            if utf8_proposal.plan.encoding == "utf-8":
                proposal = utf8_proposal
                print_note(f"{name}: read as UTF-8, which its bytes prove, and not as {options.encoding}.")
    if not options.accept_proposals:
        require_answered(proposal)
    for question in proposal.questions:
        answer = question.answers[0]
        print_note(f"{name}: {question.text} Read as proposed: {answer.label} ({answer.options}).")
    if proposal.notes:
        print_note(f"{name}: {'; '.join(proposal.notes)}.")
    return proposal.plan


def plan_fields(options: argparse.Namespace, saved: ReadOptions) -> dict[str, Any]:
    """Fields of a reading plan: those that the options set, else those saved in the settings."""
    plan_values: dict[str, Any] = {}
    for field in (field.name for field in fields(ReadPlan)):
        option = getattr(options, field, None)
        value = getattr(saved, field, None) if option in (None, []) else option
        if value not in (None, (), []):
            plan_values[field] = tuple(value) if isinstance(value, list) else value
    return plan_values


def print_left_out(name: str, plan: ReadPlan) -> None:
    """Print on standard error which lines and columns the plan omits, if any."""
    if plan.left_out:
        print_note(f"{name}: the reading plan omits {' and '.join(plan.left_out)}.")


def _read_plan(path: str | None, name: str) -> ReadPlan | None:
    """The plan in a plan file for a file of this name. Raises InputError if it has none."""
    if path is None:
        return None
    file = Path(path).name
    document = read_document(path)
    try:
        content = json.loads(document.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise InputError("the reading plan is not valid JSON", remedy="correct it", file=file) from None
    if isinstance(content, dict) and "kind" not in content and name in content:
        content = content[name]
    if not isinstance(content, dict) or (content and all(isinstance(value, dict) for value in content.values())):
        raise InputError(f'there is no reading plan for the file "{name}"', remedy=f'add "{name}": {{plan}}', file=file)
    return ReadPlan.from_dict(content, file)


def print_note(sentence: str) -> None:
    """Print a sentence to standard error, apart from the output."""
    print(on_terminal(sentence), file=sys.stderr)


def _delimiter(text: str) -> str:
    r"""The delimiter; `\t` means a tab, which is hard to type in a shell."""
    return text.replace("\\t", "\t")


def _lines(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_LINES)) and int(text) <= MAX_LINES):
        raise argparse.ArgumentTypeError(f'"{text}" is not a number from 0 to {MAX_LINES:,}')
    return int(text)
