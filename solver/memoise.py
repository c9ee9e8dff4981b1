"""Memoisation: results computed once, whichever thread asks first; or kept within the value they are computed from."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import update_wrapper, wraps
from typing import Any, Generic, TypeVar

R = TypeVar("R")
V = TypeVar("V")


class Memoised(Generic[R]):
    """A function of hashable arguments whose last few results are kept; see `memoised`."""

    def __init__(self, make: Callable[..., R], most: int | None, by_identity: bool) -> None:
        self._make, self._most, self._by_identity = make, most, by_identity
        self._known: OrderedDict[Hashable, tuple[tuple[Any, ...], R]] = OrderedDict()
        self._turns: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()
        update_wrapper(self, make)

    def __call__(self, *arguments: Any) -> R:
        """The kept result, or a new one; waits for a result that another thread is making."""
        key = tuple(map(id, arguments)) if self._by_identity else arguments
        found = self._known.get(key)  # without the lock, since most calls end here; one look-up is safe in any thread
        if found is not None:
            if self._most is not None:
                try:  # noqa: SIM105 - a context manager would take longer than all the rest
                    self._known.move_to_end(key)
                except KeyError:  # another thread has just dropped it
                    pass
            return found[1]
        with self._lock:
            if (found := self._known.get(key)) is not None:
                return found[1]
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:
            with self._lock:
                if (found := self._known.get(key)) is not None:
                    return found[1]
            try:
                made = self._make(*arguments)
            except BaseException:
                with self._lock:
                    self._turns.pop(key, None)
                raise
            with self._lock:  # keeps the result and ends the turn in one step: every thread finds one of the two
                self._turns.pop(key, None)
                # The arguments are kept as well: while they live, no other object has their identity.
                kept = self._known.setdefault(key, (arguments, made))
                while self._most is not None and len(self._known) > self._most:
                    self._known.popitem(last=False)
            return kept[1]

    def cache_clear(self) -> None:
        """Forgets all results."""
        with self._lock:
            self._known.clear()


def memoised(most: int | None = None, *, by_identity: bool = False) -> Callable[[Callable[..., R]], Memoised[R]]:
    """Keep a function's last `most` results (by default all), one for each set of arguments, shared by all threads.

    functools.cache lets two threads make a value twice: the second loads a network or a body again, and what should be
    one object is two. Errors are not kept. by_identity: arguments are told apart by identity, not value.
    """
    return lambda make: Memoised(make, most, by_identity)


def memoised_on_value(make: Callable[[V], R]) -> Callable[[V], R]:
    """What is made from a frozen value, kept within the value itself for as long as that lives.

    A cached property for functions of a higher room: looked up in a fifth of the time of `memoised`. Two threads may
    both make it; one of the two is kept and given to everybody. It must not refer back to the value.
    """
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def kept(value: V) -> R:
        held: dict[str, R] = value.__dict__
        try:
            return held[name]
        except KeyError:
            return held.setdefault(name, make(value))

    return kept
