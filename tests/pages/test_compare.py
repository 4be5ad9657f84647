"""The compare page: what it says, that its controls move it, and that one bad candidate spoils nothing."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.workspace import Slot, Workspace
from metrics import METRICS
from metrics.policy.policy import Policy
from metrics.scoring.catalog import BY_ID
from metrics.tables.matching_rule import MatchingRule
from pages.compare.linked_view import view_frame
from tests.dashboard import hostile
from tests.dashboard.application import (
    choose,
    choose_all,
    csv,
    figures,
    go,
    loaded,
    markdown_of,
    metric,
    opened,
    sample,
    sound,
    state_of,
)

LIGHT, BALANCED, STRICT = "candidate_light.csv", "candidate_balanced.csv", "candidate_strict.csv"
COLUMNS = ("id", "age", "illness")
ORIGINAL = csv(COLUMNS, (1, 31, "flu"), (2, 32, "cough"), (3, 45, "flu"), (4, 47, "cold"))
FINE = csv(COLUMNS, (1, 31, "flu"), (2, 32, "cough"), (3, "4*", "flu"), (4, "4*", "cold"))
COARSE = csv(COLUMNS, (4, "4*", "cold"), (3, "4*", "flu"), (2, "3*", "cough"), (1, "*", "flu"))
SAME = csv(COLUMNS, (1, 31, "flu"), (2, 32, "cough"), (3, 45, "flu"), (4, 47, "cold"))


def session(*candidates: bytes) -> Workspace:
    """A session with a small original and candidates c0.csv, c1.csv, …"""
    return loaded(ORIGINAL, *candidates, age="quasi-identifier", illness="sensitive", id="insensitive")


def frame(app: AppTest, column: str) -> pd.DataFrame:
    """The one table on the page that has a column."""
    (found,) = [element.value for element in app.dataframe if column in element.value]
    assert isinstance(found, pd.DataFrame)
    return found


def row(app: AppTest, metric_id: str) -> dict[str, str]:
    """A metric's row in the table of all."""
    rows = figures(app, "All metrics by version")
    return dict(zip(rows["metric"], rows[BY_ID[metric_id].shown.title], strict=True))


def results(app: AppTest) -> str:
    """The text alternative of the results against the policy."""
    (chart,) = app.get("vega_lite_chart")
    return str(chart.proto.alt)


def texts(app: AppTest) -> Sequence[str]:
    return [element.value.replace("\\", "") for element in app.markdown]


def titles(app: AppTest) -> str:
    """The titles of all figures."""
    return " | ".join(str(element.proto.spec) for element in app.get("plotly_chart"))


def view(app: AppTest, name: str) -> AppTest:
    """Choose what the details show."""
    return choose(app, "compare_view", name)


def test_a_slow_metric_computed_for_one_candidate_is_said_not_to_be_computed_for_the_others() -> None:
    app = opened(session(FINE, COARSE), "compare")
    state = state_of(app)
    state.compute("c0.csv", BY_ID["association_change"])
    cells = row(go(app, "compare"), "association_change")
    assert cells["c0.csv"] != cells["c1.csv"]
    assert cells["c1.csv"] == "— (not computed)"


def test_a_candidate_that_meets_t_by_both_distances_is_named_beside_the_one_that_does_not() -> None:
    said = " ".join(texts(sample("compare")))
    assert f"{STRICT} meets the limit with both." in said
    assert f"{BALANCED} meets the limit with both" not in said


def test_the_comparison_shows_every_measured_metric_and_marks_the_best_candidate() -> None:
    app = sample("compare")
    found = figures(app, "All metrics by version")
    assert found["metric"] == [BALANCED, LIGHT, STRICT]  # the one to choose first
    cards = state_of(app).cards()[0].values()
    measured = [spec for spec in METRICS if any(card[spec.id].value is not None for card in cards)]
    assert list(found)[1:-4] == [spec.shown.title for spec in measured]
    assert row(app, "k_anonymity") == {LIGHT: "1", BALANCED: "10", STRICT: "41 ★"}
    assert found["Records suppressed"] == ["79", "0", "64"]
    assert row(app, "sample_uniqueness")[LIGHT] == "7.89%"
    assert row(app, "sample_uniqueness")[BALANCED] == row(app, "sample_uniqueness")[STRICT] == "0% ★"
    assert "k_map" not in [spec.id for spec in measured]
    assert row(app, "recursive_cl_diversity")[LIGHT] == "—"
    decision = app.header[0].value.replace("\\", "")
    assert decision.startswith(
        f"Choose {BALANCED}: of the 2 versions that meet the policy, it keeps the most information"
    )
    assert f"k-anonymity ≥ 5 (highest risk ≤ 20%): {BALANCED} ✓ 10, {LIGHT} ✗ 1, {STRICT} ✓ 41;" in results(app)


