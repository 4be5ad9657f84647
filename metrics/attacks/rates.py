"""The success rate of an attack beside that without the table and a control, with the interval where it is sampled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from metrics.aggregates import Aggregates
from metrics.counting.share_interval import wilson
from metrics.formatting import short_percent
from metrics.metric import AttackRow, Result
from metrics.texts import text

NOTICEABLE = 0.01
"""Smallest difference between the success rates of two attacks, or of one and its baseline, that is mentioned."""


class Attacker(StrEnum):
    """Attackers who know the same columns, but do not consider all possible records equally likely."""

    SUPPRESSED_EXCLUDED = "suppressed_excluded"
    """Rules out suppressed records."""
    MOST_SPECIFIC = "most_specific"
    """Also takes only the possible records whose labels cover the fewest values."""
    CLASS_KNOWN = "class_known"
    """Knows which class each person's record is in."""


@dataclass(frozen=True)
class AttackRate:
    """How often an attack succeeds: shares, 0 to 1, lower is better."""

    successes: float
    """Sum over all attempts; one that is shared among ties counts in part."""
    attempts: int
    """Targets or predicates; 0 if there is nothing to attack with."""
    baseline: float
    """Success without the table."""
    control: float | None
    """Success of the attack on people who are not in the original; None without them."""
    exact: bool
    """Whether every target is attacked; otherwise the figure is an estimate from some of them."""

    @property
    def value(self) -> float:
        """The success rate."""
        return self.successes / self.attempts if self.attempts else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds that hold the rate with 95% confidence; None if the rate is exact, or nothing was attempted."""
        return None if self.exact or not self.attempts else wilson(self.successes, self.attempts)

    @property
    def compared_with(self) -> float:
        """Success on the control or, without one, without the table."""
        return self.baseline if self.control is None else self.control

    @property
    def expected_anyway(self) -> float:
        """The larger of the success without the table and that on the control."""
        return max(self.baseline, self.control or 0.0)

    @property
    def gain(self) -> float:
        """The success rate less what is expected anyway."""
        return self.value - self.expected_anyway

    @property
    def excess(self) -> float:
        """Success beyond the control, or beyond the baseline without one: (rate − other)/(1 − other), at least 0.

        Source: M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi, "A unified framework for quantifying privacy risk in
        synthetic data", PoPETs 2023(2), doi 10.56553/popets-2023-0055.
        """
        other = self.compared_with
        return max((self.value - other) / (1 - other), 0.0) if other < 1 else 0.0

    def details(self) -> dict[str, Any]:
        """Baseline, control, excess, interval, and whether the figure is exact."""
        interval = self.interval
        return {
            "baseline": self.baseline,
            "control": self.control,
            "excess": self.excess,
            "excess_over": "baseline" if self.control is None else "control",
            "interval": None if interval is None else list(interval),
            "exact": self.exact,
            "attempts": self.attempts,
        }

    def compared(self, finding: str) -> str:
        """A finding, with its interval, and what it is compared with: the baseline, and the control if any."""
        baseline, control = self.baseline, self.control
        if control is not None and self.interval is None:
            return text("attack.compared_with_control", finding=finding, baseline=baseline, control=control)
        if self.interval is not None:
            low, high = self.interval
            if control is not None:
                return text(
                    "attack.estimated_with_control",
                    finding=finding,
                    low=low,
                    high=high,
                    baseline=baseline,
                    control=control,
                )
            finding = text("attack.estimated", finding=finding, low=low, high=high)
        if self.value < baseline:
            return text("attack.less", finding=finding, baseline=baseline)
        return text("attack.compared", finding=finding, baseline=baseline)


class CertainAnswers(NamedTuple):
    """Answers of an attacker for whom all possible records of a person agree."""

    share: float
    """Share of people for whom there is one."""
    right: float
    """Share of these for whom it is right."""
    baseline: float
    """Share of these for whom an attacker without the table is right."""
    excluding: bool
    """Whether the attacker rules out suppressed records."""

    def remark(self) -> str:
        """For how many people the attacker is certain, and how often rightly."""
        if self.excluding:
            return text("attack.row.certain_excluding", share=self.share, right=self.right, baseline=self.baseline)
        return text("attack.row.certain", share=self.share, right=self.right, baseline=self.baseline)


@dataclass(frozen=True)
class RatedAttack(Result):
    """The result of an attack whose value is a success rate."""

    rate: AttackRate

    @property
    def value(self) -> float:
        """The success rate, 0 to 1."""
        return self.rate.value

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds that hold the rate with 95% confidence; None if it is exact."""
        return self.rate.interval

    def details(self) -> dict[str, Any]:
        """Return the details of the rate."""
        return self.rate.details()

    @property
    def finding(self) -> str:
        """The finding without what it is compared with, and without a full stop."""
        raise NotImplementedError

    @property
    def basic_rate(self) -> AttackRate:
        """The rate of the basic attacker, who considers all possible records equally likely, in what is found."""
        return self.rate

    @property
    def other_attackers(self) -> Mapping[Attacker, AttackRate | None]:
        """Success of the other attackers who know the same columns; None where one does not differ."""
        return {}

    @property
    def stronger(self) -> Mapping[Attacker, AttackRate]:
        """The attackers who succeed noticeably more often than `basic_rate`, the strongest last."""
        return noticeably_stronger(self.basic_rate, self.other_attackers)

    @property
    def successes(self) -> Iterable[tuple[Attacker | None, float]]:
        """Every attacker, None for the basic one, with the success rate for everything that is attacked."""
        yield None, self.value
        yield from ((attacker, rate.value) for attacker, rate in self.other_attackers.items() if rate is not None)

    @property
    def max_success(self) -> float:
        """The largest success rate of any attacker, however little larger; a limit is compared with it."""
        return max(success for _, success in self.successes)

    @property
    def max_requires_class(self) -> bool:
        """Whether only an attacker who knows the classes of people attains `max_success`, as it is displayed."""
        return is_noticeably_higher(self.max_success, self._max_success_without_class)

    @property
    def _max_success_without_class(self) -> float:
        return max(success for attacker, success in self.successes if attacker is not Attacker.CLASS_KNOWN)

    @property
    def highest_success(self) -> float | None:
        """The success rate of the strongest attacker, if it is displayed as another number than the value; else None.

        Unlike `stronger`, of any attribute.
        """
        return self.max_success if is_noticeably_higher(self.max_success, self.value) else None

    @property
    def strongest(self) -> AttackRate:
        """The rate of the strongest attacker, which the finding begins with."""
        return [self.basic_rate, *self.stronger.values()][-1]

    @property
    def gain(self) -> float:
        """By how much the strongest attacker exceeds the larger of the baseline and the control."""
        return self.strongest.gain

    @property
    def class_unknown(self) -> AttackRate:
        """The rate of the strongest attacker who does not know the classes of people."""
        return [self.basic_rate, *self.stronger_without_class.values()][-1]

    @property
    def stronger_without_class(self) -> Mapping[Attacker, AttackRate]:
        """Those of `stronger` who do not know the classes of people."""
        return {attacker: rate for attacker, rate in self.stronger.items() if attacker is not Attacker.CLASS_KNOWN}

    @property
    def below_baseline(self) -> str:
        """That attackers do worse than without the table, and why; by default, nothing is said."""
        return ""

    @property
    def shown(self) -> float:
        """The success that stands for the attack: the strongest attacker's, for what the table adds most to."""
        return self.strongest.value

    @property
    def about(self) -> str:
        """The attribute that `shown` is of, where there are several; else empty."""
        return ""

    @property
    def in_short(self) -> str:
        """The success that stands for the attack, and that without the table, without a full stop."""
        return text("attack.in_short", success=self.success, baseline=self.strongest.baseline)

    @property
    def success(self) -> str:
        """The success that stands for the attack, in a few words."""
        raise NotImplementedError

    @property
    def assumes_class(self) -> bool:
        """Whether `shown` is the success of an attacker who knows the classes of people."""
        return Attacker.CLASS_KNOWN in self.stronger

    @property
    def headline(self) -> str:
        """The finding, and what it is compared with."""
        return self.strongest.compared(self.finding)

    @property
    def brief(self) -> str:
        """Success of the strongest attacker, and what it is compared with, in one sentence."""
        return self.headline

    @property
    def understates_risk(self) -> bool:
        """Whether an attacker without the table, or another who knows no more, succeeds noticeably more often."""
        return self.value < self.rate.baseline or is_noticeably_higher(self._max_success_without_class, self.value)

    @property
    def certain_answers(self) -> CertainAnswers | None:
        """The answers on which all possible records agree, if there are any; by default, there are none."""
        return None

    @property
    def achievement(self) -> str:
        """Success of the strongest attacker who does not know the classes of people, to follow "An attacker"."""
        raise NotImplementedError

    @property
    def agreement(self) -> str:
        """How many people's possible records all agree, and how often they are right; by default, nothing is said."""
        return ""

    def row_name(self, title: str) -> str:
        """Name the attacker in a chart of attacks, by default by the metric's title."""
        return title

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """The rows of the strongest attackers in a chart of attacks."""
        return tuple(strongest_rows(self.row_name(title), self.basic_rate, self.stronger, self.certain_answers))

    def summary(self) -> str:
        """The finding."""
        return self.headline


