"""Sums in the order of records are those of the metric."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import Hierarchy, Roles
from metrics.aggregates import TableAggregates
from metrics.petworks.record_order import non_uniform_entropy_by_record
from tests.support.small_tables import table

LEAVES = {"10": "1*", "11": "1*", "20": "2*", "21": "2*"}
ZIP = Hierarchy([[leaf, above, "*"] for leaf, above in LEAVES.items()])
cells = st.sampled_from(sorted(LEAVES)).flatmap(
    lambda leaf: st.tuples(st.just(leaf), st.sampled_from([leaf, LEAVES[leaf], "*"]))
)
colours = st.sampled_from([("red", "red"), ("blue", "blue"), ("blue", "*"), ("red", "*")])


@given(st.lists(st.tuples(cells, colours), min_size=1, max_size=20), st.booleans())
def test_non_uniform_entropy_of_petworks_equals_the_metric(
    rows: list[tuple[tuple[str, str], tuple[str, str]]], given_zip: bool
) -> None:
    before, after = (
        table({"zip": [zip_code[i] for zip_code, _ in rows], "colour": [colour[i] for _, colour in rows]})
        for i in (0, 1)
    )
    roles = Roles(["zip", "colour"])
    hierarchies = {"zip": ZIP} if given_zip else {}
    card = metrics.score(after, roles, original=before, hierarchies=hierarchies, metrics=["non_uniform_entropy"])
    wanted = card["non_uniform_entropy"].value
    if wanted is None:
        assert not given_zip  # Values on different levels imply no hierarchy.
        return
    found = non_uniform_entropy_by_record(TableAggregates(after, roles, before, hierarchies))
    assert found == pytest.approx(wanted, abs=1e-12)
