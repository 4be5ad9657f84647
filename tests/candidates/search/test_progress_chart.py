"""The figure of a search: what is proven in words, and the best and the bound over time."""

from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics.candidates.search.exploration import Exploration, SearchSnapshot
from metrics.candidates.search.finding import search_finding
from metrics.candidates.search.progress_chart import search_progress
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.texts import text
from tests.support.small_tables import table

MOMENTS = (SearchSnapshot(0.4, None, 1.0), SearchSnapshot(1.0, 0.25, 0.75), SearchSnapshot(7.5, 0.5, 0.71004))


@pytest.fixture(scope="module")
def found() -> Exploration:
    tree = Hierarchy([[str(n), f"{n // 2}-", "*"] for n in range(4)])
    content = table({"age": [str(n % 4) for n in range(24)], "work": [str(n % 3) for n in range(24)]})
    roles = metrics.Roles(quasi_identifiers=["age", "work"])
    return metrics.explore(content, roles, {"age": tree}, k=3, measure="non_uniform_entropy")


def test_a_search_without_proof_says_what_none_exceeds_and_what_this_one_keeps(found: Exploration) -> None:
    searched = replace(found, proven=False, history=MOMENTS)
    value = found.node(found.best or 0)["non_uniform_entropy"]
    figure = text("search.information", share=value)
    assert search_finding(searched) == text("search.bounded", figure=figure, bound="71.1%")
    figures = {**found.figures, "non_uniform_entropy": np.full(found.nodes_evaluated, 0.39385)}
    assert "39.4% of the information" in search_finding(replace(searched, figures=figures))  # as on every tile
    drawn = search_progress(searched)
    bound, best = drawn.data
    assert (bound.x, bound.y) == ((0.4, 1.0, 7.5), (1.0, 0.75, 0.71004))
    assert best.y == (None, 0.25, 0.5)
    assert drawn.layout.xaxis.range == (0, 10)
    assert drawn.layout.yaxis.range == (0, 1.02)


def test_a_proven_best_needs_no_bound_beside_it(found: Exploration) -> None:
    assert found.proven
    assert found.bound == found.node(found.best or 0)["non_uniform_entropy"]
    figure = text("search.information", share=found.bound)
    assert "72.1%" in figure
    assert search_finding(found) == f"{text('search.best', figure=figure)}. {text('search.proven')}"
    nothing = replace(found, history=(), proven=False, measure="loss")
    loss = nothing.node(nothing.best or 0)["loss"]
    assert search_finding(nothing) == text(
        "search.unbounded", figure=text("search.figure", measure="loss (geometric mean)", value=loss)
    )
    assert not search_progress(nothing).data
    barely = replace(found, history=MOMENTS[:1], proven=False)
    assert barely.bound == 1
    assert search_finding(barely) == text("search.unbounded", figure=figure)


def test_the_figure_says_that_no_generalization_meets_the_limits(found: Exploration) -> None:
    strict = replace(found, limits={**found.limits, "k_anonymity": 25})
    assert search_finding(strict) == text("search.none_proven")
    unproven = replace(strict, proven=False, history=MOMENTS[:1])
    assert search_finding(unproven) == text("search.none_found")
    (bound,) = search_progress(unproven).data
    assert bound.name == "proven bound"
