"""Released labels that stand for other values than in the hierarchy given."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.formatting import visible
from metrics.texts import abbreviated_names, text


def misfit_summary(aggregates: Aggregates) -> str | None:
    """Name the labels of each quasi-identifier that mean something else, and the remedy; None if there are none."""
    sentences = []
    for name, misfit in aggregates.hierarchies.misfits.items():
        labels, number = abbreviated_names([visible(label) for label in misfit.labels]), len(misfit.labels)
        if misfit.shown is not None:
            sentences.append(text("perturbed.misfit", column=name, labels=labels, number=number))
        else:
            sentences.append(text("perturbed.misfit_overlapping", column=name, labels=labels, number=number))
    return " ".join(sentences) or None
