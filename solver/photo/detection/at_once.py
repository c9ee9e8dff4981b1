"""Networks asked several things at once. One network of this size uses a second core hardly at all: two on a core each
answer nearly twice as much in the same time, and take less processor time for it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

CORES = min(4, os.cpu_count() or 1)  # more hardly help networks of this size
AT_ONCE = min(2, CORES)


def at_once(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """What is made of each item, in their order, by a few threads. Where the iteration ends early, no more are begun.

    Raises what the work raises.
    """
    if AT_ONCE == 1 or len(items) < 2:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(AT_ONCE, "looks") as threads:
        try:
            yield from threads.map(work, items)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


class Shared(Generic[T]):
    """A few of the same kind, each used by one thread at a time; another is made when all are in use, up to a bound."""

    def __init__(self, make: Callable[[], T], most: int = AT_ONCE) -> None:
        self._make = make
        self._free: list[T] = [make()]  # so that an error is told at once
        self._to_make = most - 1
        self._changed = threading.Condition()

    @contextmanager
    def one(self) -> Iterator[T]:
        """One of them, for as long as the block lasts; waits until one is free."""
        held = self._taken()
        try:
            yield held
        finally:
            with self._changed:
                self._free.append(held)
                self._changed.notify()

    def _taken(self) -> T:
        with self._changed:
            while not self._free and not self._to_make:
                self._changed.wait()
            if self._free:
                return self._free.pop()
            self._to_make -= 1
        return self._make()
