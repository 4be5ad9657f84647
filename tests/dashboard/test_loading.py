"""Uploaded bytes become a proposal, a table or one sentence; nothing else comes out."""

import gzip
import io

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dashboard.loading
from dashboard.loading import Bytes, LoadedTable, ReadOptions, load_table, parse_document, propose_table
from metrics.errors import InputError
from metrics.policy.settings_file import parse_settings
from metrics.tables.table import Table
from tests.dashboard.reading_requests import reading_requests
from tests.support.small_tables import columns_of

SECRET = "Quetzalcoatl"


def load(content: bytes, name: str = "table.csv", **choices: object) -> LoadedTable:
    """The table as it is proposed under some choices."""
    file = Bytes.from_content(content)
    return load_table(name, file, ReadOptions(plan=propose_table(name, file, choices).plan))


def workbook() -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["a"])
    book.active.append(["1"])
    second = book.create_sheet("second")
    second.append(["b"])
    second.append(["2"])
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("content", "choices", "columns"),
    [
        (b"a,b\n1,2\n", {}, {"a": ["1"], "b": ["2"]}),
        (b"a;b\n1,5;2\n", {}, {"a": ["1,5"], "b": ["2"]}),
        (b"a,b;c\n1,2;3\n", {"delimiter": ";"}, {"a,b": ["1,2"], "c": ["3"]}),
        ("ä\nß\n".encode("latin-1"), {"encoding": "latin-1"}, {"ä": ["ß"]}),
        (b"a,b\n'1,2',3\n", {"quote": "'"}, {"a": ["1,2"], "b": ["3"]}),
        (b"a,b\nNA,?\n", {"missing": ("?",)}, {"a": ["NA"], "b": [None]}),
        (b"a,b\nNA,?\n", {}, {"a": ["NA"], "b": ["?"]}),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), {}, {"a": ["1"], "b": ["2"]}),
    ],
)
def test_choices_decide_how_a_file_is_read(
    content: bytes, choices: dict[str, object], columns: dict[str, list[str | None]]
) -> None:
    assert columns_of(load(content, **choices).table) == columns


def test_a_sheet_can_be_chosen() -> None:
    book = workbook()
    assert load(book, "book.xlsx").table.names == ("a",)
    assert load(book, "book.xlsx", sheet="second").table.names == ("b",)


# The first file of a kind waits for its reader to be imported.
@given(st.binary(max_size=200), st.sampled_from(["t.csv", "t.csv.gz", "t.parquet", "t.xlsx"]))
def test_any_bytes_become_a_table_or_one_sentence(content: bytes, name: str) -> None:
    try:
        loaded = load(content, name)
    except InputError as error:
        sentence = str(error)
        assert sentence.startswith(name)
        assert sentence.endswith(".")
        assert "\n" not in sentence
    else:
        assert isinstance(loaded.table, Table)


@pytest.mark.parametrize("function", ["propose", "read_table"])
@pytest.mark.parametrize("error", [ValueError(SECRET), KeyError(SECRET), OSError(SECRET), RecursionError(SECRET)])
def test_the_text_of_an_unexpected_error_is_not_reported(
    error: Exception, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(dashboard.loading, function, fail)
    with pytest.raises(InputError, match=type(error).__name__) as caught:
        load(b"a\n1\n")
    assert SECRET not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_table_too_large_for_memory_has_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(dashboard.loading, "read_table", fail)
    with pytest.raises(InputError, match=r"table\.csv: the table does not fit into memory; load fewer"):
        load(b"a\n1\n")


def test_the_digest_differs_for_different_bytes_or_reading_plans() -> None:
    tables = [
        load(b"a\n1\n"),
        load(b"a\n2\n"),
        load(b"a\n1\n", missing=("1",)),
        load(b"a\n1\n", encoding="latin-1"),
    ]
    assert len({table.digest for table in tables}) == len(tables)
    assert load(b"a\n1\n", name="other.csv").digest == tables[0].digest


def test_a_file_of_settings_of_more_than_a_few_megabytes_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = reading_requests(monkeypatch)
    with pytest.raises(InputError, match=r"^s\.json: the file has 5 MB, more than the 4 MB"):
        parse_document(parse_settings, "s.json", b" " * 5_000_000)
    assert asked == []
    with pytest.raises(InputError, match=r"^s\.json, line 1: the file is not valid JSON"):
        parse_document(parse_settings, "s.json", b" " * 4_000_000)
    assert asked == [parse_settings]
