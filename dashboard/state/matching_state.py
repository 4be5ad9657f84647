"""How one session matches the records of its versions with the original's. No Streamlit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from metrics.errors import InputError
from metrics.matching.keys import Agreement, KeyCandidate, agreement, key_candidates
from metrics.matching.records import RecordMatching, describe
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.table import Table
from metrics.texts import text


@dataclass(eq=False)
class MatchedPair:
    """How the records of two tables match by a rule, and other keys to try; found when first asked for."""

    original: Table
    anonymized: Table
    rule: MatchingRule
    _agreements: dict[tuple[str, ...], Agreement | None] = field(default_factory=dict)

    @cached_property
    def records(self) -> RecordMatching:
        """Which records stand beside which. Raises InputError where a table lacks a column of the key."""
        return describe(self.original, self.anonymized, self.rule)

    @cached_property
    def keys(self) -> list[KeyCandidate]:
        """Keys that name every record, the best first: the rule's with one column more, or other ones."""
        sides = (self.records.original, self.records.anonymized)
        repeated = any(len(side.repeats) for side in sides)
        longer_keys = key_candidates(self.original, self.anonymized, self.rule.key) if repeated else []
        other_keys = key_candidates(self.original, self.anonymized)
        return longer_keys or [other for other in other_keys if other.key != self.rule.key]

    def agreement(self, columns: Sequence[str]) -> Agreement | None:
        """How far matched records agree in columns that were probably left as they are."""
        names = tuple(name for name in columns if name not in self.rule.key)
        if names not in self._agreements:
            self._agreements[names] = agreement(self.original, self.anonymized, self.records, names)
        return self._agreements[names]

    def doubt(self, columns: Sequence[str]) -> str | None:
        """Say that records agree hardly more than by chance in columns that were probably left as they are, if so."""
        try:
            agreement = self.agreement(columns)
        except InputError:  # a table lacks a column of the key, which the page Data tells
            return None
        if agreement is None or not agreement.doubtful:
            return None
        observed, by_chance = agreement.observed, agreement.by_chance
        if self.rule.key:
            return text("matching.doubtful_key", observed=observed, by_chance=by_chance)
        return text("matching.doubtful_order", observed=observed, by_chance=by_chance)


@dataclass
class MatchingState:
    """The rule for all versions, those of single ones, and what was found by them.

    A rule whose key no table has rests until one has it again: a file that was read wrong for once costs no choice.
    """

    own: dict[str, MatchingRule] = field(default_factory=dict)
    _for_all: MatchingRule = field(default_factory=MatchingRule)
    _columns: Collection[str] | None = None
    _found: OrderedDict[Hashable, MatchedPair] = field(default_factory=OrderedDict)

    @property
    def rule(self) -> MatchingRule:
        """How the records of versions without a rule of their own are matched."""
        return self._effective(self._for_all)

    def rule_for(self, label: str) -> MatchingRule:
        """How a version's records are matched."""
        return self._effective(self.own.get(label, self._for_all))

    def _effective(self, rule: MatchingRule) -> MatchingRule:
        return rule if self._columns is None or set(rule.key) <= set(self._columns) else MatchingRule()

    def choose(self, label: str, rule: MatchingRule) -> None:
        """Match a version's records by this rule."""
        self.own.pop(label, None)
        if rule != self._for_all:
            self.own[label] = rule

    def choose_for_all(self, rule: MatchingRule) -> None:
        """Match the records of all versions by this rule, including those to come."""
        self._for_all = rule
        self.own.clear()

    def forget_absent(self, labels: Collection[str], columns: Collection[str]) -> None:
        """Let go of what was found and of versions that are gone; `columns` are those there now."""
        self._found.clear()
        self._columns = frozenset(columns)
        self.own = {label: rule for label, rule in self.own.items() if label in labels}

    def found(self, original: Table, anonymized: Table, label: str, max_pairs: int) -> MatchedPair:
        """How a version's records match; what was found for the last `max_pairs` pairs of tables is kept."""
        rule = self.rule_for(label)
        # What is kept keeps its tables alive, so an identity is never used twice.
        key = (id(original), id(anonymized), rule)
        pair = self._found.pop(key, None) or MatchedPair(original, anonymized, rule)
        self._found[key] = pair
        while len(self._found) > max_pairs:
            self._found.popitem(last=False)
        return pair
