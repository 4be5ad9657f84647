"""The group of records that decides a class's figure: the class, or its part whose other sensitive values are known."""

from __future__ import annotations

from metrics.counting.classes import RefinedHistogram
from metrics.explanations.workings.shares import Shares, shares, shares_of
from metrics.explanations.workings.steps import MAX_NAMED, Subject, short_label
from metrics.privacy.judgement import Judgement
from metrics.scoring.scorecard import Scorecard
from metrics.wording import pluralize


def deciding_shares(card: Scorecard, subject: Subject, judgement: Judgement | None) -> Shares:
    """Shares in the group that decides the figure of the subject's class; no judgement stands for the class itself."""
    if judgement is None or not judgement.refined:
        return shares(card, subject)
    histogram = judgement.histograms[subject.column]
    assert isinstance(histogram, RefinedHistogram)
    group = judgement.worst_group(subject.column, subject.index)
    known = list(histogram.known(group).items())
    named = ", ".join(f"{short_label(name)} = {short_label(label)}" for name, label in known[:MAX_NAMED])
    left = len(known) - MAX_NAMED
    parts = pluralize(len(histogram.groups_of(subject.index)), "part")
    return shares_of(
        histogram,
        group,
        f"An attacker who knows all other sensitive values of a person can divide the class into {parts}. The worst "
        f"part decides: {pluralize(int(histogram.sizes[group]), 'record')} with "
        f"{named}{(f' and {left} more' if left > 0 else '')}. The following steps are about this part.",
    )
