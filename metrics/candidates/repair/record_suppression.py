"""Which whole classes to suppress so that the others meet the criteria: the fewest records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.candidates.limits.criteria import Criteria
from metrics.counting.classes import Histogram
from metrics.counting.grouping import DELETED, Grouping, regroup
from metrics.tables.table import Flags, Integers

_MAX_UNDECIDED = 12
_MAX_BRANCHES = 2_000
_MAX_CELLS_LOOKED_AT = 30_000_000
_MAX_ONE_BY_ONE = 200


@dataclass(frozen=True, eq=False)
class SuppressionChoice:
    """Classes to be suppressed."""

    suppressed: Flags
    exact: bool
    """Whether no other choice with fewer records exists."""
    rounds: tuple[tuple[int, int], ...]
    """Per round: the classes that were found to violate, and their records."""


def fewest_records(histograms: Mapping[str, Histogram], sizes: Integers, criteria: Criteria) -> SuppressionChoice:
    """Choose whole classes to suppress; all of them where no class can be kept.

    Without a limit on a distance classes do not depend on each other: exactly the violating ones go, and no choice is
    smaller. With one, suppressing a class moves the distribution that the others are compared with. Then several
    choices are made: all violating classes at once, and again until none violates; the one farthest beyond the limits
    first, where at most 200 violate; the largest class alone. Each takes classes back that can stay after all, the
    largest first, of at most 200. The smallest is improved by branch and bound, which proves it exact, where
    apart from classes that must go whatever else does (`Criteria.certainly_violating`) at most 12 violate; unless it is
    cut short after 2,000 branches, fewer where there is much to count. Then the smallest choice found stands.
    """
    everything = regroup(histograms, sizes, np.arange(len(sizes)))
    alone = criteria.violating_alone(everything)
    if not criteria.moves or alone.all():
        return SuppressionChoice(alone, True, _rounds([(alone, sizes)]))
    base = np.flatnonzero(~alone)
    search = _Search(_part(everything, ~alone), criteria)
    chosen, rounds = search.heuristic()
    chosen, certain = search.improve(chosen)
    suppressed = alone.copy()
    suppressed[base[chosen]] = True
    return SuppressionChoice(
        suppressed, certain, _rounds([(alone, sizes), *((flags, sizes[base]) for flags in rounds)])
    )


def _rounds(found: list[tuple[Flags, Integers]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(flags.sum()), int(sizes[flags].sum())) for flags, sizes in found if flags.any())


def _part(grouping: Grouping, kept: Flags) -> Grouping:
    return regroup(grouping.histograms, grouping.sizes, np.where(kept, np.arange(len(kept)), DELETED))


class _Search:
    """Choices among classes that each meet their own criteria, as flags of those suppressed."""

    def __init__(self, base: Grouping, criteria: Criteria) -> None:
        self.base, self.criteria = base, criteria

    def cost(self, gone: Flags) -> int:
        return int(self.base.sizes[gone].sum())

    def violating_after(self, gone: Flags) -> Flags:
        """Find the kept classes that violate while the others are suppressed."""
        flags = np.zeros(len(gone), dtype=bool)
        flags[~gone] = self.criteria.violating(_part(self.base, ~gone))
        return flags

    def heuristic(self) -> tuple[Flags, list[Flags]]:
        """The smallest of the choices, and what violated in each round of all at once."""
        nothing = np.zeros(len(self.base.sizes), dtype=bool)
        first = self.violating_after(nothing)
        if not first.any():
            return nothing, []
        at_once, rounds, violating = nothing, [], first
        while violating.any():
            rounds.append(violating)
            at_once = at_once | violating
            violating = self.violating_after(at_once)
        only = np.ones(len(nothing), dtype=bool)
        only[int(self.base.sizes.argmax())] = False
        tried = [at_once, only]
        if first.sum() <= _MAX_ONE_BY_ONE:
            tried.append(self._by_distance())
        candidates = [self._restore_records(gone) for gone in tried if not gone.all()]
        return min(candidates, key=self.cost), rounds

    def _by_distance(self) -> Flags:
        gone = np.zeros(len(self.base.sizes), dtype=bool)
        violating = self.violating_after(gone)
        while violating.any():
            excess = np.full(len(gone), -1.0)
            excess[~gone] = self.criteria.excess(_part(self.base, ~gone))
            gone[int(excess.argmax())] = True
            violating = self.violating_after(gone)
        return gone

    def _restore_records(self, gone: Flags) -> Flags:
        """Take back the classes that can stay, the largest first."""
        left = gone.copy()
        index = np.flatnonzero(gone)
        for one in index[np.argsort(-self.base.sizes[index], kind="stable")][:_MAX_ONE_BY_ONE].tolist():
            left[one] = False
            if self.violating_after(left).any():
                left[one] = True
        return left

    def improve(self, gone: Flags) -> tuple[Flags, bool]:
        """The smallest choice there is, and True; or the smallest found, and False if the search was cut short.

        Branch and bound. A class that violates whatever else is suppressed within what is left to improve on goes; one
        that violates but need not is either suppressed or kept for good, and then so is every other class in turn.
        """
        best, bound = gone, self.cost(gone)
        forced = self._with_forced(np.zeros(len(gone), dtype=bool), bound)
        if self.cost(forced) >= bound:
            return gone, True
        if self.violating_after(forced).sum() > _MAX_UNDECIDED:
            return gone, False
        cells = sum(len(histogram.count) for histogram in self.base.histograms.values())
        branches = min(_MAX_BRANCHES, _MAX_CELLS_LOOKED_AT // max(cells, 1))
        stack = [(forced, np.zeros(len(gone), dtype=bool))]
        while stack:
            if branches <= 0:
                return best, False
            branches -= 1
            suppressed, kept = stack.pop()
            suppressed = self._with_forced(suppressed, bound)
            if (suppressed & kept).any() or self.cost(suppressed) >= bound or suppressed.all():
                continue
            violating = self.violating_after(suppressed)
            if not violating.any():
                best, bound = suppressed, self.cost(suppressed)
                continue
            one = self._next(suppressed, kept, violating, bound)
            if one is not None:
                with_it, without = suppressed.copy(), kept.copy()
                with_it[one] = without[one] = True
                stack += [(suppressed, without), (with_it, kept)]
        return best, True

    def _with_forced(self, suppressed: Flags, bound: int) -> Flags:
        """Add the classes that every choice of fewer records than the bound then suppresses as well."""
        forced = suppressed.copy()
        while not forced.all() and self.cost(forced) < bound:
            left = np.flatnonzero(~forced)
            certain = self.criteria.certainly_violating(_part(self.base, ~forced), bound - self.cost(forced))
            if not certain.any():
                break
            forced[left[certain]] = True
        return forced

    def _next(self, suppressed: Flags, kept: Flags, violating: Flags, bound: int) -> int | None:
        """The class to decide on: the largest that violates, else the largest; None if none can be suppressed."""
        possible = ~suppressed & ~kept & (self.base.sizes < bound - self.cost(suppressed))
        index = np.flatnonzero(possible & violating if (possible & violating).any() else possible)
        return int(index[self.base.sizes[index].argmax()]) if len(index) else None
