"""The P_29 page: its weights and its condition move the figure."""

import math

import pytest

from metrics.config.parameters import rescale_weights
from tests.dashboard.application import (
    FEW,
    choose,
    figure,
    metric,
    press,
    sample,
    state_of,
)

WEIGHTS = ("w_k", "w_l", "w_t")


def test_failing_classes_are_listed_worst_first() -> None:
    (table,) = sample("p29").dataframe
    rows = table.value
    assert rows["reasons"].iloc[0].startswith("k = 1; l = 0 for diagnosis; l = 0 for length_of_stay")
    assert set(rows["size"].iloc[:789]) == {1}


def test_weights_keep_their_sum_and_the_limit_on_t_is_a_condition() -> None:
    app = choose(sample("p29"), "candidate", "candidate_strict.csv")
    before = metric(app, "P_29")
    assert float(before) > 0
    for name, weight in (("w_k", 1.0), ("w_t", 0.37)):
        choose(app, name, weight)
        values = {key: app.get_by_key(key).value for key in WEIGHTS}
        assert values[name] == weight
        assert math.fsum(values.values()) == pytest.approx(1, abs=1e-9)
        assert metric(app, "P_29") != before
        assert float(metric(app, "P_29")) == pytest.approx(
            values["w_k"] * figure(app, "Class size (k)")
            + values["w_l"] * figure(app, "Diversity (l)")
            + values["w_t"] * figure(app, "Closeness (t)"),
            abs=2e-3,
        )
    press(app, "what_if_undo")
    assert metric(app, "P_29") == before
    assert [app.get_by_key(key).value for key in WEIGHTS] == [0.5, 0.25, 0.25]
    choose(app, "p29_t_max", 0.0)
    assert float(metric(app, "P_29")) == 0
    choose(app, "p29_t_max", 1.0)
    assert float(metric(app, "P_29")) > 0


@pytest.mark.parametrize("name", WEIGHTS)
def test_a_slow_browser_does_not_pull_the_moved_weight_back(name: str) -> None:
    app = sample("p29", FEW)
    start = {"w_k": 0.5, "w_l": 0.25, "w_t": 0.25}
    app.slider(key=name).set_value(0.27).run()
    for weight in (0.28, 0.29):
        for other in WEIGHTS:
            app.slider(key=other).set_value(weight if other == name else start[other])
        app.run()
    expected = pytest.approx(rescale_weights(start, name, 0.29), abs=1e-9)
    assert {one: app.slider(key=one).value for one in WEIGHTS} == expected
    tried = state_of(app).policy.what_if("p29").parameters.p29
    assert {one: getattr(tried, one) for one in WEIGHTS} == expected
    another = WEIGHTS[WEIGHTS.index(name) - 1]
    app.slider(key=another).set_value(0.4).run()
    assert app.slider(key=another).value == 0.4
