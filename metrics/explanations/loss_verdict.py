"""The loss of a table, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.formatting import join_names
from metrics.texts import text
from metrics.utility.cells.changes import PairChanges, cells_changed
from metrics.utility.non_uniform_entropy import NonUniformEntropy


def loss_verdict(entropy: NonUniformEntropy | None, changes: Mapping[str, PairChanges]) -> str:
    """The information preserved and the cells changed.

    What is unavailable (None, or no changes) is left out; empty where all is.
    """
    parts = []
    if entropy is not None:
        information = text("loss.information", preserved=entropy.value)
        parts.append(f"at most {information}" if entropy.is_bound else information)
    changed, cells = cells_changed(changes)
    if cells:
        parts.append(text("loss.cells", changed=changed / cells))
    sentence = join_names(parts) if parts else ""
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""
