"""How well an attacker guesses sensitive attributes: the figures of each attribute, and the sentences about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from metrics.aggregates.perturbation import MAX_GROUPED
from metrics.attacks.rates import (
    NOTICEABLE,
    Attacker,
    AttackRate,
    CertainAnswers,
    CriterionAttack,
    RatedAttack,
    assuming,
    assumption_phrase,
    is_noticeably_higher,
    noticeably_stronger,
    rows_of,
    strongest_rows,
)
from metrics.metric import AttackRow
from metrics.texts import text


@dataclass(frozen=True)
class InferredAttribute:
    """One sensitive attribute under attack."""

    rate: AttackRate
    certain: float
    """Share of targets whose possible records hold one single value, the target's own."""
    within: float | None
    """Distance within which the guessed median is right; None where the most frequent value is guessed."""
    misled: float = 0.0
    """Share of targets whose possible records hold one single value, but not the target's own."""
    certain_baseline: float = 0.0
    """Success without the table for the targets whose possible records hold one single value; 0 without any."""
    share_absent_from_original: float = 0.0
    """Share of the released records whose value is none of the original's, so that guessing it is never right."""

    def certain_excluding(self) -> str:
        """Say how often this attacker, who rules out suppressed records, is certain."""
        certain, misled = self.certain, self.misled
        if not misled:
            return text("attribute_inference_attack.certain_excluding", certain=certain)
        return text("attribute_inference_attack.certain_excluding_misled", certain=certain, misled=misled)

    @property
    def is_understated(self) -> bool:
        """Whether many released values are not the original's, so that the rate tells too little of what is learned."""
        return self.share_absent_from_original > MAX_GROUPED

    def remark(self, column: str) -> str | None:
        """Warn that the rate understates what an attacker learns."""
        if not self.is_understated:
            return None
        return text("attribute_inference_attack.unlike", share=self.share_absent_from_original, column=column)


