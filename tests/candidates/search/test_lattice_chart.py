"""The cloud of a search holds every node once, stays small, and shows text as text."""

import re

import pytest

import metrics
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.lattice_chart import node_cloud
from metrics.hierarchies.hierarchy import Hierarchy
from tests.drawing.random_tables import NAMES, original


@pytest.fixture(scope="module")
def found() -> Exploration:
    tree = Hierarchy([[str(n), f"{n // 2}-", f"{n // 4}--", "*"] for n in range(8)])
    roles = metrics.Roles(quasi_identifiers=NAMES, sensitive=["illness"])
    return metrics.explore(original(), roles, dict.fromkeys(NAMES, tree), k=3, max_suppression=0.2)


def test_the_figure_of_the_lattice_contains_every_node_once(found: Exploration) -> None:
    drawn = node_cloud(found, "suppressed_rows", "granularity", best=found.best)
    marks = [trace for trace in drawn.data if trace.mode == "markers" and trace.marker.symbol != "star"]
    shown = [node for trace in marks for node in trace.customdata]
    close_by = sum(
        int(text.split("and ")[-1].split()[0]) for trace in marks for text in trace.hovertext if "close" in text
    )
    assert len(shown) == len(set(shown))
    assert len(shown) + close_by == found.nodes_evaluated == 64
    for trace in marks:
        meets = found.feasible()[list(trace.customdata)]
        assert meets.all() if trace.name == "meets these limits" else not meets.any()
    (star,) = [trace for trace in drawn.data if trace.marker.symbol == "star"]
    assert star.customdata[0] == found.best
    assert not any("<b>" in text for trace in marks for text in trace.hovertext)


def test_limits_move_nodes_from_one_colour_to_the_other(found: Exploration) -> None:
    strict = found.feasible({"k_anonymity": 100})
    drawn = node_cloud(found, "classes", "granularity", feasible=strict)
    assert f"{int(strict.sum())} of 64 generalizations" in drawn.layout.title.text.replace("<br>", " ")


def test_before_a_search_the_heading_says_what_the_levels_give() -> None:
    marked = {"these levels": (0.2, 0.371), "current candidate": (1.0, 0.54)}
    drawn = node_cloud(None, "reidentification_risk", "non_uniform_entropy", marked=marked)
    assert re.findall(r"[\d.]+%", drawn.layout.title.text) == ["20%", "37.1%"]
    assert [trace.name for trace in drawn.data] == list(marked)
    assert drawn.layout.showlegend


def test_levels_that_are_the_best_share_its_mark(found: Exploration) -> None:
    place = tuple(float(found.figures[name][found.best]) for name in ("suppressed_rows", "granularity"))
    marked = {"these levels": place, "current candidate": (place[0] + 1, place[1])}
    drawn = node_cloud(found, "suppressed_rows", "granularity", best=found.best, marked=marked)
    names = [trace.name for trace in drawn.data]
    assert "best = these levels" in names
    assert "the best" not in names
    assert "these levels" not in names
    apart = node_cloud(found, "suppressed_rows", "granularity", best=found.best, marked={"these levels": (0.0, 0.0)})
    assert {"the best", "these levels"} <= {trace.name for trace in apart.data}


def test_the_axis_of_information_ends_above_the_highest_mark(found: Exploration) -> None:
    drawn = node_cloud(found, "reidentification_risk", "non_uniform_entropy")
    low, high = drawn.layout.yaxis.range
    most = max(max(trace.y) for trace in drawn.data)
    assert low < 0
    assert most < high <= most + 0.3
