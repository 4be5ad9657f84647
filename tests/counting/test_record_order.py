"""The order of records by their values."""

import numpy as np

from metrics.counting.record_order import record_hashes, records_in_order
from tests.support.small_tables import table, written

CONTENT = written("q r\na 1\nb 1\na 1\n- 2\n1 a\nb 2")


def test_equal_records_and_only_these_have_the_same_hash() -> None:
    hashes = record_hashes(CONTENT.columns).tolist()
    assert hashes[0] == hashes[2]
    assert len(set(hashes)) == 5
    assert record_hashes(table({"q": [None, ""]}).columns).tolist()[0] != record_hashes(table({"q": [""]}).columns)[0]


def test_a_number_written_another_way_has_the_same_hash() -> None:
    one, other = (record_hashes(table({"q": cells}).columns) for cells in (["3", "1.5", "007"], ["3.0", "1.50", "7"]))
    assert (one == other).tolist() == [True, True, False]


def test_hashes_are_the_same_in_every_run() -> None:
    assert record_hashes(CONTENT.columns)[:2].tolist() == [9_386_928_789_316_913_283, 16_501_139_736_063_143_264]


def test_the_order_depends_on_the_records_and_not_on_where_they_stand() -> None:
    cells = {column.name: [column.labels[code] for code in column.codes] for column in CONTENT.columns}
    expected = [(cells["q"][at], cells["r"][at]) for at in records_in_order(CONTENT.columns)]
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(6).tolist()
        moved = {name: [column[at] for at in order] for name, column in cells.items()}
        found = records_in_order(table(moved).columns)
        assert [(moved["q"][at], moved["r"][at]) for at in found] == expected
