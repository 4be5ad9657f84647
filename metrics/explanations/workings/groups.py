"""The group of records that decides a class's figure: the class, or its part whose other sensitive values are known."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.counting.classes import RefinedHistogram
from metrics.explanations.workings.shares import Shares, shares, shares_of
from metrics.explanations.workings.steps import Subject, first_of, short_label
from metrics.privacy.classes.worst_class import Judgement
from metrics.texts import text


def deciding_shares(aggregates: Aggregates, subject: Subject, judgement: Judgement | None) -> Shares:
    """Shares in the group that decides the figure of the subject's class; no judgement means the class itself."""
    if judgement is None or not judgement.refined:
        return shares(aggregates, subject)
    histogram = judgement.histograms[subject.column]
    assert isinstance(histogram, RefinedHistogram)
    group = judgement.worst_group(subject.column, subject.index)
    known_values = [f"{short_label(name)} = {short_label(label)}" for name, label in histogram.known(group).items()]
    part = text(
        "working.part",
        parts=len(histogram.groups_of(subject.index)),
        records=int(histogram.sizes[group]),
        known=first_of(known_values),
    )
    return shares_of(histogram, group, part)
