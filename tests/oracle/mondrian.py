"""Mondrian record by record: one partition after the other, every cut tried by counting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Records = Sequence[Mapping[str, str]]
Part = list[int]


@dataclass(frozen=True)
class Ordered:
    """A column with the values in their order, and where each lies from 0 to 1."""

    name: str
    position: Mapping[str, float]

    def width(self, values: set[str]) -> float:
        found = [self.position[value] for value in values]
        return max(found) - min(found)

    def parts(self, records: Records, part: Part, enough: "Enough") -> list[Part]:
        best: list[Part] = []
        places = sorted({self.position[records[i][self.name]] for i in part})
        for place in places[:-1]:
            low = [i for i in part if self.position[records[i][self.name]] <= place]
            high = [i for i in part if i not in low]
            if not best or min(len(low), len(high)) > min(map(len, best)):
                best = [low, high]
        return best if best and all(map(enough.met, best)) else []


@dataclass(frozen=True)
class Tree:
    """A column with a hierarchy, leaf to root, of the values that occur; groups stand together."""

    name: str
    rows: Sequence[Sequence[str]]

    def _lowest(self, values: set[str]) -> tuple[int, tuple[str, ...]]:
        rows = [row for row in self.rows if row[0] in values]
        level = next(level for level in range(len(rows[0])) if len({tuple(row[level:]) for row in rows}) == 1)
        return level, tuple(rows[0][level:])

    def width(self, values: set[str]) -> float:
        level, node = self._lowest(values)
        return (sum(tuple(row[level:]) == node for row in self.rows) - 1) / max(len(self.rows) - 1, 1)

    def parts(self, records: Records, part: Part, enough: "Enough") -> list[Part]:
        level, _ = self._lowest({records[i][self.name] for i in part})
        if level == 0:
            return []
        children: dict[tuple[str, ...], Part] = {}
        for row in self.rows:
            members = [i for i in part if records[i][self.name] == row[0]]
            if members:
                children.setdefault(tuple(row[level - 1 :]), []).extend(members)
        apart = [child for child in children.values() if enough.met(child)]
        pool = [i for child in children.values() if child not in apart for i in child]
        while pool and apart and not enough.met(pool):
            smallest = min(apart, key=len)
            apart.remove(smallest)
            pool += smallest
        found = [*apart, *([pool] if pool else [])]
        return found if len(found) > 1 and all(map(enough.met, found)) else []


@dataclass(frozen=True)
class Enough:
    """What every part must hold."""

    records: Records
    k: int
    l: int  # noqa: E741
    sensitive: Sequence[str]

    def met(self, part: Part) -> bool:
        diverse = all(len({self.records[i][name] for i in part}) >= self.l for name in self.sensitive)
        return len(part) >= self.k and (self.l == 1 or diverse)


def mondrian(records: Records, dimensions: Sequence[Ordered | Tree], enough: Enough) -> set[frozenset[int]]:
    """The parts, each a set of record numbers."""
    waiting, done = [list(range(len(records)))], set()
    while waiting:
        part = waiting.pop()
        widths = [-one.width({records[i][one.name] for i in part}) for one in dimensions]
        order = [dimensions[place] for place in sorted(range(len(widths)), key=widths.__getitem__)]
        found = next((parts for one in order if (parts := one.parts(records, part, enough))), None)
        if found is None:
            done.add(frozenset(part))
        else:
            waiting += found
    return done
