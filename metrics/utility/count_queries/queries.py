"""Count queries: what they ask for, and what a recipient can say of their answers from the released table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.joint_counts import joint_counts
from metrics.aggregates.label_shares import column_domain, label_numbers, original_shares, released_shares
from metrics.config.analyses import Count
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.estimates.randomized import randomization_of, unbiased_chances
from metrics.formatting import exact_number
from metrics.hierarchies.domain import number_of_label
from metrics.hierarchies.shares import Domain, Shares
from metrics.interruption import report
from metrics.tables.table import Flags, Floats, Integers
from metrics.tables.values import parse_number
from metrics.texts import abbreviated_names, text

SANITY_BOUND = 0.001
"""Errors are relative to at least this share of the records, or queries that hardly any record fits would rule."""
_MAX_CELLS = 2**22
"""Combinations times queries that are examined together: bounds the memory."""


@dataclass(frozen=True)
class Asked:
    """The values of a column that a query counts: of numbers all from `low` to `high`, else some by their names."""

    values: tuple[str, ...] = ()
    low: float = math.nan
    high: float = math.nan


Query = Mapping[str, Asked]
"""By column what its value must be, in every one of the columns."""


def drawn_queries(
    domains: Mapping[str, Domain], number: int = 1000, columns: int = 2, selectivity: float = 0.05, seed: int = 0
) -> list[Query]:
    """Queries on some of the columns, each on so many values that about `selectivity` of a uniform table fits.

    Numbers are drawn as ranges of consecutive values of the domain, other values one by one. Always the same by seed.
    """
    generator = np.random.default_rng(seed)
    names = list(domains)
    ordered = {name: _ordered(domain) for name, domain in domains.items()}
    share = selectivity ** (1 / columns)
    return [
        {
            names[column]: _drawn(ordered[names[column]], share, generator)
            for column in sorted(generator.choice(len(names), columns, replace=False))
        }
        for _ in range(number)
    ]


def _ordered(domain: Domain) -> Floats | list[str]:
    """The values of the codebook: numbers ascending, else labels as the hierarchy has them, else by text."""
    if domain.numbers is not None:
        return np.sort(domain.numbers[: domain.size])
    labels = [label or "" for label in domain.column.labels[: domain.size]]
    return labels if domain.hierarchy else sorted(labels)


def _drawn(ordered: Floats | list[str], share: float, generator: np.random.Generator) -> Asked:
    number = min(len(ordered), math.ceil(len(ordered) * share - 1e-9))
    if isinstance(ordered, np.ndarray):
        start = int(generator.integers(0, len(ordered) - number + 1))
        return Asked(low=float(ordered[start]), high=float(ordered[start + number - 1]))
    places = generator.choice(len(ordered), number, replace=False)
    return Asked(tuple(ordered[place] for place in sorted(places)))


def query_text(query: Query) -> str:
    """A query as a name: "age 20 to 42; sex Female"."""
    return "; ".join(
        f"{name} {abbreviated_names(asked.values, 'or')}"
        if asked.values
        else f"{name} {exact_number(asked.low)} to {exact_number(asked.high)}"
        for name, asked in query.items()
    )


def written_query(where: Mapping[str, Iterable[str | float]], domains: Mapping[str, Domain]) -> Query:
    """A query as a file of analyses writes it: two numbers are the ends of a range, other texts are values.

    Raises Unavailable where a value is none of the domain.
    """
    return {name: _written(domains[name], [*map(str, asked)]) for name, asked in where.items()}


def _written(domain: Domain, asked: Sequence[str]) -> Asked:
    column = domain.column
    written = [number_of_label(value, column.decimal) for value in asked]
    if domain.is_numeric and len(asked) == 2 and None not in written:
        low, high = sorted(float(number) for number in written if number is not None)
        return Asked(low=low, high=high)
    by_number = {number_of_label(value, column.decimal): value for value in column.labels} if domain.is_numeric else {}
    known = {
        value: value if value in column.code_of else by_number.get(n) for value, n in zip(asked, written, strict=True)
    }
    for value, found in known.items():
        if found is None:
            raise Unavailable(text("count_queries.unavailable.unknown_value", value=value, column=column.name))
    return Asked(tuple(value for value in known.values() if value is not None))


@dataclass(frozen=True)
class Answer:
    """The answer to one query."""

    query: Query
    true: float
    """Records of the original; weighted ones are no whole numbers."""
    estimate: float
    """Records that a recipient expects."""
    smallest: float
    """Released records that are surely counted."""
    largest: float
    """Released records that can be counted."""
    all_suppressed: float
    """Records expected by somebody who knows only the domains and the number of records."""
    unit: float
    """What errors are relative to, in records."""

    @property
    def error(self) -> float:
        """The relative error of the estimate."""
        return abs(self.estimate - self.true) / self.unit

    def summary(self) -> str:
        """The finding."""
        return text("analyses.counted.found", true=self.true, released=self.by_the_release)

    @property
    def by_the_release(self) -> str:
        """What anybody can say who has the release alone."""
        return text("analyses.counted.released", estimate=self.estimate, smallest=self.smallest, largest=self.largest)

    @property
    def figures(self) -> dict[str, float]:
        """The counts by name."""
        return {name: getattr(self, name) for name in ("true", "estimate", "smallest", "largest")}

    def to_dict(self) -> dict[str, Any]:
        """As `score --json` prints it."""
        return {"value": self.error, **self.figures, "unavailable": None, "estimates": []}


def saved_answer(aggregates: Aggregates, count: Count) -> Answer:
    """The answer to a user's own query. Raises Unavailable where the original does not support it."""
    original = aggregates.original
    if original is None:
        raise Unavailable(NO_ORIGINAL)
    for name in count.column_names:
        if name not in original or name not in aggregates.anonymized:
            raise Unavailable(text("count_queries.unavailable.no_column", column=name))
    query = written_query(count.where, {name: column_domain(aggregates, name) for name in count.where})
    return answers(aggregates, [query], count.weight)[0]


