"""Count queries: what they ask for, and how a workload of them is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.config.parameters import CountQueriesParameters
from metrics.errors import Unavailable
from metrics.formatting import exact_number
from metrics.hierarchies.domain import number_of_label
from metrics.hierarchies.shares import Domain
from metrics.tables.table import Floats, Integers
from metrics.texts import abbreviated_names, text


@dataclass(frozen=True)
class Asked:
    """The values of a column that a query counts: of numbers all from `low` to `high`, else some by their names."""

    values: tuple[str, ...] = ()
    low: float = math.nan
    high: float = math.nan

    @property
    def is_range(self) -> bool:
        """Whether numbers are asked for."""
        return not math.isnan(self.low)

    def to_list(self) -> list[float] | list[str]:
        """As a file of analyses has it: the two ends, or the values."""
        return [self.low, self.high] if self.is_range else list(self.values)


Query = Mapping[str, Asked]
"""By column what its value must be, in every one of the columns."""


def numbers_of(domain: Domain) -> Floats | None:
    """The number of each value of a domain; None where one has none."""
    return domain.column.numbers if domain.is_numeric else None


def drawn_queries(domains: Mapping[str, Domain], settings: CountQueriesParameters) -> list[Query]:
    """Queries on some of the columns, each on so many values that about a share `selectivity` of a uniform table fits.

    Numbers are drawn as ranges of consecutive values of the domain, other values one by one. Always the same by seed.
    """
    generator = np.random.default_rng(settings.seed)
    names = list(domains)
    orders = {name: _ordered(domain) for name, domain in domains.items()}
    share = settings.selectivity ** (1 / settings.columns)
    return [
        {
            names[column]: _drawn(domains[names[column]], orders[names[column]], share, generator)
            for column in sorted(generator.choice(len(names), settings.columns, replace=False))
        }
        for _ in range(settings.queries)
    ]


def _ordered(domain: Domain) -> Sequence[int] | Integers:
    """The values of the codebook: numbers ascending, else as the hierarchy has them, else by text."""
    numbers = numbers_of(domain)
    if numbers is not None:
        return np.argsort(numbers[: domain.size], kind="stable")
    labels = domain.column.labels
    return range(domain.size) if domain.hierarchy else sorted(range(domain.size), key=lambda place: labels[place] or "")


def _drawn(domain: Domain, order: Sequence[int] | Integers, share: float, generator: np.random.Generator) -> Asked:
    number = min(len(order), math.ceil(len(order) * share - 1e-9))
    numbers, labels = numbers_of(domain), domain.column.labels
    if numbers is not None:
        start = int(generator.integers(0, len(order) - number + 1))
        return Asked(low=float(numbers[order[start]]), high=float(numbers[order[start + number - 1]]))
    places = generator.choice(len(order), number, replace=False)
    return Asked(tuple(labels[order[place]] or "" for place in sorted(places)))


def query_text(query: Query) -> str:
    """A query as a name: "age 20 to 42; sex Female"."""
    return "; ".join(
        f"{name} {exact_number(asked.low)} to {exact_number(asked.high)}"
        if asked.is_range
        else f"{name} {abbreviated_names(asked.values, 'or')}"
        for name, asked in query.items()
    )


def written_query(where: Mapping[str, Sequence[str]], domains: Mapping[str, Domain]) -> Query:
    """A query as a file of analyses writes it: two numbers are the ends of a range, other texts are values.

    Raises Unavailable where a value is none of the domain.
    """
    return {name: _written(domains[name], asked) for name, asked in where.items()}


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
    unknown = [value for value, found in known.items() if found is None]
    if unknown:
        raise Unavailable(text("count_queries.unavailable.unknown_value", column=column.name, value=unknown[0]))
    return Asked(tuple(value for value in known.values() if value is not None))
