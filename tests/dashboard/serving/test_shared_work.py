"""One computation of a session at a time: joined by whoever needs it, ended when nobody does."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

import pytest

from dashboard.serving import shared_work
from dashboard.serving.shared_work import SharedWork
from metrics.interruption import checkpoint, interruptible

PATIENCE_S = 30


class Left(BaseException):
    """Ends a page that its visitor has left."""


class Long:
    """Work that comes to a checkpoint again and again until it may end."""

    def __init__(self) -> None:
        self.begun, self.may_end, self.ended = Event(), Event(), Event()
        self.times = 0

    def __call__(self) -> str:
        self.times += 1
        self.begun.set()
        try:
            while not self.may_end.wait(0.001):
                checkpoint()
        finally:
            self.ended.set()
        return "done"


class Page:
    """A page that waits for work under a key until its visitor leaves."""

    def __init__(self, shared: SharedWork, key: str, compute: Callable[[], str]) -> None:
        self.result: str | None = None
        self.waiting, self._left, self._checks = Event(), Event(), 0
        self._thread = Thread(target=self._run, args=(shared, key, compute), daemon=True)
        self._thread.start()

    def _run(self, shared: SharedWork, key: str, compute: Callable[[], str]) -> None:
        try:
            with interruptible(self._check):
                self.result = shared.result(key, compute)
        except Left:
            pass

    def _check(self) -> None:
        self._checks += 1
        if self._checks > 1:  # The first look comes before the page begins or joins the work.
            self.waiting.set()
        if self._left.is_set():
            raise Left

    def leave(self) -> None:
        """Go to another page."""
        self._left.set()
        self.end()

    def end(self) -> None:
        """Wait until the page is drawn."""
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody wants ends at its next checkpoint."""
    monkeypatch.setattr(shared_work, "GRACE_S", 0.0)


def test_all_pages_that_need_the_same_get_one_computation() -> None:
    shared, work = SharedWork(), Long()
    pages = [Page(shared, "card", work) for _ in range(10)]
    assert all(page.waiting.wait(PATIENCE_S) for page in pages)
    assert shared.start is not None
    work.may_end.set()
    for page in pages:
        page.end()
    assert [page.result for page in pages] == ["done"] * 10
    assert work.times == 1
    assert shared.start is None


def test_work_goes_on_from_page_to_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_work, "GRACE_S", PATIENCE_S * 10)
    shared, work = SharedWork(), Long()
    for _ in range(10):
        page = Page(shared, "card", work)
        assert work.begun.wait(PATIENCE_S)
        page.leave()
    last = Page(shared, "card", work)
    work.may_end.set()
    last.end()
    assert (last.result, work.times) == ("done", 1)


def test_work_ends_when_the_last_page_that_waits_is_left() -> None:
    shared, work = SharedWork(), Long()
    first, second = Page(shared, "card", work), Page(shared, "card", work)
    assert work.begun.wait(PATIENCE_S)
    first.leave()
    assert not work.ended.wait(0.05)
    second.leave()
    assert work.ended.wait(PATIENCE_S)
    again = Page(shared, "card", work)
    work.may_end.set()
    again.end()
    assert (again.result, work.times) == ("done", 2)


def test_a_page_that_may_need_it_keeps_it_going() -> None:
    shared, work = SharedWork(), Long()
    page = Page(shared, "card", work)
    assert work.begun.wait(PATIENCE_S)
    with shared.wanted():
        page.leave()
        assert not work.ended.wait(0.05)
    assert work.ended.wait(PATIENCE_S)


def test_other_work_ends_that_which_is_no_longer_needed() -> None:
    shared, former, present = SharedWork(), Long(), Long()
    page = Page(shared, "roles before", former)
    assert former.begun.wait(PATIENCE_S)
    page_after = Page(shared, "roles after", present)
    assert present.begun.wait(PATIENCE_S)
    assert former.ended.wait(PATIENCE_S)
    page.leave()
    present.may_end.set()
    page_after.end()
    assert page_after.result == "done"


def test_dropped_work_ends_though_a_page_waits() -> None:
    shared, work = SharedWork(), Long()
    with shared.wanted():
        page = Page(shared, "card", work)
        assert work.begun.wait(PATIENCE_S)
        page._left.set()
        shared.drop()
        assert work.ended.wait(PATIENCE_S)
    page.end()
    assert shared.start is None


def test_an_error_reaches_every_page_and_is_not_kept() -> None:
    def fail() -> str:
        raise ValueError("wrong")

    shared = SharedWork()
    for _ in range(2):
        with pytest.raises(ValueError, match="wrong"):
            shared.result("card", fail)
    assert shared.result("card", lambda: "done") == "done"
