"""The data page: the sample that it loads, tables that it removes."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.application import (
    FEW,
    LIGHT,
    ORIGINAL,
    STRICT,
    choose,
    csv,
    go,
    loaded,
    opened,
    press,
    shorten_sample,
    start,
    state_of,
    upload,
    verdict_rows,
)
from tests.support.arx_projects import with_result, write


def test_the_sample_leads_to_its_verdict_comes_once_and_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shorten_sample(monkeypatch, tmp_path, FEW)
    app = press(start(), "load_sample")
    assert app.title[0].value == "Fails the policy · candidate_light\\.csv"
    state = state_of(app)
    for _ in range(2):
        go(app, "data")
        assert not app.warning
        assert not app.error
        assert [label for _, label, _ in state.tables.loaded()] == [
            "hospital.csv",
            "candidate_light.csv",
            "candidate_balanced.csv",
            "candidate_strict.csv",
            "hospital_holdout.csv",
        ]
        press(app, "load_sample")
    state.policy.parameters = state.policy.parameters.with_settings({"p29.w_k": 1, "p29.w_l": 0, "p29.w_t": 0})
    press(go(app, "data"), "forget_data")
    state = state_of(app)
    assert (state.tables.original, state.tables.versions, state.roles, state.hierarchies) == (None, {}, {}, {})
    assert state.policy.parameters.p29.w_k == 0.5
    assert "candidate" not in [choice.key for choice in app.selectbox]
    assert not app.segmented_control


def test_an_arx_project_takes_the_place_of_the_session() -> None:
    app = upload(start(), "upload_original", {"c0.csv": LIGHT})
    upload(app, "upload_original", {"small.deid": with_result([1, 2, 3])})
    state = state_of(app)
    names = ["small_original.parquet", "small_anonymized.parquet", "small_population.parquet"]
    assert [label for _, label, _ in state.tables.loaded()] == names
    assert (state.policy.current.name, state.policy.limits["k_anonymity"]) == ("Small", 2)
    assert state.chosen_roles().quasi_identifiers == ("age", "sex")
    assert "research sample" in app.info[0].value
    assert go(app, "verdict").title[0].value.startswith("Meets the policy")


def test_a_project_that_cannot_be_read_leaves_the_session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    app = upload(start(), "upload_original", {"c0.csv": LIGHT})
    upload(app, "upload_original", {"small.deid": b"PK"})
    assert "not a ZIP archive" in app.info[0].value
    assert state_of(app).tables.original is not None
    monkeypatch.setenv("QUASI_PROJECT", str(write(tmp_path, with_result())))
    assert list(state_of(go(start(), "data")).tables.versions) == ["small_anonymized.parquet"]


def test_a_role_is_shown_as_proposed_until_it_is_chosen_or_confirmed() -> None:
    app = upload(start(), "upload_anonymized", {"c0.csv": LIGHT})
    assert "forget_data" in [button.key for button in app.button]
    names = list(state_of(app).columns)
    assert _states_of_roles(app) == dict.fromkeys(names, "proposed")
    other_role = "sensitive" if state_of(app).roles[names[0]].value != "sensitive" else "insensitive"
    choose(app, f"role_{names[0]}", other_role)
    assert _states_of_roles(app) == dict.fromkeys(names, "proposed") | {names[0]: "confirmed"}
    press(app, "confirm_roles")
    assert _states_of_roles(app) == dict.fromkeys(names, "confirmed")
    assert "confirm_roles" not in [button.key for button in app.button]


def _states_of_roles(app: AppTest) -> dict[str, str]:
    """Whether the page shows the role of each column as proposed or confirmed."""
    shown = [re.search('"role-(proposed|confirmed)"', element.proto.body) for element in app.get("html")]
    return dict(zip(state_of(app).columns, (found[1] for found in shown if found), strict=True))


def test_suppressed_cells_are_no_value_of_a_column() -> None:
    app = upload(start(), "upload_anonymized", {"c0.csv": csv(["sex"], ["Male"], ["*"], ["Female"])})
    (column,) = [element.proto.body for element in app.get("html") if 'class="column">' in element.proto.body]
    assert re.sub("<.*?>", "|", column).split("|")[2:6] == ["sex", "", "2", ""]
    assert "Male, Female" in column


def test_the_empty_start_has_nothing_to_forget() -> None:
    assert "forget_data" not in [button.key for button in start().button]


def test_removing_a_table_leaves_the_others() -> None:
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(ORIGINAL, LIGHT, STRICT, **roles), "verdict")
    assert app.get_by_key("candidate").value == "c0.csv"
    press(go(app, "data"), "remove_anonymized_c0.csv")
    assert go(app, "verdict").get_by_key("candidate").value == "c1.csv"
    press(go(app, "data"), "remove_original_original.csv")
    titles = [row["title"] for row in verdict_rows(go(app, "verdict"))]
    assert "Information kept" not in titles
    assert "k-anonymity" in titles
    press(go(app, "data"), "remove_anonymized_c1.csv")
    assert not state_of(app).columns
    assert [info.value[:22] for info in go(app, "verdict").info] == ["There is no anonymized"]
