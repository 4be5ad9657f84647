"""One page is computed at a time, and none waits for long."""

from __future__ import annotations

from threading import Event, Thread
from time import monotonic

import pytest

from dashboard.serving.page_queue import PageQueue

PATIENCE_S = 30


class Page:
    """A page that asks for a place and keeps it until it is told to end."""

    def __init__(self, queue: PageQueue, since: float | None = None) -> None:
        self.has_place, self._may_end = Event(), Event()
        self._thread = Thread(target=self._run, args=(queue, since), daemon=True)
        self._thread.start()

    def _run(self, queue: PageQueue, since: float | None) -> None:
        with queue.slot(since):
            self.has_place.set()
            assert self._may_end.wait(PATIENCE_S)

    def end(self) -> None:
        """Draw the rest."""
        self._may_end.set()
        self._thread.join(PATIENCE_S)


def test_a_page_waits_for_a_place_and_gets_it_when_another_ends() -> None:
    queue = PageQueue(max_seconds=PATIENCE_S * 10)
    first = Page(queue)
    assert first.has_place.wait(PATIENCE_S)
    second = Page(queue)
    assert not second.has_place.wait(0.1)
    first.end()
    assert second.has_place.wait(PATIENCE_S)
    second.end()


def test_a_page_that_takes_long_does_not_hold_up_others() -> None:
    queue = PageQueue(max_seconds=0.01)
    long = Page(queue)
    assert long.has_place.wait(PATIENCE_S)
    other = Page(queue)
    assert other.has_place.wait(PATIENCE_S)
    other.end()
    long.end()


def test_a_page_that_joins_a_long_computation_holds_up_nobody() -> None:
    queue = PageQueue(max_seconds=PATIENCE_S * 10)
    joining = Page(queue, since=monotonic() - PATIENCE_S * 20)
    assert joining.has_place.wait(PATIENCE_S)
    other = Page(queue)
    assert other.has_place.wait(PATIENCE_S)
    other.end()
    joining.end()


def test_a_page_that_fails_gives_its_place_back() -> None:
    queue = PageQueue(max_seconds=PATIENCE_S * 10)
    with pytest.raises(ZeroDivisionError), queue.slot():
        raise ZeroDivisionError
    after = Page(queue)
    assert after.has_place.wait(PATIENCE_S)
    after.end()