def answers(aggregates: Aggregates, queries: Sequence[Query], weight: str | None = None) -> list[Answer]:
    """The answer to each query, in their order; those on the same columns are answered together.

    The aggregates have an original with records, whose columns the queries name. Raises Unavailable.
    """
    by_columns: dict[tuple[str, ...], list[int]] = {}
    for position, query in enumerate(queries):
        by_columns.setdefault(tuple(query), []).append(position)
    found: dict[int, Answer] = {}
    for names, positions in by_columns.items():
        columns = names if weight is None else (*names, weight)
        counted = joint_counts(aggregates, columns, original=True), joint_counts(aggregates, columns, original=False)
        weights = [_weights(aggregates, combinations, weight) for combinations in counted]
        at_once = max(1, _MAX_CELLS // max(1, *(len(combinations.counts) for combinations in counted)))
        for start in range(0, len(positions), at_once):
            part = positions[start : start + at_once]
            answered = _answered_together(aggregates, counted, weights, [queries[position] for position in part])
            found.update(zip(part, answered, strict=True))
        report(len(found) / len(queries))
    return [found[position] for position in range(len(queries))]


def _weights(aggregates: Aggregates, counted: Combinations, weight: str | None) -> Floats | Integers:
    """Records per combination; with a column of weights, the last one, their sum. Raises Unavailable."""
    if weight is None:
        return counted.counts
    numbers = label_numbers(aggregates, counted.columns[-1])
    if not (numbers > 0).all():
        raise Unavailable(text("unavailable.invalid_weights", column=weight))
    weights: Floats = counted.counts * numbers[counted.codes[-1]]
    return weights


def _answered_together(
    aggregates: Aggregates,
    counted: tuple[Combinations, Combinations],
    weights: Sequence[Floats | Integers],
    queries: Sequence[Query],
) -> list[Answer]:
    """Answers to queries on the same columns, by the counts of their values before and after."""
    before, after = counted
    holds, chances = (np.ones((len(combinations.counts), len(queries))) for combinations in counted)
    expected = np.ones_like(chances)
    uniform = np.ones(len(queries))
    for number, name in enumerate(queries[0]):
        asked = [query[name] for query in queries]
        original, released = original_shares(aggregates, name), released_shares(aggregates, name)
        flags = _flags(released.domain, asked)
        holds *= _chances(original, asked, flags, 0)[before.codes[number]]
        whole = flags[: released.domain.size].mean(axis=0)
        by, own = randomization_of(aggregates, name), _chances(released, asked, flags, whole)
        # Any true value may be behind a randomized one, so it is neither sure nor excluded.
        chances *= (own if by is None else np.full_like(own, 0.5))[after.codes[number]]
        expected *= (own if by is None else unbiased_chances(released, by, flags.astype(np.float64), whole))[
            after.codes[number]
        ]
        uniform *= whole
    rows = weights[0].sum()
    figures = (
        weights[0] @ (holds == 1),
        np.clip(weights[1] @ expected, 0, weights[1].sum()),
        weights[1] @ (chances == 1),
        weights[1] @ (chances > 0),
        rows * uniform,
        np.maximum(weights[0] @ (holds == 1), SANITY_BOUND * rows),
    )
    return [Answer(*each) for each in zip(queries, *(figure.tolist() for figure in figures), strict=True)]


def _flags(domain: Domain, asked: Sequence[Asked]) -> Flags:
    """Whether each value of the domain is asked for, by value and query."""
    flags = np.zeros((domain.column.distinct, len(asked)), dtype=bool)
    for query, each in enumerate(asked):
        if each.values:
            flags[[domain.column.code_of[value] for value in each.values], query] = True
        elif domain.numbers is not None:
            flags[:, query] = (each.low <= domain.numbers) & (domain.numbers <= each.high)
    return flags


def _chances(shares: Shares, asked: Sequence[Asked], flags: Flags, unknown: Floats | float) -> Floats:
    """The chance that a label stands for a value asked for, by label and query; `unknown` is that of unknown cells.

    A number outside the domain is asked for or not.
    """
    pairs = np.ones(len(shares.label)), (shares.label, shares.value)
    covers = scipy.sparse.csr_array(pairs, shape=(len(shares.unknown), len(flags)))
    chances: Floats = (covers @ flags.astype(np.float64)) / np.maximum(shares.sizes, 1)[:, np.newaxis]
    chances[shares.unknown] = unknown
    outside = np.flatnonzero(shares.outside)
    if len(outside):
        written = [parse_number(shares.column.labels[code], shares.column.decimal) for code in outside]
        numbers = np.array(written, dtype=np.float64)[:, np.newaxis]
        low, high = (np.array(ends) for ends in zip(*((each.low, each.high) for each in asked), strict=True))
        chances[outside] = (low <= numbers) & (numbers <= high)
    return chances
