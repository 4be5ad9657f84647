"""score(): which metrics apply, their figures, and in words why the others do not."""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from metrics.by_parts import Progress, judge_by_parts
from metrics.catalog import BY_ID, METRICS
from metrics.class_table import ClassTable, class_table, tabulated
from metrics.counts import EngineTable
from metrics.engines import table_of
from metrics.errors import InputError
from metrics.evidence import MOST_CLASSES, Evidence
from metrics.hierarchy import Hierarchies
from metrics.notebook import Cell, html_table
from metrics.parameters import Parameters
from metrics.parts import PartEvidence, parts_of
from metrics.reading import TableLike, as_table
from metrics.roles import Roles
from metrics.specification import Estimate, Family, Metric, Result, Unavailable, finish
from metrics.wording import shown, visible

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoLazyFrame

    from metrics.figures import Figure

SCHEMA_VERSION = 1


@dataclass(frozen=True, eq=False)
class Score:
    """One metric's answer for one candidate: a result, or why there is none."""

    metric: Metric
    result: Result | None
    unavailable: str | None
    settings: frozenset[str] = frozenset()
    """Groups of parameters that it was computed from: while these stay the same, so does the answer."""

    @property
    def value(self) -> float | bool | None:
        """The figure; None where it is unavailable."""
        return None if self.result is None else self.result.value

    @property
    def attributes(self) -> dict[str, float | None]:
        """The figure of each attribute alone."""
        return {} if self.result is None else dict(self.result.attributes)

    @property
    def details(self) -> dict[str, Any]:
        """Further figures by name."""
        return {} if self.result is None else self.result.details()

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds that hold the true value with 95% confidence, where the figure is an estimate and they are known."""
        return self.result.interval if isinstance(self.result, Estimate) else None

    def in_words(self) -> str:
        """The finding, or why there is none."""
        return f"Unavailable: {self.unavailable}." if self.result is None else self.result.in_words()

    def to_dict(self) -> dict[str, Any]:
        """The form of `score --json`."""
        return {
            "value": finite(self.value),
            "unavailable": self.unavailable,
            "attributes": finite(self.attributes),
            "details": finite(self.details),
        }

    def __repr__(self) -> str:
        return f"{self.metric.title}: {shown(self.value)}"

    def _repr_html_(self) -> str:
        metric = self.metric
        rows: list[tuple[str, Cell]] = [("Value", shown(self.value)), ("Finding", self.in_words())]
        if self.interval is not None:
            rows.append(("95% interval", " to ".join(map(shown, self.interval))))
        rows += [("Range", metric.range), ("Direction", str(metric.direction)), ("Meaning", metric.meaning)]
        rows += [(f"{name} alone", shown(figure)) for name, figure in self.attributes.items()]
        return html_table(metric.title, (), rows)


@dataclass(frozen=True, eq=False)
class Scorecard:
    """Scores of one candidate, by metric id; draws itself in a notebook."""

    evidence: Evidence
    parameters: Parameters
    scores: Mapping[str, Score]
    listed: Evidence | None = None
    """The classes that arrays of results are of, where there are too many to hold: the worst; None where it is all."""

    def __getitem__(self, identifier: str) -> Score:
        """The score of that metric. Raises KeyError."""
        return self.scores[identifier]

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores.values())

    @cached_property
    def classes(self) -> ClassTable:
        """Every equivalence class with its measures; where there are too many to hold, the worst of them."""
        results = {score.metric.id: score.result for score in self if score.result is not None}
        return class_table(self.listed or self.evidence, results, None if self.listed is None else self.class_count)

    @property
    def class_count(self) -> int:
        """Number of equivalence classes."""
        return self.evidence.class_sizes.count

    def class_tables(self, progress: Progress | None = None) -> Iterator[ClassTable]:
        """Every equivalence class with its measures, in canonical order: some at a time where there are too many.

        `progress` is told how many of all parts are done.
        """
        if not self.evidence.divided:
            yield self.classes
            return
        with parts_of(self.evidence) as parts:
            for done, part in enumerate(parts):
                if progress is not None:
                    progress(done, len(parts))
                if part.classes.count or len(parts) == 1:
                    yield class_table(part, self._results_of(part))

    def _results_of(self, part: PartEvidence) -> dict[str, Result]:
        """What metrics say of some classes, as far as it stands in the class table."""
        found = {}
        for score in self:
            by_class = score.metric.by_class
            if tabulated(score.result) and by_class is not None and part.classes.count:
                judged = by_class.judge(part, self.parameters)
                found[score.metric.id] = by_class.conclude(judged, part.whole, self.parameters)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The object that `score --json` prints; `matching` is there where records are left out of the comparison."""
        evidence, classes = self.evidence, self.evidence.class_sizes
        original = None if evidence.original is None else {"rows": evidence.original.rows}
        tally, further = evidence.tally, {}
        if tally is not None and tally.partial:
            further["matching"] = {"key": list(evidence.roles.matching.key), **asdict(tally)}
        return {
            "schema_version": SCHEMA_VERSION,
            "tables": {
                "anonymized": {"rows": evidence.anonymized.rows, "suppressed_rows": classes.suppressed},
                "original": original,
            },
            "classes": {
                "count": classes.count,
                "smallest": classes.smallest if classes.count else None,
                "largest": classes.largest if classes.count else None,
                "mean": classes.kept / classes.count if classes.count else None,
            },
            "metrics": {score.metric.id: score.to_dict() for score in self},
            **further,
        }

    def to_pandas(self) -> pd.DataFrame:
        """One row per metric, by its id: value, bounds of an estimate, range, direction, and the finding in words."""
        import pandas as pd

        rows = [
            {
                "title": score.metric.title,
                "family": str(score.metric.family),
                "value": score.value,
                "low": None if score.interval is None else score.interval[0],
                "high": None if score.interval is None else score.interval[1],
                "range": score.metric.range,
                "direction": str(score.metric.direction),
                "finding": score.in_words(),
            }
            for score in self
        ]
        index = pd.Index([score.metric.id for score in self], name="metric")
        # Numbers and booleans stand in one column: as objects, none becomes the other.
        return pd.DataFrame(rows, index=index, dtype=object).astype({"low": float, "high": float})

    def figure(self, metric_id: str) -> Figure:
        """The Plotly figure that tells most of a metric's score. Raises KeyError where there is no such metric."""
        from metrics.figures.chosen import figure_of

        return figure_of(self, metric_id)

    def __repr__(self) -> str:
        return "\n".join([visible(self.evidence.anonymized.name), *(f"  {score!r}" for score in self)])

    def _repr_html_(self) -> str:
        rows = (
            (score.metric.title, shown(score.value), score.metric.range, str(score.metric.direction), score.in_words())
            for score in self
        )
        return html_table(self.evidence.anonymized.name, ("Metric", "Value", "Range", "Direction", "Finding"), rows)


