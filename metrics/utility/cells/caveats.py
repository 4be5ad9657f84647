"""Which columns a measure of loss does not judge, and why, in phrases and sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from metrics.formatting import join_names, percent
from metrics.texts import text


def perturbed_columns(shares: Mapping[str, float]) -> str:
    """Name the perturbed columns, each with its share of released values."""
    return text("perturbed.columns", columns=_with_shares(shares))


def misread_columns(shares: Mapping[str, float]) -> str:
    """Name the columns with labels that are read as those of a lower level, each with its share of released values."""
    return text("misread.columns", columns=_with_shares(shares))


def _with_shares(shares: Mapping[str, float]) -> str:
    return join_names([text("perturbed.column", column=name, share=share) for name, share in shares.items()])


def with_caveat(finding: str, shares: Mapping[str, float], others: str | None = None) -> str:
    """The finding, and which columns are perturbed, so that their changed values count as unchanged.

    `others` replaces a finding that would not hold for perturbed columns.
    """
    return f"{others or finding} {caveat(shares)}" if shares else finding


def caveat(shares: Mapping[str, float]) -> str:
    """Say in a sentence which columns are perturbed, so that their changed values count as unchanged."""
    return text("perturbed.caveat", reason=perturbed_columns(shares))


def kept_share(share: float, perturbed: Collection[str]) -> str:
    """A share of what is kept, at most as high if columns are perturbed."""
    return text("loss.at_most", share=share) if perturbed else percent(share)


def lost_share(share: float, perturbed: Collection[str]) -> str:
    """A share of what is lost, at least as high if columns are perturbed."""
    return text("loss.at_least", share=share) if perturbed else percent(share)
