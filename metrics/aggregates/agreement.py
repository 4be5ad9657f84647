"""What published values tell of people where cells were drawn at random, or records sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates.protocol import Aggregates
from metrics.counting.counts import combination_codes
from metrics.hierarchies.covering import covering
from metrics.tables.randomization import Randomization
from metrics.tables.table import Column, Integers, Table
from metrics.texts import text

_CHANCE = 1e-9
"""How rarely a true statement may be refused, by value."""
_SHARE = 0.05
"""Of the other cells: so many may be missing where records were left out by their published values."""


@dataclass(frozen=True)
class Agreement:
    """Shares of a randomized column's cells that are published alike."""

    observed: float
    expected: float
    of_one_value: bool
    """Whether it is of the cells of one true value that are published as the same value; else of all kept cells."""


def positions(column: Column, by: Randomization) -> Integers:
    """By label the position among the values that can be published; -1 where it is none."""
    position = {value: index for index, value in enumerate(by.values)}
    return np.array([position.get(label, -1) for label in column.labels], dtype=np.int64)


def is_drawn(aggregates: Aggregates, name: str) -> bool:
    """Whether a column was randomized, as far as the original does not contradict it: no value in it is certain."""
    column = aggregates.anonymized[name]
    return column.randomization is not None and contradiction(aggregates, name) is None


def tells(aggregates: Aggregates, name: str) -> bool:
    """Whether the only value of a column in a class tells something: not where it is suppressed, or drawn at random."""
    return aggregates.anonymized.shows(name) and not is_drawn(aggregates, name)


def is_sampled(aggregates: Aggregates) -> bool:
    """Whether SafePub made the table, as far as it shows: whoever is in a class need not have its only value."""
    made, original = getattr(aggregates.whole.anonymized, "sampled", None), aggregates.original
    sizes = aggregates.class_sizes
    return (
        made is not None
        and sizes.smallest >= made.k
        and (original is None or aggregates.anonymized.rows < original.rows)
    )


def shown_by_sample(aggregates: Aggregates, records: int, classes: int, names: Sequence[str]) -> str:
    """What classes of a sampled table tell that show a single value, and of the original's people there who have it."""
    share = aggregates.memoize(_share_of_agreeing_people, *names)
    others = text("classes.others") if share is None else text("classes.everybody", share=share)
    return text("classes.of_sample", records=records, classes=classes, names=names, others=others)


def _share_of_agreeing_people(aggregates: Aggregates, *names: str) -> float | None:
    original, classes = aggregates.original, aggregates.classes
    if not isinstance(original, Table) or any(
        name not in original for name in (*aggregates.roles.quasi_identifiers, *names)
    ):
        return None
    columns = [
        (np.concatenate([codes, _labels_of_people(aggregates, original, column)]), column.distinct + 1)
        for column, codes in zip(classes.columns, classes.codes, strict=True)
    ]
    combination, number = combination_codes(columns, classes.count + original.rows)
    class_of = np.full(number, -1)
    class_of[combination[: classes.count]] = np.arange(classes.count)
    place = class_of[combination[classes.count :]]
    people = agreeing = 0
    for name in names:
        histogram = aggregates.histogram(name)
        who = (place >= 0) & (histogram.distinct[place] == 1)
        shown = histogram.code[histogram.starts[place[who]]]
        people += int(who.sum())
        agreeing += int((_labels_of_people(aggregates, original, histogram.column)[who] == shown).sum())
    return agreeing / people if people else None


def _labels_of_people(aggregates: Aggregates, original: Table, column: Column) -> Integers:
    """By record of the original the code of the label that covers its value; their number where none does."""
    values, evidence = original[column.name], aggregates.comparison.evidence(column.name)
    found = covering(column, values, aggregates.hierarchies.get(column.name), evidence)
    covers = found.matrix(np.arange(len(found.counts)), column.distinct)
    labels: Integers = np.where(covers.any(axis=1), covers.argmax(axis=1), column.distinct)[found.group][values.codes]
    return labels


def contradiction(aggregates: Aggregates, name: str) -> Agreement | None:
    """What is far more frequent, beside the original, than the probabilities allow; None elsewhere."""
    return aggregates.memoize(_contradiction, name)


def _contradiction(aggregates: Aggregates, name: str) -> Agreement | None:
    by, original, comparison = aggregates.anonymized[name].randomization, aggregates.original, aggregates.comparison
    if by is None or original is None or name not in original or comparison.unmatched is not None:
        return None
    pair = comparison.pair(name)
    true, published = (positions(each, by)[codes] for each, codes in zip(pair.columns, pair.codes, strict=True))
    drawn = (true >= 0) & (published >= 0)
    if not drawn.any():
        return None
    records, true, published = pair.counts[drawn], true[drawn], published[drawn]
    by_value = np.bincount(true, records)[true]
    total, kept = records.sum(), records[true == published].sum()
    stays = float((by.probability(true, true) * records).sum() / total)
    # What was published of each value, then the cells that were kept, and those that were not.
    observed = np.append(records, [kept, total - kept])
    cells = np.append(by_value, [total, total]).astype(np.int64)
    expected = np.append(by.probability(true, published), [stays, 1 - stays])
    chance = scipy.special.bdtrc(observed - 1, cells, np.where(expected > 0, expected + _SHARE * (1 - expected), 0))
    worst = int(chance.argmin())
    if chance[worst] > _CHANCE:
        return None
    if worst >= len(records):
        return Agreement(float(kept / total), stays, of_one_value=False)
    return Agreement(float(observed[worst] / cells[worst]), float(expected[worst]), of_one_value=True)
