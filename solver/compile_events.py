"""Tells when machine code is being made, which takes seconds to minutes and happens once on a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def telling_of_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """While this lasts, `tell` is called once any thread begins to compile a function, the first time alone; not where
    machine code that was kept is loaded. It is called in that thread, which waits for it."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        told = False

        def on_start(self, event: object) -> None:
            if not self.told:
                self.told = True
                tell()

        def on_end(self, event: object) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield
