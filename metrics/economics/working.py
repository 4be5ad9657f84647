"""Profitability, step by step: the attacker's gain, the publisher's risk, the benefit, and every record's verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.coverages import coverages
from metrics.config.parameters import Parameters, ProfitabilityParameters
from metrics.formatting import format_number
from metrics.tables.values import exact_fraction
from metrics.texts import text
from metrics.working.latex import (
    ABOVE,
    AT_LEAST,
    BELOW,
    NOT_ABOVE,
    TIMES,
    abbreviated,
    approx,
    decimals,
    equals,
    fraction,
    lines,
    plain_fraction,
    rounded,
    whole,
)
from metrics.working.steps import Derivation, Step, StepTable, Subject, Unit, class_name, step_of, tabulated

if TYPE_CHECKING:
    from metrics.economics.profitability import Profitability


@dataclass(frozen=True)
class _Amounts:
    """The four amounts as the user wrote them."""

    cost: Fraction
    gain: Fraction
    loss: Fraction
    benefit: Fraction

    def expected(self, size: int) -> Fraction:
        """What attacking a record of a class of that size is expected to earn."""
        return self.gain / size

    def attacked(self, size: int) -> bool:
        """Whether attacking pays."""
        return self.expected(size) > self.cost

    def risk(self, size: int) -> Fraction:
        """What the publisher risks per record."""
        return self.loss / size if self.attacked(size) else Fraction(0)


def _amounts(parameters: ProfitabilityParameters) -> _Amounts:
    amounts = (
        parameters.adversary_cost,
        parameters.adversary_gain,
        parameters.publisher_loss,
        parameters.publisher_benefit,
    )
    return _Amounts(*map(exact_fraction, amounts))


def _gain_step(aggregates: Aggregates, index: int, size: int, amounts: _Amounts) -> Step:
    expected = amounts.expected(size)
    return step_of(
        "profitability.working.gain",
        rf"\frac{{1}}{{{whole(size)}}} {TIMES} {decimals(amounts.gain)} {equals(expected)}",
        number=float(expected),
        name=class_name(aggregates, index),
        size=size,
    )


def _risk_step(size: int, amounts: _Amounts) -> Step:
    expected, risk = amounts.expected(size), amounts.risk(size)
    title = text("profitability.working.risk_title")
    if not amounts.attacked(size):
        return Step(
            title,
            text("profitability.working.no_risk"),
            lines(rf"{decimals(expected)} &\le {decimals(amounts.cost)}", r"\text{risk} &= 0"),
            number=0.0,
        )
    return Step(
        title,
        text("profitability.working.risk"),
        lines(
            rf"{decimals(expected)} &> {decimals(amounts.cost)}",
            rf"\text{{risk}} &= \frac{{1}}{{{whole(size)}}} {TIMES} {decimals(amounts.loss)} {equals(risk)}",
        ),
        number=float(risk),
    )


def _loss_step(aggregates: Aggregates, index: int) -> tuple[Step, float]:
    classes = aggregates.classes
    coverage_of = coverages(aggregates)
    shares, sizes = [], []
    for column, codes in zip(classes.columns, classes.codes, strict=True):
        coverage = coverage_of[column.name]
        shares.append(Fraction(int(coverage.covered[codes[index]]), coverage.size))
        sizes.append(coverage.size)
    title = text("profitability.working.loss_title")
    domain = math.fsum(map(math.log10, sizes))
    if not domain:
        return Step(title, text("profitability.working.no_loss"), r"\mathit{IL} = 0", number=0.0), 0.0
    logs = math.fsum(math.log10(share.numerator) - math.log10(share.denominator) for share in shares)
    loss = min(max(logs / domain + 1, 0.0), 1.0)
    step = Step(
        title,
        text("profitability.working.loss"),
        lines(
            r"\mathit{IL} &= \frac{\log_{10} \prod \text{shares}}{\log_{10} \prod |D|} + 1",
            rf"&= \frac{{\log_{{10}}\bigl({abbreviated(map(fraction, shares), len(shares), TIMES)}\bigr)}}"
            rf"{{\log_{{10}}({abbreviated(map(whole, sizes), len(sizes), TIMES)})}} + 1",
            rf"&{approx(loss)}",
        ),
        number=loss,
    )
    return step, loss


def _benefit_step(size: int, amounts: _Amounts, loss: float | None) -> tuple[Step, bool]:
    risk = amounts.risk(size)
    if loss is None:
        pays = amounts.benefit > risk
        formula = rf"{decimals(amounts.benefit)} {ABOVE if pays else NOT_ABOVE} {decimals(risk)}"
    else:
        earned = float(amounts.benefit) * (1 - loss)
        pays = earned > float(risk)
        formula = (
            rf"{decimals(amounts.benefit)} {TIMES} (1 - {rounded(loss)}) \approx {rounded(earned)} "
            rf"{ABOVE if pays else NOT_ABOVE} {decimals(risk)}"
        )
    step = Step(
        text("profitability.working.benefit_title"),
        text("profitability.working.profitable") if pays else text("profitability.working.not_profitable"),
        formula,
        number=pays,
    )
    return step, pays


def _strict_step(size: int, amounts: _Amounts) -> tuple[Step, int | None]:
    """Whether no attack pays, and the class size from which none does."""
    title = text("profitability.working.strict_title")
    if not amounts.gain:
        return Step(title, text("profitability.working.strict_no_gain"), "0", number=True), 1
    if not amounts.cost:
        return Step(title, text("profitability.working.strict_no_cost"), r"|E| \ge \infty", number=False), None
    needed_size = amounts.gain // amounts.cost + 1
    is_safe = size >= needed_size
    sentence = (
        text("profitability.working.large_enough", needed=needed_size, size=size)
        if is_safe
        else text("profitability.working.too_small", needed=needed_size, size=size)
    )
    formula = lines(
        rf"\lfloor {decimals(amounts.gain)} / {decimals(amounts.cost)} \rfloor + 1 &= {whole(needed_size)}",
        rf"{whole(size)} &{AT_LEAST if is_safe else BELOW} {whole(needed_size)}",
    )
    return Step(title, sentence, formula, number=is_safe), needed_size


def _payout_step(
    aggregates: Aggregates, result: Profitability, amounts: _Amounts, index: int, own_loss: float | None
) -> Step:
    sizes, counts = np.unique(result.sizes, return_counts=True)
    attacked_classes = sum(
        count for size, count in zip(sizes.tolist(), counts.tolist(), strict=True) if amounts.attacked(size)
    )
    records = int(result.sizes.sum())
    suppressed = aggregates.classes.suppressed
    sentences = [text("profitability.working.payout", records=records, attacked=attacked_classes)]
    if suppressed:
        sentences.append(text("profitability.working.suppressed", suppressed=suppressed))
    title = text("profitability.working.payout_title")
    total_loss = rf"{whole(attacked_classes)} {TIMES} {decimals(amounts.loss)}"
    if own_loss is None or result.information_loss is None:
        payout = amounts.benefit * records - amounts.loss * attacked_classes
        formula = rf"{whole(records)} {TIMES} {decimals(amounts.benefit)} - {total_loss} {equals(payout)}"
        table = _size_table(sizes, counts, amounts)
        return Step(title, " ".join(sentences), formula, table, float(payout))
    sentences.append(text("profitability.working.reduced"))
    kept_shares = 1 - result.information_loss
    kept_shares[index] = 1 - own_loss
    earned = math.fsum(kept_shares * result.sizes * float(amounts.benefit))
    total = earned - float(amounts.loss * attacked_classes)
    return Step(
        title,
        " ".join(sentences),
        rf"{rounded(earned)} - {total_loss} {approx(total)}",
        _size_table(sizes, counts, amounts),
        total,
    )


def _size_table(
    sizes: np.typing.NDArray[np.int64], counts: np.typing.NDArray[np.int64], amounts: _Amounts
) -> StepTable:
    rows = (
        (
            size,
            count,
            plain_fraction(amounts.expected(size)),
            format_number(amounts.attacked(size)),
            plain_fraction(amounts.risk(size)),
        )
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
    )
    return tabulated(text("profitability.working.sizes_columns"), rows, len(sizes))


def _verdict_step(result: Profitability, amounts: _Amounts, needed_size: int | None, index: int, pays: bool) -> Step:
    if result.information_loss is None:
        sizes, counts = np.unique(result.sizes, return_counts=True)
        per_size = zip(sizes.tolist(), counts.tolist(), strict=True)
        n_losing = sum(count for size, count in per_size if amounts.benefit <= amounts.risk(size))
    else:
        others = np.delete(result.unprofitable, index)
        n_losing = int(others.sum()) + (not pays)
    smallest = int(result.sizes.min())
    basic, safe = n_losing == 0, needed_size is not None and smallest >= needed_size
    is_strict = not result.parameters.allow_attack
    value = basic and (safe or not is_strict)
    sentences = [
        text("profitability.working.basic_holds")
        if basic
        else text("profitability.working.basic_fails", losing=n_losing),
        text("profitability.working.strict_holds", smallest=smallest)
        if basic and safe
        else text("profitability.working.strict_fails", smallest=smallest),
        text("profitability.working.chosen_strict", verdict=value)
        if is_strict
        else text("profitability.working.chosen_basic", verdict=value),
    ]
    formula = rf"\text{{basic: {format_number(basic)}}} \qquad \text{{strict: {format_number(basic and safe)}}}"
    return Step(text("profitability.working.verdict_title"), " ".join(sentences), formula, number=value)


def derive(result: Profitability, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """Expected gain, risk, benefit, the strict step, the payout, the verdict."""
    index, amounts = subject.index, _amounts(result.parameters)
    size = int(result.sizes[index])
    steps = [_gain_step(aggregates, index, size, amounts), _risk_step(size, amounts)]
    loss: float | None = None
    if result.information_loss is not None:
        loss_step, loss = _loss_step(aggregates, index)
        steps.append(loss_step)
    benefit_step, pays = _benefit_step(size, amounts, loss)
    strict_step, needed_size = _strict_step(size, amounts)
    steps += [
        benefit_step,
        strict_step,
        _payout_step(aggregates, result, amounts, index, loss),
        _verdict_step(result, amounts, needed_size, index, pays),
    ]
    return tuple(steps)


def _smallest_class(result: Profitability, aggregates: Aggregates, parameters: Parameters) -> Subject:
    return Subject(int(result.sizes.argmin()) if len(result.sizes) else 0)


WORKING = Derivation(Unit.CLASS, None, derive, _smallest_class)
