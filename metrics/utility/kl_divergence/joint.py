"""How many records an anonymized table lets expect of each combination of the original's quasi-identifiers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metrics.counting.classes import EquivalenceClasses
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.tables.dictionary_codes import arrow_of, indices_in
from metrics.tables.table import Floats, Integers
from metrics.texts import text
from metrics.utility.cells.numbered_domain import NumberedDomain

_LARGEST_KEY = 2**62
_MAX_LOOKUPS = 2 * 10**8
"""Tuples times combinations of groups times columns: more would take seconds."""


@dataclass(frozen=True, eq=False)
class Joint:
    """The distinct combinations of the original's quasi-identifiers; arrays hold one entry per combination."""

    elements: tuple[Integers, ...]
    """Per column: the element of the combination."""
    counts: Integers
    log_expected: Floats
    """Logarithm of the records expected from the anonymized table; minus infinity for none."""


def nothing_expected(original: Combinations, domains: Sequence[NumberedDomain]) -> Joint:
    """The original's combinations, with no records expected; `domains` are in the order of the columns."""
    elements, counts = _counts_by_element(original, domains)
    return Joint(elements, counts, np.full(len(counts), -math.inf))


def with_classes(both: Joint, classes: EquivalenceClasses, domains: Sequence[NumberedDomain]) -> Joint:
    """Add the records expected from classes, each spread evenly over all combinations that its values cover.

    Raises Unavailable where the values of the classes stand in too many combinations of levels to look up all of them.
    """
    elements, counts = both.elements, both.counts
    log_density = np.log(classes.sizes.astype(np.float64))
    for code, domain in zip(classes.codes, domains, strict=True):
        log_density -= np.log(domain.coverage.covered)[code]
    expected = both.log_expected.copy()
    kinds = _kinds(classes, domains)
    if len(kinds) * len(counts) * len(domains) > _MAX_LOOKUPS:
        reason = text("kl_divergence.unavailable.too_many_levels", kinds=len(kinds), combinations=len(counts))
        raise Unavailable(reason)
    for members in kinds:
        class_of = _looked_up(_covering_codes(classes, members, domains, elements), len(counts), len(members))
        covered = np.flatnonzero(class_of >= 0)
        density = log_density[members][class_of[covered]]
        none_yet = np.isneginf(expected[covered])
        expected[covered] = density if none_yet.all() else np.logaddexp(expected[covered], density)
    return replace(both, log_expected=expected)


def with_suppressed(both: Joint, domains: Sequence[NumberedDomain], suppressed: int) -> Joint:
    """Add records that are spread evenly over the whole domain."""
    if not suppressed:
        return both
    everywhere = math.log(suppressed) - math.fsum(math.log(domain.coverage.size) for domain in domains)
    return replace(both, log_expected=np.logaddexp(both.log_expected, everywhere))


def _kinds(classes: EquivalenceClasses, domains: Sequence[NumberedDomain]) -> list[Integers]:
    """The classes by the groups that their values are in; those that cover nothing original left out."""
    kind = np.zeros(classes.count, dtype=np.int64)
    uncovered = np.zeros(classes.count, dtype=bool)
    space = 1
    for code, domain in zip(classes.codes, domains, strict=True):
        if len(domain.groups) == 1 and (domain.group_of >= 0).all():
            continue
        if space * (len(domain.groups) + 1) >= _LARGEST_KEY:
            distinct, kind = np.unique(kind, return_inverse=True)
            space = len(distinct)
        group = domain.group_of[code]
        uncovered |= group < 0
        kind = kind * (len(domain.groups) + 1) + group + 1
        space *= len(domain.groups) + 1
    covering = np.flatnonzero(~uncovered)
    if not len(covering):
        return []
    if (kind[covering] == kind[covering[0]]).all():
        return [covering]
    order = covering[np.argsort(kind[covering], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(kind[order])) + 1)


def _counts_by_element(
    original: Combinations, domains: Sequence[NumberedDomain]
) -> tuple[tuple[Integers, ...], Integers]:
    """The original's combinations by element: values of one element, such as 1 and 1.0, are one."""
    elements = tuple(domain.element[code] for domain, code in zip(domains, original.codes, strict=True))
    if all(len(np.unique(domain.element)) == len(domain.element) for domain in domains):
        return elements, original.counts
    distinct, inverse = np.unique(np.stack(elements), axis=1, return_inverse=True)
    return tuple(distinct), np.bincount(inverse.ravel(), weights=original.counts).astype(np.int64)


def _covering_codes(
    classes: EquivalenceClasses, members: Integers, domains: Sequence[NumberedDomain], elements: Sequence[Integers]
) -> Iterator[tuple[Integers, Integers]]:
    """Per column the code that would cover each original combination, and the codes of some classes of one kind."""
    for code, domain, element in zip(classes.codes, domains, elements, strict=True):
        member_codes = code[members].astype(np.int64)
        yield domain.groups[int(domain.group_of[member_codes[0]])][element], member_codes


def _looked_up(columns: Iterable[tuple[Integers, Integers]], sought_tuples: int, known_tuples: int) -> Integers:
    """For each tuple of the columns' first arrays its position among those of their second arrays; else -1.

    The second ones are distinct and hold no -1.
    """
    keys, sought_keys = np.zeros(known_tuples, dtype=np.int64), np.zeros(sought_tuples, dtype=np.int64)
    absent = np.zeros(sought_tuples, dtype=bool)
    space = 1
    for sought_codes, known_codes in columns:
        if len(known_codes) and (known_codes == known_codes[0]).all() and (sought_codes == known_codes[0]).all():
            continue
        width = int(max(sought_codes.max(initial=0), known_codes.max(initial=0))) + 1
        if space * width >= _LARGEST_KEY:
            distinct = np.unique(keys)
            keys, sought_keys, space = np.searchsorted(distinct, keys), _position(sought_keys, distinct), len(distinct)
            absent |= sought_keys < 0
        keys *= width
        keys += known_codes
        sought_keys *= width
        sought_keys += sought_codes
        absent |= sought_codes < 0
        space *= width
    positions = _position(sought_keys, keys)
    positions[absent] = -1
    return positions


def _position(sought_keys: Integers, among: Integers) -> Integers:
    if len(among) == 1:
        return np.where(sought_keys == among[0], 0, -1)
    return indices_in(arrow_of(sought_keys), arrow_of(among)).astype(np.int64)
