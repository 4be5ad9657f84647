"""Every attack against one that looks at each person beside each released record."""

from fractions import Fraction
from statistics import fmean
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Scorecard
from metrics.aggregates import TableAggregates
from metrics.attacks import guesses
from metrics.attacks.intersection import intersect_releases
from metrics.explanations.workings import Subject, working
from metrics.hierarchies import covering
from tests.attacks.scenes import KNOWN, ROLES, TREE, Scene, people, releases, scenes
from tests.explanations.workings.test_working import assert_derives
from tests.oracle import attacks as oracle
from tests.oracle.classes import Record
from tests.support.examples import fewer_examples
from tests.support.small_tables import records, table

IDS = (
    "record_linkage_attack",
    "attribute_inference_attack",
    "linkability_attack",
    "membership_attack",
    "singling_out_attack",
)
known_columns = st.lists(st.sampled_from(KNOWN), min_size=2, max_size=3, unique=True)


def mean_of(card: Scorecard, identifier: str, title: str, column: str = "") -> float:
    """The mean over all people of what a step of the working ends in."""
    found = [
        {step.title: step.number for step in working(card, identifier, Subject(at, column)).steps}[title]
        for at in range(card.aggregates.anonymized.rows)
    ]
    return fmean(float(number) for number in found if number is not None)


def near(figure: Fraction) -> Any:
    return pytest.approx(float(figure), rel=1e-12, abs=1e-12)


@fewer_examples()
@given(scenes(), known_columns)
def test_record_linkage(scene: Scene, known: list[str]) -> None:
    card = scene.score("record_linkage_attack", **{"attack.known": ",".join(known)})
    expected = oracle.link(scene.people, scene.release, known, TREE)
    event(f"without candidate {expected.no_candidate > 0}")
    found = card["record_linkage_attack"]
    assert found.value == near(expected.rate)
    details = found.details
    assert details["unique_right"] == near(expected.unique_right)
    assert details["unique_wrong"] == near(expected.unique_wrong)
    assert details["no_candidate"] == near(expected.no_candidate)
    assert (details["baseline"], details["control"]) == (near(Fraction(1, len(scene.release))), None)
    assert (details["exact"], details["interval"], found.interval) == (True, None, None)
    assert_derives(card, "record_linkage_attack")
    assert mean_of(card, "record_linkage_attack", "The probability for this person") == near(expected.rate)


@fewer_examples()
@given(scenes(), known_columns, st.booleans())
def test_attribute_inference(scene: Scene, known: list[str], numeric: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guesses, "_MIN_NUMBERS", 1 if numeric else 20)
        chosen = {"attack.known": ",".join(known), "attack.tolerance": 0.25}
        card = scene.score("attribute_inference_attack", holdout=True, **chosen)
        found = card["attribute_inference_attack"]
        worst = Fraction(0)
        for column in ("illness", "days"):
            median = numeric and column == "days" and len(set(scene.original["days"])) > 1
            tolerance = Fraction(1, 4) if median else None
            given = (scene.release, scene.people, known, TREE, column, tolerance)
            expected = oracle.infer(scene.people, *given)
            control = oracle.infer(scene.others, *given)
            own = found.details["by_attribute"][column]
            assert found.attributes[column] == near(expected.rate)
            assert own["baseline"] == near(expected.baseline)
            assert own["control"] == near(control.rate)
            assert found.details["certain"][column] == near(expected.certain)
            assert found.details["guess"][column] == ("median" if median else "plurality")
            excess = (expected.rate - control.rate) / (1 - control.rate) if control.rate < 1 else Fraction(0)
            assert own["excess"] == near(max(excess, Fraction(0)))
            assert own["excess_over"] == "control"
            worst = max(worst, expected.rate)
        assert found.value == near(worst)
        assert_derives(card, "attribute_inference_attack")
        for column in ("illness", "days"):
            right = mean_of(card, "attribute_inference_attack", "The guess for this person", column)
            assert right == pytest.approx(found.attributes[column])


@fewer_examples()
@given(scenes(), known_columns)
def test_linkability_and_membership(scene: Scene, known: list[str]) -> None:
    identifiers = ("linkability_attack", "membership_attack")
    card = scene.score(*identifiers, holdout=True, **{"attack.known": ",".join(known)})
    linkability, membership = card["linkability_attack"], card["membership_attack"]
    assert linkability.value == near(oracle.linked(scene.people, scene.release, scene.people, known, TREE))
    control = oracle.linked(scene.others, scene.release, scene.people, known, TREE)
    assert linkability.details["control"] == near(control)
    assert linkability.details["halves"] == [known[::2], known[1::2]]
    inside, outside = (oracle.covered(of, scene.release, known, TREE) for of in (scene.people, scene.others))
    assert membership.value == near(inside - outside)
    assert mean_of(card, "linkability_attack", "The same record") == pytest.approx(linkability.value)
    for identifier in identifiers:
        assert_derives(card, identifier)


@fewer_examples()
@given(scenes(8))
def test_singling_out(scene: Scene) -> None:
    card = scene.score("singling_out_attack", holdout=True)
    found = card["singling_out_attack"]
    usable = list(scene.released)
    classes = [[*KNOWN, name] for name in ("illness", "days")]
    expected = oracle.predicates(scene.release, usable, classes, TREE)
    hits = sum(oracle.matching(one, scene.people, TREE) == 1 for one in expected)
    controls = sum(oracle.matching(one, scene.others, TREE) == 1 for one in expected)
    assert found.details["attempts"] == len(expected)
    assert found.value == near(Fraction(hits, len(expected)) if expected else Fraction(0))
    assert found.details["control"] == (near(Fraction(controls, len(expected))) if expected else None)
    for columns in classes:
        single = [
            record
            for record in scene.release
            if oracle.matching({name: record[name] for name in columns}, scene.release, TREE) == 1
            and oracle.matching({name: record[name] for name in columns}, scene.people, TREE) == 1
        ]
        assert found.details["class_and_value"][columns[-1]] == near(Fraction(len(single), len(scene.release)))
    assert_derives(card, "singling_out_attack")


@st.composite
def several(draw: st.DrawFn) -> tuple[list[Record], list[Any]]:
    original = draw(people(draw(st.integers(1, 10)), draw(st.booleans())))
    return original, [draw(releases(original, 2)) for _ in range(draw(st.integers(2, 3)))]  # type: ignore[return-value]


@fewer_examples()
@given(several(), known_columns)
def test_intersection(published: Any, known: list[str]) -> None:
    cells, released = published
    original = table(cells)
    trees = {name: Hierarchy(rows) for name, rows in TREE.items()}
    parameters = Parameters().with_settings({"attack.known": known})
    found = intersect_releases([TableAggregates(table(one), ROLES, original, trees) for one in released], parameters)
    before, after = list(records(cells)), [list(records(one)) for one in released]
    for column in ("illness", "days"):
        together, alone, only = oracle.jointly_disclosed(before, after, known, TREE, column)
        one = found.disclosed[column]
        assert one.together.value == near(together)
        assert list(one.alone) == [near(share) for share in alone]
        assert one.only_together == near(only)
    assert found.value == max(one.together.value for one in found.disclosed.values())


@fewer_examples(0.2)
@given(scenes())
def test_in_small_portions_too(scene: Scene) -> None:
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
