"""Count queries: the error of counts that a recipient estimates from the released table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.label_shares import column_domain
from metrics.aggregates.perturbation import original_of
from metrics.config.analyses import Count
from metrics.config.parameters import Parameters
from metrics.counting.share_interval import NORMAL_95
from metrics.errors import Unavailable
from metrics.metric import Basis, Direction, Family, Metric, Result
from metrics.texts import text
from metrics.utility.count_queries.queries import Answer, answers, drawn_queries, query_text, saved_answer
from metrics.working import two_step_measures

_WORST = 5


@dataclass(frozen=True)
class CountQueries(Result):
    """`value` is the median of the relative errors."""

    answers: Sequence[Answer]
    names: Sequence[str] = ()
    """Of the user's own queries; none where they are drawn."""

    @cached_property
    def value(self) -> float:
        """Half of the queries have at most this error."""
        return float(np.median([answer.error for answer in self.answers]))

    @property
    def order(self) -> float:
        """The share of queries whose error exceeds the original's own sampling error at 95%: less can be chance."""
        beyond = (abs(each.estimate - each.true) > NORMAL_95 * math.sqrt(max(each.true, 1)) for each in self.answers)
        return sum(beyond) / len(self.answers)

    @cached_property
    def all_suppressed(self) -> float:
        """The same error of somebody who knows only the domains and the number of records."""
        return float(np.median([abs(answer.all_suppressed - answer.true) / answer.unit for answer in self.answers]))

    @cached_property
    def within_bounds(self) -> float:
        """Share of queries whose true count is between the bounds."""
        return float(np.mean([answer.smallest <= answer.true <= answer.largest for answer in self.answers]))

    @cached_property
    def named(self) -> list[tuple[str, Answer]]:
        """The answers with the names of their queries, the worst first."""
        names = self.names or [query_text(answer.query) for answer in self.answers]
        return sorted(zip(names, self.answers, strict=True), key=lambda pair: -round(pair[1].error, 9))

    def details(self) -> dict[str, Any]:
        """Further figures of the errors and bounds, and the worst queries."""
        errors = [answer.error for answer in self.answers]
        worst = self.named[:_WORST]
        return {
            "queries": len(self.answers),
            "mean": float(np.mean(errors)),
            "quantile_90": float(np.quantile(errors, 0.9)),
            "within_bounds": self.within_bounds,
            "median_width": float(np.median([(each.largest - each.smallest) / each.unit for each in self.answers])),
            "all_suppressed": self.all_suppressed,
            "worst": [{"query": query, "error": answer.error, **answer.figures} for query, answer in worst],
        }

    def summary(self) -> str:
        if not any(answer.error for answer in self.answers):
            return text("count_queries.exact")
        finding = text(
            "count_queries.finding", queries=len(self.answers), value=self.value, all_suppressed=self.all_suppressed
        )
        outside = 1 - self.within_bounds
        return f"{finding} {text('count_queries.outside', share=outside)}" if outside else finding


def _compute(aggregates: Aggregates, parameters: Parameters) -> CountQueries:
    original = original_of(aggregates)
    own = {name: count for name, count in parameters.analyses.items() if isinstance(count, Count)}
    if own:
        return CountQueries([_own_answer(aggregates, name, count) for name, count in own.items()], tuple(own))
    names = [name for name in aggregates.roles.quasi_identifiers if name in original]
    domains = {name: domain for name in names if (domain := column_domain(aggregates, name)).size}
    if len(domains) < 2:
        raise Unavailable(text("count_queries.unavailable.one_column"))
    return CountQueries(answers(aggregates, drawn_queries(domains)))


def _own_answer(aggregates: Aggregates, name: str, count: Count) -> Answer:
    try:
        return saved_answer(aggregates, count)
    except Unavailable as reason:
        raise Unavailable(text("count_queries.unavailable.saved", name=name, reason=str(reason))) from None


COUNT_QUERIES = Metric(
    id="count_queries",
    family=Family.UTILITY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\operatorname{median}_q \frac{|\hat n_q - n_q|}{\max(n_q, N / 1000)}",
    reference="X. Xiao and Y. Tao, Anatomy: Simple and Effective Privacy Preservation, VLDB 2006; K. LeFevre et al., "
    "Workload-Aware Anonymization Techniques for Large-Scale Datasets, ACM TODS 33(3), 2008, doi "
    "10.1145/1386118.1386123; X. Xiao et al., Differential Privacy via Wavelet Transforms, IEEE TKDE 23(8), 2011, doi "
    "10.1109/TKDE.2010.247",
    compute=_compute,
    settings=("analyses",),
    loss_basis=Basis.EVERY_RECORD,
    on_demand=True,
    working=two_step_measures.COUNT_QUERIES,
)
