"""Top and bottom coding: tails that hold at most their share."""

import pytest

from metrics.candidates.methods.top_bottom_coding import TopBottomCoding
from tests.candidates.methods.workers import ROLES
from tests.support.small_tables import Cells, cells_of, table


@pytest.mark.parametrize(
    ("cells", "top", "bottom", "expected"),
    [
        (list("1234567890"), 0.2, 0.2, ["<=1", "2", "3", "4", "5", "6", "7", ">=8", ">=8", "<=1"]),
        (list("1234567890"), 0.1, 0.0, list("1234567890")),  # an interval of one value hides nothing
        (["0"] * 8 + ["5", "6"], 0.3, 0.3, ["0"] * 8 + [">=5", ">=5"]),
        (["1", "1.0", "2", "9"], 0, 0.5, ["1", "1.0", "2", "9"]),
        (["1", None, "2", "8", "9", "*"], 0.5, 0.5, ["<=2", None, "<=2", ">=8", ">=8", "*"]),
        (["7"] * 4, 0.5, 0.5, ["7"] * 4),
    ],
)
def test_tails_hold_at_most_their_share(cells: Cells, top: float, bottom: float, expected: Cells) -> None:
    rows = len(cells)
    original = table({"age": cells, "job": ["n"] * rows, "ill": ["x"] * rows})
    made = TopBottomCoding(top=top, bottom=bottom).apply(original, ROLES, seed=1)
    assert cells_of(made["age"]) == expected
