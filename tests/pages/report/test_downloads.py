"""The files to pass on: what is offered beside the report, and what must be settled before."""

import hashlib

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.components.release_file import without_suppressed
from metrics.config.roles import Role
from metrics.policy.policy import Policy
from metrics.texts import text
from pages.report.downloads import report_of
from tests.dashboard.application import csv, go, loaded, opened, state_of

COLUMNS = ("age", "illness")
AGES = ("20", "20", "30", "30", "40", "50", "60", "70", "80")


def report_on(illnesses: str, *, confirmed: bool = True) -> AppTest:
    """The Report page on a table whose last five records are suppressed."""
    labels = [*AGES[:4], *["*"] * 5]
    original, released = (csv(COLUMNS, *zip(ages, illnesses, strict=True)) for ages in (AGES, labels))
    state = loaded(original, released)
    state.policy.choose(Policy("Ours", {"k_anonymity": 2}))
    if confirmed:
        state.assign_roles({"age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE})
    return opened(state, "report")


@pytest.mark.parametrize(("illnesses", "discloses"), [("abab" + "c" * 5, True), ("ababababa", False)])
def test_the_file_without_suppressed_records_is_offered_where_they_disclose_a_value(
    illnesses: str, discloses: bool
) -> None:
    app = report_on(illnesses)
    assert ("download_kept" in [button.key for button in app.get("download_button")]) is discloses
    shown = " ".join(block.value for block in go(app, "verdict").markdown).replace("\\", "")
    assert (text("repair.next_without_suppressed") in shown) is discloses


def test_the_report_gives_the_checksum_of_the_file_without_suppressed_records() -> None:
    state = state_of(report_on("abab" + "c" * 5))
    (label,) = state.tables.labels
    content = without_suppressed(state.tables.versions[label].table, state.card(label).aggregates)
    assert content.splitlines() == [b'"age","illness"', b'"20","a"', b'"20","b"', b'"30","a"', b'"30","b"']
    assert hashlib.sha256(content).hexdigest() in report_of(state, label, state.card(label))


def test_proposed_roles_are_to_be_confirmed_before_the_report_is_passed_on() -> None:
    for confirmed in (False, True):
        app = report_on("ababababa", confirmed=confirmed)
        warned = any(one.value.startswith("2 column roles are proposed, not confirmed") for one in app.warning)
        assert warned is not confirmed
