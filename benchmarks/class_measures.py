"""Figures of equivalence classes, in the form in which the peers are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.processes import Figures
from benchmarks.tables import SENSITIVE

FIGURES: Final = ("distinct", "normalized_entropy", "t")
Classes = Mapping[str, npt.NDArray[np.number]]
"""`size`, and for each sensitive attribute S and each of FIGURES `S.figure`: one number per class."""


def summary(classes: Classes) -> Figures:
    """k, l and t, the number of classes, and the mean of every column over the classes."""
    table_figures = {
        "k": float(classes["size"].min()),
        "l": float(min(classes[f"{name}.distinct"].min() for name in SENSITIVE)),
        "t": float(max(classes[f"{name}.t"].max() for name in SENSITIVE)),
        "classes": float(len(classes["size"])),
    }
    return table_figures | {f"mean {name}": float(figures.mean()) for name, figures in classes.items()}
