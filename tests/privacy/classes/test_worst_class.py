"""Measures with a figure per class: against the oracle, and by hand where all other sensitive attributes are known."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from metrics.counting.histograms import RefinedHistogram
from metrics.explanations.class_profile import class_profile
from metrics.scoring.working import Subject, working
from tests import oracle
from tests.privacy.others_known import MODE, assert_others_known
from tests.support.against_oracle import class_rows, near, no_class
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import written
from tests.working.formulas import assert_sound

JUDGED = [
    "distinct_l_diversity",
    "entropy_l_diversity",
    "normalized_entropy_l_diversity",
    "recursive_cl_diversity",
    "alpha_k_anonymity",
    "basic_beta_likeness",
    "enhanced_beta_likeness",
    "delta_disclosure",
    "t_closeness",
]
OF_VALUES = {
    "alpha_k_anonymity": ("alpha", oracle.alpha_k_anonymity),
    "basic_beta_likeness": ("beta", oracle.basic_beta_likeness),
    "enhanced_beta_likeness": ("enhanced_beta", oracle.enhanced_beta_likeness),
    "delta_disclosure": ("delta", oracle.delta_disclosure),
}
"""By metric its measure in the class table, and the oracle's measured."""
# In class x whoever knows the job sees: nurses with flu and hiv, cooks with flu alone.
PEOPLE = written(
    """q job ill
    x nurse flu
    x nurse hiv
    x cook  flu
    x cook  flu
    y nurse flu
    y nurse cold
    y nurse hiv
    y nurse hiv
    * cook  cold
    * nurse cold"""
)
ROLES = Roles(quasi_identifiers=["q"], sensitive=["job", "ill"])


def people(known: bool = True, **given: object) -> Scorecard:
    return score(PEOPLE, ROLES, parameters=Parameters().with_settings({MODE: known, **given}))


@given(sensitive_scenes(30))
def test_the_worst_value_of_every_class_equals_that_of_the_oracle(scene: Scene) -> None:
    card = scene.score(*OF_VALUES)
    if no_class(card, scene):
        return
    details = {"others_as_quasi_identifiers": False}
    of_k = {"k": oracle.k_anonymity(scene.records, scene.quasi_identifiers).value}
    for identifier, (measure, judge) in OF_VALUES.items():
        judged = {name: judge(scene.records, scene.quasi_identifiers, name) for name in scene.sensitive}
        worst = [of.value for of in judged.values()]
        if None in worst:
            event("unavailable")
            assert card[identifier].value is None
            assert "no β is defined" in str(card[identifier].unavailable)
            assert not any(name.endswith(f".{measure}") for name in card.classes.to_arrow().column_names)
            continue
        assert card[identifier].value == near(max(worst))
        assert card[identifier].attributes == {name: near(of.value) for name, of in judged.items()}
        for name, of in judged.items():
            found = {key: row[f"{name}.{measure}"] for key, row in class_rows(card).items()}
            assert found == {key: near(figure) for key, figure in of.per_class.items()}
        assert card[identifier].details == (details | of_k if identifier == "alpha_k_anonymity" else details)


@given(sensitive_scenes(30))
def test_with_all_other_sensitive_attributes_known_the_worst_value_in_a_part_of_a_class_counts(scene: Scene) -> None:
    assert_others_known(scene, {identifier: judge for identifier, (_, judge) in OF_VALUES.items()})


@given(sensitive_scenes(20), st.integers(2, 400))
def test_copies_of_all_records_change_no_figure(scene: Scene, times: int) -> None:
    copies = replace(scene, anonymized={name: list(cells) * times for name, cells in scene.anonymized.items()})
    once, often = scene.score(*OF_VALUES), copies.score(*OF_VALUES)
    assert [once[identifier].value for identifier in OF_VALUES] == [often[identifier].value for identifier in OF_VALUES]


