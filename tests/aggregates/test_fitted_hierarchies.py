"""Hierarchies that do not fit a table: which labels mean something else, and what is used instead."""

import random

import pytest

import metrics
from metrics import Hierarchy, Roles, Scorecard
from metrics.cli.score import scorecard_text
from metrics.explanations.findings import findings
from metrics.metric import FindingKind
from metrics.scoring.compared_records import perturbed_columns_of
from tests.support.small_tables import Cells, table

JOBS = ["nurse", "doctor", "clerk", "judge", "farmer", "pilot"]
GIVEN = Hierarchy(
    [["nurse", "health", "*"], ["doctor", "health", "*"], ["clerk", "office", "*"], ["judge", "office", "*"],
     ["farmer", "other", "*"], ["pilot", "other", "*"], ["smith", "other", "*"]]
)  # fmt: skip
ALL = random.Random(3).choices(JOBS, k=240)


def scored(released: Cells, original: Cells = ALL, hierarchy: Hierarchy = GIVEN) -> Scorecard:
    sexes = ["f", "m"] * (len(original) // 2)
    tables = (table({"job": cells, "sex": sexes}) for cells in (released, original))
    anonymized, before = tables
    return metrics.score(anonymized, Roles(["job", "sex"]), original=before, hierarchies={"job": hierarchy})


def misfits(card: Scorecard) -> str | None:
    """What is said of labels that mean something else."""
    found = findings(card, kinds=[FindingKind.MISFIT_LABELS])
    return found[0].sentence if found else None


def test_a_label_that_means_something_else_is_named_and_read_as_the_tables_show() -> None:
    """`other` holds clerks and judges, too: the version was made with another hierarchy."""
    meant = {"nurse": "health", "doctor": "health"}
    released = [meant.get(job, "other") for job in ALL]
    card = scored(released)
    assert misfits(card) == (
        "In job, other stands for other values than in its hierarchy, so figures use the groups that both tables show. "
        "Upload the hierarchy with which this table was made."
    )
    assert card.to_dict()["misfits"] == {"job": {"labels": 1, "derived": True}}
    assert scorecard_text(card, ["k_anonymity"]).splitlines()[2] == misfits(card)
    assert perturbed_columns_of(card.aggregates) == {}
    truth = Hierarchy([[job, meant.get(job, "other"), "*"] for job in JOBS])
    right = scored(released, hierarchy=truth)
    assert misfits(right) is None
    for identifier in ("non_uniform_entropy", "precision", "granularity", "record_linkage_attack"):
        assert card[identifier].value == pytest.approx(right[identifier].value)
    assert card["record_linkage_attack"].details["no_candidate"] == 0


def test_a_hierarchy_that_fits_is_used_as_it_is_given() -> None:
    level = {row[0]: row[1] for row in GIVEN.rows}
    card = scored([level[job] for job in ALL])
    assert misfits(card) is None
    assert card.aggregates.hierarchies["job"] is GIVEN
    assert "misfits" not in card.to_dict()
    assert dict(card.aggregates.hierarchies) == {"job": GIVEN}


def test_perturbed_values_and_groups_stay_perturbed() -> None:
    draw = random.Random(5)
    swapped = ALL[1:] + ALL[:1]
    assert misfits(scored(swapped)) is None
    assert perturbed_columns_of(scored(swapped).aggregates).keys() == {"job"}
    level = {row[0]: row[1] for row in GIVEN.rows}
    groups = [draw.choice(["health", "office", "other"]) if draw.random() < 0.3 else level[job] for job in ALL]
    card = scored(groups)
    assert perturbed_columns_of(card.aggregates).keys() == {"job"}
    assert (misfits(card) or "").endswith("unless its values were perturbed.")
    # Of a few records, nothing tells another meaning from perturbation; a false interval is no label of a group.
    few = ["other" if at < 20 else level[job] for at, job in enumerate(ALL)]
    assert (misfits(scored(few)) or "").endswith("unless its values were perturbed.")
    assert scored(few).aggregates.hierarchies["job"] is GIVEN
    ages = [str(20 + at % 20) for at in range(200)]
    tens = Hierarchy([[str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}", "*"] for age in range(20, 40)])
    false = ["20-29" if at % 3 else "30-39" for at in range(200)]
    card = scored(false, ages, tens)
    assert misfits(card) is None
    assert perturbed_columns_of(card.aggregates).keys() == {"job"}


def test_intervals_that_begin_elsewhere_than_those_of_the_hierarchy_are_read_by_their_form() -> None:
    ages = [str(20 + at % 40) for at in range(200)]
    released = [f"{age[0]}0-{age[0]}9" for age in ages]
    shifted = {age: (age - 5) // 10 * 10 for age in range(10, 80)}
    hierarchy = Hierarchy([[str(age), f"{low}-{low + 9}", "*"] for age, low in shifted.items()])
    card = metrics.score(
        table({"x": released}), Roles(["x"]), original=table({"x": ages}), hierarchies={"x": hierarchy}
    )
    assert (misfits(card) or "").startswith("In x, ")
    assert perturbed_columns_of(card.aggregates) == {}
    assert card["record_linkage_attack"].value == pytest.approx(4 / 200)
    assert card["record_linkage_attack"].details["no_candidate"] == 0
