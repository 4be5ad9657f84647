"""Lazy frames of any library, and histograms too large for one piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import duckdb
import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.counting import histograms
from metrics.counting.histograms import LargeHistogram
from metrics.errors import InputError
from metrics.explanations.direct_identifiers import columns_to_settle
from metrics.policy.policy import Policy
from tests.engines.alike import COUNTED, NEED_RECORDS, differences
from tests.support.examples import fewer_examples
from tests.support.small_tables import table

CELLS = st.lists(st.sampled_from(["1", "2", "10", "a", "*", None]), min_size=12, max_size=12)
ROLES = metrics.Roles(quasi_identifiers=["q", "r"], sensitive=["s"])


@fewer_examples(0.2)
@given(q=CELLS, r=CELLS, s=CELLS, before=CELLS)
def test_lazy_polars_tables_matched_by_position_score_as_in_memory(
    q: list[str | None], r: list[str | None], s: list[str | None], before: list[str | None]
) -> None:
    anonymized, original = pl.DataFrame({"q": q, "r": r, "s": s}), pl.DataFrame({"s": s, "q": before, "r": r})
    text = dict.fromkeys(("q", "r", "s"), pl.String)
    anonymized, original = anonymized.cast(text), original.cast(text)  # type: ignore[arg-type]
    wanted = metrics.score(anonymized, ROLES, original=original, metrics=COUNTED)
    found = metrics.score(anonymized.lazy(), ROLES, original=nw.from_native(original.lazy()), metrics=COUNTED)
    assert differences(wanted, found) == []


def _dask(tables: Mapping[str, pa.Table]) -> list[object]:
    import dask.dataframe

    return [dask.dataframe.from_pandas(one.to_pandas(), npartitions=3) for one in tables.values()]


def _ibis_duckdb(tables: Mapping[str, pa.Table]) -> list[object]:
    import ibis

    connection = ibis.duckdb.connect()
    return [connection.create_table(name, one) for name, one in tables.items()]


def _ibis_sqlite(tables: Mapping[str, pa.Table]) -> list[object]:
    import ibis

    connection = ibis.sqlite.connect()
    return [connection.create_table(name, one) for name, one in tables.items()]


@pytest.mark.filterwarnings("ignore")  # Theirs, which differ by version.
@pytest.mark.parametrize(
    "library", [_ibis_sqlite, *(pytest.param(library, marks=pytest.mark.slow) for library in (_dask, _ibis_duckdb))]
)
def test_lazy_frames_of_other_libraries_score_as_in_memory(
    library: Callable[[Mapping[str, pa.Table]], list[object]],
) -> None:
    connection = duckdb.connect()
    original = connection.sql(
        "SELECT 'p' || i AS id, (i % 5)::VARCHAR AS q, 'r' || i % 3 AS r, "
        "CASE WHEN i % 11 = 0 THEN NULL ELSE 's' || i % 2 END AS s FROM range(60) AS t(i)"
    )
    # Blanks around a key are not part of it.
    anonymized = connection.sql(
        "SELECT ' ' || id || chr(9) AS id, CASE WHEN q = '3' THEN '*' ELSE q END AS q, r, s FROM original "
        "WHERE id <> 'p7' ORDER BY hash(id)"
    )
    tables = {"anonymized": anonymized.to_arrow_table(), "original": original.to_arrow_table()}
    roles = metrics.Roles(quasi_identifiers=["q", "r"], sensitive=["s"], key="id")
    wanted = metrics.score(tables["anonymized"], roles, original=tables["original"], metrics=COUNTED)
    frames = library(tables)
    found = metrics.score(frames[0], roles, original=frames[1], metrics=COUNTED)
    assert differences(wanted, found) == []
    assert found["non_uniform_entropy"].value is not None


def test_duckdb_relations_matched_by_a_key_score_as_in_memory() -> None:
    connection = duckdb.connect()
    original = connection.sql("SELECT i AS id, i % 5 AS q, i % 3 AS r, i % 2 AS s FROM range(60) AS t(i)")
    anonymized = connection.sql(
        "SELECT id, CASE WHEN id % 7 = 0 THEN '*' ELSE q::VARCHAR END AS q, r, s FROM original WHERE id < 50"
    )
    roles = metrics.Roles(quasi_identifiers=["q", "r"], sensitive=["s"], key="id")
    wanted = metrics.score(anonymized.to_arrow_table(), roles, original=original.to_arrow_table(), metrics=COUNTED)
    found = metrics.score(anonymized, roles, original=original, metrics=COUNTED)
    assert differences(wanted, found) == []
    unmatched = metrics.score(anonymized, ROLES, original=original)
    assert "cannot be matched by position" in str(unmatched["non_uniform_entropy"].unavailable)


@pytest.mark.parametrize(
    ("anonymized", "sentence"),
    [
        ("SELECT 1 AS id, 'a' AS q UNION ALL SELECT 1, 'b'", "repeats a value"),
        ("SELECT NULL::INT AS id, 'a' AS q", "repeats a value, or has missing cells"),
        ("SELECT 9 AS id, 'a' AS q", "a record's key does not occur in original"),
    ],
)
def test_in_an_engine_keys_that_cannot_match_leave_pair_metrics_without_a_figure(
    anonymized: str, sentence: str
) -> None:
    connection = duckdb.connect()
    original = connection.sql("SELECT i AS id, 'a' AS q FROM range(5) AS t(i)")
    roles = metrics.Roles(quasi_identifiers=["q"], key="id")
    card = metrics.score(connection.sql(anonymized), roles, original=original)
    assert sentence in str(card["non_uniform_entropy"].unavailable)


def test_one_table_in_memory_and_one_in_an_engine_are_refused() -> None:
    frame = pl.DataFrame({"q": ["a"], "r": ["a"], "s": ["b"]})
    with pytest.raises(InputError, match="one of the two tables is in memory and the other in an engine"):
        metrics.score(frame.lazy(), ROLES, original=frame)


def test_a_lazy_table_without_a_column_of_the_roles_is_refused() -> None:
    with pytest.raises(InputError, match=r'column "r": the table has no such column'):
        metrics.score(pl.LazyFrame({"q": ["a"], "s": ["b"]}), ROLES)
    frame = pl.LazyFrame({"q": ["a"]})
    with pytest.raises(InputError, match=r'column "id": the table has no such column'):
        metrics.score(frame, metrics.Roles(["q"], key="id"), original=frame)


@fewer_examples()
@given(q=CELLS, r=CELLS, s=CELLS, cells=st.integers(1, 6))
def test_large_histogram_is_judged_part_by_part(
    q: list[str | None], r: list[str | None], s: list[str | None], cells: int
) -> None:
    content = table({"q": q, "r": r, "s": s})
    wanted = metrics.score(content, ROLES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(histograms, "_MAX_CELLS", cells)
        found = metrics.score(content, ROLES)
        large = found.aggregates.histogram("s")
    whole = wanted.aggregates.histogram("s")
    assert isinstance(large, LargeHistogram) == (len(whole.group) > 2 * cells)
    assert wanted.to_dict() == found.to_dict()
    for name in ("group", "code", "count", "starts", "totals", "distinct", "size_of_cell"):
        assert np.array_equal(getattr(whole, name), getattr(large, name)), name
    assert all(np.array_equal(whole.of_class(i), large.of_class(i)) for i in range(len(whole.sizes)))


def test_metrics_that_need_records_are_unavailable_in_an_engine() -> None:
    frame = pl.LazyFrame({"q": ["a", "b"], "r": ["a", "a"], "s": ["b", "c"]})
    card = metrics.score(frame, ROLES, original=frame, metrics=["classification_accuracy"])
    assert card["classification_accuracy"].unavailable == NEED_RECORDS


def test_columns_that_identify_people_fail_a_policy_in_an_engine_as_in_memory() -> None:
    mails = [f"p{number}@example.org" for number in range(60)]
    cells = {"q": ["a", "b"] * 30, "s": ["x", "y", "z"] * 20, "mail": mails}
    policy = Policy("Ours", {"k_anonymity": 2})
    for frame, failed in ((cells, ["mail"]), ({**cells, "mail": ["*", None] * 30}, [])):
        for roles in (metrics.Roles(["q"], ["s"]), metrics.Roles(["q"], ["s"], identifiers=["mail"])):
            card = metrics.score(pl.DataFrame(frame).lazy(), roles, metrics=["k_anonymity"])
            assert [name for limit in policy.check(card).failed for name in limit.columns] == failed


def test_a_table_in_an_engine_of_which_only_the_first_records_are_examined_says_so() -> None:
    """E-mail addresses from record 10,001 on are not seen."""
    mails = [*["*"] * 10_000, *(f"p{number}@example.org" for number in range(60))]
    frame = pl.DataFrame({"q": ["a"] * len(mails), "mail": mails})
    roles = metrics.Roles(["q"])
    in_engine = metrics.score(frame.lazy(), roles, metrics=["k_anonymity"]).aggregates
    assert "in the first 10,000 of 10,060 records" in " ".join(columns_to_settle(in_engine))
    in_memory = metrics.score(frame, roles, metrics=["k_anonymity"]).aggregates
    assert "in the first" not in " ".join(columns_to_settle(in_memory))
