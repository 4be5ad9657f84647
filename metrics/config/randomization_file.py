"""Reads a file of randomizations: how the cells of columns were drawn."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from metrics.config.strict_document import StrictDocument
from metrics.config.yaml_text import read_yaml
from metrics.errors import InputError
from metrics.tables.randomization import Randomization, TransitionMatrix, k_rr
from metrics.tables.regular_file import read_document

NOT_RANDOMIZED = "none"
"""Stands for the file where a table of several was not randomized."""
_REMEDY = "write, for example, randomization: {diagnosis: {values: [flu, asthma], epsilon: 1}}"


class _Document(StrictDocument):
    whole = "randomization"

    def column(self, value: Any, path: str) -> Randomization:
        section = self.mapping(value, path, ("values", "epsilon", "matrix"))
        listed = self.list_of(section.get("values"), f"{path}.values")
        values = [self.optional_text(item, f"{path}.values") for item in listed]
        if ("epsilon" in section) == ("matrix" in section):
            self.refuse(path, "needs either a key epsilon or a key matrix", _REMEDY)
        try:
            if "matrix" in section:
                return TransitionMatrix(tuple(values), np.array(section["matrix"], dtype=np.float64))
            epsilon = float(section["epsilon"])
            if 0 <= epsilon < math.inf:
                return k_rr(values, epsilon)
        except InputError as error:
            self.refuse(path, f"cannot be used: {error.problem}", error.remedy)
        except (TypeError, ValueError):
            pass
        self.refuse(path, "is not given by numbers of at least 0", _REMEDY)


def read_randomization(path: str | Path) -> dict[str, Randomization]:
    """Read how the cells of columns were drawn.

    Parameters
    ----------
    path : str or Path
        A YAML file with the key `randomization`: by column its `values` (null for a missing cell), and `epsilon` of
        k-ary randomized response or a `matrix` with a row per true value.

    Returns
    -------
    dict of str to Redrawn or TransitionMatrix
        For `Table.randomized` and `local_dp`.

    Raises
    ------
    InputError
        If the file cannot be read or a key in it is wrong; the message names the key.
    """
    name = Path(path).name
    content = read_yaml(read_document(path), name, kind="file of randomizations", remedy=_REMEDY, nulls=True)
    document = _Document(name)
    whole = document.mapping(content, "", ("randomization",))
    columns = document.mapping(whole.get("randomization"), "randomization", None)
    return {column: document.column(value, f"randomization.{column}") for column, value in columns.items()}
