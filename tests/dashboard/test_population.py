"""What is known of the population beside the table: everybody in it, or how many people each record stands for."""

from streamlit.testing.v1 import AppTest

import metrics
from metrics.wording import format_number, short_percent
from tests.dashboard.application import choose, csv, go, loaded, metric, opened, press, sound, tag, upload

ROLES = {"zip": "quasi-identifier", "age": "quasi-identifier", "ill": "sensitive", "stands for": "insensitive"}
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
WEIGHTED = "Expected re-identifications (survey weights)"


def expected(*, population: bool = False, weight: str | None = None, person: str | None = None) -> metrics.Scorecard:
    """The figures as the library gives them."""
    roles = metrics.Roles(quasi_identifiers=["zip", "age"], sensitive=["ill"], weight=weight, person=person)
    people = metrics.read_table(PEOPLE, name="people.csv") if population else None
    return metrics.score(
        metrics.read_table(RELEASED, name="released.csv"), roles, population=people, metrics=IDENTIFIERS
    )


def released() -> AppTest:
    """The data page with the released table, tagged."""
    return opened(loaded(None, RELEASED, **ROLES))


def words(app: AppTest) -> str:
    """All running text of the page."""
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error)
    return "\n".join(text.value for kind in kinds for text in kind).replace("\\", "")


def labels(app: AppTest) -> list[str]:
    return [card.label.lstrip("✓✗ ") for card in app.metric]


def test_a_population_table_gives_k_map_and_presence() -> None:
    app = go(released(), "risk")
    assert "Load a population table on the Data page" in words(app)
    assert "Highest risk in the population" not in labels(app)
    upload(go(app, "data"), "upload_population", {"names.csv": csv(["name", "zip"], ("p", 10115))})
    lacks = 'names.csv: the population lacks "age", so it is left out; load one that has every quasi-identifier.'
    assert lacks in words(app)
    upload(app, "upload_population", {"people.csv": PEOPLE})
    assert "so it is left out" not in words(app)
    card = expected(population=True)
    go(app, "risk")
    for identifier in IDENTIFIERS[:2]:
        assert metric(app, card[identifier].metric.title) == format_number(card[identifier].value)
    highest = card["reidentification_risk"].details["journalist"]["highest"]
    assert metric(app, "Highest risk in the population") == short_percent(highest)
    go(app, "scorecard")
    for identifier in IDENTIFIERS[:2]:
        assert metric(app, card[identifier].metric.title) == format_number(card[identifier].value)
    press(go(app, "data"), "remove_population_people.csv")
    assert "Load a population table on the Data page" in words(go(app, "risk"))


def test_survey_weights_change_the_risk() -> None:
    def models(app: AppTest) -> list[list[str]]:
        return [list(element.value["model"]) for element in app.dataframe if "model" in element.value]

    app = go(released(), "risk")
    assert WEIGHTED not in labels(app)
    assert "Unavailable: " in words(app)
    assert not models(app)
    choose(go(app, "data"), "survey_weight", "stands for")
    go(app, "risk")
    card = expected(weight="stands for")
    found = card["reidentification_risk"].details["individual"]["expected_reidentifications"]
    assert metric(app, WEIGHTED) == f"{found:,.1f}"
    # The population is as large as the sum of the weights.
    assert card["population_uniqueness"].summary() in words(app)
    (names,) = models(app)
    assert [names[row] for row in (0, 2)] == ["Gaussian-copula", "Zayatz's"]
    tag(go(app, "data"), {"stands for": "sensitive"})
    assert WEIGHTED not in labels(go(app, "risk"))


def test_people_are_counted_once_a_column_says_whose_record_each_is() -> None:
    app = choose(released(), "person", "stands for")
    said = [row for row in words(go(app, "scorecard")).splitlines() if row]
    rows = str([found.proto.json for found in app.get("bidi_component")])
    assert expected(person="stands for")["people_k_anonymity"].summary() in "\n".join([*said, rows])


def test_a_key_set_is_named_on_the_data_page_and_judged_on_the_risk_page() -> None:
    app = released()
    next(field for field in app.text_input if field.label == "New key set").set_value("neighbour")
    next(field for field in app.multiselect if field.label == "Known columns").set_value(["zip"])
    next(button for button in app.button if button.label == "Add").click()
    sound(app.run())
    assert "neighbour" in [field.label for field in app.multiselect]
    assert "neighbour (zip)" in words(go(app, "risk"))
    assert "k = 3" in words(app)
