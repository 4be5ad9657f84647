"""Files longer than what is looked at first, whose cells are quoted."""

import pytest

import metrics


@pytest.mark.parametrize("first", range(1, 21, 3))
def test_a_beginning_that_ends_within_a_quoted_cell_raises_no_question(first: int) -> None:
    lines = [f'"{"x" * first}","illness"', *(f'"{number:06}","a cell, quoted"' for number in range(45_000))]
    assert metrics.read_table("\n".join(lines).encode(), header_lines=1).rows == 45_000
