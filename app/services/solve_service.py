"""The solver thread: one slot for each character, which the newest request overwrites.

Every solve runs in this thread, so the window never waits for one. A request names the revision of the document it
was made for; who receives the result decides by that revision whether it still belongs (see Session).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module

from PySide6.QtCore import QObject, QThread, Signal

from app.document.problem import other_of, reasons_of, skeleton_of, solution_of
from app.document.state import Character
from solver.ik.catalog import DEFAULT_SOLVER, SOLVERS
from solver.ik.problem import IKSolution, Reason

Solve = Callable[[Character], IKSolution]


@dataclass(frozen=True)
class SolveRequest:
    """A character to solve, at a revision of the document. key: the merge key of the edit that asked, if any.

    measure: only tell how well the effectors are met by the pose as it is; nothing moves. other: look for another pose
    that meets them as well. why: only find out why effectors are not reachable; any other request goes before.
    """

    character: Character
    revision: int
    key: object | None = None
    measure: bool = False
    other: bool = False
    why: bool = False


@dataclass(frozen=True)
class SolveResult:
    """What came of a request: a solution, reasons or an error; none of them where there is no other pose."""

    request: SolveRequest
    solution: IKSolution | None
    error: Exception | None = None
    reasons: tuple[Reason | None, ...] = ()


def solve_character(character: Character) -> IKSolution:
    """Run the character's solver on its problem, from where it is; who stands in for it where it cannot be loaded."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() != 1:
        torch.set_num_threads(1)  # per thread: set in the main thread only, it would cost ten times the time
    return solution_of(character)


def measure_character(character: Character) -> IKSolution:
    """The character's own pose as a solution, with its residuals."""
    from solver.ik.residuals import residuals

    found = residuals(skeleton_of(character), character.pose, character.effectors)
    return IKSolution(character.pose, character.solver_state, found, 0, character.elapsed_s)


def prepare_default() -> None:
    """Load the default solver and let it compile what it needs: half a minute on a new machine, nothing afterwards."""
    module = import_module(SOLVERS[DEFAULT_SOLVER].target.partition(":")[0])
    warm_up = getattr(module, "warm_up", None)
    if warm_up is not None:
        warm_up()
    import_module("scipy.spatial.transform")  # else the first handle that turns would wait for it


class SolveService(QObject):
    """Takes requests, solves them one after another in its own thread, and tells when results are there.

    ready: emitted in the receiver's thread whenever `take` has something new. prepare: called in the thread before
    anything else; `awake` tells whether that is over.
    """

    ready = Signal()

    def __init__(
        self,
        solve: Solve = solve_character,
        prepare: Callable[[], None] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._solve, self._prepare = solve, prepare
        self._slots: dict[str, SolveRequest] = {}
        self._results: list[SolveResult] = []
        self._busy: str | None = "getting ready" if prepare else None
        self._stopping = self._overtaken = False
        self.awake = prepare is None
        self._changed = threading.Condition()
        self._thread = _Worker(self._work, self)

    def start(self) -> None:
        """Start the thread; requests made before wait until then."""
        if not self._thread.isRunning():
            self._thread.start()

    def request(self, request: SolveRequest) -> None:
        """Ask for a solve; an older request for the same character that is not yet begun is forgotten.

        A question why effectors are not reachable gives way to a solve that waits: its answer would be out of date.
        """
        with self._changed:
            if request.why and request.character.id in self._slots:
                return
            self._slots[request.character.id] = request
            self._overtaken |= request.character.id == self._busy
            self._changed.notify_all()

    def forget(self) -> None:
        """Drop all requests not yet begun and all results not yet taken; a search for another pose ends early."""
        with self._changed:
            self._slots.clear()
            self._overtaken = True
            self._results.clear()
            self._changed.notify_all()

    def take(self) -> list[SolveResult]:
        """The results since the last call, oldest first."""
        with self._changed:
            results, self._results = self._results, []
        return results

    def idle(self) -> bool:
        """Whether nothing is asked for and nothing is being solved."""
        with self._changed:
            return not self._slots and self._busy is None

    def wait(self, timeout_s: float) -> bool:
        """Block until idle; False when that took longer than `timeout_s`."""
        if not self._thread.isRunning():
            return self.idle()
        end = time.monotonic() + timeout_s
        with self._changed:
            while self._slots or self._busy is not None:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
        return True

    def solve_now(self, character: Character) -> IKSolution:
        """Solve here and now, in the caller's thread."""
        return self._solve(character)

    def stop(self) -> None:
        """End the thread; the solve in progress is finished first."""
        with self._changed:
            self._stopping = True
            self._slots.clear()
            self._changed.notify_all()
        self._thread.wait()

    def _answer(self, request: SolveRequest) -> SolveResult | None:
        character = request.character
        if request.why:
            reasons = reasons_of(character, self._is_hurried)
            return None if reasons is None else SolveResult(request, None, reasons=reasons)
        if request.other:
            return SolveResult(request, other_of(character, self._is_overtaken))
        return SolveResult(request, measure_character(character) if request.measure else self._solve(character))

    def _is_hurried(self) -> bool:
        """Whether anything more urgent than reasons waits for the thread."""
        with self._changed:
            return self._stopping or self._overtaken or any(not request.why for request in self._slots.values())

    def _is_overtaken(self) -> bool:
        with self._changed:
            return self._stopping or self._overtaken

    def _work(self) -> None:
        if self._prepare is not None:
            with suppress(Exception):  # a solver that cannot be loaded says so at its first solve
                self._prepare()
            with self._changed:
                self.awake, self._busy = True, None
                self._changed.notify_all()
            self.ready.emit()
        while True:
            with self._changed:
                while not self._slots and not self._stopping:
                    self._changed.wait()
                if self._stopping:
                    return
                id = next(iter(self._slots))
                request, self._busy, self._overtaken = self._slots.pop(id), id, False
            try:
                result = self._answer(request)
            except Exception as error:  # whatever a solver raises must reach the window, not end the thread
                result = SolveResult(request, None, error)
            with self._changed:
                # Nobody waits for a search that was given up; reasons that something else overtook are asked again.
                if result is not None and not (request.other and self._overtaken):
                    self._results.append(result)
                self._busy = None
                self._changed.notify_all()
            self.ready.emit()


class _Worker(QThread):
    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self.setObjectName("solver")

    def run(self) -> None:
        """Called by Qt in the new thread."""
        self._work()
