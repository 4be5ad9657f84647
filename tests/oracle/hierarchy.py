"""Questions to a generalization hierarchy, each answered by looking through its rows."""

from collections.abc import Sequence

from tests.oracle.classes import SUPPRESSED, Cell

Rows = Sequence[Sequence[str]]


def with_root(rows: Rows) -> list[list[str]]:
    """The rows without repetitions, with a root `*` added if the last level has several values."""
    unique: list[list[str]] = []
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        if tuple(row) not in seen:
            seen.add(tuple(row))
            unique.append(list(row))
    if len({len(row) for row in unique}) != 1:
        raise ValueError("every row of a hierarchy needs the same number of levels, and there must be one")
    if len({row[0] for row in unique}) != len(unique):
        raise ValueError("a leaf of a hierarchy has two different rows")
    if len({row[-1] for row in unique}) > 1:
        unique = [[*row, SUPPRESSED] for row in unique]
    return unique


def level_of(cell: Cell, rooted: Rows) -> int:
    """The first level that holds the value; `*` on no level is the root; a missing value is at level 0."""
    if cell is None:
        return 0
    for level in range(len(rooted[0])):
        if any(row[level] == cell for row in rooted):
            return level
    if cell == SUPPRESSED:
        return len(rooted[0]) - 1
    raise ValueError("a value stands on no level of its hierarchy")


def generalize(cell: Cell, level: int, rooted: Rows) -> Cell:
    """The value at a level: itself at level 0, the one root at the top, its row's label between."""
    if level == 0:
        return cell
    if level == len(rooted[0]) - 1:
        return rooted[0][-1]
    if cell is None:
        return None
    for row in rooted:
        if row[0] == cell:
            return row[level]
    raise ValueError("an original value is no leaf of its hierarchy")


def covered_leaves(cell: str, rooted: Rows) -> set[str]:
    """The leaves whose row holds the value on any level; `*` on no level is the root and covers them all."""
    covered = {row[0] for row in rooted if cell in row}
    if not covered and cell == SUPPRESSED:
        return {row[0] for row in rooted}
    if not covered:
        raise ValueError("a value stands on no level of its hierarchy")
    return covered
