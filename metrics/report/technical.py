"""The technical appendix of a report: every metric with its finding and definition, and every figure in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from metrics.explanations.bounds import as_bound
from metrics.explanations.changed_settings import marked_title
from metrics.metric import Direction, Family
from metrics.policy.built_in_policies import DEFAULT_POLICY
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, measured, outcome_text
from metrics.policy.policy import Policy
from metrics.privacy.local_dp.measure import LOCAL_DP, LocalDP
from metrics.report.facts import (
    FileDigests,
    compared_tables,
    flat,
    full_digits,
    labelled_parameters,
    matching_summary,
    roles_of,
)
from metrics.report.rendering import render
from metrics.report.svg import cost_bars
from metrics.report.violating import violations
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_MAX_ATTRIBUTES = 12
"""Most attributes whose own figure stands beside a metric; “Every figure in full” has all."""
_HEADINGS = {
    Family.PRIVACY: ("Privacy", text("families.privacy")),
    Family.ATTACKS: ("Attacks", text("families.attacks")),
    Family.UTILITY: ("Utility", text("families.utility")),
    Family.ECONOMICS: ("Economics", text("families.economics")),
}


def technical_html(
    card: Scorecard,
    *,
    label: str | None = None,
    policy: Policy = DEFAULT_POLICY,
    sha256: FileDigests | None = None,
    date: str | None = None,
) -> str:
    """A self-contained page of the tables, parameters, metrics and definitions, with every figure in full.

    It names no class, as the report does not, and has no script.

    Parameters
    ----------
    card : Scorecard
        The version that the page is about.
    label : str, optional
        The version's label, by default its table's name.
    policy : Policy
        The limits to check.
    sha256 : FileDigests, optional
        Digests of the files.
    date : str, optional
        Shown as given.

    Returns
    -------
    str
        HTML.
    """
    card = policy.apply_to(card)
    return render(
        "technical.html",
        name=label or card.aggregates.anonymized.name,
        date=date,
        tables=list(compared_tables(card, sha256 or FileDigests(), label)),
        roles=list(roles_of(card)),
        matching=matching_summary(card),
        hierarchies=card.aggregates.hierarchies,
        randomized=drawn.columns if isinstance(drawn := card[LOCAL_DP.id].result, LocalDP) else {},
        parameters=labelled_parameters(card.parameters),
        families=[(*_HEADINGS[family], list(_metrics(card, family, policy))) for family in Family],
        bars=cost_bars(card.aggregates.class_sizes, card.parameters.profitability),
        violations=violations(card),
        definitions=[(score.metric, _mathml(score.metric.formula)) for score in card],
        full=[(score, list(_full(score.to_dict()))) for score in card],
    )


@lru_cache(maxsize=256)
def _mathml(latex: str) -> Markup:
    """A formula of the catalog as MathML, its LaTeX as the alternative text."""
    markup = convert(latex, display="block")
    return Markup(markup.replace("<math ", f'<math alttext="{escape(latex)}" ', 1))


class _Line(NamedTuple):
    """One metric in the table of its family."""

    title: str
    anchor: str
    about: str
    value: str
    full: str
    limit: str
    kept: str
    finding: str
    of_attribute: str
    attributes: list[tuple[str, str]]
    more_attributes: int


def _metrics(card: Scorecard, family: Family, policy: Policy) -> Iterator[_Line]:
    perturbed = bool(perturbed_columns_of(card.aggregates))
    for score in card:
        metric = score.metric
        if metric.family is not family:
            continue
        limit = policy.limits.get(metric.id)
        limitable = LIMITABLE_MEASURES[metric.id]
        attributes = [(name, limitable.measure_text(value)) for name, value in score.attributes.items()]
        about = (
            str(metric.direction)
            if metric.direction is Direction.TRUE
            else f"{metric.range} {metric.unit}; {metric.direction}"
        )
        yield _Line(
            title=marked_title(metric.title, metric.id, card.parameters),
            anchor=f"definition-{metric.id}",
            about=about,
            value=as_bound(score, limitable.measure_text(score.shown), perturbed=perturbed),
            full="" if score.value is None else str(score.value),
            limit="" if limit is None else limitable.limit_text(limit),
            kept="" if limit is None else outcome_text(replace(measured(metric.id, card), limit=limit).outcome),
            finding=score.summary(),
            of_attribute=metric.of_attribute,
            attributes=attributes[:_MAX_ATTRIBUTES] if len(attributes) > 1 else [],
            more_attributes=max(len(attributes) - _MAX_ATTRIBUTES, 0),
        )


def _full(score: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every figure of a metric by its name in the JSON."""
    yield "value", full_digits(score["value"])
    if score["unavailable"] is not None:
        yield "unavailable", score["unavailable"]
    yield from flat({"attributes": score["attributes"], "details": score["details"]})
