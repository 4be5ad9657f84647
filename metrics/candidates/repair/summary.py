"""Repairs described in sentences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from metrics.candidates.limits.enforced import ENFORCED, K, L, Limits, T
from metrics.candidates.repair.to_limits import LimitedRepair, Method
from metrics.config.parameters import P29Parameters, Parameters
from metrics.counting.classes import EquivalenceClasses
from metrics.formatting import join_names, percent, without_isolates
from metrics.privacy.l_diversity.measure import ENTROPY_L_DIVERSITY, NORMALIZED_ENTROPY_L_DIVERSITY
from metrics.privacy.p29.measure import P_29
from metrics.scoring.catalog import INFORMATION
from metrics.scoring.class_table import ClassTable
from metrics.scoring.metric_score import Score
from metrics.scoring.scorecard import score_metric
from metrics.texts import text


def limited_repair_lines(
    repair: LimitedRepair, classes: EquivalenceClasses, parameters: P29Parameters, *, deleted: bool
) -> Iterator[str]:
    """Line by line: how many classes fail each limit, what was changed, and the loss by utility metric; no class."""
    violating = repair.violating.tolist()
    if not violating:
        yield no_violations_summary(repair.limits, parameters)[0]
    else:
        records = int(classes.sizes[repair.violating].sum())
        yield text("repair.failing", classes=len(violating), records=records)
    yield from (f"  {failing}" for failing in repair.failing)
    yield change_summary(repair, deleted=deleted)
    if repair.limits.get(P_29.id):
        yield text("repair.p29_after", score=p29_after(repair, parameters))
    if deleted and classes.suppressed and repair.method is not Method.FAILING:
        yield text("repair.suppressed_before_deleted", records=classes.suppressed)
    costs = [cost for cost in repair.costs if cost.before.value is not None or cost.after.value is not None]
    if costs:
        yield text("repair.costs_with_deleted_title") if deleted else text("repair.costs_title")
    for cost in costs:
        yield f"  {cost.before.metric.shown.title}: {cost.before.shown_text()} → {cost.after.shown_text()}"


def p29_after(repair: LimitedRepair, parameters: P29Parameters) -> float:
    """P_29 of the repaired table; 0 if no class is left."""
    if not repair.aggregates.classes.count:
        return 0.0
    return float(score_metric(P_29, repair.aggregates, Parameters(p29=parameters)).value or 0)


def failing_classes(classes: ClassTable, repair: LimitedRepair) -> pa.Table:
    """A row for each class that failed, with the round and why, apart from the columns of all classes."""
    index = np.array([index for failing in repair.violations for index in failing], dtype=np.int64)
    numbers = [number for number, failing in enumerate(repair.violations, 1) for _ in failing]
    reasons = [without_isolates(reason) for failing in repair.violations for reason in failing.values()]
    listed = classes.to_arrow(index).append_column("repair_round", pa.array(numbers, pa.int64()))
    return listed.append_column("repair_reasons", pa.array(reasons, pa.string()))


def information_change(repair: LimitedRepair) -> str:
    """The share of the information that is kept before and after, "" where it is not measured."""
    kept = information_kept(repair)
    return "" if kept is None else text("repair.information", before=kept[0], after=kept[1])


def information_kept(repair: LimitedRepair) -> tuple[str, str] | None:
    """The share of the information that is kept before, and after; None where it is not measured."""
    for cost in repair.costs:
        if cost.before.metric.id == INFORMATION and cost.before.value is not None:
            return _kept(cost.before), _kept(cost.after)
    return None


def _kept(score: Score) -> str:
    """A share that is kept, as a bound where changed values count as kept."""
    share = float(score.value or 0)
    return percent(share) if score.not_checked is None else text("loss.at_most", share=share)


def no_violations_summary(limits: Limits, parameters: P29Parameters) -> tuple[str, bool]:
    """Say which limits every class meets and which of k, l and t have none; and whether nothing needs repair.

    The sentence, and whether each of k, l and t has a limit that a class can violate. Only then is there nothing to
    repair.
    """
    met_limits = [phrase for name, bound in limits.items() if (phrase := ENFORCED[name].promise(bound))]
    missing = _without_limit(limits, parameters)
    if not missing:
        return text("repair.nothing_to_repair", limits=join_names(met_limits)), True
    sentence = text("repair.limits_met", limits=join_names(met_limits)) if met_limits else text("repair.no_limit")
    number, criteria = len(missing), join_names(missing)
    return f"{sentence} {text('repair.criteria_without_limit', criteria=criteria, number=number)}", False


def _without_limit(limits: Limits, parameters: P29Parameters) -> list[str]:
    """Name those of k, l and t for which no limit is set that a class could violate."""
    set_limits = {name for name, bound in limits.items() if ENFORCED[name].promise(bound)}
    # P_29 above 0 limits all three: no class of one record, with a single value, or above its limit on t.
    p29 = P_29.id in set_limits
    limited = {
        "k": K in set_limits or p29,
        "l": p29 or not set_limits.isdisjoint((L, ENTROPY_L_DIVERSITY.id, NORMALIZED_ENTROPY_L_DIVERSITY.id)),
        "t": T in set_limits or (p29 and parameters.t_max < 1),
    }
    return [name for name, is_limited in limited.items() if not is_limited]


def unmet_summary(repair: LimitedRepair) -> str:
    """The limits that are missed, and the levels kept that may be the reason."""
    unmet = "; ".join(repair.unmet)
    return text("repair.kept_levels", unmet=unmet, columns=join_names(repair.kept)) if repair.kept else unmet


def change_summary(repair: LimitedRepair, *, deleted: bool = False) -> str:
    """How much was changed, and whether a smaller change may suffice, in sentences."""
    if not repair.records_changed:
        return text("repair.nothing_changed")
    if deleted:
        return text(
            "repair.deleting", rounds=len(repair.rounds), records=repair.suppressed_now, optimality=_optimality(repair)
        )
    records, cells = repair.suppressed_now, repair.cells_suppressed
    losses = [text("repair.records_lost", records=records)] if records else []
    if cells and records:
        losses.append(text("repair.further_cells_lost", cells=cells))
    elif cells:
        losses.append(text("repair.cells_lost", cells=cells))
    lost = text("repair.suppressed", lost=join_names(losses)) if losses else ""
    return text(
        "repair.change",
        repair=_rounds(repair),
        records=repair.records_changed,
        cells=repair.cells_changed,
        lost=lost,
        optimality=_optimality(repair),
    ).rstrip()


def _rounds(repair: LimitedRepair) -> str:
    """By which method, and in how many rounds."""
    rounds = len(repair.rounds)
    if repair.method is Method.CELLS:
        return text("repair.cells", rounds=rounds)
    if repair.method is Method.MERGE:
        return text("repair.merged", rounds=rounds)
    return text("repair.whole_classes", rounds=rounds)


def _optimality(repair: LimitedRepair) -> str:
    """Whether a smaller change of the same kind suffices; suppressing some records of a class is another kind.

    Empty where the change itself does not suffice.
    """
    if repair.unmet:
        return ""
    if not repair.exact:
        return text("repair.heuristic")
    return text("repair.smallest_by_classes") if repair.method is Method.RECORDS else text("repair.optimal")
