"""Files are read beside the server: one that never ends is killed, and holds nobody else up."""

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from pickle import UnpicklingError
from types import SimpleNamespace

import pytest

from dashboard.serving import server
from dashboard.serving.background_job import BackgroundJob
from dashboard.serving.reading_process import ReadingProcess, ReadingProcesses
from dashboard.serving.reading_worker import _send_answer, receive_answer
from metrics.candidates.methods.mondrian import Mondrian
from metrics.config.roles import Roles
from metrics.config.roles_file import parse_roles
from metrics.errors import InputError
from metrics.hierarchies.files import read_hierarchy
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.settings import Settings
from metrics.policy.settings_file import parse_settings
from metrics.reading import read_table
from metrics.recipes.parsing import parse_recipe
from metrics.recipes.recipe import Recipe
from metrics.recipes.steps import Generalize, Make
from metrics.tables.free_memory import available_memory
from metrics.tables.table import Table
from tests.dashboard.reading_functions import (
    SECRET,
    answer_with_a_function,
    die,
    fail,
    first_to_end,
    free_memory,
    hold_the_interpreter,
    look_around,
    process_number,
    take_memory,
    wait_for_another,
)
from tests.support.small_tables import columns_of

CSV = b"a,b\n1,x\n2,y\n2,\n"
LARGE = b"a,b\n" + b"11,22\n" * 20_000
"""Its codes are sent beside the pickle."""
SEVERAL_BLOCKS = b"a,b\n" + b"11,22\n" * 900_000


@pytest.fixture(scope="module")
def processes() -> Iterator[ReadingProcesses]:
    made = ReadingProcesses()
    made.start(lambda: True)
    yield made
    made.end()


def test_tables_and_hierarchies_are_the_same_as_read_here(processes: ReadingProcesses) -> None:
    for content in (CSV, LARGE):
        beside = processes.call(read_table, content, name="t.csv")
        here = read_table(content, name="t.csv")
        assert isinstance(beside, Table)
        assert columns_of(beside) == columns_of(here)
        assert (beside.name, beside.rows, beside.source) == (here.name, here.rows, here.source)
    content = b"1;1-2;*\n2;1-2;*\n3;3;*\n"
    assert processes.call(read_hierarchy, content, name="a.csv").rows == read_hierarchy(content, name="a.csv").rows


def test_roles_settings_and_recipes_are_the_same_as_parsed_here(processes: ReadingProcesses) -> None:
    roles = b"quasi_identifiers: [a, b]\nkey_sets: {neighbour: [a]}\n"
    assert processes.call(parse_roles, roles, name="r.yaml") == parse_roles(roles, "r.yaml")
    tree = Hierarchy([["1", "1-2", "*"], ["2", "1-2", "*"]], name="a.csv")
    settings = Settings(Roles(["a"], key="b"), hierarchies={"a": tree}).to_json().encode()
    assert processes.call(parse_settings, settings, name="s.json").to_json().encode() == settings
    for step in (Generalize("a", 1, 2, "a.csv", {"1-2": ["1", "2"]}), Make(Mondrian(), 1, ("a",), (), {"a": tree})):
        recipe = Recipe((step,)).to_yaml()
        assert processes.call(parse_recipe, recipe.encode(), name="r.yaml").to_yaml() == recipe


def test_a_refusal_keeps_its_parts(processes: ReadingProcesses) -> None:
    with pytest.raises(InputError) as here:
        read_table(b"a,b\n1,2\n1,2,3\n", name="t.csv")
    with pytest.raises(InputError) as beside:
        processes.call(read_table, b"a,b\n1,2\n1,2,3\n", name="t.csv")
    assert str(beside.value) == str(here.value)
    assert vars(beside.value) == vars(here.value)


