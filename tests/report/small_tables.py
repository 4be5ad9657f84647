"""Small tables before and after, scored with a policy for a report."""

from collections.abc import Mapping

import metrics
from metrics import Hierarchy, Policy, Roles
from metrics.report import FileDigests
from metrics.scoring.scorecard import Scorecard
from tests.support.small_tables import Cells, table

BEFORE = {"age": ["21", "22", "31", "32", "33", "41"], "zip": ["1"] * 6, "illness": list("ababab")}
AFTER = {"age": ["2*", "2*", "3*", "3*", "41", "*"], "zip": ["1", "1", "1", "1", "1", "*"], "illness": list("abaabc")}
AGES = [[age, f"{age[0]}*", "*"] for age in BEFORE["age"]]


def scored(
    after: Mapping[str, Cells],
    before: Mapping[str, Cells] | None = None,
    sensitive: tuple[str, ...] = ("illness",),
    hierarchies: Mapping[str, Hierarchy] | None = None,
) -> Scorecard:
    """A card whose quasi-identifiers are all the other columns."""
    others = [name for name in after if name not in sensitive]
    return metrics.score(
        table(after, "after.csv"),
        Roles(quasi_identifiers=others, sensitive=sensitive),
        original=None if before is None else table(before, "before.csv"),
        hierarchies=hierarchies,
    )


DIGESTS = FileDigests("a" * 64, "b" * 64)
TWO = Policy("Two alike", {"k_anonymity": 2})