def score(
    anonymized: TableLike | EngineTable | IntoLazyFrame,
    roles: Roles,
    *,
    original: TableLike | EngineTable | IntoLazyFrame | None = None,
    hierarchies: Hierarchies | None = None,
    parameters: Parameters | None = None,
    population: TableLike | None = None,
    metrics: Collection[str] | None = None,
    most_classes: int = MOST_CLASSES,
    progress: Progress | None = None,
) -> Scorecard:
    """Score one anonymized table by the metrics of the catalog.

    Tables are those of `read_table`, or pandas, Polars or Arrow tables as they are, whose typed cells become text by
    its rules. Lazy frames (of PySpark, DuckDB, Ibis, Dask, Polars, or narwhals' of these) are counted where they are:
    group-bys travel there and counts come back; both tables are then such frames of one engine, matched by the key
    column, and metrics that need records in memory say so.
    Of such a frame about `most_classes` equivalence classes are held at once: where there are more, some are looked at
    at a time, `progress` is told how many of all parts are done, the card lists the worst classes, and metrics that
    compare all classes with each other say so.
    A metric that cannot be computed says why and stops no other. `hierarchies` are by column, for quasi-identifiers and
    sensitive attributes; `population` holds the quasi-identifiers of everybody the table could be about. `metrics`
    names those to compute, by id; None stands for all but those that take long, `("all",)` for every one. Raises
    InputError where roles do not fit the tables, a frame is no table, or a metric does not exist.
    """
    evidence = Evidence(
        table_of(anonymized, "anonymized"),
        roles,
        None if original is None else table_of(original, "original"),
        hierarchies,
        None if population is None else as_table(population, "population"),
        most_classes=most_classes,
    )
    return score_evidence(evidence, parameters or Parameters(), metrics, progress=progress)


