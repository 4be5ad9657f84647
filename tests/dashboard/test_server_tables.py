"""Tables on the server: only what its owner offers, with the figures of an upload, and gone when they are dropped."""

import gc
import os
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import score_cache
from dashboard.environment import TABLES_FOLDER
from dashboard.server_tables import ServerTables, TablesFolder
from dashboard.serving.background_job import BackgroundJob
from dashboard.workspace import Slot, Workspace
from metrics import InputError
from metrics.aggregates import TableAggregates
from metrics.config.roles import Role
from tests.dashboard.application import (
    SCRIPTS,
    choose,
    class_count,
    csv,
    figures,
    go,
    loaded,
    metric,
    opened,
    press,
    start,
    state_of,
)
from tests.engines.alike import differences

COLUMNS = ("age", "zip", "illness")
ORIGINAL = [(number % 40, f"0{number % 7}", f"i{number % 3}") for number in range(200)]
RELEASED = [("*", "*", one[2]) if one[0] == 3 else (f"{one[0] // 10}0s", one[1], one[2]) for one in ORIGINAL]
LINK = "own link.csv"
TAGGED = {"age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An original as CSV, a released table as a folder of two, and things that are not to be offered."""
    (tmp_path / "secret.csv").write_bytes(csv(COLUMNS, *ORIGINAL))
    root = tmp_path / "tables"
    (root / "2024" / "released").mkdir(parents=True)
    (root / "2024" / "original.csv").write_bytes(csv(COLUMNS, *ORIGINAL))
    (root / "2024" / "released" / "1.csv").write_bytes(csv(COLUMNS, *RELEASED[:90]))
    (root / "2024" / "released" / "2.csv").write_bytes(csv(COLUMNS, *RELEASED[90:]))
    for name in (".hidden.csv", "_part.csv", "read.me", "many*.csv"):
        (root / name).write_bytes(csv(COLUMNS, *ORIGINAL))
    (root / "link.csv").symlink_to(tmp_path / "secret.csv")
    (root / "own link.csv").symlink_to(root / "2024" / "original.csv")
    (root / "up").symlink_to(tmp_path)
    return root


@pytest.fixture
def offered(root: Path, monkeypatch: pytest.MonkeyPatch) -> TablesFolder:
    monkeypatch.setenv(TABLES_FOLDER, str(root))
    folder = TablesFolder.offered()
    assert folder is not None
    return folder


def test_only_tables_inside_the_folder_are_offered(offered: TablesFolder) -> None:
    assert offered.names() == [
        "2024/",
        "2024/original.csv",
        "2024/released/",
        "2024/released/1.csv",
        "2024/released/2.csv",
        "own link.csv",
    ]


@pytest.mark.parametrize(
    "name",
    ["../secret.csv", "2024/../../secret.csv", "link.csv", "up/secret.csv", "many*.csv", ".hidden.csv", "", ".", "/"],
)
def test_no_file_outside_the_folder_is_opened(offered: TablesFolder, name: str) -> None:
    with pytest.raises(InputError, match="the server's folder contains no such table; choose another") as caught:
        ServerTables().open(offered, name)
    assert str(offered.root) not in str(caught.value)
    with pytest.raises(InputError):
        ServerTables().open(offered, str(offered.root.parent / "secret.csv"))


def test_a_folder_with_a_link_that_leads_out_is_refused(offered: TablesFolder, root: Path) -> None:
    (root / "2024" / "released" / "3.csv").symlink_to(root.parent / "secret.csv")
    with pytest.raises(InputError, match=r"^2024/released/: the folder contains a link that leads out of it"):
        ServerTables().open(offered, "2024/released/")


def test_no_folder_is_offered_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TABLES_FOLDER, raising=False)
    assert TablesFolder.offered() is None
    app = start()
    assert not [one for one in (*app.selectbox, *app.multiselect) if str(one.key).startswith("server_")]


def chosen(offered: TablesFolder) -> Workspace:
    """A workspace with both tables and tagged columns."""
    state = Workspace()
    state.tables.adopt(Slot.ORIGINAL, state.tables.server.open(offered, "2024/original.csv"))
    state.tables.adopt(Slot.ANONYMIZED, state.tables.server.open(offered, "2024/released/"))
    state.roles |= TAGGED
    return state


def notices(app: AppTest) -> list[str]:
    return [str(one.value) for one in app.info]


def test_tables_are_chosen_and_removed_on_the_page(offered: TablesFolder) -> None:
    app = choose(start(), "server_original", "2024/original.csv")
    choose(app, "server_anonymized", ["2024/released/"])
    state = state_of(app)
    assert state.tables.labels == ["2024/released/"]
    assert set(state.roles) == set(COLUMNS)
    press(app, "remove_server_anonymized_2024/released/")
    assert app.get_by_key("server_anonymized").value == []
    choose(app, "server_original", None)
    assert state.tables.empty
    assert state.roles == {}


def test_a_server_table_scores_as_the_same_file_uploaded(offered: TablesFolder) -> None:
    state = chosen(offered)
    uploaded = loaded(csv(COLUMNS, *ORIGINAL), csv(COLUMNS, *RELEASED), **TAGGED)
    card = state.card("2024/released/")
    assert differences(uploaded.card("c0.csv"), card) == []
    assert sum(score.value is not None for score in card) > 15
    app = opened(state, "verdict")
    assert any(caption.value.startswith("195 records in ") for caption in app.caption)
    assert metric(app, "k-anonymity") == str(card["k_anonymity"].value)


