"""The candidates of a person: covering records or the nearest ones, all at once or in small portions."""

import numpy as np
import pytest
from hypothesis import given

from metrics import Roles
from metrics.aggregates import TableAggregates
from metrics.attacks.candidate_sets import CandidateSets, ColumnMatch, Released
from metrics.hierarchies import covering
from tests.attacks.scenes import Scene, scenes
from tests.support.examples import fewer_examples
from tests.support.small_tables import table

IDS = (
    "record_linkage_attack",
    "attribute_inference_attack",
    "linkability_attack",
    "membership_attack",
    "singling_out_attack",
)


def test_candidates_are_the_records_that_cover_a_person_or_else_the_nearest_ones() -> None:
    content = table({"age": ["20-29", "20-29", "45", "70"]})
    aggregates = TableAggregates(content, Roles(quasi_identifiers=["age"]))
    people = table({"age": ["21", "48"]})["age"]
    released = Released.from_relation(aggregates.relation, ["age"])
    sets = CandidateSets(released, [people], [ColumnMatch.from_columns(content["age"], people, None, 50)], [np.ones(3)])
    covered = np.zeros(2, dtype=bool)
    found = {
        int(person): size
        for batch in sets.batches(covered)
        for person, size in zip(batch.people, batch.sizes(released), strict=True)
    }
    # Two records cover 21; nothing covers 48, and 45 is nearer to it than 70.
    assert found == {0: 2, 1: 1}
    assert covered.tolist() == [True, False]


@fewer_examples(0.2)
@given(scenes())
def test_candidates_in_small_portions_give_the_figures_of_all_at_once(scene: Scene) -> None:
    whole = scene.score(*IDS, holdout=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(covering, "MAX_PAIRS", 1)
        patch.setattr("metrics.attacks.candidate_sets._MAX_CELLS", 1)
        portioned = scene.score(*IDS, holdout=True)
    for identifier in IDS:
        assert portioned[identifier].to_dict() == {
            **whole[identifier].to_dict(),
            "value": pytest.approx(whole[identifier].value, rel=1e-12, abs=1e-12),
            "details": portioned[identifier].details,
        }
