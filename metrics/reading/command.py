"""The options of the command line that say how files are read."""

from __future__ import annotations

import argparse

from metrics.reading import MOST_LINES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One option for each choice of `read_table`, named as it is."""
    group = parser.add_argument_group("reading", "detected unless given; they hold for every table")
    group.add_argument(
        "--delimiter", type=_delimiter, help=r"the sign between CSV cells, \t for a tab; '' for one column"
    )
    group.add_argument("--quote", help="the sign around CSV cells; '' for none")
    group.add_argument("--escape", choices=["", "\\"], help="the sign that makes the next one text; '' for none")
    group.add_argument("--encoding", help="such as utf-8, utf-16, latin-1, big5")
    group.add_argument("--decimal", choices=[".", ","], help="the decimal sign of numbers")
    group.add_argument("--sheet", help="the sheet of a workbook")
    group.add_argument(
        "--missing", nargs="+", action="extend", default=[], metavar="TEXT", help="cells that mean missing"
    )
    group.add_argument("--skip-lines", type=_lines, metavar="N", help="lines before the header")
    group.add_argument("--header-lines", type=_lines, metavar="N", help="lines that name the columns; 0 for none")
    group.add_argument("--footer-lines", type=_lines, metavar="N", help="lines after the last record")
    group.add_argument(
        "--blank-lines", choices=["cells", "nothing"], help="what empty lines are in a table of one column"
    )


def _delimiter(text: str) -> str:
    """Shells take no tab as it is: the two signs that stand for one everywhere do here, too."""
    return text.replace("\\t", "\t")


def _lines(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_LINES)) and int(text) <= MOST_LINES):
        raise argparse.ArgumentTypeError(f'"{text}" is no number of lines, 0 to {MOST_LINES:,}')
    return int(text)