@dataclass(frozen=True)
class CriterionAttack(RatedAttack):
    """The result of an attack that answers a question of the Article 29 Working Party; see `Metric.criterion`."""

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The success rates, by what their rows in a figure are called."""
        raise NotImplementedError


def noticeably_stronger(rate: AttackRate, others: Mapping[Attacker, AttackRate | None]) -> dict[Attacker, AttackRate]:
    """Select the attackers who succeed noticeably more often than all before them, and than `rate`.

    One who knows the classes of people, which is more than columns, must be clearly better to count.
    """
    stronger, best = dict[Attacker, AttackRate](), rate.value
    for attacker, other in others.items():
        margin = NOTICEABLE if attacker is Attacker.CLASS_KNOWN else 0.0
        if other is not None and is_noticeably_higher(other.value, best) and other.value - best >= margin:
            stronger[attacker], best = other, other.value
    return stronger


def is_noticeably_higher(rate: float, other: float) -> bool:
    """Whether a success rate is higher, and displayed as another number."""
    return rate > other and short_percent(rate) != short_percent(other)


def rows_of(row: str, rate: AttackRate, stronger: Mapping[Attacker, AttackRate]) -> dict[str, AttackRate]:
    """By row of a figure, the rate of an attack and those of the attackers who are noticeably stronger."""
    names = {
        Attacker.SUPPRESSED_EXCLUDED: text("attack.row.suppressed_excluded", row=row),
        Attacker.MOST_SPECIFIC: text("attack.row.most_specific", row=row),
        Attacker.CLASS_KNOWN: text("attack.row.class_known", row=row),
    }
    return {row: rate} | {names[attacker]: other for attacker, other in stronger.items()}


def strongest_rows(
    name: str, rate: AttackRate, stronger: Mapping[Attacker, AttackRate], certain: CertainAnswers | None
) -> list[AttackRow]:
    """The row of the strongest attacker who does not know the class, and of one who does if that is stronger."""
    terms = {
        Attacker.MOST_SPECIFIC: text("attack.terms.most_specific"),
        Attacker.CLASS_KNOWN: text("attack.terms.class_known"),
    }
    agreement = () if certain is None else (certain.remark(),)
    rows = []
    for attacker, (row, other) in zip((None, *stronger), rows_of(name, rate, stronger).items(), strict=True):
        remarks = (terms[attacker],) if attacker in terms else ()
        values = (other.value, other.baseline, other.control, other.interval)
        attack = "" if attacker is Attacker.CLASS_KNOWN else name
        rows.append(AttackRow(row, *values, (*remarks, *agreement), attack))
    return rows[-2:] if Attacker.CLASS_KNOWN in stronger else rows[-1:]


def assuming(achievement: str, stronger: Mapping[Attacker, AttackRate]) -> str:
    """What an attacker achieves, with what the strongest of these assumes."""
    if Attacker.MOST_SPECIFIC in stronger:
        return text("attack.ignoring.most_specific", achievement=achievement)
    return text("attack.ignoring.suppressed_excluded", achievement=achievement) if stronger else achievement


def assumption_phrase(stronger: Mapping[Attacker, AttackRate]) -> str:
    """Describe the strongest attacker who does not know the class, to follow "An attacker who knows age"."""
    if Attacker.MOST_SPECIFIC in stronger:
        return text("attack.assuming.most_specific")
    return text("attack.assuming.suppressed_excluded") if stronger else ""


def rates_chart(result: Any, aggregates: Aggregates) -> Any:
    """The chart of an attack by its `rates`."""
    from metrics.attacks.chart import attack_dumbbell

    return attack_dumbbell(result.rates, result.finding)