def test_small_files_share_a_process_and_large_ones_do_not(
    processes: ReadingProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.serving.reading_process._MAX_REUSED_BYTES", len(CSV))
    first, second = (processes.call(process_number, CSV, name="t.csv") for _ in range(2))
    assert first == second
    assert processes.call(process_number, LARGE, name="t.csv") == first
    assert processes.call(process_number, CSV, name="t.csv") != first


def test_a_file_that_takes_too_long_is_reported_in_a_sentence_and_its_process_ends(
    processes: ReadingProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = processes.call(process_number, b"", name="t.csv")
    monkeypatch.setattr(processes, "_time_limit_s", 0.1)
    with pytest.raises(InputError) as caught:
        processes.call(hold_the_interpreter, b"", name="t.csv")
    assert str(caught.value) == (
        "t.csv: reading it takes longer than 0.1 seconds; check that every quote is closed, or save it as Parquet."
    )
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_other_threads_go_on_until_reading_is_stopped(
    processes: ReadingProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a process of its own, the match would never let this thread have the interpreter again."""
    waits, stopped = threading.Event(), threading.Event()
    messages: list[str] = []

    def is_needed() -> bool:
        waits.set()
        return not stopped.is_set()

    def read() -> None:
        try:
            processes.call(hold_the_interpreter, b"", name="t.csv")
        except InputError as error:
            messages.append(str(error))

    monkeypatch.setattr(processes, "_is_needed", is_needed)
    reader = threading.Thread(target=read)
    reader.start()
    waits.wait()
    assert reader.is_alive()
    stopped.set()
    reader.join()
    assert messages == ["t.csv: reading it was stopped; upload it again."]


@pytest.mark.parametrize(("function", "what"), [(fail, r"it cannot be read \(KeyError\)"), (die, "does not fit")])
def test_an_error_in_the_reading_process_is_reported_without_its_text(
    processes: ReadingProcesses, function: Callable[..., None], what: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=rf"^t\.csv: .*{what}") as caught:
        processes.call(function, b"", name="t.csv")
    assert SECRET not in str(caught.value)
    assert capfd.readouterr() == ("", "")
    assert columns_of(processes.call(read_table, CSV, name="t.csv"))["a"] == ["1", "2", "2"]


@pytest.mark.parametrize(
    "answer",
    [
        ("value", os.system),
        ("value", subprocess.Popen),
        ("value", read_table),
        ("value", Path("/")),
    ],
    ids=lambda answer: str(answer[1]).split(" at ")[0],
)
def test_an_answer_restores_data_only(answer: tuple[str, object]) -> None:
    written = io.BytesIO()
    _send_answer(written, answer)
    written.seek(0)
    with pytest.raises(UnpicklingError):
        receive_answer(written)


def test_a_process_that_answers_something_else_is_a_file_that_cannot_be_read(processes: ReadingProcesses) -> None:
    with pytest.raises(InputError, match=r"^t\.csv: it cannot be read \(UnpicklingError\)"):
        processes.call(answer_with_a_function, b"", name="t.csv")
    assert columns_of(processes.call(read_table, CSV, name="t.csv"))["a"] == ["1", "2", "2"]


def test_many_visitors_share_a_few_processes(processes: ReadingProcesses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.serving.reading_process._MAX_AT_ONCE", 2)
    with ThreadPoolExecutor(6) as visitors:
        numbers = list(visitors.map(lambda _: processes.call(process_number, b"", name="t.csv"), range(12)))
    assert len(set(numbers)) < 6  # two, and those that were needed again after nobody had waited for a moment
    assert processes.call(process_number, b"", name="t.csv") in numbers


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux holds a process to its limit of memory")


@LINUX
def test_files_that_are_read_at_once_share_the_free_memory(processes: ReadingProcesses) -> None:
    with ThreadPoolExecutor(4) as visitors:
        shares = list(visitors.map(lambda _: processes.call(free_memory, b"", name="t.csv"), range(4)))
    free = available_memory()
    assert free is not None
    assert sum(shares) < 1.1 * free
    assert processes.call(free_memory, b"", name="t.csv") > 0.4 * free


@LINUX
def test_a_file_that_takes_more_memory_than_its_share_is_refused(processes: ReadingProcesses) -> None:
    with pytest.raises(InputError, match=r"^t\.csv: the table does not fit into memory"):
        processes.call(take_memory, b"", name="t.csv")
    assert columns_of(processes.call(read_table, CSV, name="t.csv"))["a"] == ["1", "2", "2"]


@LINUX
def test_where_memory_ends_a_reading_process_ends_and_not_the_server(processes: ReadingProcesses) -> None:
    assert processes.call(first_to_end, b"", name="t.csv") == "1000"


def test_one_session_cannot_hold_all_processes(processes: ReadingProcesses, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four files that take forever, of one session: another visitor's file is read meanwhile."""
    of_thread, stopped, waiting = threading.local(), threading.Event(), threading.Semaphore(0)

    def is_needed() -> bool:
        waiting.release()
        return not stopped.is_set() or of_thread.session != "greedy"

    monkeypatch.setattr(processes, "_is_needed", is_needed)
    monkeypatch.setattr(processes, "_session", lambda: of_thread.session)

    def read(session: str, function: Callable[..., object]) -> object:
        of_thread.session = session
        try:
            return processes.call(function, b"", name="t.csv")
        except InputError as error:
            return str(error)

    with ThreadPoolExecutor(8) as visitors:
        greedy = [visitors.submit(read, "greedy", hold_the_interpreter) for _ in range(6)]
        for _ in greedy:
            assert waiting.acquire(timeout=60)
        try:
            assert isinstance(visitors.submit(read, "other", process_number).result(60), int)
            assert not any(one.done() for one in greedy)
        finally:
            stopped.set()
        assert {one.result(60) for one in greedy} == {"t.csv: reading it was stopped; upload it again."}


def test_a_process_knows_no_secret_opens_no_file_and_ends_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLIT_SERVER_COOKIE_SECRET", SECRET)
    process = ReadingProcess()
    _, seen = process.ask(look_around, b"", {"name": "t.csv"})
    assert "PATH" in seen
    assert SECRET not in seen.values()
    for content in (CSV, SEVERAL_BLOCKS):
        kind, _ = process.ask(read_table, content, {"name": "t.csv"})
        assert kind == "value"
        opened = {os.readlink(one) for one in Path(f"/proc/{process.identifier}/fd").iterdir()}
        assert {one for one in opened if one.startswith("/") and one != "/dev/null"} == set()
    stream = process._process.stdin
    assert stream is not None
    stream.close()
    assert process._process.wait(timeout=60) == 0
    process.end()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes")
def test_a_process_ends_with_what_it_has_started(tmp_path: Path) -> None:
    """As it starts one for a file of SPSS or Stata."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = ReadingProcess()
    asked = BackgroundJob(lambda: process.ask(wait_for_another, b"", {"name": str(pipe)}))
    with pipe.open("rb") as written:
        assert written.readline() == b"begun\n"
        process.kill()
        assert written.read() == b""  # both have closed it
    assert asked.ended(60)
    process.end()


def test_a_page_waits_until_its_session_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = {"one"}
    monkeypatch.setattr(server, "running", lambda: SimpleNamespace(is_active_session=connected.__contains__))
    monkeypatch.setattr(server, "session_of_page", lambda: "one")
    assert server.page_waits()
    connected.clear()
    assert not server.page_waits()
