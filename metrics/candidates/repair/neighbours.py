"""Which class is nearest to another by its quasi-identifiers, and what label covers several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from metrics.hierarchies.hierarchy import Hierarchy
from metrics.interruption import watched
from metrics.tables.table import SUPPRESSED, Floats, Integers

_EXACT_PAIRS = 2_000_000
_WINDOW = 256


class NearestClass:
    """Finds the class nearest to one, by the sum over quasi-identifiers of how far two labels lie apart.

    Labels lie as far apart as their lowest common ancestor is high, as a share of the hierarchy's height; without a
    hierarchy 1 if they differ; times the column's weight. Among equally near classes the first in order. With more than
    about 1,400 classes only the 256 classes around one in the order given are examined: a stated heuristic, for speed.
    `highest` levels keep classes apart whose common label would be on a higher one.
    """

    def __init__(
        self,
        labels: Mapping[str, Sequence[str | None]],
        hierarchies: Mapping[str, Hierarchy],
        highest: Mapping[str, int],
        weights: Floats,
    ) -> None:
        paths = [_paths(texts, hierarchies.get(name)) for name, texts in labels.items()]
        self._paths = np.concatenate(paths, axis=1)
        # Whole numbers instead of shares, so that classes equally near are exactly so.
        common_multiple = math.lcm(*(path.shape[1] for path in paths))
        levels = [path.shape[1] for path in paths]
        self._weights = np.repeat(thousandths(weights) * (common_multiple // np.array(levels)), levels)

        limited = [path[:, highest[name]] for name, path in zip(labels, paths, strict=True) if name in highest]
        together = np.array([*limited, np.zeros(len(self._paths), dtype=np.int64)])
        self.part = np.unique(together, axis=1, return_inverse=True)[1].reshape(-1)
        """Of each class the number of those that it may be merged with."""
        self._members = [np.flatnonzero(self.part == part) for part in range(int(self.part.max(initial=-1)) + 1)]

    def find(self, index: int) -> int | None:
        """The nearest other class; None if it may be merged with no other."""
        members = self._members[self.part[index]]
        number, place = len(members), int(np.searchsorted(members, index))
        if number == 1:
            return None
        low = 0
        if number * number > _EXACT_PAIRS:
            low = min(max(place - _WINDOW // 2, 0), number - _WINDOW)
            members = members[low : low + _WINDOW]
        agreement = (self._paths[members] == self._paths[index]) @ self._weights
        agreement[place - low] = -1
        return int(members[agreement.argmax()])


def thousandths(weights: Floats) -> Integers:
    """Weights as whole numbers, whose sums do not depend on the order."""
    return np.rint(1_000 * weights).astype(np.int64)


def _paths(texts: Sequence[str | None], hierarchy: Hierarchy | None) -> Integers:
    """For each text its ancestors on every level below the root as numbers.

    Texts agree on as many levels as their lowest common ancestor is far below the root. A text on a higher level
    differs from everything on the levels below its own.
    """
    if hierarchy is None or hierarchy.height < 1:
        number: dict[str | None, int] = {}
        return np.array([[number.setdefault(text, len(number))] for text in texts], dtype=np.int64)
    paths_of = _ancestors(hierarchy)
    unknown: dict[str | None, int] = {}
    rows = np.empty((len(texts), hierarchy.height), dtype=np.int64)
    for i, text in enumerate(watched(texts)):
        ancestors = paths_of.get(text or "")
        own_number = -2 - unknown.setdefault(text, len(unknown))
        rows[i] = (
            [own_number if label is None else label for label in ancestors] if ancestors is not None else own_number
        )
    return rows


def _ancestors(hierarchy: Hierarchy) -> dict[str, list[int | None]]:
    """For each label its ancestors' numbers on the levels below the root, None below its own level."""
    ancestors: dict[str, list[int | None]] = {SUPPRESSED: [None] * hierarchy.height}
    for level in range(hierarchy.height - 1, -1, -1):
        for leaf, node in enumerate(hierarchy.nodes(level)):
            label = hierarchy.labels(level)[node]
            upper_nodes = [int(hierarchy.nodes(upper)[leaf]) for upper in range(level, hierarchy.height)]
            ancestors[label] = [None] * level + list(upper_nodes)
    return ancestors


def common_labels(texts: Sequence[str | None], hierarchy: Hierarchy | None) -> str | None:
    """The most specific label that covers all texts: the text if they are one, the lowest common ancestor, or `*`.

    A label that stands on two levels may have either meaning, so both are covered; since readers take it as the more
    specific one, no merged class gets it.
    """
    if len(set(texts)) == 1:
        return texts[0]
    if hierarchy is None or any((text or "") not in hierarchy.level_of for text in texts):
        return SUPPRESSED
    root = hierarchy.rows[0][-1]
    any_value = SUPPRESSED if root in hierarchy.ambiguous_labels else root
    if SUPPRESSED in texts:
        return any_value
    leaves = np.concatenate([hierarchy.leaves_under[text or ""] for text in texts])
    for level in range(max(hierarchy.level_of[text or ""] for text in texts), hierarchy.height):
        nodes = np.unique(hierarchy.nodes(level)[leaves])
        label = hierarchy.labels(level)[int(nodes[0])]
        if len(nodes) == 1 and label not in hierarchy.ambiguous_labels:
            return label
    return any_value
