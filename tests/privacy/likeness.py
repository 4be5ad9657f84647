"""The example of (α,k)-anonymity, β-likeness and δ-disclosure."""

from metrics import Roles
from tests.support.small_tables import written

# Ten people: a is held by 5, b by 4, c by 1.
TEN = written(
    """q s
    x a
    x a
    x a
    x b
    y a
    y a
    y b
    y b
    y b
    y c"""
)
ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])
