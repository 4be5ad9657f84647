"""Everything one session holds: tables, roles, hierarchies, parameters. No Streamlit, nothing shared or written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dashboard.file_reviews import Slot
from dashboard.loading import ReadOptions
from dashboard.score_cache import ScoreCache
from dashboard.state.analyses_state import analyses_score
from dashboard.state.attack_state import AttackState
from dashboard.state.closeness_state import ClosenessState
from dashboard.state.making_state import MakingState
from dashboard.state.matching_state import MatchedPair, MatchingState
from dashboard.state.policy_state import PolicyState
from dashboard.state.recipe_state import RecipeState
from dashboard.state.search_state import Inputs, SearchState
from dashboard.state.session_tables import LOADING, SessionTables
from dashboard.state.uncertainty_state import UncertaintyState
from metrics.aggregates import Aggregates
from metrics.attacks.singling_out.measure import SINGLING_OUT_ATTACK
from metrics.candidates.limits.enforced import search_limits
from metrics.config.roles import BY_COLUMN, PERSON_ROLES, Role, Roles
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.identifiers.suggested_roles import suggest_role
from metrics.metric import Metric
from metrics.policy.limitable_measures import SURVIVING
from metrics.policy.settings import Settings
from metrics.recipes.recipe import Recipe
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import to_parquet
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.table import Table
from metrics.utility.analyses import ANALYSES

if TYPE_CHECKING:
    from metrics.engines.lazy import LazyTable

__all__ = ["LOADING", "Slot", "Workspace"]

_REFERENCE = (Slot.POPULATION, Slot.HOLDOUT)
"""Tables that are compared with, whose columns have no roles of their own."""
_MARKS = ("weight", "person", "household", "item")
"""What a column beside the roles can be."""


@dataclass
class Workspace:
    """One session's state."""

    tables: SessionTables = field(default_factory=SessionTables)
    policy: PolicyState = field(default_factory=PolicyState)
    roles: dict[str, Role] = field(default_factory=dict)
    proposed_roles: set[str] = field(default_factory=set)
    """The columns whose role was suggested, and neither chosen nor confirmed."""
    matching: MatchingState = field(default_factory=MatchingState)
    weight: str | None = None
    person: str | None = None
    household: str | None = None
    item: str | None = None
    not_identifying: set[str] = field(default_factory=set)
    """Columns that look like direct identifiers, and of which the user states that they are none."""
    key_sets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By adversary the quasi-identifiers that this one knows."""
    column_weights: dict[str, float] = field(default_factory=dict)
    highest_levels: dict[str, int] = field(default_factory=dict)
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    compared: list[str] = field(default_factory=list)
    """The versions that the reader compares, in her order; all if empty."""
    currency: str = ""
    """What is written behind amounts."""
    restored_version: str = ""
    """The version to choose as soon as it is loaded."""
    project: str | None = None
    """The ARX project that the session was opened with."""
    restored: Settings | None = None
    """The settings that were restored last."""
    unnamed: dict[str, str] = field(default_factory=dict)
    """Labels in the restored settings of versions that are not loaded yet, by their sha256."""
    link_read: bool = False
    lost: bool = False
    """Whether the page had tables in a session that has ended since."""
    score_cache: ScoreCache = field(default_factory=ScoreCache)
    closeness: ClosenessState = field(default_factory=ClosenessState)
    search: SearchState = field(default_factory=SearchState)
    making: MakingState = field(default_factory=MakingState)
    attacks: AttackState = field(default_factory=AttackState)
    recipes: RecipeState = field(default_factory=RecipeState)
    uncertainty: UncertaintyState = field(default_factory=UncertaintyState)

    def __post_init__(self) -> None:
        self.tables.on_change = self.tables_changed

    def clear(self) -> None:
        """Drop everything, in place: Streamlit keeps callbacks of widgets long gone, and they this workspace."""
        self.tables.server.close()
        self.score_cache.work.drop()
        self.uncertainty.stop()
        self.__dict__.update(vars(Workspace()))
        self.__post_init__()

    @property
    def loaded_columns(self) -> dict[str, Table]:
        """Every column in memory that can have a role, with the table that shows it best: the original if it can."""
        tables: dict[str, Table] = {}
        for slot, _, loaded in self.tables.loaded():
            for name in () if slot in _REFERENCE else loaded.table.names:
                tables.setdefault(name, loaded.table)
        return tables

    def described_tables(self) -> Iterator[Table]:
        """The tables whose columns have roles, the original first; of those on the server some records."""
        yield from (loaded.table for slot, _, loaded in self.tables.loaded() if slot not in _REFERENCE)
        yield from self.tables.server.samples()

    @property
    def columns(self) -> dict[str, Table]:
        """The loaded columns and those of tables on the server, of which some records are held."""
        columns: dict[str, Table] = {}
        for table in self.described_tables():
            for name in table.names:
                columns.setdefault(name, table)
        return columns

    def drop(self, label: str | None) -> None:
        """Let go of a version on the server, of the original there if there is no label."""
        self.tables.server.drop(label)
        self._forget_roles()

    def remove(self, slot: Slot, label: str) -> None:
        """Drop a table, and the roles of columns that no table holds any longer."""
        self.tables.remove(slot, label)
        self._forget_roles()

    def keep(
        self, name: str, table: Table, rule: MatchingRule, recipe: Recipe | None = None, source: str | None = None
    ) -> str:
        """Keep a table that was made here as one more version, under the name given; `rule` matches its records.

        The recipe makes it of the original, or of the version that it was made from, the `source`, where that has no
        recipe. It becomes an ordinary table, as if it had been uploaded: Parquet says every cell exactly. One that is
        there already is not kept twice. An original that is assessed as it is stays among the versions, to compare
        with. Returns its label. Raises InputError.
        """
        self.tables.unchanged = None
        commas = any(column.decimal == "," for column in table.columns)
        options = ReadOptions(decimal="," if commas else None)
        loaded = self.tables.add(Slot.ANONYMIZED, name, to_parquet(table.to_arrow()), options)
        label = next(label for label, other in self.tables.versions.items() if other.digest == loaded.digest)
        drawn = loaded.table.randomized(table.randomization)
        known = replace(drawn, sampled=table.sampled, positions=table.positions)
        self.tables.replace_table(Slot.ANONYMIZED, label, replace(loaded, table=known))
        self.matching.choose(label, rule)
        if recipe is not None:
            self.recipes.made[loaded.digest] = recipe
            made_from = source if source is None or self.recipe_of(source) is None else self.source_of(source)
            if made_from is not None:
                self.recipes.sources[loaded.digest] = made_from
        return label

    def recipe_of(self, label: str) -> Recipe | None:
        """How a version was made, if it was made in this session."""
        loaded = self.tables.versions.get(label)
        return None if loaded is None else self.recipes.made.get(loaded.digest)

    def source_of(self, label: str) -> str | None:
        """What the recipe of a version is for: another version, or the original, for which there is no name."""
        loaded = self.tables.versions.get(label)
        return None if loaded is None else self.recipes.sources.get(loaded.digest)

    @property
    def unconfirmed_roles(self) -> set[str]:
        """Columns of the loaded tables whose role is proposed and not confirmed."""
        return self.proposed_roles & self.columns.keys()

    def assign_roles(self, roles: Mapping[str, Role]) -> None:
        """Give columns the roles that the user has chosen."""
        self.roles |= roles
        self.proposed_roles -= roles.keys()

    def confirm_roles(self) -> None:
        """Keep the roles that are proposed."""
        self.proposed_roles -= self.unconfirmed_roles

    def _forget_roles(self) -> None:
        columns = self.columns
        self.roles = {column: role for column, role in self.roles.items() if column in columns}
        self.proposed_roles &= columns.keys()
        for mark in _MARKS:
            if getattr(self, mark) not in columns:
                setattr(self, mark, None)
        self.tables_changed()

    def remove_hierarchy(self, column: str) -> None:
        """Drop the hierarchy of a column."""
        self.hierarchies.pop(column, None)

    def rename(self, label: str, name: str) -> str:
        """Give a version another label; a number follows where it is taken. Returns the label it has then."""
        if label == name or not name:
            return label
        new = self.tables.new_label(name)
        for by_label in (self.tables.versions, self.tables.server.versions, self.matching.own):
            renamed = {new if old == label else old: value for old, value in by_label.items()}
            by_label.clear()
            by_label.update(renamed)  # type: ignore[arg-type]
        self.compared = [new if old == label else old for old in self.compared]
        return new

    def tables_changed(self) -> None:
        """Suggest roles for new columns. Keys and a weight that no table has now rest until one has them again."""
        columns = self.columns
        for name, table in columns.items():
            if name not in self.roles:
                self.roles[name] = suggest_role(table[name], table.rows)
                self.proposed_roles.add(name)
        self.matching.forget_absent(self.tables.labels, columns)
        self.name_restored()

    def name_restored(self) -> None:
        """Call and order versions as the restored settings say; named once, as the user may rename them later."""
        for label, loaded in list(self.tables.versions.items()):
            self.rename(label, self.unnamed.pop(loaded.sha256, label))
        self.tables.order_as([] if self.restored is None else [table.sha256 for table in self.restored.anonymized])

    def matched(self, label: str, original: Table) -> MatchedPair:
        """How a version's records match with the original's."""
        return self.matching.found(original, self.tables.versions[label].table, label, len(self.tables.versions))

    def doubtful_matching(self, label: str) -> str | None:
        """Say that records agree hardly more than by chance in columns that were probably left as they were, if so."""
        if self.tables.original is None or label not in self.tables.versions:
            return None
        unchanged = [name for name, role in self.roles.items() if role in (Role.SENSITIVE, Role.INSENSITIVE)]
        pair = self.matched(label, self.tables.original.table)
        return pair.doubt([name for name in unchanged if name != self.weight])

    def chosen_roles(self) -> Roles:
        """The roles as tagged, in column order."""
        tagged = {name: self.roles.get(name, Role.INSENSITIVE) for name in self.columns}
        weight, person, household, item = self.weight, self.person, self.household, self.item
        is_household = household not in (weight, person) and tagged.get(household or "") in PERSON_ROLES
        return Roles.from_mapping(
            tagged,
            weight=weight if tagged.get(weight or "") is Role.INSENSITIVE else None,
            person=person if person != weight and tagged.get(person or "") in PERSON_ROLES else None,
            household=household if is_household else None,
            item=None if item in (weight, person, household) else item,
            key_sets=self._known_key_sets(tagged),
            not_identifying=self._stated(tagged),
            **self._by_column(tagged),
        ).matched(self.matching.rule)

    def _stated(self, tagged: Mapping[str, Role]) -> tuple[str, ...]:
        """The columns stated not to identify people, as long as they are not tagged as identifiers."""
        return tuple(
            name for name, role in tagged.items() if name in self.not_identifying and role is not Role.IDENTIFIER
        )

    def _by_column(self, tagged: Mapping[str, Role]) -> dict[str, dict[str, Any]]:
        """The weights and highest levels, without columns that are not quasi-identifiers now or lack the level."""
        return {
            key: {
                name: number
                for name, number in getattr(self, key).items()
                if tagged.get(name) is Role.QUASI_IDENTIFIER
                and number <= (self.hierarchies[name].height if name in self.hierarchies else 1)
            }
            for key in BY_COLUMN
        }

    def _known_key_sets(self, tagged: Mapping[str, Role]) -> dict[str, tuple[str, ...]]:
        """The key sets, without columns that are not quasi-identifiers now."""
        key_sets = {
            name: tuple(column for column in columns if tagged.get(column) is Role.QUASI_IDENTIFIER)
            for name, columns in self.key_sets.items()
        }
        return {name: columns for name, columns in key_sets.items() if columns}

    def roles_for(self, label: str) -> Roles:
        """The roles that concern one version: its own matching, no insensitive columns that only others have."""
        version, original = self._version_and_original(label)
        roles = self.chosen_roles().matched(self.matching.rule_for(label))
        original_names = () if original is None else original.names
        insensitive = tuple(name for name in roles.insensitive if name in version or name in original_names)
        marks: dict[str, Any] = {
            mark: column if (column := getattr(roles, mark)) in version.names else None for mark in _MARKS
        }
        return replace(roles, insensitive=insensitive, **marks)

    @property
    def ready(self) -> bool:
        """Whether there is something to score: an anonymized table and a quasi-identifier."""
        return bool(self.tables.labels) and bool(self.chosen_roles().quasi_identifiers)

    @property
    def searchable(self) -> bool:
        """Whether there is something to make a better table from: an original with a quasi-identifier."""
        return self.tables.original is not None and any(
            self.roles.get(name) is Role.QUASI_IDENTIFIER for name in self.tables.original.table.names
        )

    def search_inputs(self) -> Inputs:
        """Return the inputs of a search: the original, and the roles of its columns; only while `searchable`."""
        if self.tables.original is None:
            raise ValueError("there is no original")
        table = self.tables.original.table
        tagged = {name: self.roles.get(name, Role.INSENSITIVE) for name in table.names}
        roles = Roles.from_mapping(tagged, not_identifying=self._stated(tagged), **self._by_column(tagged))
        return Inputs(table, roles, self.hierarchies, self.policy.parameters_of(roles.sensitive))

    def start_exploring(self, label: str) -> None:
        """Judge by the policy, from the levels of a version on; only while `searchable`. Raises InputError."""
        inputs, loaded = self.search_inputs(), self.tables.versions.get(label)
        self.search.set_limits(search_limits(self.policy.current), inputs)
        self.search.start_from(inputs, None if loaded is None else loaded.table, label)

    def aggregates(self, label: str) -> Aggregates:
        """The aggregates of one version, kept while its inputs stay the same. Raises InputError."""
        table, original = self._version_and_original(label)
        on_server = label in self.tables.server.versions
        population, holdout = (None, None) if on_server else (self._population(), self.attackable_holdout())
        levels = self.levels_of(label)  # by which labels are read, where the version was made here
        hierarchies = {
            column: hierarchy.for_level(levels[column]) if column in levels else hierarchy
            for column, hierarchy in self.hierarchies.items()
        }
        roles, versions = self.roles_for(label), len(self.tables.labels)
        return self.score_cache.aggregates(table, roles, original, hierarchies, population, versions, holdout)

    def levels_of(self, label: str) -> dict[str, int]:
        """The levels to which columns of a version were generalized, as far as it was made here."""
        recipe = self.recipe_of(label)
        return {} if recipe is None else recipe.levels

    def _version_and_original(self, label: str) -> tuple[Table | LazyTable, Table | LazyTable | None]:
        """A version's table and the original that it is compared with."""
        if label in self.tables.server.versions:
            original = self.tables.server.original
            return self.tables.server.versions[label].table, None if original is None else original.table
        return self.tables.versions[label].table, None if self.tables.original is None else self.tables.original.table

    def _population(self) -> Table | None:
        """The population, where it has every quasi-identifier."""
        if self.tables.population is None:
            return None
        table = self.tables.population.table
        return table if all(name in table for name in self.chosen_roles().quasi_identifiers) else None

    def attackable_holdout(self) -> Table | None:
        """The hold-out table, if it fits; `refused_holdout` says why not."""
        return None if self.tables.holdout is None or self.refused_holdout() is not None else self.tables.holdout.table

    def refused_holdout(self) -> str | None:
        """Why the hold-out table cannot be used; None if it can, or there is none."""
        if self.tables.holdout is None:
            return None
        original = None if self.tables.original is None else self.tables.original.table
        return self.attacks.refused_holdout(self.tables.holdout.table, original, self.chosen_roles())

    def card(self, label: str) -> Scorecard:
        """The scores of one version under the session's parameters. Raises InputError."""
        aggregates = self.aggregates(label)
        card = self.score_cache.card(aggregates, self.policy.parameters_for(aggregates))
        if {ANALYSES.id, SURVIVING} & self.policy.limits.keys():
            card = self.with_analyses(card)
        return self.with_singling_out(card) if SINGLING_OUT_ATTACK.id in self.policy.limits else card

    def with_analyses(self, card: Scorecard) -> Scorecard:
        """The card of a version with what it keeps of the analyses, kept so."""
        score = analyses_score(card.aggregates, self.policy.parameters.analyses)
        return self.score_cache.keep(card.aggregates, score, card.parameters)

    def with_singling_out(self, card: Scorecard) -> Scorecard:
        """The card of a version with the attack by predicates, kept so; as it is where there are many records."""
        # Pages call this rather than `attacks.with_singling_out`, whose card, and so its class table, is a new one.
        score = self.attacks.with_singling_out(card)[SINGLING_OUT_ATTACK.id]
        return self.score_cache.keep(card.aggregates, score, card.parameters)

    def cards(self) -> tuple[dict[str, Scorecard], list[str]]:
        """The scores of every version that has some, and a sentence for each that cannot be compared in full."""
        cards: dict[str, Scorecard] = {}
        sentences: dict[str, None] = {}
        for label in self.tables.labels:
            try:
                cards[label] = card = self.card(label)
            except InputError as error:
                sentences[str(error)] = None
                continue
            if card.aggregates.original is not None and card.aggregates.comparison.unmatched is not None:
                sentences[f"{card.aggregates.comparison.unmatched}."] = None
        return cards, list(sentences)

    def compute(self, label: str, spec: Metric, progress: Callable[[float], object] = lambda share: None) -> None:
        """Compute what takes long for one version; `progress` is called with the share done. Raises InputError."""
        aggregates = self.aggregates(label)
        self.score_cache.compute(aggregates, spec, self.policy.parameters_for(aggregates), progress)
