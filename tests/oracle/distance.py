"""Earth mover's distance between two distributions: the closed forms, and brute force to check them with.

A distribution is a dictionary from value to probability (a Fraction); a value it does not name has none.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from tests.oracle.classes import Cell
from tests.oracle.hierarchy import Rows, with_root
from tests.oracle.numerals import number

Ground = Sequence[Sequence[Fraction]]


def numeric(distribution: Mapping[Cell, Fraction]) -> dict[Fraction, Fraction]:
    """The same distribution over the numbers that the values write; equal numbers become one."""
    merged: dict[Fraction, Fraction] = {}
    for cell, probability in distribution.items():
        value = number(cell)
        if value is None:
            raise ValueError("the ordered distance needs numbers only")
        merged[value] = merged.get(value, Fraction(0)) + probability
    return merged


def equal_distance(p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]) -> Fraction:
    """Half the sum of |p - q|: every two values are 1 apart."""
    differences = [abs(p.get(value, Fraction(0)) - q.get(value, Fraction(0))) for value in {*p, *q}]
    return sum(differences, Fraction(0)) / 2


def ordered_distance(p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]) -> Fraction:
    """Sum over ranks of |p - q accumulated so far|, divided by m - 1; 0 for a single value."""
    numbers_p, numbers_q = numeric(p), numeric(q)
    ranked = sorted({*numbers_p, *numbers_q})
    if len(ranked) == 1:
        return Fraction(0)
    accumulated, total = Fraction(0), Fraction(0)
    for value in ranked:
        accumulated += numbers_p.get(value, Fraction(0)) - numbers_q.get(value, Fraction(0))
        total += abs(accumulated)
    return total / (len(ranked) - 1)


def hierarchical_distance(p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction], hierarchy: Rows) -> Fraction:
    """Level by level: an inner node of level v evens out what it can among its children for v/height each.

    Nodes are told apart by their path to the root, so a label may stand in several branches.
    """
    rooted = with_root(hierarchy)
    height = len(rooted[0]) - 1
    leaves = {row[0] for row in rooted}
    if not {*p, *q} <= leaves:
        raise ValueError("the hierarchical distance needs every value as a leaf of the hierarchy")
    extras = {tuple(row): p.get(row[0], Fraction(0)) - q.get(row[0], Fraction(0)) for row in rooted}
    cost = Fraction(0)
    for level in range(1, height + 1):
        children: dict[tuple[str, ...], list[Fraction]] = {}
        for path, extra in extras.items():
            children.setdefault(path[1:], []).append(extra)
        for parts in children.values():
            positive = sum((part for part in parts if part > 0), Fraction(0))
            negative = sum((-part for part in parts if part < 0), Fraction(0))
            cost += Fraction(level, height) * min(positive, negative)
        extras = {path: sum(parts, Fraction(0)) for path, parts in children.items()}
    return cost


def equal_ground(count: int) -> list[list[Fraction]]:
    """Ground distances of `count` values that are all 1 apart."""
    return [[Fraction(int(i != j)) for j in range(count)] for i in range(count)]


def ordered_ground(count: int) -> list[list[Fraction]]:
    """Ground distances |i - j|/(m - 1) of `count` values in their order."""
    steps = max(count - 1, 1)
    return [[Fraction(abs(i - j), steps) for j in range(count)] for i in range(count)]


def hierarchical_ground(leaves: Sequence[str], hierarchy: Rows) -> list[list[Fraction]]:
    """Ground distances level(lowest common ancestor)/height between leaves."""
    rooted = with_root(hierarchy)
    height = len(rooted[0]) - 1
    rows = {row[0]: row for row in rooted}

    def ground(first: str, second: str) -> Fraction:
        for level in range(height + 1):
            if rows[first][level:] == rows[second][level:]:
                return Fraction(level, max(height, 1))
        raise ValueError("two leaves share no root")

    return [[ground(first, second) for second in leaves] for first in leaves]


def minimum_transport_cost(supply: Sequence[Fraction], demand: Sequence[Fraction], ground: Ground) -> Fraction:
    """The least sum of mass x distance over all ways to turn `supply` into `demand`, exactly.

    Successive cheapest paths in the residual network of the transport problem, each found by trying every
    edge as often as there are nodes (Bellman-Ford). Knows nothing of the closed forms above.
    """
    if sum(supply) != sum(demand):
        raise ValueError("supply and demand need the same total")
    sources, sinks = range(len(supply)), range(len(demand))
    moved = [[Fraction(0) for _ in sinks] for _ in sources]
    left, wanted = list(supply), list(demand)
    while any(left):
        # Nodes: ("from", i) and ("to", j). Reached from any source with mass left, at no cost.
        cheapest: dict[tuple[str, int], Fraction] = {("from", i): Fraction(0) for i in sources if left[i] > 0}
        previous: dict[tuple[str, int], tuple[str, int]] = {}
        for _ in range(len(supply) + len(demand)):
            for i in sources:
                for j in sinks:
                    here, there = ("from", i), ("to", j)
                    _relax(cheapest, previous, here, there, ground[i][j])
                    if moved[i][j] > 0:
                        _relax(cheapest, previous, there, here, -ground[i][j])
        node = min((("to", j) for j in sinks if wanted[j] > 0), key=lambda sink: cheapest[sink])
        path = [node]
        while path[0] in previous:
            path.insert(0, previous[path[0]])
        steps = list(pairwise(path))
        backwards = [moved[there[1]][here[1]] for here, there in steps if here[0] == "to"]
        amount = min([left[path[0][1]], wanted[node[1]], *backwards])
        for here, there in steps:
            if here[0] == "from":
                moved[here[1]][there[1]] += amount
            else:
                moved[there[1]][here[1]] -= amount
        left[path[0][1]] -= amount
        wanted[node[1]] -= amount
    return sum((moved[i][j] * ground[i][j] for i in sources for j in sinks), Fraction(0))


def _relax(
    cheapest: dict[tuple[str, int], Fraction],
    previous: dict[tuple[str, int], tuple[str, int]],
    here: tuple[str, int],
    there: tuple[str, int],
    cost: Fraction,
) -> None:
    if here in cheapest and (there not in cheapest or cheapest[here] + cost < cheapest[there]):
        cheapest[there] = cheapest[here] + cost
        previous[there] = here
