"""The risk page and what takes long: thresholds, populations, weights, and computing on demand."""

from streamlit.testing.v1 import AppTest

import metrics
from dashboard.components.fragments import on_demand
from dashboard.workspace import Slot, Workspace
from metrics import Roles
from metrics.config.roles import Role
from metrics.formatting import format_number, short_percent
from metrics.policy.policy import Policy
from metrics.scoring.catalog import BY_ID, METRICS
from tests.dashboard.application import (
    FEW,
    captions,
    cells,
    choose,
    csv,
    go,
    loaded,
    markdown_of,
    metric,
    opened,
    press,
    sample,
    sample_workspace,
    sound,
    state_of,
    tag,
    upload,
)

ON_DEMAND = [spec for spec in METRICS if spec.on_demand]
RECORDS = {"q": ["a", "a", "b", "b", "c"], "r": ["1", "1", "2", "3", "4"], "s": ["x", "y", "x", "y", "z"]}
ROLES = Roles(quasi_identifiers=["q", "r"], sensitive=["s"])
TAGS = {"zip": "quasi-identifier", "age": "quasi-identifier", "ill": "sensitive", "stands for": "insensitive"}
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


def test_the_threshold_and_the_population_move_the_figures() -> None:
    app = sample("risk", FEW)

    def found() -> list[str]:
        return [text.value for text in app.markdown if "are unique, according" in text.value]

    seen = [metric(choose(app, "risk_threshold", threshold), "Records at risk") for threshold in (0.0, 0.5, 1.0)]
    assert seen == ["100%", "74%", "no limit"]
    go(app, "verdict")
    go(app, "risk")
    slider = app.get_by_key("risk_threshold")
    assert (slider.value, slider.label) == (1.0, "What-if: highest risk, no limit")
    # No country is assumed: the page says what to enter.
    assert not found()
    assert any("the population size is unknown; set it" in text.value for text in app.caption)
    choose(app, "population_country", "France")
    assert len(found()) == 1
    assert "65,820,916 people" in found()[0]
    assert not any("95%" in text for text in found())
    assert "can lie outside" in found()[0]
    choose(app, "sampling_fraction", 0.05)
    assert "sampling fraction 0.05" in found()[0].replace("\\", "")
    assert app.number_input(key="population_size").value is None
    choose(app, "population_size", 1_000_000)
    assert "1,000,000 people" in found()[0]
    choose(app, "population_size", None)
    assert "sampling fraction 0.05" in found()[0].replace("\\", "")
    assert choose(app, "risk_threshold", 0.2).get_by_key("risk_threshold").label == "Policy: highest risk"


def test_metrics_that_take_long_are_computed_only_on_request() -> None:
    app = opened(small(), "risk")
    buttons = {button.key for button in go(app, "verdict").button if str(button.key).startswith("compute_")}
    # The singling-out attack is tried at once, and impossible without an original.
    assert buttons == {f"compute_{spec.id}" for spec in ON_DEMAND} - {"compute_singling_out_attack"}
    assert on_demand(state_of(app), state_of(app).card("c0.csv")["k_anonymity"]) is None
    go(app, "risk")
    for identifier in ("quasi_identifier_ranking", "minimal_sample_uniques"):
        assert state_of(app).card("c0.csv")[identifier].result is None
        press(app, f"compute_{identifier}")
        assert state_of(app).card("c0.csv")[identifier].result is not None
        assert not [button for button in app.button if button.key == f"compute_{identifier}"]
    go(app, "verdict")
    assert metric(app, BY_ID["minimal_sample_uniques"].title) != "—"


def test_suppression_and_risk_are_shown_by_group() -> None:
    app = opened(people_by_group(), "risk")
    assert any("with Wilson's 95% intervals" in caption for caption in captions(app))
    assert app.selectbox(key="group_column").options == ["q", "s", "job", "all"]
    choose(app, "group_column", "job")
    headings = [text for text in markdown_of(app) if text.startswith("## ")]
    assert any("job guard\\: 60% suppressed, 0% among all others" in text for text in headings)
    assert any("no group stands out" in text for text in headings)
    choose(app, "group_column", "all")
    assert any("Suppressed\\: no group stands out" in text for text in markdown_of(app))
    choose(app, "risk_threshold", 1.0)
    assert any("Mean risk\\: no group" in text for text in markdown_of(app))
    without = opened(small(), "risk")
    assert "No original table is given\\." in captions(without)


