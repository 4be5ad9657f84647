"""k-anonymity and the classes that it counts, against the oracle."""

from hypothesis import given

from metrics import Roles, score
from metrics.config.parameters import CellReading, ClassParameters, Parameters
from metrics.policy.policy import Policy, Status
from metrics.scoring.class_filter import failing_by_limit
from tests import oracle
from tests.support.against_oracle import class_rows, no_class
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import written


def test_worked_example() -> None:
    released = written("""
        age   sex
        20-29 f
        20-29 f
        20-29 m
        20-29 m
        20-29 m
        *     *
    """)
    assert score(released, Roles(["age", "sex"]))["k_anonymity"].value == min(
        2, 3
    )  # a suppressed record is in no class


def test_with_wildcards_no_class_fails_a_limit_that_the_table_meets() -> None:
    released = written("""
        age sex
        20  f
        20  f
        20  f
        *   f
    """)
    parameters = Parameters(classes=ClassParameters(suppressed_cell=CellReading.WILDCARD))
    card = score(released, Roles(["age", "sex"]), parameters=parameters)
    limits = {"k_anonymity": 2, "reidentification_risk": 0.5}
    assert card["k_anonymity"].value == 3 + 1
    assert Policy("Both", limits).check(card).status is Status.MEETS
    failing = failing_by_limit(card.classes, limits)
    assert {name: flags.tolist() for name, flags in failing.items()} == {name: [False, False] for name in limits}


@given(sensitive_scenes())
def test_classes_and_the_smallest_of_them_equal_those_of_the_oracle(scene: Scene) -> None:
    card = scene.score("k_anonymity")
    expected = dict(oracle.equivalence_classes(scene.records, scene.quasi_identifiers))
    assert card.aggregates.classes.suppressed == scene.rows - sum(map(len, expected.values()))
    assert card.to_dict()["classes"]["count"] == len(expected)
    if no_class(card, scene):
        return
    rows = class_rows(card)
    assert {key: row["size"] for key, row in rows.items()} == {key: len(of) for key, of in expected.items()}
    assert {key: tuple(row[name] for name in scene.quasi_identifiers) for key, row in rows.items()} == {
        key: key for key in expected
    }
    assert card["k_anonymity"].value == oracle.k_anonymity(scene.records, scene.quasi_identifiers).value
