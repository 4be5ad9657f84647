"""Tables whose classes are looked at some at a time have the figures of the same tables looked at as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import partitions_of
from metrics.engines import table_of
from metrics.engines.duckdb_files import DuckDB
from metrics.errors import InputError, Unavailable
from metrics.scoring import by_partition as by_parts
from metrics.scoring.class_ranking import ranking
from metrics.utility.kl_divergence import measure as kl_divergence
from tests.drawing.drawn import title
from tests.engines.alike import COUNTED, apart, differences
from tests.support.command_line import call
from tests.support.examples import fewer_examples

CELLS = st.sampled_from(["*", "1", "2", "10", " 2", "a", "b ", "", "é"])
NAMES = ("N", "n", "s", "t", "w")
METRICS = [name for name in COUNTED if name != "population_uniqueness"]
"""The metrics of generated tables; the models of population uniqueness take longer than all others together."""
OF_ALL_AT_ONCE = {"minimal_sample_uniques", "quasi_identifier_ranking"}
"""Metrics that compare all classes with each other."""
OF_ALL_COMBINATIONS = {"association_change", "count_queries", "k_marginals", "learning_attack"}
"""Metrics that compare all combinations of values with each other."""
SETTINGS = st.sampled_from(
    [
        {},
        {"sensitive.others_as_quasi_identifiers": "true", "t_closeness.t": "0.5"},
        {"profitability.information_loss": "true", "profitability.publisher_benefit": "100", "p29.t_max": "0.2"},
        {"recursive_cl_diversity.l": "3", "t_closeness.distance.s": "equal"},
    ]
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The columns of an anonymized table, some of whose records are suppressed, and of its original."""
    number = draw(st.integers(1, 24))

    def column() -> list[str]:
        return draw(st.lists(CELLS, min_size=number, max_size=number))

    gone = draw(st.lists(st.booleans(), min_size=number, max_size=number))
    first, second = (["*" if lost else cell for cell, lost in zip(column(), gone, strict=True)] for _ in "Nn")
    weights = draw(st.lists(st.sampled_from("123"), min_size=number, max_size=number))
    anonymized = dict(zip(NAMES, (first, second, column(), column(), weights), strict=True))
    return anonymized, {**anonymized, "N": column(), "n": column()}


MANY = dict(
    zip(
        NAMES,
        (
            ["1", "1", "1", "2", "2", "10", "10", "a", "b ", "é", "*", "*"],
            ["a", "a", "b", "a", "a", "b", "b", "", " 2", "1", "*", "*"],
            ["1", "2", "1", "1", "1", "a", "b ", "a", "*", "10", "2", "1"],
            ["a", "a", "b", "b", "a", "a", "1", "1", "é", "", "a", "b"],
            ["1", "2", "3", "1", "1", "2", "3", "1", "2", "1", "3", "1"],
        ),
        strict=True,
    )
)
"""An anonymized table of several classes, each with several records or values."""
BEFORE_MANY = {**MANY, "N": [*MANY["N"][:10], "1", "é"], "n": ["b", *MANY["n"][1:10], "a", "1"]}


def as_in_memory(whole: metrics.Scorecard, parts: metrics.Scorecard) -> None:
    """Every figure is the same, but for those that need all classes or combinations at once."""
    assert (parts.listed is not None) == parts.aggregates.is_partitioned
    for identifier in OF_ALL_AT_ONCE | OF_ALL_COMBINATIONS:
        reason = str(parts[identifier].unavailable)
        if reason.startswith("all ") and reason.endswith("held at once"):
            assert identifier in OF_ALL_COMBINATIONS or parts.aggregates.is_partitioned
            whole = replace(whole, scores={**whole.scores, identifier: parts[identifier]})
    assert differences(whole, parts) == []


def same_classes(whole: metrics.Scorecard, parts: metrics.Scorecard) -> None:
    """All classes, part after part, and the worst of them, are those of the whole."""
    expected = without_scores(whole.classes.to_arrow())
    tables = [without_scores(table.to_arrow()) for table in parts.class_tables()]
    assert all(table.schema == expected.schema for table in tables)
    assert list(apart(expected.to_pylist(), pa.concat_tables(tables).to_pylist(), "")) == []
    if parts.listed is None:
        return
    results = {score.metric.id: score.result for score in whole if score.result is not None}
    worst = ranking(whole.aggregates.classes.sizes, results).order[: by_parts.LISTED_CLASSES]
    expected = without_scores(whole.classes.to_arrow(worst))
    assert list(apart(expected.to_pylist(), parts.classes.to_arrow().to_pylist(), "")) == []


def without_scores(classes: pa.Table) -> pa.Table:
    """A class table without the column of the metric that compares classes with each other."""
    return classes.drop_columns([name for name in classes.column_names if name == "suda_score"])


