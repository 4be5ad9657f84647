"""The diagram of amounts under which attacks are profitable."""

import numpy as np
import pytest

from metrics.economics.break_even import Phase
from metrics.economics.phase_chart import phase_diagram


@pytest.mark.parametrize("first", [0.0, 1.0])
def test_the_axis_of_a_phase_diagram_is_logarithmic_where_it_can_be(first):
    phase = Phase(
        "adversary_cost",
        "adversary_gain",
        np.array([0.0, 8.0]),
        np.array([first, 100.0]),
        np.zeros((2, 2)),
        np.zeros((2, 2), dtype=int),
        np.ones((2, 2), dtype=bool),
        1.0,
    )
    drawn = phase_diagram(phase, 4.0, 100.0, holds=True)
    assert drawn.layout.yaxis.type == ("log" if first else "linear")
    assert drawn.layout.yaxis.range == ((0, 2) if first else (0, 100))
    assert drawn.layout.showlegend
    assert not drawn.layout.annotations
