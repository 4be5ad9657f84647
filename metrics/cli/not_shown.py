"""The line on metrics without a row, by reason, which `score` and `compare` end their table with."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.formatting import pluralize
from metrics.texts import TEMPLATES, text

_NEEDS_ORIGINAL = (NO_ORIGINAL, TEMPLATES["unavailable.unknown_domain"].rpartition("}")[2])
"""How the reasons end that name no original table."""


def shows_all_available(metrics: Sequence[str]) -> bool:
    """Whether every metric that is available has a row, and no other: where none were chosen, or all."""
    return not metrics or "all" in metrics


def not_shown(reasons: Sequence[str]) -> list[str]:
    """One line on the metrics that are not available, by the reason of each; none where all are."""
    n_slow = reasons.count(text("unavailable.on_demand"))
    n_without_original = sum(reason.endswith(_NEEDS_ORIGINAL) for reason in reasons)
    n_others = len(reasons) - n_slow - n_without_original
    phrases = [
        f"{n_without_original} {'needs' if n_without_original == 1 else 'need'} --original",
        f"{n_slow} {'is' if n_slow == 1 else 'are'} slow (--metrics all)",
        f"{n_others} {'needs' if n_others == 1 else 'need'} other tables, roles or settings, or a perturbed table "
        "(--json says which)",
    ]
    counts = (n_without_original, n_slow, n_others)
    shown = ", ".join(phrase for phrase, count in zip(phrases, counts, strict=True) if count)
    return [f"{pluralize(len(reasons), 'metric')} not shown: {shown}"] if reasons else []
