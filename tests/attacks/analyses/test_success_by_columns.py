"""How the success of attacks grows with the number of columns that are known."""

from math import comb

import pytest
from hypothesis import given

from metrics import Parameters, Roles
from metrics.aggregates import TableAggregates
from metrics.attacks.analyses import success_by_columns
from metrics.attacks.analyses.success_by_columns import knowledge_growth
from tests.attacks.scenes import KNOWN, Scene, scenes
from tests.support.examples import fewer_examples
from tests.support.small_tables import table


@fewer_examples()
@given(scenes())
def test_growth_ends_in_the_attack_with_all_columns(scene: Scene) -> None:
    card = scene.score("record_linkage_attack", "attribute_inference_attack")
    found = knowledge_growth(card.aggregates, card.parameters)
    (whole,) = found.by_size[len(KNOWN)]
    linked, inferred = card["record_linkage_attack"].result, card["attribute_inference_attack"].result
    excluding = (linked.suppressed_ruled_out, inferred.suppressed_ruled_out)
    records = [one.value for one in (linked, excluding[0], linked.most_specific) if one is not None]
    assert whole.record == pytest.approx(max(records))
    for name, rate in whole.attributes.items():
        rates = [one.attributes[name] for one in (inferred, excluding[1]) if one is not None]
        specific = inferred.most_specific.get(name)
        assert rate == pytest.approx(max(rates if specific is None else [*rates, specific.value]))
    assert {size: len(subsets) for size, subsets in found.by_size.items()} == {
        size: comb(len(KNOWN), size) for size in range(1, len(KNOWN) + 1)
    }
    assert found.complete
    assert found.exact
    for attribute in ("", *found.attributes):
        best, mean = found.best(attribute), found.mean(attribute)
        assert all(best[size].rate(attribute) >= mean[size] - 1e-12 for size in mean)


def test_many_subsets_and_many_people_are_drawn_by_the_seed() -> None:
    cells = {f"q{place}": [str((row >> place) % 2) for row in range(64)] for place in range(6)}
    aggregates = TableAggregates(table(cells), Roles(list(cells)), table(cells))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(success_by_columns, "MAX_SUBSETS", 7)
        patch.setattr(success_by_columns, "_MAX_TARGETS", 10)
        found, again = (knowledge_growth(aggregates, Parameters()) for _ in range(2))
        other = knowledge_growth(aggregates, Parameters().with_settings({"attack.seed": 1}))
    assert {size: len(subsets) for size, subsets in found.by_size.items()} == {1: 6, 2: 7, 3: 7, 4: 7, 5: 6, 6: 1}
    assert (found.complete, found.exact, found.targets) == (False, False, 10)
    assert found == again
    assert [one.columns for one in found.by_size[3]] != [one.columns for one in other.by_size[3]]
    # Each column halves the possible records.
    assert [found.mean("")[size] for size in range(1, 7)] == [2**size / 64 for size in range(1, 7)]
