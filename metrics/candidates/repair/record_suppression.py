"""Which whole classes to suppress so that the others meet the limits: the fewest records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.candidates.limits.of_classes import ClassLimits
from metrics.counting.grouping import DELETED, Grouping, regroup
from metrics.counting.histograms import Histogram
from metrics.interruption import checkpoint
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


def every_failing(
    histograms: Mapping[str, Histogram], sizes: Integers, limits: ClassLimits
) -> tuple[SuppressionChoice, tuple[dict[int, str], ...]]:
    """Choose every class that violates, and again until none does; with what violates before each round."""
    suppressed = np.zeros(len(sizes), dtype=bool)
    violations: list[dict[int, str]] = []
    while not suppressed.all():
        checkpoint()
        kept = np.flatnonzero(~suppressed)
        failing = limits.violations(regroup(histograms, sizes, np.where(suppressed, DELETED, np.arange(len(sizes)))))
        if not failing:
            break
        violations.append({int(kept[index]): reason for index, reason in failing.items()})
        suppressed[list(violations[-1])] = True
    rounds = tuple((len(found), int(sizes[list(found)].sum())) for found in violations)
    return SuppressionChoice(suppressed, not rounds, rounds), tuple(violations)


def fewest_records(histograms: Mapping[str, Histogram], sizes: Integers, limits: ClassLimits) -> SuppressionChoice:
    """Choose whole classes to suppress; all of them where no class can be kept.

    Without a limit on a distance classes do not depend on each other: exactly the violating ones go, and no choice is
    smaller. With one, suppressing a class moves the distribution that the others are compared with. Then several
    choices are made: all violating classes at once, and again until none violates; the one farthest beyond the limits
    first, where at most 200 violate; the largest class alone. Each takes classes back that can stay after all, the
    largest first, of at most 200. The smallest is improved by branch and bound, which proves it exact, where
    apart from classes that must go whatever else does (`ClassLimits.certainly_violating`) at most 12 violate; unless it
    is cut short after 2,000 branches, fewer where there is much to count. Then the smallest choice found stands.
    """
    everything = regroup(histograms, sizes, np.arange(len(sizes)))
    violating_alone = limits.violating_alone(everything)
    if not limits.moves or violating_alone.all():
        return SuppressionChoice(violating_alone, True, _rounds([(violating_alone, sizes)]))
    base = np.flatnonzero(~violating_alone)
    search = _Search(_part(everything, ~violating_alone), limits)
    selected, rounds = search.heuristic()
    selected, exact = search.improve(selected)
    suppressed = violating_alone.copy()
    suppressed[base[selected]] = True
    return SuppressionChoice(
        suppressed, exact, _rounds([(violating_alone, sizes), *((flags, sizes[base]) for flags in rounds)])
    )


def _rounds(rounds: list[tuple[Flags, Integers]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(flags.sum()), int(sizes[flags].sum())) for flags, sizes in rounds if flags.any())


def _part(grouping: Grouping, is_kept: Flags) -> Grouping:
    return regroup(grouping.histograms, grouping.sizes, np.where(is_kept, np.arange(len(is_kept)), DELETED))


class _Search:
    """Choices among classes that each meet their own limits, as flags of those suppressed."""

    def __init__(self, base: Grouping, limits: ClassLimits) -> None:
        self.base, self.limits = base, limits

    def cost(self, gone: Flags) -> int:
        return int(self.base.sizes[gone].sum())

    def violating_after(self, gone: Flags) -> Flags:
        """Find the kept classes that violate while the others are suppressed."""
        checkpoint()
        flags = np.zeros(len(gone), dtype=bool)
        flags[~gone] = self.limits.violating(_part(self.base, ~gone))
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
        all_but_largest = np.ones(len(nothing), dtype=bool)
        all_but_largest[int(self.base.sizes.argmax())] = False
        starts = [at_once, all_but_largest]
        if first.sum() <= _MAX_ONE_BY_ONE:
            starts.append(self._by_distance())
        candidates = [self._restore_records(start) for start in starts if not start.all()]
        return min(candidates, key=self.cost), rounds

    def _by_distance(self) -> Flags:
        suppressed = np.zeros(len(self.base.sizes), dtype=bool)
        violating = self.violating_after(suppressed)
        while violating.any():
            excess = np.full(len(suppressed), -1.0)
            excess[~suppressed] = self.limits.excess(_part(self.base, ~suppressed))
            suppressed[int(excess.argmax())] = True
            violating = self.violating_after(suppressed)
        return suppressed

    def _restore_records(self, suppressed: Flags) -> Flags:
        """Restore the classes that need not be suppressed, the largest first."""
        reduced = suppressed.copy()
        positions = np.flatnonzero(suppressed)
        for position in positions[np.argsort(-self.base.sizes[positions], kind="stable")][:_MAX_ONE_BY_ONE].tolist():
            reduced[position] = False
            if self.violating_after(reduced).any():
                reduced[position] = True
        return reduced

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
            index = self._next(suppressed, kept, violating, bound)
            if index is not None:
                with_it, without = suppressed.copy(), kept.copy()
                with_it[index] = without[index] = True
                stack += [(suppressed, without), (with_it, kept)]
        return best, True

    def _with_forced(self, suppressed: Flags, bound: int) -> Flags:
        """Add the classes that every choice of fewer records than the bound then suppresses as well."""
        forced = suppressed.copy()
        while not forced.all() and self.cost(forced) < bound:
            checkpoint()
            remaining = np.flatnonzero(~forced)
            violating = self.limits.certainly_violating(_part(self.base, ~forced), bound - self.cost(forced))
            if not violating.any():
                break
            forced[remaining[violating]] = True
        return forced

    def _next(self, suppressed: Flags, kept: Flags, violating: Flags, bound: int) -> int | None:
        """The class to decide on: the largest that violates, else the largest; None if none can be suppressed."""
        possible = ~suppressed & ~kept & (self.base.sizes < bound - self.cost(suppressed))
        index = np.flatnonzero(possible & violating if (possible & violating).any() else possible)
        return int(index[self.base.sizes[index].argmax()]) if len(index) else None
