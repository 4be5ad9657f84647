"""Repairs described in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.candidates.limits.constraints import ABOVE_ZERO, Constraints
from metrics.candidates.repair.p29_repair import Repair
from metrics.candidates.repair.to_limits import LimitedRepair, Method
from metrics.config.parameters import P29Parameters
from metrics.counting.classes import EquivalenceClasses
from metrics.wording import format_number, join_names, percent, pluralize, significant, visible

_METHOD_NAMES = {
    Method.RECORDS: "Suppressed whole classes",
    Method.CELLS: "Suppressed cells",
    Method.MERGE: "Merged classes",
}


def p29_repair_lines(repair: Repair, classes: EquivalenceClasses) -> Iterator[str]:
    """Line by line: the classes of each round with their reasons, then the score and the records lost."""
    verb = "deleted" if repair.method == "delete" else "merged into the nearest class"
    for number, one in enumerate(repair.rounds, 1):
        count = pluralize(one.classes, "class", "classes")
        fail, is_or_are = ("fails", "is") if one.classes == 1 else ("fail", "are")
        records = pluralize(one.records, "record")
        yield f"Round {number}: {count} ({records}) {fail} a condition of P_29 and {is_or_are} {verb}"
        for index, reason in zip(one.index.tolist(), one.reasons.to_pylist(), strict=True):
            yield f"  {_class_label(classes, index)}: {visible(reason)}"
    if not repair.rounds:
        yield "Every class meets all conditions of P_29; the table is unchanged"
    lost = f"{pluralize(repair.lost_records, 'record')} {'deleted' if repair.method == 'delete' else 'suppressed'}"
    yield f"P_29 after the repair: {significant(repair.score)}; {lost}"


def limited_repair_lines(
    repair: LimitedRepair, classes: EquivalenceClasses, parameters: P29Parameters, *, deleted: bool
) -> Iterator[str]:
    """Line by line: the violating classes with their reasons, what was changed, and the loss by each utility metric."""
    violating = repair.violating.tolist()
    if not violating:
        yield f"{no_violations_summary(repair.constraints, parameters)[0]} The table is unchanged"
    else:
        records = pluralize(int(classes.sizes[repair.violating].sum()), "record")
        verb = "fails" if len(violating) == 1 else "fail"
        yield f"{pluralize(len(violating), 'class', 'classes')} ({records}) {verb} the limits"
    for index, reason in zip(violating, repair.reasons, strict=True):
        yield f"  {_class_label(classes, index)}: {reason}"
    yield change_summary(repair, deleted=deleted)
    yield "Utility metrics, before and after:"
    for cost in repair.costs:
        yield f"  {cost.before.metric.title}: {format_number(cost.before.value)} → {format_number(cost.after.value)}"


def information_change(repair: LimitedRepair) -> str:
    """The share of the information that is kept before and after, "" where it is not measured."""
    for cost in repair.costs:
        if cost.before.metric.id == "non_uniform_entropy" and cost.before.value is not None:
            before, after = (
                f"{'' if score.not_judged is None else 'at most '}{percent(float(score.value or 0))}"
                for score in (cost.before, cost.after)
            )
            return f"information kept {before} → {after}"
    return ""


def no_violations_summary(constraints: Constraints, parameters: P29Parameters) -> tuple[str, bool]:
    """Say which limits every class meets and which of k, l and t have none; and whether nothing needs repair.

    Returns
    -------
    tuple of str and bool
        The sentence, and whether each of k, l and t has a limit that a class can violate. Only then is there nothing
        to repair.
    """
    met = [phrase for phrase in _limit_phrases(constraints) if phrase]
    missing = _criteria_without_limit(constraints, parameters)
    sentence = f"Every class meets {join_names(met)}" if met else "No limit is set that a class could fail"
    if not missing:
        return f"{sentence}; there is nothing to repair.", True
    has = "has" if len(missing) == 1 else "have"
    return (
        f"{sentence}. {join_names(missing)} {has} no limit, so classes may still disclose what these limits prevent.",
        False,
    )


def _criteria_without_limit(constraints: Constraints, parameters: P29Parameters) -> list[str]:
    """Name those of k, l and t for which no limit is set that a class could violate."""
    # P_29 above 0 limits all three: no class of one record, with a single value, or above its limit on t.
    p29 = bool(constraints.p29)
    limited = {
        "k": (constraints.k or 0) > 1 or p29,
        "l": max(constraints.l or 0, constraints.entropy_l or 0) > 1 or bool(constraints.normalized_l) or p29,
        "t": (constraints.t is not None and constraints.t < 1) or (p29 and parameters.t_max < 1),
    }
    return [name for name, is_limited in limited.items() if not is_limited]


def _limit_phrases(limits: Constraints) -> Iterator[str]:
    """The limits that a class can violate."""
    yield f"k of at least {limits.k:,}" if (limits.k or 0) > 1 else ""
    yield f"l of at least {limits.l:,}" if (limits.l or 0) > 1 else ""
    yield f"entropy l of at least {limits.entropy_l:g}" if (limits.entropy_l or 0) > 1 else ""
    yield f"normalized entropy of at least {limits.normalized_l:g}" if limits.normalized_l else ""
    yield f"t of at most {limits.t:g}" if limits.t is not None and limits.t < 1 else ""
    if limits.p29:
        yield "P_29 above 0" if limits.p29 == ABOVE_ZERO else f"P_29 of at least {limits.p29:g}"
    yield "the requirement that no attack is profitable" if limits.no_attack else ""
    yield "the requirement that publishing is profitable" if limits.profitable else ""


def change_summary(repair: LimitedRepair, *, deleted: bool = False) -> str:
    """How much was changed, and whether the change is minimal."""
    records = [pluralize(repair.suppressed_now, "record")] if repair.suppressed_now else []
    cells = [pluralize(repair.cells_suppressed, "cell")] if repair.cells_suppressed else []
    lost = f"{join_names([*records, *([] if deleted else cells)] or ['none'])} {'deleted' if deleted else 'suppressed'}"
    changed = f"{pluralize(repair.records_changed, 'record')} ({pluralize(repair.cells_changed, 'cell')}) changed"
    rounds = (
        f"{_METHOD_NAMES[repair.method]} in {pluralize(len(repair.rounds), 'round')}"
        if repair.rounds
        else "No repair needed"
    )
    return f"{rounds}: {changed}, {lost}; {_optimality(repair)}"


def _optimality(repair: LimitedRepair) -> str:
    """Whether a smaller change of the same kind suffices; suppressing some records of a class is another kind."""
    if not repair.exact:
        return "heuristic: a smaller change may suffice"
    if repair.method is Method.RECORDS:
        return "the smallest change by whole classes; suppressing single records of a class may need fewer"
    return "optimal: no smaller change of this kind suffices"


def _class_label(classes: EquivalenceClasses, index: int) -> str:
    labels = ", ".join(f"{visible(name)} = {visible(label)}" for name, label in classes.labels(index).items())
    return f"{labels} ({pluralize(int(classes.sizes[index]), 'record')})"
