"""The solver thread: one slot for each character and frame, which the newest request overwrites.

Every solve runs in this thread, so the window never waits for one. A request names the revision of the document it
was made for; the receiver of the result decides by it whether the result still belongs (see Session).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal

from app.document.model.document import Character
from app.document.posing.findings import Finding
from app.document.posing.solving import other_solution_of, reasons_of, solution_of
from app.document.posing.tied_groups import NO_HOLDS, NO_ONE_AROUND, answers_of
from app.services.soon import soon
from solver import devices
from solver.body.kept_volume import load_compiled
from solver.camera import PinholeCamera
from solver.effectors.resolve import NO_PROPS, Prop, has_sources
from solver.ik.memory import FRESH, BegunAnew, Memory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.problem import Reason
from solver.ik.solution import Answer, IKSolution
from solver.solvers.catalog import DEFAULT_SOLVER, SOLVERS

if TYPE_CHECKING:
    from app.document.model.document import Document
    from app.document.posing.surroundings import Surroundings
    from solver.ik.multi_solve.solve_from_proposal import Ties

Solve = Callable[[Character, Memory], IKSolution]
Slot = tuple[str, int]
IDLE_S, REST_S = 1.0, 0.02  # before what is done ahead begins, and between its steps
READ_S = 10.0  # that reading compiled code takes at most (3 to 4.3 here); what takes longer is being compiled


class SolveQuery(Enum):
    """What a request wants to know of a character."""

    POSE = "the pose that meets its effectors"
    OTHER = "another pose that meets them as well"
    REASONS = "why some are not reachable; any other request goes before"


@dataclass(frozen=True)
class SolveRequest:
    """A character to solve, at a revision of the document. key: the merge key of the edit that asked, if any.

    known: what is known about the character, from which its solver goes on. beside: the characters it is tied to, if
    only through others, with what is known about them; they are solved with it. cameras: of the photos, from which
    targets may come. step_s: seconds since the poses before these, 0 where time plays no part.
    holds: what stays of each, by id, while one limb moves. surroundings: what stands around each, by id. props: those
    that targets may lie on, by id.
    ties: where the character's targets are found again while everybody else stays, for another pose of its own.
    query: what is to be found out.
    """

    character: Character
    revision: int
    key: object | None = None
    known: Finding = field(default_factory=Finding)
    beside: tuple[tuple[Character, Finding], ...] = ()
    cameras: tuple[PinholeCamera, ...] = ()
    step_s: float = 0.0
    holds: Mapping[str, LimbHold] = field(default_factory=lambda: NO_HOLDS)
    surroundings: Mapping[str, Surroundings] = field(default_factory=lambda: NO_ONE_AROUND)
    props: Mapping[str, Prop] = field(default_factory=lambda: NO_PROPS)
    ties: Ties | None = None
    query: SolveQuery = SolveQuery.POSE

    @property
    def slot(self) -> Slot:
        """The character and the frame of the request: an edited pose is solved whatever is looked at meanwhile."""
        return self.slots[0]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of all who are solved, in a fixed order: whichever of them is edited, the newest request counts."""
        return tuple(sorted((c.id, c.frame) for c in (self.character, *(other for other, _ in self.beside))))


@dataclass(frozen=True)
class SolveResult:
    """The outcome of a request: a solution, reasons or an error; none of them if there is no other pose.

    answers: of a solve, by the slots of everyone solved.
    """

    request: SolveRequest
    solution: IKSolution | None
    error: Exception | None = None
    reasons: tuple[Reason | None, ...] = ()
    answers: Mapping[Slot, Answer] = field(default_factory=dict)


def solve_character(character: Character, memory: Memory = FRESH) -> IKSolution:
    """Run the character's solver, or the stand-in for one that cannot be loaded, on its problem, from its memory or
    from where the character is."""
    return solution_of(character, memory)


def prepare_default() -> None:
    """Load the default solver and let it compile what it needs, and the picture after a solve: two minutes on a new
    machine, no time later."""
    module = import_module(SOLVERS[DEFAULT_SOLVER].target.partition(":")[0])
    warm_up = getattr(module, "warm_up", None)
    if warm_up is not None:
        warm_up()
    load_compiled()
    from app.services.release_memory import release_unused_memory  # not needed to show the window

    release_unused_memory()


def ahead(document: Document) -> Iterator[None]:
    """What is loaded ahead while nothing is asked for; see `rehearsal`."""
    from app.services.rehearsal import rehearsal  # not needed to show the window

    yield from rehearsal(document)


