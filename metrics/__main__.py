"""The command line: `python -m metrics score`, `classes`, `compare`, `explore`, `repair` and `report`."""

from __future__ import annotations

import argparse
import errno
import hashlib
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from metrics.candidates import command as explore
from metrics.candidates import compare_command as compare
from metrics.candidates import repair_command
from metrics.counts import EngineTable
from metrics.engines import command as engines
from metrics.errors import InputError
from metrics.evidence import MOST_CLASSES, Evidence
from metrics.export import require_suffix, write_table
from metrics.hierarchy import Hierarchy
from metrics.hierarchy_files import check_coverage, files_of_no_column, hierarchy_files, read_hierarchies
from metrics.parameters import GroundDistance
from metrics.reading import command as reading
from metrics.reading import read_table
from metrics.requirement import Requirement, parse_requirement
from metrics.roles import Roles, RolesFile, read_roles
from metrics.scorecard import Scorecard, score_evidence, shown
from metrics.settings import ReadOptions, Settings, read_settings
from metrics.table import Table, quoted
from metrics.whole_files import write_file
from metrics.wording import on_terminal

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
DONE, UNMET, BAD_INPUT, STOPPED = 0, 1, 2, 128 + signal.SIGINT


class _Parser(argparse.ArgumentParser):
    """Bad arguments are told in one line, as bad input is."""

    def error(self, message: str) -> NoReturn:
        raise InputError(" ".join(message.split()), remedy=f"see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 done, 1 a requirement does not hold, 2 bad input, 130 stopped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a sign must not end the command
            stream.reconfigure(errors="backslashreplace")
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except InputError as error:
        print(on_terminal(str(error)), file=sys.stderr)
    except MemoryError:
        print("The tables do not fit into memory; use a machine with more of it.", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return STOPPED
    except Exception as error:  # the text could hold cells of a table: only the kind is told
        if isinstance(error, OSError) and error.errno in _FULL:
            print("The output cannot be written; make room or write it elsewhere.", file=sys.stderr)
            with suppress(OSError):
                # What is left in the buffer would fail again when the interpreter ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BAD_INPUT
        print(f"This is a defect of the program ({type(error).__name__}); please report it.", file=sys.stderr)
    return BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m metrics", description="Privacy and utility of anonymized tables.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    scoring = commands.add_parser("score", help="score one anonymized table")
    _add_inputs(scoring)
    scoring.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    scoring.add_argument(
        "--require",
        nargs="+",
        action="extend",
        default=[],
        metavar="'ID OP NUMBER'",
        help="exit with status 1 unless all of these hold",
    )
    engines.add_arguments(scoring)
    scoring.set_defaults(run=_score)
    classes = commands.add_parser("classes", help="write one row per equivalence class")
    _add_inputs(classes)
    classes.add_argument("--out", required=True, metavar="FILE", help="a .csv or .parquet file")
    classes.set_defaults(run=_classes)
    comparing = commands.add_parser("compare", help="score several anonymized tables, one column each")
    _add_inputs(comparing, several=True)
    compare.add_arguments(comparing)
    comparing.set_defaults(run=_compare)
    report = commands.add_parser("report", help="write one self-contained page about one anonymized table")
    _add_inputs(report)
    report.add_argument("--out", required=True, metavar="FILE.html")
    report.add_argument("--date", help="what the page says about when it was made (default: now)")
    report.set_defaults(run=_report)
    repair = commands.add_parser("repair", help="change the table until P_29 is above 0, or other limits are met")
    _add_inputs(repair)
    repair_command.add_arguments(repair)
    repair.set_defaults(run=_repair)
    exploring = commands.add_parser("explore", help="score every generalization in the lattice")
    exploring.add_argument("--original", required=True, metavar="FILE", help="CSV, Parquet or Excel")
    _add_settings(exploring)
    explore.add_arguments(exploring)
    exploring.set_defaults(run=_explore, anonymized=None, population=None)
    return parser


def _add_inputs(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    many: dict[str, Any] = {"nargs": "+", "action": "extend"} if several else {}
    parser.add_argument("--anonymized", required=True, metavar="FILE", help="CSV, Parquet or Excel", **many)
    parser.add_argument("--original", metavar="FILE", help="the table it was made from")
    parser.add_argument("--population", metavar="FILE", help="the quasi-identifiers of everybody it could be about")
    parser.add_argument(
        "--metrics", nargs="+", action="extend", default=[], metavar="ID", help="only these, by id; all: every one"
    )
    _add_settings(parser)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--roles", metavar="FILE", help="YAML: quasi_identifiers, sensitive, …")
    parser.add_argument(
        "--settings", metavar="FILE", help="a settings file, as the dashboard saves it; the other options win over it"
    )
    parser.add_argument("--hierarchies", metavar="DIR", help="a folder with C.csv for each column C")
    parser.add_argument(
        "--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE", help="parameters, as p29.w_k=0.4"
    )
    reading.add_arguments(parser)


def _score(options: argparse.Namespace) -> int:
    requirements = [parse_requirement(text) for text in options.require]
    given = _given(options)
    engines.check(options, _for(options.anonymized, given).roles)
    if options.engine == engines.MEMORY:
        return _told(_scorecard(options, given), options, requirements)
    with engines.running(options) as (session, progress):

        def counted(path: str) -> EngineTable:
            """One of the tables, in the engine."""
            return engines.table(session, path, options, given.reading_of(Path(path).name, None))

        original = None if options.original is None else counted(options.original)
        given = _for(options.anonymized, given)
        card = _score_of(counted(options.anonymized), (original, None), given, options, progress.scored)
        return _told(card, options, requirements, progress.written)


def _told(
    card: Scorecard,
    options: argparse.Namespace,
    requirements: Sequence[Requirement],
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """The card, printed and written, and whether the requirements are met."""
    if options.classes_out is not None:
        engines.write_classes(card.class_tables(progress), options.classes_out)
    if options.json:
        print(json.dumps(card.to_dict(), allow_nan=False))
    else:
        print(on_terminal(_text(card)))
    unmet = [requirement for requirement in requirements if not requirement.holds(card)]
    for requirement in unmet:
        unmet_so = f"Not met: {requirement.text} (it is {shown(requirement.figure(card))})"
        print(on_terminal(unmet_so), file=sys.stderr)
    return UNMET if unmet else DONE


def _classes(options: argparse.Namespace) -> int:
    card = _scorecard(options, _given(options))
    write_table(card.classes.to_arrow(), options.out, _inputs(options))
    return DONE


def _compare(options: argparse.Namespace) -> int:
    given = _given(options)
    beside = _beside(options, given)
    all_scored = compare.run(
        options,
        lambda path: _score_of(_read(path, options, given), beside, _for(path, given), options),
        _inputs(options),
    )
    return DONE if all_scored else BAD_INPUT


def _repair(options: argparse.Namespace) -> int:
    require_suffix(options.out, ".csv", ".parquet")
    for line in repair_command.run(options, _scorecard(options, _given(options)), _inputs(options)):
        print(on_terminal(line))
    return DONE


def _explore(options: argparse.Namespace) -> int:
    given = _given(options)
    explore.run(options, _read(options.original, options, given), given, _inputs(options))
    return DONE


def _report(options: argparse.Namespace) -> int:
    from metrics.report import Compared, report_html  # templates and plots, which no other command needs

    require_suffix(options.out, ".html")
    given = _given(options)
    card = _scorecard(options, given)
    page = report_html(
        card,
        thresholds=given.thresholds,
        sha256=Compared(_sha256(options.anonymized), _sha256(options.original)),
        date=options.date or datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
    )
    write_file(lambda file: file.write(page.encode()), options.out, _inputs(options))
    return DONE


def _given(options: argparse.Namespace) -> Settings:
    """Roles, hierarchies and parameters: those of the settings file, each replaced where an option gives it."""
    if options.roles is None and options.settings is None:
        raise InputError("neither roles nor settings are given", remedy="name a file with --roles or --settings")
    kept = Settings() if options.settings is None else read_settings(options.settings)
    # Columns named nowhere are insensitive: those of a table that is not compared now need not be found.
    roles_file = RolesFile(replace(kept.roles, insensitive=())) if options.roles is None else read_roles(options.roles)
    roles = roles_file.roles
    if options.roles is not None:
        kept = replace(kept, anonymized=tuple(replace(table, matching=None) for table in kept.anonymized))
    closeness = kept.parameters.t_closeness
    distance = {column: chosen for column, chosen in closeness.distance.items() if column in roles.sensitive}
    parameters = replace(kept.parameters, t_closeness=replace(closeness, distance=distance))
    folder = _hierarchy_folder(options, roles_file)
    hierarchies = kept.hierarchies
    if folder is None and roles_file.hierarchies is not None:
        name = Path(options.roles).name
        sentence = f"{name}: the folder of hierarchies that it names is not there, so none is used."
        print(on_terminal(sentence), file=sys.stderr)
    if folder is not None:
        hierarchies = _hierarchies(folder, roles)
    return replace(
        kept,
        roles=roles,
        parameters=parameters.with_settings(dict(_setting(text) for text in options.set)),
        hierarchies=hierarchies,
    )


def _hierarchies(folder: Path, roles: Roles) -> dict[str, Hierarchy]:
    """Those of quasi-identifiers and sensitive attributes; where one has none, files that belong nowhere are told."""
    wanted = (*roles.quasi_identifiers, *roles.sensitive)
    found = read_hierarchies(folder, wanted)
    if len(found) < len(wanted):
        for name, column in files_of_no_column(folder, (*wanted, *roles.insensitive, *roles.identifiers)).items():
            sentence = f"{name}: the roles name no column {quoted([column])}, so it is not used."
            print(on_terminal(sentence), file=sys.stderr)
    return found


def _inputs(options: argparse.Namespace) -> list[str | Path]:
    """Every file that is read, and so must not be written."""
    anonymized = options.anonymized if isinstance(options.anonymized, list) else [options.anonymized]
    named = (*anonymized, options.original, options.population, options.roles, options.settings)
    files: list[str | Path] = [path for path in named if path is not None]
    folder = _hierarchy_folder(options, None if options.roles is None else read_roles(options.roles))
    return files if folder is None else [*files, *hierarchy_files(folder)]


def _scorecard(options: argparse.Namespace, given: Settings) -> Scorecard:
    anonymized, beside = _read(options.anonymized, options, given), _beside(options, given)
    return _score_of(anonymized, beside, _for(options.anonymized, given), options)


def _for(path: str, given: Settings) -> Settings:
    """What is given, with records matched as the settings say of this very table; roles given by themselves win."""
    return replace(given, roles=given.roles_of(Path(path).name, _sha256(path))) if given.tables else given


def _beside(options: argparse.Namespace, given: Settings) -> tuple[Table | None, Table | None]:
    """The original and the population, where they are given."""
    original = None if options.original is None else _read(options.original, options, given)
    population = None if options.population is None else _read(options.population, options, given)
    return original, population


def _score_of(
    anonymized: Table | EngineTable,
    beside: tuple[Table | EngineTable | None, Table | None],
    given: Settings,
    options: argparse.Namespace,
    progress: Callable[[int, int], None] | None = None,
) -> Scorecard:
    roles, hierarchies, parameters = given.roles, given.hierarchies, given.parameters
    original, population = beside
    most = getattr(options, "most_classes", None) or MOST_CLASSES
    evidence = Evidence(anonymized, roles, original, hierarchies, population, most_classes=most)
    if evidence.refusal is not None:
        raise evidence.refusal
    others = [
        column
        for column, distance in parameters.t_closeness.distance.items()
        if distance is not GroundDistance.HIERARCHICAL
    ]
    check_coverage(hierarchies, roles, anonymized, original, others)
    return score_evidence(evidence, parameters, options.metrics or None, progress=progress)


def _read(path: str, options: argparse.Namespace, given: Settings) -> Table:
    kept = given.reading_of(Path(path).name, _sha256(path)) if given.tables else ReadOptions()
    given_here = {option.name: getattr(options, option.name, None) for option in fields(ReadOptions)}
    chosen = {name: getattr(kept, name) if value in (None, []) else value for name, value in given_here.items()}
    return read_table(path, **chosen)


def _sha256(path: str | None) -> str | None:
    """Of a file's bytes, in hexadecimal; None where there is none to read."""
    try:
        with open(path or "", "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _hierarchy_folder(options: argparse.Namespace, roles_file: RolesFile | None) -> Path | None:
    """The folder given, else the one that a PETWorks roles file names beside itself."""
    if options.hierarchies is not None:
        return Path(options.hierarchies)
    if roles_file is None or roles_file.hierarchies is None:
        return None
    beside = Path(options.roles).parent / roles_file.hierarchies
    return beside if beside.is_dir() else None


def _setting(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator:
        raise InputError(f'"{text}" is not a setting', remedy="write KEY=VALUE, such as p29.w_k=0.4")
    return key.strip(), value.strip()


def _text(card: Scorecard) -> str:
    """The scorecard for reading: title, value, range and finding in aligned columns."""
    evidence = card.evidence
    lines = [
        f"{evidence.anonymized.name}: {evidence.anonymized.rows:,} records, "
        f"{evidence.class_sizes.suppressed:,} suppressed, {evidence.class_sizes.count:,} equivalence classes"
    ]
    if evidence.tally is not None:
        lines.append(evidence.tally.in_words(evidence.roles.matching))
    rows: list[tuple[Any, ...]] = [
        (one.metric.title, shown(one.value), one.metric.range, one.metric.direction, one.in_words()) for one in card
    ]
    widths = [max(len(str(row[i])) for row in rows) for i in range(4)]
    for row in rows:
        cells = [str(cell).ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join([*cells, str(row[4])]))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
