"""Candidates whose anonymized values are spread over what they cover."""

from metrics import Hierarchy, Roles, Scorecard, score
from tests.oracle.reading import read_cells
from tests.support.scenes import Scene
from tests.support.small_tables import Cells, table

WORDS = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"], ["d", "CD", "*"]])


def card_of(before: dict[str, Cells], after: dict[str, Cells], **hierarchies: Hierarchy) -> Scorecard:
    roles = Roles(quasi_identifiers=list(after))
    metrics = ("kl_divergence", "distribution_distance")
    return score(table(after), roles, original=table(before), hierarchies=hierarchies, metrics=metrics)


def read_columns(scene: Scene) -> dict[str, tuple[Cells, Cells]]:
    """The cells of every column before and after, as measures of distributions read them."""
    return {
        name: read_cells(scene.original[name], scene.anonymized[name], scene.hierarchies.get(name))
        for name in scene.quasi_identifiers
    }