class AttributeAttack(RatedAttack):
    """An attack on each of several sensitive attributes; what is found is of the one with the largest gain."""

    inferred: Mapping[str, Any]
    """By attribute its `rate`, and `within`: the distance within which a guess of its number counts as right."""

    @property
    def by_gain(self) -> Sequence[str]:
        """The attributes, those with the largest gain first."""
        raise NotImplementedError

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The success rate for each sensitive attribute."""
        return {name: attribute.rate.value for name, attribute in self.inferred.items()}

    @property
    def most_exposed(self) -> str:
        """The attribute with the largest gain, which the finding is about."""
        return self.by_gain[0]

    @property
    def basic_rate(self) -> AttackRate:
        """The rate of the attribute `most_exposed` where all possible records are equally likely to the attacker."""
        rate: AttackRate = self.inferred[self.most_exposed].rate
        return rate

    @property
    def about(self) -> str:
        """The attribute that `shown` is of, where there are several; else empty."""
        return self.most_exposed if len(self.inferred) > 1 else ""

    @property
    def success(self) -> str:
        return text("attribute_inference_attack.success", column=self.most_exposed, value=self.shown)

    def described(self, name: str) -> str:
        """The attribute, with the distance within which a guess of its number counts as right."""
        within = self.inferred[name].within
        return name if within is None else text("attribute_inference_attack.within", column=name, within=within)


@dataclass(frozen=True)
class AttributeInference(CriterionAttack, AttributeAttack):
    """`value` is the success rate for the sensitive attribute that is guessed best."""

    known: tuple[str, ...]
    inferred: Mapping[str, InferredAttribute]
    worst: str
    """The attribute that is guessed best, which `rate` belongs to; the first of equals."""
    class_known: Mapping[str, AttackRate] = field(default_factory=dict)
    """By attribute, success of an attacker who knows the class of each record: the rate for the people in a class."""
    suppressed_ruled_out: AttributeInference | None = None
    """Success of an attacker who rules out suppressed records; None if no record is suppressed."""
    no_possible_record: float = 0.0
    """Share of targets whom no released record covers; the nearest ones are taken instead."""
    most_specific: Mapping[str, AttackRate] = field(default_factory=dict)
    """By attribute, success of one who also takes only the most specific records; empty if no labels overlap."""

    @property
    def not_advised(self) -> str:
        """Why no limit applies: which attributes' released values are not the original's."""
        shares = {name: each.share_absent_from_original for name, each in self.inferred.items() if each.is_understated}
        if not shares:
            return ""
        return text("attribute_inference_attack.not_checked", columns=list(shares), share=max(shares.values()))

    def details(self) -> dict[str, Any]:
        """Return details of the worst attribute, the share of certain guesses, and details of each attribute."""
        stronger = self.suppressed_ruled_out
        return {
            **self.rate.details(),
            "known": list(self.known),
            "attribute": self.worst,
            "certain": {name: attribute.certain for name, attribute in self.inferred.items()},
            "no_candidate": self.no_possible_record,
            "guess": {
                name: "plurality" if attribute.within is None else "median" for name, attribute in self.inferred.items()
            },
            "by_attribute": {
                name: {"value": attribute.rate.value}
                | attribute.rate.details()
                | {"unlike_original": attribute.share_absent_from_original}
                for name, attribute in self.inferred.items()
            },
            "class_known": {name: rate.value for name, rate in self.class_known.items()},
            "suppressed_ruled_out": None if stronger is None else stronger.ruled_out(),
            "most_specific": {name: rate.value for name, rate in self.most_specific.items()} or None,
        }

    def ruled_out(self) -> dict[str, Any]:
        """Success and share of certain guesses by attribute."""
        return {
            name: {"value": attribute.rate.value, "certain": attribute.certain}
            for name, attribute in self.inferred.items()
        }

    def _other_attackers(self, name: str) -> dict[Attacker, AttackRate | None]:
        """Success of the other attackers who guess an attribute."""
        excluding = None if self.suppressed_ruled_out is None else self.suppressed_ruled_out.inferred[name].rate
        return {
            Attacker.SUPPRESSED_EXCLUDED: excluding,
            Attacker.MOST_SPECIFIC: self.most_specific.get(name),
            Attacker.CLASS_KNOWN: self.class_known.get(name),
        }

    def _stronger_for(self, name: str) -> dict[Attacker, AttackRate]:
        """The attackers who guess an attribute noticeably more often, the strongest last."""
        return noticeably_stronger(self.inferred[name].rate, self._other_attackers(name))

    def _attackers(self, name: str) -> list[AttackRate]:
        """The basic attacker of an attribute and those who are noticeably stronger, the strongest last."""
        return [self.inferred[name].rate, *self._stronger_for(name).values()]

    def best_rate(self, name: str) -> float:
        """The success rate of the strongest attacker of an attribute."""
        return max(rate.value for rate in self._attackers(name))

    def _gain_of(self, name: str) -> float:
        """By how much the strongest attacker of an attribute exceeds the larger of guessing and the control.

        Nobody in a hold-out table is in a class: the control is that of the attackers who do not know the class.
        """
        rates = self._attackers(name)
        return rates[-1].value - max(rate.expected_anyway for rate in rates)

    @cached_property
    def by_gain(self) -> tuple[str, ...]:
        """The attributes, those with the largest gain first; of equals `worst`."""
        return tuple(sorted(dict.fromkeys((self.worst, *self.inferred)), key=self._gain_of, reverse=True))

    @property
    def gain(self) -> float:
        """By how much the strongest attacker of `most_exposed` exceeds the larger of guessing and the control."""
        return self._gain_of(self.most_exposed)

    @property
    def other_attackers(self) -> Mapping[Attacker, AttackRate | None]:
        """Success of the other attackers for the attribute `most_exposed`."""
        return self._other_attackers(self.most_exposed)

    @property
    def successes(self) -> Iterable[tuple[Attacker | None, float]]:
        """Every attacker with the success rate for each attribute."""
        for name, attribute in self.inferred.items():
            yield None, attribute.rate.value
            for attacker, rate in self._other_attackers(name).items():
                if rate is not None:
                    yield attacker, rate.value

    @property
    def certain_answers(self) -> CertainAnswers | None:
        """Guesses of `most_exposed` on which all possible records agree; the attacker rules out suppressed records."""
        return self._certain_answers_of(self.most_exposed)

    def _certain_answers_of(self, name: str) -> CertainAnswers | None:
        excluding = self.suppressed_ruled_out
        guess = (excluding or self).inferred[name]
        share = guess.certain + guess.misled
        if not share:
            return None
        return CertainAnswers(share, guess.certain / share, guess.certain_baseline, excluding is not None)

    @property
    def achievement(self) -> str:
        """How often the attribute `most_exposed` is guessed."""
        achievement = text("attack.ignoring.inference", column=self.most_exposed, value=self.class_unknown.value)
        return assuming(achievement, self.stronger_without_class)

    @property
    def agreement(self) -> str:
        """How many people's possible records all agree, and how often they are right; empty where they never are."""
        column, answers = self.most_exposed, self.certain_answers
        if answers is None or not answers.right:
            return ""
        certain, right, baseline = answers.share, answers.right, answers.baseline
        sentence = (
            text("attack.ignoring.certain_excluding", column=column, certain=certain, right=right, baseline=baseline)
            if answers.excluding
            else text("attack.ignoring.certain", column=column, certain=certain, right=right, baseline=baseline)
        )
        return sentence

    def row_name(self, title: str) -> str:
        """Name the attacker by the attribute `most_exposed`."""
        return self._row_name_of(self.most_exposed)

    def _row_name_of(self, name: str) -> str:
        return text("attack.row.inference", column=self.described(name))

    def attack_rows(self, title: str) -> tuple[AttackRow, ...]:
        """The rows of the strongest attackers of every attribute, those with the largest gain first."""
        rows: list[AttackRow] = []
        for name in self.by_gain:
            rate, certain = self.inferred[name].rate, self._certain_answers_of(name)
            of_attribute = strongest_rows(self._row_name_of(name), rate, self._stronger_for(name), certain)
            misled = (self._below_baseline(name),)
            rows += [replace(row, remarks=(*row.remarks, *filter(None, misled))) for row in of_attribute]
        return tuple(rows)

    @property
    def below_baseline(self) -> str:
        """For which attributes attackers who do not know the class do worse than guessing, and why."""
        return " ".join(filter(None, map(self._below_baseline, self.by_gain)))

    def _below_baseline(self, name: str) -> str:
        stronger = [rate for attacker, rate in self._stronger_for(name).items() if attacker is not Attacker.CLASS_KNOWN]
        rate = [self.inferred[name].rate, *stronger][-1]
        if not is_noticeably_higher(rate.baseline, rate.value):
            return ""
        return text("attribute_inference_attack.below_baseline", column=name, value=rate.value, baseline=rate.baseline)

    def _excluding(self, name: str) -> InferredAttribute | None:
        """Return the result of an attacker who rules out suppressed records, if clearly surer; else None."""
        if self.suppressed_ruled_out is None:
            return None
        attribute, other = self.inferred[name], self.suppressed_ruled_out.inferred[name]
        return (
            None
            if max(other.rate.value - attribute.rate.value, other.certain - attribute.certain) < NOTICEABLE
            else other
        )

    @property
    def finding(self) -> str:
        """Success of the strongest attacker in words, without what it is compared with and without a full stop.

        If that attacker knows the class, the success without the class comes first, with that of guessing.
        """
        column, value = self.described(self.most_exposed), self.strongest.value
        if Attacker.CLASS_KNOWN in self.stronger:
            unknown = self.class_unknown
            return text(
                "attribute_inference_attack.from_class",
                column=column,
                unknown=unknown.value,
                baseline=unknown.baseline,
                value=value,
            )
        return text(
            "attribute_inference_attack.finding",
            known=self.known,
            assuming=assumption_phrase(self.stronger),
            column=column,
            value=value,
        )

    @property
    def headline(self) -> str:
        """The finding and what it is compared with, then how far the basic attacker succeeds."""
        if self.class_unknown is self.basic_rate:
            return self.brief
        alike = text("attribute_inference_attack.alike", column=self.most_exposed, value=self.basic_rate.value)
        return f"{self.brief} {alike}"

    @property
    def brief(self) -> str:
        """Success of the strongest attacker, and what it is compared with, in one sentence."""
        return super().headline

    def summary(self) -> str:
        most_exposed, excluding = self.inferred[self.most_exposed], self._excluding(self.most_exposed)
        sentences = [self.headline, *filter(None, [self.below_baseline])]
        if most_exposed.certain:
            sentences.append(text("attribute_inference_attack.certain", certain=most_exposed.certain))
        elif excluding is None:
            sentences.append(text("attribute_inference_attack.certain_none"))
        if most_exposed.misled:
            sentences.append(text("attribute_inference_attack.misled", misled=most_exposed.misled))
        if excluding is not None and excluding.certain:
            sentences.append(excluding.certain_excluding())
        remarks = (attribute.remark(name) for name, attribute in self.inferred.items())
        return " ".join((*sentences, *filter(None, remarks)))

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The rate of each attribute, and of noticeably stronger attackers."""
        rows = [rows_of(name, self.inferred[name].rate, self._stronger_for(name)) for name in self.by_gain]
        return {row: rate for of_attribute in rows for row, rate in of_attribute.items()}
