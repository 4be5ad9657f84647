"""A table too large for the machine is refused with the estimate, and the page goes on."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import load_sample, open_page, rerun, upload
from tests.browser.serving import Server

resource = pytest.importorskip("resource", reason="Windows has no limits of this kind")
MARGIN = 400 << 20
TOLD = re.compile(
    r"large\.parquet: reading it needs about (\d+) MB of memory, and (\d+) MB are free; load fewer columns or records, "
    r"use a machine with more memory, or score it with an engine\.$"
)


def reading_processes(server: int) -> Iterator[int]:
    """The processes that read files for a server."""
    for children in Path(f"/proc/{server}/task").glob("*/children"):
        for process in children.read_text(encoding="ascii").split():
            if "dashboard.serving.reading_worker" in Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8"):
                yield int(process)


@contextmanager
def little_memory(server: int) -> Iterator[None]:
    """Hold the processes that read files for a server to little more memory than they have now."""
    held = {process: resource.prlimit(process, resource.RLIMIT_AS) for process in reading_processes(server)}
    assert held
    for process, (_, hard) in held.items():
        taken = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.prlimit(process, resource.RLIMIT_AS, (taken + MARGIN, hard))
    try:
        yield
    finally:
        for process, before in held.items():
            with suppress(ProcessLookupError):
                resource.prlimit(process, resource.RLIMIT_AS, before)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A few kilobytes that would become half a gigabyte."""
    path = tmp_path / "large.parquet"
    part = pa.table({f"q{number}": pa.nulls(600_000, pa.int8()) for number in range(10)})
    with pq.ParquetWriter(path, part.schema) as writer:
        for _ in range(10):
            writer.write_table(part)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux holds a process to its limit of memory")
def test_a_table_beyond_the_memory_is_refused_and_the_page_goes_on(page: Page, server: Server, large: Path) -> None:
    open_page(page, "/")
    alerts = page.get_by_test_id("stAlert")
    with little_memory(server.process):
        upload(page, "upload_original", [large])
        expect(alerts).to_have_count(1)
        expect(alerts).to_contain_text(TOLD)
        needed, free = (int(figure) for figure in TOLD.findall(alerts.inner_text())[0])
        assert free < needed
        with rerun(page):
            page.get_by_role("button", name="Do not load it").click()
        load_sample(page)
        expect(alerts.filter(has_text="large.parquet")).to_have_count(0)
        expect(page.get_by_text("in 2,293 equivalence classes")).to_be_visible()
