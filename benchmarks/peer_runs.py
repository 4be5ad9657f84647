"""k, l and t of every class of a CSV file by one peer, as JSON: `python -m benchmarks.peer_runs PEER FILE`.

Each peer reads the file in its own way and computes, for each class, its size, and for each sensitive attribute the
number of distinct values, their normalized entropy, and the total variation distance from the whole table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks.class_measures import FIGURES, summary
from benchmarks.processes import Figures, peak_megabytes
from benchmarks.tables import DELIMITER, QUASI_IDENTIFIERS, SENSITIVE


def quasi(path: Path) -> Figures:
    """The scores and the table of classes, which needs P_29 for its entropies."""
    import metrics

    roles = metrics.Roles(quasi_identifiers=list(QUASI_IDENTIFIERS), sensitive=list(SENSITIVE))
    start = perf_counter()
    table = metrics.read_table(path)
    read_end = perf_counter()
    card = metrics.score(table, roles, metrics=("k_anonymity", "distinct_l_diversity", "t_closeness", "p29"))
    classes = card.classes.to_arrow()
    score_end = perf_counter()
    names = ["size", *(f"{name}.{figure}" for name in SENSITIVE for figure in FIGURES)]
    figures = summary({name: classes[name].to_numpy() for name in names})
    for figure, metric in (("k", "k_anonymity"), ("l", "distinct_l_diversity"), ("t", "t_closeness")):
        figures[figure] = float(card[metric].value or 0)
    return _times(start, read_end, score_end) | figures


def pandas_groupby(path: Path) -> Figures:
    """pandas without a loop over classes: categories, group-bys, and arithmetic on whole columns."""
    import pandas as pd

    from benchmarks import pandas_peers

    start = perf_counter()
    frame = pd.read_csv(path, sep=DELIMITER, dtype="category")
    read_end = perf_counter()
    classes = pandas_peers.grouped(frame)
    score_end = perf_counter()
    return _times(start, read_end, score_end) | summary(classes)


def notebook_loop(path: Path) -> Figures:
    """The algorithm of the P_29 notebook: class by class, attribute by attribute, each counted again."""
    import pandas as pd

    from benchmarks import pandas_peers

    start = perf_counter()
    frame = pd.read_csv(path, sep=DELIMITER)
    read_end = perf_counter()
    classes = pandas_peers.looped(frame)
    score_end = perf_counter()
    return _times(start, read_end, score_end) | summary(classes)


def _times(start: float, read_end: float, score_end: float) -> Figures:
    return {"seconds": score_end - start, "read": read_end - start, "score": score_end - read_end}


RUNS: dict[str, Callable[[Path], Figures]] = {"quasi": quasi, "pandas": pandas_groupby, "notebook": notebook_loop}


if __name__ == "__main__":
    peer, file = sys.argv[1:]
    print(json.dumps(RUNS[peer](Path(file)) | {"peak_megabytes": peak_megabytes()}))
