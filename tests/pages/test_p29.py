"""The P_29 page: its weights and its condition move the figure."""

import math

import pytest

from dashboard.text import plain
from metrics.config.setting_values import rescale_weights
from metrics.texts import text
from tests.dashboard.application import (
    FEW,
    captions,
    choose,
    csv,
    figure,
    loaded,
    metric,
    opened,
    press,
    randomized,
    sample,
    state_of,
)

WEIGHTS = ("w_k", "w_l", "w_t")


def test_failing_classes_are_listed_worst_first() -> None:
    (table,) = sample("p29").dataframe
    rows = table.value
    assert list(rows[["k", "l", "t"]].iloc[0]) == ["✗", *["✗ diagnosis, length_of_stay"] * 2]
    assert set(rows["size"].iloc[:789]) == {1}


def test_a_condition_shows_the_classes_that_fail_it() -> None:
    app = press(sample("p29"), "condition_k")
    (table,) = app.dataframe
    assert len(table.value) == 789
    assert set(table.value["k"]) == {"✗"}
    press(app, "condition_k")
    assert len(app.dataframe[0].value) == 1000
    assert choose(app, "candidate", "candidate_strict.csv").get_by_key("condition_k").disabled


def test_weights_keep_their_sum_and_the_limit_on_t_is_a_condition() -> None:
    app = choose(sample("p29"), "candidate", "candidate_strict.csv")
    before = metric(app, "P_29")
    assert float(before) > 0
    for control, weight in (("w_k", 1.0), ("w_t", 0.37), ("w_l_field", 0.125)):
        name = control.removesuffix("_field")
        choose(app, control, weight)
        values = {key: app.get_by_key(key).value for key in WEIGHTS}
        assert values[name] == app.get_by_key(f"{name}_field").value == weight
        assert math.fsum(values.values()) == pytest.approx(1, abs=1e-9)
        assert metric(app, "P_29") != before
        terms = [figure(app, f"{letter} term") for letter in "klt"]
        assert float(metric(app, "P_29")) == pytest.approx(sum(terms), abs=2e-3)
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
    app.session_state["control_in_hand"] = name
    app.slider(key=name).set_value(0.27).run()
    for weight in (0.28, 0.29):
        for other in WEIGHTS:
            app.slider(key=other).set_value(weight if other == name else start[other])
        app.run()
    expected = pytest.approx(rescale_weights(start, name, 0.29), abs=1e-9)
    assert {one: app.slider(key=one).value for one in WEIGHTS} == expected
    tried = state_of(app).policy.what_if("p29").parameters.p29
    assert {one: getattr(tried, one) for one in WEIGHTS} == expected
    app.session_state["control_in_hand"] = another = WEIGHTS[WEIGHTS.index(name) - 1]
    app.slider(key=another).set_value(0.4).run()
    assert app.slider(key=another).value == 0.4


def test_the_other_weights_keep_their_ratio_when_one_comes_by_1() -> None:
    app = choose(sample("p29", FEW), "w_l", 0.1)
    ratio = app.get_by_key("w_k").value / app.get_by_key("w_t").value
    choose(choose(app, "w_l", 1.0), "w_l", 0.4)
    assert app.get_by_key("w_k").value / app.get_by_key("w_t").value == pytest.approx(ratio)


def test_noise_is_said_to_raise_the_score_of_a_randomized_table() -> None:
    content = csv(("age", "illness"), *[(age, "flu" if age < 30 else "cold") for age in (20, 20, 40, 40)])
    state = loaded(None, content, age="quasi-identifier", illness="sensitive")
    said = plain(text("comparison.different_epsilon"))
    assert said not in " ".join(captions(opened(state, "p29")))
    assert said in " ".join(captions(opened(randomized(state, illness=["flu", "cold"]), "p29")))
