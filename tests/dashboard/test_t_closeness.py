"""The t-closeness page: its numbers, what its controls change, and what it keeps."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from metrics.config.parameters import GroundDistance
from tests.dashboard.application import choose, csv, go, metric, sample, start, state_of, tag, upload

BEYOND = ("Classes beyond the limit", "Records beyond the limit")


def counts(app: AppTest) -> tuple[int, int]:
    """Classes and records beyond the limit, as the cards say."""
    classes, records = (int(metric(app, label).replace(",", "")) for label in BEYOND)
    return classes, records


def words(app: AppTest) -> str:
    """All running text of the page."""
    return "\n".join(text.value for kind in (app.markdown, app.caption, app.info, app.warning) for text in kind)


def titles(app: AppTest) -> list[str]:
    """The accessible names of the figures."""
    return [chart.proto.alt.replace("\u00a0", " ") for chart in app.get("plotly_chart")]


@pytest.fixture
def patient(seed_tables: Path) -> AppTest:
    """The page on patient_anonymized with its hierarchies."""
    folder = seed_tables / "patient"
    app = upload(start(), "upload_anonymized", {"p.csv": (folder / "patient_anonymized.csv").read_bytes()})
    files = {path.name: path.read_bytes() for path in (folder / "patient_hierarchy").glob("*.csv")}
    upload(app, "upload_hierarchies", files)
    tag(app, {"ZIPCode": "quasi-identifier", "Age": "quasi-identifier", "Salary": "sensitive", "Disease": "sensitive"})
    return go(app, "t_closeness")


def test_the_limit_moves_the_counts_and_nothing_is_lost() -> None:
    app = choose(sample(), "candidate", "candidate_balanced.csv")
    go(app, "t_closeness")
    seen = []
    for limit in (0.0, 0.2, 0.3, 1.0):
        choose(app, "t_limit", limit)
        seen.append(counts(app))
        result = state_of(app).card("candidate_balanced.csv")["t_closeness"]
        assert result.details["violating_classes"] == seen[-1][0]
        assert metric(app, "t-closeness") == f"{result.value:.4f}"
    assert seen[0] == (122, 9_921)
    assert seen[-1] == (0, 0)
    assert seen == sorted(seen, reverse=True)
    assert "79 suppressed records and 0 removed records are in no class" in words(app)
    choose(app, "closeness_view", "Classes beyond the limit")
    assert "No class lies beyond the limit." in words(app)
    choose(app, "t_limit", 0.25)
    go(app, "scorecard")
    go(app, "t_closeness")
    assert app.get_by_key("t_limit").value == 0.25
    assert "exceed the t-closeness limit \\(0\\.25\\)" in words(app)


def test_another_ground_distance_and_back(patient: AppTest) -> None:
    assert metric(patient, "t-closeness") == "0.2963"
    assert any(title.startswith("Disease: of t = 0.2963") for title in titles(patient))
    choose(patient, "t_distance_Disease", "equal")
    assert metric(patient, "t-closeness") == "0.5556"
    assert any("would have to change their Disease: t = 0.5556" in title for title in titles(patient))
    go(patient, "scorecard")
    assert metric(patient, "t-closeness") == "0.5556"
    go(patient, "t_closeness")
    assert patient.get_by_key("t_distance_Disease").value == "equal"
    choose(patient, "t_distance_Disease", "automatic")
    assert metric(patient, "t-closeness") == "0.2963"
    assert state_of(patient).parameters.t_closeness.distance == {}


@pytest.mark.parametrize(
    ("column", "choice", "why"),
    [("Disease", "ordered", "no order"), ("Salary", "hierarchical", "has no hierarchy")],
)
def test_a_distance_that_does_not_apply_is_refused_in_a_sentence(
    patient: AppTest, column: str, choice: str, why: str
) -> None:
    choose(patient, f"t_distance_{column}", choice)
    (warning,) = patient.warning
    assert warning.value.startswith("Kept as it was")
    assert why in warning.value
    assert metric(patient, "t-closeness") == "0.2963"
    assert patient.get_by_key(f"t_distance_{column}").value == "automatic"
    choose(patient, "t_limit", 0.3)
    assert not patient.warning


def test_a_chosen_class_and_attribute_stay(patient: AppTest) -> None:
    assert "ZIPCode = **4790\\***, Age" in words(patient)
    options = patient.get_by_key("t_class").options
    assert options[0] == "t = 0.2963 · 3 records · ZIPCode = 4790*, Age = >40"
    assert len(options) == 3
    choose(patient, "t_attribute", "Salary")
    choose(patient, "t_class", 0)
    assert any("values of Salary" in title for title in titles(patient))
    go(patient, "p29")
    go(patient, "t_closeness")
    assert patient.get_by_key("t_class").value == 0
    assert patient.get_by_key("t_attribute").value == "Salary"
    assert "ZIPCode = **4760\\***" in words(patient)


def test_another_candidate_has_a_choice_of_its_own() -> None:
    app = go(choose(sample(), "candidate", "candidate_balanced.csv"), "t_closeness")
    choose(app, "t_class", int(app.get_by_key("t_class").value) + 1)
    chosen = app.get_by_key("t_class").value
    choose(app, "candidate", "candidate_strict.csv")
    strict = app.get_by_key("t_class").value
    choose(app, "candidate", "candidate_balanced.csv")
    assert app.get_by_key("t_class").value == chosen
    choose(app, "candidate", "candidate_strict.csv")
    assert app.get_by_key("t_class").value == strict


def test_a_column_that_is_sensitive_no_longer_takes_its_distance_along(patient: AppTest) -> None:
    choose(patient, "t_distance_Disease", "equal")
    tag(go(patient, "data"), {"Disease": "insensitive"})
    go(patient, "t_closeness")
    assert metric(patient, "t-closeness") == "0.1667"
    tag(go(patient, "data"), {"Disease": "sensitive"})
    go(patient, "t_closeness")
    assert state_of(patient).parameters.t_closeness.distance == {"Disease": GroundDistance.EQUAL}
    assert metric(patient, "t-closeness") == "0.5556"


def test_a_hierarchy_that_misses_values_can_be_passed_over() -> None:
    app = upload(start(), "upload_anonymized", {"t.csv": csv(["q", "s"], "aa", "ab", "bb", "bc")})
    tag(app, {"q": "quasi-identifier", "s": "sensitive"})
    upload(app, "upload_hierarchies", {"s.csv": b"a;*\nb;*\n"})
    go(app, "t_closeness")
    (info,) = app.info
    assert "lacks values" in info.value
    choose(app, "t_distance_s", "equal")
    assert not app.info
    assert metric(app, "t-closeness") == "0.2500"
    choose(app, "t_distance_s", "automatic")
    assert "lacks values" in app.warning[0].value
    assert metric(app, "t-closeness") == "0.2500"


def test_without_a_sensitive_column_the_page_says_so() -> None:
    app = sample()
    tag(app, {"diagnosis": "insensitive", "length_of_stay": "insensitive"})
    go(app, "t_closeness")
    assert [info.value for info in app.info] == ["Unavailable: no column is tagged sensitive."]
    assert not app.metric


def test_a_single_class_is_the_table() -> None:
    app = upload(start(), "upload_anonymized", {"t.csv": csv(["q", "s"], "a1", "a2", "a2")})
    tag(app, {"q": "quasi-identifier", "s": "sensitive"})
    go(app, "t_closeness")
    assert metric(app, "t-closeness") == "0.0000"
    assert any("s is distributed in this class as in the whole table" in text.value for text in app.markdown)
