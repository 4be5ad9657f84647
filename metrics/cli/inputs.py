"""Inputs of commands: settings, roles, hierarchies and tables, and the scorecard of an anonymized table."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from metrics.aggregates import MAX_CLASSES, TableAggregates
from metrics.aggregates.record_groups import people_per_class
from metrics.cli import reading
from metrics.cli.engines import in_database
from metrics.cli.exit_status import DONE, REQUIREMENT_FAILED
from metrics.cli.projects import project_of
from metrics.config.analyses import check_analyses, read_analyses
from metrics.config.parameters import GroundDistance
from metrics.config.randomization_file import NOT_RANDOMIZED, read_randomization
from metrics.config.roles import Roles
from metrics.config.roles_file import RolesFile, read_roles
from metrics.config.yaml_text import read_yaml
from metrics.counting.counts import EngineTable
from metrics.errors import InputError
from metrics.estimates.proposals import propose_analyses
from metrics.formatting import on_terminal
from metrics.hierarchies.files import check_coverage, hierarchy_files, read_hierarchies, unmatched_files
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.identifiers.released import released_identifiers, suppressible
from metrics.policy.built_in_policies import read_policy
from metrics.policy.policy import Policy, people_limit
from metrics.policy.settings import ReadOptions, Settings
from metrics.policy.settings_file import read_settings
from metrics.recipes.parsing import read_recipe
from metrics.scoring.scorecard import Scorecard, score_aggregates
from metrics.tables.regular_file import open_regular, read_document
from metrics.tables.table import Described, Table, quoted
from metrics.texts import text
from metrics.utility.analyses import ANALYSES


@dataclass(frozen=True, eq=False)
class ReferenceTables:
    """The tables that an anonymized table is compared with."""

    original: Table | EngineTable | None = None
    population: Table | None = None
    holdout: Table | None = None


def load_settings(options: argparse.Namespace) -> Settings:
    """Roles, hierarchies, parameters and policy: those of the settings file, replaced where an option gives them.

    The policy's limit on t is also the one that t-closeness counts by, unless an option sets that.

    Raises InputError if neither roles nor settings are given, or a file or an option is wrong.
    """
    project = project_of(options)
    if options.roles is None and options.settings is None and project is None:
        raise InputError("neither roles nor settings are given", remedy="name a file with --roles or --settings")
    if options.settings is not None:
        settings = read_settings(options.settings)
    else:
        settings = Settings() if project is None else project.settings
    if options.roles is None:
        # Columns not named are insensitive: those of a table that is not used now need not exist.
        roles_file = RolesFile(replace(settings.roles, insensitive=()))
    else:
        roles_file = read_roles(options.roles)
        settings = replace(settings, anonymized=tuple(replace(table, matching=None) for table in settings.anonymized))
    roles = roles_file.roles
    roles = replace(roles, not_identifying=(*roles.not_identifying, *options.not_identifying))
    t_closeness = settings.parameters.t_closeness
    distance = {
        column: ground_distance for column, ground_distance in t_closeness.distance.items() if column in roles.sensitive
    }
    policy = load_policy(options) or settings.policy
    parameters = policy.limit_parameters(
        replace(settings.parameters, t_closeness=replace(t_closeness, distance=distance))
    )
    folder = _hierarchy_folder(options, roles_file)
    if folder is None and roles_file.hierarchies is not None:
        reading.print_note(
            f"{Path(options.roles).name}: the hierarchy folder that it names does not exist, so no hierarchy is used."
        )
    analyses = read_analyses(options.analyses) if getattr(options, "analyses", None) else roles_file.analyses
    parameters = replace(parameters, analyses=analyses or parameters.analyses)
    return replace(
        settings,
        roles=roles,
        parameters=parameters.with_settings(dict(_key_and_value(text) for text in options.set)),
        hierarchies=settings.hierarchies if folder is None else _read_hierarchies(folder, roles),
        policy=policy,
    )


def analyses_file(options: argparse.Namespace) -> str:
    """The name of the file that the analyses are from."""
    named = getattr(options, "analyses", None)
    if not named and options.roles is not None and read_roles(options.roles).analyses:
        named = options.roles
    return Path(named or options.settings or options.roles or options.project).name


def load_policy(options: argparse.Namespace) -> Policy | None:
    """The policy that the options name, else that of the project; None if there is none. Raises InputError."""
    named: str | None = getattr(options, "policy", None)
    if named is not None:
        return read_policy(named)
    project = project_of(options)
    return None if project is None else project.policy


def input_files(options: argparse.Namespace) -> list[str | Path]:
    """Every file that is read, and so must not be overwritten."""
    anonymized = options.anonymized if isinstance(options.anonymized, list) else [options.anonymized]
    names = (
        "original",
        "population",
        "holdout",
        "roles",
        "settings",
        "analyses",
        "randomization",
        "project",
        "compared",
    )
    given = [getattr(options, name, None) for name in names]
    named = [*anonymized, *(path for one in given for path in (one if isinstance(one, list) else [one]))]
    files: list[str | Path] = [path for path in named if path is not None]
    folder = _hierarchy_folder(options, None if options.roles is None else read_roles(options.roles))
    return files if folder is None else [*files, *hierarchy_files(folder)]


def load_table(path: str, options: argparse.Namespace, settings: Settings) -> Table:
    """Read a table as the settings and the options say, or take it from the project. Raises InputError."""
    if path in options.project_tables:
        table: Table = options.project_tables[path]
        return table
    if in_database(path):
        from metrics.engines.databases import Databases

        with Databases() as databases:
            return databases.read(path)
    saved = settings.reading_of(Path(path).name, sha256_of(path)) if settings.tables else ReadOptions()
    return reading.read(path, options, saved)


def load_references(options: argparse.Namespace, settings: Settings) -> ReferenceTables:
    """Read the original, the population and the hold-out table, if they are given. Raises InputError."""
    paths = (options.original, options.population, options.holdout)
    return ReferenceTables(*(None if path is None else load_table(path, options, settings) for path in paths))


def load_scorecard(options: argparse.Namespace, settings: Settings) -> Scorecard:
    """Read the tables that the options name, and score the anonymized one. Raises InputError."""
    references = load_references(options, settings)
    table, path = load_table(options.anonymized, options, settings), getattr(options, "randomization", None)
    anonymized = randomized(table, references.original, path)
    return score_table(anonymized, references, settings_for(options.anonymized, settings), options)


def randomized(table: Table, original: Table | EngineTable | None, path: str | None) -> Table:
    """The table with what a file of probabilities, or the recipe that made it, says of how it was drawn."""
    if path is None:
        return table
    if "recipe" not in read_yaml(
        read_document(path).decode("utf-8-sig", "replace"), Path(path).name, max_length=1 << 25
    ):
        return table.randomized(read_randomization(path))
    recipe = read_recipe(path)
    if recipe.sampling is not None:
        return replace(table, sampled=recipe.sampling)
    if not isinstance(original, Table):
        raise InputError("the recipe of a randomized table needs its original", remedy="name it with --original")
    known = recipe.apply(original).table.randomization
    if not known:
        raise InputError(
            "the recipe draws no column with known probabilities",
            remedy="name that of k-rr, pram or safepub, or omit --randomization",
            file=path,
        )
    return table.randomized(known)


def randomization_files(named: Sequence[str], tables: int) -> list[str | None]:
    """The file for each table that tells how it was drawn, if one does. Raises InputError unless there are as many."""
    if named and len(named) != tables:
        raise InputError(
            "--randomization does not name one file for each table",
            remedy=f'write "{NOT_RANDOMIZED}" for a table that was not randomized',
        )
    return [None if file == NOT_RANDOMIZED else file for file in named or [NOT_RANDOMIZED] * tables]


def note_suppressed(table: Described, roles: Roles) -> None:
    """Name the columns that are suppressed in what is made of a table because they look like direct identifiers."""
    released = released_identifiers(table, roles)
    names = [name for name in suppressible(released, roles) if released[name] is not None]
    if names:
        reading.print_note(text("direct_identifiers.suppressed", columns=names, number=len(names)))


def people_status(table: Table, roles: Roles, limits: Mapping[str, float | bool]) -> int:
    """The exit status of a table made to meet limits on records: 1, with a sentence, where people are too few."""
    least = people_limit(limits, roles)
    aggregates = TableAggregates(table, roles)
    people = int(people_per_class(aggregates).min()) if least and aggregates.class_sizes.count else None
    if least is None or people is None or people >= least:
        return DONE
    print(on_terminal(text("people_per_class.too_few", people=people, limit=least)))
    return REQUIREMENT_FAILED


def settings_for(path: str, settings: Settings) -> Settings:
    """The settings with the matching saved for this anonymized table."""
    if not settings.tables:
        return settings
    return replace(settings, roles=settings.roles_of(Path(path).name, sha256_of(path)))


def score_table(
    anonymized: Table | EngineTable,
    references: ReferenceTables,
    settings: Settings,
    options: argparse.Namespace,
    progress: Callable[[int, int], None] | None = None,
) -> Scorecard:
    """Score one anonymized table.

    Without a key, records that cannot be matched with the original's make the metrics of the pair unavailable; a
    sentence on standard error says so.

    Raises InputError if the records cannot be matched by the key that is set, or a hierarchy does not cover a column.
    """
    roles, hierarchies, parameters = settings.roles, settings.hierarchies, settings.parameters
    original = references.original
    max_classes = getattr(options, "max_classes", None) or MAX_CLASSES
    tables = (anonymized, roles, original, hierarchies, references.population)
    aggregates = TableAggregates(*tables, max_classes=max_classes, holdout=references.holdout)
    comparison = aggregates.comparison
    if comparison.refusal is not None:
        if roles.matching.key:
            raise comparison.refusal
        reading.print_note(
            f"Metrics that compare records with their originals are unavailable: {comparison.unmatched}."
        )
    not_hierarchical = [
        column
        for column, distance in parameters.t_closeness.distance.items()
        if distance is not GroundDistance.HIERARCHICAL
    ]
    check_coverage(hierarchies, roles, anonymized, original, not_hierarchical)
    check_analyses(parameters.analyses, anonymized, original, analyses_file(options))
    if isinstance(original, Table) and not parameters.analyses and _asks_for_analyses(options, anonymized):
        parameters = replace(parameters, analyses=propose_analyses(original, roles, hierarchies))
    return score_aggregates(aggregates, parameters, options.metrics or None, progress=progress)


def _asks_for_analyses(options: argparse.Namespace, anonymized: Table | EngineTable) -> bool:
    """Whether the columns suggest analyses where none is listed: for a report, a randomized table, or if asked for."""
    is_randomized = isinstance(anonymized, Table) and bool(anonymized.randomization)
    return is_randomized or getattr(options, "proposes_analyses", False) or ANALYSES.id in (options.metrics or ())


def sha256_of(path: str | None) -> str | None:
    """SHA-256 of a file's bytes in hexadecimal; None if there is no file to read."""
    try:
        with open_regular(path or "") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _read_hierarchies(folder: Path, roles: Roles) -> dict[str, Hierarchy]:
    """Hierarchies of quasi-identifiers, sensitive attributes and items; without one, name files that fit no column."""
    items = () if roles.item is None else (roles.item,)
    columns = tuple(dict.fromkeys((*roles.quasi_identifiers, *roles.sensitive, *items)))
    hierarchies = read_hierarchies(folder, columns)
    if len(hierarchies) < len(columns):
        unused = unmatched_files(folder, (*columns, *roles.insensitive, *roles.identifiers))
        for name, column in unused.items():
            reading.print_note(f"{name}: the roles name no column {quoted([column])}, so this file is not used.")
    return hierarchies


def _hierarchy_folder(options: argparse.Namespace, roles_file: RolesFile | None) -> Path | None:
    """The folder given, else the one that a PETWorks roles file names, relative to itself."""
    if options.hierarchies is not None:
        return Path(options.hierarchies)
    if roles_file is None or roles_file.hierarchies is None:
        return None
    folder = Path(options.roles).parent / roles_file.hierarchies
    return folder if folder.is_dir() else None


def _key_and_value(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator:
        raise InputError(f'"{text}" is not a parameter setting', remedy="write KEY=VALUE, such as t_closeness.t=0.3")
    return key.strip(), value.strip()
