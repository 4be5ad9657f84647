"""What measures find in classes whose records are told apart by all other sensitive attributes."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import event

from metrics import Scorecard
from metrics.metric import Direction
from tests import oracle
from tests.support.against_oracle import keys, near, no_class
from tests.support.scenes import Scene

MODE = "sensitive.others_as_quasi_identifiers"


def assert_judged(card: Scorecard, identifier: str, judged: Mapping[str, Any]) -> None:
    """Value, attributes and every class as the oracle has them."""
    figures = [of.value for of in judged.values()]
    found = card[identifier]
    if None in figures and identifier != "recursive_cl_diversity":
        assert found.value is None
        assert found.unavailable
        return
    assert found.value == near(None if None in figures else worst_of(found.metric.direction)(figures))
    assert found.attributes == {name: near(of.value) for name, of in judged.items()}
    assert found.details["others_as_quasi_identifiers"] is (len(judged) > 1)
    result: Any = found.result
    for name, of in judged.items():
        per_class = dict(zip(keys(card), result.per_class[name].tolist(), strict=True))
        expected = {key: float("inf") if figure is None else near(figure) for key, figure in of.per_class.items()}
        assert per_class == expected


def worst_of(direction: Direction | None) -> Callable[..., Any]:
    """What picks the worst of several figures."""
    return max if direction is Direction.LOWER else min


def assert_others_known(scene: Scene, judges: Mapping[str, Callable[..., Any]]) -> None:
    """Every metric judges each attribute as its judge does where all others are known."""
    card = scene.score(*judges, **{MODE: True})
    if no_class(card, scene):
        return
    event(f"attributes: {len(scene.sensitive)}")
    for identifier, judge in judges.items():
        worst = worst_of(card[identifier].metric.direction)
        judged = {
            name: oracle.with_others_known(judge, worst, scene.records, scene.quasi_identifiers, scene.sensitive, name)
            for name in scene.sensitive
        }
        assert_judged(card, identifier, judged)
