"""Every page with nothing, with the sample, with hostile names, and while its controls move."""

import re

from dashboard.navigation import PAGES, PageRequirement
from dashboard.text import plain
from metrics.config.roles import Role
from metrics.scoring.class_filter import Violation
from tests.dashboard import hostile
from tests.dashboard.application import (
    FEW,
    LIGHT,
    ORIGINAL,
    SCRIPTS,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    markdown_of,
    opened,
    sample_workspace,
    start,
    tag,
)

NEED_DATA = [spec.script.removesuffix("/page") for spec in PAGES if spec.requirement is PageRequirement.VERSION]


def test_without_data_or_a_quasi_identifier_a_page_says_what_is_missing_and_links_to_it() -> None:
    nothing = start()
    untagged = opened(loaded(ORIGINAL, LIGHT, age="insensitive", zip="insensitive", illness="insensitive"))
    assert any("quasi-identifier" in text.value for text in untagged.markdown)
    missing = {
        "There is no anonymized table yet. Load one, or the sample, to see results.": nothing,
        "No column is tagged as a quasi-identifier. Tag the columns that others may know about a person.": untagged,
    }
    for script in NEED_DATA:
        for sentence, app in missing.items():
            go(app, script)
            assert [info.value for info in app.info] == [sentence], script
            way_in = "Load a table or restore a session" if app is nothing else "Go to the data"
            assert [link.value for link in app.page_link] == [way_in]
            assert ("load_sample" in [button.key for button in app.button]) is (app is nothing)
            assert not app.metric
        assert "candidate" not in [choice.key for choice in nothing.selectbox]


def test_every_page_shows_something_and_nothing_is_lost_on_page_switches() -> None:
    state = sample_workspace(FEW)
    # Each doubles the work of the attacks.
    state.roles |= {"occupation": Role.INSENSITIVE, "admission": Role.INSENSITIVE}
    app = opened(state)
    tag(app, {"insurance": "sensitive"})
    choose(go(app, "verdict"), "candidate", "candidate_balanced.csv")
    for script in SCRIPTS:
        go(app, script)
        assert not app.info, script
        assert app.title[0].value
    chosen = {
        "classes": {"k_limit": 12, "class_filter": "fails P_29", "class_order": "diagnosis.t"},
        "p29": {"w_k": 0.2, "p29_t_max": 0.4},
        "profitability": {"profitability_currency": "€", "publisher_loss": 20_000.0, "allow_attack": False},
    }
    choose(go(app, "profitability"), "publisher_loss_field", 20_000.0)  # more than its slider lets in until then
    for script, values in chosen.items():
        choose_all(go(app, script), values)
    for script, values in chosen.items():
        go(app, script)
        assert {key: app.get_by_key(key).value for key in values} == values
        assert app.get_by_key("candidate").value == "candidate_balanced.csv"
    assert go(app, "data").get_by_key("role_insurance").value == "sensitive"


def test_every_page_shows_hostile_names_escaped() -> None:
    state = hostile.workspace()
    # Further columns make the work of the attacks long, and no text more.
    state.policy.parameters = state.policy.parameters.with_settings({"attack.known": hostile.QUASI_IDENTIFIERS[:2]})
    app = opened(state)
    assert not app.error
    seen = 0
    for script in SCRIPTS:
        go(app, script)
        if script == "classes":
            choose_all(app, {"class_order": f"{hostile.SENSITIVE[0]}.t", "class_filter": str(Violation.P_29)})
            assert not app.info
        for text in markdown_of(app):
            without_escaped = re.sub(r"\\.", "", text)
            for sign in ("<script", "<img", "](javascript", "\\href", ":red[", "outside.invalid", "\u202e", "{{"):
                assert sign not in without_escaped, (script, text)
            seen += any(plain(name) in text for name in hostile.NAMES)
    assert seen > len(hostile.NAMES)


def test_names_of_our_own_widgets_and_columns_are_harmless() -> None:
    names = ["size", "reasons", "filter", "order", "sizes", "table", "by position", "size.t", "limit", "reach", "k"]
    content = csv(names, *([f"{name}{record // 2 % 3}" for name in names] for record in range(12)))
    state = loaded(content, content, **dict.fromkeys(names, "quasi-identifier"))
    state.policy.parameters = state.policy.parameters.with_settings({"attack.known": ("k", "limit")})
    app = opened(state)
    for script in SCRIPTS:
        go(app, script)
    tag(go(app, "data"), dict.fromkeys(("filter", "sizes", "size", "limit"), "sensitive"))
    for script in ("verdict", "t_closeness", "report", "classes"):
        go(app, script)
    for by in ("size", "size.t", "sizes.t"):
        choose(app, "class_order", by)
