"""Analyses that are proposed from the roles of columns, where nobody has listed any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from metrics.config.analyses import Analysis, Crosstab, Linear, Logistic, Mean, Term
from metrics.config.roles import Roles
from metrics.estimates.grouping import MAX_GROUPS
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.identifiers.column_names import says_age, says_sex
from metrics.matching.released_values import holds_numbers
from metrics.tables.table import Described
from metrics.texts import text

MAX_PROPOSED: Final = 8
_MAX_GROUPS: Final = 12
_MAX_VALUES: Final = 100_000
_MAX_TERMS: Final = 4
_MAX_CROSSED: Final = 2
"""Sensitive attributes that are crossed with others before the regression."""


def propose_analyses(original: Described, roles: Roles, hierarchies: Hierarchies | None = None) -> dict[str, Analysis]:
    """Propose analyses that the release may be to serve.

    Means of each numeric sensitive attribute by the quasi-identifiers, each other sensitive attribute crossed with
    those of sex and age, and a regression. Of a quasi-identifier with more than 12 values, the groups are those of the
    lowest level of its hierarchy with at most 12.

    Parameters
    ----------
    original : Table
        The table before anonymization.
    roles : Roles
        The role of each column.
    hierarchies : mapping of str to Hierarchy, optional
        Generalization hierarchies by column.

    Returns
    -------
    dict of str to Mean, Crosstab, Linear or Logistic
        At most eight by name, the most useful first, else in the order of the original's columns; empty without a
        sensitive attribute.
    """
    above = original.distinct_above
    numbers, others = _sensitive(original, roles)
    columns = [name for name in original.names if name in roles.quasi_identifiers and above(name, 1)]
    columns.sort(key=lambda name: 0 if says_sex(name) else 1 if says_age(name) else 2)
    groups = {name: term for name in columns if (term := _group(original, name, hierarchies or {})) is not None}
    people = [term for name, term in groups.items() if says_sex(name) or says_age(name)]
    first = people or list(groups.values())[:2]
    rest = [term for term in groups.values() if term not in first]
    usable = [name for name in columns if not above(name, _MAX_VALUES)]
    explaining = [Term(name) if holds_numbers(original[name]) else groups.get(name) for name in usable]
    terms = [term for term in explaining if term is not None][:_MAX_TERMS]
    proposed = [
        *_means(numbers, first),
        *_crosstabs(others[:_MAX_CROSSED], first),
        *_regression(original, numbers, others, terms),
        *_means(numbers, rest),
        *_crosstabs(others[_MAX_CROSSED:], first),
    ]
    return dict(proposed[:MAX_PROPOSED])


def _sensitive(original: Described, roles: Roles) -> tuple[list[str], list[str]]:
    """The sensitive attributes of which means are formed, and the others of few values."""
    above = original.distinct_above
    names = [name for name in original.names if name in roles.sensitive and not above(name, _MAX_VALUES)]
    numbers = [name for name in names if above(name, _MAX_GROUPS) and holds_numbers(original[name])]
    return numbers, [name for name in names if name not in numbers and not above(name, MAX_GROUPS)]


def _group(original: Described, name: str, hierarchies: Hierarchies) -> Term | None:
    """A column as groups: its values if they are at most 12, else the lowest level of its hierarchy with so few."""
    if not original.distinct_above(name, _MAX_GROUPS):
        return Term(name)
    if name not in hierarchies:
        return None
    tree = hierarchies[name]
    fitting = (level for level in range(1, tree.height) if 1 < len(tree.labels(level)) <= _MAX_GROUPS)
    return next((Term(name, level=level) for level in fitting), None)


def _means(numbers: Sequence[str], terms: Sequence[Term]) -> Iterator[tuple[str, Analysis]]:
    for number in numbers:
        for term in terms:
            yield text("analyses.proposed.mean", number=number, group=group_name(term)), Mean(number, term)


def _crosstabs(columns: Sequence[str], terms: Sequence[Term]) -> Iterator[tuple[str, Analysis]]:
    for column in columns:
        for term in terms:
            yield (
                text("analyses.proposed.crosstab", column=column, group=group_name(term)),
                Crosstab([column, term]),
            )


def group_name(term: Term) -> str:
    """The column, as groups where a level of its hierarchy is asked for."""
    return text("analyses.proposed.merged", column=term.column) if term.level else term.column


def _regression(
    original: Described, numbers: Sequence[str], others: Sequence[str], terms: Sequence[Term]
) -> Iterator[tuple[str, Analysis]]:
    """Of the first sensitive attribute: numbers as they are, else the rarer of two values or the most frequent one."""
    if not terms:
        return
    for name in [*numbers, *others][:1]:
        analysis: Analysis = Linear(name, terms)
        if name in others:
            column = original[name]
            counts = column.counts()
            values = [(-counts[place], column.labels[place] or "") for place in np.flatnonzero(column.shown)]
            if len(values) < 2:
                return
            _, event = max(values) if len(values) == 2 else min(values)  # of equally frequent ones by text
            analysis = Logistic(name, event, terms)
        yield text("analyses.proposed.regression", outcome=name), analysis
