"""k-anonymity and the classes that it counts, against the oracle."""

from hypothesis import given

from metrics import Roles, score
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
