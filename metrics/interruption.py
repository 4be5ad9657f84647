"""Long work tells between its steps how far it is, and asks whether anybody still wants it, if its caller says how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

_EVERY = 1_000
_CHECK: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)
_PROGRESS: ContextVar[Callable[[float], object] | None] = ContextVar("progress", default=None)


def checkpoint() -> None:
    """End the work here, by the exception of the check, where nobody wants it any longer.

    A loop calls it that may run for longer than a second.
    """
    check = _CHECK.get()
    if check is not None:
        check()


def report(share: float) -> None:
    """Tell whoever follows the work which share of it is done, 0 to 1; a checkpoint, too."""
    checkpoint()
    progress = _PROGRESS.get()
    if progress is not None:
        progress(share)


def watched(items: Iterable[T]) -> Iterator[T]:
    """Items, with a checkpoint at every thousandth: for loops whose steps are too short to have one each."""
    for number, item in enumerate(items):
        if number % _EVERY == 0:
            checkpoint()
        yield item


@contextmanager
def interruptible(check: Callable[[], None]) -> Iterator[None]:
    """Let the work inside call `check` at its checkpoints, in this thread; it raises where the work is to end."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


@contextmanager
def reporting(progress: Callable[[float], object] | None) -> Iterator[None]:
    """Let the work inside report to `progress`, in this thread; it may raise, to end the work."""
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)


@contextmanager
def part(number: int, parts: int) -> Iterator[None]:
    """Let the work inside report to whoever follows the whole, of which it is one of several equal parts."""
    progress = _PROGRESS.get()
    with reporting(None if progress is None else lambda share: progress((number + share) / parts)):
        yield
