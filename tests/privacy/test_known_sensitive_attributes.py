"""Several sensitive attributes, each judged where all others are known: against the oracle, class by class."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, score
from metrics.counting.classes import RefinedHistogram
from metrics.explanations.class_profile import class_profile
from metrics.explanations.workings import Subject, working
from tests import oracle
from tests.explanations.workings.formulas import assert_sound
from tests.properties.test_against_oracle import blank_for_missing, keys, near, no_class
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import records, written

MODE = "sensitive.others_as_quasi_identifiers"
SMALLEST: dict[str, Callable[..., Any]] = {
    "distinct_l_diversity": oracle.distinct_l_diversity,
    "entropy_l_diversity": oracle.entropy_l_diversity,
    "normalized_entropy_l_diversity": oracle.normalized_entropy_l_diversity,
}
LARGEST: dict[str, Callable[..., Any]] = {
    "recursive_cl_diversity": oracle.recursive_cl_diversity,
    "alpha_k_anonymity": oracle.alpha_k_anonymity,
    "basic_beta_likeness": oracle.basic_beta_likeness,
    "enhanced_beta_likeness": oracle.enhanced_beta_likeness,
    "delta_disclosure": oracle.delta_disclosure,
}
JUDGED = [*SMALLEST, *LARGEST, "t_closeness"]
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


def check(card: Scorecard, identifier: str, judged: dict[str, Any], worst: Callable[..., Any]) -> None:
    """Value, attributes and every class as the oracle has them."""
    figures = [of.value for of in judged.values()]
    found = card[identifier]
    if None in figures and identifier != "recursive_cl_diversity":
        assert found.value is None
        assert found.unavailable
        return
    assert found.value == near(None if None in figures else worst(figures))
    assert found.attributes == {name: near(of.value) for name, of in judged.items()}
    assert found.details["others_as_quasi_identifiers"] is (len(judged) > 1)
    result: Any = found.result
    for name, of in judged.items():
        per_class = dict(zip(keys(card), result.per_class[name].tolist(), strict=True))
        expected = {key: float("inf") if figure is None else near(figure) for key, figure in of.per_class.items()}
        assert per_class == expected


@given(sensitive_scenes(30))
def test_diversity_and_likeness(scene: Scene) -> None:
    card = scene.score(*SMALLEST, *LARGEST, **{MODE: True})
    if no_class(card, scene):
        return
    event(f"attributes: {len(scene.sensitive)}")
    for judges, worst in ((SMALLEST, min), (LARGEST, max)):
        for identifier, judge in judges.items():
            judged = {
                name: oracle.with_others_known(
                    judge, worst, scene.records, scene.quasi_identifiers, scene.sensitive, name
                )
                for name in scene.sensitive
            }
            check(card, identifier, judged, worst)


@given(sensitive_scenes(30), st.sampled_from(["equal", "ordered", "hierarchical", "automatic"]))
def test_t_closeness(scene: Scene, chosen: str) -> None:
    distances = {} if chosen == "automatic" else {f"t_closeness.distance.{name}": chosen for name in scene.sensitive}
    card = scene.score("t_closeness", **{MODE: True}, **distances)
    if no_class(card, scene):
        return
    judged = {}
    for name in scene.sensitive:
        ground = (
            oracle.ground_distance_of(scene.records, scene.quasi_identifiers, name, scene.hierarchies)
            if chosen == "automatic"
            else chosen
        )
        # A blank leaf stands for missing cells of the attribute judged alone: others keep the two apart.
        cells = dict(scene.anonymized)
        if ground == "hierarchical":
            cells[name] = blank_for_missing({name: cells[name]}, scene.hierarchies)[name]

        def distance(*given: Any, ground: str = ground) -> Any:
            return oracle.t_closeness(*given, ground, scene.hierarchies.get(given[-1]))

        try:
            judged[name] = oracle.with_others_known(
                distance, max, records(cells), scene.quasi_identifiers, scene.sensitive, name
            )
        except ValueError:
            event("unavailable")
            assert card["t_closeness"].unavailable
            return
    check(card, "t_closeness", judged, max)
    farther = {key for of in judged.values() for key, distance in of.per_class.items() if 5 * distance > 1}
    assert card["t_closeness"].details["violating_classes"] == len(farther)


@given(sensitive_scenes(30))
def test_refined_histograms(scene: Scene) -> None:
    aggregates = scene.score("k_anonymity").aggregates
    if not aggregates.classes.count:
        return
    for name in scene.sensitive:
        refined = aggregates.refined_histogram(name)
        assert refined is aggregates.refined_histogram(name)
        others = [other for other in scene.sensitive if other != name]
        expected: dict[Any, list[str | None]] = {}
        for record in oracle.kept_records(scene.records, scene.quasi_identifiers):
            key = tuple(record[q] for q in scene.quasi_identifiers)
            expected.setdefault((key, tuple(record[other] for other in others)), []).append(record[name])
        assert refined.sizes.sum() == aggregates.classes.kept
        found = {}
        for group, parent in enumerate(refined.parent.tolist()):
            counts = refined.of_class(group)
            cells = [label for code, label in enumerate(refined.column.labels) for _ in range(counts[code])]
            assert len(cells) == refined.sizes[group]
            found[tuple(aggregates.classes.labels(parent).values()), tuple(refined.known(group).values())] = cells
        assert {key: sorted(map(str, cells)) for key, cells in found.items()} == {
            key: sorted(map(str, cells)) for key, cells in expected.items()
        }
        for index in range(aggregates.classes.count):
            assert refined.sizes[refined.groups_of(index)].sum() == aggregates.classes.sizes[index]


@given(sensitive_scenes(25))
def test_what_does_not_look_at_the_others_stays(scene: Scene) -> None:
    off, on = scene.score(), scene.score(**{MODE: True})
    single = len(scene.sensitive) == 1
    for one in off:
        if single or one.metric.id not in JUDGED:
            assert one.to_dict() == on[one.metric.id].to_dict()
    assert on["p29"].to_dict() == off["p29"].to_dict()


def test_by_hand() -> None:
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


def test_the_class_table_and_the_profile_show_the_worst_part() -> None:
    on = people()
    rows = on.classes.to_arrow().to_pylist()
    assert [row["ill.alpha"] for row in rows] == [1, 0.5]
    assert [row["ill.t"] for row in rows] == [0.5, 0.25]
    profile = {(row.measure, row.attribute): row for row in class_profile(on, 0)}
    assert profile["(α,k)-anonymity", "ill"].figure == 1
    assert "other sensitive attributes" in profile["Distinct l-diversity", "ill"].failure


@pytest.mark.parametrize("identifier", [name for name in JUDGED if name != "enhanced_beta_likeness"])
def test_the_working_names_what_is_known(identifier: str) -> None:
    on = people()
    for index in range(2):
        for column in ROLES.sensitive:
            made = working(on, identifier, Subject(index, column))
            assert_sound(made)
            assert made.result == pytest.approx(on[identifier].value)
    cooks = working(on, identifier, Subject(0, "ill"))
    named = ("q = x has 4 records", "all other sensitive values", "2 parts", "2 records with job = cook")
    assert all(part in cooks.steps[0].sentence for part in named)
    assert cooks.steps[0].table is not None
    assert cooks.steps[0].table.rows == (("flu", 2, "1"),)
    plain = working(people(False), identifier, Subject(0, "ill"))
    assert "all other sensitive values" not in plain.steps[0].sentence


def test_many_others_are_named_in_part() -> None:
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
