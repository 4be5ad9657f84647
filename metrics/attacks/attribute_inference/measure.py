"""Attribute inference: how often an attacker who knows some columns of a person guesses a sensitive value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from metrics.aggregates import Aggregates
from metrics.attacks.attribute_inference import working
from metrics.attacks.guessing.guesses import Guesser, Success, all_records_batch, guesser_of, label_numbers
from metrics.attacks.guessing.inferred_attributes import AttributeInference, InferredAttribute
from metrics.attacks.knowledge.global_recoding import require_global_recoding
from metrics.attacks.knowledge.gower import range_of
from metrics.attacks.knowledge.possible_records import Batch, PossibleRecords, Released
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario, known_to_attacker, unknown_sensitive
from metrics.attacks.rates import AttackRate, rates_chart
from metrics.config.parameters import AttackParameters, Parameters
from metrics.counting.counts import GroupedCounts, distinct_records
from metrics.errors import Unavailable
from metrics.hierarchies.labels import recoded_labels
from metrics.metric import Direction, Family, Metric, MetricChart
from metrics.tables.table import Column, Floats, Integers, Table
from metrics.texts import text


def infer_attributes(scenario: AttackScenario) -> AttributeInference:
    """Run the attack, also with stronger attackers; see `infer`."""
    unknown_sensitive(scenario.aggregates, scenario.known)
    scenario = scenario.limit_work(scenario.known)
    other = scenario.without_suppressed()
    result = infer(scenario, specific=other is None)
    excluding = None if other is None else infer(other)
    return replace(
        result,
        class_known={
            name: _with_class_known(scenario, name) for name in result.inferred if scenario.aggregates.classes.count
        },
        suppressed_ruled_out=excluding,
        most_specific=(excluding or result).most_specific,
    )


def _with_class_known(scenario: AttackScenario, name: str) -> AttackRate:
    """Return the success rate of an attacker who knows the class of each target whose record is in one."""
    aggregates, truth = scenario.aggregates, scenario.truth(name)
    own = scenario.own_records(aggregates.roles.quasi_identifiers)
    person, weights = distinct_records([*own.values(), (truth.codes, truth.distinct)], len(truth.codes))
    class_of = aggregates.class_of_record()[scenario.own[person]]
    person, weights, class_of = (array[class_of >= 0] for array in (person, weights, class_of))
    own_column = replace(truth, codes=truth.codes[person])
    tolerance = scenario.parameters.tolerance
    return _guess_in_classes(aggregates, name, tolerance, truth, own_column, class_of, weights)[1].rate(scenario.exact)


def _guess_in_classes(
    aggregates: Aggregates,
    name: str,
    tolerance: float,
    truth: Column,
    own_column: Column,
    class_of: Integers,
    weights: Integers,
) -> tuple[Guesser, _Guessed]:
    """Guess from each person's own class.

    `truth` holds the original values, `own` those of the people guessed about, whose classes are `class_of`; each
    stands for as many people as `weights` says.
    """
    histogram, classes = aggregates.histogram(name), aggregates.classes
    groups = Released(classes.columns, classes.codes, classes.sizes, np.empty(0, dtype=np.int32))
    cells = GroupedCounts(histogram.column, histogram.group, histogram.code, histogram.count)
    reach = range_of(truth.labels, truth.decimal)
    guesser = Guesser(groups, cells, truth, tolerance, reach, recoded_labels(aggregates.comparison.evidence(name).pair))
    people, class_numbers = np.arange(len(own_column.codes)), np.arange(groups.count)
    batch, blind = (
        Batch(people, weights, class_of, class_numbers, class_numbers, groups.count),
        all_records_batch(len(people), groups),
    )
    values, numbers = guesser.values_of(own_column), label_numbers(own_column)[own_column.codes]
    success, knowing_nothing = (guesser.success(one, guesser.counts(one), values, numbers) for one in (batch, blind))
    found = _Guessed()
    found.add(weights, success, knowing_nothing.right)
    return guesser, found


def infer(scenario: AttackScenario, *, specific: bool = True) -> AttributeInference:
    """Per sensitive attribute the mean share of targets whose value is the plurality among their possible records.

    Ties share. An attribute of more than 20 different numbers is guessed by the median, right within the
    tolerance times the original's range; released intervals count as their middle. A sensitive attribute that the
    attacker knows is not guessed. If labels overlap, also from the most specific possible records, unless `specific` is
    false. Raises Unavailable if there is nothing to guess.
    Source: the Bayes vulnerability of M. S. Alvim et al., "Flexible and scalable privacy assessment for very large
    datasets, with an application to official governmental microdata", 2022, arXiv 2204.13734.
    """
    columns = unknown_sensitive(scenario.aggregates, scenario.known)
    sets = scenario.possible_records(scenario.targets, scenario.known)
    released = sets.released
    guessers = {name: guesser_of(scenario, released, name) for name in columns}
    truths, people = {name: scenario.truth(name) for name in columns}, sets.count
    specific = specific and sets.overlapping
    attacked, uncovered = _guess(sets, guessers, truths, specific)
    controls: Mapping[str, _Guessed] = {}
    if scenario.holdout is not None:
        holdout_truths = {name: scenario.holdout[name] for name in columns if name in scenario.holdout}
        known_of = {name: guessers[name] for name in holdout_truths}
        holdout_sets = scenario.possible_records(scenario.holdout, scenario.known)
        controls, _ = _guess(holdout_sets, known_of, holdout_truths, specific)
    inferred, most_specific = {}, {}
    for name, found in attacked.items():
        control = None if name not in controls else controls[name].right / controls[name].people
        rate, absent = found.rate(scenario.exact, control), guessers[name].share_absent_from_original(truths[name])
        inferred[name] = replace(found.inferred(guessers[name], rate), share_absent_from_original=absent)
        if specific:
            other = None if name not in controls else controls[name].by_specific / controls[name].people
            most_specific[name] = replace(rate, successes=found.by_specific, control=other)
    return replace(
        _of_all(scenario.known, inferred), no_possible_record=uncovered / people, most_specific=most_specific
    )


def infer_by_counts(aggregates: Aggregates, parameters: AttackParameters) -> AttributeInference:
    """Infer by counts, in an engine: under global recoding those of the target's own class are possible.

    Raises Unavailable as `require_global_recoding` does, and if sensitive values differ from the original's.
    """
    known_columns = known_to_attacker(parameters, aggregates.roles)
    columns = unknown_sensitive(aggregates, known_columns)
    require_global_recoding(aggregates, parameters)
    result = _of_all(
        known_columns, {name: _infer_by_counts(aggregates, name, parameters.tolerance) for name in columns}
    )
    return replace(result, class_known={name: attribute.rate for name, attribute in result.inferred.items()})


def _infer_by_counts(aggregates: Aggregates, name: str, tolerance: float) -> InferredAttribute:
    """Infer one attribute; each value in a class represents as many people as have it."""
    histogram, truth = aggregates.histogram(name), aggregates.anonymized[name]
    if aggregates.original is not None and name in aggregates.original:
        pair = aggregates.comparison.pair(name)
        truth, released = pair.columns
        if any(truth.labels[before] != released.labels[after] for before, after in zip(*pair.codes, strict=True)):
            raise Unavailable(text("attack.unavailable.records_in_engine"))
    own_column = replace(histogram.column, codes=histogram.code.astype(np.int32))
    guesser, found = _guess_in_classes(aggregates, name, tolerance, truth, own_column, histogram.group, histogram.count)
    return found.inferred(guesser, found.rate(exact=True))


def _of_all(known_columns: tuple[str, ...], inferred: Mapping[str, InferredAttribute]) -> AttributeInference:
    worst = max(inferred, key=lambda name: inferred[name].rate.value)
    return AttributeInference(inferred[worst].rate, known_columns, inferred, worst)


@dataclass
class _Guessed:
    """Results of guessing one attribute: sums over people."""

    people: int = 0
    right: float = 0.0
    certain: int = 0
    misled: int = 0
    blind: float = 0.0
    """How often the guess made without knowing anything is right."""
    blind_where_single: float = 0.0
    """The same of people whose possible records hold one single value."""
    by_specific: float = 0.0
    """How often the guess from the most specific possible records is right; 0 where none is made."""

    def add(self, weights: Integers, success: Success, blind: Floats) -> None:
        """Add people, each as often as its weight says."""
        self.people += int(weights.sum())
        self.right += float((weights * success.right).sum())
        self.certain += int(weights[success.certain].sum())
        self.misled += int(weights[success.misled].sum())
        self.blind += float((weights * blind).sum())
        is_single = success.certain | success.misled
        self.blind_where_single += float((weights * blind)[is_single].sum())

    def rate(self, exact: bool, control: float | None = None) -> AttackRate:
        """The success rate, and that of guessing without the table."""
        return AttackRate(self.right, self.people, self.blind / max(self.people, 1), control, exact)

    def inferred(self, guesser: Guesser, rate: AttackRate) -> InferredAttribute:
        """The results with shares of people."""
        certain, misled = self.certain / self.people, self.misled / self.people
        baseline = self.blind_where_single / max(self.certain + self.misled, 1)
        return InferredAttribute(rate, certain, guesser.within, misled, baseline)


def _guess(
    sets: PossibleRecords, guessers: Mapping[str, Guesser], truths: Mapping[str, Column], specific: bool
) -> tuple[dict[str, _Guessed], int]:
    """Guess each attribute; `specific`: also from the most specific possible records.

    Also returns how many people no released record covers.
    """
    guesses, uncovered = {name: _Guessed() for name in guessers}, 0
    values, numbers, blind = dict[str, Integers](), dict[str, Floats](), dict[str, Floats]()
    for name, guesser in guessers.items():
        every = replace(truths[name], codes=np.arange(truths[name].distinct, dtype=np.int32))
        values[name], numbers[name] = guesser.values_of(every), label_numbers(every)
        knowing_nothing = all_records_batch(every.distinct, sets.released)
        blind[name] = guesser.success(
            knowing_nothing, guesser.counts(knowing_nothing), values[name], numbers[name]
        ).right
    for batch in sets.batches({name: (truth.codes, truth.distinct) for name, truth in truths.items()}):
        uncovered += 0 if batch.covering else int(batch.weights.sum())
        most_specific = sets.most_specific(batch) if specific else None
        for name, guesser in guessers.items():
            code, found = truths[name].codes[batch.people], guesses[name]
            own = values[name][code], numbers[name][code]
            found.add(batch.weights, guesser.success(batch, guesser.counts(batch), *own), blind[name][code])
            if most_specific is not None:
                success = guesser.success(most_specific, guesser.counts(most_specific), *own)
                found.by_specific += float((batch.weights * success.right).sum())
    return guesses, uncovered


def _compute(aggregates: Aggregates, parameters: Parameters) -> AttributeInference:
    if not isinstance(aggregates.anonymized, Table):
        return infer_by_counts(aggregates, parameters.attack)
    return infer_attributes(attack_scenario(aggregates, parameters))


ATTRIBUTE_INFERENCE_ATTACK = Metric(
    id="attribute_inference_attack",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\max_S \frac{1}{N} \sum_r \Pr\left[\arg\max_s |\{c \in C(r) : c_S = s\}| = r_S\right]",
    reference="M. S. Alvim et al., Flexible and scalable privacy assessment for very large datasets, with an "
    "application to official governmental microdata, 2022 (arXiv 2204.13734), doi 10.56553/popets-2022-0114",
    compute=_compute,
    settings=("attack",),
    criterion="inference",
    charts=(MetricChart(rates_chart),),
    working=working.WORKING,
)
