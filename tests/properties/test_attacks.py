"""What the figures of attacks must be where theory says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Scorecard, score
from tests.attacks.scenes import KNOWN, LABELS, ROLES, TREE, people
from tests.support.examples import fewer_examples
from tests.support.small_tables import Cells, table

recoded = st.integers(1, 12).flatmap(lambda rows: people(rows, missing=False))


levels = st.lists(st.integers(0, 3), min_size=len(KNOWN), max_size=len(KNOWN))


IDS = ("record_linkage_attack", "attribute_inference_attack", "two_source_linkage_attack", "membership_attack")


def release_of(cells: dict[str, Cells], chosen: list[int]) -> dict[str, Cells]:
    return {
        **cells,
        **{
            name: [LABELS[name][str(cell)][level] for cell in cells[name]]
            for name, level in zip(KNOWN, chosen, strict=True)
        },
    }


def card_of(cells: dict[str, Cells], released: dict[str, Cells], *metrics: str) -> Scorecard:
    trees = {name: Hierarchy(rows) for name, rows in TREE.items()}
    return score(table(released), ROLES, original=table(cells), hierarchies=trees, metrics=metrics)


@fewer_examples()
@given(recoded, levels)
def test_under_global_recoding_the_rates_follow_from_the_classes(cells: dict[str, Cells], chosen: list[int]) -> None:
    if chosen == [3, 3, 3]:
        chosen = [2, 3, 3]  # else all records are suppressed
    card = card_of(cells, release_of(cells, chosen), *IDS, "reidentification_risk")
    classes = card.aggregates.classes
    linkage = card["record_linkage_attack"]
    assert linkage.value == pytest.approx(classes.count / classes.kept, rel=1e-12)
    assert linkage.value == pytest.approx(card["reidentification_risk"].details["marketer"], rel=1e-12)
    assert (linkage.details["unique_wrong"], linkage.details["no_candidate"]) == (0, 0)
    for name in ("illness", "days"):
        histogram = card.aggregates.histogram(name)
        most = sum(int(histogram.of_class(at).max()) for at in range(classes.count))
        assert card["attribute_inference_attack"].attributes[name] == pytest.approx(most / classes.kept, rel=1e-12)


@fewer_examples()
@given(recoded)
def test_a_release_of_the_original_itself_finds_the_people_who_are_unique_in_it(cells: dict[str, Cells]) -> None:
    card = card_of(cells, cells, *IDS, "singling_out_attack", "sample_uniqueness")
    details = card["record_linkage_attack"].details
    assert details["unique_right"] == pytest.approx(card["sample_uniqueness"].value)
    assert card["singling_out_attack"].value in (0, 1)
    assert card["attribute_inference_attack"].value >= details["unique_right"] - 1e-12


@fewer_examples()
@given(recoded)
def test_a_release_of_one_class_gives_the_baseline_rates(cells: dict[str, Cells]) -> None:
    card = card_of(cells, release_of(cells, [2, 3, 3]), *IDS)
    for identifier in ("record_linkage_attack", "two_source_linkage_attack"):
        assert card[identifier].value == pytest.approx(card[identifier].details["baseline"], rel=1e-12)
        assert card[identifier].details["excess"] == pytest.approx(0, abs=1e-12)
    for one in card["attribute_inference_attack"].details["by_attribute"].values():
        assert one["value"] == pytest.approx(one["baseline"], rel=1e-12)
