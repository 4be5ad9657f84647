"""What cells mean to measures of loss, record by record: equal numbers, emptied cells, values that are no ancestor."""

from collections.abc import Sequence

from tests.oracle.classes import SUPPRESSED, Cell
from tests.oracle.hierarchy import Rows, with_root
from tests.oracle.numerals import integer_interval, plain_number


def read_cells(before: Sequence[Cell], after: Sequence[Cell], hierarchy: Rows | None) -> tuple[list[Cell], list[Cell]]:
    """Both columns with equal numbers written alike, blank cells missing, and emptied cells suppressed."""
    known = {label for row in with_root(hierarchy) for label in row} if hierarchy else set()
    present = [cell for cell in before if cell not in (None, "", SUPPRESSED)]
    numeric = bool(present) and all(plain_number(cell) is not None for cell in present)
    spellings = [label for label in sorted(known) if plain_number(label) is not None]
    spellings += sorted((str(cell) for cell in present), key=lambda cell: (len(cell), cell)) if numeric else []

    def read(cell: Cell) -> Cell:
        if not cell or not numeric or cell in known or plain_number(cell) is None:
            return cell or None
        return next((one for one in spellings if plain_number(one) == plain_number(cell)), cell)

    words = {cell for cell in after if cell and SUPPRESSED not in cell and not any(map(str.isdigit, cell))} - known
    groups = len(words) > 1 and not any(any(map(str.isdigit, cell or "")) for cell in after)

    def empty(cell: Cell) -> bool:
        if not cell:
            return True
        return numeric and cell in words and not groups

    was = [read(cell) for cell in before]
    now = [
        (None if old is None else SUPPRESSED) if empty(cell) else read(cell)
        for old, cell in zip(was, after, strict=True)
    ]
    return was, now


def perturbed_records(before: Sequence[Cell], after: Sequence[Cell], hierarchy: Rows | None) -> int:
    """Records whose read cell is no ancestor of what it was; intervals of whole numbers are looked into."""
    rooted = with_root(hierarchy) if hierarchy else []
    rows = {row[0]: row for row in rooted}
    labels = {label for row in rows.values() for label in row}
    values = set(before)
    numeric = all(plain_number(cell) is not None for cell in before if cell not in (None, SUPPRESSED))
    count = 0
    for old, new in zip(before, after, strict=True):
        if new in (old, SUPPRESSED):
            continue
        if hierarchy:
            label = new or ""
            known = (old or "") in rows and label in labels
            count += known and label not in rows[old or ""]
            continue
        interval = integer_interval(new) if numeric else None
        within = interval is not None and old is not None and interval[0] <= int(old) <= interval[1]
        count += new in values or (interval is not None and not within)
    return count
