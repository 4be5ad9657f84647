"""Count queries and k-marginals, record by record and cell by cell."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from tests.oracle.classes import SUPPRESSED, Cell, Record
from tests.oracle.hierarchy import Rows, with_root
from tests.oracle.numerals import integer_interval, plain_number

ELSEWHERE = "(outside the domain)"


class Codebook:
    """The domain of each column, and the values of it that each label covers; None for an unknown cell."""

    def __init__(
        self, original: Sequence[Record], released: Sequence[Record], hierarchies: Mapping[str, Rows] | None = None
    ) -> None:
        self.rooted = {name: with_root(rows) for name, rows in (hierarchies or {}).items()}
        self.domains: dict[str, list[str]] = {}
        self._known: dict[tuple[str, Cell], frozenset[str] | None] = {}
        for name in original[0]:
            values = {cell for record in original if (cell := record[name]) and cell != SUPPRESSED}
            written = values | {cell for record in released if (cell := record[name]) and cell != SUPPRESSED}
            intervals = [interval for cell in written if (interval := integer_interval(cell))]
            if name in self.rooted:
                domain = [row[0] for row in self.rooted[name]]
            elif values and len(intervals) == len(written) and all(plain_number(cell) is not None for cell in values):
                bounds = [end for interval in intervals for end in interval]
                domain = [str(value) for value in range(min(bounds), max(bounds) + 1)]
            else:
                domain = sorted(values)
            numbers = {value: n for value in domain if (n := plain_number(value)) is not None}
            self.domains[name] = sorted(domain, key=numbers.__getitem__) if len(numbers) == len(domain) else domain

    def covers(self, name: str, cell: Cell) -> frozenset[str] | None:
        """What a cell covers, by its hierarchy, its value or the integers of its interval; nothing where none knows."""
        if (name, cell) not in self._known:
            found = None if cell is None or cell == SUPPRESSED else frozenset(self._covered(name, cell))
            is_all = found is not None and len(found) == len(self.domains[name]) > 1
            self._known[name, cell] = None if is_all else found
        return self._known[name, cell]

    def _covered(self, name: str, cell: str) -> list[str]:
        for level in zip(*self.rooted.get(name, []), strict=True):
            if cell in level:
                leaves = next(zip(*self.rooted[name], strict=True))
                return [leaf for leaf, label in zip(leaves, level, strict=True) if label == cell]
        domain = self.domains[name]
        equal = [value for value in domain if value == cell or is_same_number(value, cell)]
        interval = integer_interval(cell)
        if equal or interval is None:
            return equal
        return [value for value in domain if (n := plain_number(value)) is not None and interval[0] <= n <= interval[1]]


def is_same_number(one: str, other: str) -> bool:
    """Whether two texts write one number, as 34 and 34.0 do."""
    return plain_number(one) is not None and plain_number(one) == plain_number(other)


# Count queries

Query = Mapping[str, Sequence[str] | tuple[float, float]]
"""By column the values asked for; a tuple is a range of numbers."""


@dataclass(frozen=True)
class Answer:
    """The answer to a query: the estimate, the bounds, and the count in the original."""

    true: int
    estimate: float
    smallest: int
    largest: int
    nothing_known: float

    def error(self, rows: int) -> float:
        """The relative error, with the sanity bound."""
        return abs(self.estimate - self.true) / max(self.true, 0.001 * rows)


def is_asked_for(value: Cell, asked: Sequence[str] | tuple[float, float]) -> bool:
    """Whether a value is one of those asked for."""
    if value is None or value == SUPPRESSED:
        return False
    if isinstance(asked, tuple):
        written = plain_number(value)
        return written is not None and asked[0] <= written <= asked[1]
    return any(value == one or is_same_number(value, one) for one in asked)


def answer(query: Query, original: Sequence[Record], released: Sequence[Record], book: Codebook) -> Answer:
    """The answer of a recipient who spreads each label over what it covers."""
    true = sum(all(is_asked_for(record[name], asked) for name, asked in query.items()) for record in original)
    estimates, smallest, largest = [], 0, 0
    for cells, count in Counter(tuple(record[name] for name in query) for record in released).items():
        parts = [_part(name, cell, asked, book) for (name, asked), cell in zip(query.items(), cells, strict=True)]
        estimates.append(count * math.prod(parts))
        smallest += count * all(part == 1 for part in parts)
        largest += count * all(part > 0 for part in parts)
    nothing_known = math.prod(_part(name, None, asked, book) for name, asked in query.items())
    return Answer(true, float(sum(estimates)), smallest, largest, float(len(original) * nothing_known))


def _part(name: str, cell: Cell, asked: Sequence[str] | tuple[float, float], book: Codebook) -> Fraction:
    """The part of what a cell covers that is asked for; a number outside the domain is asked for itself."""
    covered: Sequence[Cell] = sorted(book.domains[name] if (found := book.covers(name, cell)) is None else found)
    covered = covered or ([cell] if plain_number(cell) is not None else [])
    return Fraction(sum(is_asked_for(value, asked) for value in covered), max(len(covered), 1))


# k-marginals


def _mass(
    table: Sequence[Record], names: Sequence[str], spread: Sequence[Callable[[Cell], Mapping[str, float] | None]]
) -> dict[tuple[str, ...], float]:
    """The share of each cell, each record spread over several; empty where no record is known in all columns."""
    counted = Counter(tuple(record[name] for name in names) for record in table)
    mass: dict[tuple[str, ...], list[float]] = {}
    rows = 0
    for cells, count in counted.items():
        parts = [one(cell) for one, cell in zip(spread, cells, strict=True)]
        if any(part is None for part in parts):
            continue
        rows += count
        for cell in product(*(part.items() for part in parts if part is not None)):
            mass.setdefault(tuple(value for value, _ in cell), []).append(count * math.prod(share for _, share in cell))
    return {cell: math.fsum(parts) / rows for cell, parts in mass.items()}


@dataclass(frozen=True)
class Marginals:
    """The score, that of a sample of each share, and the least share of at least this score."""

    score: float
    l1: dict[tuple[str, ...], float]
    sampled: Callable[[float], float]

    @property
    def equals_sample(self) -> float:
        """By trying every step."""
        steps = (step for step in range(1, 1001) if self.sampled(step / 1000) >= self.score - 1e-9)
        least = next(steps)
        return 0.0 if least == 1 else least / 1000


def deviation(rows: int, marked: int, drawn: int) -> float:
    """The mean absolute deviation of a hypergeometric variable, by its definition."""
    mean = Fraction(drawn * marked, rows)
    total = math.comb(rows, drawn)
    return float(
        sum(
            Fraction(math.comb(marked, x) * math.comb(rows - marked, drawn - x), total) * abs(x - mean)
            for x in range(max(0, drawn - rows + marked), min(marked, drawn) + 1)
        )
    )


def blocks_of(name: str, released: Sequence[Record], book: Codebook) -> dict[str, str]:
    """By value of the domain its block: the values that every label covers alike; one where no cell is known."""
    labels = [book.covers(name, cell) for cell in dict.fromkeys(record[name] for record in released)]
    known = [covered for covered in labels if covered is not None]
    if not known:
        return dict.fromkeys(book.domains[name], "all")
    blocks = {}
    for value in book.domains[name]:
        pattern = tuple(value in covered for covered in known)
        blocks[value] = str(pattern) if any(pattern) else value
    return blocks


def marginals(
    original: Sequence[Record],
    released: Sequence[Record],
    names: Sequence[str],
    k: int,
    book: Codebook,
    *,
    sets: Sequence[tuple[str, ...]] | None = None,
    as_released: bool = False,
    all_suppressed: bool = False,
) -> Marginals | None:
    """SDNist's score of every set of k columns under the uniform spread; by blocks for `as_released`."""
    group = {
        name: blocks_of(name, released, book) if as_released else {value: value for value in book.domains[name]}
        for name in names
    }

    def spread(name: str, table: Sequence[Record], suppressed: bool) -> Callable[[Cell], Mapping[str, float] | None]:
        lost = suppressed or all(book.covers(name, record[name]) is None for record in table)

        def of_cell(cell: Cell) -> Mapping[str, float] | None:
            covered = frozenset(book.domains[name]) if lost else book.covers(name, cell)
            if covered is None:
                return None
            shares: dict[str, float] = {}
            for value in covered:
                shares[group[name][value]] = shares.get(group[name][value], 0.0) + 1 / len(covered)
            return shares or {ELSEWHERE: 1.0}

        return of_cell

    l1: dict[tuple[str, ...], float] = {}
    counts: list[tuple[int, Counter[int]]] = []
    for chosen in combinations(names, k) if sets is None else sets:
        if as_released and math.prod(len(set(group[name].values())) for name in chosen) == 1:
            continue
        before = _mass(original, chosen, [spread(name, original, False) for name in chosen])
        after = _mass(released, chosen, [spread(name, released, all_suppressed) for name in chosen])
        cells = before.keys() | after.keys()
        l1[chosen] = math.fsum(abs(before.get(c, 0) - after.get(c, 0)) for c in cells) if after else 2.0
        rows = sum(all(book.covers(name, record[name]) is not None for name in chosen) for record in original)
        counts.append((rows, Counter(round(share * rows) for share in before.values())))
    if not l1:
        return None

    def sampled(share: float) -> float:
        means = []
        for rows, sizes in counts:
            drawn = max(1, math.floor(share * rows + 0.5))
            means.append(math.fsum(n * closed_form(rows, size, drawn) / drawn for size, n in sizes.items()))
        return 500 * (2 - math.fsum(means) / len(means))

    return Marginals(500 * (2 - math.fsum(l1.values()) / len(l1)), l1, sampled)


@cache
def closed_form(rows: int, marked: int, drawn: int) -> float:
    """The same deviation in closed form; `math.lgamma` keeps it quick in tables of thousands."""
    v = drawn * marked // rows + 1
    if v > min(marked, drawn) or drawn - v > rows - marked:
        return 0.0

    def log_comb(n: int, r: int) -> float:
        return math.lgamma(n + 1) - math.lgamma(r + 1) - math.lgamma(n - r + 1)

    log_p = log_comb(marked, v) + log_comb(rows - marked, drawn - v) - log_comb(rows, drawn)
    return 2 * v * (rows - marked - drawn + v) / rows * math.exp(log_p)
