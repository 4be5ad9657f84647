"""The singling-out attack, step by step: the predicates by their columns, and how many match exactly one person."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.attacks.singling_out import SinglingOut
from metrics.config.parameters import Parameters
from metrics.explanations.workings.latex import approx, whole
from metrics.explanations.workings.steps import (
    Step,
    short_label,
    tabulated,
    whole_table,
)
from metrics.texts import text


def derive(result: SinglingOut, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """Predicates and successes, class and value, the share."""
    rate = result.rate
    rows = [(name, attempts, hits) for name, (attempts, hits) in result.by_columns.items()]
    share_rows = [(short_label(name), share) for name, share in result.class_and_value.items()]
    successes = int(rate.successes)
    steps = [
        Step(
            text("singling_out_attack.working.descriptions_title"),
            text("singling_out_attack.working.descriptions", descriptions=rate.attempts),
            table=tabulated(text("singling_out_attack.working.descriptions_columns"), rows, len(rows)),
            number=rate.attempts,
        ),
        Step(
            text("singling_out_attack.working.classes_title"),
            text("singling_out_attack.working.classes"),
            table=tabulated(text("singling_out_attack.working.classes_columns"), share_rows, len(share_rows)),
        ),
    ]
    if rate.attempts:
        share = rf"\frac{{{whole(successes)}}}{{{whole(rate.attempts)}}} {approx(rate.value)}"
        steps.append(
            Step(
                text("singling_out_attack.working.share_title"),
                text("singling_out_attack.working.share"),
                share,
                number=rate.value,
            )
        )
    else:
        steps.append(
            Step(
                text("singling_out_attack.working.nobody_title"),
                text("singling_out_attack.working.nobody"),
                approx(0),
                number=0.0,
            )
        )
    return tuple(steps)


SINGLING_OUT_ATTACK = whole_table(derive)