@example((MANY, BEFORE_MANY), 2, 2, True, ("s", "t"), "w", {"sensitive.others_as_quasi_identifiers": "true"})
@example((MANY, BEFORE_MANY), 3, 1, False, ("s",), None, {"recursive_cl_diversity.l": "3"})
@fewer_examples()
@given(
    tables=pairs(),
    most=st.integers(1, 6),
    listed=st.integers(1, 4),
    with_original=st.booleans(),
    sensitive=st.sampled_from([("s",), ("s", "t"), ()]),
    weight=st.sampled_from([None, "w"]),
    chosen=SETTINGS,
)
def test_scores_in_parts_with_polars_equal_those_in_memory(
    tables: tuple[dict[str, list[str]], dict[str, list[str]]],
    most: int,
    listed: int,
    with_original: bool,
    sensitive: Sequence[str],
    weight: str | None,
    chosen: dict[str, str],
) -> None:
    anonymized, original = (pl.DataFrame(columns) for columns in tables)
    roles = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=sensitive, weight=weight)
    parameters = metrics.Parameters().with_settings({key: value for key, value in chosen.items() if key[-2:] != ".s"})
    beside = original if with_original else None
    whole = metrics.score(anonymized, roles, original=beside, parameters=parameters, metrics=METRICS)
    lazy = None if beside is None else beside.lazy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_parts, "LISTED_CLASSES", listed)
        patch.setattr(kl_divergence, "MAX_PIECES", 10**6)
        parts = metrics.score(
            anonymized.lazy(), roles, original=lazy, parameters=parameters, metrics=METRICS, max_classes=most
        )
        same_classes(whole, parts)
    as_in_memory(whole, parts)


@pytest.mark.slow
@fewer_examples()
@given(tables=pairs(), most=st.integers(1, 6), chosen=SETTINGS)
def test_scores_in_parts_with_duckdb_equal_those_in_memory(
    tables: tuple[dict[str, list[str]], dict[str, list[str]]],
    most: int,
    chosen: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    for name, columns in zip(("anonymized", "original"), tables, strict=True):
        pq.write_table(pa.table(columns), folder / f"{name}.parquet", row_group_size=3)
    roles = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=["s", "t"])
    parameters = metrics.Parameters().with_settings(chosen)
    files = [folder / f"{name}.parquet" for name in ("anonymized", "original")]
    whole = metrics.score(
        metrics.read_table(files[0]),
        roles,
        original=metrics.read_table(files[1]),
        parameters=parameters,
        metrics=METRICS,
    )
    with DuckDB() as engine, pytest.MonkeyPatch.context() as patch:
        patch.setattr(kl_divergence, "MAX_PIECES", 10**6)
        parts = metrics.score(
            engine.table(files[0]),
            roles,
            original=engine.table(files[1]),
            parameters=parameters,
            metrics=METRICS,
            max_classes=most,
        )
        same_classes(whole, parts)
        as_in_memory(whole, parts)


def thousand() -> pl.LazyFrame:
    """A thousand classes of one to four records, the quasi-identifiers of unlike width."""
    at = np.repeat(np.arange(1000), np.arange(1000) % 4 + 1)
    chance = np.random.default_rng(5)
    text = {"q": at % 2, "r": at // 2 % 5, "u": at // 10, "s": chance.integers(0, 7, len(at))}
    return pl.LazyFrame({name: cells.astype(str) for name, cells in text.items()})


ROLES = metrics.Roles(quasi_identifiers=["q", "r", "u"], sensitive=["s"])


def test_no_part_is_large_and_each_class_is_in_one() -> None:
    aggregates = metrics.score(thousand(), ROLES, max_classes=150, metrics=["p29"]).aggregates
    with partitions_of(aggregates) as parts:
        found = [part.relation.count(("q", "r", "u", "s")) for part in parts]
        classes = sum(part.classes.count for part in parts)
    cells = [len(one.counts) for one in found]
    assert (len(found), classes) == (len(parts), 1000)
    assert max(cells) <= 150
    # Neighbours that are small together make one part.
    assert all(one + other > 150 for one, other in pairwise(cells))


def test_progress_is_reported_and_stops() -> None:
    reports: list[tuple[int, int]] = []
    card = metrics.score(thousand(), ROLES, max_classes=400, progress=lambda done, of: reports.append((done, of)))
    parts = reports[-1][1]
    assert parts > 2
    assert reports == [(done, parts) for done in range(parts + 1)]
    assert card.class_count == 1000
    assert "1,000 of 1,000" not in card._repr_html_()

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        metrics.score(thousand(), ROLES, max_classes=400, progress=stop)


def test_the_table_of_the_worst_classes_states_the_number_of_all_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_parts, "LISTED_CLASSES", 30)
    card = metrics.score(thousand(), ROLES, max_classes=400)
    assert len(card.classes) == 30
    assert "30 of 1,000 equivalence classes" in card.classes._repr_html_()
    assert card.classes.violating.all()
    sizes = card.classes.to_pandas()["size"].tolist()
    assert sizes == sorted(sizes)
    with pytest.raises(Unavailable, match="more than the 400 that can be held at once"):
        _ = card.aggregates.classes
    for score in card:
        finding = title(card.chart(score.metric.id))
        assert finding
        if score.metric.id in ("k_anonymity", "t_closeness", "profitability"):
            assert finding == score.summary()


