"""The report: what stands in it, that text stays text, and that it asks no server for anything."""

import base64
import hashlib
import json
import re
import time
from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

import metrics
from metrics import METRICS, Hierarchy, Parameters, Roles, Thresholds
from metrics.figures.embedding import plotly_script
from metrics.report import Compared, contents, report_html
from metrics.scorecard import Scorecard
from metrics.verdict import verdict
from metrics.version import VERSION
from tests.dashboard.hostile import TEXTS
from tests.figures.drawn import HOSTILE
from tests.report.reading import Element, named, read, shown_text
from tests.tables import Cells, table

BEFORE = {"age": ["21", "22", "31", "32", "33", "41"], "zip": ["1"] * 6, "illness": list("ababab")}
AFTER = {"age": ["2*", "2*", "3*", "3*", "41", "*"], "zip": ["1", "1", "1", "1", "1", "*"], "illness": list("abaabc")}
AGES = [[age, f"{age[0]}*", "*"] for age in BEFORE["age"]]


def scored(
    after: Mapping[str, Cells],
    before: Mapping[str, Cells] | None = None,
    sensitive: tuple[str, ...] = ("illness",),
    hierarchies: Mapping[str, Hierarchy] | None = None,
) -> Scorecard:
    """A card whose quasi-identifiers are all the other columns."""
    others = [name for name in after if name not in sensitive]
    return metrics.score(
        table(after, "after.csv"),
        Roles(quasi_identifiers=others, sensitive=sensitive),
        original=None if before is None else table(before, "before.csv"),
        hierarchies=hierarchies,
    )


@pytest.fixture(scope="module")
def card() -> Scorecard:
    return scored(AFTER, BEFORE, hierarchies={"age": Hierarchy(AGES, name="ages.csv")})


@pytest.fixture(scope="module")
def elements(card: Scorecard) -> list[Element]:
    digests = Compared("a" * 64, "b" * 64)
    return read(report_html(card, thresholds=Thresholds({"k_anonymity": 2}), sha256=digests, date="on a Monday"))


def test_it_says_what_was_compared_and_how(elements: list[Element]) -> None:
    text = shown_text(elements)
    for said in (
        "Report on after.csv",
        f"Made on on a Monday with Quasi {VERSION}.",
        "Anonymized: after.csv",
        "6 records, 3 columns; 1 record suppressed in every quasi-identifier",
        "Original: before.csv",
        "a" * 64,
        "b" * 64,
        "Records are matched by position.",
        "quasi-identifier age, zip",
        "sensitive illness",
        "ages.csv",
        "profitability.publisher_benefit 1200",
    ):
        assert said in text


def test_every_metric_has_its_value_range_direction_finding_and_definition(
    card: Scorecard, elements: list[Element]
) -> None:
    text = shown_text(elements)
    ids = {element.attributes.get("id") for element in elements}
    for score in card:
        assert score.in_words() in text
        assert score.metric.meaning in text
        assert score.metric.reference in text
        assert f"definition-{score.metric.id}" in ids
    values = {e.attributes["title"] for e in elements if e.attributes.get("class") == "value"}
    assert values >= {str(score.value) for score in card if score.value is not None}
    assert text.count("is better") >= 2 * len(METRICS)
    assert len(named(elements, "math")) == len(METRICS)
    assert {a.attributes["href"] for a in named(elements, "a")} >= {
        f"https://doi.org/{metric.doi}" for metric in METRICS if metric.doi
    }


def test_the_verdict_comes_first_and_limits_pass_or_fail(card: Scorecard, elements: list[Element]) -> None:
    text = shown_text(elements)
    sentences = verdict(card, Thresholds({"k_anonymity": 2}))
    assert sentences[0].startswith("The weakest point is uniqueness: 1 record (20.0%) is alone")
    assert all(sentence in text for sentence in sentences)
    assert text.index(sentences[0]) < text.index("What was compared", text.index("Every figure in full"))
    assert "failed: at least 2 wanted" in text