@given(sensitive_scenes(25))
def test_measures_that_do_not_look_at_the_other_attributes_stay(scene: Scene) -> None:
    off, on = scene.score(), scene.score(**{MODE: True})
    single = len(scene.sensitive) == 1
    for one in off:
        if single or one.metric.id not in JUDGED:
            assert one.to_dict() == on[one.metric.id].to_dict()
    assert on["p29"].to_dict() == off["p29"].to_dict()


def test_a_cook_of_class_x_certainly_has_flu_once_the_job_is_known() -> None:
    off, on = people(False), people()
    assert (off["distinct_l_diversity"].value, on["distinct_l_diversity"].value) == (1, 1)
    assert off["distinct_l_diversity"].attributes == {"job": 1, "ill": 2}
    assert on["distinct_l_diversity"].attributes == {"job": 1, "ill": 1}
    assert (
        "In 2 of 2 classes, records that agree in all other sensitive attributes"
        in on["distinct_l_diversity"].summary()
    )
    # The table stays the eight records that are in a class: flu 4/8, hiv 3/8, cold 1/8.
    assert off["basic_beta_likeness"].attributes["ill"] == 1
    assert on["basic_beta_likeness"].attributes["ill"] == 1
    assert off["alpha_k_anonymity"].attributes["ill"] == 0.75
    assert on["alpha_k_anonymity"].attributes["ill"] == 1
    assert on["alpha_k_anonymity"].details["k"] == 4
    result: Any = on["alpha_k_anonymity"].result
    assert result.per_class["ill"].tolist() == [1, 0.5]
    # x: cooks have flu alone, 1/2 from the table. y: 1/4 flu, 1/4 cold, 2/4 hiv: 1/4.
    closeness: Any = on["t_closeness"].result
    assert closeness.per_class["ill"].tolist() == [0.5, 0.25]
    assert off["t_closeness"].attributes["ill"] == 0.25
    assert "records that agree in all other sensitive attributes" in on["t_closeness"].summary()
    assert on["p29"].to_dict() == off["p29"].to_dict()


def test_the_class_table_and_the_profile_show_the_worst_part_of_a_class() -> None:
    on = people()
    rows = on.classes.to_arrow().to_pylist()
    assert [row["ill.alpha"] for row in rows] == [1, 0.5]
    assert [row["ill.t"] for row in rows] == [0.5, 0.25]
    profile = {(row.measure, row.attribute): row for row in class_profile(on, 0)}
    assert profile["(α,k)-anonymity", "ill"].figure == 1
    assert "other sensitive attributes" in profile["Distinct l-diversity", "ill"].failure


@pytest.mark.parametrize("identifier", [name for name in JUDGED if name != "enhanced_beta_likeness"])
def test_a_working_names_the_values_that_are_known(identifier: str) -> None:
    on = people()
    for index in range(2):
        for column in ROLES.sensitive:
            made = working(on, identifier, Subject(index, column))
            assert_sound(made)
            assert made.result == pytest.approx(on[identifier].value)
    cooks = working(on, identifier, Subject(0, "ill"))
    named = ("q = x has 4 records", "other sensitive values", "one of 2 parts", "2 records with job = cook")
    assert all(part in cooks.steps[0].sentence for part in named)
    assert cooks.steps[0].table is not None
    assert cooks.steps[0].table.rows == (("flu", 2, "1"),)
    plain = working(people(False), identifier, Subject(0, "ill"))
    assert "other sensitive values" not in plain.steps[0].sentence


def test_a_working_names_only_the_first_of_many_known_values() -> None:
    names = [f"s{i}" for i in range(7)]
    cells = written(" ".join(["q", *names]) + "\nx a b c d e f g\nx a b c d e f h")
    card = score(
        cells,
        Roles(quasi_identifiers=["q"], sensitive=names),
        parameters=Parameters().with_settings({MODE: True}),
    )
    first = working(card, "entropy_l_diversity", Subject(0, "s6")).steps[0].sentence
    assert "2 records with s0 = a, s1 = b, s2 = c, s3 = d and 2 more." in first
    assert isinstance(card.aggregates.sensitive(refined=True)["s6"], RefinedHistogram)
