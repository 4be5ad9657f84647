"""What (α,k)-anonymity, β-likeness and δ-disclosure have in common: a figure per class, value and attribute."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import event

from metrics import Roles, score
from tests import oracle
from tests.support.against_oracle import class_rows, near, no_class
from tests.support.scenes import Scene
from tests.support.small_tables import table, written

Judges = Mapping[str, tuple[str, Callable[..., Any]]]
"""By metric its measure in the class table, and the oracle's judgement."""
# Ten people: a is held by 5, b by 4, c by 1.
TEN = written(
    """q s
    x a
    x a
    x a
    x b
    y a
    y a
    y b
    y b
    y b
    y c"""
)
ROLES = Roles(quasi_identifiers=["q"], sensitive=["s"])


def assert_as_the_oracle(scene: Scene, judges: Judges) -> None:
    """Value, attributes, details and every class as the oracle has them, or the reason why there is no figure."""
    card = scene.score(*judges)
    if no_class(card, scene):
        return
    details = {"others_as_quasi_identifiers": False}
    of_k = {"k": oracle.k_anonymity(scene.records, scene.quasi_identifiers).value}
    for identifier, (measure, judge) in judges.items():
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


def assert_reasons(judges: Judges) -> None:
    """Without a sensitive attribute, a class or a record there is no figure, and the reason is given."""
    for content, roles, reason in (
        (TEN, Roles(quasi_identifiers=["q"]), "no column is tagged as sensitive"),
        (written("q s\n* a\n* b"), ROLES, "every record is suppressed or empty"),
        (table({"q": [], "s": []}), ROLES, "the table has no records"),
    ):
        card = score(content, roles, metrics=judges)
        assert {card[identifier].unavailable for identifier in judges} == {reason}


def assert_copies_change_no_bit(scene: Scene, times: int, judges: Judges) -> None:
    """A table that stands there several times has the very figures of the table."""
    many = Scene(
        scene.quasi_identifiers,
        scene.sensitive,
        {name: list(cells) * times for name, cells in scene.anonymized.items()},
        {},
        scene.hierarchies,
    )
    once, often = scene.score(*judges), many.score(*judges)
    for identifier in judges:
        assert once[identifier].value == often[identifier].value
