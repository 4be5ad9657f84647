"""What randomized response costs and hides over ε: each point is a draw of its own, which nothing keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import plotly.graph_objects as go

from metrics.aggregates import TableAggregates
from metrics.candidates.methods.catalog import candidate_by
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.drawing.theme import NEUTRAL, PRIVACY, VIOLATION, chart, hover, line_at, number_axis
from metrics.estimates.proposals import propose_analyses
from metrics.formatting import format_number, join_names
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import score_metric
from metrics.tables.table import Table
from metrics.texts import text
from metrics.utility.analyses import Analyses

EPSILONS: Final = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
_INFERENCE: Final = "attribute_inference_attack"
_ANALYSES: Final = "analyses"
MEASURES: Final = ("p29", _INFERENCE, _ANALYSES)
_STYLES: Final = dict(zip(MEASURES, ((NEUTRAL, "dot"), (VIOLATION, "dash"), (PRIVACY, "solid")), strict=True))


@dataclass(frozen=True)
class AtEpsilon:
    """The figures of one draw, all columns at the same ε, by metric of `MEASURES`; None where one is not available.

    The inference is of the randomized columns. Of analyses it is the share of estimates that survive: a wide interval
    overlaps by half with any that it holds, however little it tells.
    """

    epsilon: float
    values: dict[str, float | None]


def iter_epsilon_curve(
    original: Table,
    roles: Roles,
    hierarchies: Hierarchies,
    columns: Sequence[str],
    parameters: Parameters,
    chosen: Sequence[float] = (),
) -> Iterator[AtEpsilon]:
    """The figures at each ε, also those chosen, in ascending order; of analyses that use these columns.

    Raises InputError.
    """
    analyses = parameters.analyses or propose_analyses(original, roles, hierarchies)
    used = {name: each for name, each in analyses.items() if set(each.column_names) & set(columns)}
    parameters = replace(parameters, analyses=used)
    for epsilon in sorted({*EPSILONS, *chosen}):
        method = RandomizedResponse(epsilon, tuple(columns))
        table = candidate_by(method, original, roles, hierarchies, seed=None)
        aggregates = TableAggregates(table, roles, original, hierarchies)
        scores = {name: score_metric(BY_ID[name], aggregates, parameters) for name in MEASURES}
        values = {name: None if score.value is None else float(score.value) for name, score in scores.items()}
        inferred = scores[_INFERENCE].attributes
        values[_INFERENCE] = max((inferred[name] or 0.0 for name in columns if name in inferred), default=None)
        analysed = scores[_ANALYSES].result
        values[_ANALYSES] = analysed.surviving if isinstance(analysed, Analyses) else None
        yield AtEpsilon(epsilon, values)


def epsilon_chart(points: Sequence[AtEpsilon], chosen: Sequence[float]) -> go.Figure:
    """A line per measure that is available, and a line across at each ε that is chosen."""
    traces = []
    for name, (colour, dash) in _STYLES.items():
        known = [(point.epsilon, value) for point in points if (value := point.values[name]) is not None]
        if known:
            title = text("surviving.title") if name == MEASURES[-1] else BY_ID[name].shown.title
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "name": title,
                    "x": [epsilon for epsilon, _ in known],
                    "y": [value for _, value in known],
                    "line": {"color": colour, "dash": dash, "width": 2},
                    "hovertext": [
                        hover(f"{title}: {format_number(value)}", f"ε = {epsilon:g}") for epsilon, value in known
                    ],
                    "hoverinfo": "text",
                }
            )
    return chart(
        traces,
        _finding(next(point for point in points if point.epsilon == max(chosen))),
        legend=True,
        shapes=[line_at(epsilon) for epsilon in sorted(set(chosen))],
        xaxis=number_axis("ε of each column"),
        yaxis=number_axis("share, or P_29", range=[0, 1.03]),
    )


def _finding(point: AtEpsilon) -> str:
    _, inference, analyses = (point.values[name] for name in MEASURES)
    parts = [] if inference is None else [text("epsilon_curve.inferred", success=inference)]
    parts += [] if analyses is None else [text("epsilon_curve.kept", kept=analyses)]
    return text("epsilon_curve.finding", epsilon=point.epsilon, parts=join_names(parts))
