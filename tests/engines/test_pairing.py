"""Keys in an engine: of several columns, with cells that name nobody, and choices that it refuses."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

import metrics
from metrics.tables.matching_rule import Tally
from tests.engines.alike import COUNTED, differences


def test_a_key_of_several_columns_gives_the_figures_of_memory() -> None:
    connection = duckdb.connect()
    original = connection.sql(
        "SELECT i // 3 AS id, 'v' || i % 3 AS visit, i % 5 AS q, i % 2 AS s FROM range(60) AS t(i)"
    )
    anonymized = connection.sql(
        "SELECT visit || ' ' AS visit, id, CASE WHEN id % 7 = 0 THEN '*' ELSE q::VARCHAR END AS q, s "
        "FROM original WHERE id < 17 ORDER BY visit"
    )
    roles = metrics.Roles(quasi_identifiers=["q"], sensitive=["s"], key=["id", "visit"])
    wanted = metrics.score(anonymized.to_arrow_table(), roles, original=original.to_arrow_table(), metrics=COUNTED)
    found = metrics.score(anonymized, roles, original=original, metrics=COUNTED)
    assert differences(wanted, found) == []
    assert found.aggregates.comparison.tally == wanted.aggregates.comparison.tally == Tally(51, 9)
    alone = metrics.score(anonymized, roles.matched(metrics.Roles(key="id").matching), original=original)
    assert "the key column repeats a value" in str(alone["non_uniform_entropy"].unavailable)


@pytest.mark.parametrize("cell", [None, "", " ", "*"])
def test_missing_blank_and_suppressed_cells_are_no_key(cell: str | None) -> None:
    original = pl.LazyFrame({"id": ["1", "2"], "q": ["a", "b"]})
    anonymized = pl.LazyFrame({"id": ["1", cell], "q": ["a", "b"]})
    card = metrics.score(anonymized, metrics.Roles(["q"], key="id"), original=original)
    assert "or has missing cells" in str(card["non_uniform_entropy"].unavailable)
    in_memory = metrics.score(anonymized.collect(), metrics.Roles(["q"], key="id"), original=original.collect())
    assert "the record has no key" in str(in_memory["non_uniform_entropy"].unavailable)


def test_leaving_records_out_is_refused_in_a_sentence() -> None:
    frame = pl.LazyFrame({"id": ["1", "1"], "q": ["a", "b"]})
    roles = metrics.Roles(["q"], key="id", duplicates="first")
    card = metrics.score(frame, roles, original=frame)
    assert card["k_anonymity"].value == 1
    assert card["non_uniform_entropy"].unavailable == (
        "anonymized: an engine cannot exclude records from the comparison (duplicates); remove such records from the "
        "files, or remove that setting"
    )
