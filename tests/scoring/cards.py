"""A scorecard of two small tables that has a figure for as many metrics as can have one."""

from metrics import Hierarchy, Parameters, Roles, Scorecard, score
from tests.support.small_tables import written

ANONYMIZED = written("q r s n\n1* a x 1\n1* a y 2\n2* b x 3\n2* b y 4\n* * x 5", "anonymized.csv")
ORIGINAL = written("q r s n\n10 a x 1\n11 a y 2\n20 b x 3\n21 b y 4\n22 c x 5", "original.csv")
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s", "n"])
HIERARCHY = Hierarchy([[str(q), f"{q // 10}*", "*"] for q in (10, 11, 20, 21, 22)])
SAMPLED = Parameters().with_settings({"population_uniqueness.sampling_fraction": 0.1})


def full_card() -> Scorecard:
    return score(ANONYMIZED, ROLES, original=ORIGINAL, hierarchies={"q": HIERARCHY}, parameters=SAMPLED)
