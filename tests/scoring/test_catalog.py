"""Every entry of the catalog is complete and well-formed."""

import re

import pytest

from metrics import METRICS
from metrics.metric import Direction, Metric

IDS = [metric.id for metric in METRICS]


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_every_metric_is_described_completely_in_the_catalogue(metric: Metric) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", metric.id)
    for text in (metric.title, metric.unit, metric.meaning, metric.good, metric.formula, metric.reference):
        assert text == text.strip()
        assert text
    for sentence in (metric.meaning, metric.good):
        assert sentence.endswith(".")
        assert sentence[0].isupper() or not sentence[0].isascii() or sentence.startswith("k-")
        assert len(sentence) < 140
    assert re.search(r"\b(19|20)\d\d\b", metric.reference)
    assert re.search(r", doi 10\.\d{4,9}/[^\s;,]+", metric.reference) or metric.id == "p29"
    if metric.minimum is not None and metric.maximum is not None:
        assert metric.minimum < metric.maximum
    if metric.direction is Direction.TRUE:
        assert (metric.minimum, metric.maximum, metric.range) == (None, None, "yes or no")
    else:
        assert metric.range.replace("−", "-").startswith(f"{metric.minimum:g} to ")
        assert "-" not in metric.range


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_every_formula_has_balanced_brackets(metric: Metric) -> None:
    plain = re.sub(r"\\[{}|]", "", metric.formula)
    depth = 0
    for sign in plain:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert "$" not in metric.formula
    assert metric.formula.count(r"\left") == metric.formula.count(r"\right")
    for one, other in ((r"\bigl", r"\bigr"), (r"\{", r"\}")):
        assert metric.formula.count(one) == metric.formula.count(other)


def test_ids_and_titles_are_different() -> None:
    assert len(set(IDS)) == len({metric.title for metric in METRICS}) == len(METRICS)
