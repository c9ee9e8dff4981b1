"""A worker that computes curves in its own thread, the newest request first, and caches them for their clip."""

from __future__ import annotations

import traceback
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QThread, Signal

from app.document.curves.values import CurveRequest, Curves
from app.document.model.actor import Actor
from app.document.model.prop import Prop
from solver.errors import PoserError

KEPT = 16  # so that they show at once after an undo, or after going to another joint and back
FAILED = "These curves could not be worked out."


class CurveWorker(QObject):
    """done(): `known` has something new."""

    done = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: OrderedDict[tuple[int, CurveRequest], tuple[Actor, Curves]] = OrderedDict()
        self._thread: _Thread | None = None
        self._next: _Work | None = None

    def known(self, actor: Actor, request: CurveRequest) -> Curves | None:
        """The curves of somebody as they are now; None until they are computed."""
        found = self._known.get((id(actor), request))
        return found[1] if found is not None and found[0] is actor else None

    def ask(
        self, actor: Actor, request: CurveRequest, actors: Sequence[Actor] = (), props: Sequence[Prop] = ()
    ) -> None:
        """Have them computed; anything else waiting is forgotten.

        actors, props: see `curves_of`. Curves are known by their actor alone, as an actor is replaced when what its
        effectors follow moves otherwise.
        """
        running = self._thread
        if running is not None and running.work.actor is actor and running.work.request == request:
            self._next = None
            return
        self._next = _Work(actor, request, actors, props)
        self._begin()

    def stop(self) -> None:
        """Begin nothing more, and wait for the thread to end."""
        self._next = None
        if self._thread is not None:
            self._thread.wait()

    def _begin(self) -> None:
        if self._thread is None and self._next is not None:
            self._thread, self._next = _Thread(self._next, self), None
            self._thread.finished.connect(self._take)
            self._thread.start()

    def _take(self) -> None:
        thread, self._thread = self._thread, None
        if thread is None:
            return
        thread.wait()  # finished is emitted a moment before the thread has ended
        thread.deleteLater()
        work = thread.work
        self._known[id(work.actor), work.request] = work.actor, thread.curves
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        self._begin()
        self.done.emit()


class _Work(NamedTuple):
    actor: Actor
    request: CurveRequest
    actors: Sequence[Actor]
    props: Sequence[Prop]


class _Thread(QThread):
    def __init__(self, work: _Work, parent: QObject) -> None:
        super().__init__(parent)
        self.work, self.curves = work, Curves(lacks=FAILED)

    def run(self) -> None:
        """Compute them, in the new thread."""
        from app.document.curves.curves import curves_of  # loaded here so that the window's start need not wait for it

        try:
            self.curves = curves_of(*self.work)
        except PoserError as error:
            self.curves = Curves(lacks=str(error))
        except Exception:  # it is in the log, and the panel says so
            traceback.print_exc()
