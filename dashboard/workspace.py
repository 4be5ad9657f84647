"""Everything one session holds: tables, roles, hierarchies, parameters. No Streamlit, nothing shared or written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from dashboard.closeness import ClosenessState
from dashboard.loading import LoadedTable, ReadOptions, load_table
from dashboard.matching import Found, MatchingState
from dashboard.needs import Needs
from dashboard.scoring import ScoreCache
from dashboard.search import Inputs, SearchState
from dashboard.server_tables import ServerTable, ServerTables
from metrics.errors import InputError
from metrics.evidence import Evidence
from metrics.export import to_parquet
from metrics.hierarchy import Hierarchy
from metrics.matching_rule import MatchingRule
from metrics.parameters import Parameters
from metrics.roles import Role, Roles, suggest_role
from metrics.scorecard import Scorecard
from metrics.specification import Metric
from metrics.table import Table
from metrics.thresholds import Thresholds

if TYPE_CHECKING:
    from metrics.engines.lazy import LazyTable

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
    server: ServerTables = field(default_factory=ServerTables)
    """Tables that stay on the server's disk: scored beside each other, never with one in memory."""
    roles: dict[str, Role] = field(default_factory=dict)
    matching: MatchingState = field(default_factory=MatchingState)
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
        self.server.close()
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
    def labels(self) -> list[str]:
        """Every anonymized table, those on the server last."""
        return [*self.candidates, *self.server.candidates]

    @property
    def empty(self) -> bool:
        """Whether there is no table at all."""
        return not any(self.tables()) and not self.server

    @property
    def loaded_columns(self) -> dict[str, Table]:
        """Every column in memory that can have a role, with the table that shows it best: the original if it can."""
        found: dict[str, Table] = {}
        for slot, _, loaded in self.tables():
            for name in () if slot is Slot.POPULATION else loaded.table.names:
                found.setdefault(name, loaded.table)
        return found

    @property
    def columns(self) -> dict[str, Table]:
        """The same with those of tables on the server, of which some records are held."""
        found = self.loaded_columns
        for table in self.server.samples():
            for name in table.names:
                found.setdefault(name, table)
        return found

    def take(self, slot: Slot, held: ServerTable) -> None:
        """Keep a table of the server as the original, or as one more candidate."""
        if slot is Slot.ORIGINAL:
            self.server.original = held
        else:
            self.server.candidates[self._label(held.name)] = held
        self._settle()

    def drop(self, label: str | None) -> None:
        """Let go of a candidate on the server, of the original there if there is no label."""
        self.server.drop(label)
        self._forget_roles()

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

    def keep(self, name: str, table: Table, rule: MatchingRule) -> str:
        """Keep a table that was made here as one more candidate, under its label; `rule` matches its records.

        It becomes an ordinary table, as if it had been uploaded: Parquet says every cell exactly. One that is there
        already is not kept twice. Raises InputError.
        """
        commas = any(column.decimal == "," for column in table.columns)
        options = ReadOptions(decimal="," if commas else None)
        loaded = self.add(Slot.ANONYMIZED, f"{name}.parquet", to_parquet(table.to_arrow()), options)
        label = next(label for label, other in self.candidates.items() if other.digest == loaded.digest)
        self.matching.choose(label, rule)
        return label

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
        self._forget_roles()

    def _forget_roles(self) -> None:
        columns = self.columns
        self.roles = {column: role for column, role in self.roles.items() if column in columns}
        if self.weight not in columns:
            self.weight = None
        self._settle()

    def remove_hierarchy(self, column: str) -> None:
        """Drop the hierarchy of a column."""
        self.hierarchies.pop(column, None)

    def _label(self, name: str) -> str:
        label, number = name, 2
        while label in self.labels:
            label, number = f"{name} ({number})", number + 1
        return label

    def _settle(self) -> None:
        """Suggest roles for new columns; keys and a weight that no table has now rest until one has them again."""
        columns = self.columns
        for name, table in columns.items():
            if name not in self.roles:
                self.roles[name] = suggest_role(table[name], table.rows)
        self.matching.settle(self.labels, columns)

    def matched(self, label: str, original: Table) -> Found:
        """How a candidate's records match with the original's."""
        return self.matching.found(original, self.candidates[label].table, label, len(self.candidates))

    def chosen_roles(self) -> Roles:
        """The roles as tagged, in column order."""
        columns = self.columns
        tagged = {name: self.roles.get(name, Role.INSENSITIVE) for name in columns}
        weighs = self.weight is not None and tagged.get(self.weight) is Role.INSENSITIVE
        return Roles.from_mapping(tagged, weight=self.weight if weighs else None).matched(self.matching.rule)

    def roles_for(self, label: str) -> Roles:
        """The roles that concern one candidate: its own matching, no insensitive columns that only others have."""
        candidate, original = self._compared(label)
        chosen = self.chosen_roles().matched(self.matching.of(label))
        others = () if original is None else original.names
        kept = tuple(name for name in chosen.insensitive if name in candidate or name in others)
        return replace(chosen, insensitive=kept, weight=chosen.weight if chosen.weight in candidate.names else None)

    @property
    def ready(self) -> bool:
        """Whether there is something to score: an anonymized table and a quasi-identifier."""
        return bool(self.labels) and bool(self.chosen_roles().quasi_identifiers)

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
        table, original = self._compared(label)
        population = None if label in self.server.candidates else self._population()
        return self.scores.evidence(
            table, self.roles_for(label), original, self.hierarchies, population, len(self.labels)
        )

    def _compared(self, label: str) -> tuple[Table | LazyTable, Table | LazyTable | None]:
        """A candidate's table and the original that it is compared with."""
        if label in self.server.candidates:
            held = self.server.original
            return self.server.candidates[label].table, None if held is None else held.table
        return self.candidates[label].table, None if self.original is None else self.original.table

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
        for label in self.labels:
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
