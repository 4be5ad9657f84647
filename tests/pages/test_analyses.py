"""The page on analyses: what each version keeps of them, one in full, and the form that changes them."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from metrics.config.analyses import Analysis, Count, Crosstab, Linear, Logistic, Mean, Term
from metrics.estimates.analyze import analyze
from metrics.estimates.estimate import Estimate, Own, Value
from metrics.estimates.result import AnalysisResult
from metrics.policy.policy import Policy
from metrics.texts import text
from pages.analyses.cells import cells_frame
from pages.analyses.forest import ORIGINAL, estimates_frame, with_merged
from tests.dashboard.application import (
    cells,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    opened,
    press,
    randomized,
    sample,
    sample_workspace,
    state_of,
)

LIGHT, BALANCED, STRICT = "light", "balanced", "strict"
OCCUPATION, DIAGNOSIS = "stay by occupation", "sex and diagnosis"


@pytest.fixture
def app() -> AppTest:
    """The page on the sample with two analyses whose results are known."""
    state = sample_workspace()
    analyses = {OCCUPATION: Mean("length_of_stay", ["occupation"]), DIAGNOSIS: Crosstab(["sex", "diagnosis"])}
    state.policy.parameters = state.policy.parameters.__class__(analyses=analyses)
    return opened(state, "analyses")


def overview(app: AppTest) -> dict[str, dict[str, str]]:
    """What becomes of the results of each analysis, by version."""
    return cells(app, text("analyses.overview"))


def heading(app: AppTest) -> str:
    """The finding on the chosen analysis."""
    return next(
        part.value.removeprefix("## ").replace("\\", "") for part in app.markdown if part.value.startswith("## ")
    )


def test_each_version_is_said_to_keep_what_survives(app: AppTest) -> None:
    by_occupation, by_diagnosis = overview(app).values()
    # The published figures: 5 of 16 groups, and cells whose columns were left as they were.
    hidden = "1 significant result of single groups hidden by an opposite one; "
    hidden += "4 results significant only in the merged group"
    assert (by_occupation[LIGHT], by_diagnosis[LIGHT]) == (f"16 merged into 5, all agree {hidden}", "42 survive")
    assert heading(app) == f"light: 16 merged into 5, all agree (of 16 means); {hidden}"


def test_a_column_that_is_removed_is_named(app: AppTest) -> None:
    (by_occupation, _) = overview(app).values()
    assert by_occupation[STRICT] == "16 lost; only 1 total left, which agrees no longer by occupation"


def test_one_analysis_is_chosen_and_shown_in_full(app: AppTest) -> None:
    choose(app, "chosen_analysis", DIAGNOSIS)
    assert heading(app) == "light: 42 of 42 cells can still be estimated, and all 42 survive"
    choose(app, "chosen_analysis", OCCUPATION)
    (chart,) = app.get("vega_lite_chart")
    assert (
        "Professional: original 5.18 (4.94 to 5.42), median 4, light 5.18 (4.94 to 5.42), median 4" in chart.proto.alt
    )


def test_the_original_that_a_version_is_compared_with_stands_beside_it() -> None:
    """Versions that merge other groups of the rest of a model are compared with other coefficients of the original."""
    state = sample_workspace()
    analysis = Linear("length_of_stay", ["sex", Term("zip_code", 2), "marital_status"])
    results = {label: analyze(state.aggregates(label), analysis) for label in state.tables.labels}
    frame = estimates_frame(analysis, results)
    for label, result in results.items():
        rows = frame[frame["version"] == label]
        for estimate, title in zip(result.estimates, rows["estimate"], strict=True):
            (own,) = frame[(frame["estimate"] == title) & (frame["version"] == ORIGINAL)]["value"]
            assert own == pytest.approx(estimate.original.estimate, rel=1e-9), title


def test_where_the_groups_of_an_estimate_are_in_versions_that_merge_them_is_told() -> None:
    state = sample_workspace()
    analysis = Mean("length_of_stay", ["occupation"])
    results = {label: analyze(state.aggregates(label), analysis) for label in state.tables.labels}
    frame = estimates_frame(analysis, results)
    lines = with_merged(frame, results)
    assert [*lines["table"].value_counts()] == [lines["estimate"].nunique()] * 4
    told = lines.set_index(["estimate", "name"])["in_words"]
    assert told["Manual", BALANCED] == f"merged, in Working: {told['Working', BALANCED]}"
    assert told["Manual", STRICT] == f"lost, {text('analyses.lost.term')}"
    assert told["Working", LIGHT] == text("analyses.changed.elsewhere")


def test_a_cell_is_chosen_in_the_next_version_too_and_where_it_is_merged() -> None:
    app = sample("analyses")
    choose(app, "chosen_analysis", "diagnosis and age groups")
    app.session_state["chosen_cell"] = "COPD, 30-39"
    for version, cell in (("candidate_light.csv", "COPD, 30-39"), ("candidate_strict.csv", "COPD, 20-39")):
        app.segmented_control(key="cells_candidate_light.csv").set_value(version).run()
        charts = [json.loads(part.proto.spec) for part in app.get("vega_lite_chart")]
        values = [each["value"] for chart in charts for each in chart["params"] if each["name"] == "chosen"]
        assert values == [[{"estimate": cell}]] * 2
    choose(app, "candidate", "candidate_balanced.csv")
    assert heading(app).startswith("balanced: ")


def test_a_shift_is_told_from_a_wider_interval() -> None:
    results = {}
    for version, low, high in (("shifted", 3.0, 5.0), ("wider", -1.0, 5.0)):
        values = [Value((a + b) / 2, a, b, 0.5, True, 1, 10) for a, b in ((0.0, 2.0), (low, high))]
        estimate = Estimate("a", *values, groups=("a",))
        own = Own("a", values[0], estimate)
        results[version] = AnalysisResult("mean", (estimate,), (own,), (), 20, 20, 0, 0)
    explained = estimates_frame(Mean("n", "g"), results)["explained"]
    assert [*explained[1:]] == [
        "shifted by 6 standard errors (the larger)",
        "interval 3 times as wide",
    ]


def test_the_groups_compared_with_are_named_as_in_each_version() -> None:
    app = sample("analyses")
    choose(app, "chosen_analysis", "length_of_stay (regression)")
    (said,) = [part.value.replace("\\", "") for part in app.caption if "Groups are compared with" in part.value]
    assert (
        "with sex Female, zip_code 021** and marital_status Married. In light and balanced, with zip_code 02***."
        in said
    )
    assert "In strict, with zip_code 0****." in said
    notes = cells(app, "Results by version")["notes"]
    assert notes[LIGHT] == "With age in 20 bands instead of 100 values and zip_code in 4 groups instead of 12."
    assert (
        "marital_status in No spouse present (Never married + Separated + Divorced + Widowed); 1 change"
        in notes[BALANCED]
    )


def test_a_column_is_a_number_and_groups_of_one_regression() -> None:
    state = sample_workspace()
    analysis = Linear("length_of_stay", ["age", Term("age", 2), Term("sex", control=True)])
    for label in state.tables.labels:
        found = analyze(state.aggregates(label), analysis)
        assert len([own.fate for own in found.originals]) == found.own
        assert [column for column, *_ in found.references] == ["age", "sex"]


def test_cells_that_do_not_survive_and_those_that_hide_a_result_are_marked() -> None:
    state = sample_workspace()
    result = analyze(state.aggregates("candidate_balanced.csv"), Crosstab(["diagnosis", Term("age", 2)]))
    marks = cells_frame(result).set_index("estimate")["mark"]
    labels = ["Acute bronchitis, 80-99", "COPD, 40-59", "Pneumonia, 0-19", "Depression, 0-19"]
    assert [marks[label] for label in labels] == ["×", "○", "", "⊗"]
    assert marks.isin(["×", "⊗"]).sum() == sum(not estimate.survives for estimate in result.estimates)


def test_each_result_of_the_original_is_listed_with_its_fate() -> None:
    app = sample("analyses")
    choose(app, "chosen_analysis", "length_of_stay (regression)")
    fates = {name.split("  ")[0]: found for name, found in cells(app, "Results of the original").items()}
    assert len(fates) == 17
    assert fates["sex: Male"][STRICT] == "survives -0.385 (-0.622 to -0.147)"
    change = "-0.346 with all terms merged alike → -0.345 (-0.693 to 0.00293), not significant"
    assert fates["zip_code: 040**"][LIGHT] == f"merged group agrees in zip_code: 04***: {change}"
    assert fates["zip_code: 024**"][LIGHT] == "merged with the reference group"
    assert fates["marital_status: Divorced"][BALANCED].startswith("merged, significant result hidden in marital_status")
    (regression,) = [found for name, found in overview(app).items() if "regression" in name]
    assert "; 2 merged with the reference group" in regression[LIGHT]
    (strict,) = [part.value.replace("\\", "") for part in app.caption if part.value.startswith("strict")]
    assert "sex Male, age 80-99, zip_code 3**** and marital_status Spouse present (29 of 29)." in strict
    choose(app, "chosen_analysis", "diagnosis and sex")
    (stroke,) = {
        found[BALANCED]
        for name, found in cells(app, "Results of the original").items()
        if name.startswith("Stroke, Female")
    }
    assert re.fullmatch(r"becomes significant 1.88% (.+), significantly above \(187 → 187 records\)", stroke)
    choose(app, "chosen_analysis", "length_of_stay by occupation groups")
    *groups, total = cells(app, "Results of the original").items()
    assert {found[STRICT] for _, found in groups} == {f"lost {text('analyses.lost.term')}"}
    assert total[0].startswith("all records  6.14 (")
    assert total[1][STRICT].startswith("agrees 6.14 (")
    (significant,) = [found for name, found in cells(app, "Results by version").items() if "significant" in name]
    assert significant[STRICT] == "—"


def test_the_group_whose_records_are_left_out_most_often_is_named_once() -> None:
    app = sample("analyses")
    choose(app, "chosen_analysis", "length_of_stay by occupation groups")
    (used,) = [found for name, found in cells(app, "Results by version").items() if name.startswith("records used")]
    most = "of values with 10 records or more, above all 41 of 61 of age 19 and 38 of 65 of age 18"
    assert used[BALANCED] == f"9,921 79 left out (0.79%); {most}"
    assert not [part.value for part in app.caption if "under-represented" in part.value]


def test_groups_as_released_are_said_to_be_no_comparison_of_versions() -> None:
    app = sample("analyses")
    assert f"of groups as released  {text('analyses.sample.groups_help')}" in cells(app, "Counts by version")
    assert any("a bias that comes on top of sampling error" in part.value for part in app.caption)


def test_analyses_are_proposed_where_none_is_saved() -> None:
    app = sample("analyses")
    assert len(overview(app)) > 1
    assert not state_of(app).policy.parameters.analyses


def test_an_analysis_is_added_and_removed(app: AppTest) -> None:
    choose(app, "analysis_number", "length_of_stay")
    choose(app, "analysis_by", ["sex"])
    press(app, "add_analysis")
    added = "length_of_stay by sex"
    assert state_of(app).policy.parameters.analyses[added] == Mean("length_of_stay", ["sex"])
    assert overview(app)[f"{added}  2 means"][LIGHT] == "2 survive"
    assert app.selectbox(key="chosen_analysis").value == added
    choose(app, "chosen_analysis", DIAGNOSIS)
    assert heading(app) == "light: 42 of 42 cells can still be estimated, and all 42 survive"
    (kept,) = [box for box in app.multiselect if box.label == "Analyses"]
    kept.set_value([added]).run()
    assert list(state_of(app).policy.parameters.analyses) == [added]


def test_an_analysis_that_the_original_does_not_support_is_not_added(app: AppTest) -> None:
    choose(app, "analysis_kind", ("logistic", ""))
    assert app.multiselect(key="analysis_terms").label == "explained by"
    choose(app, "analysis_outcome", "sex")
    choose(app, "analysis_values_sex", ["Female", "Male"])
    choose(app, "analysis_terms", ["diagnosis"])
    press(app, "add_analysis")
    assert app.error[0].value.startswith("The original does not support this analysis")
    assert list(state_of(app).policy.parameters.analyses) == [OCCUPATION, DIAGNOSIS]


def test_an_analysis_that_exists_is_not_added_again(app: AppTest) -> None:
    choose(app, "analysis_number", "length_of_stay")
    assert "diagnosis" not in app.selectbox(key="analysis_number").options
    choose(app, "analysis_by", ["occupation"])
    press(app, "add_analysis")
    assert OCCUPATION in app.info[0].value
    assert list(state_of(app).policy.parameters.analyses) == [OCCUPATION, DIAGNOSIS]


def test_an_analysis_of_single_values_stands_beside_that_of_groups() -> None:
    app = sample("analyses")
    choose(app, "analysis_number", "length_of_stay")
    choose(app, "analysis_by", ["occupation"])
    press(app, "add_analysis")
    saved = state_of(app).policy.parameters.analyses
    assert saved["length_of_stay by occupation"] == Mean("length_of_stay", ["occupation"])
    assert saved["length_of_stay by occupation groups"] == Mean("length_of_stay", [Term("occupation", 1)])


def test_groups_are_those_of_a_level_where_a_hierarchy_has_some() -> None:
    app = sample("analyses")
    choose(app, "analysis_kind", ("crosstab", ""))
    choose(app, "analysis_columns", ["sex", "zip_code"])
    levels = app.selectbox(key="analysis_columns_level_zip_code")
    assert (levels.label, levels.options[2]) == ("Groups of zip_code", "021**, 024**, 027**, …")
    levels.select_index(2).run()
    press(app, "add_analysis")
    assert state_of(app).policy.parameters.analyses["sex and zip_code groups"] == Crosstab(["sex", Term("zip_code", 2)])


def test_a_count_is_answered_with_its_bounds(app: AppTest) -> None:
    choose(app, "analysis_kind", ("count", ""))
    choose(app, "analysis_where", ["sex"])
    choose(app, "analysis_values_sex", ["Female"])
    press(app, "add_analysis")
    records = state_of(app).tables.original
    assert records is not None
    women = sum(label == "Female" for label in records.table.to_arrow()["sex"].to_pylist())
    (of_count, *others) = cells(app, "Counts by version").items()
    assert of_count[0] == f"sex Female  true {women:,}"
    assert of_count[1][LIGHT] == f"{women:,} {women:,} to {women:,}"
    near = "as accurate as a random sample of 1,800 of 10,000 records (18%)"
    assert others[0][1][LIGHT] == f"{near} worst sex × occupation (0.6%), best diagnosis × length_of_stay (100%)"
    by_columns = cells(app, "Samples by columns")
    assert len(by_columns) == 28
    assert by_columns["sex × occupation"] == {
        LIGHT: "about 60 records (0.6%) as released 100%",
        BALANCED: "about 40 records (0.4%) as released 81.5%",
        STRICT: "— a column is removed",
    }


def test_the_counts_of_a_randomized_version_are_said_to_differ_by_noise() -> None:
    rows = [(age, sex, illness) for age in (20, 30) for sex in "fm" for illness in ("flu", "cold")]
    content = csv(("age", "sex", "illness"), *rows)
    state = loaded(content, content, age="quasi-identifier", sex="quasi-identifier", illness="sensitive")
    noise = text("analyses.drawn_counts")
    assert not any(noise in caption.value for caption in opened(state, "analyses").caption)
    randomized(state, illness=["flu", "cold"])
    assert any(noise in caption.value for caption in opened(state, "analyses").caption)


def test_saved_analyses_and_counts_are_in_the_report_and_in_the_file_of_scores(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = state_of(app)
    saved = {**state.policy.parameters.analyses, "women": Count({"sex": ["Female"]})}
    state.policy.parameters = replace(state.policy.parameters, analyses=saved)
    made: dict[str, Callable[[], str]] = {}
    monkeypatch.setattr(st, "download_button", lambda _, make, **given: made.update({given["key"]: make}))
    assert not opened(state, "report").exception
    assert "women" in made["report_download"]()
    assert list(json.loads(made["download_scores_json"]())["analyses"]) == list(saved)


def test_the_verdict_tells_how_many_results_survive_beside_a_limit(app: AppTest) -> None:
    state = state_of(app)
    state.policy.choose(Policy("Ours", {"analyses": 0.5}))
    (tiles,) = [part for part in opened(state, "verdict").get("html") if 'class="tiles"' in part.proto.body]
    assert "results survive" in tiles.proto.body


def test_the_verdict_has_a_tile_on_them(app: AppTest) -> None:
    (tiles,) = [part for part in go(app, "verdict").get("html") if 'class="tiles"' in part.proto.body]
    assert "Analyses kept" in tiles.proto.body
    assert "results survive" in tiles.proto.body


def test_without_an_original_the_page_says_what_is_missing() -> None:
    state = sample_workspace()
    original = state.tables.original
    assert original is not None
    state.tables.original = None
    app = opened(state, "analyses")
    assert "Analyses are run on the original" in app.info[0].value


def editing(**analyses: Analysis) -> AppTest:
    """The page where these analyses are saved."""
    state = sample_workspace()
    state.policy.parameters = replace(state.policy.parameters, analyses=analyses)
    return opened(state, "analyses")


def saved_in(app: AppTest) -> dict[str, Analysis]:
    """The saved analyses."""
    return dict(state_of(app).policy.parameters.analyses)


def test_an_analysis_is_changed_in_its_place_and_named_after_its_columns() -> None:
    by_sex, by_age = "length_of_stay by sex", "length_of_stay by age groups"
    ages = Mean("length_of_stay", [Term("age", 2)], weight="length_of_stay")
    app = editing(**{by_sex: Mean("length_of_stay", ["sex"]), by_age: ages})
    choose(app, "analysis_kind", ("mean", by_sex))
    assert app.get_by_key(f"analysis_by_of_{by_sex}").value == ["sex"]
    choose(app, f"analysis_by_of_{by_sex}", ["occupation"])
    press(app, "add_analysis")
    by_occupation, saved = "length_of_stay by occupation", Mean("length_of_stay", ["occupation"])
    assert [*saved_in(app).items()] == [(by_occupation, saved), (by_age, ages)]
    assert app.selectbox(key="chosen_analysis").value == by_occupation
    choose(app, "analysis_kind", ("mean", by_age))
    choose(app, f"analysis_name_of_{by_age}", "ages")
    press(app, "add_analysis")
    assert [*saved_in(app).items()] == [(by_occupation, saved), ("ages", ages)]


def test_the_form_forgets_an_analysis_that_is_no_longer_saved() -> None:
    app, name = sample("analyses"), "length_of_stay (regression)"
    for _ in range(2):
        choose(app, "analysis_kind", ("linear", name))
        assert app.get_by_key(f"analysis_control_of_{name}").value == []
        choose(app, f"analysis_control_of_{name}", ["age"])
        press(app, "add_analysis")
        (proposed,) = [button for button in app.button if button.label == "Use the proposed analyses"]
        proposed.click().run()
    assert not saved_in(app)


@pytest.mark.parametrize(
    "analysis",
    [
        Mean("length_of_stay", [Term("zip_code", 2), "age"], weight="length_of_stay"),
        Crosstab([Term("age", 3), "diagnosis"], weight="length_of_stay"),
        Linear("length_of_stay", [Term("sex", reference="Male"), Term("age", groups=True, control=True)]),
        Linear("length_of_stay", ["age", Term("age", 3, "20-39"), Term("zip_code", 2, "024**")]),
        Logistic("diagnosis", ["Stroke", "COPD"], ["age", Term("sex", control=True)], weight="length_of_stay"),
        Count({"age": [20, 29], "sex": ["Male"], "diagnosis": ["Stroke", "COPD"], "marital_status": ["Married"]}),
        Count({"age": ["20", "21", "22"]}, weight="length_of_stay"),
        Count({"marital_status": ["Married"], "sex": ["Male"], "age": ["20"], "diagnosis": ["Stroke"]}),
    ],
)
def test_the_form_keeps_what_is_not_changed(analysis: Analysis) -> None:
    app = editing(mine=analysis, other=Mean("length_of_stay"))
    choose(app, "analysis_kind", (analysis.kind, "mine"))
    press(app, "add_analysis")
    assert [part.value for part in app.error] == []
    assert [*saved_in(app)] == ["mine", "other"]
    assert saved_in(app)["mine"] == analysis


def test_what_a_regression_is_adjusted_for_and_compared_with_is_optional(app: AppTest) -> None:
    choose(app, "analysis_kind", ("linear", ""))
    choose(app, "analysis_outcome", "length_of_stay")
    choose(app, "analysis_terms", ["age", "sex", "marital_status"])
    assert app.selectbox(key="analysis_terms_level_age").options[0] == "None: the number itself"
    references = [box.label for box in app.selectbox if box.placeholder == "The most frequent"]
    assert references == ["Compare groups of sex with", "Compare groups of marital_status with"]
    choose_all(app, {"analysis_control": ["age"], "analysis_reference_sex": "Male", "analysis_name": "stay"})
    choose(app, "analysis_weight", "length_of_stay")
    press(app, "add_analysis")
    terms = [Term("age", control=True), Term("sex", reference="Male"), "marital_status"]
    assert saved_in(app)["stay"] == Linear("length_of_stay", terms, weight="length_of_stay")


def test_a_regression_of_which_no_estimate_counts_is_refused(app: AppTest) -> None:
    choose(app, "analysis_kind", ("linear", ""))
    choose(app, "analysis_outcome", "length_of_stay")
    choose(app, "analysis_terms", ["sex"])
    choose(app, "analysis_control", ["sex"])
    assert "no term whose estimates count" in app.error[0].value
    choose(app, "analysis_control", [])
    assert not app.error


def test_every_value_of_a_column_is_offered_in_reading_order() -> None:
    rows = [(str(place), f"v{place}", "a" if place % 2 else "b") for place in reversed(range(400))]
    content = csv(("age", "place", "illness"), *rows)
    state = loaded(content, content, age="quasi-identifier", place="insensitive", illness="sensitive")
    app = opened(state, "analyses")
    choose(app, "analysis_kind", ("count", ""))
    choose(app, "analysis_where", ["place"])
    assert app.multiselect(key="analysis_values_place").options == [f"v{place}" for place in range(400)]


def test_of_very_many_values_those_that_are_not_listed_are_typed() -> None:
    content = csv(("age", "place", "illness"), *((str(row % 50), f"v{row}", "ab"[row % 2]) for row in range(1500)))
    state = loaded(content, content, age="quasi-identifier", place="insensitive", illness="sensitive")
    state.policy.parameters = replace(state.policy.parameters, analyses={"mine": Count({"place": ["v1499", "v3"]})})
    app = opened(state, "analyses")
    choose(app, "analysis_kind", ("count", "mine"))
    values = app.multiselect(key="analysis_values_place_of_mine")
    assert values.label == "Values of place (the list shows 1,000 of 1,500; type any other)"
    assert (values.value, len(values.options)) == (["v1499", "v3"], 1001)
