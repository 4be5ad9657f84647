"""Non-uniform entropy and ambiguity, record by record."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.classes import SUPPRESSED, Cell, Record
from tests.oracle.hierarchy import Rows, covered_leaves, generalize, level_of, with_root
from tests.oracle.numerals import integer_interval


def _check_pair(original: Sequence[Record], anonymized: Sequence[Record], quasi_identifiers: Sequence[str]) -> None:
    if len(original) != len(anonymized) or not original:
        raise ValueError("the two tables are matched by position and need the same, positive length")
    if not quasi_identifiers:
        raise ValueError("there is no quasi-identifier")


@dataclass(frozen=True)
class NonUniformEntropy:
    """The score (1 = nothing lost) and, per column, the loss and the largest loss in bits."""

    score: float
    loss: dict[str, float]
    largest_loss: dict[str, float]


def non_uniform_entropy(
    original: Sequence[Record],
    anonymized: Sequence[Record],
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Rows],
) -> NonUniformEntropy:
    """1 - sum of losses / sum of largest losses (Gionis and Tassa 2009, doi 10.1109/tkde.2008.129).

    A column without hierarchy has its original values as leaves and `*` above them.
    """
    _check_pair(original, anonymized, quasi_identifiers)
    loss: dict[str, float] = {}
    largest_loss: dict[str, float] = {}
    for name in quasi_identifiers:
        before = [record[name] for record in original]
        after = [record[name] for record in anonymized]
        leaves = [[value] for value in dict.fromkeys(before) if value is not None]
        rooted = with_root(hierarchies.get(name) or leaves or [[SUPPRESSED]])
        loss[name] = _column_loss(before, after, rooted)
        counts = Counter(before)
        largest_loss[name] = -math.fsum(math.log2(counts[value] / len(before)) for value in before)
    largest = math.fsum(largest_loss.values())
    score = 1 - math.fsum(loss.values()) / largest if largest > 0 else 1.0
    return NonUniformEntropy(score, loss, largest_loss)


def _column_loss(before: list[Cell], after: list[Cell], rooted: Rows) -> float:
    # The answers per distinct value are kept, or the table of 30,000 records would take minutes.
    level_of_value = {value: level_of(value, rooted) for value in set(after)}
    levels = [level_of_value[value] for value in after]
    terms: list[float] = []
    lower = 0
    for level in sorted(set(levels)):
        reached = [value for value, its_level in zip(before, levels, strict=True) if its_level >= level]
        narrow_of = {value: generalize(value, lower, rooted) for value in set(reached)}
        wide_of = {value: generalize(value, level, rooted) for value in set(reached)}
        narrow = Counter(narrow_of[value] for value in reached)
        wide = Counter(wide_of[value] for value in reached)
        for value in reached:
            terms.append(-math.log2(narrow[narrow_of[value]] / wide[wide_of[value]]))
        lower = level
    return math.fsum(terms)


@dataclass(frozen=True)
class Ambiguity:
    """Combinations in all records, their mean per record (1 or more), and the score (1 = nothing lost)."""

    combinations: int
    mean_combinations: Fraction
    score: Fraction


def ambiguity(
    original: Sequence[Record],
    anonymized: Sequence[Record],
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Rows],
) -> Ambiguity:
    """How many original records an anonymized one may stand for.

    Nergiz and Clifton 2007 (doi 10.1016/j.datak.2007.03.009); the score is normalized as in ARX. A missing
    value stands for itself alone. The score is 1 where no column has more than one value to lose.
    """
    _check_pair(original, anonymized, quasi_identifiers)
    count = len(anonymized)
    whole_domain = 1
    covered: dict[str, dict[Cell, int]] = {}
    for name in quasi_identifiers:
        before = {record[name] for record in original}
        after = {record[name] for record in anonymized}
        domain_size, covered[name] = coverage(before, after, hierarchies.get(name))
        whole_domain *= domain_size
    total = 0
    for record in anonymized:
        combinations = 1
        for name in quasi_identifiers:
            combinations *= covered[name][record[name]]
        total += combinations
    span = count * whole_domain - count
    score = 1 - Fraction(total - count, span) if span else Fraction(1)
    return Ambiguity(total, Fraction(total, count), score)


def coverage(before: set[Cell], after: set[Cell], hierarchy: Rows | None) -> tuple[int, dict[Cell, int]]:
    """The size of a column's domain, and how many values of it each anonymized value covers."""
    covered: dict[Cell, int] = {None: 1}
    present = after - {None}
    if hierarchy:
        rooted = with_root(hierarchy)
        covered.update({value: len(covered_leaves(value, rooted)) for value in present if value is not None})
        return len(rooted), covered
    seen = (before | after) - {None, SUPPRESSED}
    intervals = {value: integer_interval(value) for value in seen}
    known = {value: interval for value, interval in intervals.items() if interval is not None}
    if seen and len(known) == len(seen) and SUPPRESSED not in before:
        domain_size = max(high for _, high in known.values()) - min(low for low, _ in known.values()) + 1
        covered.update({value: high - low + 1 for value, (low, high) in known.items()})
    else:
        domain = before - {None}
        domain_size = max(len(domain), 1)
        if not present <= domain | {SUPPRESSED}:
            raise ValueError("what a value covers is unknown without a hierarchy")
        covered.update({value: 1 for value in present})
    covered[SUPPRESSED] = domain_size
    return domain_size, covered
