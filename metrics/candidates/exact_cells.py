"""The fewest cells to suppress so that every class is large enough, by integer programming."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from metrics.table import Integers

_MOST_CHOICES = 1_500
_MOST_BRANCHES = 2_000

Solution = tuple[Integers, Integers, npt.NDArray[np.bool_]]
"""For each piece: its class, its records, and which of its cells are `*`."""


def fewest_cells(
    codes: npt.NDArray[np.int64],
    already: npt.NDArray[np.bool_],
    sizes: Integers,
    smallest: int,
    most_suppressed: int,
) -> Solution | None:
    """The choice of cells after which every class holds at least `smallest` records, with the fewest cells suppressed.

    `codes` and `already` (classes, quasi-identifiers) tell the classes and their suppressed cells. Of each class any
    number of records may lose any set of cells; records that lose all are in no class, and at most `most_suppressed`
    may. One whole variable per class and set of cells that could lead into a class large enough; one choice per class
    that could come to be. None where there are more than 1,500 variables, where no choice meets the limits, or where
    the solver has not proved its answer after 2,000 branches.
    """
    if sum(1 << int((~row).sum()) for row in already) > 4 * _MOST_CHOICES:
        return None
    choices = _choices(np.where(already, -1, codes), sizes, smallest)
    if len(choices) > _MOST_CHOICES:
        return None
    return _solved(choices, already, sizes, smallest, most_suppressed)


def _choices(
    codes: npt.NDArray[np.int64], sizes: Integers, smallest: int
) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Class, columns to suppress and the labels it comes to have, wherever that could be a class large enough."""
    found = []
    reachable: dict[tuple[int, ...], int] = {}
    for index, row in enumerate(codes.tolist()):
        open_columns = [i for i, code in enumerate(row) if code != -1]
        for number in range(len(open_columns) + 1):
            for columns in combinations(open_columns, number):
                target = tuple(-1 if i in columns else code for i, code in enumerate(row))
                found.append((index, columns, target))
                reachable[target] = reachable.get(target, 0) + int(sizes[index])
    return [one for one in found if reachable[one[2]] >= smallest or set(one[2]) == {-1}]


def _solved(
    choices: list[tuple[int, tuple[int, ...], tuple[int, ...]]],
    already: npt.NDArray[np.bool_],
    sizes: Integers,
    smallest: int,
    most_suppressed: int,
) -> Solution | None:
    from scipy.optimize import Bounds, LinearConstraint, milp  # what imports it takes longer than a small repair
    from scipy.sparse import coo_array

    everywhere = {target for _, _, target in choices if set(target) == {-1}}
    targets = {target: i for i, target in enumerate(dict.fromkeys(t for _, _, t in choices if t not in everywhere))}
    number, classes, used = len(choices), len(sizes), len(targets)
    entries: list[tuple[int, int, float]] = []
    low: list[float] = [float(size) for size in sizes]
    high: list[float] = [float(size) for size in sizes]
    for i, (index, _, _) in enumerate(choices):
        entries.append((index, i, 1.0))
    # A class that comes to be holds at least `smallest` records, one that does not none.
    reachable = np.zeros(used)
    for i, (index, _, target) in enumerate(choices):
        if target in targets:
            place = targets[target]
            reachable[place] += sizes[index]
            entries += [(classes + place, i, 1.0), (classes + used + place, i, 1.0)]
        else:
            entries.append((classes + 2 * used, i, 1.0))
    for place in range(used):
        entries += [
            (classes + place, number + place, -float(smallest)),
            (classes + used + place, number + place, -float(reachable[place])),
        ]
    low += [0.0] * used + [-np.inf] * used + [0.0]
    high += [np.inf] * used + [0.0] * used + [float(most_suppressed)]
    row, column, value = zip(*entries, strict=True)
    matrix = coo_array((value, (row, column)), shape=(len(low), number + used)).tocsr()
    upper = np.array([*(float(sizes[index]) for index, _, _ in choices), *([1.0] * used)])
    answer = milp(
        np.array([*(float(len(columns)) for _, columns, _ in choices), *([0.0] * used)]),
        integrality=np.ones(number + used, dtype=np.int64),
        bounds=Bounds(np.zeros(number + used), upper),
        constraints=LinearConstraint(matrix, np.array(low), np.array(high)),
        options={"mip_rel_gap": 0.0, "node_limit": _MOST_BRANCHES},
    )
    if answer.status != 0 or answer.x is None:
        return None
    taken = np.rint(answer.x[:number]).astype(np.int64)
    pieces = [(index, int(taken[i]), columns) for i, (index, columns, _) in enumerate(choices) if taken[i]]
    suppressed = np.array([already[index] for index, _, _ in pieces])
    for i, (_, _, columns) in enumerate(pieces):
        suppressed[i, list(columns)] = True
    return (
        np.array([index for index, _, _ in pieces], dtype=np.int64),
        np.array([size for _, size, _ in pieces], dtype=np.int64),
        suppressed,
    )
