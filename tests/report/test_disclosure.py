"""What a report may disclose: counts and sizes, but no class, no record and no figure of a single class."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import metrics
from metrics import Roles
from metrics.policy.policy import Policy
from metrics.report import appendix_html, report_html, technical_html
from metrics.scoring.scorecard import Scorecard
from metrics.wording import visible
from tests.report.reading import named, read, shown_text

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
CANDIDATES = ("candidate_light.csv", "candidate_strict.csv")
ROLES = metrics.read_roles(SAMPLE / "roles.yaml").roles


@cache
def sample(name: str) -> metrics.Table:
    return metrics.read_table(SAMPLE / name)


@cache
def scored(name: str) -> Scorecard:
    """One candidate of the sample with all that a report can be made from."""
    return metrics.score(
        sample(name),
        ROLES,
        original=sample("hospital.csv"),
        hierarchies=metrics.read_hierarchies(SAMPLE / "hierarchies"),
        metrics=[spec.id for spec in metrics.METRICS if spec.id not in ("classification_accuracy",)],
    )


@cache
def content(name: str) -> str:
    """The source of what leaves the house, the report beside all candidates and its technical appendix."""
    cards = {one: scored(one) for one in CANDIDATES}
    return report_html(scored(name), cards, label=name) + technical_html(scored(name))


def words(text: str) -> set[str]:
    """The text's words and numbers, and runs of two to four of them, with the signs of intervals and masks kept."""
    single = re.findall(r"[\w*.\-–<>]+", text)
    runs = {" ".join(single[i : i + length]) for length in (2, 3, 4) for i in range(len(single) - length + 1)}
    return {word.strip(".") for word in single} | runs


@cache
def accidental() -> set[str]:
    """Words of a report about a table that has nothing in common with the sample."""
    card = metrics.score(
        metrics.read_table(pa.table({"q": ["a", "a", "b"], "s": ["x", "y", "x"]}), name="other"), Roles(["q"], ["s"])
    )
    return words(report_html(card) + technical_html(card))


@pytest.mark.parametrize("name", CANDIDATES)
def test_the_report_contains_no_label_of_any_class(name: str) -> None:
    found = words(content(name)) - accidental()
    for column in scored(name).aggregates.classes.columns:
        # A year can be a count as well: what is looked for must hold more than digits.
        labels = {visible(label) for label in column.labels if label != "*" and not str(label).isdigit()}
        assert not labels & found, column.name


@pytest.mark.parametrize("name", CANDIDATES)
def test_the_report_never_shows_two_labels_of_a_class_side_by_side(name: str) -> None:
    """By brute force over all classes, the labels that are numbers or common words included."""
    classes = scored(name).aggregates.classes
    text = " ".join(re.findall(r"[\w*.\-–<>]+", content(name)))
    pairs = {pair for index in range(classes.count) for pair in pairwise(classes.labels(index).values())}
    assert not [pair for pair in pairs if " ".join(map(visible, pair)) in text]


@pytest.mark.parametrize("name", CANDIDATES)
def test_the_report_contains_no_distance_of_any_class(name: str) -> None:
    """By brute force over all classes; the largest t of an attribute is a figure of the whole table."""
    card = scored(name)
    numbers = set(re.findall(r"\d+\.\d+", content(name)))
    joint: Any = card["p29"].result
    limits = {f"{joint.parameters.t_max:g}", f"{card.parameters.t_closeness.t:g}"}
    for distances in (*card.classes.t.values(), *joint.components.distance.values()):
        single = np.setdiff1d(distances, [distances.max()]).tolist()
        assert len(single) > 50
        # With four digits, a thousand classes have every other figure of the report by accident.
        assert not {repr(t) for t in single if len(repr(t)) > 6} & numbers
    assert set(re.findall(r"\bt\s*(?:=|&gt;|>|from|to)\s*(\d*\.\d+)", content(name))) <= limits | {
        f"{card['t_closeness'].value:.3g}"
    }