def score_evidence(
    evidence: Evidence,
    parameters: Parameters,
    metrics: Collection[str] | None = None,
    known: Scorecard | None = None,
    progress: Progress | None = None,
) -> Scorecard:
    """Score what has been counted; a change of parameters alone needs no new evidence. Raises InputError.

    `known` is a card of the same evidence and metrics: what no changed parameter touches is taken from there, what was
    computed on demand included.
    """
    wanted = _wanted(metrics)
    kept = {} if known is None else {one.metric.id: one for one in known if _still_holds(one, known, parameters)}
    for column in parameters.t_closeness.distance:
        if column not in evidence.roles.sensitive:
            raise InputError(
                "a ground distance is set for a column that is not sensitive",
                remedy="tag it sensitive or leave the setting out",
                column=column,
            )
    listed = None
    if evidence.divided:
        listed, by_parts = _by_parts(evidence, parameters, wanted, progress)
        kept |= by_parts
    scores = {
        spec.id: kept.get(spec.id)
        or (score_metric(spec, evidence, parameters) if spec.id in wanted else Score(spec, None, _not_asked(spec)))
        for spec in METRICS
    }
    return Scorecard(evidence, parameters, scores, listed)


def _by_parts(
    evidence: Evidence, parameters: Parameters, wanted: Collection[str], progress: Progress | None
) -> tuple[Evidence, dict[str, Score]]:
    """The worst classes, and the scores of metrics that look at one class after the other."""
    watched = {spec: _Watched(parameters) for spec in METRICS if spec.by_class is not None and spec.id in wanted}
    found = judge_by_parts(evidence, {spec: cast(Parameters, seen) for spec, seen in watched.items()}, progress)
    scores = {}
    for spec, seen in watched.items():
        result, used = found.results[spec.id], frozenset(seen.used)
        scores[spec.id] = (
            Score(spec, None, result, used) if isinstance(result, str) else Score(spec, result, None, used)
        )
    return found.listed, scores


def _still_holds(one: Score, card: Scorecard, parameters: Parameters) -> bool:
    return all(getattr(card.parameters, group) == getattr(parameters, group) for group in one.settings) and (
        one.result is not None or not one.metric.on_demand
    )


def _wanted(metrics: Collection[str] | None) -> set[str]:
    if metrics is None:
        return {spec.id for spec in METRICS if not spec.on_demand}
    if set(metrics) == {"all"}:
        return set(BY_ID)
    for identifier in metrics:
        if identifier not in BY_ID:
            raise InputError(f'there is no metric "{identifier}"', remedy=f"use all, or {', '.join(BY_ID)}")
    return set(metrics)


def _not_asked(spec: Metric) -> str:
    return "it takes longer than the others and is computed on demand" if spec.on_demand else "it was not asked for"


def score_metric(spec: Metric, evidence: Evidence, parameters: Parameters) -> Score:
    """One metric's result, or why it is unavailable."""
    return finish(score_gradually(spec, evidence, parameters))


def score_gradually(spec: Metric, evidence: Evidence, parameters: Parameters) -> Generator[float, None, Score]:
    """The same in steps: yields the share done now and then; whoever asks for no further share cancels it.

    Measures of loss are of the records that are compared with the original's, all others of every anonymized record.
    """
    watched = _Watched(parameters)
    seen = cast(Parameters, watched)
    evidence = evidence.compared if spec.family is Family.UTILITY else evidence
    try:
        result = spec.compute(evidence, seen) if spec.gradual is None else (yield from spec.gradual(evidence, seen))
    except Unavailable as reason:
        return Score(spec, None, str(reason), frozenset(watched.used))
    return Score(spec, result, None, frozenset(watched.used))


class _Watched:
    """Parameters that remember which groups were looked at."""

    def __init__(self, parameters: Parameters) -> None:
        self.used: set[str] = set()
        self._parameters = parameters

    def __getattr__(self, group: str) -> Any:
        self.used.add(group)
        return getattr(self._parameters, group)


def finite(value: Any) -> Any:
    """A value as JSON can hold it: numbers that are not finite become None, in containers too."""
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if isinstance(value, np.generic):
        return finite(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


__all__ = ["BY_ID", "Score", "Scorecard", "score", "score_evidence", "score_metric", "shown"]
