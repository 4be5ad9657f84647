"""Attacks on tables in an engine: the figures of the same tables in memory, or the reason why there are none."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Parameters, Roles, Scorecard, read_hierarchies, read_table, score
from metrics.engines.duckdb_files import DuckDB
from tests.engines.alike import apart
from tests.support.examples import fewer_examples
from tests.support.sample import SAMPLE
from tests.support.small_tables import Cells, table

COUNTED = ("record_linkage_attack", "attribute_inference_attack")
ROLES = Roles(quasi_identifiers=["age", "sex"], sensitive=["stay", "ward"])
NEEDED = "a single label for each original value"


def scored(folder: Path, anonymized: dict[str, Cells], original: dict[str, Cells], **chosen: object) -> Scorecard:
    """The attacks on two tables, saved as Parquet and read by DuckDB."""
    files = {name: folder / f"{name}.parquet" for name in ("anonymized", "original")}
    for name, cells in (("anonymized", anonymized), ("original", original)):
        pq.write_table(pa.table(cells), files[name])
    with DuckDB() as engine:
        return score(
            engine.table(files["anonymized"]),
            ROLES,
            original=engine.table(files["original"]),
            parameters=Parameters().with_settings(chosen),
            metrics=COUNTED,
        )


def reasons(card: Scorecard) -> list[str | None]:
    return [card[identifier].unavailable for identifier in COUNTED]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["candidate_light", "candidate_balanced"])
def test_the_sample_in_an_engine_has_the_figures_of_the_sample_in_memory(name: str) -> None:
    roles = Roles(
        quasi_identifiers=["sex", "age", "zip_code", "marital_status", "occupation", "admission"],
        sensitive=["diagnosis", "length_of_stay"],
    )
    files = SAMPLE / f"{name}.csv", SAMPLE / "hospital.csv"
    settings = {"hierarchies": read_hierarchies(SAMPLE / "hierarchies", roles.quasi_identifiers), "metrics": COUNTED}
    memory = score(read_table(files[0]), roles, original=read_table(files[1]), **settings)  # type: ignore[arg-type]
    with DuckDB() as engine:
        tables = [engine.table(file) for file in files]
        found = score(tables[0], roles, original=tables[1], **settings)  # type: ignore[arg-type]
    if memory.aggregates.classes.suppressed:
        assert all(NEEDED in str(reason) for reason in reasons(found))
        return
    for identifier in COUNTED:
        assert found[identifier].value is not None
        assert list(apart(memory[identifier].details, found[identifier].details, identifier)) == []
        assert found[identifier].summary() == memory[identifier].summary()


@fewer_examples(0.12)
@given(
    people=st.lists(
        st.tuples(
            st.integers(20, 49), st.sampled_from("fm"), st.integers(1, 40), st.sampled_from(["A", "B", "C", "*"])
        ),
        min_size=1,
        max_size=60,
    )
)
def test_global_recoding_gives_the_figures_of_memory(
    tmp_path_factory: pytest.TempPathFactory, people: list[tuple[int, str, int, str]]
) -> None:
    ages, sexes, stays, wards = (list(map(str, column)) for column in zip(*people, strict=True))
    original: dict[str, Cells] = {"age": ages, "sex": sexes, "stay": stays, "ward": wards}
    anonymized = original | {"age": [f"{age[0]}0-{age[0]}9" for age in ages]}
    found = scored(tmp_path_factory.mktemp("engine"), anonymized, original)
    memory = score(table(anonymized), ROLES, original=table(original), metrics=COUNTED)
    for identifier in COUNTED:
        assert list(apart(memory[identifier].to_dict(), found[identifier].to_dict(), identifier)) == []


PEOPLE: dict[str, Cells] = {
    "age": ["21", "22", "31"],
    "sex": ["f", "m", "f"],
    "stay": ["1", "2", "3"],
    "ward": ["A", "A", "B"],
}


@pytest.mark.parametrize(
    ("released", "chosen"),
    [
        ({"age": ["21-30", "20-29", "30-39"]}, {}),  # labels that overlap
        ({"age": ["20-29", "20-29", "20-29"]}, {}),  # a label that does not cover its value
        ({"age": ["*", "20-29", "30-39"], "sex": ["*", "m", "f"]}, {}),  # a suppressed record
        ({}, {"attack.known": ["age"]}),
    ],
)
def test_other_tables_need_their_records(tmp_path: Path, released: dict[str, Cells], chosen: dict[str, object]) -> None:
    assert all(NEEDED in str(reason) for reason in reasons(scored(tmp_path, PEOPLE | released, PEOPLE, **chosen)))


def test_changed_sensitive_values_cannot_be_guessed_by_counts(tmp_path: Path) -> None:
    card = scored(tmp_path, PEOPLE | {"ward": ["A", "B", "A"]}, PEOPLE)
    assert card["record_linkage_attack"].value == 1
    assert NEEDED in str(card["attribute_inference_attack"].unavailable)
