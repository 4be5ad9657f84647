"""(α,k)-anonymity, β-likeness and δ-disclosure, class by class; and any figure where other attributes are known."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracle.classes import Key, Record, equivalence_classes, kept_records
from tests.oracle.privacy import Distribution, Judged, distribution


def _each_class(
    records: Sequence[Record],
    quasi_identifiers: Sequence[str],
    sensitive: str,
    judge: Callable[[Distribution, Distribution], Any],
) -> dict[Key, Any]:
    """What `judge` says of the distributions of each class and of all kept records."""
    whole = distribution(kept_records(records, quasi_identifiers), sensitive)
    return {
        key: judge(distribution(members, sensitive), whole)
        for key, members in equivalence_classes(records, quasi_identifiers)
    }


def alpha_k_anonymity(records: Sequence[Record], quasi_identifiers: Sequence[str], sensitive: str) -> Judged[Fraction]:
    """The largest share of a value in a class."""
    figures = _each_class(records, quasi_identifiers, sensitive, lambda part, whole: max(part.values()))
    return Judged(max(figures.values()), figures)


def basic_beta_likeness(
    records: Sequence[Record], quasi_identifiers: Sequence[str], sensitive: str
) -> Judged[Fraction]:
    """The largest (p_s - q_s)/q_s of a value in a class, over all values of the table."""

    def beta(part: Distribution, whole: Distribution) -> Fraction:
        return max((part.get(value, Fraction(0)) - q) / q for value, q in whole.items())

    figures = _each_class(records, quasi_identifiers, sensitive, beta)
    return Judged(max(figures.values()), figures)


def enhanced_beta_likeness(
    records: Sequence[Record], quasi_identifiers: Sequence[str], sensitive: str
) -> Judged[Fraction | None]:
    """The smallest beta with (p_s - q_s)/q_s <= min(beta, -ln q_s) for every value; None where there is none."""

    def beta(part: Distribution, whole: Distribution) -> Fraction | None:
        gains = {value: (part.get(value, Fraction(0)) - q) / q for value, q in whole.items()}
        # Only for q = 1 can both sides be equal, and then both are 0.
        if any(gain > 0 and float(gain) > -math.log(whole[value]) for value, gain in gains.items()):
            return None
        return max(gains.values())

    figures = _each_class(records, quasi_identifiers, sensitive, beta)
    known = [figure for figure in figures.values() if figure is not None]
    return Judged(max(known) if len(known) == len(figures) else None, figures)


def delta_disclosure(records: Sequence[Record], quasi_identifiers: Sequence[str], sensitive: str) -> Judged[float]:
    """The largest |log2 p_s - log2 q_s| over the values that a class holds."""

    def delta(part: Distribution, whole: Distribution) -> float:
        return max(abs(math.log2(p) - math.log2(whole[value])) for value, p in part.items())

    figures = _each_class(records, quasi_identifiers, sensitive, delta)
    return Judged(max(figures.values()), figures)


def with_others_known(
    judge: Callable[[Sequence[Record], Sequence[str], str], Judged[Any]],
    worst: Callable[[list[Any]], Any],
    records: Sequence[Record],
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str],
    attribute: str,
) -> Judged[Any]:
    """A figure of classes that the other sensitive attributes divide further; a class is as bad as its worst part.

    None, no figure at all, is worse than any.
    """
    others = [name for name in sensitive if name != attribute]
    parts = judge(kept_records(records, quasi_identifiers), [*quasi_identifiers, *others], attribute).per_class
    figures: dict[Key, list[Any]] = {}
    for key, figure in parts.items():
        figures.setdefault(key[: len(quasi_identifiers)], []).append(figure)

    def of(found: list[Any]) -> Any:
        return None if None in found else worst(found)

    per_class = {key: of(found) for key, found in figures.items()}
    return Judged(of(list(per_class.values())), per_class)
