"""What a table has lost, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.utility.ambiguity import Ambiguity, combinations_summary
from metrics.utility.changes import PairChanges, cells_changed
from metrics.utility.non_uniform_entropy import NonUniformEntropy
from metrics.wording import join_names, percent


def loss_verdict(
    entropy: NonUniformEntropy | None, changes: Mapping[str, PairChanges], ambiguity: Ambiguity | None
) -> str:
    """The information left, the cells changed, the originals a record could stand for.

    What is unavailable (None, or no changes) is left out; empty where all is.
    """
    parts = []
    if entropy is not None:
        parts.append(f"{percent(entropy.value)} of the information is left")
    changed, cells = cells_changed(changes)
    if cells:
        parts.append(f"{percent(changed / cells)} of the cells were changed")
    if ambiguity is not None:
        mean = combinations_summary(ambiguity.log10_mean_combinations)
        parts.append(f"a record could stand for {mean} on average")
    sentence = join_names(parts) if parts else ""
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""