def test_analyses_are_run_by_group_where_that_is_asked() -> None:
    app = sample("risk")
    assert not any("people of each group alone" in caption for caption in captions(app))
    app.session_state["analyses_by_group"] = True
    choose(app, "group_column", "sex")
    assert any("people of each group alone" in caption for caption in captions(app))
    groups = cells(app, "Analyses kept by group")
    assert list(groups) == ["Female  5,159 records", "Male  4,841 records"]
    assert [*groups["Male  4,841 records"].values()] == ["239 of 255 93.7% (90.1% to 96.1%)", "85.4%"]
    choose(app, "group_column", "age")
    assert len(cells(app, "Analyses kept by group")) == 10


def test_the_verdict_links_to_the_groups_where_suppression_is_uneven() -> None:
    for removed, is_even in (("candidate_balanced.csv", True), ("candidate_light.csv", False)):
        state = sample_workspace()
        state.remove(Slot.ANONYMIZED, removed)
        labels = [link.proto.label for link in opened(state, "verdict").get("page_link")]
        assert ("Suppression and risk by group" in labels) != is_even


def people_by_group() -> Workspace:
    rows = [("guard" if number < 50 else "nurse", number) for number in range(200)]
    original = csv(["q", "s", "job", "all"], *((number % 3, number % 5, job, 1) for job, number in rows))
    released = csv(["q", "s"], *(("*" if number < 30 else number % 3, number % 5) for _, number in rows))
    return loaded(original, released, q="quasi-identifier", s="sensitive", job="insensitive", all="insensitive")


def csv_of(records: dict[str, list[str]]) -> bytes:
    rows = zip(*records.values(), strict=True)
    return "\n".join(",".join(row) for row in (tuple(records), *rows)).encode()


def small() -> Workspace:
    return loaded(None, csv_of(RECORDS), q="quasi-identifier", r="quasi-identifier", s="sensitive")


def test_a_population_counts_once_it_has_every_quasi_identifier() -> None:
    state = small()
    assert state.card("c0.csv")["k_map"].result is None
    state.tables.add(
        Slot.POPULATION, "people.csv", csv_of({"q": ["a"] * 9 + ["b", "b", "c"], "r": ["1"] * 9 + ["2", "3", "4"]})
    )
    assert state.card("c0.csv")["k_map"].value == 1
    assert [slot for slot, _, _ in state.tables.loaded()] == [Slot.ANONYMIZED, Slot.POPULATION]
    state.tables.add(Slot.POPULATION, "people.csv", csv_of({"q": ["a", "b"], "age": ["1", "2"]}))
    assert state.card("c0.csv")["k_map"].result is None
    assert "age" not in state.columns
    state.remove(Slot.POPULATION, "people.csv")
    assert state.tables.population is None


def test_a_weight_column_counts_only_if_it_is_insensitive_and_in_the_table() -> None:
    state = small()
    state.tables.add(Slot.ANONYMIZED, "weighed.csv", csv_of({**RECORDS, "w": ["10", "10", "5", "5", "2"]}))
    state.weight = "w"
    state.roles["w"] = Role.IDENTIFIER
    assert state.chosen_roles().weight is None
    state.roles["w"] = Role.INSENSITIVE
    assert state.chosen_roles().weight == "w"
    weighed = state.card("weighed.csv")["reidentification_risk"]
    assert weighed.details["individual"]["highest"] < 1
    assert state.card("c0.csv")["reidentification_risk"].details["individual"] is None
    state.remove(Slot.ANONYMIZED, "weighed.csv")
    assert state.weight is None


def test_a_computation_requested_for_other_roles_is_not_started() -> None:
    state = small()
    state.tables.add(Slot.ANONYMIZED, "c1.csv", csv_of(RECORDS | {"q": [*"aabbb"]}))
    app = opened(state, "risk")
    for label, roles in (("c0.csv", Roles(quasi_identifiers=["q"])), ("c1.csv", state.roles_for("c1.csv"))):
        app.session_state["computing"] = (label, roles, "minimal_sample_uniques")
        app.run()
        assert "computing" not in app.session_state
        assert state.card("c0.csv")["minimal_sample_uniques"].result is None
        assert app.get_by_key("compute_minimal_sample_uniques") is not None


