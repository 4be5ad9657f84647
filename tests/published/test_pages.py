"""Published figures, as a user reads them: the reference tables uploaded, tagged and scored on the pages."""

import json
from collections.abc import Mapping

import pytest
from streamlit.testing.v1 import AppTest

from metrics.formatting import short_percent
from metrics.scoring.catalog import BY_ID
from tests.dashboard.application import captions, choose, go, markdown_of, metric, start, state_of, tag, upload
from tests.support.reference_data import reference

NINE = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)


DIABETES = {
    "quasi_identifiers": ["race", "gender", "age"],
    "sensitive": ["diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted"],
}


def check(app: AppTest, figures: Mapping[str, float]) -> None:
    """The figures as the verdict page rounds them, and in full."""
    go(app, "verdict")
    card = state_of(app).card("adult_anonymized.csv")
    for identifier, figure in figures.items():
        shown = metric(app, BY_ID[identifier].shown.title).lstrip("≤≥\u00a0")
        assert shown == card[identifier].shown_text(short_percent)
        assert card[identifier].value == pytest.approx(figure, abs=1e-12)


@pytest.mark.reference
def test_uploaded_adult_shows_the_published_scores() -> None:
    folder = reference("petworks", "adult")
    app = start()
    upload(app, "upload_original", {"adult.csv": (folder / "adult.csv").read_bytes()})
    upload(app, "upload_anonymized", {"adult_anonymized.csv": (folder / "adult_anonymized.csv").read_bytes()})
    trees = sorted((folder / "adult_hierarchy_intervals").glob("*.csv"))
    upload(app, "upload_hierarchies", {path.name: path.read_bytes() for path in trees})
    tag(app, dict.fromkeys(NINE, "quasi-identifier"))
    # The published hierarchies of age have 5 under 0-4, 10 under 5-9 and so on.
    (warning,) = app.warning
    assert "intervals that do not contain" in warning.value
    check(app, {"non_uniform_entropy": 0.6691909578638351, "ambiguity": 0.7271401100722763})
    assert any("21,932 records in " in one and "8,230 suppressed" in one for one in captions(app))
    tag(go(app, "data"), {"workclass": "sensitive"})
    check(app, {"non_uniform_entropy": 0.6740002378300514})


@pytest.mark.reference
def test_diabetes_before_and_after_deletion() -> None:
    app = start()
    content = reference("diabetes", "diabetes_before_deletion.csv.gz").read_bytes()
    upload(app, "upload_anonymized", {"diabetes_before_deletion.csv.gz": content})
    upload(app, "upload_roles_0", {"roles.yaml": json.dumps(DIABETES).encode()})
    go(app, "p29")
    assert metric(app, "P_29") == "0"
    (failing,) = (shown for shown in (element.value for element in app.dataframe) if "size" in shown)
    assert len(failing) == 35
    assert [(failing[condition] != "").sum() for condition in "klt"] == [4, 26, 31]
    choose(app, "p29_view", "Repair options")
    assert metric(app, "P_29 after deleting") == "0.806"
    assert float(metric(app, "P_29 after merging")) > 0.8
    assert any("2,334 records deleted, 99,429 left" in one.replace("\\", "") for one in markdown_of(app))
