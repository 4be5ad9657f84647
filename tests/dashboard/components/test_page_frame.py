"""The policy in the sidebar: its name, and where its limits come from."""

import json

import pytest

from metrics.policy.built_in_policies import PUBLIC_CLINICAL_DATA, source_of
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from tests.dashboard.application import (
    FEW,
    choose,
    go,
    press,
    sample,
    state_of,
)


def test_a_built_in_policy_names_its_source() -> None:
    app = choose(sample(records=FEW), "policy", PUBLIC_CLINICAL_DATA.name)
    source = source_of(PUBLIC_CLINICAL_DATA)
    assert source is not None
    assert any(source.url in text.value for text in app.sidebar.markdown)
    assert any("a risk of at most 0.09" in text.value.replace("\\", "") for text in app.sidebar.caption)
    state_of(app).policy.set_limit("k_anonymity", 11)
    app.run()
    assert not any(source.url in text.value for text in app.sidebar.markdown)


def test_a_policy_takes_a_name_of_its_own_and_leaves_the_built_in_one() -> None:
    app = choose(sample(records=FEW), "limit_k_anonymity", 11.0)
    built_in = app.get_by_key("policy").options[0]
    name = "policy_name_1"  # a new field, since the changed limit has given the policy a new name
    choose(app, name, "Registry, 2026")
    assert app.get_by_key("policy").value == "Registry, 2026"
    assert state_of(app).policy.k_limit == 11
    choose(app, name, built_in)
    assert app.get_by_key(name).value == "Registry, 2026"
    choose(app, "policy", built_in)
    assert state_of(app).policy.k_limit == 5
    assert "Registry, 2026" in app.get_by_key("policy").options


def test_a_limit_that_is_set_back_leaves_the_built_in_policy() -> None:
    app = choose(sample(records=FEW), "limit_k_anonymity", 11.0)
    assert app.get_by_key("policy").value == "Internal sharing (edited)"
    choose(app, "limit_k_anonymity", 5.0)
    assert app.get_by_key("policy").value == "Internal sharing"


@pytest.mark.parametrize(
    ("page", "figure", "identifier", "limit"),
    [
        ("verdict", "verdict_figure", "reidentification_risk", 0.05),
        ("classes", "class_map_candidate_light.csv", "t_closeness", 0.3),
        ("explore", "node_cloud", "reidentification_risk", 0.05),
        ("p29", "p29_breakdown", "p29", 0.5),
        ("t_closeness", "closeness_curve", "t_closeness", 0.3),
        ("risk", "risk_curve", "reidentification_risk", 0.05),
        ("risk", "risk_curve", "reidentification_risk", 0.005),
    ],
)
def test_a_limit_is_changed_beside_the_figure_that_draws_it(
    page: str, figure: str, identifier: str, limit: float
) -> None:
    shown = 100 * limit if LIMITABLE_MEASURES[identifier].is_share else limit
    app = choose(sample(page, FEW), f"{figure}_limit_{identifier}", shown)
    assert state_of(app).policy.limits[identifier] == limit
    drawn = [json.loads(chart.proto.spec)["layout"] for chart in app.get("plotly_chart")]
    places = [shape.get(end) for layout in drawn for shape in layout.get("shapes", []) for end in ("x0", "y0")]
    assert limit in places


def test_a_limit_on_any_other_metric_is_chosen_where_limits_are_edited() -> None:
    app = choose(sample(records=FEW), "another_limit", "record_linkage_attack")
    choose(app, "limit_record_linkage_attack", 20.0)
    assert state_of(app).policy.limits["record_linkage_attack"] == 0.2
    # Its field stays among the others, once.
    assert app.get_by_key("limit_record_linkage_attack").value == 20
    choose(app, "another_limit", None)
    assert app.get_by_key("limit_record_linkage_attack").value == 20


def test_an_edited_limit_holds_on_every_page_and_leaves_the_built_in_policy() -> None:
    app = choose(sample("verdict"), "candidate", "candidate_strict.csv")
    choose(app, "limit_k_anonymity", 50.0)
    assert app.title[0].value.startswith("Fails the policy")
    assert app.get_by_key("policy").value == "Internal sharing (edited)"
    assert go(app, "classes").get_by_key("k_limit").value == 50
    choose(app, "limit_t_closeness", 0.3)
    assert go(app, "t_closeness").get_by_key("t_limit").value == 0.3
    press(choose(app, "t_limit", 0.45), "use_everywhere")
    assert state_of(app).policy.limits["t_closeness"] == 0.45
    choose(app, "policy", "Internal sharing")
    assert state_of(app).policy.k_limit == 5
    assert app.get_by_key("t_limit").value == 0.5


def test_a_restored_version_is_chosen_once() -> None:
    app = sample("verdict", FEW)
    state_of(app).restored_version = "candidate_strict.csv"
    app.run()
    assert app.session_state["candidate"] == "candidate_strict.csv"
    assert choose(app, "candidate", "candidate_light.csv").session_state["candidate"] == "candidate_light.csv"