def test_versions_are_compared_in_the_readers_order_here_and_in_the_report() -> None:
    app = choose(sample("compare"), "compared", [STRICT, LIGHT])
    assert figures(app, "All metrics by version")["metric"] == [STRICT, LIGHT]
    assert app.header[0].value.replace("\\", "").startswith(f"Choose {STRICT}: it is the only one of 2 versions")
    assert f"{STRICT} ✓ 41, {LIGHT} ✗ 1;" in results(app)
    state = state_of(app)
    state.rename(LIGHT, "light")
    assert state.compared == [STRICT, "light"]
    app = go(app, "report")
    assert app.get_by_key("compared").value == [STRICT, "light"]
    (report,) = [frame.proto.srcdoc for frame in app.get("iframe")]
    assert report.index(">strict<") < report.index(">light<")
    assert ">balanced<" not in report
    choose(go(app, "compare"), "compared", ["light"])
    assert [info.value for info in app.info] == ["Choose at least two versions."]


def test_the_results_show_the_metrics_that_the_reader_adds_and_the_limit_that_she_sets() -> None:
    app = choose(sample("compare"), "compare_added", ["granularity"])
    assert "Granularity : " not in results(app)
    assert "Granularity: " in results(app)
    assert "P_29" not in results(app)
    choose(app, "compare_results_limit_reidentification_risk", 5.0)
    assert "ighest risk ≤ 5%" in results(app)


def test_results_go_on_in_another_line_where_a_name_is_longer_than_a_column() -> None:
    version: Any = SimpleNamespace(risk=0.2, kept=lambda measure: 0.5)
    rows = [("Attack", "", [("99.4% (length_of_stay) (class known)", "")])]
    shown = view_frame(rows, {"a": version}, "granularity")["shown"]
    assert shown.tolist() == ["99.4%\n(length_of_\nstay)\n(class known)"]


def test_a_renamed_candidate_as_the_baseline_shows_what_changed_until_it_is_removed() -> None:
    app = choose(sample("compare"), f"rename_1_{LIGHT}", " ")
    assert app.get_by_key(f"rename_1_{LIGHT}").value == LIGHT
    choose(app, f"rename_1_{LIGHT}", "light")
    assert list(state_of(app).tables.versions) == ["light", BALANCED, STRICT]
    assert app.get_by_key("candidate").value == "light"
    choose(app, "compare_baseline", "light")
    assert row(app, "k_anonymity") == {
        "light": "1",
        BALANCED: "10 (+9, better)",
        STRICT: "41 ★ (+40, better)",
    }
    # The difference of the two figures that are shown, 31.6% and 53.8%.
    assert row(app, "non_uniform_entropy")[BALANCED] == "31.6% (−22.2 pp, worse)"
    assert row(app, "granularity")[BALANCED].endswith(", worse)")
    assert row(app, "t_closeness")[STRICT].startswith("0.325 ★ (−")
    assert row(app, "p29")[BALANCED] == "0 (same)"
    assert row(app, "profitability")[BALANCED] == "2,944 of 9,921 records"
    state_of(app).remove(Slot.ANONYMIZED, "light")
    app.run()
    assert app.get_by_key("compare_baseline").value == ""
    assert row(app, "k_anonymity") == {BALANCED: "10", STRICT: "41 ★"}


def test_pickers_change_the_trade_off_and_keep_their_values_over_page_switches() -> None:
    app = view(sample("compare"), "Any two metrics")
    assert [app.get_by_key(key).value for key in ("compare_x", "compare_y")] == ["k_anonymity", "non_uniform_entropy"]
    assert any("No version is better than another in both k-anonymity" in text for text in texts(app))
    before = titles(app)
    chosen = {"compare_x": "t_closeness", "compare_y": "granularity", "compare_size": "k_anonymity"}
    for key, value in chosen.items():
        choose(app, key, value)
        assert titles(app) != before
        before = titles(app)
    assert "lower is better" in before
    assert any("better k-anonymity" in caption.value for caption in app.caption)
    go(go(app, "verdict"), "compare")
    assert {key: app.get_by_key(key).value for key in chosen} == chosen


