"""Figures of a score as JSON can represent them."""

import json
from typing import Any

import numpy as np
import pytest

from metrics.scoring.scorecard import finite


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None), (float("inf"), None), (-float("inf"), None), (np.float64("nan"), None), (1.5, 1.5),
        (np.int64(3), 3), (np.bool_(True), True), ({"a": [float("inf"), (np.float32(0.5),)]}, {"a": [None, [0.5]]}),
        ({1: "x"}, {"1": "x"}), (None, None), ("nan", "nan"),
    ],
)  # fmt: skip
def test_figures_that_json_cannot_represent_become_null(value: Any, expected: Any) -> None:
    assert finite(value) == expected
    assert json.dumps(finite(value), allow_nan=False) == json.dumps(expected)
