"""The verdict page: every metric, which limits fail, and what a repair achieves."""

import json

from streamlit.testing.v1 import AppTest

from dashboard.text import plain
from metrics.policy.policy import Policy
from metrics.scoring.catalog import BY_ID, METRICS
from metrics.tables.matching_rule import MatchingRule
from tests.dashboard.application import (
    FEW,
    ORIGINAL,
    choose,
    csv,
    figure,
    go,
    loaded,
    metric,
    opened,
    press,
    randomized,
    sample,
    state_of,
    tag,
    verdict_rows,
)

AGES = csv(("age", "sex", "illness"), *[("30", "m", "flu")] * 3, *[("40", "f", "cold")] * 2, *[("50", "f", "flu")] * 2)


def verdict(**limits: float | bool) -> AppTest:
    """The page on a small table under these limits only."""
    state = loaded(None, AGES, age="quasi-identifier", sex="quasi-identifier", illness="sensitive")
    state.policy.choose(Policy("Ours", limits))
    return opened(state, "verdict")


def markdown(app: AppTest) -> str:
    return "\n".join(text.value.replace("\\", "") for text in app.markdown)


def test_the_leading_sentence_says_why_and_the_tiles_which_limits_are_not_met() -> None:
    app = verdict(k_anonymity=3, t_closeness=1, non_uniform_entropy=0.5)
    (tiles,) = [block.proto.body for block in app.get("html") if 'class="tiles"' in block.proto.body]
    assert tiles.count("✗ fails") == tiles.count("✓ meets") == 1
    assert "not measured" in tiles
    assert markdown(app).startswith("100% of the records are in a class that reveals illness")
    assert "Both limits are met." in markdown(verdict(k_anonymity=2, t_closeness=1))


def test_the_tile_and_the_row_of_inference_name_the_attribute_and_those_that_were_randomized() -> None:
    content = csv(("age", "illness", "pay"), *[(age, "flu" if age % 3 else "cold", age) for age in range(20, 40)])
    roles = {"age": "quasi-identifier", "illness": "sensitive", "pay": "sensitive"}
    drawn = csv(("age", "illness", "pay"), *[(age, "flu" if age % 2 else "cold", age) for age in range(20, 40)])
    state = randomized(loaded(content, drawn, **roles), illness=["flu", "cold"])
    state.policy.choose(Policy("Ours", {"attribute_inference_attack": 0.5}))
    app = opened(state, "verdict")
    (tiles,) = [block.proto.body for block in app.get("html") if 'class="tiles"' in block.proto.body]
    assert "✗ fails</span> · pay, not randomized · illness, randomized: 45%</small>" in tiles
    assert "100% of people, 5% without the table. illness, randomized: 45%." in str(verdict_rows(app))
    assert "<small>of the quasi-identifiers</small>" in tiles


def test_a_repair_is_offered_by_the_limits_that_it_meets() -> None:
    assert "**Repair:** merging classes would meet the policy." in markdown(verdict(k_anonymity=3))
    said = markdown(verdict(k_anonymity=2, sample_uniqueness=0, normalized_certainty_penalty=0))
    assert "No repair can meet the policy: normalized certainty penalty is not measured" in said


def test_a_limit_not_measured_links_to_the_page_that_can_resolve_it() -> None:
    assert "Add tables, roles or hierarchies" in [link.label for link in verdict(k_anonymity=2).get("page_link")]


def test_the_verdict_shows_every_metric_or_why_not_and_follows_the_tags() -> None:
    app = sample("verdict", FEW)
    titles = [row["title"] for row in verdict_rows(app)]
    reasons = " ".join(text.value for text in app.markdown)
    assert len(set(titles)) == len(titles) > len(METRICS) / 2
    tile = BY_ID["analyses"]  # of those that the columns suggest
    assert all(spec.shown.title in titles or plain(spec.title) in reasons for spec in METRICS if spec is not tile)
    attacks = {row["title"]: row["sentence"] for row in verdict_rows(app)}
    assert "of records are singled out by" in attacks["Records singled out"]  # without being asked for
    before = figure(app, "Records per class")
    tag(go(app, "data"), {"diagnosis": "insensitive", "length_of_stay": "insensitive"})
    go(app, "verdict")
    assert "P_29" not in [row["title"] for row in verdict_rows(app)]
    assert any("P_29" in text.value and "sensitive" in text.value for text in app.markdown)
    assert metric(app, "k-anonymity") == "1"
    tag(go(app, "data"), {"age": "insensitive"})
    assert figure(go(app, "verdict"), "Records per class") != before
    tag(go(app, "data"), {"age": "quasi-identifier"})
    assert figure(go(app, "verdict"), "Records per class") == before


