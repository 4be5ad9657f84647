"""Measures that are counted column by column: a table of what each column gives, then the figure of the metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.explanations.workings.latex import abbreviated, about, lines, rounded, whole
from metrics.explanations.workings.steps import (
    Cell,
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    finished,
    short_label,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard


@dataclass(frozen=True)
class _ByColumn:
    """How one of these measures is told."""

    metric_id: str
    title: str
    sentence: str
    headers: tuple[str, ...]
    rows: Callable[[Any], list[tuple[Cell, ...]]]
    """Of the metric's result."""
    last_title: str
    last_sentence: str
    formula: Callable[[Any], str]
    """The last step in the table's numbers."""

    def derivation(self) -> Derivation:
        """The working of the whole table."""
        return Derivation(Unit.TABLE, None, self._derive, self._decisive)

    def _derive(self, card: Scorecard, subject: Subject) -> Working:
        finished(card, self.metric_id)
        result: Any = card[self.metric_id].result
        rows = self.rows(result)
        steps = (
            Step(self.title, self.sentence, table=tabulated(self.headers, rows, len(rows))),
            Step(self.last_title, self.last_sentence, self.formula(result), number=result.value),
        )
        return Working(self.metric_id, "the whole table", steps)

    def _decisive(self, card: Scorecard) -> Subject:
        finished(card, self.metric_id)
        return Subject(0)


def _quotient(above: Sequence[str], below: str, value: float) -> str:
    return lines(rf"&\frac{{{abbreviated(above, len(above))}}}{{{below}}}", rf"&{about(value)}")


def _figure(number: float) -> str:
    return f"{number:,.6g}"


INTERVAL_DISCLOSURE = _ByColumn(
    "interval_disclosure",
    "Numbers that disclose the original one",
    "An anonymized number discloses the original one if the two differ by at most 5% of the standard deviation of the "
    "original column.",
    ("column", "standard deviation", "numbers", "within 5% of it"),
    lambda result: [
        (short_label(name), _figure(one.standard_deviation), one.records, one.within)
        for name, one in result.columns.items()
    ],
    "The share of all numbers",
    "The numbers within the interval, divided by all numbers that both tables hold.",
    lambda result: _quotient(
        [whole(one.within) for one in result.columns.values()],
        whole(sum(one.records for one in result.columns.values())),
        result.value,
    ),
).derivation()

DISCO = _ByColumn(
    "disco",
    "People whose sensitive value is disclosed",
    "For a person whose known values occur in the release, the records with these values may have a single "
    "sensitive value. It is disclosed if it is the person's own.",
    ("sensitive attribute", "people", "single value", "disclosed"),
    lambda result: [
        (short_label(name), one.released.people, _figure(one.released.certain), _figure(one.released.disclosed))
        for name, one in result.columns.items()
    ],
    "The attribute disclosed most often",
    "The people disclosed, divided by all people, for the attribute where this share is largest.",
    lambda result: _quotient(
        [whole(int(result.columns[result.worst].released.disclosed))],
        whole(result.columns[result.worst].released.people),
        result.value,
    ),
).derivation()

CORRECT_ATTRIBUTION = _ByColumn(
    "correct_attribution",
    "The share of matching records with the right value",
    "For each person, the released records with the person's known values are counted. The probability of the right "
    "value is the share of these records that have it, and 0 if there are none. The table shows the sum over all "
    "people.",
    ("sensitive attribute", "people", "found", "sum of probabilities"),
    lambda result: [
        (short_label(name), one.released.people, _figure(one.released.found), _figure(one.released.correct))
        for name, one in result.columns.items()
    ],
    "The attribute attributed best",
    "The sum of the probabilities, divided by the number of people, for the attribute where this is largest.",
    lambda result: _quotient(
        [rounded(result.columns[result.worst].released.correct)],
        whole(result.columns[result.worst].released.people),
        result.value,
    ),
).derivation()

STANDARDIZED_DIFFERENCE = _ByColumn(
    "standardized_difference",
    "The differences of each column",
    "The difference of an anonymized number from the original one is divided by √2 standard deviations of the original "
    "column. The table shows the sum over the records that hold a number in both tables.",
    ("column", "numbers", "sum of differences", "mean"),
    lambda result: [
        (short_label(name), one.records, _figure(one.total), _figure(one.mean)) for name, one in result.columns.items()
    ],
    "The mean over all numbers",
    "The sums of all columns, divided by all numbers.",
    lambda result: _quotient(
        [rounded(one.total) for one in result.columns.values()],
        whole(sum(one.records for one in result.columns.values())),
        result.value,
    ),
).derivation()

EIGENVALUE_DIFFERENCE = _ByColumn(
    "eigenvalue_difference",
    "The eigenvalues before and after",
    "The eigenvalues of the correlation matrix of the numeric columns describe how the columns vary together. They are "
    "compared in descending order.",
    ("rank", "original", "anonymized", "relative difference"),
    lambda result: [
        (str(rank), _figure(old), _figure(new), _figure(abs(old - new) / old))
        for rank, (old, new) in enumerate(zip(result.before, result.after, strict=True), 1)
    ],
    "The sum of the relative differences",
    "The relative differences of all eigenvalues are added.",
    lambda result: lines(
        "&"
        + abbreviated(
            [rounded(abs(old - new) / old) for old, new in zip(result.before, result.after, strict=True)],
            len(result.before),
        ),
        rf"&{about(result.value)}",
    ),
).derivation()

NORMALIZED_CERTAINTY_PENALTY = _ByColumn(
    "normalized_certainty_penalty",
    "The mean penalty of each column",
    "A cell's penalty is the share of its column's domain that its value covers: 0 for an exact value, 1 for a "
    "suppressed one. The table shows the mean over all records.",
    ("column", "values in the domain", "mean penalty"),
    lambda result: [
        (short_label(name), result.domains[name], _figure(penalty)) for name, penalty in result.penalties.items()
    ],
    "The mean over the columns",
    "All columns weigh the same.",
    lambda result: _quotient(
        [rounded(penalty) for penalty in result.penalties.values()], whole(len(result.penalties)), result.value
    ),
).derivation()

DISTANCE_TO_CLOSEST_RECORD = _ByColumn(
    "distance_to_closest_record",
    "The distances, in ascending order",
    "For each anonymized record looked at, the distance to the closest original record is the mean over the columns of "
    "the gap between two numbers, as a share of the original's range, or of 1 where other values differ.",
    ("place", "distance"),
    lambda result: [(place, _figure(distance)) for place, distance in enumerate(result.distances, 1)],
    "The median",
    "Half of the records are closer to an original record, half are at a larger distance. The median does not measure "
    "the risk that membership is revealed.",
    lambda result: lines(rf"&\text{{median}} {about(result.value)}"),
).derivation()

PMSE = _ByColumn(
    "pmse",
    "A model that distinguishes the tables",
    "A logistic regression learns from the records of both tables which of them are anonymized.",
    ("quantity", "value"),
    lambda result: [
        ("original records", _figure(result.records[0])),
        ("anonymized records", _figure(result.records[1])),
        ("coefficients of the model", _figure(result.coefficients)),
        ("expected pMSE", _figure(result.expected)),
    ],
    "The mean squared deviation",
    "The model gives each record the probability that it is anonymized. The squared deviations of this probability "
    "from the share of anonymized records are averaged: 0 if the model cannot distinguish the tables.",
    lambda result: lines(rf"&\text{{pMSE}} {about(result.value)}"),
).derivation()
