"""Which class is nearest to another, and the label that both share."""

import numpy as np
import pytest

from metrics import Hierarchy
from metrics.candidates.repair.neighbours import NearestClass, common_labels
from tests.candidates.repair.ages import AGES


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["21", "21"], "21"),
        (["21", "25"], "20-29"),
        (["21", "20-29"], "20-29"),
        (["25", "33"], "20-39"),
        (["20-39", "61"], "*"),
        (["21", "*"], "*"),
        (["21", "unknown"], "*"),
        ([None, "21"], "*"),
    ],
)
def test_the_common_label_is_the_lowest_common_ancestor(texts: list[str | None], expected: str) -> None:
    assert common_labels(texts, AGES) == expected


def test_the_common_label_covers_every_meaning_of_a_label_on_two_levels() -> None:
    midpoints = Hierarchy([[age, "49.5" if "40" < age < "60" else "69.5", "50"] for age in ("41", "50", "61", "74")])
    assert common_labels(["41", "49.5"], midpoints) == "49.5"
    # The label 50 may be that of the root, which people of 61 have as well: as a merged label it would read as an age.
    assert common_labels(["50", "49.5"], midpoints) == "*"
    assert common_labels(["41", "69.5"], midpoints) == "*"


def test_the_nearest_class_shares_the_lowest_ancestor() -> None:
    nearest = NearestClass(
        {"age": ["21", "61", "33", "25"], "sex": ["f", "f", "f", "f"]}, {"age": AGES}, {}, np.ones(2)
    )
    assert nearest.find(0) == 3
    assert nearest.find(2) == 0
    many = NearestClass({"age": [str(i // 2) for i in range(4000)]}, {}, {}, np.ones(1))
    assert [many.find(i) for i in (0, 1, 2001, 3999)] == [1, 0, 2000, 3998]
