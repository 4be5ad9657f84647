"""A deleted record and one whose quasi-identifiers are all suppressed are the same loss."""

import dataclasses

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.against_oracle import near
from tests.support.scenes import Scene, pair_scenes

RECORD_BY_RECORD = ["non_uniform_entropy", "ambiguity"]
"""They say how many records were deleted."""
MEASURES = ["precision", "granularity", "discernibility", "average_class_size", "suppressed_cells"]


@given(pair_scenes(), st.data())
def test_a_deleted_record_counts_as_a_suppressed_one(scene: Scene, data: st.DataObject) -> None:
    assume(scene.rows > 1)
    keys = [str(i) for i in range(scene.rows)]
    kept = sorted(data.draw(st.sets(st.integers(0, scene.rows - 1), min_size=1)))
    order = data.draw(st.permutations(kept))
    remaining = {name: [cells[i] for i in order] for name, cells in scene.anonymized.items()}
    deleted = dataclasses.replace(
        scene,
        anonymized={**remaining, "id": [keys[i] for i in order]},
        original={**scene.original, "id": keys},
        key="id",
    ).score(*RECORD_BY_RECORD, *MEASURES)
    starred = dataclasses.replace(
        scene,
        anonymized={
            name: [cell if i in kept else "*" for i, cell in enumerate(cells)]
            for name, cells in scene.anonymized.items()
        },
    ).score(*RECORD_BY_RECORD, *MEASURES)
    for identifier in (*RECORD_BY_RECORD, *MEASURES):
        assert (deleted[identifier].unavailable is None) is (starred[identifier].unavailable is None)
        assert deleted[identifier].value == near(starred[identifier].value)
    for identifier in MEASURES:
        assert deleted[identifier].unavailable == starred[identifier].unavailable
        assert deleted[identifier].attributes == {
            name: near(figure) for name, figure in starred[identifier].attributes.items()
        }
        assert deleted[identifier].details == starred[identifier].details
    for identifier in RECORD_BY_RECORD:
        if deleted[identifier].result is not None:
            assert deleted[identifier].details["deleted_records"] == scene.rows - len(kept)
