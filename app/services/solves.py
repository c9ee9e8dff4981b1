"""The solves of the open document: requested here, and their results folded in here.

How a result finds its place: an edit grows the history's revision and asks for a solve with it. A result of the
present revision is folded into the newest step. While one drag or scrub goes on, a result that the pointer has already
overtaken is shown as well, for a newer one follows at once and the body must not stand still under a fast hand; it
must belong to the very step that is still open. Every other older result is dropped.

A body that is led goes on a little later, as when the pointer rests or the mouse was released. The window does not
wait for that, but the next step does, for a moment. Who is later than that goes on after it, and again once undo comes
back to the step that led them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Set
from types import MappingProxyType

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.model.document import Character, Document
from app.document.model.history import History
from app.document.posing.findings import Findings
from app.document.posing.sources import ties_in
from app.document.posing.surroundings import surroundings_of
from app.services.led_bodies import LedBodies
from app.services.limb_holds import Hold
from app.services.pending_solves import PendingSolves
from app.services.solve_requests import answers_edit, missed_in_all, solve_failure_text
from app.services.solve_service import Slot, SolveQuery, SolveRequest, SolveResult, SolveService
from solver.ik.memory import goes_on
from solver.ik.solution import Answer

GOES_ON_MS = 20  # before a body that is led goes on
WORTH_IT = 0.5  # of what is missed: where more of it stays missed, nobody moves as something is given up
NO_MISSES: Mapping[Slot, float] = MappingProxyType({})


class Solves(QObject):
    """Requests solves, and folds their results into the history and the findings; true while one is still to come, or
    somebody is led.

    seen: returns the document at the frames looked at. open_key: the merge key of the step under way, None between
    steps. last_s: the seconds that the last solve took.
    solved: a result is in. failed(reason): a solve could not be done. other_found: the request and the solution of
    another pose, which is not folded in.
    """

    solved = Signal()
    failed = Signal(str)
    other_found = Signal(object, object)

    def __init__(
        self, service: SolveService, history: History, findings: Findings, seen: Callable[[], Document], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._service, self._history, self._findings, self._seen = service, history, findings, seen
        self._pending = PendingSolves()
        self._missed: Mapping[Slot, float] = NO_MISSES
        self._led = LedBodies()
        self._rest = QTimer(self, singleShot=True, interval=GOES_ON_MS)
        self._rest.timeout.connect(self._go_on)
        self.open_key: object | None = None
        self.last_s = 0.0
        service.ready.connect(self.take_results)

    def __bool__(self) -> bool:
        return bool(self._pending or self._led)

    @property
    def awaits_answer(self) -> bool:
        """Whether the answer to an edit is still to come."""
        return bool(self._pending)

    def __contains__(self, slot: Slot) -> bool:
        return slot in self._pending

    def add(self, slots: Set[Slot], hold: Hold, missed: Mapping[Slot, float] = NO_MISSES) -> None:
        """Have these wait to be solved by `ask`, with that hold, or each with its own, or with none any more.

        missed: how far those of whom less is asked miss the rest in the pose shown, metres and radians; they move only
        if that gets better. Not those who wait for another edit's answer, which is not in vain.
        """
        others = {slot: far for slot, far in self._missed.items() if slot not in slots}
        alone = {slot for slot in slots if slot in self._missed or slot not in self._pending}
        self._missed = others | {slot: far for slot, far in missed.items() if slot in alone}
        self._pending.add(slots, hold)

    def ask(self) -> None:
        """Ask the service for whatever is still to come, with the document as it is now."""
        self._led.see_edit(self._history.document, self._pending.slots)
        for request in self._requests():
            self._service.request(request)
        self._go_on_soon()

    def ask_without(self, slot: Slot) -> None:
        """Let that one wait no more, as it was given a pose meanwhile, and ask for the others anew."""
        self._pending.discard((slot,))
        self._led.discard((slot,))
        self.ask()

    def ask_for_other(self, character: Character) -> None:
        """Ask for another pose that meets a character's effectors as well; who is led stays until it is found or not,
        or somebody is edited."""
        self._rest.stop()
        self._query(character, SolveQuery.OTHER)

    def ask_for_reasons(self, character: Character) -> None:
        """Ask why effectors of a character are not reachable; any solve goes first."""
        self._query(character, SolveQuery.REASONS)

    def settle(self, timeout_s: float) -> bool:
        """Wait until nothing is being solved, and fold everything in; False if that took longer."""
        if not self._pending:
            return True
        done = self._service.wait(timeout_s)
        self.take_results()
        return done and not self._pending

    def finish(self, timeout_s: float) -> bool:
        """Wait until nothing is being solved and bodies that are led are there; False if that took longer."""
        end = time.monotonic() + timeout_s
        done = self.settle(timeout_s)
        while done and self._led:
            if self._rest.isActive() or self._service.idle():
                self._go_on()
            done = self._service.wait(end - time.monotonic())
            self.take_results()
        return done

    def solve_here(self) -> None:
        """Solve whatever waits here, in the caller's thread, until bodies that are led are there, and let nobody wait
        any more."""
        requests = [*self._requests()] or self._requests_going_on()
        while requests:
            for request in requests:
                self._fold(request, self._service.solve_now(request))
            requests = self._requests_going_on()
        self.forget()

    def release_holds(self) -> None:
        """End the holds of a finished drag, for those whose last solve is there."""
        self._pending.release_finished(self._history.document, self._findings)

    def note(self) -> None:
        """Remember, before an edit makes a new step, who is not solved or not there yet in the present one: that is
        part of the new step, and is asked for again once that one is undone."""
        self._pending.note(self._history.document, self._led.slots)

    def leave(self) -> None:
        """Let nobody wait any more until the history has come back to the present document."""
        self._pending.suspend(self._history.document, self._led.slots)
        self._missed = NO_MISSES
        self.forget()

    def resume(self) -> None:
        """Ask again for the solve of a step that was left unsolved, if the history has come back to it."""
        if self._pending.resume(self._history.document):
            self.ask()

    def forget(self) -> None:
        """Let nobody wait any more, and drop the results that are there."""
        self._rest.stop()
        self._led.forget()
        self._service.forget()
        self._pending.forget()

    def take_results(self) -> None:
        """Take the results there are and put each where it belongs."""
        apply = {
            SolveQuery.POSE: self._take_pose,
            SolveQuery.OTHER: self._take_other,
            SolveQuery.REASONS: self._take_reasons,
        }
        for result in self._service.take():
            apply[result.request.query](result)

    def _take_pose(self, result: SolveResult) -> None:
        request, current = result.request, self._is_current(result.request)
        if result.error is not None:
            if current:
                self._pending.discard(request.slots)
                self._led.discard(request.slots)
                self._go_on_soon()
                self.failed.emit(solve_failure_text(result.error))
            return
        if not self._pending.has_any(request.slots) and not self._led.has_any(request.slots):
            return  # somebody else solved it: a scene that was saved in that time stays as it was written
        if not self._fold(request, result.answers):
            return
        if current:
            self._pending.discard(request.slots)
            if self.open_key is None:
                self.release_holds()
            self._go_on_soon()
        self.last_s = sum(answer.solution.elapsed_s for answer in result.answers.values())
        self.solved.emit()

    def _take_other(self, result: SolveResult) -> None:
        if not self._is_current(result.request):
            return
        if result.solution is not None:
            self.other_found.emit(result.request, result.solution)
            return
        none = "There is no other pose that meets these effectors as well."
        self.failed.emit(none if result.error is None else solve_failure_text(result.error))
        self._go_on_soon()

    def _take_reasons(self, result: SolveResult) -> None:
        """Asked only once, whatever the outcome: a solver that fails here has said so when it solved."""
        self._findings.set_reasons(result.request.character, result.reasons)
        self.solved.emit()

    def _is_current(self, request: SolveRequest) -> bool:
        return request.revision == self._history.revision

    def _fold(self, request: SolveRequest, answers: Mapping[Slot, Answer]) -> bool:
        """Fold the answers of characters solved together into one step; False if they come too late. Who was held does
        not go on: without the hold, all else would move."""
        if self._is_in_vain(answers):
            return request.revision == self._history.revision
        if not self._history.amend(request.revision, answers_edit(answers), merge_key=request.key):
            return False
        for (id, frame), answer in answers.items():
            in_step = self.open_key is not None
            shown = self._history.document.actor(id).at(frame)
            self._findings.keep(shown, answer.solution, in_step)
            if not request.holds and goes_on(answer.solution.memory):
                self._led.come_to((id, frame), shown)
            else:
                self._led.discard([(id, frame)])
        return True

    def _is_in_vain(self, answers: Mapping[Slot, Answer]) -> bool:
        """Whether people of whom less was asked would move for nothing: what they missed, they go on missing. Not where
        one of them, or of those solved with them, waits for the answer to something else."""
        waiting = [slot for slot in answers if slot in self._pending]
        return bool(waiting) and all(
            slot in self._missed and missed_in_all(answers[slot].solution.residuals) > WORTH_IT * self._missed[slot]
            for slot in waiting
        )

    def _go_on_soon(self) -> None:
        """Have bodies that are led go on once nothing was edited or solved for a little. While an answer to an edit is
        awaited nobody does: of people who are tied to each other, a request without its hold would take its place."""
        if self._led and not self._pending:
            self._rest.start()
        else:
            self._rest.stop()

    def _go_on(self) -> None:
        self._rest.stop()
        for request in self._requests_going_on():
            self._service.request(request)

    def _requests_going_on(self) -> list[SolveRequest]:
        """Requests for those who are led, with what is asked of them already; none any more after too many."""
        going, led = self._led.go_on(), PendingSolves()
        led.add(going, None)
        requests = led.requests(self._seen(), self._history.revision, self.open_key, self._findings)
        self._led.discard(going - led.slots)
        return requests

    def _requests(self) -> Iterable[SolveRequest]:
        return self._pending.requests(self._seen(), self._history.revision, self.open_key, self._findings)

    def _query(self, character: Character, query: SolveQuery) -> None:
        document, known = self._seen(), self._findings.of(character)
        ties = ties_in(document, character) if query is SolveQuery.OTHER else None
        around = surroundings_of(document, (character,))
        revision = self._history.revision
        self._service.request(
            SolveRequest(character, revision, known=known, surroundings=around, ties=ties, query=query)
        )
