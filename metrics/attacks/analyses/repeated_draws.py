"""Several releases of one original: what one randomizes and another shows, and ε and δ of draws that add up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import is_drawn, is_sampled, positions
from metrics.counting.record_order import record_hashes
from metrics.formatting import join_names, sentence_case
from metrics.matching.records import describe
from metrics.tables.randomization import Randomization, Sampling
from metrics.tables.table import Integers, Table
from metrics.texts import text


def repeated_draws(releases: Mapping[str, Aggregates]) -> list[str]:
    """Sentences on tables made by SafePub, on releases that show what others randomize, and on columns drawn again."""
    shown: dict[str, list[str]] = {}
    epsilons: dict[str, float] = {}
    of_release = dict.fromkeys(releases, 0.0)
    repeated: list[str] = []
    from_data = False
    for name, drawn, different in _drawn_columns(releases):
        values = next(iter(drawn.values()))
        for label in releases:
            share = 0.0 if label in drawn else _shown(releases[label], name, values)
            if share:
                shown.setdefault(label, []).append(text("intersection_attack.share", column=name, share=share))
        epsilons[name] = sum(drawn[label].epsilon for label in different)
        for label, by in drawn.items():
            of_release[label] += by.epsilon
        repeated += [name] * (len(different) > 1)
        from_data |= any(by.from_data for by in drawn.values())
    sentences = _of_safepub(releases) + [
        text("intersection_attack.readable", version=label, columns=join_names(columns))
        for label, columns in shown.items()
    ]
    if repeated:
        sums = join_names([text("pram.of_column", epsilon=each, column=name) for name, each in epsilons.items()])
        number, total, most = len(repeated), sum(epsilons.values()), max(of_release.values())
        sentences.append(text("intersection_attack.drawn", columns=repeated, number=number, sums=sums, total=total))
        if from_data:
            sentences.append(text("local_dp.from_data"))
        else:
            whose = "record" if any(each.roles.person for each in releases.values()) else "person"
            factor, other = float(np.exp(total)), float(np.exp(most))
            sentences[-1] += " " + text("intersection_attack.publish_one", whose=whose, factor=factor, other=other)
    return sentences


def choice_among_draws(releases: Mapping[str, Aggregates]) -> str:
    """Warn against choosing among different draws of one ε; "" where there are none."""
    made = _made_by_safepub(releases)
    is_repeated = len(set(made)) < len(made) or any(
        len({drawn[label].epsilon for label in different}) < len(different)
        and not any(by.from_data for by in drawn.values())
        for _, drawn, different in _drawn_columns(releases)
    )
    return text("intersection_attack.choice") if is_repeated else ""


def _of_safepub(releases: Mapping[str, Aggregates]) -> list[str]:
    """What (ε, δ) of SafePub holds for several releases: basic composition, by Dwork and Roth 2014, theorem 3.16."""
    made, others = _made_by_safepub(releases), not all(map(is_sampled, releases.values()))
    if not made or len(made) + others < 2:
        return []
    epsilon, delta = sum(each.epsilon for each in made), sum(each.delta for each in made)
    added = text("intersection_attack.added", tables=len(made), epsilon=epsilon, delta=delta) if len(made) > 1 else ""
    bounds = [added, text("intersection_attack.otherwise") if others else ""]
    return [text("intersection_attack.safepub", bounds=sentence_case("; ".join(filter(None, bounds))))]


def _made_by_safepub(releases: Mapping[str, Aggregates]) -> list[Sampling]:
    """How each different table of SafePub was made; one that is released twice adds nothing."""
    tables = [cast(Table, each.whole.anonymized) for each in releases.values() if is_sampled(each)]
    different = {np.sort(record_hashes(table.columns)).tobytes(): table.sampled for table in tables}
    return [sampled for sampled in different.values() if sampled is not None]


def _drawn_columns(
    releases: Mapping[str, Aggregates],
) -> Iterator[tuple[str, dict[str, Randomization], list[str]]]:
    """By column how the releases drew it that did, and those whose draws differ."""
    for name in dict.fromkeys(name for each in releases.values() for name in each.anonymized.names):
        drawn = {label: by for label, each in releases.items() if (by := _randomization(each, name)) is not None}
        if drawn:
            values = next(iter(drawn.values()))
            yield name, drawn, _different({label: _published(releases[label], name, values) for label in drawn})


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
