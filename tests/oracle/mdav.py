"""MDAV point by point, as the paper lists its steps."""

from collections.abc import Sequence

Point = Sequence[float]


def mdav(points: Sequence[Point], k: int) -> list[list[int]]:
    """The groups, each a list of places, in the order they are found. Points are standardized already."""
    left = list(range(len(points)))
    groups: list[list[int]] = []

    def distance(one: Point, other: Point) -> float:
        return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))

    def farthest(point: Point) -> int:
        return max(left, key=lambda i: (distance(points[i], point), -i))

    def take(place: int) -> None:
        nonlocal left
        group = sorted(left, key=lambda i: (i != place, distance(points[i], points[place]), i))[:k]
        groups.append(sorted(group))
        left = [i for i in left if i not in group]

    def average() -> Point:
        return [sum(points[i][column] for i in left) / len(left) for column in range(len(points[0]))]

    while len(left) >= 3 * k:
        first = farthest(average())
        take(first)
        take(farthest(points[first]))
    if len(left) >= 2 * k:
        take(farthest(average()))
    groups.append(left)
    return groups
