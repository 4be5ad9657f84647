"""The curve of ε: noise hides the randomized values, costs analyses, and lifts P_29 where nothing is gained by it."""

from metrics import Hierarchy, Mean, Roles
from metrics.candidates.methods.epsilon_curve import EPSILONS, MEASURES, epsilon_chart, iter_epsilon_curve
from metrics.config.parameters import Parameters
from tests.drawing.drawn import title
from tests.support.small_tables import Cells, table

ILLS = ["flu", "cold", "asthma"]
CELLS: dict[str, Cells] = {
    "age": [str(row // 20) for row in range(400)],
    "ill": [ILLS[(row * row // 7 + row // 20) % 3] for row in range(400)],
    "stay": [str(row % 9 + row * row // 7 % 3) for row in range(400)],
}


def test_inference_and_analyses_rise_with_epsilon_and_draws_are_not_kept() -> None:
    parameters = Parameters(analyses={"stay": Mean("stay", ["ill"]), "other": Mean("stay")})
    trees = {"ill": Hierarchy([[ill, "*"] for ill in ILLS])}
    inputs = (table(CELLS), Roles(["age"], ["ill"]), trees, ["ill"], parameters)
    points = list(iter_epsilon_curve(*inputs, chosen=[1.5]))
    assert [point.epsilon for point in points] == sorted([*EPSILONS, 1.5])
    first, last = points[0].values, points[-1].values
    for name in MEASURES[1:]:
        assert (first[name] or 0) < (last[name] or 0)
    assert (last["analyses"] or 0) > 0.9
    figure = epsilon_chart(points, [1.5])
    assert [len(trace.x) for trace in figure.data] == [len(points)] * 3
    assert figure.layout.shapes[0].x0 == 1.5
    assert title(figure).startswith("At ε = 1.5, ")
