"""Learning attack: how often a model that was trained on the release guesses a person's sensitive value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.perturbation import original_of
from metrics.attacks.guessing.inferred_attributes import AttributeAttack
from metrics.attacks.knowledge.scenario import known_to_attacker, require_columns, unknown_sensitive
from metrics.attacks.learning.models import Model, boosting, naive_bayes
from metrics.attacks.learning.null import Guessed, PermutationNull
from metrics.attacks.learning.target import Target, target_of
from metrics.attacks.rates import AttackRate
from metrics.config.parameters import LearningModel, Parameters
from metrics.counting.counts import MemoryRelation, Relation
from metrics.counting.partitions import require_few_combinations
from metrics.errors import Unavailable
from metrics.interruption import part, report
from metrics.metric import AttackRow, Direction, Family, Metric, MetricChart
from metrics.tables.table import Floats
from metrics.texts import text
from metrics.working import two_step_measures

_CELLS: Final = 2**21
"""Cells of people by values that are held at once."""
_RAPID: Final = 0.3
"""Relative gain in confidence from which RAPID calls a person at risk."""
_SMALLEST_P: Final = 0.001
"""Smaller ones are not told apart in sentences."""


@dataclass(frozen=True)
class LearnedAttribute:
    """How well a model guesses one sensitive attribute."""

    rate: AttackRate
    guessed: Guessed
    at_risk: Guessed | None
    """People whose true value is held much more probable than it is frequent, by RAPID; None without probabilities."""
    within: float | None
    """Distance within which a guessed median is right; None where a value is guessed."""

    @property
    def rapid(self) -> float | None:
        """The share of people at risk by RAPID."""
        return None if self.at_risk is None else self.at_risk.successes / self.at_risk.people

    def details(self) -> dict[str, Any]:
        """The rate, what permutations give, and RAPID."""
        guessed, at_risk = self.guessed, self.at_risk
        return {
            **self.rate.details(),
            "null_mean": guessed.null_mean,
            "null_sd": guessed.null_sd,
            "p_value": guessed.p_value,
            "rapid": self.rapid,
            "rapid_null_mean": None if at_risk is None else at_risk.null_mean,
            "rapid_p_value": None if at_risk is None else at_risk.p_value,
        }


@dataclass(frozen=True)
class LearningAttack(AttributeAttack):
    """`value` is the success for the sensitive attribute that is guessed best."""

    known: tuple[str, ...]
    model: LearningModel
    inferred: Mapping[str, LearnedAttribute]
    worst: str
    left_out: Mapping[str, str]
    """By sensitive attribute without a figure, why."""

    @property
    def by_gain(self) -> list[str]:
        """The attributes, those with the largest gain first."""
        return sorted(self.inferred, key=lambda name: self.inferred[name].rate.gain, reverse=True)

    def details(self) -> dict[str, Any]:
        """Return details of the attribute that is guessed best, and of each."""
        return {
            **self.inferred[self.worst].details(),
            "known": list(self.known),
            "model": str(self.model),
            "attribute": self.worst,
            "by_attribute": {
                name: {"value": column.rate.value} | column.details() for name, column in self.inferred.items()
            },
            "left_out": dict(self.left_out),
        }

    @property
    def finding(self) -> str:
        """The finding without what it is compared with, and without a full stop."""
        name = self.most_exposed
        return text(
            "learning_attack.finding", known=self.known, column=self.described(name), value=self.basic_rate.value
        )

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """The attributes, those with the largest gain first."""
        rows = []
        for name in self.by_gain:
            rate = self.inferred[name].rate
            row = text("learning_attack.row", column=self.described(name))
            rows.append(AttackRow(row, rate.value, rate.baseline, rate.control, remarks=(self._permuted(name),)))
        return tuple(rows)

    def summary(self) -> str:
        """The finding."""
        name = self.most_exposed
        sentences = [self.headline, self._permuted(name)]
        share = self.inferred[name].rapid
        if share is not None:
            sentences.append(text("learning_attack.rapid", share=share))
        sentences += [text("learning_attack.left_out", column=name, reason=why) for name, why in self.left_out.items()]
        return " ".join(sentences)

    def _permuted(self, name: str) -> str:
        guessed = self.inferred[name].guessed
        if guessed.p_value is None:
            return text("learning_attack.same_guess")
        if guessed.p_value < _SMALLEST_P:
            return text("learning_attack.permuted_small", mean=guessed.null_mean, p=_SMALLEST_P)
        return text("learning_attack.permuted", mean=guessed.null_mean, p=guessed.p_value)


def learning_attack(
    aggregates: Aggregates, known: tuple[str, ...], parameters: Parameters, names: list[str]
) -> LearningAttack:
    r"""The share of people whose sensitive value a model guesses from their known values: 0 to 1, lower is better.

    The model is trained on the release, where a label stands for each value that it covers with equal probability. The
    baseline is the most frequent released value, or the median; the control the same attack on a hold-out table. Raises
    Unavailable without an attribute that can be guessed.
    Source: D. Kifer, "Attacks on privacy and deFinetti's theorem", SIGMOD 2009, doi 10.1145/1559845.1559861; RAPID and
    its marginal score: M. Templ et al., 2026, arXiv 2602.09235.
    """
    found, left_out = dict[str, LearnedAttribute](), dict[str, str]()
    for number, name in enumerate(names):
        with part(number, len(names)):
            try:
                found[name] = _attribute(aggregates, known, parameters, name)
            except Unavailable as reason:
                left_out[name] = str(reason)
    if not found:
        raise Unavailable(next(iter(left_out.values())))
    worst = max(found, key=lambda name: found[name].rate.value)
    return LearningAttack(found[worst].rate, known, parameters.learning_attack.model, found, worst, left_out)


def _attribute(aggregates: Aggregates, known: tuple[str, ...], parameters: Parameters, name: str) -> LearnedAttribute:
    target = target_of(aggregates, name, parameters.attack.tolerance)
    if parameters.learning_attack.model is LearningModel.BOOSTING:
        model = boosting(aggregates, known, target, parameters.attack.seed)
    else:
        model = naive_bayes(aggregates, known, target)
    guessed, at_risk, baseline = _guess(model, target, aggregates.comparison.original_relation, known)
    control, holdout = None, aggregates.holdout
    if holdout is not None and holdout.rows and all(column in holdout for column in (*known, name)):
        others, *_ = _guess(model, target, MemoryRelation(holdout), known)
        control = others.successes / others.people
    report(1.0)
    rate = AttackRate(guessed.successes, guessed.people, baseline, control, exact=True)
    has_probabilities = target.within is None or parameters.learning_attack.model is LearningModel.NAIVE_BAYES
    return LearnedAttribute(rate, guessed, at_risk if has_probabilities else None, target.within)


def _guess(model: Model, target: Target, relation: Relation, known: tuple[str, ...]) -> tuple[Guessed, Guessed, float]:
    """Guess the value of everybody whose value is known: how often rightly, RAPID, and the success without the table.

    Raises Unavailable if it is known of nobody.
    """
    groups, cells = relation.count(known), relation.count_within(known, target.name)
    truths, truth_of = np.unique(target.place(cells.column), return_inverse=True)  # NaN last, once
    if len(truths) and np.isnan(truths[-1]):
        truths = truths[:-1]
    own = truth_of[cells.code]
    is_known = own < len(truths)
    group, own, count = cells.group[is_known], own[is_known], cells.count[is_known].astype(np.float64)
    if not len(own):
        raise Unavailable(text("learning_attack.unavailable.no_truth", column=target.name))
    people: Floats = np.bincount(own, weights=count, minlength=len(truths)).astype(np.float64)
    weights: Floats = np.bincount(group, weights=count, minlength=len(groups.counts)).astype(np.float64)
    shares = target.shares(truths, people)
    guessed, at_risk = PermutationNull(people), PermutationNull(people)
    step = max(_CELLS // (len(truths) + len(target.prior)), 1)
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        first, last = np.searchsorted(group, (start, start + step))
        cell = group[first:last] - start, own[first:last]
        chances = model(groups.columns, [codes[rows] for codes in groups.codes])
        credits = target.credits(chances, truths)
        guessed.add(credits, weights[rows], count[first:last] * credits[cell])
        confident = (target.confidences(chances, truths) - shares > _RAPID * (1 - shares)).astype(np.float64)
        at_risk.add(confident, weights[rows], count[first:last] * confident[cell])
    with np.errstate(divide="ignore"):
        blind: Floats = target.credits(np.log(target.prior)[np.newaxis], truths)[0]
    return guessed.guessed(), at_risk.guessed(), float(blind @ people / people.sum())


def _compute(aggregates: Aggregates, parameters: Parameters) -> LearningAttack:
    tables = original_of(aggregates), aggregates.anonymized
    known = known_to_attacker(parameters.attack, aggregates.roles)
    require_columns(known, *tables)
    names = unknown_sensitive(aggregates, known, *tables)
    for table in tables:
        for name in names:
            require_few_combinations(table, (*known, name), aggregates.max_classes)
    return learning_attack(aggregates, known, parameters, names)


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.attacks.chart import attack_chart

    return attack_chart(result.attack_rows(""), result.finding, {})


LEARNING_ATTACK = Metric(
    id="learning_attack",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\max_S \frac{1}{N} \sum_i \left[\arg\max_s \hat p(s) \prod_j \hat p(v_{ij} \mid s) = s_i\right]",
    reference="D. Kifer, Attacks on privacy and deFinetti's theorem, SIGMOD 2009, doi 10.1145/1559845.1559861; "
    "W. Hoeffding, A combinatorial central limit theorem, 1951, doi 10.1214/aoms/1177729545; M. Templ et al., 2026, "
    "arXiv 2602.09235 (RAPID)",
    compute=_compute,
    on_demand=True,
    settings=("attack", "learning_attack"),
    charts=(MetricChart(_chart),),
    working=two_step_measures.LEARNING_ATTACK,
)
