"""Measures that are counted column by column: a table of what each column gives, then the figure of the metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.explanations.workings.latex import abbreviated, approx, lines, rounded, whole
from metrics.explanations.workings.steps import (
    WHOLE_TABLE,
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    short_label,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text


@dataclass(frozen=True)
class _ByColumn:
    """How one of these measures is explained."""

    metric_id: str
    title: str
    sentence: str
    headers: str
    rows: Callable[[Any], list[tuple[Cell, ...]]]
    """Of the metric's result."""
    last_title: str
    last_sentence: str
    formula: Callable[[Any], str]
    """The last step in the table's numbers."""

    def derivation(self) -> Derivation:
        """The working of the whole table."""
        return Derivation(Unit.TABLE, None, self._derive)

    def _derive(self, card: Scorecard, subject: Subject) -> Working:
        result: Any = card[self.metric_id].result
        rows = self.rows(result)
        steps = (
            Step(self.title, self.sentence, table=tabulated(self.headers, rows, len(rows))),
            Step(self.last_title, self.last_sentence, self.formula(result), number=result.value),
        )
        return Working(self.metric_id, WHOLE_TABLE, steps)


def _quotient(above: Sequence[str], below: str, value: float) -> str:
    return lines(rf"&\frac{{{abbreviated(above, len(above))}}}{{{below}}}", rf"&{approx(value)}")


def _figure(number: float) -> str:
    return f"{number:,.6g}"


INTERVAL_DISCLOSURE = _ByColumn(
    "interval_disclosure",
    text("interval_disclosure.working.each_title"),
    text("interval_disclosure.working.each"),
    text("interval_disclosure.working.each_columns"),
    lambda result: [
        (short_label(name), _figure(column.standard_deviation), column.records, column.within)
        for name, column in result.columns.items()
    ],
    text("interval_disclosure.working.last_title"),
    text("interval_disclosure.working.last"),
    lambda result: _quotient(
        [whole(column.within) for column in result.columns.values()],
        whole(sum(column.records for column in result.columns.values())),
        result.value,
    ),
).derivation()

DISCO = _ByColumn(
    "disco",
    text("disco.working.each_title"),
    text("disco.working.each"),
    text("disco.working.each_columns"),
    lambda result: [
        (
            short_label(name),
            column.released.people,
            _figure(column.released.certain),
            _figure(column.released.disclosed),
        )
        for name, column in result.columns.items()
    ],
    text("disco.working.last_title"),
    text("disco.working.last"),
    lambda result: _quotient(
        [whole(int(result.columns[result.worst].released.disclosed))],
        whole(result.columns[result.worst].released.people),
        result.value,
    ),
).derivation()

CORRECT_ATTRIBUTION = _ByColumn(
    "correct_attribution",
    text("correct_attribution.working.each_title"),
    text("correct_attribution.working.each"),
    text("correct_attribution.working.each_columns"),
    lambda result: [
        (short_label(name), column.released.people, _figure(column.released.found), _figure(column.released.correct))
        for name, column in result.columns.items()
    ],
    text("correct_attribution.working.last_title"),
    text("correct_attribution.working.last"),
    lambda result: _quotient(
        [rounded(result.columns[result.worst].released.correct)],
        whole(result.columns[result.worst].released.people),
        result.value,
    ),
).derivation()

STANDARDIZED_DIFFERENCE = _ByColumn(
    "standardized_difference",
    text("standardized_difference.working.each_title"),
    text("standardized_difference.working.each"),
    text("standardized_difference.working.each_columns"),
    lambda result: [
        (short_label(name), column.records, _figure(column.total), _figure(column.mean))
        for name, column in result.columns.items()
    ],
    text("standardized_difference.working.last_title"),
    text("standardized_difference.working.last"),
    lambda result: _quotient(
        [rounded(column.total) for column in result.columns.values()],
        whole(sum(column.records for column in result.columns.values())),
        result.value,
    ),
).derivation()

EIGENVALUE_DIFFERENCE = _ByColumn(
    "eigenvalue_difference",
    text("eigenvalue_difference.working.each_title"),
    text("eigenvalue_difference.working.each"),
    text("eigenvalue_difference.working.each_columns"),
    lambda result: [
        (str(rank), _figure(before), _figure(after), _figure(abs(before - after) / before))
        for rank, (before, after) in enumerate(zip(result.before, result.after, strict=True), 1)
    ],
    text("eigenvalue_difference.working.last_title"),
    text("eigenvalue_difference.working.last"),
    lambda result: lines(
        "&"
        + abbreviated(
            [rounded(abs(before - after) / before) for before, after in zip(result.before, result.after, strict=True)],
            len(result.before),
        ),
        rf"&{approx(result.value)}",
    ),
).derivation()

NORMALIZED_CERTAINTY_PENALTY = _ByColumn(
    "normalized_certainty_penalty",
    text("normalized_certainty_penalty.working.each_title"),
    text("normalized_certainty_penalty.working.each"),
    text("normalized_certainty_penalty.working.each_columns"),
    lambda result: [
        (short_label(name), result.domains[name], _figure(penalty)) for name, penalty in result.penalties.items()
    ],
    text("normalized_certainty_penalty.working.last_title"),
    text("normalized_certainty_penalty.working.last"),
    lambda result: _quotient(
        [rounded(penalty) for penalty in result.penalties.values()], whole(len(result.penalties)), result.value
    ),
).derivation()

DISTANCE_TO_CLOSEST_RECORD = _ByColumn(
    "distance_to_closest_record",
    text("distance_to_closest_record.working.each_title"),
    text("distance_to_closest_record.working.each"),
    text("distance_to_closest_record.working.each_columns"),
    lambda result: [(number, _figure(distance)) for number, distance in enumerate(result.distances, 1)],
    text("distance_to_closest_record.working.last_title"),
    text("distance_to_closest_record.working.last"),
    lambda result: lines(rf"&\text{{median}} {approx(result.value)}"),
).derivation()

PMSE = _ByColumn(
    "pmse",
    text("pmse.working.each_title"),
    text("pmse.working.each"),
    text("pmse.working.each_columns"),
    lambda result: [
        (text("pmse.working.original"), _figure(result.records[0])),
        (text("pmse.working.anonymized"), _figure(result.records[1])),
        (text("pmse.working.coefficients"), _figure(result.coefficients)),
        (text("pmse.working.expected"), _figure(result.expected)),
    ],
    text("pmse.working.last_title"),
    text("pmse.working.last"),
    lambda result: lines(rf"&\text{{pMSE}} {approx(result.value)}"),
).derivation()
