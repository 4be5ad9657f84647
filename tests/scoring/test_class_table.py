"""The class table: which measures it has, in which order, and under which names."""

import numpy as np
import pytest

from metrics import Hierarchy, Roles, score
from tests.scoring.cards import ANONYMIZED, full_card
from tests.support.small_tables import table


def test_the_class_table_has_the_measures_of_every_sensitive_attribute() -> None:
    table_of_classes = full_card().classes
    measures = [f"{s}.{m}" for s in ("s", "n") for m in ("distinct", "normalized_entropy", "t")]
    arrow = table_of_classes.to_arrow()
    likeness = [f"{s}.{m}" for m in ("alpha", "beta", "enhanced_beta", "delta") for s in ("s", "n")]
    assert arrow.column_names[:6] == ["q", "r", "size", *measures[:3]]
    assert arrow.column_names[-1] == "p29_reasons"
    assert set(measures) | set(likeness) <= set(arrow.column_names)
    expected = {
        "q": "1*", "r": "a", "size": 2, "s.distinct": 2, "s.normalized_entropy": 1.0, "s.t": 0.0,
        "n.distinct": 2, "n.normalized_entropy": 1.0, "n.t": pytest.approx(1 / 3), "p29_reasons": "",
        "s.alpha": 0.5, "s.beta": 0.0, "s.enhanced_beta": 0.0, "s.delta": 0.0,
        "n.alpha": 0.5, "n.beta": 1.0, "n.enhanced_beta": 1.0, "n.delta": 1.0,
    }  # fmt: skip
    first = arrow.to_pylist()[0]
    assert {name: first.get(name) for name in expected} == expected
    assert list(table_of_classes.to_pandas().columns) == arrow.column_names
    assert len(table_of_classes) == 2


@pytest.mark.parametrize("chosen", [[1, 0], [1], [], [0, 0]])
def test_chosen_classes_are_exported_in_the_order_chosen(chosen: list[int]) -> None:
    arrow = full_card().classes.to_arrow(np.array(chosen))
    assert arrow["q"].to_pylist() == [["1*", "2*"][i] for i in chosen]
    assert arrow.num_rows == len(chosen)


def test_without_sensitive_attributes_classes_have_a_size_and_a_risk_alone() -> None:
    card = score(ANONYMIZED, Roles(quasi_identifiers=["q"]))
    rows = card.classes.to_arrow().to_pylist()
    assert rows == [{"q": "1*", "size": 2, "risk": 0.5}, {"q": "2*", "size": 2, "risk": 0.5}]


def test_missing_values_stay_missing_and_names_do_not_collide() -> None:
    content = table({"size": [None, None, "x"], "s": ["a", "b", "a"]})
    card = score(content, Roles(quasi_identifiers=["size"], sensitive=["s"]))
    rows = card.classes.to_arrow().to_pylist()
    assert [(row["size (quasi-identifier)"], row["size"]) for row in rows] == [(None, 2), ("x", 1)]
    assert rows[0]["p29_reasons"] == ""
    assert "k = 1" in rows[1]["p29_reasons"]


def test_measures_that_are_unavailable_are_left_out() -> None:
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"])
    card = score(ANONYMIZED, roles, hierarchies={"s": Hierarchy([["x", "*"], ["z", "*"]])})
    assert card["t_closeness"].unavailable
    names = card.classes.to_arrow().column_names
    assert names[:4] == ["q", "size", "s.distinct", "s.normalized_entropy"]
    assert "s.t" not in names
