"""An ARX project on the command line: it stands for the tables, roles, hierarchies and limits."""

from __future__ import annotations

import argparse
from pathlib import Path

from metrics.arx.project import ArxProject, read_arx_project
from metrics.cli.reading import print_note
from metrics.errors import InputError
from metrics.tables.table import Table


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--project",
        metavar="FILE.deid",
        help="ARX project: stands for --original, --anonymized (if it holds a result), --roles, --hierarchies and "
        "--policy; the other options override it",
    )


def open_project(options: argparse.Namespace) -> None:
    """Read the project that the options name, and let its tables stand for those not named. Raises InputError.

    Raises InputError, too, if neither options nor project name a table that the command needs.
    """
    path: str | None = getattr(options, "project", None)
    options.opened_project, options.project_tables = None, {}
    if path is not None:
        project = options.opened_project = read_arx_project(path).research_sample()
        for sentence in project.notes():
            print_note(f"{project.name}: {sentence}")
        _stand_for(options, "input", project.original)
        for name in ("original", "anonymized", "population"):
            _stand_for(options, name, getattr(project, name))
    for name in getattr(options, "needs", ()):
        if not getattr(options, name, None):
            raise InputError(
                f"no {name} table is given",
                remedy=f"name a file with --{name}, or an ARX project that holds one; see --help",
            )


def _stand_for(options: argparse.Namespace, name: str, table: Table | None) -> None:
    """Name a table of the project where the options name none; the name leads to no file."""
    if table is None or not hasattr(options, name) or getattr(options, name):
        return
    path = str(Path(options.project) / table.name)
    options.project_tables[path] = table
    several = name == "anonymized" and getattr(options, "several_tables", False)
    setattr(options, name, [path] if several else path)


def project_of(options: argparse.Namespace) -> ArxProject | None:
    """The project that was opened for these options."""
    found: ArxProject | None = getattr(options, "opened_project", None)
    return found