def test_a_violating_class_stands_there_with_its_reason(elements: list[Element]) -> None:
    text = shown_text(elements)
    assert "41 1 1 k = 1; l = 0 for illness" in text
    assert "2 classes with 3 records shut a gate of P_29." in text


def test_every_figure_is_there_in_words_too(card: Scorecard, elements: list[Element]) -> None:
    drawn = [
        e
        for e in elements
        if e.attributes.get("type") == "application/json" and e.attributes["id"] != "figure-settings"
    ]
    assert [e.attributes["id"] for e in drawn] == [
        f"figure-{name}" for name in ("class-sizes", "p29", "gates", "distances", "loss", "payout")
    ]
    places = [e for e in elements if "data-figure" in e.attributes]
    assert [e.attributes["data-figure"] for e in places] == [e.attributes["id"] for e in drawn]
    assert all(e.attributes["aria-label"] and e.attributes["role"] == "img" for e in places)
    assert len(named(elements, "figcaption")) == len(named(elements, "summary")) == len(drawn)
    for element in drawn:
        content = json.loads(element.text)
        marks = sum(len(trace.get("hovertext", ())) for trace in content["data"])
        assert 0 < marks <= 2_000
        assert "figure" in element.around
    assert f"{len(drawn)} figures, each also in words" in contents(card)


def test_it_has_landmarks_headings_in_order_and_named_tables(elements: list[Element]) -> None:
    tags = [e.tag for e in elements]
    assert {"header", "nav", "main", "footer"} <= set(tags)
    assert [e.attributes["lang"] for e in named(elements, "html")] == ["en"]
    headings = [int(tag[1]) for tag in tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(headings))
    ids = [e.attributes["id"] for e in elements if "id" in e.attributes]
    assert len(set(ids)) == len(ids)
    targets = {a.attributes["href"][1:] for a in named(elements, "a") if a.attributes["href"].startswith("#")}
    assert targets <= set(ids)
    assert all("scope" in th.attributes for th in named(elements, "th"))


# Nothing is fetched, and nothing of a table takes effect


def assert_self_contained(page: str) -> None:
    """No element, attribute or style rule that a browser would fetch something for; no script but ours."""
    elements = read(page)
    assert not {"link", "iframe", "img", "object", "embed", "base", "form", "svg", "video", "audio"} & {
        e.tag for e in elements
    }
    for element in elements:
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "action", "background", "poster", "data", "formaction", "ping")
            if name == "href":
                assert element.tag == "a"
                assert re.fullmatch(r"#[\w-]+|https://doi\.org/10\.[\w./-]+", value)
            if name == "style":
                assert re.fullmatch(r"min-height: \d+px", value)
    styles = "".join(e.text for e in named(elements, "style"))
    assert "url(" not in styles
    assert "@import" not in styles
    running = [e for e in named(elements, "script") if e.attributes.get("type") != "application/json"]
    assert all(not e.attributes for e in running)
    (policy,) = [e.attributes["content"] for e in named(elements, "meta") if "http-equiv" in e.attributes]
    allowed = [base64.b64encode(hashlib.sha256(e.text.encode()).digest()).decode() for e in running]
    assert re.findall(r"'sha256-([^']+)'", policy) == allowed
    assert policy.startswith("default-src 'none'; script-src ")
    assert page.count(plotly_script()) == (1 if running else 0)


def test_it_asks_no_server_for_anything(card: Scorecard) -> None:
    assert_self_contained(report_html(card))


def test_without_figures_it_is_small_and_has_no_script(card: Scorecard) -> None:
    page = report_html(card, figures=False)
    assert len(page) < 200_000
    assert not named(read(page), "script")
    assert not named(read(page), "figure")
    assert_self_contained(page)


