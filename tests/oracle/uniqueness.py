"""Uniqueness in the sample and in the population, and which columns single records out; record by record."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tests.oracle.classes import Record, equivalence_classes, kept_records


def sample_uniqueness(records: Sequence[Record], quasi_identifiers: Sequence[str]) -> Fraction:
    """Records alone in their class over records in classes."""
    sizes = [len(members) for _, members in equivalence_classes(records, quasi_identifiers)]
    if not sizes:
        raise ValueError("there is no equivalence class")
    return Fraction(sizes.count(1), sum(sizes))


def zayatz(sizes: Sequence[int], population: int) -> Fraction:
    """Expected population uniques by Bayes' rule, exactly."""
    drawn, counts = sum(sizes), Counter(sizes)

    def one_of(size: int) -> Fraction:
        """The hypergeometric probability that exactly one of `size` people is among those drawn."""
        return Fraction(size * math.comb(population - size, drawn - 1), math.comb(population, drawn))

    whole = sum(Fraction(count, len(sizes)) * one_of(size) for size, count in counts.items())
    chance = Fraction(counts[1], len(sizes)) * one_of(1) / whole
    return counts[1] * chance * population / drawn


def pitman_slopes(sizes: Sequence[int], theta: float, alpha: float) -> tuple[float, float]:
    """Derivatives of Pitman's log likelihood by θ and α, term by term, over the sum of their terms' amounts."""
    by_theta = [1 / (theta + i * alpha) for i in range(1, len(sizes))] + [
        -1 / (theta + i) for i in range(1, sum(sizes))
    ]
    by_alpha = [i / (theta + i * alpha) for i in range(1, len(sizes))]
    by_alpha += [-count / (j - alpha) for size, count in Counter(sizes).items() for j in range(1, size)]
    first, second = (math.fsum(terms) / math.fsum(map(abs, terms)) for terms in (by_theta, by_alpha))
    return first, second


def pitman_log_likelihood(sizes: Sequence[int], theta: float, alpha: float) -> float:
    """ln of Pitman's probability of these class sizes, but for what does not depend on θ and α."""
    terms = [math.log(theta + i * alpha) for i in range(1, len(sizes))]
    terms += [-math.log(theta + i) for i in range(1, sum(sizes))]
    terms += [count * math.log(j - alpha) for size, count in Counter(sizes).items() for j in range(1, size)]
    return math.fsum(terms)


def snb_expectations(f: float, alpha: float, beta: float, longest: int) -> tuple[float, float]:
    """Expected c_1 and c_2 per population class whose size is 1 more than a negative binomial (α, β), summed up."""
    ones, twos = [], []
    for size in range(1, longest):
        log = math.lgamma(alpha + size - 1) - math.lgamma(alpha) - math.lgamma(size)
        probability = math.exp(log + alpha * math.log(beta) + (size - 1) * math.log1p(-beta))
        ones.append(probability * size * f * (1 - f) ** (size - 1))
        twos.append(probability * math.comb(size, 2) * f**2 * (1 - f) ** (size - 2) if size > 1 else 0.0)
    return math.fsum(ones), math.fsum(twos)


def distinction_and_separation(
    records: Sequence[Record], quasi_identifiers: Sequence[str], columns: Sequence[str]
) -> tuple[Fraction, Fraction]:
    """Different values of the columns per record; pairs of records that differ in them, over all pairs (0 of none)."""
    rows = [tuple(record[name] for name in columns) for record in kept_records(records, quasi_identifiers)]
    pairs = list(combinations(rows, 2))
    apart = sum(one != other for one, other in pairs)
    return Fraction(len(set(rows)), len(rows)), Fraction(apart, len(pairs)) if pairs else Fraction(0)


def minimal_sample_uniques(
    records: Sequence[Record], quasi_identifiers: Sequence[str], most: int
) -> list[list[frozenset[str]]]:
    """For each kept record every smallest set of at most `most` columns by which it is unique."""
    rows = kept_records(records, quasi_identifiers)

    def unique(row: Record, columns: Sequence[str]) -> bool:
        return sum(all(other[name] == row[name] for name in columns) for other in rows) == 1

    found = []
    for row in rows:
        own: list[frozenset[str]] = []
        for size in range(1, most + 1):
            for columns in combinations(quasi_identifiers, size):
                if not any(less <= set(columns) for less in own) and unique(row, columns):
                    own.append(frozenset(columns))
        found.append(own)
    return found


@dataclass(frozen=True)
class Suda:
    """Scores of the kept records in their order, and each column's part in the sum of all scores."""

    msus: list[list[frozenset[str]]]
    scores: list[int]
    dis: float | None
    dis_scores: list[float]
    contributions: dict[str, Fraction]


def suda(records: Sequence[Record], quasi_identifiers: Sequence[str], most: int, fraction: float) -> Suda:
    """SUDA and DIS-SUDA scores as published; `most` at most the number of columns."""
    width = len(quasi_identifiers)
    msus = minimal_sample_uniques(records, quasi_identifiers, most)

    def weight(size: int) -> int:
        return math.prod(width - i for i in range(size, most + 1) if i < width)

    scores = [sum(weight(len(columns)) for columns in own) for own in msus]
    sizes = [len(members) for _, members in equivalence_classes(records, quasi_identifiers)]
    uniques, pairs = sizes.count(1), 2 * sizes.count(2)
    dis = uniques * fraction / (uniques * fraction + pairs * (1 - fraction)) if uniques else None
    power = 1 + (8 - width) / 20
    adjusted = math.fsum(score**-power for score in scores if score)
    dis_scores = [
        1 / (1 + (uniques / dis - uniques) / (score**power * adjusted)) if score and dis else 0.0 for score in scores
    ]
    contributions = {
        name: Fraction(sum(weight(len(one)) for own in msus for one in own if name in one), sum(scores) or 1)
        for name in quasi_identifiers
    }
    return Suda(msus, scores, dis, dis_scores, contributions)
