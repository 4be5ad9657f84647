"""The singling-out attack, step by step: the predicates by their columns, and how many match exactly one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.working.latex import approx, whole
from metrics.working.steps import Step, short_label, step_of, whole_table

if TYPE_CHECKING:
    from metrics.attacks.singling_out.measure import SinglingOut


def derive(result: SinglingOut, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """Predicates and successes, class and value, the share."""
    rate = result.rate
    rows = [(name, attempts, hits) for name, (attempts, hits) in result.by_columns.items()]
    share_rows = [(short_label(name), share) for name, share in result.class_and_value.items()]
    successes = int(rate.successes)
    steps = [
        step_of(
            "singling_out_attack.working.descriptions", rows=rows, number=rate.attempts, descriptions=rate.attempts
        ),
        step_of("singling_out_attack.working.classes", rows=share_rows),
    ]
    if rate.attempts:
        share = rf"\frac{{{whole(successes)}}}{{{whole(rate.attempts)}}} {approx(rate.value)}"
        steps.append(step_of("singling_out_attack.working.share", share, number=rate.value))
    else:
        steps.append(step_of("singling_out_attack.working.nobody", approx(0), number=0.0))
    return tuple(steps)


WORKING = whole_table(derive)