def hostile_card(texts: tuple[str, ...]) -> Scorecard:
    """A card with these texts for every name and cell; five classes of two records, one of one."""
    cells = [texts[i // 2 % len(texts)] for i in range(2 * len(texts))]
    before = {f"{texts[0]}1": cells, f"{texts[1]}2": [*cells[1:], texts[0]], f"{texts[2]}3": cells[::-1]}
    after = {
        name: [*values[:-1], values[0] if i < 2 else values[-1]] for i, (name, values) in enumerate(before.items())
    }
    names = list(before)
    rows = [[text, texts[-1] * 2] for text in dict.fromkeys(cells)]
    return metrics.score(
        table(after, texts[3]),
        Roles(quasi_identifiers=names[:2], sensitive=names[2:]),
        original=table(before, texts[4]),
        hierarchies={names[0]: Hierarchy(rows, name=texts[5])},
        parameters=Parameters().with_settings({f"t_closeness.distance.{names[2]}": "equal"}),
    )


ODD = tuple(
    dict.fromkeys(text for text in (*TEXTS, *HOSTILE, "</script>", "</style><b>", "'\"", "]]>", "--><p>") if text)
)


def test_names_and_cells_are_text_whatever_they_look_like() -> None:
    calm = tuple(f"{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(len(ODD)))
    pages = [report_html(hostile_card(texts), date=texts[6]) for texts in (ODD, calm)]
    assert_self_contained(pages[0])
    shapes = [[(e.tag, tuple(e.attributes), e.around) for e in read(page)] for page in pages]
    assert shapes[0] == shapes[1]
    page = pages[0].replace(plotly_script(), "")
    assert not set("\u202e\u2066\u2028\x00") & set(page)
    text = shown_text(read(page))
    for odd in ODD:
        if odd.isprintable() and len(odd) < 80:
            assert " ".join(odd.split()) in text
    assert "a⟨U+202E⟩b" in text


# What may be missing


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: scored(AFTER), "The original table was not given"),
        (lambda: scored({"age": ["1", "1", "2"]}, sensitive=()), "1 class with 1 record holds one record alone"),
        (lambda: scored({"age": ["1", "1"]}, sensitive=()), "None: no class holds one record alone."),
        (lambda: scored({"age": ["*", "*"], "illness": ["a", "b"]}), "Every record is suppressed"),
        (lambda: scored({"age": [], "illness": []}), "The table has no records"),
        (lambda: scored({"age": ["1", "1"], "illness": ["a", "b"]}), "None: no class shuts a gate of P_29."),
    ],
)
def test_a_report_without_something(made: object, said: str) -> None:
    assert callable(made)
    card = made()
    page = report_html(card)
    text = shown_text(read(page))
    assert said in text
    assert_self_contained(page)
    for score in card:
        assert score.unavailable is None or f"Unavailable: {score.unavailable}." in text
    assert "sha256 of the file" not in text
    assert contents(card)


def test_three_hundred_thousand_classes_make_a_small_page_in_seconds() -> None:
    records = 600_000
    age = np.arange(records) // 2
    content = pa.table(
        {
            "age": [f"{a}" for a in age],
            "zip": [f"{a % 977}" for a in age],
            "illness": [f"{i % 7}" for i in range(records)],
        }
    )
    card = metrics.score(metrics.read_table(content, name="large.csv"), Roles(["age", "zip"], ["illness"]))
    assert card.evidence.classes.count == 300_000
    started = time.perf_counter()
    page = report_html(card)
    assert time.perf_counter() - started < 20
    assert len(page.encode()) < 10_000_000
    elements = read(page)
    (classes,) = [e for e in elements if e.attributes.get("aria-label") == "Violating classes"]
    assert classes
    rows = [e for e in named(elements, "tr") if "section" in e.around]
    assert 1_000 < len(rows) < 1_200
    assert "300,000 classes with 600,000 records shut a gate of P_29." in shown_text(elements)
    assert "The first 1,000 are listed here. For all of them, run" in shown_text(elements)
