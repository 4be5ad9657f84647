"""The scorecard in a few plain sentences, the weakest point first. Shared by pages and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from metrics.economics.profitability import Profitability
from metrics.privacy.p29 import P29, Flags
from metrics.privacy.t_closeness import TCloseness
from metrics.scorecard import Scorecard, shown
from metrics.thresholds import Thresholds, wanted
from metrics.utility.non_uniform_entropy import NonUniformEntropy
from metrics.wording import counted, listed, visible

_MOST_NAMES = 3
_OF_POPULATION = ("delta_presence", "k_map")


def verdict(card: Scorecard, thresholds: Thresholds | None = None) -> tuple[str, ...]:
    """What the figures say of one candidate: plain sentences without a cell of the table, the weakest point first.

    Weak points in order: records that are unique, classes that give a sensitive value away, classes far from the whole
    table, attacks that pay. Then the limits that are missed, what was lost, and what could not be measured. Joined with
    blanks, the sentences are a paragraph. Names of columns in them are not escaped.
    """
    if not card.evidence.class_sizes.count:
        return (_nothing(card),)
    lost, besides = _lost(card), (_suppressed(card), _left_out(card), _unmeasured(card))
    missed = _missed(card, thresholds or Thresholds())
    if card.evidence.divided:  # then not every class is at hand
        return tuple(one for one in (_unique(card) or _smallest(card), missed, lost, *besides) if one)
    points = {
        "uniqueness": _unique(card),
        "uniform classes": _homogeneous(card),
        "distance": _distant(card),
        "attacks that pay": _attacked(card),
    }
    weak = {name: sentence for name, sentence in points.items() if sentence}
    first = [_sound(card)]
    if weak:
        (name, weakest), *others = weak.items()
        first = [f"The weakest point is {name}: {_inside(weakest)}", *(other for _, other in others)]
    return (*first, *(sentence for sentence in (_gates(card), missed, lost, *besides) if sentence))


def _nothing(card: Scorecard) -> str:
    if not card.evidence.anonymized.rows:
        return "The table has no records, so there is nothing to judge."
    return "Every record is suppressed: nothing is given away, and nothing is left to use."


def _flagged(flags: Flags, card: Scorecard) -> str:
    """How many classes are flagged, and the records in them: "2 of 9 classes with 31 records (1.2%)"."""
    sizes = card.evidence.classes.sizes
    classes, records = int(flags.sum()), int(sizes[flags].sum())
    if classes == len(sizes):
        return {1: "The only class", 2: "Both classes"}.get(classes, f"All {classes:,} classes")
    of = counted(len(sizes), "class", "classes")
    return f"{classes:,} of {of} with {counted(records, 'record')} ({_share(records, card)})"


def _share(records: int, card: Scorecard) -> str:
    """A share of the records in classes; one that would round to nothing or to all says so."""
    share = 100 * records / card.evidence.class_sizes.kept
    if 0 < share < 0.1:
        return "under 0.1%"
    return "over 99.9%" if 99.9 < share < 100 else f"{share:.1f}%"


def _unique(card: Scorecard) -> str | None:
    number = card.evidence.class_sizes.of_size(1)
    if not number:
        return None
    return (
        f"{counted(number, 'record')} ({_share(number, card)}) {'is' if number == 1 else 'are'} alone with "
        f"{'its' if number == 1 else 'their'} quasi-identifiers (k = 1), so whoever knows these of a person finds the "
        "record."
    )


def _smallest(card: Scorecard) -> str:
    sizes = card.evidence.class_sizes
    holds = counted(sizes.smallest, "record")
    return f"No record is alone: the smallest of {counted(sizes.count, 'class', 'classes')} holds {holds}."


def _homogeneous(card: Scorecard) -> str | None:
    joint = card["p29"].result
    if not isinstance(joint, P29):
        return None
    several = card.evidence.classes.sizes > 1
    constant = {name: flags & several for name, flags in joint.homogeneous.items() if (flags & several).any()}
    if not constant:
        return None
    chosen: Flags = np.logical_or.reduce(list(constant.values()))
    hold = "holds" if int(chosen.sum()) == 1 else "hold"
    return f"{_flagged(chosen, card)} {hold} a single value of {_names(constant)}, which belonging there gives away."


def _distant(card: Scorecard) -> str | None:
    closeness = card["t_closeness"].result
    if not isinstance(closeness, TCloseness) or closeness.fulfilled:
        return None
    beyond = {name: values > closeness.limit for name, values in closeness.per_class.items()}
    beyond = {name: flags for name, flags in beyond.items() if flags.any()}
    chosen: Flags = np.logical_or.reduce(list(beyond.values()))
    lie = "lies" if int(chosen.sum()) == 1 else "lie"
    return (
        f"{_flagged(chosen, card)} {lie} farther from the whole table than t = {closeness.limit:g} in "
        f"{_names(beyond)}, up to {closeness.value:.3g}."
    )


def _attacked(card: Scorecard) -> str | None:
    result = card["profitability"].result
    if not isinstance(result, Profitability) or not result.records_attacked:
        return None
    chosen = result.parameters
    attacked, losing = result.records_attacked, int(result.sizes[result.unprofitable].sum())
    pays = f"publishing {losing:,} of them earns no more than it risks" if losing else "publishing each still pays"
    which = f"{attacked:,} of {counted(result.records, 'record')} ({_share(attacked, card)})"
    return (
        f"At a gain of {chosen.adversary_gain:,.10g} for {chosen.adversary_cost:,.10g} an attack pays for "
        f"{'every record' if attacked == result.records else which}; {pays}."
    )


def _sound(card: Scorecard) -> str:
    """What holds, where no weak point was found."""
    others = counted(card.evidence.class_sizes.smallest - 1, "other")
    holds = [f"every record shares its quasi-identifiers with at least {others}"]
    if isinstance(card["p29"].result, P29):
        holds.append("no class holds one single value of a sensitive attribute")
    closeness = card["t_closeness"].result
    if isinstance(closeness, TCloseness):
        holds.append(f"no class lies farther from the whole table than t = {closeness.limit:g}")
    if isinstance(card["profitability"].result, Profitability):
        holds.append("no attack pays")
    return f"No weak point was found: {listed(holds)}."


def _gates(card: Scorecard) -> str | None:
    joint = card["p29"].result
    if not isinstance(joint, P29):
        return None
    if not joint.violating.any():
        return f"P_29 is {joint.value:.3f} of 1."
    shut = "shuts" if int(joint.violating.sum()) == 1 else "shut"
    return f"P_29 is 0, for {_inside(_flagged(joint.violating, card))} {shut} its gates."


def _inside(sentence: str) -> str:
    """A sentence's beginning within another one."""
    return f"{sentence[0].lower()}{sentence[1:]}"


