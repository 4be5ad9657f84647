"""The fewest cells to suppress so that every class is large enough, by integer programming."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from metrics.interruption import watched
from metrics.tables.table import Flags, Floats, Integers

if TYPE_CHECKING:
    from scipy.optimize import LinearConstraint

_MAX_CHOICES = 1_500
_MAX_BRANCHES = 2_000

CellChoice = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A class, the columns to suppress in some of its records, and the labels that these then have."""
Solution = tuple[Integers, Integers, Flags]
"""For each piece: its class, its records, and which of its cells are `*`."""


def fewest_cells(
    codes: npt.NDArray[np.int64],
    already: Flags,
    sizes: Integers,
    smallest: int,
    max_suppressed: int,
    kept: Collection[int],
    weights: Floats,
) -> Solution | None:
    """The choice of cells after which every class holds at least `smallest` records, with the fewest cells suppressed.

    `codes` and `already` (classes, quasi-identifiers) tell the classes and their suppressed cells. Of each class any
    number of records may lose any set of cells; records that lose all are in no class, and at most `max_suppressed`
    may. Cells count by the weights of their columns. One whole variable per class and set of cells that could lead
    into a class large enough; one choice per class that could arise. Columns that are `kept` lose cells only in
    records that lose all. None if there are more than 1,500 variables, where no choice meets the limits, or where the
    solver has not proved its answer after 2,000 branches.
    """
    if sum(1 << int((~row).sum()) for row in already) > 4 * _MAX_CHOICES:
        return None
    choices = _choices(np.where(already, -1, codes), sizes, smallest, kept)
    if len(choices) > _MAX_CHOICES:
        return None
    return _solve_integer_program(choices, already, sizes, smallest, max_suppressed, weights)


def _choices(codes: npt.NDArray[np.int64], sizes: Integers, smallest: int, kept: Collection[int]) -> list[CellChoice]:
    """Every choice that leads into a class that could be large enough."""
    choices = []
    reachable: dict[tuple[int, ...], int] = {}
    for index, row in enumerate(watched(codes.tolist())):
        open_columns = [i for i, code in enumerate(row) if code != -1]
        free = [i for i in open_columns if i not in kept]
        subsets = chain.from_iterable(combinations(free, number) for number in range(len(free) + 1))
        for columns in dict.fromkeys((*subsets, tuple(open_columns))):
            target = tuple(-1 if i in columns else code for i, code in enumerate(row))
            choices.append((index, columns, target))
            reachable[target] = reachable.get(target, 0) + int(sizes[index])
    return [choice for choice in choices if reachable[choice[2]] >= smallest or set(choice[2]) == {-1}]


def _solve_integer_program(
    choices: list[CellChoice], already: Flags, sizes: Integers, smallest: int, max_suppressed: int, weights: Floats
) -> Solution | None:
    from scipy.optimize import Bounds, milp  # importing it takes longer than a small repair

    variables, constraints = _constraints(choices, sizes, smallest, max_suppressed)
    number = len(choices)
    costs, upper = np.zeros(variables), np.ones(variables)
    costs[:number] = [weights[list(columns)].sum() for _, columns, _ in choices]
    upper[:number] = [sizes[index] for index, _, _ in choices]
    result = milp(
        costs,
        integrality=np.ones(variables, dtype=np.int64),
        bounds=Bounds(np.zeros(variables), upper),
        constraints=constraints,
        options={"mip_rel_gap": 0.0, "node_limit": _MAX_BRANCHES},
    )
    if result.status != 0 or result.x is None:
        return None
    amounts = np.rint(result.x[:number]).astype(np.int64)
    selected = np.flatnonzero(amounts)
    source = np.array([choices[i][0] for i in selected.tolist()], dtype=np.int64)
    suppressed = already[source]
    for fragment, i in enumerate(selected.tolist()):
        suppressed[fragment, list(choices[i][1])] = True
    return source, amounts[selected], suppressed


def _constraints(
    choices: list[CellChoice], sizes: Integers, smallest: int, max_suppressed: int
) -> tuple[int, LinearConstraint]:
    """Return the number of variables, and the limits on how many records make each choice and which classes arise.

    Variables: records per choice, then 1 or 0 for each class that could arise. Rows: every record of a class makes
    one choice; a class that arises holds at least `smallest` records, any other none; at most
    `max_suppressed` records are in no class.
    """
    from scipy.optimize import LinearConstraint
    from scipy.sparse import coo_array

    number_of: dict[tuple[int, ...], int] = {}
    for _, _, target in choices:
        if set(target) != {-1}:
            number_of.setdefault(target, len(number_of))
    number, classes, targets = len(choices), len(sizes), len(number_of)
    entries: list[tuple[int, int, float]] = [(index, i, 1.0) for i, (index, _, _) in enumerate(choices)]
    reachable = np.zeros(targets)
    for i, (index, _, target) in enumerate(choices):
        if target in number_of:
            position = number_of[target]
            reachable[position] += sizes[index]
            entries += [(classes + position, i, 1.0), (classes + targets + position, i, 1.0)]
        else:
            entries.append((classes + 2 * targets, i, 1.0))
    for position, records in enumerate(reachable.tolist()):
        entries.append((classes + position, number + position, -float(smallest)))
        entries.append((classes + targets + position, number + position, -records))
    low = [*map(float, sizes), *[0.0] * targets, *[-np.inf] * targets, 0.0]
    high = [*map(float, sizes), *[np.inf] * targets, *[0.0] * targets, float(max_suppressed)]
    row, column, value = zip(*entries, strict=True)
    matrix = coo_array((value, (row, column)), shape=(len(low), number + targets)).tocsr()
    return number + targets, LinearConstraint(matrix, np.array(low), np.array(high))
