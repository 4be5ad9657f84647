"""What would make a table pass, on the page of equivalence classes."""

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.candidates.repair_to import Method
from tests.dashboard.application import choose, go, metric, press, sample, state_of, tag
from tests.tables import columns_of

LABELS = ("Records changed", "Cells changed", "Records suppressed by it", "Found by")


def told(app: AppTest) -> tuple[str, ...]:
    """The figures of the repair."""
    return tuple(metric(app, label) for label in LABELS)


def texts(app: AppTest) -> str:
    return "\n".join(one.value for kind in (app.warning, app.success, app.info, app.caption) for one in kind)


@pytest.fixture
def page() -> AppTest:
    """The page on the balanced sample, whose smallest class holds fewer than 20 records."""
    return choose(go(choose(sample(), "candidate", "candidate_balanced.csv"), "classes"), "k_limit", 20)


def test_each_way_tells_its_figures(page: AppTest) -> None:
    found = {}
    for method in Method:
        choose(page, "repair_method", method)
        found[method] = told(page)
    assert found[Method.RECORDS][0] == found[Method.RECORDS][2]
    assert found[Method.RECORDS][3] == "exact"
    assert all(figures[0] != "0" for figures in found.values())
    assert len(set(found.values())) == 3


@pytest.mark.parametrize("method", list(Method))
def test_what_is_kept_becomes_a_candidate_that_meets_the_limits(page: AppTest, method: Method) -> None:
    choose(page, "repair_method", method)
    choose(page, "repair_l", 3)
    choose(page, "repair_t", 0.4)
    before = set(state_of(page).candidates)
    press(page, "keep_repair")
    state = state_of(page)
    (label,) = set(state.candidates) - before
    card = state.card(label)
    assert card["k_anonymity"].value >= 20
    assert card["distinct_l_diversity"].value >= 3
    assert card["t_closeness"].value <= 0.4
    kept = state.candidates[label]
    assert columns_of(metrics.read_table(kept.file.unpacked(), name=kept.name)) == columns_of(kept.table)
    press(page, "keep_repair")
    assert set(state_of(page).candidates) == before | {label}
    choose(page, "candidate", label)
    assert "nothing to repair" in texts(page)


def test_nothing_to_repair(page: AppTest) -> None:
    choose(page, "k_limit", 1)
    assert "nothing to repair" in texts(page)
    choose(page, "repair_p29", True)
    assert told(page)[0] != "0"


def test_limits_that_cannot_be_met_are_named(page: AppTest) -> None:
    choose(page, "repair_suppression", 0.0)
    assert "max\\_suppression" in texts(page)
    assert not [button for button in page.button if button.key == "keep_repair"]


def test_many_classes_wait_for_a_word(monkeypatch: pytest.MonkeyPatch, page: AppTest) -> None:
    monkeypatch.setattr("dashboard.components.repair_panel._AT_ONCE", 10)
    page.run()
    assert not [card for card in page.metric if card.label == LABELS[0]]
    choose(page, "repair_large", True)
    assert told(page)[0] != "0"


def test_without_a_sensitive_attribute_k_alone_is_asked(page: AppTest) -> None:
    tag(go(page, "data"), {"diagnosis": "insensitive", "length_of_stay": "insensitive"})
    go(page, "classes")
    assert not [slider for slider in page.slider if slider.key in ("repair_l", "repair_t")]
    assert told(page)[0] != "0"


def test_p29_leads_here() -> None:
    app = go(choose(sample(), "candidate", "candidate_light.csv"), "p29")
    assert "on Equivalence classes" in "\n".join(link.proto.label for link in app.get("page_link"))
