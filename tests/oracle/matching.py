"""Records of two tables matched by a key, one after the other: what is compared, and what is left out."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracle.classes import SUPPRESSED, Record


@dataclass(frozen=True)
class Matched:
    """Positions in the two tables. Records in none of these lists are left out."""

    pairs: list[tuple[int, int]]
    """Original and anonymized, in the order of the anonymized ones."""
    deleted: list[int]
    """Originals without a counterpart."""
    refused: bool
    """Whether the user has to say first what becomes of some records."""


def match(
    original: Sequence[Record], anonymized: Sequence[Record], key: Sequence[str], duplicates: str, unmatched: str
) -> Matched:
    """By equal cells in every column of the key; `duplicates` is refuse, first or leave_out, `unmatched` without first.

    What is to be refused is left out as well.
    """

    def named(record: Record) -> tuple[str, ...] | None:
        cells = [record[column] for column in key]
        known = [cell for cell in cells if cell is not None and cell not in ("", SUPPRESSED)]
        return tuple(known) if len(known) == len(cells) else None

    names = [[named(record) for record in table] for table in (original, anonymized)]
    repeated = {name for of in names for name in of if name is not None and of.count(name) > 1}
    usable: list[list[int]] = []
    for of in names:
        if duplicates == "first":
            usable.append([at for at, name in enumerate(of) if name is not None and of.index(name) == at])
        else:
            usable.append([at for at, name in enumerate(of) if name is not None and name not in repeated])
    before, after = usable
    pairs = [(old, new) for new in after for old in before if names[0][old] == names[1][new]]
    deleted = [old for old in before if old not in [pair[0] for pair in pairs]]
    strange = len(after) > len(pairs) or any(None in of for of in names)
    refused = (
        bool(duplicates == "refuse" and repeated)
        or (unmatched == "refuse" and strange)
        or bool(anonymized and not pairs)
    )
    return Matched(pairs, deleted, refused)
