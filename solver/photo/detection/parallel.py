"""Runs networks in parallel: a single one of this size gains little from a second core, two side by side more."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

CORES = min(4, os.cpu_count() or 1)  # more would hardly help networks of this size
THREADS = min(2, CORES)


_within = threading.local()


def parallel_map(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """The result for each item, in order, computed by this thread and another. If the iteration ends early, no further
    items are begun.

    Work that is itself part of such work is done by its own thread alone. Raises what the work raises.
    """
    if THREADS == 1 or len(items) < 2 or getattr(_within, "busy", False):
        yield from map(work, items)
        return
    made: list[Future[R]] = [Future() for _ in items]
    left, taking = deque(range(len(items))), threading.Lock()

    def do_next() -> bool:
        with taking:
            if not left:
                return False
            place = left.popleft()
        _within.busy = True
        try:
            made[place].set_result(work(items[place]))
        except BaseException as error:
            made[place].set_exception(error)
        finally:
            _within.busy = False
        return True

    def help_out() -> None:
        while do_next():
            pass

    helpers = [threading.Thread(target=help_out, name="looks", daemon=True) for _ in range(THREADS - 1)]
    for helper in helpers:
        helper.start()
    try:
        for one in made:
            # This thread works too: on a busy machine the other may not get its turn.
            while not one.done() and do_next():
                pass
            yield one.result()
    finally:
        with taking:
            left.clear()
        if not all(one.done() for one in made):
            for helper in helpers:
                helper.join()


class InstancePool(Generic[T]):
    """A pool of instances, each used by one thread at a time; another is made when all are in use, up to a bound."""

    def __init__(self, make: Callable[[], T], most: int = THREADS) -> None:
        self._make = make
        self._free: list[T] = [make()]  # so that an error shows at once
        self._to_make = most - 1
        self._changed = threading.Condition()

    @contextmanager
    def borrowed(self) -> Iterator[T]:
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