@pytest.mark.parametrize("name", CANDIDATES)
def test_the_report_contains_no_sensitive_value(name: str) -> None:
    card = scored(name)
    found = words(content(name)) - accidental()
    values = {visible(value) for value in card.aggregates.histogram("diagnosis").column.labels}
    assert not values & found


def test_the_report_does_not_depend_on_what_the_labels_are() -> None:
    """Other labels for the same classes give the same page."""
    table = sample(CANDIDATES[0])
    columns = {name: table[name].labels for name in table.names}
    pages = []
    for prefix in ("", "label "):
        renamed = {
            name: [
                f"{prefix}{columns[name][code]}" if name in ROLES.quasi_identifiers else columns[name][code]
                for code in table[name].codes.tolist()
            ]
            for name in table.names
        }
        card = metrics.score(metrics.read_table(pa.table(renamed), name="same.csv"), ROLES)
        pages.append(report_html(card) + technical_html(card))
    assert pages[0] == pages[1]


# The appendix


def test_the_appendix_names_classes_and_calls_itself_confidential() -> None:
    card = scored(CANDIDATES[0])
    page = appendix_html(card, sha256="f" * 64, date="on a Monday")
    elements = read(page)
    text = shown_text(elements)
    assert [e.text for e in named(elements, "title")] == ["Confidential appendix on candidate_light.csv"]
    assert "Confidential." in text
    assert (
        f"Made on on a Monday with Quasi {metrics.version.VERSION}. SHA-256 of the anonymized table: {'f' * 64}" in text
    )
    assert '@top-center { content: "Confidential: lists equivalence classes' in page
    assert not named(elements, "script")
    classes = card.aggregates.classes
    alone = int(np.flatnonzero(classes.sizes == 1)[0])
    assert " ".join(str(label) for label in classes.labels(alone).values()) in text
    assert "k = 1; l = 0 for diagnosis" in text
    assert "The first 1,000 are listed here. For all of them, run" in text
    assert len(named(elements, "tr")) == 1_002


def test_the_appendix_lists_the_most_serious_class_first() -> None:
    table = metrics.read_table(pa.table({"q": list("aabbbbc"), "s": list("xxxyzwx")}), name="few.csv")
    text = shown_text(read(appendix_html(metrics.score(table, Roles(["q"], ["s"])))))
    assert "c 1 k = 1; l = 0 for s" in text
    assert text.index("c 1 k = 1") < text.index("a 2 l = 0 for s")


def test_an_appendix_states_that_no_class_violates_a_limit() -> None:
    table = metrics.read_table(pa.table({"q": list("aa"), "s": list("xy")}), name="fine.csv")
    text = shown_text(read(appendix_html(metrics.score(table, Roles(["q"], ["s"])))))
    assert "Every class meets all three conditions of P_29." in text


def test_the_appendix_lists_the_classes_that_fail_the_policy() -> None:
    card = scored(CANDIDATES[0])
    policy = Policy("strict", {"k_anonymity": 3, "distinct_l_diversity": 2, "t_closeness": 0.9})
    text = shown_text(read(appendix_html(card, policy=policy)))
    classes, table = card.aggregates.classes, card.classes
    fails = (classes.sizes < 3) | np.logical_or.reduce([of < 2 for of in table.distinct.values()])
    fails |= np.logical_or.reduce([of > 0.9 for of in table.t.values()])
    records = int(classes.sizes[fails].sum())
    limits = "k ≥ 3, l ≥ 2 or t ≤ 0.9"
    assert f"{int(fails.sum()):,} of {classes.count:,} classes ({records:,} records) fail the policy's limits" in text
    assert limits in text
    assert "k = 1; l = 1 for diagnosis; l = 1 for length_of_stay" in text
    assert "P_29" not in text
    fine = shown_text(read(appendix_html(card, policy=Policy("loose", {"t_closeness": 0.99}))))
    assert f"None of {classes.count:,} classes fails the policy's limits: t ≤ 0.99." in fine