class SolveService(QObject):
    """Takes requests, solves them one after another in its own thread, and signals when results are there.

    ready: emitted in the receiver's thread whenever `take` has something new. prepare: called in the thread before
    anything else; `awake` says whether that is over, and woken is emitted then. slow: emitted once if that takes so
    long that code is being compiled. spare: called once, and gone through step by step while nothing is asked for; a
    request waits for no more than one step. last_run: where the last solve's network ran, or the processor if it used
    none; None before the first.
    """

    ready = Signal()
    woken = Signal()
    slow = Signal()

    def __init__(
        self,
        solve: Solve = solve_character,
        prepare: Callable[[], None] | None = None,
        spare: Callable[[], Iterator[None]] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._solve, self._prepare, self._spare = solve, prepare, spare
        self._slots: dict[Slot, SolveRequest] = {}
        self._results: list[SolveResult] = []
        self._busy: Slot | None = ("getting ready", 0) if prepare else None
        self._stopping = self._overtaken = False
        self._ahead: Iterator[None] | None = None
        self.awake = prepare is None
        self._began = time.monotonic()
        self.last_run: devices.Run | None = None
        self._changed = threading.Condition()
        self._thread = _Worker(self._work, self)

    def start(self) -> None:
        """Start the thread; requests made before wait until then."""
        if not self._thread.isRunning():
            self._began = time.monotonic()
            self._thread.start()
            soon(self, self._tell_if_slow, round(1000 * READ_S) + 100)

    @property
    def compiles(self) -> bool:
        """Whether `prepare` is not over and takes longer than reading what was compiled before."""
        return not self.awake and self._thread.isRunning() and time.monotonic() - self._began > READ_S

    def request(self, request: SolveRequest) -> None:
        """Ask for a solve; an older request for the same character that is not yet begun is forgotten.

        A request for why effectors are not reachable gives way to a waiting solve: its answer would be out of date.
        """
        with self._changed:
            if request.query is SolveQuery.REASONS and request.slot in self._slots:
                return
            self._slots[request.slot] = request
            self._overtaken |= request.slot == self._busy
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
        """Block until idle; False if that took longer than `timeout_s`."""
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

    def wait_until_awake(self) -> None:
        """Block until `prepare` is over; at once if the thread does not run."""
        with self._changed:
            while not self.awake and self._thread.isRunning():
                self._changed.wait(0.1)  # it may end before that

    def solve_now(self, request: SolveRequest, hurried: Callable[[], bool] = lambda: False) -> dict[Slot, Answer]:
        """Solve here and now, in the caller's thread; the answers for everyone the request is about.

        hurried: see `answers_of`.
        """
        character = request.character
        anew = isinstance(request.known.memory, BegunAnew)
        plain = not (request.step_s or request.holds or request.surroundings or anew)
        if plain and not request.beside and not has_sources(character.effectors):
            solution = self._solve(character, request.known.memory)
            return {(character.id, character.frame): Answer(solution, character.effectors)}
        known = {character.id: request.known.memory, **{c.id: finding.memory for c, finding in request.beside}}
        group = (character, *(other for other, _ in request.beside))
        answers = answers_of(
            group, known, request.cameras, request.step_s, request.holds, request.surroundings, request.props, hurried
        )
        return {(c.id, c.frame): answers[c.id] for c in group}

    def stop(self) -> None:
        """End the thread; the solve in progress is finished first."""
        with self._changed:
            self._stopping = True
            self._slots.clear()
            self._changed.notify_all()
        self._thread.wait()
        self._spare = self._ahead = None  # they may know the window, which would be kept alive

    def _answer(self, request: SolveRequest) -> SolveResult | None:
        character, surroundings = request.character, request.surroundings.get(request.character.id)
        if request.query is SolveQuery.REASONS:
            reasons = reasons_of(character, request.known.residuals, self._is_hurried, surroundings)
            return None if reasons is None else SolveResult(request, None, reasons=reasons)
        if request.query is SolveQuery.OTHER:
            return SolveResult(request, other_solution_of(character, self._is_overtaken, surroundings, request.ties))
        answers = self.solve_now(request, lambda: self._is_out_of_date(request))
        return SolveResult(request, answers[character.id, character.frame].solution, answers=answers)

    def _tell_if_slow(self) -> None:
        if self.compiles:
            self.slow.emit()

    def _is_hurried(self) -> bool:
        """Whether anything more urgent than reasons waits for the thread."""
        with self._changed:
            return (
                self._stopping
                or self._overtaken
                or any(r.query is not SolveQuery.REASONS for r in self._slots.values())
            )

    def _is_out_of_date(self, request: SolveRequest) -> bool:
        """Whether a newer pose of the same person waits, as in a drag that has gone on."""
        with self._changed:
            waits = self._slots.get(request.slot)
            return self._stopping or (waits is not None and waits.query is SolveQuery.POSE)

    def _is_overtaken(self) -> bool:
        with self._changed:
            return self._stopping or self._overtaken

    def _work(self) -> None:
        if self._prepare is not None:
            with devices.listening() as runs, suppress(Exception):  # a failure is reported at the first solve
                self._prepare()
            with self._changed:
                self.awake, self._busy = True, None
                self.last_run = runs[-1] if runs else None
                self._changed.notify_all()
            self.woken.emit()
        while True:
            self._use_spare_time()
            with self._changed:
                while not self._slots and not self._stopping:
                    self._changed.wait()
                if self._stopping:
                    return
                slot = next(iter(self._slots))
                request, self._busy, self._overtaken = self._slots.pop(slot), slot, False
            with devices.listening() as runs:
                try:
                    result = self._answer(request)
                except Exception as error:  # whatever a solver raises must reach the window, not end the thread
                    result = SolveResult(request, None, error)
            with self._changed:
                if runs or request.query is not SolveQuery.REASONS:
                    self.last_run = runs[-1] if runs else devices.Run(devices.processor())
                # Nobody waits for a search that was given up; reasons that were overtaken are asked for again.
                if result is not None and not (request.query is SolveQuery.OTHER and self._overtaken):
                    self._results.append(result)
                self._busy = None
                self._changed.notify_all()
            self.ready.emit()

    def _use_spare_time(self) -> None:
        """Until something is asked for, do what is done ahead, if there is any left."""
        rest = IDLE_S
        while self._spare is not None:
            with self._changed:
                if not self._slots and not self._stopping:
                    self._changed.wait(rest)
                if self._slots or self._stopping:
                    return
            if self._ahead is None:
                self._ahead = self._spare()
            try:
                next(self._ahead)
            except Exception:  # it is over, or what failed is reported where it is needed
                self._spare = self._ahead = None
            rest = REST_S


class _Worker(QThread):
    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self.setObjectName("solver")

    def run(self) -> None:
        """Run the work, in the new thread."""
        self._work()
