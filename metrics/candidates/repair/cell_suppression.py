"""Local suppression: which single cells of quasi-identifiers to suppress so that records join larger classes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from metrics.candidates.limits.of_classes import ClassLimits
from metrics.candidates.repair.exact_cells import fewest_cells
from metrics.counting.classes import EquivalenceClasses
from metrics.counting.grouping import DELETED, Grouping, regroup
from metrics.counting.histograms import Histogram
from metrics.interruption import checkpoint
from metrics.tables.table import SUPPRESSED, Flags, Floats, Integers

_MAX_SUBSETS = 1_024
_LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class ClassFragments:
    """Records of one class that lose the same cells: one fragment per class or several, in the order of classes."""

    class_of_fragment: Integers
    sizes: Integers
    suppressed: Flags
    """(fragments, quasi-identifiers): which cells are `*`, including those that already were."""
    exact: bool
    """Whether no other choice of cells is smaller."""
    rounds: tuple[tuple[int, int], ...]
    """Per round: the classes that were found to violate, and their records."""


def suppress_cells(
    classes: EquivalenceClasses,
    histograms: Mapping[str, Histogram],
    limits: ClassLimits,
    max_suppressed: int,
    importance: Sequence[str] | None,
    kept: Collection[str],
    weights: Floats,
) -> ClassFragments:
    """Suppress cells until no class violates.

    If only the sizes of classes matter and the table is small, integer programming finds the fewest cells
    (`fewest_cells`). Otherwise a heuristic in the manner of sdcMicro's localSuppression is used. For the violating
    classes it tries sets of one quasi-identifier, then of two and so on, at most 1,024 sets, the least important first.
    The cells of a set are suppressed if records of violating classes then meet the limits together, with each other
    or with a class that has `*` there. Records that remain are suppressed in every quasi-identifier, or, with limits
    on sizes alone, borrow records of larger classes if that takes fewer cells. With a limit on a distance every change
    moves the other classes, so rounds are repeated until no class violates.

    `importance`: quasi-identifiers to keep, the most important first; the others follow, those with more weight, then
    those with fewer values first. The fewest cells are those of the least weight.
    Those `kept` lose cells only in records that are suppressed in every quasi-identifier.
    """
    already = np.array(
        [
            codes == column.code_of.get(SUPPRESSED, -1)
            for column, codes in zip(classes.columns, classes.codes, strict=True)
        ]
    ).T
    untouched = ClassFragments(np.arange(classes.count), classes.sizes, already, True, ())
    search = _Search(classes, histograms, limits)
    kept_positions = [i for i, name in enumerate(classes.quasi_identifiers) if name in kept]
    grouping, violating = search.violating_after(already)
    if not violating.any():
        return untouched
    if limits.sizes_only:
        codes = np.array(classes.codes, dtype=np.int64).T
        best = fewest_cells(codes, already, classes.sizes, limits.smallest, max_suppressed, kept_positions, weights)
        if best is not None:
            return ClassFragments(*best, exact=True, rounds=(_round_counts(grouping, violating),))
    return search.heuristic(already, [i for i in _order(classes, importance, weights) if i not in kept_positions])


def _round_counts(grouping: Grouping, violating: Flags) -> tuple[int, int]:
    groups = np.unique(grouping.group_of_class[violating])
    return len(groups), int(grouping.sizes[groups].sum())


def _order(classes: EquivalenceClasses, importance: Sequence[str] | None, weights: Floats) -> list[int]:
    """Positions of the quasi-identifiers, the least important first."""
    rank_of = {name: i for i, name in enumerate(importance or ())}
    names = classes.quasi_identifiers
    n_values = [len(np.unique(codes)) for codes in classes.codes]
    ranks = [(rank_of.get(name, len(rank_of)), -weights[i], n_values[i], i) for i, name in enumerate(names)]
    return [rank[-1] for rank in sorted(ranks, reverse=True)]


class _Search:
    """The heuristic. Classes are identified by their codes, a suppressed cell by -1."""

    def __init__(self, classes: EquivalenceClasses, histograms: Mapping[str, Histogram], limits: ClassLimits) -> None:
        self.codes = np.array(classes.codes, dtype=np.int64).T
        self.sizes = classes.sizes
        self.histograms = histograms
        self.limits = limits

    def violating_after(self, suppressed: Flags) -> tuple[Grouping, Flags]:
        """The classes that result from suppressing, and for each former class whether it is part of a violating one."""
        groups = row_codes(np.where(suppressed, -1, self.codes))
        groups[suppressed.all(axis=1)] = DELETED
        grouping = regroup(self.histograms, self.sizes, groups)
        # The last flag is that of DELETED.
        return grouping, np.append(self.limits.violating(grouping), False)[grouping.group_of_class]

    def heuristic(self, already: Flags, order: Sequence[int]) -> ClassFragments:
        suppressed = already.copy()
        rounds = []
        borrowings: list[_BorrowedRecords] = []
        while True:
            checkpoint()
            grouping, pending = self.violating_after(suppressed)
            if not pending.any():
                break
            rounds.append(_round_counts(grouping, pending))
            unresolved = self._levels(suppressed, pending, order)
            if unresolved.any() and self.limits.sizes_only:
                borrowings = _BorrowingSearch(self, suppressed, unresolved, self.limits.smallest).find(order)
                for borrowed in borrowings:
                    unresolved[borrowed.recipients] = False
                suppressed[unresolved] = True
                break
            suppressed[unresolved] = True
        return self._fragments(suppressed, borrowings, tuple(rounds))

    def _levels(self, suppressed: Flags, pending: Flags, order: Sequence[int]) -> Flags:
        """Suppress sets of columns, small ones first; return the classes that no set helps. Changes `suppressed`."""
        unresolved = pending.copy()
        for columns in subsets(order, suppressed.shape[1]):
            checkpoint()
            if not unresolved.any():
                break
            trial = suppressed.copy()
            trial[:, list(columns)] |= unresolved[:, None]
            is_changed = unresolved & (trial & ~suppressed).any(axis=1) & ~trial.all(axis=1)
            if not is_changed.any():
                continue
            trial[~is_changed] = suppressed[~is_changed]
            _, violating = self.violating_after(trial)
            helped = unresolved & ~violating  # those that changed, and those that they joined
            suppressed[helped] = trial[helped]
            unresolved &= ~helped
        return unresolved

    def _fragments(
        self, suppressed: Flags, borrowings: Sequence[_BorrowedRecords], rounds: tuple[tuple[int, int], ...]
    ) -> ClassFragments:
        sizes = self.sizes.copy()
        cells = suppressed.copy()
        further: list[tuple[int, int, Flags]] = []
        for borrowed in borrowings:
            cells[np.ix_(borrowed.recipients, list(borrowed.columns))] = True
            for donor, number in borrowed.donors:
                sizes[donor] -= number
                row = suppressed[donor].copy()
                row[list(borrowed.columns)] = True
                further.append((donor, number, row))
        owner = np.array([*range(len(sizes)), *(donor for donor, _, _ in further)], dtype=np.int64)
        order = np.argsort(owner, kind="stable")
        order = order[np.array([*sizes, *(number for _, number, _ in further)])[order] > 0]
        return ClassFragments(
            owner[order],
            np.array([*sizes, *(number for _, number, _ in further)], dtype=np.int64)[order],
            np.array([*cells, *(row for _, _, row in further)])[order],
            exact=False,
            rounds=rounds,
        )


@dataclass(frozen=True)
class _BorrowedRecords:
    """Classes too small by themselves, and the records of larger ones that suppress the same cells to join them."""

    columns: tuple[int, ...]
    recipients: list[int]
    donors: list[tuple[int, int]]


class _BorrowingSearch:
    """Finds records to borrow. A class lends only what leaves it large enough; one that borrowed lends nothing."""

    def __init__(self, search: _Search, suppressed: Flags, left: Flags, smallest: int) -> None:
        self.codes = np.where(suppressed, -1, search.codes)
        self.sizes = search.sizes
        self.suppressed, self.left, self.smallest = suppressed, left.copy(), smallest
        groups = row_codes(self.codes)
        total = np.zeros(int(groups.max()) + 1, dtype=np.int64)
        np.add.at(total, groups, self.sizes)
        self.group, self.spare = groups, total - smallest
        self.remaining = self.sizes.copy()

    def find(self, order: Sequence[int]) -> list[_BorrowedRecords]:
        borrowings: list[_BorrowedRecords] = []
        targets: set[tuple[int, ...]] = set()
        for columns in subsets(order, self.codes.shape[1]):
            if not self.left.any():
                break
            keys = self.codes.copy()
            keys[:, list(columns)] = -1
            key = row_codes(keys)
            possible_donors: dict[int, list[int]] = {}
            fully_suppressed = self.suppressed.all(axis=1)
            needed_keys = np.unique(key[self.left])
            for donor in np.flatnonzero(~self.left & ~fully_suppressed & np.isin(key, needed_keys)).tolist():
                if self.spare[self.group[donor]] > 0 and not self.suppressed[donor, list(columns)].all():
                    possible_donors.setdefault(int(key[donor]), []).append(donor)
            for number in needed_keys.tolist():
                checkpoint()
                recipients = np.flatnonzero(self.left & (key == number)).tolist()
                target = tuple(keys[recipients[0]].tolist())
                borrowed = self._borrowed_records(columns, recipients, possible_donors.get(number, []))
                if borrowed is not None and target not in targets:
                    targets.add(target)
                    borrowings.append(borrowed)
                    self._record(borrowed)
        return borrowings

    def _borrowed_records(
        self, columns: tuple[int, ...], recipients: list[int], possible_donors: list[int]
    ) -> _BorrowedRecords | None:
        need = self.smallest - int(self.sizes[recipients].sum())
        saved = sum(
            int(self.sizes[recipient]) * int((~self._after(recipient, columns)).sum()) for recipient in recipients
        )
        donors: list[tuple[int, int]] = []
        spare: dict[int, int] = {}
        for donor in sorted(possible_donors, key=lambda donor: -int(self.spare[self.group[donor]])):
            group = int(self.group[donor])
            available = min(spare.setdefault(group, int(self.spare[group])), int(self.remaining[donor]), need)
            if available > 0:
                donors.append((donor, available))
                spare[group] -= available
                need -= available
                saved -= available * int((~self.suppressed[donor, list(columns)]).sum())
            if need <= 0:
                break
        return _BorrowedRecords(columns, recipients, donors) if need <= 0 and saved > 0 else None

    def _after(self, index: int, columns: tuple[int, ...]) -> Flags:
        row: Flags = self.suppressed[index].copy()
        row[list(columns)] = True
        return row

    def _record(self, borrowed: _BorrowedRecords) -> None:
        self.left[borrowed.recipients] = False
        # Their class is as small as it may be: it has no records to lend.
        self.remaining[borrowed.recipients] = 0
        for donor, number in borrowed.donors:
            self.remaining[donor] -= number
            self.spare[self.group[donor]] -= number


def row_codes(rows: npt.NDArray[np.int64]) -> Integers:
    """For each row the number of its kind: equal rows have equal numbers, from 0 on. Cells are -1 or more."""
    number: Integers = np.zeros(len(rows), dtype=np.int64)
    space = 1
    for cells in rows.T:
        width = int(cells.max(initial=0)) + 2
        if space * width >= _LARGEST_KEY:
            number = np.unique(number, return_inverse=True)[1].astype(np.int64)
            space = len(rows)
        number = number * width + cells + 1
        space *= width
    return np.unique(number, return_inverse=True)[1].astype(np.int64)


def subsets(order: Sequence[int], columns_of_all: int) -> Iterator[tuple[int, ...]]:
    """Sets of some columns but not all of the table, small ones first, in each size as the order says."""
    looked_at = 0
    for number in range(1, min(len(order) + 1, columns_of_all)):
        for columns in combinations(order, number):
            if looked_at == _MAX_SUBSETS:
                return
            looked_at += 1
            yield columns
