"""The functions of the notebook that introduces P_29, by its names, over the metrics of this package.

Two readings differ from the notebook's code, both so that no record is lost: a missing value is a value of its own
(pandas would drop it, and reads the text "None" as missing), and records with `*` in every quasi-identifier are in no
class of `calculate_t_closeness`. Where the largest and smallest t are equal, the normalized t is 0 instead of 0/0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.aggregates import TableAggregates
from metrics.config.parameters import P29Parameters
from metrics.config.roles import Roles
from metrics.counting.classes import equivalence_classes
from metrics.counting.counts import MemoryRelation
from metrics.counting.histograms import histogram
from metrics.errors import InputError, Unavailable
from metrics.privacy.classes.ground_distances import equal_distance
from metrics.privacy.l_diversity.measure import normalized_entropy
from metrics.privacy.p29.measure import P29Components, p29
from metrics.reading import read_table
from metrics.tables.table import Floats

if TYPE_CHECKING:
    import pandas as pd

_CLASS, _SIZE = "Quasi-identifiers", "k-anonymity"
_MISSING = "nan"
"""Text that pandas writes for a missing cell."""


def calculate_k_anonymity(group: pd.DataFrame) -> int:
    """Size of one equivalence class.

    Parameters
    ----------
    group : pandas.DataFrame
        Its records.

    Returns
    -------
    int
        Records, 1 upwards; higher is better.
    """
    return len(group)


def calculate_normalized_entropy(series: pd.Series) -> float:
    """Normalized entropy of a class's values of one attribute.

    Parameters
    ----------
    series : pandas.Series
        The values, one per record of the class.

    Returns
    -------
    float
        0 to 1, higher is better; 0 for one value or none.
    """
    if series.empty:
        return 0.0
    table = read_table(series.to_frame(name="values"), name=str(series.name))
    relation = MemoryRelation(table)
    one_class = equivalence_classes(relation, ())
    return float(normalized_entropy(histogram(relation, one_class, "values"))[0])


def calculate_t_closeness(
    df: pd.DataFrame, quasi_identifiers: Sequence[str], sensitive_attributes: Sequence[str]
) -> pd.DataFrame:
    """Variational distance 1/2 sum |p - q| of every class from the table.

    Parameters
    ----------
    df : pandas.DataFrame
        The anonymized table.
    quasi_identifiers : sequence of str
        The columns that make the classes.
    sensitive_attributes : sequence of str
        The columns whose distributions are compared.

    Returns
    -------
    pandas.DataFrame
        A row per class: `Quasi-identifiers` holds it as "race: Other, age: [40-50)", and `t-closeness_<attribute>` its
        distance by each attribute, 0 to 1, lower is better.

    Raises
    ------
    InputError
        If a column is absent or no class is left.
    """
    import pandas as pd

    roles = Roles(quasi_identifiers, sensitive_attributes)
    aggregates = TableAggregates(read_table(df), roles)
    try:
        histograms, classes = aggregates.sensitive(), aggregates.classes
    except Unavailable as reason:
        raise InputError(f"t-closeness cannot be computed: {reason}", remedy="give other columns or records") from None
    labels = [
        np.array([_MISSING if label is None else label for label in column.labels], dtype=object)[codes]
        for column, codes in zip(classes.columns, classes.codes, strict=True)
    ]
    texts = [
        ", ".join(f"{name}: {value}" for name, value in zip(classes.quasi_identifiers, values, strict=True))
        for values in zip(*labels, strict=True)
    ]
    distances = {f"t-closeness_{name}": equal_distance(counts) for name, counts in histograms.items()}
    return pd.DataFrame({_CLASS: texts, **distances})


def calculate_global_distribution(series: pd.Series) -> dict[Any, float]:
    """Share of each value of a column.

    Parameters
    ----------
    series : pandas.Series
        The column.

    Returns
    -------
    dict
        Shares by value, most frequent first, with sum 1; a missing value stands as None.
    """
    return _shares(series.value_counts(normalize=True, dropna=False).to_dict())


def compute_t_closeness(series: pd.Series, global_distribution: Mapping[Any, float]) -> float:
    """Variational distance 1/2 sum |p - q| of a class's values from a distribution.

    Parameters
    ----------
    series : pandas.Series
        The values, one per record of the class.
    global_distribution : mapping
        Shares by value, as `calculate_global_distribution` returns them.

    Returns
    -------
    float
        0 to 1, lower is better.
    """
    shares, table = calculate_global_distribution(series), _shares(global_distribution)
    return math.fsum(abs(shares.get(value, 0.0) - table.get(value, 0.0)) for value in {**table, **shares}) / 2


def _shares(distribution: Mapping[Any, float]) -> dict[Any, float]:
    """The distribution with None for whatever pandas takes as missing, which need not equal itself."""
    import pandas as pd

    return {None if pd.isna(value) else value: float(share) for value, share in distribution.items()}


def calculate_P_29_score(
    k_value: pd.DataFrame,
    l_value: pd.DataFrame,
    t_value: pd.DataFrame,
    w_k: float = 0.5,
    w_l: float = 0.25,
    w_t: float = 0.25,
) -> tuple[float, list[tuple[str, str]], list[str], int, float, float]:
    """P_29 from one row per class.

    Parameters
    ----------
    k_value : pandas.DataFrame
        The columns `Quasi-identifiers` and `k-anonymity`: every class with its size.
    l_value : pandas.DataFrame
        The class, then one column of normalized entropies per sensitive attribute.
    t_value : pandas.DataFrame
        The class, then one column of distances per sensitive attribute.
    w_k, w_l, w_t : float
        Weights, at least 0, with sum 1.

    Returns
    -------
    tuple
        The score (0 to 1), (class, reason) of every violation, the reasons alone, the size of the smallest class, the
        smallest normalized entropy and the largest t.

    Raises
    ------
    InputError
        If there is no class or no attribute, a column does not exist, or the weights are invalid.
    """
    for frame, column in ((k_value, _CLASS), (k_value, _SIZE), (l_value, _CLASS), (t_value, _CLASS)):
        if column not in frame.columns:
            raise InputError("there is no such column", remedy="name it so in the table of classes", column=column)
    if not len(k_value) or not len(l_value) or not len(t_value):
        raise InputError("there is no equivalence class", remedy="give one row per class")
    if len(l_value.columns) < 2 or len(t_value.columns) < 2:
        raise InputError("there is no sensitive attribute", remedy="give one column per attribute after the first")
    components = P29Components(
        sizes=_numbers(k_value, _SIZE).astype(np.int64),
        entropy={str(name): _numbers(l_value, name) for name in l_value.columns[1:]},
        distance={str(name): _numbers(t_value, name) for name in t_value.columns[1:]},
    )
    result = p29(components, P29Parameters(w_k, w_l, w_t))
    violations = [(str(name), "k-anonymity is 1") for name in k_value[_CLASS][result.singled_out]]
    for column, flags in result.homogeneous.items():
        violations += [(str(name), f"normalized entropy l-value is 0 for {column}") for name in l_value[_CLASS][flags]]
    for column, flags in result.distant.items():
        limit = result.parameters.t_max
        violations += [(str(name), f"t-value exceeds {limit:g} for {column}") for name in t_value[_CLASS][flags]]
    details = result.details()
    return result.value, violations, list(result.reasons), components.totals.k_min, details["min_l"], details["max_t"]


def _numbers(frame: pd.DataFrame, column: str) -> Floats:
    """A column's numbers; raises InputError if one is missing or none."""
    numbers: Floats | None = None
    with suppress(TypeError, ValueError):
        numbers = frame[column].to_numpy(dtype=np.float64)
    if numbers is None or not np.isfinite(numbers).all():
        raise InputError("a class has no number there", remedy="give one per class", column=str(column))
    return numbers
