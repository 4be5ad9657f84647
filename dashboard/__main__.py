"""`python3 -m dashboard`: make the environment if need be, then start the dashboard or the tests."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python must be told, not shown a traceback
    sys.stderr.write(
        "Quasi needs Python 3.11 or newer, and this is {}.{}: install a newer one and run it as, "
        "for example, python3.11 -m dashboard.\n".format(*sys.version_info[:2])
    )
    sys.exit(2)

import argparse
import importlib.util
import os
import platform
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from dashboard import environment

_CHECKOUT = "`python3 -m dashboard test [ARGUMENTS]` runs the tests; the arguments go to pytest."
_INSTALLED = "`quasi --help` lists the commands that work on files."


def main(arguments: list[str]) -> int:
    """Carry out one command line; returns only if no other program took over, with the exit status."""
    try:
        if arguments[:1] == ["test"]:
            run_tests(arguments[1:])
        run_dashboard(arguments)
    except environment.SetupError as error:
        _say(str(error))
        return 2
    except KeyboardInterrupt:
        _say("Stopped.")
        return 128 + signal.SIGINT


def run_tests(arguments: list[str]) -> NoReturn:
    """Install what the tests need, then hand over to pytest with its own arguments."""
    from maintenance.test_programs import install_missing

    python = environment.ensure(environment.ROOT, environment.TEST_REQUIREMENTS, _say)
    install_missing(python, arguments, _say)
    environment.exec_process([str(python), "-m", "pytest", *arguments], environment.ROOT)


def run_dashboard(arguments: list[str]) -> NoReturn:
    """Make the environment if need be, then serve the dashboard."""
    serve(
        dashboard_options(arguments), lambda: environment.ensure(environment.ROOT, environment.RUN_REQUIREMENTS, _say)
    )


def run_installed(arguments: list[str]) -> int:
    """Serve the dashboard of an installed copy; returns only if that is impossible, with the exit status."""
    try:
        if importlib.util.find_spec("streamlit") is None:
            message = "The dashboard needs packages that are not installed: run pip install 'quasi[app]'."
            raise environment.SetupError(message)
        serve(dashboard_options(arguments, "quasi", _INSTALLED), lambda: Path(sys.executable))
    except environment.SetupError as error:
        _say(str(error))
        return 2


def serve(options: argparse.Namespace, interpreter: Callable[[], Path]) -> NoReturn:
    """Hand over to Streamlit, in the interpreter that is fetched once the options are known to be good."""
    if options.project is not None:
        environment.open_project(options.project)
    if options.tables_folder is not None:
        environment.allow_tables(options.tables_folder)
    environment.require_free_port(options.port)
    python = interpreter()
    script = environment.ROOT / "dashboard" / "app.py"
    # Elsewhere than on Linux and BSD a browser window can be opened.
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    open_browser = not options.no_browser and (platform.system() in ("Windows", "Darwin") or bool(display))
    _say(f"Quasi is on http://localhost:{options.port} (Ctrl-C stops it).")
    command = environment.dashboard_command(python, script, options.port, open_browser)
    environment.exec_process(command, environment.ROOT)


def dashboard_options(
    arguments: list[str], program: str = "python3 -m dashboard", more: str = _CHECKOUT
) -> argparse.Namespace:
    """The options of a command line that opens the dashboard; ends the process where they are wrong."""
    parser = argparse.ArgumentParser(prog=program, description="Opens the dashboard in the browser.", epilog=more)
    parser.add_argument("project", nargs="?", type=Path, metavar="FILE.deid", help="ARX project to open")
    parser.add_argument("--port", type=_port, default=8501, help="port to listen on (default: %(default)s)")
    parser.add_argument("--no-browser", action="store_true", help="only serve; open no browser window")
    parser.add_argument(
        "--tables-folder",
        type=Path,
        metavar="DIR",
        help="offer the tables in this folder of the server to everybody who opens the dashboard",
    )
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError("a port is a whole number from 1 to 65535")
    return int(text)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
