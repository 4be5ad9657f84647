"""What the benchmark of reading counts as right, asked about, refused and wrong."""

from pathlib import Path

import pytest

from benchmarks.public_files import truth_of
from benchmarks.reading_corpus import difference, outcome

CELLS = [["id", "town"], ["1", "Oslo"], ["2", "Rome"]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("some/file.csv", "id,town\n1,Oslo\n2,Rome\n"),
        ("some/file.tsv", "id\ttown\n1\tOslo\n2\tRome\n"),
        ("some/file.csv", "\ufeffid,town,,\n1,Oslo,,\n2,Rome,,\n"),
        ("arx/file.csv", "id;town\n1;Oslo\n2;Rome\n"),
    ],
)
def test_truth_follows_the_known_dialect(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / Path(name).name
    path.write_text(content, encoding="utf-8")
    assert truth_of(path, name) == CELLS


@pytest.mark.parametrize("content", ["a,b\n1,2,3\n", "a,b\n1,2\n3,4,5\n"])
def test_files_with_longer_records_have_no_expected_cells(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file.csv"
    path.write_text(content, encoding="utf-8")
    assert truth_of(path, "some/file.csv") is None


def test_a_difference_names_its_place() -> None:
    assert difference(CELLS, CELLS) == ""
    assert difference([["id", "town"], ["1", "Oslo"], ["2", "Bonn"]], CELLS) == "record 2, column 2"
    assert difference(CELLS[:2], CELLS) == "1 x 2 for 2 x 2"


def test_a_corpus_file_is_classified_as_read_wrong_or_refused() -> None:
    content = b"id,town\n1,Oslo\n2,Rome\n"
    assert outcome(content, "file", CELLS) == ("read", "")
    assert outcome(content, "file", [*CELLS[:2], ["2", "Bonn"]])[0] == "wrong"
    assert outcome(b"", "file", CELLS)[0] == "refused"
    assert outcome(b"", "file", None)[0] == "no table: refused"
