"""What a report may disclose: counts and sizes, but no class, no record and no figure of a single class."""

import re
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import metrics
from metrics import Roles
from metrics.formatting import visible
from metrics.report import report_html, technical_html
from tests.report.samples import ROLES, VERSIONS, sample, scored


@cache
def content(name: str) -> str:
    """The source of what leaves the house, the report beside all candidates and its technical appendix."""
    cards = {one: scored(one) for one in VERSIONS}
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


@pytest.mark.parametrize("name", VERSIONS)
def test_the_report_contains_no_label_of_any_class(name: str) -> None:
    found = words(content(name)) - accidental()
    for column in scored(name).aggregates.classes.columns:
        # A year can be a count as well: what is looked for must hold more than digits.
        labels = {visible(label) for label in column.labels if label != "*" and not str(label).isdigit()}
        assert not labels & found, column.name


@pytest.mark.parametrize("name", VERSIONS)
def test_the_report_never_shows_two_labels_of_a_class_side_by_side(name: str) -> None:
    """By brute force over all classes, the labels that are numbers or common words included."""
    classes = scored(name).aggregates.classes
    text = " ".join(re.findall(r"[\w*.\-–<>]+", content(name)))
    pairs = {pair for index in range(classes.count) for pair in pairwise(classes.labels(index).values())}
    assert not [pair for pair in pairs if " ".join(map(visible, pair)) in text]


@pytest.mark.parametrize("name", VERSIONS)
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


@pytest.mark.parametrize("name", VERSIONS)
def test_the_report_contains_no_sensitive_value(name: str) -> None:
    card = scored(name)
    found = words(content(name)) - accidental()
    values = {visible(value) for value in card.aggregates.histogram("diagnosis").column.labels}
    assert not values & found


def test_the_report_does_not_depend_on_what_the_labels_are() -> None:
    """Other labels for the same classes give the same page."""
    table = sample(VERSIONS[0])
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
