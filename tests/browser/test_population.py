"""What is known of the population beside the table: everybody in it, or how many people each record stands for."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

import metrics
from metrics.wording import format_number, short_percent
from tests.browser.actions import (
    choose_option,
    expand,
    metric_card,
    metric_value,
    open_page,
    rerun,
    row_texts,
    tag,
    upload,
)
from tests.browser.conftest import watched_page
from tests.browser.serving import Server
from tests.dashboard.application import csv

ROLES = {"zip": "quasi-identifier", "age": "quasi-identifier", "ill": "sensitive"}
RELEASED = csv(
    ["zip", "age", "ill", "stands for"],
    *([("101**", "3*", "flu", "2.5"), ("101**", "3*", "cold", "4")] * 2),
    *([("200**", "4*", "flu", "10"), ("200**", "4*", "flu", "1.5"), ("200**", "5*", "cold", "7")]),
)
PEOPLE = csv(
    ["name", "age", "zip"],
    *((f"p{number}", 30 + number % 10, 10110 + number) for number in range(9)),
    *((f"r{number}", 40 + number % 20, 20090 + number % 4) for number in range(40)),
    ("elsewhere", 33, 99999),
)
IDENTIFIERS = ("k_map", "delta_presence", "population_uniqueness", "reidentification_risk", "people_k_anonymity")


@pytest.fixture(scope="module")
def released(context: BrowserContext, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with the released table, tagged; each test takes back what it says of the population."""
    path = tmp_path_factory.mktemp("released") / "released.csv"
    path.write_bytes(RELEASED)
    with watched_page(context, server) as page:
        open_page(page, "/")
        upload(page, "upload_anonymized", [path])
        tag(page, ROLES)
        yield page


def expected(*, population: bool = False, weight: str | None = None, person: str | None = None) -> metrics.Scorecard:
    """The figures as the library gives them."""
    roles = metrics.Roles(quasi_identifiers=["zip", "age"], sensitive=["ill"], weight=weight, person=person)
    people = metrics.read_table(PEOPLE, name="people.csv") if population else None
    return metrics.score(
        metrics.read_table(RELEASED, name="released.csv"), roles, population=people, metrics=IDENTIFIERS
    )


def test_a_population_table_gives_k_map_and_presence(released: Page, tmp_path: Path) -> None:
    open_page(released, "/risk")
    expect(released.get_by_text("Load a population table on the Data page")).to_be_visible()
    expect(metric_card(released, "Highest risk in the population")).to_have_count(0)
    open_page(released, "/")
    (tmp_path / "names.csv").write_bytes(csv(["name", "zip"], ("p", 10115)))
    (tmp_path / "people.csv").write_bytes(PEOPLE)
    upload(released, "upload_population", [tmp_path / "names.csv"])
    expect(released.get_by_test_id("stAlert")).to_contain_text(
        'names.csv: the population lacks "age", so it is left out; load one that has every quasi-identifier.'
    )
    upload(released, "upload_population", [tmp_path / "people.csv"])
    expect(released.get_by_text("people.csv · population")).to_be_visible()
    expect(released.get_by_test_id("stAlert")).to_have_count(0)
    open_page(released, "/risk")
    card = expected(population=True)
    for identifier in IDENTIFIERS[:2]:
        score = card[identifier]
        assert score.value is not None
        assert metric_value(released, score.metric.title) == format_number(score.value)
    highest = card["reidentification_risk"].details["journalist"]["highest"]
    assert metric_value(released, "Highest risk in the population") == short_percent(highest)
    open_page(released, "/scorecard")
    for identifier in IDENTIFIERS[:2]:
        assert metric_value(released, card[identifier].metric.title) == format_number(card[identifier].value)
    open_page(released, "/")
    with rerun(released):
        released.locator(".st-key-remove_population_people-csv button").click()
    open_page(released, "/risk")
    expect(released.get_by_text("Load a population table on the Data page")).to_be_visible()


def test_survey_weights_change_the_risk(released: Page) -> None:
    open_page(released, "/risk")
    expect(metric_card(released, "Expected re-identifications (survey weights)")).to_have_count(0)
    table = "Unique people by model"
    expect(released.get_by_text(re.compile("^Unavailable: .*population"))).to_be_visible()
    expect(released.get_by_text(table)).to_have_count(0)
    open_page(released, "/")
    expand(released, "survey weights")
    choose_option(released, "survey_weight", "the column “stands for”")
    open_page(released, "/risk")
    card = expected(weight="stands for")
    risk, unique = (card[identifier] for identifier in ("reidentification_risk", "population_uniqueness"))
    found = risk.details["individual"]["expected_reidentifications"]
    assert metric_value(released, "Expected re-identifications (survey weights)") == f"{found:,.1f}"
    # The population is as large as the sum of the weights.
    expect(released.get_by_text(unique.summary())).to_be_visible()
    assert [row_texts(released, table, row)[0] for row in (1, 3)] == ["Gaussian-copula", "Zayatz's"]
    assert row_texts(released, table, 3)[1] == "1"
    open_page(released, "/")
    tag(released, {"stands-for": "sensitive"})
    open_page(released, "/risk")
    expect(metric_card(released, "Expected re-identifications (survey weights)")).to_have_count(0)


def test_people_are_counted_once_a_column_says_whose_record_each_is(released: Page) -> None:
    open_page(released, "/")
    tag(released, {"stands-for": "insensitive"})
    expand(released, "survey weights")
    choose_option(released, "survey_weight", "none")
    choose_option(released, "person", "the column “stands for”")
    open_page(released, "/scorecard")
    expect(released.get_by_text(expected(person="stands for")["people_k_anonymity"].summary()).first).to_be_attached()


def test_a_key_set_is_named_on_the_data_page_and_judged_on_the_risk_page(released: Page) -> None:
    open_page(released, "/")
    expand(released, "Attacker knowledge (key sets)")
    released.get_by_label("New key set").fill("neighbour")
    known = released.get_by_role("combobox", name="Known columns")
    known.fill("zip")
    known.press("Enter")
    known.press("Escape")
    with rerun(released):
        released.get_by_role("button", name="Add").click()
    expect(released.get_by_role("combobox", name="neighbour")).to_be_visible()
    open_page(released, "/risk")
    expect(released.get_by_role("heading", name="By key set")).to_be_visible()
    expect(released.get_by_text(re.compile(r"neighbour \(zip\).*k = 3"))).to_be_visible()