def test_a_population_is_compared_with_few_classes_only() -> None:
    frame = thousand()
    population = frame.drop("s").collect()
    card = metrics.score(frame, ROLES, max_classes=400, population=population)
    for identifier in ("k_map", "delta_presence"):
        assert str(card[identifier].unavailable).startswith("all equivalence classes must be compared")
    risk = card["reidentification_risk"]
    assert risk.value == 1
    assert risk.details["refused"]["journalist"].startswith("all equivalence classes must be compared")


def test_the_divergence_is_refused_where_it_would_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = thousand()
    wanted = metrics.score(frame.collect(), ROLES, original=frame.collect())["kl_divergence"]
    found = metrics.score(frame, ROLES, original=frame, max_classes=300)["kl_divergence"]
    assert found.value == pytest.approx(wanted.value, abs=1e-12)
    monkeypatch.setattr(kl_divergence, "MAX_PIECES", 3)
    refused = metrics.score(frame, ROLES, original=frame, max_classes=300)["kl_divergence"]
    assert "too many classes cover each of them" in str(refused.unavailable)


def test_equal_numbers_in_different_parts_are_one_value() -> None:
    cells = [str(number) for number in range(20)]
    original = pl.DataFrame({"q": [*cells, "1.0"], "s": "a"})
    anonymized = pl.DataFrame({"q": [*cells, "1"], "s": "a"})
    roles = metrics.Roles(quasi_identifiers=["q"], sensitive=["s"])
    whole = metrics.score(anonymized, roles, original=original)["kl_divergence"]
    parts = metrics.score(anonymized.lazy(), roles, original=original.lazy(), max_classes=5)["kl_divergence"]
    assert parts.value == pytest.approx(whole.value, abs=1e-12) == 0


def written(folder: Path) -> tuple[object, ...]:
    """The thousand classes as files, and how to score them in parts."""
    thousand().collect().write_parquet(folder / "table.parquet")
    (folder / "roles.yaml").write_text("quasi_identifiers: [q, r, u]\nsensitive: [s]\n")
    inputs = ("--anonymized", folder / "table.parquet", "--roles", folder / "roles.yaml")
    return ("score", "--engine", "duckdb", "--max-classes", 300, *inputs)


def test_every_class_is_scored_and_written_part_after_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, *written(tmp_path), "--json", "--classes-out", tmp_path / "classes")
    assert (done.status, done.err) == (0, "")
    assert done.object["classes"] == {"count": 1000, "smallest": 1, "largest": 4, "mean": 2.5}
    assert len(list((tmp_path / "classes").iterdir())) > 3
    whole = metrics.score(metrics.read_table(tmp_path / "table.parquet"), ROLES)
    assert pq.read_table(tmp_path / "classes").to_pylist() == whole.classes.to_arrow().to_pylist()
    for identifier, score in whole.to_dict()["metrics"].items():
        if identifier not in OF_ALL_AT_ONCE | OF_ALL_COMBINATIONS and score["unavailable"] is None:
            assert list(apart(score, done.object["metrics"][identifier], identifier)) == []


def test_stopped_writing_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from metrics.cli.engines import write_classes

    card = metrics.score(thousand(), ROLES, max_classes=300)

    def stop(done: int, of: int) -> None:
        if done == 2:
            assert len(list(tmp_path.iterdir())) == 1
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_classes(card.class_tables(stop), tmp_path / "classes")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--engine", "duckdb", "--max-classes", "0"), "--max-classes"),
        (("--engine", "memory"), "--max-classes"),
    ],
)
def test_max_classes_is_refused_if_zero_or_without_an_engine_that_works_in_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], sentence: str
) -> None:
    done = call(capsys, *written(tmp_path), *options)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert sentence in done.err


def test_the_engine_that_fails_in_the_middle_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(thousand(), "anonymized")
    asked = 0
    whole = type(table.engine).batches  # type: ignore[union-attr]

    def failing(self: object, frame: object) -> object:
        nonlocal asked
        asked += 1
        if asked > 12:
            raise InputError("the engine polars could not count the records", remedy="see its own log")
        return whole(self, frame)

    monkeypatch.setattr(type(table.engine), "batches", failing)  # type: ignore[union-attr]
    with pytest.raises(InputError, match="could not count"):
        metrics.score(table, ROLES, max_classes=200)
