"""The data page: the sample that it loads, tables that it removes."""

from pathlib import Path

import pytest

from tests.dashboard.application import (
    FEW,
    LIGHT,
    ORIGINAL,
    STRICT,
    go,
    loaded,
    opened,
    press,
    shorten_sample,
    start,
    state_of,
    verdict_rows,
)


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
        assert [label for _, label, _ in state.tables()] == [
            "hospital.csv",
            "candidate_light.csv",
            "candidate_balanced.csv",
            "candidate_strict.csv",
            "hospital_holdout.csv",
        ]
        press(app, "load_sample")
    state.parameters = state.parameters.with_settings({"p29.w_k": 1, "p29.w_l": 0, "p29.w_t": 0})
    press(go(app, "data"), "forget_data")
    state = state_of(app)
    assert (state.original, state.candidates, state.roles, state.hierarchies) == (None, {}, {}, {})
    assert state.parameters.p29.w_k == 0.5
    assert "candidate" not in [choice.key for choice in app.selectbox]
    assert not app.segmented_control


def test_removing_a_table_leaves_the_others() -> None:
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(ORIGINAL, LIGHT, STRICT, **roles), "scorecard")
    assert app.get_by_key("candidate").value == "c0.csv"
    press(go(app, "data"), "remove_anonymized_c0.csv")
    assert go(app, "scorecard").get_by_key("candidate").value == "c1.csv"
    press(go(app, "data"), "remove_original_original.csv")
    titles = [row["title"] for row in verdict_rows(go(app, "scorecard"))]
    assert "Non-uniform entropy" not in titles
    assert "k-anonymity" in titles
    press(go(app, "data"), "remove_anonymized_c1.csv")
    assert not state_of(app).columns
    assert [info.value[:22] for info in go(app, "scorecard").info] == ["There is no anonymized"]
