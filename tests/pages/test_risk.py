"""The risk page and what takes long: thresholds, populations, weights, and computing on demand."""

from dashboard.components import on_demand as asking
from dashboard.workspace import Slot, Workspace
from metrics import Roles
from metrics.config.roles import Role
from metrics.policy.policy import Policy
from metrics.scoring.catalog import BY_ID, METRICS
from tests.dashboard.application import FEW, choose, go, loaded, metric, opened, press, sample, state_of

ON_DEMAND = [spec for spec in METRICS if spec.on_demand]
RECORDS = {"q": ["a", "a", "b", "b", "c"], "r": ["1", "1", "2", "3", "4"], "s": ["x", "y", "x", "y", "z"]}
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s"])


def test_the_threshold_and_the_population_move_the_figures() -> None:
    app = sample("risk", FEW)

    def found() -> list[str]:
        return [text.value for text in app.markdown if "estimated to be unique" in text.value]

    seen = [metric(choose(app, "risk_threshold", threshold), "Records at risk") for threshold in (0.0, 0.5, 1.0)]
    assert seen == ["100%", "74%", "no limit"]
    go(app, "scorecard")
    go(app, "risk")
    slider = app.get_by_key("risk_threshold")
    assert (slider.value, slider.label) == (1.0, "Policy: highest risk, no limit")
    # No country is assumed: the page says what to enter.
    assert not found()
    assert any("the population size is unknown; set it" in text.value for text in app.caption)
    choose(app, "population_country", "France")
    assert len(found()) == 1
    assert "65,820,916 people" in found()[0]
    assert not any("95%" in text for text in found())
    assert any("not a confidence interval" in text.value for text in app.caption)
    choose(app, "sampling_fraction", 0.05)
    assert "sampling fraction 0.05" in found()[0].replace("\\", "")
    assert app.number_input(key="population_size").value is None
    choose(app, "population_size", 1_000_000)
    assert "1,000,000 people" in found()[0]
    choose(app, "population_size", None)
    assert "sampling fraction 0.05" in found()[0].replace("\\", "")
    assert choose(app, "risk_threshold", 0.2).get_by_key("risk_threshold").label == "Policy: highest risk"


def test_metrics_that_take_long_are_computed_only_on_request() -> None:
    app = opened(small(), "risk")
    buttons = {button.key for button in go(app, "scorecard").button if str(button.key).startswith("compute_")}
    assert buttons == {f"compute_{spec.id}" for spec in ON_DEMAND}
    assert asking.on_demand(state_of(app), state_of(app).card("c0.csv")["k_anonymity"]) is None
    go(app, "risk")
    for identifier in ("quasi_identifier_ranking", "minimal_sample_uniques"):
        assert state_of(app).card("c0.csv")[identifier].result is None
        press(app, f"compute_{identifier}")
        assert state_of(app).card("c0.csv")[identifier].result is not None
        assert not [button for button in app.button if button.key == f"compute_{identifier}"]
    go(app, "scorecard")
    assert metric(app, BY_ID["minimal_sample_uniques"].title) != "—"


def csv(records: dict[str, list[str]]) -> bytes:
    rows = zip(*records.values(), strict=True)
    return "\n".join(",".join(row) for row in (tuple(records), *rows)).encode()


def small() -> Workspace:
    return loaded(None, csv(RECORDS), q="quasi-identifier", r="quasi-identifier", s="sensitive")


def test_a_population_counts_once_it_has_every_quasi_identifier() -> None:
    state = small()
    assert state.card("c0.csv")["k_map"].result is None
    state.add(Slot.POPULATION, "people.csv", csv({"q": ["a"] * 9 + ["b", "b", "c"], "r": ["1"] * 9 + ["2", "3", "4"]}))
    assert state.card("c0.csv")["k_map"].value == 1
    assert [slot for slot, _, _ in state.tables()] == [Slot.ANONYMIZED, Slot.POPULATION]
    state.add(Slot.POPULATION, "people.csv", csv({"q": ["a", "b"], "age": ["1", "2"]}))
    assert state.card("c0.csv")["k_map"].result is None
    assert "age" not in state.columns
    state.remove(Slot.POPULATION, "people.csv")
    assert state.population is None


def test_a_weight_column_counts_only_if_it_is_insensitive_and_in_the_table() -> None:
    state = small()
    state.add(Slot.ANONYMIZED, "weighed.csv", csv({**RECORDS, "w": ["10", "10", "5", "5", "2"]}))
    state.weight = "w"
    state.roles["w"] = Role.IDENTIFIER
    assert state.chosen_roles().weight is None
    state.roles["w"] = Role.INSENSITIVE
    assert state.chosen_roles().weight == "w"
    weighed = state.card("weighed.csv")["reidentification_risk"]
    assert weighed.details["individual"]["highest"] < 1
    assert state.card("c0.csv")["reidentification_risk"].details["individual"] is None
    state.remove(Slot.ANONYMIZED, "weighed.csv")
    assert state.weight is None


def test_a_computation_requested_for_other_roles_is_not_started() -> None:
    state = small()
    state.add(Slot.ANONYMIZED, "c1.csv", csv(RECORDS | {"q": [*"aabbb"]}))
    app = opened(state, "risk")
    for label, roles in (("c0.csv", Roles(quasi_identifiers=["q"])), ("c1.csv", state.roles_for("c1.csv"))):
        app.session_state["computing"] = (label, roles, "minimal_sample_uniques")
        app.run()
        assert "computing" not in app.session_state
        assert state.card("c0.csv")["minimal_sample_uniques"].result is None
        assert app.get_by_key("compute_minimal_sample_uniques") is not None


def test_suppressed_cells_can_be_any_value() -> None:
    records = {
        "age": ["30-39"] * 5 + ["40-49"] * 6,
        "sex": [*"mmmm", "*", *"ffffff"],
        "ill": ["flu", "cold"] * 5 + ["flu"],
    }
    state = loaded(None, csv(records), age="quasi-identifier", sex="quasi-identifier", ill="sensitive")
    state.choose_policy(Policy("Five", {"k_anonymity": 5}))
    app = opened(state, "scorecard")
    assert state.card("c0.csv")["k_anonymity"].value == 1
    choose(app, "wildcard_suppressed_cell", True)
    assert state.card("c0.csv")["k_anonymity"].value == 5
    go(app, "repair")
    assert any("Meets the policy “Five”" in one.value for one in app.info)
    assert not [button for button in app.button if button.key == "keep_repair"]
    choose(go(app, "scorecard"), "wildcard_suppressed_cell", False)
    assert state.card("c0.csv")["k_anonymity"].value == 1


def test_key_sets_and_households_are_judged_beside_the_table() -> None:
    state = small()
    state.key_sets = {"neighbour": ("q", "r"), "employer": ("q",), "stale": ("gone",)}
    app = opened(state, "risk")
    (shown,) = [element.value for element in app.dataframe if "key set" in element.value]
    expected = state.card(state.labels[0])["key_set_k_anonymity"].details["key_sets"]
    assert list(shown["key set"]) == list(expected) == ["neighbour", "employer"]
    assert list(shown["k"]) == [one["k"] for one in expected.values()]
    assert list(shown["record linkage"].isna()) == [one["record_linkage"] is None for one in expected.values()]
