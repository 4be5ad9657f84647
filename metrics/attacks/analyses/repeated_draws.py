"""Several releases of one original: values that one randomizes and another shows, and ε of draws that add up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import is_drawn, positions
from metrics.formatting import join_names
from metrics.matching.records import describe
from metrics.tables.randomization import Randomization
from metrics.tables.table import Integers, Table
from metrics.texts import text


def repeated_draws(releases: Mapping[str, Aggregates]) -> list[str]:
    """A sentence on each release that shows what another randomizes, then one on columns that are drawn repeatedly."""
    shown: dict[str, list[str]] = {}
    epsilons: dict[str, float] = {}
    repeated: list[str] = []
    from_data = False
    for name in dict.fromkeys(name for each in releases.values() for name in each.anonymized.names):
        drawn = {label: by for label, each in releases.items() if (by := _randomization(each, name)) is not None}
        if not drawn:
            continue
        values = next(iter(drawn.values()))
        for label in releases:
            share = 0.0 if label in drawn else _shown(releases[label], name, values)
            if share:
                shown.setdefault(label, []).append(text("intersection_attack.share", column=name, share=share))
        different = _different({label: _published(releases[label], name, values) for label in drawn})
        epsilons[name] = sum(drawn[label].epsilon for label in different)
        repeated += [name] * (len(different) > 1)
        from_data |= any(by.from_data for by in drawn.values())
    sentences = [
        text("intersection_attack.readable", version=label, columns=join_names(columns))
        for label, columns in shown.items()
    ]
    if repeated:
        sums = join_names([text("pram.of_column", epsilon=each, column=name) for name, each in epsilons.items()])
        number, total = len(repeated), sum(epsilons.values())
        sentences.append(text("intersection_attack.drawn", columns=repeated, number=number, sums=sums, total=total))
        sentences += [text("local_dp.from_data")] * from_data
    return sentences


def _randomization(release: Aggregates, name: str) -> Randomization | None:
    has_column = name in release.anonymized
    return release.anonymized[name].randomization if has_column and is_drawn(release, name) else None


def _shown(release: Aggregates, name: str, by: Randomization) -> float:
    """The share of a column's cells that hold a single value."""
    if name not in release.anonymized or not release.anonymized.rows:
        return 0.0
    column = release.anonymized[name]
    return float(column.counts()[positions(column, by) >= 0].sum() / release.anonymized.rows)


def _published(release: Aggregates, name: str, by: Randomization) -> tuple[bool, Integers]:
    """The values of a column, -1 where suppressed: by record of the original, or else (False) of the table."""
    table = cast(Table, release.anonymized)
    codes = positions(table[name], by)[table[name].codes]
    if release.comparison.unmatched is not None:
        return False, codes
    original = cast(Table, release.original)
    matching = describe(original, table, release.roles.matching)
    published = np.full(original.rows, -1)
    published[slice(None) if matching.partners is None else matching.partners] = (
        codes if matching.places is None else codes[matching.places]
    )
    return True, published


def _different(published: Mapping[str, tuple[bool, Integers]]) -> list[str]:
    """The releases whose cells differ from those of all before them; of records that are not matched, in any cell."""
    found: list[str] = []
    for label, (matched, codes) in published.items():
        for other_matched, other in (published[before] for before in found):
            known = (codes >= 0) & (other >= 0) if matched and other_matched else slice(None)
            if len(codes) == len(other) and np.array_equal(codes[known], other[known]):
                break
        else:
            found.append(label)
    return found
