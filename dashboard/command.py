"""The `quasi` command of an installed copy: alone it opens the dashboard, with a command it is `python -m metrics`."""

import sys
from pathlib import Path
from typing import NoReturn

_OF_THE_PROGRAM = ("-h", "--help", "--version")


def main() -> int:
    """Carry out the command line.

    The exit status of a command, or of a dashboard that cannot be opened; otherwise the dashboard takes over.
    """
    arguments = sys.argv[1:]
    is_project = bool(arguments) and arguments[0].endswith(".deid")
    if arguments and not is_project and (not arguments[0].startswith("-") or arguments[0] in _OF_THE_PROGRAM):
        from metrics.cli import main as run_command

        return run_command(arguments)
    # Installed, the dashboard lies in `quasi_dashboard`; its modules call themselves `dashboard`, as in a checkout.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from dashboard.__main__ import run_installed

    return run_installed(arguments)


def run() -> NoReturn:
    """Carry out the command line, and end the process."""
    from metrics.cli import end_process

    end_process(main())
