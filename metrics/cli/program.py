"""The program: parses the arguments, runs one command, and turns every failure into one line and an exit status."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import NoReturn

from metrics.cli import apply, catalog, classes, compare, explore, identifiers, make, repair, report, score
from metrics.cli.exit_status import BAD_INPUT, STOPPED
from metrics.cli.projects import open_project
from metrics.errors import InputError
from metrics.formatting import on_terminal
from metrics.tables.core_dumps import prevent_core_dumps
from metrics.version import VERSION

_COMMANDS = (score, classes, compare, explore, make, repair, apply, report, identifiers, catalog)
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
PROGRAM = "quasi"
_WITHOUT_COMMAND = "Without a command, quasi opens the dashboard (--port N, --no-browser, --tables-folder DIR)."
"""The installed command does so, see `dashboard.command`."""


class _Parser(argparse.ArgumentParser):
    """Reports wrong arguments in one line, like every other input error."""

    def error(self, message: str) -> NoReturn:
        raise InputError(" ".join(message.split()), remedy=f"see {self.prog} --help")


def main(arguments: Sequence[str] | None = None, *, program: str = PROGRAM) -> int:
    """Run one command.

    Exit status: 0 done; 1 a requirement or a policy is not met; 2 wrong input or arguments, or standard output is
    closed; 130 stopped by Ctrl-C. `arguments`: the arguments after the program's name; those of the process by default.
    """
    prevent_core_dumps()
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")
    if sys.stdout is None:
        return BAD_INPUT
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a character that the terminal lacks must not end the command
            stream.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        options, unknown = _parser(program).parse_known_args(arguments)
        if unknown:
            remedy = f"see {program} {options.command} --help"
            raise InputError(f"unrecognized arguments: {' '.join(unknown)}", remedy=remedy)
        open_project(options)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except InputError as error:
        print(on_terminal(str(error)), file=sys.stderr)
    except MemoryError:
        print("The tables do not fit into memory; use a machine with more memory.", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return STOPPED
    except Exception as error:  # its text could hold cells of a table: only the type is printed
        _report_failure(error)
    return BAD_INPUT


def _report_failure(error: Exception) -> None:
    if isinstance(error, OSError) and error.errno in _DISK_FULL:
        print("The output cannot be written; free some disk space or write it elsewhere.", file=sys.stderr)
        with suppress(OSError):
            # What is left in the buffer would fail again when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    print(f"An internal error occurred ({type(error).__name__}); please report it.", file=sys.stderr)


def end_process(status: int) -> NoReturn:
    """End the process at once: threads that Arrow leaves behind may abort it while the interpreter ends."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or never open
            stream.flush()
    os._exit(status)


@cache
def _parser(program: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=program,
        description="Measure the privacy and the utility of anonymized tables.",
        epilog=_WITHOUT_COMMAND if program == PROGRAM else None,
    )
    parser.add_argument("--version", action="version", version=f"Quasi {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, title="commands")
    for command in _COMMANDS:
        command.add_parser(commands)
    return parser
