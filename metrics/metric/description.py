"""What the catalog knows of a metric: how it is computed, shown and judged, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from metrics.aggregates.protocol import Examine
from metrics.config.setting_texts import setting_label, setting_meaning
from metrics.metric.finding import Finding
from metrics.metric.measure import KnownQuantity, Measure
from metrics.metric.results import PerClass, Result
from metrics.texts import TEMPLATES

if TYPE_CHECKING:
    from metrics.aggregates import Aggregates
    from metrics.config.parameters import Parameters


class Family(StrEnum):
    """Family of metrics, by what they measure."""

    PRIVACY = "privacy"
    ATTACKS = "attacks"
    UTILITY = "utility"
    ECONOMICS = "economics"


class Basis(StrEnum):
    """Which records and values a measure of loss is computed from; every other metric, from every anonymized record."""

    EVERY_RECORD = "every record of either table, whether they are matched or not"
    COMPARED_AS_WRITTEN = "the records compared with the original's, as they are written"
    COMPARED = "the same, with equal values made equal and empty cells suppressed"
    GENERALIZED = "the same, with perturbed cells suppressed; unavailable where there are many"


@dataclass(frozen=True)
class MetricChart:
    """A chart of a metric's result.

    Attributes
    ----------
    draw : callable
        Draws it, from the result and the aggregates that it was computed from. It imports the drawing library itself,
        so that this is loaded only then.
    all_classes : bool
        Whether it needs every equivalence class at once.
    applies : callable
        Whether a result has anything to draw.
    """

    draw: Callable[[Any, Aggregates], Any]
    all_classes: bool = False
    applies: Callable[[Any], bool] = lambda result: True


@dataclass(frozen=True)
class Control:
    """How a setting of a metric is changed by hand: by a slider from 0, or a switch where it is true or false.

    Attributes
    ----------
    setting : str
        The setting, such as "p29.w_k".
    maximum : float or None
        Right end of the slider; None for a switch.
    step : float
        Step of the slider.
    is_weight : bool
        Whether it is one of the weights whose sum is 1.
    """

    setting: str
    maximum: float | None = None
    step: float = 0.01
    is_weight: bool = False

    @property
    def name(self) -> str:
        """The setting without its group, such as "w_k"."""
        return self.setting.partition(".")[2]

    @property
    def label(self) -> str:
        """Label of the slider or switch."""
        return setting_label(self.setting)

    @property
    def help(self) -> str | None:
        """Meaning of the setting, in a sentence or two."""
        return setting_meaning(self.setting)


@dataclass(frozen=True, kw_only=True)
class Metric(Measure):
    """One line of the catalog: everything that belongs to one metric alone.

    Attributes
    ----------
    id : str
        Name of its section in texts.toml, which holds its title, unit, meaning and all its sentences.
    family : Family
        What it measures.
    minimum, maximum : float or None
        Smallest and largest possible value; None: unbounded.
    direction : Direction
        Whether higher or lower is better.
    formula : str
        Its formula, in LaTeX.
    reference : str
        Its sources, each with its year and DOI.
    compute : callable
        Computes the result. Raises Unavailable where the aggregates do not suffice.
    on_demand : bool
        Whether it takes so long that it is computed only on request; it then reports its progress on the way.
    examine : callable or None
        What it finds of classes, if it examines each by itself: totals (see `metrics.metric.totals`), or an object with
        `totals` and arrays with an entry per class. `compute` takes it from `Aggregates.examined`: so it can be found
        of some classes at a time, where there are too many to hold.
    settings : tuple of str
        Groups of parameters that the computation examines: while these stay the same, so does the result.
    limit_setting : str
        The parameter, such as "t_closeness.t", that a policy's limit on the metric also sets.
    enforcement : Enforcement or None
        How search and repair enforce a limit on the metric; None where such a limit is only measured on their results.
    controls : tuple of Control
        Settings of the group named as the metric that a user changes by hand.
    charts : tuple of MetricChart
        Charts of the result, the most telling one first; without any, the values by attribute are drawn.
    working : Derivation or None
        How its figure comes about, step by step.
    per_class : PerClass or None
        Its figures and findings on single equivalence classes; None where it has none.
    finding : callable or None
        What it says of a table, from the result and the aggregates it was computed from; None for nothing.
    about_population, about_holdout : bool
        Whether it is about a population, or a hold-out table, that is often not given; the verdict then does not
        mention its absence.
    needs_role : str
        The optional role that it needs, such as "person"; the verdict does not mention the absence of that role.
    about_perturbation : bool
        Whether it is about perturbed and synthetic tables; the verdict on others does not mention its absence.
    loss_basis : Basis
        Records and values that it is computed from, if it is a measure of loss.
    criterion : str
        The question of the Article 29 Working Party that it answers: "singling_out", "linkability" or "inference".
    is_headline : bool
        Whether versions are compared by it where nothing else is asked for.
    is_share : bool
        Whether summaries show its value, from 0 to 1, as a percentage.
    known_quantity : KnownQuantity or None
        What readers see first, if the value is a score that they do not know.
    ranks_tables : bool
        Whether a table with a better value is better: not where the value is a share of other things in each table.
    """

    family: Family
    formula: str
    reference: str
    compute: Callable[[Aggregates, Parameters], Result]
    on_demand: bool = False
    examine: Examine | None = None
    settings: tuple[str, ...] = ()
    limit_setting: str = ""
    controls: tuple[Control, ...] = ()
    charts: tuple[MetricChart, ...] = ()
    working: Any = None
    per_class: PerClass | None = None
    finding: Callable[[Any, Aggregates], Finding | None] | None = None
    about_population: bool = False
    about_holdout: bool = False
    needs_role: str = ""
    about_perturbation: bool = False
    loss_basis: Basis = Basis.COMPARED
    criterion: str = ""
    is_headline: bool = False
    known_quantity: KnownQuantity | None = None
    ranks_tables: bool = True

    @property
    def shown(self) -> Measure:
        """What readers see first: the metric itself, or a quantity that they know."""
        return self.known_quantity or self

    @property
    def unit(self) -> str:
        """The unit of its value."""
        return TEMPLATES[f"{self.id}.unit"]

    @property
    def meaning(self) -> str:
        """Meaning of the metric, in one sentence."""
        return TEMPLATES[f"{self.id}.meaning"]

    @property
    def good(self) -> str:
        """Description of a good value, in one sentence."""
        good = TEMPLATES[f"{self.id}.good"]
        return f"Good: {good[0].lower()}{good[1:]}"

    @property
    def needs(self) -> str:
        """What it needs besides quasi-identifiers; "" where it needs nothing else."""
        return TEMPLATES.get(f"{self.id}.needs", "")

    @property
    def notes(self) -> str:
        """How it is computed, where the formula leaves that open; "" where it does not."""
        return TEMPLATES.get(f"{self.id}.notes", "")

    @property
    def of_attribute(self) -> str:
        """What its figure of a single attribute is; "" where it is the metric itself."""
        return TEMPLATES.get(f"{self.id}.of_attribute", "")
