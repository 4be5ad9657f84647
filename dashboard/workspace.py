"""Everything one session holds: tables, roles, hierarchies, parameters. No Streamlit, nothing shared or written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from dashboard.closeness import ClosenessState
from dashboard.loading import LoadedTable, ReadOptions, load_table
from dashboard.needs import Needs
from dashboard.scoring import ScoreCache
from dashboard.search import Inputs, SearchState
from metrics.errors import InputError
from metrics.evidence import Evidence
from metrics.export import to_parquet
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.roles import Role, Roles, suggest_role
from metrics.scorecard import Scorecard
from metrics.specification import Metric
from metrics.table import Table
from metrics.thresholds import Thresholds

LOADING = "loading"
"""The messages about tables that were not taken in."""


class Slot(StrEnum):
    """What an uploaded table is to the workspace."""

    ORIGINAL = "original"
    ANONYMIZED = "anonymized"
    POPULATION = "population"


@dataclass(frozen=True)
class FailedUpload:
    """An upload that could not be read: kept, so that the user can override how it is read."""

    slot: Slot
    name: str
    content: bytes
    error: str


@dataclass
class Workspace:
    """One session's state. Tables are added whole or not at all; a failure leaves what was there."""

    original: LoadedTable | None = None
    candidates: dict[str, LoadedTable] = field(default_factory=dict)
    population: LoadedTable | None = None
    roles: dict[str, Role] = field(default_factory=dict)
    key: str | None = None
    weight: str | None = None
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    parameters: Parameters = field(default_factory=Parameters)
    thresholds: Thresholds = field(default_factory=Thresholds)
    failed: list[FailedUpload] = field(default_factory=list)
    messages: dict[str, list[str]] = field(default_factory=dict)
    seen_uploads: set[str] = field(default_factory=set)
    uploader_generation: int = 0
    k_limit: int = 5
    link_read: bool = False
    lost: bool = False
    """Whether the page had tables in a session that has ended since."""
    scores: ScoreCache = field(default_factory=ScoreCache)
    closeness: ClosenessState = field(default_factory=ClosenessState)
    search: SearchState = field(default_factory=SearchState)

    def clear(self) -> None:
        """Drop everything, in place: Streamlit keeps callbacks of widgets long gone, and they this workspace."""
        self.__dict__.update(vars(Workspace()))

    def tables(self) -> Iterator[tuple[Slot, str, LoadedTable]]:
        """Every loaded table with its slot and label, the original first, the population last."""
        if self.original is not None:
            yield Slot.ORIGINAL, self.original.name, self.original
        for label, loaded in self.candidates.items():
            yield Slot.ANONYMIZED, label, loaded
        if self.population is not None:
            yield Slot.POPULATION, self.population.name, self.population

    @property
    def columns(self) -> dict[str, Table]:
        """Every column that can have a role, with the table that shows it best: the original where it has it."""
        found: dict[str, Table] = {}
        for slot, _, loaded in self.tables():
            for name in () if slot is Slot.POPULATION else loaded.table.names:
                found.setdefault(name, loaded.table)
        return found

    def add(self, slot: Slot, name: str, content: bytes, options: ReadOptions | None = None) -> LoadedTable:
        """Read a table and keep it; suggest roles for columns not seen before. Raises InputError."""
        loaded = load_table(name, content, options or ReadOptions())
        if slot is Slot.ORIGINAL:
            self.original = loaded
        elif slot is Slot.POPULATION:
            self.population = loaded
        elif not any(other.digest == loaded.digest for other in self.candidates.values()):
            self.candidates[self._label(name)] = loaded
        self.failed = [failure for failure in self.failed if failure.content != content]
        self._settle()
        return loaded

    def keep(self, name: str, table: Table) -> str:
        """Keep a table that was made here as one more candidate, under its label. Raises InputError.

        It becomes an ordinary table, as if it had been uploaded: Parquet says every cell exactly. One that is there
        already is not kept twice.
        """
        commas = any(column.decimal == "," for column in table.columns)
        options = ReadOptions(decimal="," if commas else None)
        loaded = self.add(Slot.ANONYMIZED, f"{name}.parquet", to_parquet(table.to_arrow()), options)
        return next(label for label, other in self.candidates.items() if other.digest == loaded.digest)

    def try_add(self, slot: Slot, name: str, content: bytes) -> None:
        """Like `add`, but a failure is kept beside its file for the page to show; what is there already is told."""
        candidates = len(self.candidates)
        try:
            loaded = self.add(slot, name, content)
            if slot is Slot.ANONYMIZED and len(self.candidates) == candidates:
                same = next(label for label, other in self.candidates.items() if other.digest == loaded.digest)
                self.messages.setdefault(LOADING, []).append(
                    f"{name} holds the same bytes as {same}, which is loaded already; it was not added again."
                )
        except InputError as error:
            self.failed = [other for other in self.failed if other.name != name]
            self.failed.append(FailedUpload(slot, name, content, str(error)))

    def try_again(self, failure: FailedUpload, options: ReadOptions) -> None:
        """Read a failed upload with other options; a failure tells its own sentence in place of the former."""
        try:
            self.add(failure.slot, failure.name, failure.content, options)
        except InputError as error:
            again = replace(failure, error=str(error))
            self.failed = [again if other is failure else other for other in self.failed]

    def read_again(self, slot: Slot, label: str, options: ReadOptions) -> None:
        """Read a loaded table's bytes with other options; on failure the table stays as it was. Raises InputError."""
        (loaded,) = (loaded for at, name, loaded in self.tables() if (at, name) == (slot, label))
        self.put(slot, label, loaded.read_again(options))
        self._settle()

    def accept(self, slot: Slot, label: str, **choices: tuple[tuple[str, ...], ...]) -> None:
        """Read a loaded table with columns renamed or values read as others, besides those accepted before.

        Raises InputError.
        """
        (loaded,) = (loaded for at, name, loaded in self.tables() if (at, name) == (slot, label))
        more: dict[str, Any] = {name: (*getattr(loaded.options, name), *accepted) for name, accepted in choices.items()}
        self.read_again(slot, label, replace(loaded.options, **more))

    def put(self, slot: Slot, label: str, loaded: LoadedTable) -> None:
        """Put a table in the place of the one with that label."""
        if slot is Slot.ORIGINAL:
            self.original = loaded
        elif slot is Slot.POPULATION:
            self.population = loaded
        else:
            self.candidates[label] = loaded

    def remove(self, slot: Slot, label: str) -> None:
        """Drop a table, and the roles of columns that no table holds any longer."""
        if slot is Slot.ORIGINAL:
            self.original = None
        elif slot is Slot.POPULATION:
            self.population = None
        else:
            self.candidates.pop(label, None)
        columns = self.columns
        self.roles = {column: role for column, role in self.roles.items() if column in columns}
        self._settle()

    def remove_hierarchy(self, column: str) -> None:
        """Drop the hierarchy of a column."""
        self.hierarchies.pop(column, None)

    def _label(self, name: str) -> str:
        label, number = name, 2
        while label in self.candidates:
            label, number = f"{name} ({number})", number + 1
        return label

    def _settle(self) -> None:
        """Suggest roles for new columns, and let go of key and weight columns that no table has any longer."""
        columns = self.columns
        for name, table in columns.items():
            if name not in self.roles:
                self.roles[name] = suggest_role(table[name], table.rows)
        if self.key not in columns:
            self.key = None
        if self.weight not in columns:
            self.weight = None

    def chosen_roles(self) -> Roles:
        """The roles as tagged, in column order."""
        columns = self.columns
        tagged = {name: self.roles.get(name, Role.INSENSITIVE) for name in columns}
        weighs = self.weight is not None and tagged.get(self.weight) is Role.INSENSITIVE
        return Roles.from_mapping(tagged, key=self.key, weight=self.weight if weighs else None)

    def roles_for(self, candidate: Table) -> Roles:
        """The roles that concern one candidate: without insensitive columns that only others have."""
        chosen = self.chosen_roles()
        others = () if self.original is None else self.original.table.names
        kept = tuple(name for name in chosen.insensitive if name in candidate or name in others)
        return replace(chosen, insensitive=kept, weight=chosen.weight if chosen.weight in candidate.names else None)

    @property
    def ready(self) -> bool:
        """Whether there is something to score: an anonymized table and a quasi-identifier."""
        return bool(self.candidates) and bool(self.chosen_roles().quasi_identifiers)

    def there(self) -> set[Needs]:
        """What pages need and the session has."""
        found = {Needs.NOTHING: True, Needs.CANDIDATE: self.ready, Needs.ORIGINAL: self.searchable}
        return {needed for needed, held in found.items() if held}

    @property
    def searchable(self) -> bool:
        """Whether there is something to make a better table from: an original with a quasi-identifier."""
        return self.original is not None and any(
            self.roles.get(name) is Role.QUASI_IDENTIFIER for name in self.original.table.names
        )

    def search_inputs(self) -> Inputs:
        """What a search starts from: the original, and the roles of its columns; only while `searchable`."""
        if self.original is None:
            raise ValueError("there is no original")
        table = self.original.table
        tagged = {name: self.roles.get(name, Role.INSENSITIVE) for name in table.names}
        roles = Roles.from_mapping(tagged)
        settings = self.parameters.t_closeness
        distance = {name: chosen for name, chosen in settings.distance.items() if name in roles.sensitive}
        parameters = replace(self.parameters, t_closeness=replace(settings, distance=distance))
        return Inputs(table, roles, self.hierarchies, parameters)

    def evidence(self, label: str) -> Evidence:
        """The aggregates of one candidate, kept while its inputs stay the same. Raises InputError."""
        original = None if self.original is None else self.original.table
        table = self.candidates[label].table
        return self.scores.evidence(
            table, self.roles_for(table), original, self.hierarchies, self._population(), len(self.candidates)
        )

    def _population(self) -> Table | None:
        """The population, where it has every quasi-identifier."""
        if self.population is None:
            return None
        table = self.population.table
        return table if all(name in table for name in self.chosen_roles().quasi_identifiers) else None

    def card(self, label: str) -> Scorecard:
        """The scores of one candidate under the session's parameters. Raises InputError."""
        evidence = self.evidence(label)
        return self.scores.card(evidence, self.parameters_for(evidence))

    def cards(self) -> tuple[dict[str, Scorecard], list[str]]:
        """The scores of every candidate that has some, and a sentence for each that cannot be compared in full."""
        found: dict[str, Scorecard] = {}
        sentences: dict[str, None] = {}
        for label in self.candidates:
            try:
                found[label] = card = self.card(label)
            except InputError as error:
                sentences[str(error)] = None
                continue
            if card.evidence.original is not None and card.evidence.unmatched is not None:
                sentences[f"{card.evidence.unmatched}."] = None
        return found, list(sentences)

    def compute(self, label: str, spec: Metric) -> Iterator[float]:
        """Compute what takes long for one candidate, yielding the share done. Raises InputError."""
        evidence = self.evidence(label)
        return self.scores.compute(evidence, spec, self.parameters_for(evidence))

    def parameters_for(self, evidence: Evidence) -> Parameters:
        """The session's parameters without ground distances of columns that are sensitive no longer."""
        settings = self.parameters.t_closeness
        distance = {name: chosen for name, chosen in settings.distance.items() if name in evidence.roles.sensitive}
        return replace(self.parameters, t_closeness=replace(settings, distance=distance))