def _missed(card: Scorecard, thresholds: Thresholds) -> str | None:
    judged = thresholds.judge(card)
    if not judged:
        return None
    missed = [identifier for identifier, kept in judged.items() if not kept]
    if not missed:
        return "The limit set for it is kept." if len(judged) == 1 else f"All {len(judged)} limits set for it are kept."
    texts = [
        f"{card[identifier].metric.title} is {_figure(card, identifier)} "
        f"({wanted(card[identifier].metric, thresholds.limits[identifier])} wanted)"
        for identifier in missed
    ]
    return f"It misses {len(missed)} of {counted(len(judged), 'limit')} set for it: {listed(texts)}."


def _figure(card: Scorecard, identifier: str) -> str:
    value = card[identifier].value
    return "unavailable" if value is None else shown(value)


def _lost(card: Scorecard) -> str | None:
    result = card["non_uniform_entropy"].result
    if not isinstance(result, NonUniformEntropy):
        return None
    lost = {name: column.loss for name, column in result.columns.items() if column.loss > 0}
    if not lost:
        return "It has lost no information."
    worst = max(lost, key=lambda name: lost[name])
    most = f", most of all in {visible(worst)}" if len(result.columns) > 1 else ""
    return f"By non-uniform entropy, {1 - result.value:.0%} of the information was lost{most}."


def _suppressed(card: Scorecard) -> str | None:
    classes = card.evidence.class_sizes
    gone = classes.suppressed + card.evidence.deleted
    if not gone:
        return None
    records = classes.kept + gone
    return (
        f"{counted(gone, 'record')} of {records:,} ({gone / records:.2%}) {'is' if gone == 1 else 'are'} suppressed or "
        "deleted and in no class."
    )


def _left_out(card: Scorecard) -> str | None:
    """Which records the measures of loss leave out, as the roles say."""
    return None if card.evidence.tally is None else card.evidence.tally.left_out


def _unmeasured(card: Scorecard) -> str | None:
    """What is missing although it could be expected: not what takes long, nor what needs a population nobody gave."""
    reasons: dict[str, list[str]] = {}
    for score in card:
        spared = score.metric.on_demand or (score.metric.id in _OF_POPULATION and card.evidence.population is None)
        if score.unavailable is not None and not spared:
            reasons.setdefault(score.unavailable, []).append(score.metric.title)
    told = [f"{_few(titles)} ({reason})" for reason, titles in reasons.items()]
    return f"Not measured: {'; '.join(told)}." if told else None


def _names(columns: Mapping[str, object]) -> str:
    """The first few names of columns, and how many more."""
    return _few([visible(name) for name in columns], "or")


def _few(names: Sequence[str], last: str = "and") -> str:
    """The first few of some names, and how many more."""
    more = len(names) - _MOST_NAMES
    return listed(names if more <= 0 else [*names[:_MOST_NAMES], f"{more} more"], last)
