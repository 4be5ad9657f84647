"""score(): which metrics apply, their figures, and in words why the others do not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from metrics.aggregates import MAX_CLASSES, Aggregates, PartitionAggregates, TableAggregates, partitions_of
from metrics.config.analyses import Analysis, check_analyses
from metrics.config.former_names import ByName, all_names, current_name, unknown_metric
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.counting.counts import EngineTable
from metrics.engines import table_of
from metrics.errors import InputError
from metrics.formatting import visible
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.metric import Result
from metrics.reading import as_table
from metrics.scoring.by_partition import Progress, worst_by_basis
from metrics.scoring.catalog import BY_ID, METRICS
from metrics.scoring.class_table import ClassTable, class_table
from metrics.scoring.compared_records import aggregates_for
from metrics.scoring.metric_score import Score, finite, score_metric
from metrics.tables.frames import TableLike
from metrics.tables.html import html_table
from metrics.texts import text
from metrics.utility.analyses import ANALYSES, analyses_to_dict

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoLazyFrame


SCHEMA_VERSION = 1
_ON_REQUEST = text("unavailable.on_demand")
_NOT_REQUESTED = text("unavailable.not_requested")


@dataclass(frozen=True, eq=False)
class Scorecard:
    """Scores of one anonymized table, by metric id; draws itself in a notebook.

    Attributes
    ----------
    aggregates : Aggregates
        What was counted of the tables.
    parameters : Parameters
        The parameters that the scores were computed with.
    scores : mapping of str to Score
        One per metric of the catalog, in its order.
    listed : Aggregates or None
        Where there are too many classes to hold, the worst of them: arrays of results have one entry for each of these.
        None where all are held.
    """

    aggregates: Aggregates
    parameters: Parameters
    scores: Mapping[str, Score]
    listed: Aggregates | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", ByName(self.scores))

    def __getitem__(self, identifier: str) -> Score:
        """The score of that metric. Raises KeyError."""
        return self.scores[identifier]

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores.values())

    @cached_property
    def classes(self) -> ClassTable:
        """Every equivalence class with its measures; where there are too many to hold, the worst of them."""
        results = {score.metric.id: score.result for score in self if score.result is not None}
        return class_table(self.listed or self.aggregates, results, None if self.listed is None else self.class_count)

    @property
    def class_count(self) -> int:
        """Number of equivalence classes."""
        return self.aggregates.class_sizes.count

    def class_tables(self, progress: Progress | None = None) -> Iterator[ClassTable]:
        """Every equivalence class with its measures, in canonical order: some at a time where there are too many.

        Parameters
        ----------
        progress : callable, optional
            Called with the number of parts done, and of all parts.

        Yields
        ------
        ClassTable
            One or more classes; of a table without classes, an empty one.
        """
        if not self.aggregates.is_partitioned:
            yield self.classes
            return
        with partitions_of(self.aggregates) as partitions:
            for done, partition in enumerate(partitions):
                if progress is not None:
                    progress(done, len(partitions))
                if partition.classes.count or len(partitions) == 1:
                    yield class_table(partition, self._results_of(partition))

    def _results_of(self, partition: PartitionAggregates) -> dict[str, Result]:
        """Return the results of metrics for some classes, as far as they are in the class table."""
        examined = (score.metric for score in self if score.result is not None and score.metric.examine is not None)
        if not partition.classes.count:
            return {}
        return {metric.id: metric.compute(partition, self.parameters) for metric in examined if metric.per_class}

    def to_dict(self) -> dict[str, Any]:
        """The object that `score --json` prints.

        `analyses` is there where some are saved, `matching` where records are left out of the comparison, `misfits`
        where labels of a column mean something else than in its hierarchy: how many do, and whether what both tables
        show is used instead.
        """
        aggregates, sizes = self.aggregates, self.aggregates.class_sizes
        original = aggregates.original
        tally = aggregates.comparison.tally
        further: dict[str, Any] = {}
        if tally is not None and tally.partial:
            further["matching"] = {"key": list(aggregates.roles.matching.key), **asdict(tally)}
        if aggregates.hierarchies.misfits:
            further["misfits"] = {
                name: {"labels": len(misfit.labels), "derived": misfit.shown is not None}
                for name, misfit in aggregates.hierarchies.misfits.items()
            }
        if self.parameters.analyses and self[ANALYSES.id].unavailable != _NOT_REQUESTED:
            further["analyses"] = finite(analyses_to_dict(aggregates, self.parameters))
        return {
            "schema_version": SCHEMA_VERSION,
            "tables": {
                "anonymized": {
                    "rows": aggregates.anonymized.rows,
                    "suppressed_rows": sizes.suppressed,
                    "removed_rows": aggregates.comparison.removed,
                    "reading": aggregates.anonymized.source.to_dict(),
                },
                "original": None if original is None else {"rows": original.rows, "reading": original.source.to_dict()},
            },
            "classes": {
                "count": sizes.count,
                "smallest": sizes.smallest if sizes.count else None,
                "largest": sizes.largest if sizes.count else None,
                "mean": sizes.kept / sizes.count if sizes.count else None,
            },
            "metrics": {name: score.to_dict() for score in self for name in all_names(score.metric.id)},
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
                "finding": score.summary(),
            }
            for score in self
        ]
        index = pd.Index([score.metric.id for score in self], name="metric")
        # Numbers and booleans stand in one column: as objects, none becomes the other.
        return pd.DataFrame(rows, index=index, dtype=object).astype({"low": float, "high": float})

    def chart(self, metric_id: str) -> Any:
        """The Plotly chart that tells most of a metric's score.

        Parameters
        ----------
        metric_id : str
            Such as "p29".

        Returns
        -------
        plotly.graph_objects.Figure
            The chart.

        Raises
        ------
        KeyError
            If there is no such metric.
        """
        from metrics.scoring.score_chart import chart_of_score

        score = self[metric_id]
        aggregates = aggregates_for(score.metric, self.aggregates)
        return chart_of_score(score, aggregates, all_classes=self.listed is None)

    figure = chart
    """The name of `chart` before version 1.0."""

    def controls(self, metric_id: str) -> Any:
        """Sliders and switches for the settings of a metric in a notebook, with its finding and figure.

        Parameters
        ----------
        metric_id : str
            Such as "p29".

        Returns
        -------
        ipywidgets.VBox
            The controls, the finding and the figure.

        Raises
        ------
        KeyError
            If there is no such metric.
        InputError
            If it has no settings to change by hand, or the extra `notebook` is not installed.
        """
        from metrics.notebook import controls

        return controls(self, metric_id)

    def __repr__(self) -> str:
        return "\n".join([visible(self.aggregates.anonymized.name), *(f"  {score!r}" for score in self)])

    def _repr_html_(self) -> str:
        rows = (
            (shown.title, score.shown_text(), shown.range, str(shown.direction), score.summary())
            for score, shown in ((score, score.metric.shown) for score in self)
        )
        return html_table(self.aggregates.anonymized.name, ("Metric", "Value", "Range", "Direction", "Finding"), rows)


def score(
    anonymized: TableLike | EngineTable | IntoLazyFrame,
    roles: Roles,
    *,
    original: TableLike | EngineTable | IntoLazyFrame | None = None,
    hierarchies: Hierarchies | None = None,
    parameters: Parameters | None = None,
    analyses: Mapping[str, Analysis] | None = None,
    population: TableLike | None = None,
    holdout: TableLike | None = None,
    metrics: Collection[str] | None = None,
    max_classes: int = MAX_CLASSES,
    progress: Progress | None = None,
) -> Scorecard:
    """Score one anonymized table by the metrics of the catalog.

    A metric that cannot be computed says why and stops no other.

    Parameters
    ----------
    anonymized : table, data frame or lazy frame
        The table to judge: one that `read_table` returned, or a pandas, Polars or Arrow table as it is, whose typed
        cells become text by the rules of `read_table`. A lazy frame (of PySpark, DuckDB, Ibis, Dask, Polars, or
        narwhals' of these) is counted where it is: group-bys travel there and counts come back.
    roles : Roles
        The role of each column.
    original : table, data frame or lazy frame, optional
        The table before anonymization. Where `anonymized` is a lazy frame it is one of the same engine, matched by the
        key column. Without it, what was lost has no figure.
    hierarchies : mapping of str to Hierarchy, optional
        Generalization hierarchies by column, for quasi-identifiers and sensitive attributes.
    parameters : Parameters, optional
        Parameters of the metrics; by default `Parameters()`.
    analyses : mapping of str to Mean, Crosstab, Linear, Logistic or Count, optional
        By name the analyses that the release is to serve, as `read_analyses` reads them; by default those of
        `parameters`.
    population : table or data frame, optional
        The quasi-identifiers of everybody the table could be about.
    holdout : table or data frame, optional
        People of the same population who are not in the original: the control of attacks.
    metrics : collection of str, optional
        Ids of the metrics to compute; by default all but those that take long, `("all",)` for every one.
    max_classes : int
        Equivalence classes of a lazy frame that are held at once. Where there are more, some are looked at at a time,
        the card lists the worst, and metrics that compare all classes with each other say so.
    progress : callable, optional
        Called with the number of parts done, and of all parts, where classes are looked at some at a time.

    Returns
    -------
    Scorecard
        A `Score` for every metric of the catalog, by its id.

    Raises
    ------
    InputError
        If roles do not fit the tables, a frame is no table, or a metric does not exist.
    """
    aggregates = TableAggregates(
        table_of(anonymized, "anonymized"),
        roles,
        None if original is None else table_of(original, "original"),
        hierarchies,
        None if population is None else as_table(population, "population"),
        max_classes=max_classes,
        holdout=None if holdout is None else as_table(holdout, "holdout"),
    )
    parameters = parameters or Parameters()
    analyses = parameters.analyses if analyses is None else analyses
    check_analyses(analyses, aggregates.anonymized, aggregates.original)
    return score_aggregates(aggregates, replace(parameters, analyses=dict(analyses)), metrics, progress=progress)


def score_aggregates(
    aggregates: Aggregates,
    parameters: Parameters,
    metrics: Collection[str] | None = None,
    known: Scorecard | None = None,
    progress: Progress | None = None,
) -> Scorecard:
    """Score what has been counted; a change of parameters alone needs no new aggregates.

    Parameters
    ----------
    aggregates
        The counts of the tables.
    parameters
        The settings of the metrics.
    metrics
        Ids of the metrics to compute; by default all but those on demand.
    known
        A card of the same aggregates and metrics: what no changed parameter touches is taken from there, including
        what was computed on demand.
    progress
        Called with the number of parts examined and of all parts, where classes are examined in parts.

    Returns
    -------
    Scorecard
        A `Score` for every metric of the catalog, by its id.

    Raises
    ------
    InputError
        If a setting names a column that the table lacks, or a metric does not exist.
    """
    metric_ids = _wanted_metric_ids(metrics)
    known_scores = {} if known is None else _still_valid(known, parameters)
    _check_columns(parameters, aggregates)
    listed = None
    if aggregates.is_partitioned:
        chosen = [metric for metric in METRICS if metric.id in metric_ids and metric.examine is not None]
        listed = worst_by_basis(aggregates, chosen, parameters, progress)
        known_scores = {name: score for name, score in known_scores.items() if score.metric.examine is None}
    scores: dict[str, Score] = {}
    for metric in METRICS:
        if metric.id in known_scores:
            scores[metric.id] = known_scores[metric.id]
        elif metric.id in metric_ids:
            scores[metric.id] = score_metric(metric, aggregates, parameters, listed)
        else:
            scores[metric.id] = Score(metric, None, _ON_REQUEST if metric.on_demand else _NOT_REQUESTED)
    return Scorecard(aggregates, parameters, scores, None if listed is None else listed[aggregates])


def _still_valid(known: Scorecard, parameters: Parameters) -> dict[str, Score]:
    """The scores that no changed parameter affects; a metric on demand without a result may be requested again."""
    groups = [field.name for field in fields(Parameters)]
    same = {group for group in groups if getattr(known.parameters, group) == getattr(parameters, group)}
    return {
        score.metric.id: score
        for score in known
        if same.issuperset(score.metric.settings) and (score.result is not None or not score.metric.on_demand)
    }


def _check_columns(parameters: Parameters, aggregates: Aggregates) -> None:
    """Raise InputError where a setting names a column that the table lacks or that has another role."""
    for column in parameters.t_closeness.distance:
        if column not in aggregates.roles.sensitive:
            problem = "a ground distance is set for a column that is not sensitive"
            raise InputError(problem, remedy="tag it sensitive or leave the setting out", column=column)
    for column in parameters.attack.known:
        if column not in aggregates.anonymized:
            problem, file = "attack.known names a column that the table lacks", aggregates.anonymized.name
            raise InputError(problem, remedy="name columns of the anonymized table", file=file, column=column)


def _wanted_metric_ids(metrics: Collection[str] | None) -> set[str]:
    if metrics is None:
        return {metric.id for metric in METRICS if not metric.on_demand}
    metrics = [metrics] if isinstance(metrics, str) else metrics
    if set(metrics) == {"all"}:
        return set(BY_ID)
    for identifier in metrics:
        if identifier not in BY_ID:
            raise unknown_metric(identifier, BY_ID)
    return set(map(current_name, metrics))


__all__ = ["BY_ID", "Score", "Scorecard", "finite", "score", "score_aggregates", "score_metric"]
