"""All that is said of one table, each in one sentence, the most serious first; pages and reports choose by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from metrics.attacks.guessing.inferred_attributes import AttributeInference
from metrics.attacks.rates import NOTICEABLE, Attacker
from metrics.explanations.direct_identifiers import columns_to_settle, shown_identifiers
from metrics.explanations.ignoring_changes import successes_ignoring_changes
from metrics.explanations.release_checks import deciding_distance, in_order_of_original, single_known_values
from metrics.explanations.released_values import (
    doubtful_labels,
    false_intervals_summary,
    misfit_labels,
    released_labels,
)
from metrics.explanations.suppression import lost_records, suppressed_cells, suppressed_group, uneven_suppression
from metrics.formatting import join_names, visible
from metrics.metric import Finding, FindingKind, Severity
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.policy.policy import Policy
from metrics.privacy.k_anonymity.measure import KAnonymity
from metrics.privacy.local_dp.measure import LOCAL_DP, LocalDP
from metrics.privacy.safepub.measure import SAFEPUB, SafePub
from metrics.scoring.compared_records import aggregates_for, is_perturbed, perturbed_columns_of
from metrics.scoring.scorecard import Scorecard
from metrics.texts import abbreviated_names, text
from metrics.utility.cells.caveats import perturbed_columns

OF_METRICS: Final = {
    FindingKind.IDENTITY_DISCLOSURE,
    FindingKind.ATTRIBUTE_DISCLOSURE,
    FindingKind.DISTRIBUTION_DISCLOSURE,
    FindingKind.PROFITABLE_ATTACK,
    FindingKind.JOINT_SCORE,
    FindingKind.INFORMATION_LOSS,
}
"""What metrics declare themselves, by `Metric.finding`."""
LEADING: Final = (
    FindingKind.NO_CLASSES,
    FindingKind.IDENTITY_DISCLOSURE,
    FindingKind.ATTRIBUTE_DISCLOSURE,
    FindingKind.GUESSES,
    FindingKind.UNDERSTATED_ATTACKS,
    FindingKind.MISFIT_LABELS,
    FindingKind.LOST_RECORDS,
    FindingKind.SUPPRESSED_CELLS,
)
"""Whom and what a table discloses, and how many records it lost: what leads its description."""
BEFORE_RELEASE: Final = (
    FindingKind.COLUMNS_TO_SETTLE,
    FindingKind.DECIDING_DISTANCE,
    FindingKind.SINGLE_KNOWN_VALUES,
    FindingKind.SUPPRESSED_GROUP,
)
"""What must be settled before a table is released, in whatever order, and whether or not it meets a policy."""


def findings(
    card: Scorecard, policy: Policy = NO_LIMITS, kinds: Iterable[FindingKind] = FindingKind
) -> tuple[Finding, ...]:
    """Describe one table in sentences that name columns but contain no class and no record of it.

    Parameters
    ----------
    card
        The scores of the table.
    policy
        Its limits are compared with the scores.
    kinds
        What is looked for; by default everything.

    Returns
    -------
    tuple of Finding
        The most serious first; a strength only where no weakness of these kinds is found. Names of columns are not
        escaped.
    """
    wanted, card = set(kinds), policy.apply_to(card)
    found = [finding for finding in _of_metrics(card) if finding.kind in wanted] if wanted & OF_METRICS else []
    if any(finding.severity is Severity.RISK for finding in found):
        found = [finding for finding in found if finding.severity is not Severity.STRENGTH]
    if FindingKind.LIMITS in wanted and policy.limits:
        found.append(Finding(FindingKind.LIMITS, Severity.NOTE, policy.check(card).summary()))
    for kind in wanted & _OTHERS.keys():
        severity, describe = _OTHERS[kind]
        found += [Finding(kind, severity, sentence) for sentence in describe(card) if sentence]
    return tuple(sorted(found, key=lambda finding: (finding.severity, finding.kind)))


def said(card: Scorecard, *kinds: FindingKind) -> str:
    """What is found of some kinds, as one text; empty where nothing is."""
    return " ".join(finding.sentence for finding in findings(card, kinds=kinds))


def _of_metrics(card: Scorecard) -> Iterator[Finding]:
    for score in card:
        if score.metric.finding is not None and score.result is not None:
            finding = score.metric.finding(score.result, aggregates_for(score.metric, card.aggregates))
            if finding is not None:
                yield finding


def _no_classes(card: Scorecard) -> Iterator[str]:
    if not card.aggregates.class_sizes.count:
        yield text("verdict.all_suppressed") if card.aggregates.anonymized.rows else text("verdict.no_records")


def _guesses(card: Scorecard) -> Iterator[str]:
    """How often a sensitive value is guessed by who does not know the classes, where values do not tell them."""
    attack = card["attribute_inference_attack"].result
    if not isinstance(attack, AttributeInference) or Attacker.CLASS_KNOWN not in attack.stronger:
        return
    perturbed = bool(perturbed_columns_of(card.aggregates))
    ignored_columns, ignoring = successes_ignoring_changes(card) if perturbed else ([], {})
    leading = ignoring.get("attribute_inference_attack")
    # Without the changed columns another attribute can be the most exposed: the column is that of the same result.
    leading = leading if isinstance(leading, AttributeInference) else attack
    rate = leading.class_unknown
    if not (perturbed or attack.most_specific) or attack.strongest.value < rate.value + NOTICEABLE:
        return
    column, value, baseline = leading.most_exposed, rate.value, rate.baseline
    if leading is attack:
        yield text("verdict.class_unknown", column=column, value=value, baseline=baseline)
    else:
        yield text("verdict.class_ignored", columns=ignored_columns, column=column, value=value, baseline=baseline)


def _understated_attacks(card: Scorecard) -> Iterator[str]:
    """Which values are not the true ones, or have two meanings, so that attackers can succeed more often."""
    if not card.aggregates.class_sizes.count:
        return
    shares = perturbed_columns_of(card.aggregates)
    if shares:
        yield text("perturbed.classes", reason=perturbed_columns(shares))
    yield from doubtful_labels(card.aggregates)


def _order(card: Scorecard) -> Iterator[str]:
    if in_order_of_original(card.aggregates):
        yield text("verdict.in_order")


def _left_out(card: Scorecard) -> Iterator[str | None]:
    """Which records the measures of loss leave out, as the roles say."""
    tally = card.aggregates.comparison.tally
    yield None if tally is None else tally.left_out


def _perturbed(card: Scorecard) -> Iterator[str]:
    """Say that no quasi-identifier is a generalization of the original, and what was drawn, sampled or hidden."""
    if is_perturbed(card.aggregates):
        yield text("verdict.perturbed")
    drawn, made = card[LOCAL_DP.id].result, card[SAFEPUB.id].result
    if isinstance(drawn, LocalDP):
        names = [name for name in card.aggregates.roles.sensitive if name in drawn.columns]
        yield f"{drawn.summary()} {text('verdict.randomized', columns=names) if names else ''}".strip()
    if isinstance(made, SafePub) and made.sampled is not None:
        yield made.summary()
    released = card.aggregates.anonymized
    hidden = [name for name in card.aggregates.roles.sensitive if name in released and not released.shows(name)]
    if hidden and released.rows:
        yield text("verdict.no_value", columns=hidden, number=len(hidden))


def _assumptions(card: Scorecard) -> Iterator[str]:
    """Where figures rest on other assumptions than the classes."""
    result, known_columns = card["k_anonymity"].result, card.parameters.attack.known
    if isinstance(result, KAnonymity) and result.wildcards:
        yield text("assumptions.wildcards")
    if known_columns and set(known_columns) != set(card.aggregates.roles.quasi_identifiers):
        yield text("assumptions.known", columns=join_names([visible(name) for name in known_columns]))


def _unmeasured(card: Scorecard) -> Iterator[str]:
    """Name the metrics that are unavailable although expected: not those on demand or about other tables."""
    if not card.aggregates.class_sizes.count:
        return
    reasons: dict[str, list[str]] = {}
    for score in card:
        is_optional = score.metric.about_population and card.aggregates.population is None
        is_optional |= score.metric.about_holdout and card.aggregates.holdout is None
        is_optional |= bool(score.metric.needs_role) and not getattr(card.aggregates.roles, score.metric.needs_role)
        is_optional |= score.metric.about_perturbation and not is_perturbed(card.aggregates)
        if score.unavailable is not None and not score.metric.on_demand and not is_optional:
            reasons.setdefault(score.unavailable, []).append(score.metric.title)
    metrics = [
        text("verdict.not_measured_because", titles=abbreviated_names(titles), reason=reason)
        for reason, titles in reasons.items()
    ]
    if metrics:
        yield text("verdict.not_measured", metrics="; ".join(metrics))


_OTHERS: Final[Mapping[FindingKind, tuple[Severity, Callable[[Scorecard], Iterable[str | None]]]]] = {
    FindingKind.IDENTIFIERS: (Severity.RISK, lambda card: shown_identifiers(card.aggregates)),
    FindingKind.NO_CLASSES: (Severity.RISK, _no_classes),
    FindingKind.GUESSES: (Severity.RISK, _guesses),
    FindingKind.UNDERSTATED_ATTACKS: (Severity.RISK, _understated_attacks),
    FindingKind.MISFIT_LABELS: (Severity.RISK, lambda card: misfit_labels(card.aggregates)),
    FindingKind.COLUMNS_TO_SETTLE: (Severity.SETTLE, lambda card: columns_to_settle(card.aggregates)),
    FindingKind.ORDER: (Severity.SETTLE, _order),
    FindingKind.DECIDING_DISTANCE: (Severity.SETTLE, deciding_distance),
    FindingKind.SINGLE_KNOWN_VALUES: (Severity.SETTLE, lambda card: single_known_values(card.aggregates)),
    FindingKind.SUPPRESSED_GROUP: (Severity.SETTLE, suppressed_group),
    FindingKind.FALSE_INTERVALS: (Severity.SETTLE, lambda card: [false_intervals_summary(card.aggregates)]),
    FindingKind.SUPPRESSED_CELLS: (Severity.NOTE, suppressed_cells),
    FindingKind.LOST_RECORDS: (Severity.NOTE, lambda card: lost_records(card.aggregates)),
    FindingKind.UNEVEN_SUPPRESSION: (Severity.NOTE, lambda card: [uneven_suppression(card.aggregates)]),
    FindingKind.RECORDS_LEFT_OUT: (Severity.NOTE, _left_out),
    FindingKind.PERTURBED: (Severity.NOTE, _perturbed),
    FindingKind.LABELS: (Severity.NOTE, released_labels),
    FindingKind.ASSUMPTIONS: (Severity.NOTE, _assumptions),
    FindingKind.UNMEASURED: (Severity.NOTE, _unmeasured),
}
"""How everything else is found, with its severity."""