def test_changing_a_weight_ranks_the_candidates_again() -> None:
    app = view(sample("compare"), "Your weights")
    choose(app, "prefer_utility", 0)
    assert frame(app, "place")["version"].iloc[0] == STRICT
    reason = f"{BALANCED} is recommended above, as it keeps the most information under the policy"
    assert any(text.startswith(reason) for text in texts(app))
    choose_all(app, {"prefer_privacy": 0, "prefer_utility": 5})
    assert not any(text.startswith(reason) for text in texts(app))
    ranked = frame(app, "place")
    # It has the highest score but fails the policy, so it is listed last and has no place.
    assert ranked.loc[ranked["score"].idxmax(), "version"] == LIGHT
    assert list(ranked["place"]) == ["1", "2", "—"]
    assert ranked["version"].iloc[-1] == LIGHT
    assert any(f"Best match of those that meet the policy: {ranked['version'].iloc[0]}" in text for text in texts(app))
    choose_all(app, {"prefer_utility": 0, "prefer_economics": 0})
    assert list(frame(app, "place")["place"]) == ["1", "1", "—"]
    assert any("All versions score equally" in text for text in texts(app))


def test_fewer_than_two_candidates_ask_for_more() -> None:
    app = opened(session(FINE), "compare")
    assert [info.value for info in app.info] == [
        "Only one anonymized table is loaded. Make or load another version to compare them."
    ]
    assert [link.value for link in app.page_link] == ["Find a better table", "Repair this table", "Load a table"]
    assert not app.metric
    state_of(app).tables.add(Slot.ANONYMIZED, "c1.csv", csv(("id", "illness"), (1, "flu")))
    app.run()
    assert len(app.warning) == 1
    assert [info.value[:28] for info in app.info] == ["At least two tables are need"]


@pytest.mark.parametrize(
    ("content", "sentence", "columns"),
    [
        (csv(("id", "illness"), (1, "flu"), (2, "cough")), 'c2.csv, column "age"', ["c0.csv", "c1.csv"]),
        (
            csv(COLUMNS, (1, 31, "flu"), (2, 31, "cough")),
            "c2.csv: the table has 2 records but original.csv has 4",
            ["c0.csv", "c1.csv", "c2.csv"],
        ),
    ],
)
def test_a_candidate_that_cannot_be_scored_is_reported_and_the_rest_is_compared(
    content: bytes, sentence: str, columns: list[str]
) -> None:
    app = opened(session(FINE, COARSE, content), "compare")
    (warning,) = [element.value.replace("\\", "") for element in app.warning]
    assert warning.startswith(sentence)
    assert figures(app, "All metrics by version")["metric"] == columns
    assert row(app, "k_anonymity")["c0.csv"] == "1"
    if "c2.csv" in columns:
        assert row(app, "granularity")["c2.csv"] == "—"
        assert row(app, "k_anonymity")["c2.csv"] == "2 ★"
        view(app, "Follow a record or a class")
        assert any("c2.csv: cannot be followed" in text.replace("*", "") for text in texts(app))


def test_candidates_may_be_named_as_the_other_columns() -> None:
    state = session(FINE)
    state.tables.add(Slot.ANONYMIZED, "better", COARSE)
    state.tables.add(Slot.ANONYMIZED, "metric", SAME)
    app = opened(state, "compare")
    assert figures(app, "All metrics by version")["metric"] == ["c0.csv", "better", "metric"]


def test_a_record_is_followed_by_its_number() -> None:
    app = view(opened(session(FINE, SAME), "compare"), "Follow a record or a class")
    choose(app, "follow_record", 3)
    assert list(frame(app, "class size")["class size"]) == [2, 1]
    assert list(frame(app, "class size")["age"]) == ["4*", "45"]
    assert list(frame(app, "class size")["illness.distinct"]) == [2, 1]
    state_of(app).remove(Slot.ORIGINAL, "original.csv")
    app.run()
    assert list(frame(app, "class size")["age"]) == ["4*", "45"]


