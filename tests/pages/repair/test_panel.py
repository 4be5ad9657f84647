"""The page Repair: judged by the policy of the session only, and an all-clear names it."""

import re

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from dashboard.text import plain
from dashboard.workspace import Slot
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.formatting import format_number, join_names, percent, short_percent
from metrics.policy.built_in_policies import DEFAULT_POLICY
from metrics.policy.policy import Policy, Status
from metrics.recipes.repair_recipe import recipe_of_repair
from metrics.tables.export import to_csv
from metrics.texts import text
from tests.dashboard.application import (
    choose,
    csv,
    go,
    loaded,
    metric,
    opened,
    press,
    sample,
    sample_workspace,
    sound,
    state_of,
)
from tests.support.small_tables import columns_of

CHANGE = re.compile(r"changed ([\d,]+) cells? of ([\d,]+) records?(?:; it suppressed ([^.]+))?\. ")


def repair_figures(app: AppTest) -> tuple[str, ...]:
    """The figures of the repair: cells and records changed, and what is suppressed."""
    found = CHANGE.search(texts(app))
    assert found is not None
    return found.groups()


def texts(app: AppTest) -> str:
    shown = [one.value for kind in (app.header, app.warning, app.success, app.info, app.caption) for one in kind]
    return "\n".join(shown).replace("\\", "")


def judged_by(app: AppTest, **limits: float | bool) -> AppTest:
    """The page under a policy with these limits only."""
    state_of(app).policy.choose(Policy("Ours", limits))
    return sound(app.run())


def balanced(**limits: float | bool) -> AppTest:
    """The page on the balanced sample, whose smallest class holds fewer than 20 records, under these limits only."""
    state = sample_workspace()
    state.remove(Slot.ANONYMIZED, "candidate_light.csv")
    state.policy.choose(Policy("Ours", limits))
    return opened(state, "repair")


def test_every_repair_shows_its_figures_and_the_one_kept_meets_the_limits() -> None:
    app = balanced(k_anonymity=20)
    found, whole = {}, ""
    for method in (Method.RECORDS, Method.CELLS, Method.MERGE):
        choose(app, "repair_method", method)
        found[method] = repair_figures(app)
        whole = texts(app) if method is Method.RECORDS else whole
    assert f"{found[Method.RECORDS][1]} whole records" == found[Method.RECORDS][2]
    assert re.fullmatch(r"[\d,]+ cells", found[Method.CELLS][2])
    assert text("repair.smallest_by_classes") in whole
    assert all(figures[0] != "0" for figures in found.values())
    assert len(set(found.values())) == 3
    judged_by(app, k_anonymity=20, distinct_l_diversity=3, t_closeness=0.4)
    before = set(state_of(app).tables.versions)
    promised = {one.label: one.value for one in app.metric}
    press(app, "keep_repair")
    state = state_of(app)
    (label,) = set(state.tables.versions) - before
    card = state.card(label)
    assert card["k_anonymity"].value >= 20
    assert card["distinct_l_diversity"].value >= 3
    assert card["t_closeness"].value <= 0.4
    assert promised["✓ k-anonymity"] == str(card["k_anonymity"].value)
    assert promised["✓ t-closeness"] == format_number(card["t_closeness"].value)
    assert promised["Information kept"] == percent(card["non_uniform_entropy"].value)
    kept = state.tables.versions[label]
    again = metrics.read_table(kept.file.unpacked(), name=kept.name)
    assert to_csv(again.to_arrow()) == to_csv(kept.table.to_arrow())
    assert app.selectbox(key="candidate").value == label
    assert len(app.success) == 1
    limits = (text("repair.limit.k", limit=20), text("repair.limit.l", limit=3), text("repair.limit.t", limit=0.4))
    assert text("repair.nothing_to_repair", limits=join_names(limits)) in texts(app)
    assert app.selectbox(key="candidate").value == label
    press(app, "repair_again")
    assert app.selectbox(key="candidate").value in before
    assert app.get_by_key("keep_repair") is not None


def test_a_repaired_candidate_has_the_utility_that_was_shown_and_is_made_again_by_its_recipe() -> None:
    app = choose(balanced(k_anonymity=12, distinct_l_diversity=3), "repair_method", Method.RECORDS)
    state = state_of(app)
    inputs = state.aggregates("candidate_balanced.csv")
    repair = repair_to(inputs, {"k_anonymity": 12, "distinct_l_diversity": 3}, Method.RECORDS)
    (shown,) = [element.value for element in app.dataframe if "Utility metric" in element.value]
    press(app, "keep_repair")
    label = list(state.tables.versions)[-1]
    assert state.source_of(label) == "candidate_balanced.csv"
    card = state.card(label)
    known = [cost.before for cost in repair.costs if cost.before.value is not None]
    assert len(shown) == len(known) > 3
    for before, row in zip(known, shown.itertuples(), strict=True):
        figures = [score.shown_text(short_percent) for score in (before, card[before.metric.id])]
        assert [row[1][:-2], row.Before, row.After] == [before.metric.shown.title, *figures]
    recipe = recipe_of_repair(inputs, repair, parameters=state.policy.parameters)
    made = recipe.apply(state.tables.versions["candidate_balanced.csv"].table).table
    assert columns_of(made.sorted_by_cells()) == columns_of(state.tables.versions[label].table.sorted_by_cells())