def test_pages_that_need_records_state_that_server_tables_have_none(offered: TablesFolder) -> None:
    app = opened(chosen(offered), "explore")
    (sentence,) = notices(app)
    assert "stays on the server" in sentence
    assert "upload the table" in sentence
    for script in ("classes", "profitability", "report"):
        assert not notices(go(app, script))
    assert any("upload the table" in sentence for sentence in notices(go(app, "repair")))


def test_every_page_works_or_says_that_there_are_too_many_classes(
    offered: TablesFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_cache, "TableAggregates", partial(TableAggregates, max_classes=10))
    app = opened(chosen(offered))
    for script in SCRIPTS:
        go(app, script)
        if script in ("classes", "profitability", "repair", "report"):
            assert notices(app) == ["This table has 28 classes, too many to list. The Verdict page summarizes them."], (
                script
            )
        if script == "verdict":
            assert class_count(app) == 28


def test_a_server_table_can_be_compared_with_an_uploaded_one(offered: TablesFolder) -> None:
    state = chosen(offered)
    state.tables.add(Slot.ANONYMIZED, "released.csv", csv(COLUMNS, *RELEASED))
    assert state.tables.labels == ["released.csv", "2024/released/"]
    app = opened(state, "compare")
    assert set(figures(app, "All metrics by version")["metric"]) == {"released.csv", "2024/released/"}
    choose(app, "compare_view", "Follow a record or a class")
    assert any("Records are followed through uploaded tables only" in str(one.value) for one in app.caption)


def test_unreadable_server_tables_are_reported_in_a_sentence(offered: TablesFolder, root: Path) -> None:
    (root / "2024" / "released" / "3.csv").write_bytes(csv(["age", "other"], (1, 2)))
    (root / "damaged.parquet").write_bytes(b"PAR1\0 and no more")
    app = choose(start(), "server_anonymized", ["2024/released/", "damaged.parquet"])
    different, damaged = [str(one.value) for one in app.error]
    assert "layout differ from" in different
    assert "damaged or incomplete" in damaged
    assert state_of(app).tables.empty


def test_a_stopped_count_continues_on_request(offered: TablesFolder) -> None:
    state = chosen(offered)
    state.tables.server.stop()
    app = opened(state, "verdict")
    assert notices(app) == ["Counting was stopped. Completed counts are kept."]
    assert not app.metric
    press(app, "count_again")
    assert any(caption.value.startswith("195 records in ") for caption in app.caption)


def test_a_count_that_was_interrupted_by_mistake_is_made_again(
    offered: TablesFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, begin, begun = chosen(offered), ServerTables.begin, []

    def begin_and_interrupt_once(server: ServerTables) -> None:
        begin(server)
        if not begun:
            server.interrupt()
        begun.append(server)

    monkeypatch.setattr(ServerTables, "begin", begin_and_interrupt_once)
    app = opened(state, "verdict")
    assert len(begun) == 2
    assert any(caption.value.startswith("195 records in ") for caption in app.caption)


def test_a_count_ends_on_request_and_can_be_made_again(root: Path) -> None:
    numbers = pa.array(range(200_000))
    pq.write_table(pa.table({"age": numbers, "zip": numbers, "illness": numbers}), root / "large.parquet")
    state = Workspace()
    state.tables.adopt(Slot.ANONYMIZED, state.tables.server.open(TablesFolder(root.resolve()), "large.parquet"))
    state.roles |= TAGGED
    state.tables.server.begin()
    counting = BackgroundJob(lambda: state.card("large.parquet"))
    while not state.tables.server.queries:
        assert not counting.ended(0.001)
    # Once: another one, come when it has ended, would meet the count that follows.
    state.tables.server.interrupt()
    while not counting.ended(0.001):
        pass
    with pytest.raises(KeyboardInterrupt):
        counting.result()
    state.tables.server.begin()
    assert state.aggregates("large.parquet").class_sizes.count == 200_000


@pytest.mark.parametrize("end", [Workspace.clear, lambda state: state.drop(LINK)], ids=["forgotten", "last"])
def test_the_database_connection_is_closed_with_the_last_table(
    offered: TablesFolder, end: Callable[[Workspace], None]
) -> None:
    gc.collect()
    gc.disable()
    try:
        state = Workspace()
        state.tables.adopt(Slot.ANONYMIZED, state.tables.server.open(offered, LINK))
        table = state.tables.server.versions[LINK].table
        held = weakref.ref(table)
        end(state)
        with pytest.raises(Exception, match="closed"):
            table.estimate_distinct([table.names])
        del table
        assert held() is None
    finally:
        gc.enable()


@pytest.mark.timeout(60)
def test_a_named_pipe_is_not_offered_as_a_table(offered: TablesFolder, root: Path) -> None:
    os.mkfifo(root / "waiting.csv")
    os.mkfifo(root / "2024" / "released" / "waiting.csv")
    assert not any("waiting" in name for name in offered.names())
    with pytest.raises(InputError, match="the server's folder contains no such table"):
        ServerTables().open(offered, "waiting.csv")
    held = ServerTables()
    assert held.open(offered, "2024/released/").sample.rows == len(RELEASED)
    held.close()
