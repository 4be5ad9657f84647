"""Everything one session holds: tables, roles, hierarchies, parameters. No Streamlit, nothing shared or written."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dashboard.attacks import AttackState
from dashboard.closeness import ClosenessState
from dashboard.imports import Choices, Import, Slot
from dashboard.loading import Bytes, LoadedTable, ReadOptions, load_table
from dashboard.matching import Found, MatchingState
from dashboard.needs import Needs
from dashboard.policy_state import PolicyState
from dashboard.scoring import ScoreCache
from dashboard.search import Inputs, SearchState
from dashboard.server_tables import ServerTable, ServerTables
from metrics.aggregates import Aggregates
from metrics.config.matching_rule import MatchingRule
from metrics.config.parameters import Parameters
from metrics.config.roles import Role, Roles, suggest_role
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.metric import Metric
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import to_parquet
from metrics.tables.table import Table
from metrics.wording import join_names

if TYPE_CHECKING:
    from metrics.engines.lazy import LazyTable

__all__ = ["LOADING", "Slot", "Workspace"]

LOADING = "loading"
"""The messages about tables that were not taken in."""
_REFERENCE = (Slot.POPULATION, Slot.HOLDOUT)
"""Tables that are compared with, whose columns have no roles of their own."""


@dataclass
class Workspace(PolicyState):
    """One session's state. Tables are added whole or not at all; a failure leaves what was there."""

    original: LoadedTable | None = None
    candidates: dict[str, LoadedTable] = field(default_factory=dict)
    population: LoadedTable | None = None
    holdout: LoadedTable | None = None
    server: ServerTables = field(default_factory=ServerTables)
    """Tables that stay on the server's disk: scored beside each other, never with one in memory."""
    roles: dict[str, Role] = field(default_factory=dict)
    matching: MatchingState = field(default_factory=MatchingState)
    weight: str | None = None
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    imports: list[Import] = field(default_factory=list)
    """Files that wait for the user's choice of how they are read."""
    chosen: dict[Hashable, Choices] = field(default_factory=dict)
    """What was chosen for files with questions, by their form."""
    messages: dict[str, list[str]] = field(default_factory=dict)
    seen_uploads: set[str] = field(default_factory=set)
    uploader_generation: int = 0
    link_read: bool = False
    lost: bool = False
    """Whether the page had tables in a session that has ended since."""
    scores: ScoreCache = field(default_factory=ScoreCache)
    closeness: ClosenessState = field(default_factory=ClosenessState)
    search: SearchState = field(default_factory=SearchState)
    attacks: AttackState = field(default_factory=AttackState)

    def clear(self) -> None:
        """Drop everything, in place: Streamlit keeps callbacks of widgets long gone, and they this workspace."""
        self.server.close()
        self.__dict__.update(vars(Workspace()))

    def tables(self) -> Iterator[tuple[Slot, str, LoadedTable]]:
        """Every loaded table with its slot and label, the original first, those for reference last."""
        if self.original is not None:
            yield Slot.ORIGINAL, self.original.name, self.original
        for label, loaded in self.candidates.items():
            yield Slot.ANONYMIZED, label, loaded
        if self.population is not None:
            yield Slot.POPULATION, self.population.name, self.population
        if self.holdout is not None:
            yield Slot.HOLDOUT, self.holdout.name, self.holdout

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
            for name in () if slot in _REFERENCE else loaded.table.names:
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
        """Read a table and keep it. Raises InputError, where a question is open too."""
        loaded = load_table(name, Bytes.of(content), options or ReadOptions())
        self._keep(slot, loaded)
        return loaded

    def _keep(self, slot: Slot, loaded: LoadedTable) -> str | None:
        """Keep a table; suggest roles for columns not seen before. Returns the label of a candidate that equals it."""
        same = None
        if slot is Slot.ORIGINAL:
            self.original = loaded
        elif slot is Slot.POPULATION:
            self.population = loaded
        elif slot is Slot.HOLDOUT:
            self.holdout = loaded
        else:
            same = next((label for label, other in self.candidates.items() if other.digest == loaded.digest), None)
            if same is None:
                self.candidates[self._label(loaded.name)] = loaded
        self._settle()
        return same

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

    def judge_original(self) -> None:
        """Take the original as a candidate, as if it were published unchanged."""
        if self.original is not None:
            self._keep(Slot.ANONYMIZED, self.original)

    def try_add(self, slot: Slot, name: str, content: bytes) -> None:
        """Read an upload that raises no question, or one that was answered for a file of the same form.

        Any other waits for the user to decide; a later upload of the same name takes its place.
        """
        self.imports = [one for one in self.imports if (one.slot, one.name, one.label) != (slot, name, None)]
        new = Import(slot, name, Bytes.of(content))
        try:
            loaded = load_table(name, new.file, ReadOptions())
        except InputError:
            self.imports.append(new)
        else:
            self._place(new, loaded)
            return
        if new.form is None:
            self._finish(new)
        elif new.form in self.chosen:
            self._finish_alike([new], self.chosen[new.form])

    def confirm(self, chosen: Import) -> None:
        """Read a file by what was chosen for it, and those of the same form with it; a failure is kept with it."""
        alike = self.alike(chosen)
        if self._finish(chosen) and chosen.form is not None:
            self.chosen[chosen.form] = known = Choices(chosen.name, chosen.settings, chosen.answers)
            self._finish_alike(alike, known)

    def alike(self, chosen: Import) -> list[Import]:
        """Other files that raise the same questions and for which nothing was chosen yet."""
        others = (one for one in self.imports if one is not chosen and one.untouched)
        return [] if chosen.form is None else [one for one in others if one.form == chosen.form]

    def _finish(self, chosen: Import) -> bool:
        """Read a file by what was chosen for it, whether it can be; what was there before stays if not."""
        before = next((old for slot, label, old in self.tables() if (slot, label) == (chosen.slot, chosen.label)), None)
        try:
            loaded = chosen.read(None if before is None else before.options)
        except InputError as error:
            chosen.failure = str(error)
            return False
        self._place(chosen, loaded)
        return True

    def _place(self, chosen: Import, loaded: LoadedTable) -> None:
        """Put a table where its file was to be read to."""
        self.imports = [one for one in self.imports if one is not chosen]
        if chosen.label is not None:
            self.put(chosen.slot, chosen.label, loaded)
            self._settle()
            return
        same = self._keep(chosen.slot, loaded)
        if same is not None:
            self._say(f"{chosen.name} holds the same bytes as {same}, which is loaded already; it was not added.")

    def _finish_alike(self, alike: Sequence[Import], known: Choices) -> None:
        """Read files by what was chosen for another of the same form, and say so."""
        for one in alike:
            one.take(known)
        names = [one.name for one in alike if self._finish(one)]
        if names:
            has, was = ("has", "was") if len(names) == 1 else ("have", "were")
            self._say(
                f"{join_names(names)} {has} the same form as {known.name} and {was} read in the same way. "
                "To change that, press “Change how it was read” below."
            )

    def _say(self, message: str) -> None:
        self.messages.setdefault(LOADING, []).append(message)

    def change(self, slot: Slot, label: str) -> None:
        """Let the user decide anew how a loaded table's file is read."""
        (loaded,) = (loaded for at, name, loaded in self.tables() if (at, name) == (slot, label))
        self.imports.append(Import.again(slot, label, loaded))

    def read_again(self, slot: Slot, label: str, options: ReadOptions) -> None:
        """Read a loaded table's bytes in another way; on failure the table stays as it was. Raises InputError."""
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
        elif slot is Slot.HOLDOUT:
            self.holdout = loaded
        else:
            self.candidates[label] = loaded

    def remove(self, slot: Slot, label: str) -> None:
        """Drop a table, and the roles of columns that no table holds any longer."""
        if slot is Slot.ORIGINAL:
            self.original = None
        elif slot is Slot.POPULATION:
            self.population = None
        elif slot is Slot.HOLDOUT:
            self.holdout = None
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

    def rename(self, label: str, name: str) -> str:
        """Give a candidate another label; a number follows where it is taken. Returns the label it has then."""
        if label == name or not name:
            return label
        new = self._label(name)
        for held in (self.candidates, self.server.candidates, self.matching.own):
            renamed = {new if one == label else one: value for one, value in held.items()}
            held.clear()
            held.update(renamed)  # type: ignore[arg-type]
        return new

    def _label(self, name: str) -> str:
        label, number = name, 2
        while label in self.labels:
            label, number = f"{name} ({number})", number + 1
        return label

    def _settle(self) -> None:
        """Suggest roles for new columns, and drop changes to the reading of tables that are gone.

        Keys and a weight that no table has now rest until one has them again.
        """
        held = {(slot, label): loaded.file for slot, label, loaded in self.tables()}
        self.imports = [one for one in self.imports if one.label is None or held.get((one.slot, one.label)) is one.file]
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
        return Inputs(table, roles, self.hierarchies, self.parameters_of(roles.sensitive))

    def aggregates(self, label: str) -> Aggregates:
        """The aggregates of one candidate, kept while its inputs stay the same. Raises InputError."""
        table, original = self._compared(label)
        on_server = label in self.server.candidates
        population, holdout = (None, None) if on_server else (self._population(), self.attackable_holdout())
        return self.scores.aggregates(
            table, self.roles_for(label), original, self.hierarchies, population, len(self.labels), holdout
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

    def attackable_holdout(self) -> Table | None:
        """The hold-out table, if it fits; `refused_holdout` says why not."""
        return None if self.holdout is None or self.refused_holdout() is not None else self.holdout.table

    def refused_holdout(self) -> str | None:
        """Why the hold-out table cannot be used; None if it can, or there is none."""
        if self.holdout is None:
            return None
        original = None if self.original is None else self.original.table
        return self.attacks.refused_holdout(self.holdout.table, original, self.chosen_roles())

    def card(self, label: str) -> Scorecard:
        """The scores of one candidate under the session's parameters. Raises InputError."""
        aggregates = self.aggregates(label)
        return self.scores.card(aggregates, self.parameters_for(aggregates))

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
            if card.aggregates.original is not None and card.aggregates.comparison.unmatched is not None:
                sentences[f"{card.aggregates.comparison.unmatched}."] = None
        return found, list(sentences)

    def compute(self, label: str, spec: Metric) -> Iterator[float]:
        """Compute what takes long for one candidate, yielding the share done. Raises InputError."""
        aggregates = self.aggregates(label)
        return self.scores.compute(aggregates, spec, self.parameters_for(aggregates))

    def parameters_for(self, aggregates: Aggregates) -> Parameters:
        """The parameters that apply to one candidate: without columns that it lacks."""
        parameters = self.parameters_of(aggregates.roles.sensitive)
        attack = parameters.attack
        known = tuple(name for name in attack.known if name in aggregates.anonymized)
        return replace(parameters, attack=replace(attack, known=known))
