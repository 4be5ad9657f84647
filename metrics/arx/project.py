"""A project of ARX as tables, roles, hierarchies, parameters and a policy."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import Element

from metrics.arx.archive import REMEDY, Archive, opened
from metrics.arx.java_objects import MEMORY, UnreadableObjectsError
from metrics.arx.privacy_models import PrivacyModels
from metrics.arx.result import research_sample, result_of
from metrics.config.parameters import Parameters
from metrics.config.roles import DEFAULT_WEIGHT, Role, Roles
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.limitable_measures import SUPPRESSION
from metrics.policy.policy import Policy
from metrics.policy.settings import Settings
from metrics.reading import read_table
from metrics.reading.source import input_source
from metrics.tables.read_plan import TEXT, ReadPlan
from metrics.tables.table import Integers, Table
from metrics.texts import text

_ORIGINAL, _ANONYMIZED = "data/input.csv", "data/output.dat"
"""Entries of the archive that hold tables."""
_ROLES = {
    "QUASI_IDENTIFYING_ATTRIBUTE": Role.QUASI_IDENTIFIER,
    "SENSITIVE_ATTRIBUTE": Role.SENSITIVE,
    "IDENTIFYING_ATTRIBUTE": Role.IDENTIFIER,
    "INSENSITIVE_ATTRIBUTE": Role.INSENSITIVE,
}
_LOSS = "loss"
_PLAIN_LOSS = "loss (0.5/1.0/1.0)"
"""Generalized and suppressed cells count alike, as here."""
_MEASURES = {
    r"loss .*": _LOSS,
    r".*precision": "precision",
    r".*non-uniform entropy": "non_uniform_entropy",
    r"ambiguity": "ambiguity",
    r".*discernability.*": "discernibility",
    r"average equivalence class size": "average_class_size",
    r"publisherbenefit \(prosecutor.*": "publisher_payout",
}
_MAX_NAME = 60


@dataclass(frozen=True, eq=False)
class ArxProject:
    """What a project of ARX holds.

    Attributes
    ----------
    name : str
        Of its file.
    original : Table
        The table before anonymization.
    anonymized : Table or None
        ARX's result, if the project holds one that can be read.
    sample : array of int or None
        Positions of the research sample, where ARX anonymizes only that: `research_sample` has its figures.
    population : Table or None
        The whole table, where `original` is the research sample of it.
    hierarchies : mapping of str to Hierarchy
        By column.
    settings : Settings
        Roles, parameters and policy, and the hierarchies of columns that are generalized.
    measure : str
        The measure by which the search finds the best generalization.
    not_taken : tuple of str
        What the project holds that has no counterpart here, a sentence each.
    """

    name: str
    original: Table
    anonymized: Table | None
    sample: Integers | None
    population: Table | None
    hierarchies: Mapping[str, Hierarchy]
    settings: Settings
    measure: str
    not_taken: tuple[str, ...]

    @property
    def roles(self) -> Roles:
        """The roles of the columns, with their weights and highest levels."""
        return self.settings.roles

    @property
    def policy(self) -> Policy:
        """The limits that the privacy models and the suppression limit set."""
        return self.settings.policy

    @property
    def parameters(self) -> Parameters:
        """The parameters of the metrics, as the privacy models set them."""
        return self.settings.parameters

    def research_sample(self) -> ArxProject:
        """The records that ARX anonymizes, with the whole table as their population.

        Returns
        -------
        ArxProject
            The project itself, where ARX anonymizes every record.
        """
        if self.sample is None:
            return self
        anonymized = None if self.anonymized is None else self.anonymized.take(self.sample)
        population = replace(self.original, name=self.original.name.replace("_original.", "_population."))
        original = self.original.take(self.sample)
        return replace(self, original=original, anonymized=anonymized, sample=None, population=population)

    def notes(self) -> list[str]:
        """Sentences on what of the project is used, and what has no counterpart.

        Returns
        -------
        list of str
            Empty if the whole project was taken over.
        """
        notes = []
        if self.sample is not None:
            notes.append(text("arx.has_sample", records=len(self.sample), all=self.original.rows))
        if self.population is not None:
            notes.append(text("arx.sampled", records=self.original.rows, all=self.population.rows))
        if self.not_taken:
            notes.append(text("arx.not_taken", parts="; ".join(self.not_taken)))
        return notes


def read_arx_project(source: str | os.PathLike[str] | bytes | BinaryIO, *, name: str | None = None) -> ArxProject:
    """Read a project of ARX.

    Parameters
    ----------
    source : path, bytes or binary file object
        A file that ARX saved, of version 2 of its format.
    name : str, optional
        What messages call it; a path's file name by default.

    Returns
    -------
    ArxProject
        Its tables, roles, hierarchies, parameters and policy. If it holds a result, the settings are those of the
        result. Nothing of the file is executed or written to disk.

    Raises
    ------
    InputError
        If the file is not a project, is damaged or too large, or holds what no table can be made of.
    """
    with opened(input_source(source, name)) as archive, _named_errors(archive.name):
        return _Project(archive).read()


@contextmanager
def _named_errors(name: str) -> Iterator[None]:
    """Name the project in errors raised within; what a part of it lacks is mended in ARX."""
    try:
        yield
    except InputError as error:
        if error.file == name:
            raise
        file = name if error.file is None else f"{name}, {error.file}"
        raise InputError(error.problem, remedy=REMEDY, file=file, row=error.row, column=error.column) from None


@dataclass
class _Attributes:
    """The columns as the definition declares them."""

    roles: dict[str, Role] = field(default_factory=dict)
    highest_levels: dict[str, int] = field(default_factory=dict)
    hierarchies: dict[str, str] = field(default_factory=dict)
    """Entry of the archive, by column."""
    responses: list[str] = field(default_factory=list)
    lowest_levels: list[str] = field(default_factory=list)
    aggregated: list[str] = field(default_factory=list)


class _Project:
    """Reads a project part by part, and collects what is not taken over."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.part = "output/" if _ANONYMIZED in archive and "output/definition.xml" in archive else "input/"
        self.configuration = archive.xml(f"{self.part}config.xml")
        self.project = archive.xml("project.xml")
        self.models = PrivacyModels()

    def read(self) -> ArxProject:
        attributes = self.attributes()
        delimiter = self.project.findtext("separator") or ";"
        content = self.archive.read(_ORIGINAL)
        plan = ReadPlan(TEXT, encoding="utf-8", delimiter=delimiter)
        read = read_table(content, plan=plan, name=_ORIGINAL)
        hierarchies = {
            column: self.hierarchy(entry, column, delimiter) for column, entry in attributes.hierarchies.items()
        }
        roles = self.roles(attributes, hierarchies)
        roles.check(read)
        whole = replace(read, name=self.table_name("original"))
        criteria = [found.text or "" for found in self.configuration.iter("criterion")]
        for criterion in criteria:
            if criterion != "Inclusion":
                self.models.add(criterion, roles.sensitive)
        self.models.note_wider_limits(roles.sensitive)
        anonymized, aggregated = self.result(whole, attributes)
        generalized = {column: hierarchy for column, hierarchy in hierarchies.items() if column not in aggregated}
        measure = self.measure()
        self.note_columns(attributes, aggregated)
        return ArxProject(
            self.archive.name,
            whole,
            anonymized,
            self.sample(whole.rows),
            None,
            hierarchies,
            Settings(roles, self.parameters(attributes), self.policy(), generalized),
            measure,
            tuple(self.models.not_taken),
        )

    def table_name(self, kind: str) -> str:
        return f"{Path(self.archive.name).stem}_{kind}.parquet"

    def attributes(self) -> _Attributes:
        """The columns, with what the definition says of each."""
        found = _Attributes()
        for assigned in self.archive.xml(f"{self.part}definition.xml"):
            name = (assigned.findtext("name") or "").strip()
            role = _ROLES.get(assigned.findtext("type") or "")
            if role is None or name in found.roles:
                raise self.archive.error("a column of the definition has no type, or two")
            found.roles[name] = role
            if assigned.findtext("ref"):
                found.hierarchies[name] = f"{self.part}{assigned.findtext('ref')}"
            if assigned.findtext("response") == "true":
                found.responses.append(name)
            if assigned.find("microaggregationFunction") is not None:
                found.aggregated.append(name)
            if role is Role.QUASI_IDENTIFIER:
                self.levels(found, name, assigned)
        return found

    def levels(self, found: _Attributes, name: str, assigned: Element) -> None:
        lowest, highest = (assigned.findtext(bound) or "All" for bound in ("min", "max"))
        if lowest not in ("All", "0"):
            found.lowest_levels.append(name)
        if highest != "All":
            found.highest_levels[name] = int(self.number(highest))

    def number(self, number: str) -> float:
        """A number of an XML entry. Raises InputError."""
        try:
            value = float(number)
            int(value)
        except (ValueError, OverflowError):
            raise self.archive.error("a number in the project cannot be read") from None
        return value

    def roles(self, attributes: _Attributes, hierarchies: Mapping[str, Hierarchy]) -> Roles:
        weights = {
            (found.findtext("attribute") or "").strip(): self.number(found.findtext("weight") or "")
            for found in self.configuration.iter("attributeWeight")
        }
        quasi_identifiers = [name for name, role in attributes.roles.items() if role is Role.QUASI_IDENTIFIER]
        return Roles.from_mapping(
            attributes.roles,
            column_weights={
                name: weights[name] for name in quasi_identifiers if weights.get(name, DEFAULT_WEIGHT) != DEFAULT_WEIGHT
            },
            highest_levels={
                name: level
                for name, level in attributes.highest_levels.items()
                if name not in hierarchies or level <= hierarchies[name].height
            },
        )

    def parameters(self, attributes: _Attributes) -> Parameters:
        settings = dict(self.models.settings)
        if len(attributes.responses) == 1:
            settings["classification_accuracy.target"] = attributes.responses[0]
        return self.policy().limit_parameters(Parameters().with_settings(settings))

    def policy(self) -> Policy:
        limit = self.number(self.configuration.findtext("relativeMaxOutliers") or "1")
        name = (self.project.findtext("name") or "").strip()[:_MAX_NAME]
        if self.models.left_out:
            # Said wherever the policy is named, or a table would seem to meet all of it.
            name = text("arx.partial_policy", name=(name or "ARX")[: _MAX_NAME // 2], number=self.models.left_out)
        return Policy(name or "ARX", {**self.models.limits, SUPPRESSION: limit})

    def measure(self) -> str:
        """The search's measure; a note where ARX's differs from it."""
        name = (self.configuration.findtext("metric") or _PLAIN_LOSS).strip()
        found = next((ours for pattern, ours in _MEASURES.items() if re.fullmatch(pattern, name.lower())), None)
        if found is None or (found == _LOSS and name.lower() != _PLAIN_LOSS):
            self.models.not_taken.append(text("arx.measure", name=name))
        return found or _LOSS

    def hierarchy(self, entry: str, column: str, delimiter: str) -> Hierarchy:
        return Hierarchy(self.archive.rows(entry, delimiter), name=f"{column}.csv")

    def sample(self, rows: int) -> Integers | None:
        """The records of the research sample, None for all of them or where the project does not tell."""
        try:
            return research_sample(self.archive.read(f"{self.part}config.dat", memory=MEMORY), rows)
        except UnreadableObjectsError:
            self.models.not_taken.append(text("arx.sample"))
            return None

    def result(self, original: Table, attributes: _Attributes) -> tuple[Table | None, tuple[str, ...]]:
        """ARX's result, and the columns that are aggregated in it."""
        if self.part == "input/":
            return None, ()
        suppressed_types = {found.text for found in self.configuration.iterfind("suppressedAttributeTypes/type")}
        by_role = {role: {name for name in attributes.roles if attributes.roles[name] is role} for role in Role}
        suppressed = {name for kind in suppressed_types for name in by_role[_ROLES.get(kind or "", Role.IDENTIFIER)]}
        try:
            found = result_of(
                self.archive.read(_ANONYMIZED, memory=MEMORY),
                original,
                by_role[Role.SENSITIVE] | by_role[Role.INSENSITIVE],
                suppressed,
                self.table_name("anonymized"),
            )
        except UnreadableObjectsError:
            self.models.not_taken.append(text("arx.result"))
            return None, ()
        return found.table, found.aggregated

    def note_columns(self, attributes: _Attributes, aggregated: tuple[str, ...]) -> None:
        """Note what the definition says of columns that has no counterpart."""
        columns = aggregated or tuple(attributes.aggregated)
        if columns:
            self.models.not_taken.append(text("arx.aggregated", columns=columns))
        if attributes.lowest_levels:
            self.models.not_taken.append(text("arx.lowest_level", columns=attributes.lowest_levels))
        if len(attributes.responses) > 1:
            self.models.not_taken.append(text("arx.responses", columns=attributes.responses))