def test_suppressed_cells_can_be_any_value() -> None:
    records = {
        "age": ["30-39"] * 5 + ["40-49"] * 6,
        "sex": [*"mmmm", "*", *"ffffff"],
        "ill": ["flu", "cold"] * 5 + ["flu"],
    }
    state = loaded(None, csv_of(records), age="quasi-identifier", sex="quasi-identifier", ill="sensitive")
    state.policy.choose(Policy("Five", {"k_anonymity": 5}))
    app = opened(state, "verdict")
    assert state.card("c0.csv")["k_anonymity"].value == 1
    assert "## 2 of 3 classes have fewer than 5 records" in markdown_of(app)
    choose(app, "wildcard_suppressed_cell", True)
    assert state.card("c0.csv")["k_anonymity"].value == 5
    assert any(said.startswith("## 3 classes have 1 to 6 records") for said in markdown_of(app))
    go(app, "repair")
    assert any("Meets the policy “Five”" in one.value for one in app.info)
    assert not [button for button in app.button if button.key == "keep_repair"]
    choose(go(app, "verdict"), "wildcard_suppressed_cell", False)
    assert state.card("c0.csv")["k_anonymity"].value == 1


def test_key_sets_and_households_are_judged_beside_the_table() -> None:
    state = small()
    state.key_sets = {"neighbour": ("q", "r"), "employer": ("q",), "stale": ("gone",)}
    app = opened(state, "risk")
    (shown,) = [element.value for element in app.dataframe if "key set" in element.value]
    expected = state.card(state.tables.labels[0])["key_set_k_anonymity"].details["key_sets"]
    assert list(shown["key set"]) == list(expected) == ["neighbour", "employer"]
    assert list(shown["k"]) == [one["k"] for one in expected.values()]
    assert list(shown["record linkage"].isna()) == [one["record_linkage"] is None for one in expected.values()]


def expected(*, population: bool = False, weight: str | None = None, person: str | None = None) -> metrics.Scorecard:
    """The figures as the library gives them."""
    roles = metrics.Roles(quasi_identifiers=["zip", "age"], sensitive=["ill"], weight=weight, person=person)
    people = metrics.read_table(PEOPLE, name="people.csv") if population else None
    return metrics.score(
        metrics.read_table(RELEASED, name="released.csv"), roles, population=people, metrics=IDENTIFIERS
    )


def released() -> AppTest:
    """The data page with the released table, tagged."""
    return opened(loaded(None, RELEASED, **TAGS))


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
    go(app, "verdict")
    for identifier in IDENTIFIERS[:2]:
        assert metric(app, card[identifier].metric.title) == format_number(card[identifier].value)
    press(go(app, "data"), "remove_population_people.csv")
    assert "Load a population table on the Data page" in words(go(app, "risk"))


def test_survey_weights_change_the_risk() -> None:
    def models(app: AppTest) -> list[list[str]]:
        return [list(element.value["model"]) for element in app.dataframe if "model" in element.value]

    app = go(released(), "risk")
    assert WEIGHTED not in labels(app)
    assert "Population uniqueness is unavailable: the population size is unknown" in words(app)
    assert not models(app)
    choose(go(app, "data"), "survey_weight", "stands for")
    go(app, "risk")
    card = expected(weight="stands for")
    found = card["reidentification_risk"].details["individual"]["expected_reidentifications"]
    assert metric(app, WEIGHTED) == format_number(found)
    # The population is as large as the sum of the weights.
    assert card["population_uniqueness"].summary() in words(app)
    (names,) = models(app)
    assert [names[row] for row in (0, 2)] == ["Gaussian-copula", "Zayatz's"]
    tag(go(app, "data"), {"stands for": "sensitive"})
    assert WEIGHTED not in labels(go(app, "risk"))


def test_people_are_counted_once_a_column_says_whose_record_each_is() -> None:
    app = choose(released(), "person", "stands for")
    said = [row for row in words(go(app, "verdict")).splitlines() if row]
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


def test_rare_items_are_listed_where_people_have_several() -> None:
    cells = csv(("age", "who", "item"), *((30, who, item) for who, item in ["1a", "1b", "2a", "2b", "3a", "3c"]))
    state = loaded(None, cells, age="quasi-identifier", who="insensitive", item="insensitive")
    state.person, state.item = "who", "item"
    app = opened(state, "risk")
    assert not app.exception
    assert "Whoever knows 2 items of a person" in " ".join(shown.value for shown in app.markdown)
    shown = [table.value for table in app.dataframe]
    rarest = next(value for value in shown if "items" in value)
    assert set(rarest["items"]) >= {"c", "a · c", "a · b"}
    curve = next(value for value in shown if "fewest people" in value)
    assert curve["fewest people"].tolist() == [1, 1, 1]