def test_a_record_is_followed_by_its_key() -> None:
    state = session(FINE, COARSE)
    state.matching.choose_for_all(MatchingRule(("id",)))
    app = view(opened(state, "compare"), "Follow a record or a class")
    assert not [element for element in app.dataframe if "class size" in element.value]
    choose(app, "follow_key", "3")
    assert list(frame(app, "class size")["version"]) == ["c0.csv", "c1.csv"]
    assert list(frame(app, "class size")["age"]) == ["4*", "4*"]
    choose(app, "follow_key", "1")
    assert list(frame(app, "class size")["version"]) == ["c0.csv"]
    assert any("c1.csv: 1 suppressed." in text.replace("*", "") for text in texts(app))
    choose(app, "follow_key", "secret 9")
    assert [info.value.replace("\\", "") for info in app.info] == ["No record of original.csv has this key."]


def test_a_class_is_followed_to_the_other_candidates() -> None:
    app = view(opened(session(FINE, SAME), "compare"), "Follow a record or a class")
    choose(app, "follow_what", "a class")
    picker = app.get_by_key("follow_class")
    assert [option.split(":")[0] for option in picker.options] == ["1 record", "1 record", "2 records"]
    picker.select_index(2)
    sound(app.run())
    found = frame(app, "class size")
    assert list(found["version"]) == ["c0.csv", "c1.csv", "c1.csv"]
    assert list(found["records followed"]) == [2, 1, 1]
    before = len(app.get("plotly_chart"))
    choose(app, "follow_attribute", "illness")
    assert len(app.get("plotly_chart")) == before + 2
    choose(app, "follow_from", "c1.csv")
    assert list(frame(app, "class size")["records followed"]) == [1, 1]


def test_markup_in_names_is_shown_as_plain_text_in_the_comparison() -> None:
    app = opened(hostile.workspace(hostile.table(), hostile.table(36)), "compare")
    view(app, "Follow a record or a class")
    choose(app, "follow_what", "a class")
    assert len(app.warning) == 1
    for text in markdown_of(app):
        bare = "".join(text.split("\\")[:1]) + "".join(part[1:] for part in text.split("\\")[1:])
        for sign in ("<script", "<img", "](javascript", ":red[", "outside.invalid", "\u202e"):
            assert sign not in bare


def test_no_figure_of_a_perturbed_candidate_that_looks_too_good_is_marked_as_best() -> None:
    rows = [(str(age), illness) for age, illness in zip(range(30, 50), "ab" * 10, strict=True)]
    shifted = [(str(int(age) + 1), illness) for age, illness in rows]
    decades = [(f"{age[0]}0-{age[0]}9", illness) for age, illness in rows]
    head = ("age", "illness")
    tables = [csv(head, *of) for of in (rows, decades, shifted)]
    app = opened(loaded(*tables, age="quasi-identifier", illness="sensitive"), "compare")
    generalized, perturbed = state_of(app).tables.labels
    for name in ("record_linkage_attack", "attribute_inference_attack"):
        assert not any("★" in row(app, name)[label] for label in (generalized, perturbed))
    assert any("get no ★" in caption.value for caption in app.caption)


def test_every_metric_has_the_singling_out_figure_of_the_verdict_page() -> None:
    app = sample("verdict")
    shown = metric(app, BY_ID["singling_out_attack"].shown.title)
    assert row(go(app, "compare"), "singling_out_attack")[LIGHT] == shown != "—"


def test_every_candidate_is_judged_by_a_limit_on_singling_out() -> None:
    app = sample("compare")
    state_of(app).policy.choose(Policy("Ours", {"singling_out_attack": 0.5}))
    app.run()
    assert "—" not in row(app, "singling_out_attack").values()


def test_versions_that_halves_of_the_people_do_not_tell_apart_are_said_not_to_differ_clearly() -> None:
    rows = [(number, number % 40, ("flu", "cold")[number % 2]) for number in range(120)]
    original = csv(COLUMNS, *rows)
    coarse, almost = (
        csv(
            COLUMNS,
            *((number, "*" if number % 40 < least or not number else age, illness) for number, age, illness in rows),
        )
        for least in (20, 0)
    )
    roles = {"age": "quasi-identifier", "illness": "sensitive", "id": "insensitive"}
    app = view(opened(loaded(original, original, coarse, almost, **roles), "compare"), "Uncertainty")
    (button,) = [button for button in app.button if button.key == "uncertainty_compute"]
    button.click().run()
    while any(button.key == "uncertainty_cancel" for button in app.button):
        app.run()
    assert "## Information kept: no clear difference between c0 and c2" in texts(app)
    choose(app, "compare_baseline", "c0.csv")
    cells = row(app, "non_uniform_entropy")
    assert cells["c1.csv"].endswith("worse)")
