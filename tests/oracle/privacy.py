"""k-anonymity, l-diversity, t-closeness and P_29, class by class."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Generic, TypeVar

from tests.oracle.classes import Cell, Key, Record, equivalence_classes, kept_records
from tests.oracle.distance import equal_distance, hierarchical_distance, ordered_distance
from tests.oracle.hierarchy import Rows
from tests.oracle.numerals import exact, number

Figure = TypeVar("Figure")
Distribution = dict[Cell, Fraction]


@dataclass(frozen=True)
class Judged(Generic[Figure]):
    """One figure for the table and the figures of its classes."""

    value: Figure
    per_class: dict[Key, Figure]


def distribution(records: Sequence[Record], attribute: str) -> Distribution:
    """The share of every value of an attribute; a missing value is a value of its own."""
    counts = Counter([record[attribute] for record in records])
    return {value: Fraction(count, len(records)) for value, count in counts.items()}


def _each_class(
    records: Sequence[Record], quasi_identifiers: Sequence[str], judge: Callable[[list[Record]], Figure]
) -> dict[Key, Figure]:
    judged = {key: judge(members) for key, members in equivalence_classes(records, quasi_identifiers)}
    if not judged:
        raise ValueError("there is no equivalence class")
    return judged


def k_anonymity(records: Sequence[Record], quasi_identifiers: Sequence[str]) -> Judged[int]:
    """The size of the smallest class, and all sizes."""
    sizes = _each_class(records, quasi_identifiers, len)
    return Judged(min(sizes.values()), sizes)


def distinct_l_diversity(records: Sequence[Record], quasi_identifiers: Sequence[str], sensitive: str) -> Judged[int]:
    """The smallest number of different sensitive values in a class."""
    distinct = _each_class(records, quasi_identifiers, lambda members: len({record[sensitive] for record in members}))
    return Judged(min(distinct.values()), distinct)


def _entropy(shares: Distribution, logarithm: Callable[[float], float]) -> float:
    return math.fsum(-float(share) * logarithm(float(share)) for share in shares.values())


def entropy_l_diversity(records: Sequence[Record], quasi_identifiers: Sequence[str], sensitive: str) -> Judged[float]:
    """The smallest exp(H), H in nats; not truncated."""
    figures = _each_class(
        records,
        quasi_identifiers,
        lambda members: math.exp(_entropy(distribution(members, sensitive), math.log)),
    )
    return Judged(min(figures.values()), figures)


def _normalized_entropy(members: Sequence[Record], sensitive: str) -> float:
    shares = distribution(members, sensitive)
    return 0.0 if len(shares) == 1 else _entropy(shares, math.log2) / math.log2(len(shares))


def normalized_entropy_l_diversity(
    records: Sequence[Record], quasi_identifiers: Sequence[str], sensitive: str
) -> Judged[float]:
    """The smallest H/log2(number of different values in the class), H in bits; 0 where there is one value."""

    figures = _each_class(records, quasi_identifiers, lambda members: _normalized_entropy(members, sensitive))
    return Judged(min(figures.values()), figures)


def recursive_cl_diversity(
    records: Sequence[Record],
    quasi_identifiers: Sequence[str],
    sensitive: str,
    l: int = 2,  # noqa: E741
) -> Judged[Fraction | None]:
    """The infimum of the c for which r_1 < c (r_l + ... + r_m), r_1 the most frequent: every larger c holds.

    None where the sum is empty, for the class and so for the table: no c holds.
    """
    if l < 1:
        raise ValueError("l starts at 1")

    def smallest_c(members: list[Record]) -> Fraction | None:
        counts = sorted(Counter(record[sensitive] for record in members).values(), reverse=True)
        tail = sum(counts[l - 1 :])
        return Fraction(counts[0], tail) if tail else None

    figures = _each_class(records, quasi_identifiers, smallest_c)
    known = [figure for figure in figures.values() if figure is not None]
    return Judged(max(known) if len(known) == len(figures) else None, figures)


def ground_distance_of(
    records: Sequence[Record],
    quasi_identifiers: Sequence[str],
    sensitive: str,
    hierarchies: Mapping[str, Rows] | None = None,
) -> str:
    """`ordered` if all kept values are numbers, else `hierarchical` if there is a hierarchy, else `equal`."""
    values = {record[sensitive] for record in kept_records(records, quasi_identifiers)}
    if all(number(value) is not None for value in values):
        return "ordered"
    return "hierarchical" if sensitive in (hierarchies or {}) else "equal"


def t_closeness(
    records: Sequence[Record],
    quasi_identifiers: Sequence[str],
    sensitive: str,
    ground: str,
    hierarchy: Rows | None = None,
) -> Judged[Fraction]:
    """The largest distance of a class to all kept records; `ground`: `equal`, `ordered` or `hierarchical`."""
    whole = distribution(kept_records(records, quasi_identifiers), sensitive)

    def distance(members: list[Record]) -> Fraction:
        part = distribution(members, sensitive)
        if ground == "equal":
            return equal_distance(part, whole)
        if ground == "ordered":
            return ordered_distance(part, whole)
        if ground == "hierarchical" and hierarchy is not None:
            return hierarchical_distance(part, whole, hierarchy)
        raise ValueError("the ground distance is equal, ordered, or hierarchical with a hierarchy")

    distances = _each_class(records, quasi_identifiers, distance)
    return Judged(max(distances.values()), distances)


@dataclass(frozen=True)
class P29:
    """The score, its parts, and every violating class with its reasons.

    A reason is ("k", None), ("l", attribute) or ("t", attribute).
    """

    score: float
    k_min: int
    nk: Fraction
    nl: float
    nt: Fraction
    nl_per_attribute: dict[str, float]
    nt_per_attribute: dict[str, Fraction]
    smallest_l: float
    largest_t: Fraction
    violating_classes: dict[Key, list[tuple[str, str | None]]]
    violating_records: int


def p29(
    records: Sequence[Record],
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str],
    w_k: str | float | Decimal = "0.5",
    w_l: str | float | Decimal = "0.25",
    w_t: str | float | Decimal = "0.25",
    t_max: str | float | Decimal = "0.5",
) -> P29:
    """P_29 with equal ground distance for every attribute; 0 as soon as one class breaks one gate."""
    if not sensitive:
        raise ValueError("P_29 requires a sensitive attribute")
    weight_k, weight_l, weight_t = exact(w_k), exact(w_l), exact(w_t)
    if min(weight_k, weight_l, weight_t) < 0 or weight_k + weight_l + weight_t != 1:
        raise ValueError("the weights are not negative and sum to 1")
    # Grouped once, since the published table has 100,000 records.
    kept = kept_records(records, quasi_identifiers)
    classes = dict(equivalence_classes(kept, quasi_identifiers))
    if not classes:
        raise ValueError("there is no equivalence class")
    sizes = {key: len(members) for key, members in classes.items()}
    k_min = min(sizes.values())
    violating: dict[Key, list[tuple[str, str | None]]] = {
        key: [("k", None)] if size == 1 else [] for key, size in sizes.items()
    }
    nl_per_attribute: dict[str, float] = {}
    nt_per_attribute: dict[str, Fraction] = {}
    all_l: list[float] = []
    all_t: list[Fraction] = []
    for attribute in sensitive:
        whole = distribution(kept, attribute)
        shares = {key: distribution(members, attribute) for key, members in classes.items()}
        l_of = {key: _normalized_entropy(members, attribute) for key, members in classes.items()}
        t_of = {key: equal_distance(part, whole) for key, part in shares.items()}
        for key, reasons in violating.items():
            if len(shares[key]) == 1:
                reasons.append(("l", attribute))
            if t_of[key] > exact(t_max):
                reasons.append(("t", attribute))
        lowest, highest = min(t_of.values()), max(t_of.values())
        scaled = [(t - lowest) / (highest - lowest) if highest > lowest else Fraction(0) for t in t_of.values()]
        nl_per_attribute[attribute] = math.fsum(l_of.values()) / len(l_of)
        nt_per_attribute[attribute] = sum(scaled, Fraction(0)) / len(scaled)
        all_l.extend(l_of.values())
        all_t.extend(t_of.values())
    violating = {key: reasons for key, reasons in violating.items() if reasons}
    nk = Fraction(1, k_min)
    nl = math.fsum(nl_per_attribute.values()) / len(sensitive)
    nt = sum(nt_per_attribute.values(), Fraction(0)) / len(sensitive)
    score = float(weight_k * (1 - nk) + weight_t * (1 - nt)) + float(weight_l) * nl
    return P29(
        score=0.0 if violating else score,
        k_min=k_min,
        nk=nk,
        nl=nl,
        nt=nt,
        nl_per_attribute=nl_per_attribute,
        nt_per_attribute=nt_per_attribute,
        smallest_l=min(all_l),
        largest_t=max(all_t),
        violating_classes=violating,
        violating_records=sum(sizes[key] for key in violating),
    )
