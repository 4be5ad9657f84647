"""The group of records that decides a class's figure: the class, or its part whose other sensitive values are known."""

from __future__ import annotations

from metrics.classes import RefinedHistogram
from metrics.privacy.judgement import Judgement
from metrics.scorecard import Scorecard
from metrics.wording import counted
from metrics.working.shares import Shares, shares, shares_of
from metrics.working.steps import MOST_NAMED, Subject, brief


def deciding_shares(card: Scorecard, subject: Subject, judgement: Judgement | None) -> Shares:
    """Shares in the group that decides the figure of the subject's class; no judgement stands for the class itself."""
    if judgement is None or not judgement.refined:
        return shares(card, subject)
    histogram = judgement.histograms[subject.column]
    assert isinstance(histogram, RefinedHistogram)
    group = judgement.worst_group(subject.column, subject.index)
    known = list(histogram.known(group).items())
    named = ", ".join(f"{brief(name)} = {brief(label)}" for name, label in known[:MOST_NAMED])
    left = len(known) - MOST_NAMED
    parts = counted(len(histogram.groups_of(subject.index)), "part")
    return shares_of(
        histogram,
        group,
        f"Whoever knows all other sensitive values of a person sees the class in {parts}. The worst of them decides: "
        f"{counted(int(histogram.sizes[group]), 'record')} with {named}{f' and {left} more' if left > 0 else ''}. "
        "From here on, the class is this part of it.",
    )
