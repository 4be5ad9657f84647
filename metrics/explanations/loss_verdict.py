"""The loss of a table, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.formatting import join_names
from metrics.texts import text
from metrics.utility.ambiguity import Ambiguity, combinations_summary
from metrics.utility.cells.changes import PairChanges, cells_changed
from metrics.utility.non_uniform_entropy import NonUniformEntropy


def loss_verdict(
    entropy: NonUniformEntropy | None, changes: Mapping[str, PairChanges], ambiguity: Ambiguity | None
) -> str:
    """The information preserved, the cells changed, the originals a record is consistent with.

    What is unavailable (None, or no changes) is left out; empty where all is.
    """
    parts = []
    if entropy is not None:
        information = text("loss.information", preserved=entropy.value)
        parts.append(f"at most {information}" if entropy.is_bound else information)
    changed, cells = cells_changed(changes)
    if cells:
        parts.append(text("loss.cells", changed=changed / cells))
    if ambiguity is not None:
        mean = combinations_summary(ambiguity.log10_mean_combinations)
        parts.append(text("loss.combinations", combinations=mean))
    sentence = join_names(parts) if parts else ""
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""
