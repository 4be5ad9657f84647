"""Precision, granularity, discernibility, average class size and empty cells, record by record, in exact fractions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.classes import SUPPRESSED, Record, is_suppressed
from tests.oracle.hierarchy import Rows, level_of, with_root
from tests.oracle.utility import coverage


@dataclass(frozen=True)
class Loss:
    """The score (1 = nothing lost), its raw figure, and both per column."""

    score: Fraction
    raw: Fraction
    scores: dict[str, Fraction]
    raws: dict[str, Fraction]


def _mean(figures: Sequence[Fraction]) -> Fraction:
    return sum(figures, Fraction(0)) / len(figures)


def precision(anonymized: Sequence[Record], quasi_identifiers: Sequence[str], hierarchies: Mapping[str, Rows]) -> Loss:
    """1 - mean of level / (levels - 1); a suppressed record is 1 in every column."""
    heights: dict[str, Fraction] = {}
    for name in quasi_identifiers:
        rooted = with_root(hierarchies[name])
        top = len(rooted[0]) - 1
        cells = []
        for record in anonymized:
            if is_suppressed(record, quasi_identifiers):
                cells.append(Fraction(1))
            else:
                cells.append(Fraction(level_of(record[name], rooted), top) if top else Fraction(0))
        heights[name] = _mean(cells)
    raw = _mean(list(heights.values()))
    return Loss(1 - raw, raw, {name: 1 - height for name, height in heights.items()}, heights)


def granularity(
    original: Sequence[Record],
    anonymized: Sequence[Record],
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Rows],
) -> Loss:
    """1 less the mean share of the domain that a cell covers, between the least share and 1."""
    shares: dict[str, Fraction] = {}
    least: dict[str, Fraction] = {}
    for name in quasi_identifiers:
        before = {record[name] for record in original}
        after = {record[name] for record in anonymized}
        size, covered = coverage(before, after, hierarchies.get(name))
        cells = []
        for record in anonymized:
            lost = is_suppressed(record, quasi_identifiers)
            cells.append(Fraction(1) if lost else Fraction(covered[record[name]], size))
        shares[name], least[name] = _mean(cells), Fraction(1, size)

    def normalized(share: Fraction, smallest: Fraction) -> Fraction:
        return Fraction(1) if smallest == 1 else 1 - (share - smallest) / (1 - smallest)

    scores = {name: normalized(shares[name], least[name]) for name in shares}
    return Loss(_mean(list(scores.values())), _mean(list(shares.values())), scores, shares)


@dataclass(frozen=True)
class Between:
    """A figure between that of the original and the worst, and what it makes as a score."""

    raw: Fraction
    raw_original: Fraction
    score: Fraction


def _between(raw: Fraction, best: Fraction, worst: int) -> Between:
    score = Fraction(1) if worst == best else 1 - (raw - best) / (worst - best)
    return Between(raw, best, min(max(score, Fraction(0)), Fraction(1)))


def _sizes(records: Sequence[Record], quasi_identifiers: Sequence[str]) -> list[int]:
    """For each record the size of its class; 0 where it is suppressed."""
    keys = [tuple(record[name] for name in quasi_identifiers) for record in records]
    size = Counter(keys)
    return [0 if set(key) == {SUPPRESSED} else size[key] for key in keys]


def discernibility(
    original: Sequence[Record], anonymized: Sequence[Record], quasi_identifiers: Sequence[str]
) -> Between:
    """Sum over records of the size of their class, of all records where suppressed."""
    now, before = (
        Fraction(sum(size or len(records) for size in _sizes(records, quasi_identifiers)))
        for records in (anonymized, original)
    )
    return _between(now, before, len(anonymized) ** 2)


def average_class_size(
    original: Sequence[Record], anonymized: Sequence[Record], quasi_identifiers: Sequence[str]
) -> Between | None:
    """Kept records over classes; None where a table has no class."""
    means = []
    for records in (anonymized, original):
        sizes = [size for size in _sizes(records, quasi_identifiers) if size]
        if not sizes:
            return None
        # Each class is met once per record in it.
        means.append(Fraction(len(sizes)) / sum(Fraction(1, size) for size in sizes))
    return _between(means[0], means[1], len(anonymized))


def empty_cells(records: Sequence[Record], quasi_identifiers: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Per column the suppressed cells, and those missing or blank."""
    return {
        name: (
            sum(record[name] == SUPPRESSED for record in records),
            sum(record[name] in (None, "") for record in records),
        )
        for name in quasi_identifiers
    }
