"""The technical appendix: how tables were read and measured, and every metric with its definition."""

import re

import metrics
from metrics import METRICS
from metrics.report import technical_html
from metrics.scoring.scorecard import Scorecard
from tests.report.reading import Element, named, read, shown_text
from tests.support.small_tables import table

DOI = re.compile(r"(?<=doi )[^\s;,]+")


def test_the_technical_appendix_states_how_tables_were_read_and_measured(technical: list[Element]) -> None:
    text = shown_text(technical)
    for said in ("Technical appendix on after.csv", "a" * 64, "ages.csv", "profitability.publisher_benefit 1200"):
        assert said in text
    assert "fails (limit: at least 2)" in text


def test_every_metric_has_its_value_range_direction_finding_and_definition(
    card: Scorecard, technical: list[Element]
) -> None:
    text = shown_text(technical)
    ids = {element.attributes.get("id") for element in technical}
    for score in card:
        assert score.summary() in text
        assert score.metric.meaning in text
        assert " ".join(DOI.sub("", score.metric.reference).split()) in text
        assert f"definition-{score.metric.id}" in ids
    values = {e.attributes["title"] for e in technical if e.attributes.get("class") == "value"}
    assert values >= {str(score.value) for score in card if score.value is not None}
    assert text.count("is better") >= 2 * len(METRICS)
    assert len(named(technical, "math")) == len(METRICS)
    assert {a.attributes["href"] for a in named(technical, "a")} >= {
        f"https://doi.org/{doi}" for metric in METRICS for doi in DOI.findall(metric.reference)
    }


def test_no_text_shows_marks_of_its_markup(technical: list[Element]) -> None:
    said = shown_text(technical)
    assert "Known: a person's exact values in the known columns. Possible records:" in said
    assert "**" not in said
    assert "⟨U+000A⟩" not in said


def test_figures_of_attributes_that_are_not_the_metric_itself_are_named() -> None:
    content = table({"q": list("aabb"), "s": list("xyxy"), "t": list("xyyx")})
    card = metrics.score(content, metrics.Roles(quasi_identifiers="q", sensitive=["s", "t"]))
    assert "Mean normalized entropy: s 1; t 1" in shown_text(read(technical_html(card)))
