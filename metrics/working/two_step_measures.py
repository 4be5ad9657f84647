"""Measures whose working is two steps: a table, such as of what each column gives, then the figure of the metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import join_names, six_digits
from metrics.texts import TEMPLATES, text
from metrics.working.latex import abbreviated, approx, lines, rounded, whole
from metrics.working.steps import Cell, Derivation, Step, short_label, tabulated, whole_table


def _two_steps(
    metric_id: str, rows_of: Callable[[Any], list[tuple[Cell, ...]]], formula_of: Callable[[Any], str]
) -> Derivation:
    """The working of the whole table: the rows of the metric's result, then the formula in its numbers."""

    def derive(result: Any, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
        rows = rows_of(result)
        first, second = f"{metric_id}.working.table_step", f"{metric_id}.working.formula_step"
        table = tabulated(TEMPLATES[f"{first}_columns"], rows, len(rows))
        return (
            Step(TEMPLATES[f"{first}_title"], TEMPLATES[first], table=table),
            Step(TEMPLATES[f"{second}_title"], TEMPLATES[second], formula_of(result), number=result.value),
        )

    return whole_table(derive)


def _quotient(above: Sequence[str], below: str, value: float) -> str:
    return lines(rf"&\frac{{{abbreviated(above, len(above))}}}{{{below}}}", rf"&{approx(value)}")


INTERVAL_DISCLOSURE = _two_steps(
    "interval_disclosure",
    lambda result: [
        (short_label(name), six_digits(column.standard_deviation), column.records, column.within)
        for name, column in result.columns.items()
    ],
    lambda result: _quotient(
        [whole(column.within) for column in result.columns.values()],
        whole(sum(column.records for column in result.columns.values())),
        result.value,
    ),
)

DISCO = _two_steps(
    "disco",
    lambda result: [
        (
            short_label(name),
            column.released.people,
            six_digits(column.released.certain),
            six_digits(column.released.disclosed),
        )
        for name, column in result.columns.items()
    ],
    lambda result: _quotient(
        [whole(int(result.columns[result.worst].released.disclosed))],
        whole(result.columns[result.worst].released.people),
        result.value,
    ),
)

CORRECT_ATTRIBUTION = _two_steps(
    "correct_attribution",
    lambda result: [
        (
            short_label(name),
            column.released.people,
            six_digits(column.released.found),
            six_digits(column.released.correct),
        )
        for name, column in result.columns.items()
    ],
    lambda result: _quotient(
        [rounded(result.columns[result.worst].released.correct)],
        whole(result.columns[result.worst].released.people),
        result.value,
    ),
)

LEARNING_ATTACK = _two_steps(
    "learning_attack",
    lambda result: [
        (
            short_label(name),
            column.guessed.people,
            six_digits(column.guessed.successes),
            six_digits(column.guessed.people * column.guessed.null_mean),
        )
        for name, column in result.inferred.items()
    ],
    lambda result: _quotient([rounded(result.rate.successes)], whole(result.rate.attempts), result.value),
)

ONE_TO_ONE_LINKAGE = _two_steps(
    "one_to_one_linkage",
    lambda result: [
        (
            result.blocks,
            result.largest_block,
            result.rate.attempts,
            six_digits(result.record_by_record * result.rate.attempts),
            six_digits(result.rate.successes),
        )
    ],
    lambda result: _quotient([rounded(result.rate.successes)], whole(result.rate.attempts), result.value),
)

STANDARDIZED_DIFFERENCE = _two_steps(
    "standardized_difference",
    lambda result: [
        (short_label(name), column.records, six_digits(column.total), six_digits(column.mean))
        for name, column in result.columns.items()
    ],
    lambda result: _quotient(
        [rounded(column.total) for column in result.columns.values()],
        whole(sum(column.records for column in result.columns.values())),
        result.value,
    ),
)

EIGENVALUE_DIFFERENCE = _two_steps(
    "eigenvalue_difference",
    lambda result: [
        (str(rank), six_digits(before), six_digits(after), six_digits(abs(before - after) / before))
        for rank, (before, after) in enumerate(zip(result.before, result.after, strict=True), 1)
    ],
    lambda result: lines(
        "&"
        + abbreviated(
            [rounded(abs(before - after) / before) for before, after in zip(result.before, result.after, strict=True)],
            len(result.before),
        ),
        rf"&{approx(result.value)}",
    ),
)

NORMALIZED_CERTAINTY_PENALTY = _two_steps(
    "normalized_certainty_penalty",
    lambda result: [
        (short_label(name), result.domains[name], six_digits(penalty)) for name, penalty in result.penalties.items()
    ],
    lambda result: _quotient(
        [rounded(penalty) for penalty in result.penalties.values()], whole(len(result.penalties)), result.value
    ),
)

DISTANCE_TO_CLOSEST_RECORD = _two_steps(
    "distance_to_closest_record",
    lambda result: [(number, six_digits(distance)) for number, distance in enumerate(result.distances, 1)],
    lambda result: lines(rf"&\text{{median}} {approx(result.value)}"),
)

PMSE = _two_steps(
    "pmse",
    lambda result: [
        (text("pmse.working.original"), six_digits(result.records[0])),
        (text("pmse.working.anonymized"), six_digits(result.records[1])),
        (text("pmse.working.coefficients"), six_digits(result.coefficients)),
        (text("pmse.working.expected"), six_digits(result.expected)),
    ],
    lambda result: lines(rf"&\text{{pMSE}} {approx(result.value)}"),
)

ANALYSES = _two_steps(
    "analyses",
    lambda result: [
        (
            short_label(name),
            found.most,
            found.compared,
            six_digits(math.fsum(estimate.overlap for estimate in found.estimates)),
            six_digits(found.value),
        )
        for name, found in result.results.items()
    ],
    lambda result: _quotient(
        [rounded(found.value) for found in result.results.values()], whole(len(result.results)), result.value
    ),
)

_AROUND_THE_MEDIAN = 9


def _around_the_median(result: Any) -> list[tuple[Cell, ...]]:
    leave_out = max((len(result.named) - 1) // 2 - _AROUND_THE_MEDIAN, 0)
    return [
        (short_label(name), six_digits(answer.true), six_digits(answer.estimate), six_digits(answer.error))
        for name, answer in result.named[leave_out : len(result.named) - leave_out]
    ]


COUNT_QUERIES = _two_steps(
    "count_queries", _around_the_median, lambda result: lines(rf"&\text{{median}} {approx(result.value)}")
)

K_MARGINALS = _two_steps(
    "k_marginals",
    lambda result: [
        (short_label(join_names(columns)), six_digits(apart), six_digits(500 * (2 - apart)))
        for columns, apart in result.by_value.distances.items()
    ],
    lambda result: _quotient(
        [rounded(500 * (2 - apart)) for apart in result.by_value.distances.values()],
        whole(len(result.by_value.distances)),
        result.value,
    ),
)