def test_without_limits_on_k_l_and_t_there_is_no_all_clear() -> None:
    app = balanced()
    assert not app.success
    assert "No limits set." in texts(app)
    judged_by(app, p29=0.01)
    assert repair_figures(app)[0] != "0"
    judged_by(app, k_anonymity=2)
    assert not app.success
    met = text("repair.limits_met", limits=text("repair.limit.k", limit=2))
    missing = text("repair.criteria_without_limit", criteria=join_names(["l", "t"]), number=2)
    assert f"{met} {missing}" in texts(app)
    judged_by(app, k_anonymity=2, granularity=1)
    assert not app.success
    assert "Fails the policy “Ours”: 1 of 2 limits is not met" in texts(app)
    assert "Not enforced by the repair, only measured on its result: " in texts(app)


def test_the_heading_names_the_limit_that_the_repaired_table_still_fails() -> None:
    app = balanced(k_anonymity=12, suppression=0)
    (heading,) = (header.value for header in app.header if "meets the limit on k" in header.value)
    assert "Merging classes meets the limit on k, but not that on suppression" in heading


def test_the_information_kept_of_perturbed_values_is_a_bound_without_a_change() -> None:
    rows = [(str(30 + number // 4), "AB"[number % 2]) for number in range(20)]
    shifted = [(str(int(age) + 1), city if number else "*") for number, (age, city) in enumerate(rows)]
    tables = [csv(("age", "city"), *of) for of in (rows, shifted)]
    app = opened(loaded(*tables, age="quasi-identifier", city="quasi-identifier"), "repair")
    judged_by(app, k_anonymity=3, non_uniform_entropy=0.1)
    (tile,) = [card for card in app.metric if card.label.endswith("Information kept")]
    # Everything is suppressed afterwards, so nothing is kept; before, changed values count as kept.
    assert (tile.label, tile.value, tile.delta) == ("Information kept", "0%", "from ≤\u00a0100%")


def test_a_table_that_the_verdict_refuses_gets_no_all_clear() -> None:
    """A table like Adult: large classes, and one sensitive value in some of them."""
    rows = [("30-39", "Private", "<=50K")] * 40 + [("40-49", "State-gov", one) for one in ("<=50K", ">50K") * 20]
    content = csv(("age", "workclass", "salary"), *rows)
    state = loaded(None, content, age="quasi-identifier", workclass="quasi-identifier", salary="sensitive")
    app = opened(state, "repair")
    assert state.policy.current == DEFAULT_POLICY
    assert not app.success
    choose(app, "repair_method", Method.RECORDS)
    assert repair_figures(app)[1] == "40"
    assert "Suppressing whole classes is not enough" in texts(app)


def test_a_table_that_fails_by_its_identifiers_alone_is_repaired_by_suppressing_them() -> None:
    rows = [(name, age, one) for name, age in zip("abcdefgh", ["30"] * 4 + ["40"] * 4, strict=True) for one in ("x",)]
    content = csv(("name", "age", "illness"), *rows)
    state = loaded(None, content, name="identifier", age="quasi-identifier", illness="insensitive")
    state.policy.choose(Policy("Ours", {"k_anonymity": 2}))
    app = opened(state, "verdict")
    shown = "".join([*(one.value for one in app.markdown), *(html.proto.body for html in app.get("html"))])
    shown = shown.replace("\\", "")
    assert "The table shows name: remove this column before release." in shown
    assert "**Repair:** A repair replaces every value of name by" in shown
    assert "Number of direct identifiers" in shown
    go(app, "repair")
    assert app.header[0].value.replace("\\", "").startswith("A repair replaces every value of name by *")
    press(app, "keep_repair")
    card = state_of(app).card(app.selectbox(key="candidate").value)
    assert state_of(app).policy.current.check(card).status is Status.MEETS


def test_limits_that_cannot_be_met_are_named() -> None:
    app = choose(balanced(k_anonymity=20, suppression=0.01), "repair_method", Method.RECORDS)
    assert text("limits.max_suppression", found=203, limit=100) in texts(app)
    assert not [button for button in app.button if button.key == "keep_repair"]


def test_what_matters_is_named_with_a_link_and_as_a_reason_for_falling_short() -> None:
    app = balanced(k_anonymity=20, suppression=0.01)
    assert text("what_matters.nothing") in texts(app)
    assert "explore" in [link.proto.page for link in app.get("page_link")]
    state = state_of(app)
    kept = state.chosen_roles().quasi_identifiers
    state.highest_levels.update(dict.fromkeys(kept, 0))
    reason = text("repair.kept_levels", unmet="", columns=join_names(kept))
    for method in (Method.MERGE, Method.CELLS):
        assert reason in texts(choose(go(app, "repair"), "repair_method", method))
    assert reason not in texts(choose(app, "repair_method", Method.RECORDS))


def test_a_table_beyond_the_limit_on_suppression_is_repaired_for_the_other_limits() -> None:
    rows = [("30", "flu")] * 6 + [("40", "cold")] * 2 + [("*", "flu")] * 4
    state = loaded(None, csv(("age", "illness"), *rows), age="quasi-identifier", illness="sensitive")
    state.policy.choose(Policy("Ours", {"k_anonymity": 3, "suppression": 0.1}))
    app = opened(state, "repair")
    assert text("repair.not_restorable", share=1 / 3, limit=0.1) in texts(app)
    choose(app, "repair_method", Method.RECORDS)
    assert app.get_by_key("keep_repair") is not None
    assert "whole classes meets the limit on k" in app.header[0].value
    go(app, "verdict")
    assert any("No repair can meet the limit on suppression" in one.value for one in app.markdown)
    judged_by(go(app, "repair"), k_anonymity=3, suppression=0.5)
    assert app.radio
    assert "No repair" not in texts(app)


def test_levels_that_meet_the_policy_are_named_where_no_repair_can() -> None:
    original = csv(("age", "illness"), *[("30", "flu")] * 6, *[("40", "cold")] * 6)
    released = csv(("age", "illness"), *[("30", "flu")] * 6, *[("40", "cold")] * 2, *[("*", "cold")] * 4)
    state = loaded(original, released, age="quasi-identifier", illness="sensitive")
    state.policy.choose(Policy("Ours", {"k_anonymity": 3, "suppression": 0.1}))
    app = opened(state, "repair")
    named = "cannot restore them. Explore's starting levels meet every limit: information kept 100%."
    assert named in texts(app)
    go(app, "verdict")
    assert any(plain(named) in element.value for element in app.markdown)
    judged_by(go(app, "repair"), k_anonymity=7, suppression=0.1)
    assert "starting levels" not in texts(app)


def test_a_repair_of_many_classes_is_computed_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.repair.panel._AT_ONCE", 10)
    app = balanced(k_anonymity=20)
    assert CHANGE.search(texts(app)) is None
    choose(app, "repair_large", True)
    assert repair_figures(app)[0] != "0"


def test_without_a_sensitive_attribute_the_limits_on_sensitive_values_are_left_out() -> None:
    rows = [("30", "flu")] * 6 + [("40", "cold")] * 2
    state = loaded(None, csv(("age", "illness"), *rows), age="quasi-identifier", illness="insensitive")
    state.policy.choose(Policy("Ours", {"k_anonymity": 3, "distinct_l_diversity": 2}))
    app = opened(state, "repair")
    assert "no column is tagged as sensitive" in texts(app)
    assert repair_figures(app)[0] != "0"
    judged_by(app, k_anonymity=2, distinct_l_diversity=2)
    assert not app.success
    assert "distinct l-diversity is not measured" in texts(app)


def test_the_p29_page_links_to_the_repair_page_only_if_a_limit_is_missed() -> None:
    app = choose(sample("p29"), "p29_view", "Repair options")
    assert "repair" in [link.proto.page for link in app.get("page_link")]
    choose(app, "candidate", "candidate_strict.csv")
    assert "repair" not in [link.proto.page for link in app.get("page_link")]


def test_deleting_for_p29_fails_the_policy_by_what_was_suppressed_before_as_well() -> None:
    """Seven of a hundred records are suppressed; four more would go, one of each class of one."""
    records = [*[("*", "flu")] * 7, *[(age, one) for age in ("30", "40", "50") for one in ("flu", "cold") * 15][:89]]
    records += [(f"7{place}", "flu") for place in range(4)]

    def repaired(limit: float) -> AppTest:
        """The page's repairs under a limit on suppression."""
        state = loaded(None, csv(("age", "illness"), *records), age="quasi-identifier", illness="sensitive")
        state.policy.set_limit("suppression", limit)
        return choose(opened(state, "p29"), "p29_view", "Repair options")

    assert metric(repaired(0.1), "Records deleted") == "4%"
    message = "11% of the records would be suppressed or removed"
    assert any(message in one.value for one in repaired(0.1).warning)
    assert not any(message in one.value for one in repaired(0.12).warning)