def test_what_cannot_be_computed_is_not_offered_for_computation() -> None:
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(None, ORIGINAL, **roles), "verdict")
    offered = {button.key for button in app.button}
    assert "compute_quasi_identifier_ranking" in offered
    assert "compute_singling_out_attack" not in offered
    (reason,) = [text.value for text in app.markdown if plain("Singling-out attack") in text.value]
    assert "no original table is given" in reason


def test_the_verdict_says_whether_the_chosen_candidate_meets_the_policy() -> None:
    app = sample("verdict")
    assert app.title[0].value == "Fails the policy · candidate_light\\.csv"
    marks = {row["id"]: row["mark"] for row in verdict_rows(app)}
    assert (marks["k_anonymity"], marks["reidentification_risk"], marks["p29"]) == ("fails", "fails", "")
    seen = {(metric(app, "k-anonymity"), metric(app, "t-closeness"))}
    for candidate in ("candidate_balanced.csv", "candidate_strict.csv"):
        choose(app, "candidate", candidate)
        strict = metric(app, "k-anonymity"), metric(app, "t-closeness")
        seen.add(strict)
    assert len(seen) == 3
    assert app.title[0].value.startswith("Meets the policy")
    assert {row["id"]: row["status"] for row in verdict_rows(app)}["k_anonymity"] == "meets"
    assert go(app, "profitability").get_by_key("candidate").value == "candidate_strict.csv"
    go(app, "verdict")
    assert (metric(app, "k-anonymity"), metric(app, "t-closeness")) == strict
    choose(app, "policy", "No limits")
    assert app.title[0].value.startswith("No limits set")
    assert not any(row["mark"] for row in verdict_rows(app))


def test_an_original_alone_can_be_judged() -> None:
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}
    app = press(opened(loaded(ORIGINAL, **roles)), "see_verdict")
    assert app.title[0].value == "Fails the policy · original\\.csv, unchanged"
    state = state_of(app)
    press(go(app, "explore"), "explore_keep")
    assert len(state.tables.labels) == 2  # the original stays, to compare with and to repair
    assert state.tables.labels[0] == "original.csv, unchanged"


def test_the_next_step_names_no_other_candidate_where_there_is_none() -> None:
    (step,) = [line for line in markdown(verdict(k_anonymity=1)).splitlines() if line.startswith("**Next:**")]
    assert "(empty)" not in step


def test_records_in_another_order_are_reported_first_and_as_on_the_page_data() -> None:
    columns = ("age", "sex", "illness")
    records = [(age, "m", f"illness {age % 7}") for age in range(30, 60)]
    state = loaded(
        csv(columns, *records), csv(columns, *reversed(records)), age="quasi-identifier", illness="sensitive"
    )
    app = opened(state, "data")
    warnings = [plain(str(state.doubtful_matching("c0.csv")))]
    assert [found.value for found in app.warning] == warnings
    app = go(app, "verdict")
    assert [found.value for found in app.warning][:1] == warnings
    state.matching.choose_for_all(MatchingRule(("age",)))
    assert not go(app, "verdict").warning


def test_a_group_of_exposed_people_opens_its_worst_class() -> None:
    app = verdict(k_anonymity=3)
    press(app, "group_0")
    assert app.session_state["class_selected"] == ("c0.csv", 1)


def test_the_typical_value_is_shown_beside_a_long_name_of_its_column() -> None:
    name = "length of stay in hospital in days, without the day of admission, as the insurance counts it, in version 7"
    content = csv((name, "illness"), ("12", "flu"), ("30", "flu"), ("30", "cold"))
    app = opened(loaded(None, content, **{name: "quasi-identifier", "illness": "sensitive"}), "verdict")
    row = next(one.proto.body for one in app.get("html") if 'class="typical"' in one.proto.body)
    assert f'title="{name}: 12"' in row
    assert ">length of stay in hospi… 12<" in row


def test_eight_rows_lead_and_all_other_metrics_are_folded() -> None:
    app = sample("verdict")
    leading, others = (
        found.proto for found in app.get("bidi_component") if found.proto.component_name == "metric_rows"
    )
    ids = [row["id"] for family in json.loads(leading.json)["families"] for row in family["rows"]]
    assert {"k_anonymity", "t_closeness", "p29", "non_uniform_entropy"} < set(ids)
    assert len(ids) <= 8
    assert not set(ids) & {row["id"] for family in json.loads(others.json)["families"] for row in family["rows"]}
    assert not next(part for part in app.expander if part.label.startswith("All metrics")).proto.expanded
