"""The open document in use: edits go in here, solves are requested here, and their results are folded in here.

How a result finds its place: an edit grows the history's revision and asks for a solve with it. A result of the
present revision is folded into the newest step. While one drag or scrub goes on, a result that the pointer has already
overtaken is shown as well, for a newer one follows at once and the body must not stand still under a fast hand; it
must belong to the very step that is still open. Every other older result is dropped. A solver that answers within
a few milliseconds is waited for in each move of a drag, so that one frame shows both the handle and the body.

A step is complete before the next one begins: starting another step or undoing first waits for the solve under way
(`settle`), at most for a moment; a solve that is late is asked for again with the new revision. Saving and exporting
wait as long as it takes (`solve_now`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit, History
from app.document.posing.findings import Finding, Findings
from app.document.posing.sources import character_with_resolved_targets, ties_in
from app.document.posing.surroundings import surroundings_of
from app.services.clock import frames_at, length_s
from app.services.history_follower import HistoryFollower
from app.services.pending_solves import LateEdits, PendingSolves
from app.services.solve_requests import answers_edit, arms_alone, slots_to_solve, solve_failure_text
from app.services.solve_service import Slot, SolveQuery, SolveRequest, SolveResult, SolveService
from app.services.view_state import ViewState, edit_at_frames, edit_in_view, opening, selecting, viewed, with_live_poses
from solver.effectors.effector import Effector
from solver.errors import PoserError
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.solution import Answer, IKSolution
from solver.kinematics.pose import Pose

if TYPE_CHECKING:
    from solver.ik.multi_solve.solve_from_proposal import Ties

MOMENT_S = 0.1
FRAME_S = 0.004  # what a frame can spare: a solver this fast answers within it, so handle and body move together


class Session(QObject):
    """History, view state and solver of the open document.

    changed: the document or the view state has changed. refused: an edit could not be done, with the reason.
    solved: a solve came back. solve_failed: one could not be done, with the reason. opened: another document is open.
    findings: what solvers found out about the characters. live: poses of live streams, by character.
    path: the scene file of the document, None before the first save. seen: the SHA-256 of what that file held when it
    was last opened or saved, "" if unknown.
    """

    changed = Signal()
    refused = Signal(str)
    solved = Signal()
    solve_failed = Signal(str)
    path_changed = Signal()
    opened = Signal()

    def __init__(self, service: SolveService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history, self.view = History(), ViewState()
        self.path: Path | None = None
        self.service, self.findings, self.seen, self._solve_s = service, Findings(), "", 0.0
        self.live: Mapping[str, Pose] = {}
        self._pending, self.late = PendingSolves(), LateEdits(self)
        self._seen = (self.history.document, self.view.frames, self.history.document)
        self._history_follower = HistoryFollower(self.history)
        self._to_solve = False  # true during an edit whose solve is asked for right after
        self.repeat_merge_key: object | None = None  # merge key of a keyboard step that may go on with another press
        self._open_key: object | None = None
        service.ready.connect(self.apply_results)
        service.woken.connect(self.changed)
        self.history.subscribe(self._document_changed)

    @property
    def document(self) -> Document:
        """The present document, seen at the view's frames."""
        document, frames = self.history.document, self.view.frames
        if self._seen[0] is not document or self._seen[1] is not frames:
            self._seen = (document, frames, document.at(frames))
        return self._seen[2]

    @property
    def shown(self) -> Document:
        """The document as drawn, with the poses of live streams laid over it."""
        return with_live_poses(self.document, self.live)

    @property
    def active(self) -> Character | None:
        """The active character, if there is one."""
        return next((each for each in self.document.characters if each.id == self.view.character), None)

    @property
    def finding(self) -> Finding:
        """What is known about the active character at the frame and in the pose shown; while its solve is still to
        come, what was true before. What a stream poses, or only a key elsewhere asks for, is left unmeasured."""
        from app.document.over_time.asked_elsewhere import known_here  # not needed to show the window

        active = self._measured()
        return known_here(active, self.findings.of(active), active.id in self.live) if active else Finding()

    @property
    def unexplained_character(self) -> Character | None:
        """The active character, if an effector of it is not reachable and no reason has been looked for yet."""
        active = self._measured()
        return active if active is not None and self.findings.needs_reasons(active) else None

    @property
    def in_step(self) -> bool:
        """Whether a drag or scrub is under way."""
        return self._open_key is not None

    @property
    def solving(self) -> bool:
        """Whether a solve that an edit asked for is still to come."""
        return bool(self._pending)

    @property
    def selected_effectors(self) -> tuple[Effector, ...]:
        """The selected effectors of the active character, in its order."""
        active = self.active
        return tuple(e for e in active.effectors if e.id in self.view.effectors) if active else ()

    def edit(
        self, text: str, edit: Edit, merge_key: object | None = None, solve: bool = False, hold: LimbHold | None = None,
        as_is: bool = False,
    ) -> bool:  # fmt: skip
        """Do an edit at the frames looked at; with `solve`, every character it changed is solved there.

        Edits with one merge key are one step until `close_step`. hold: what stays in these solves, while one limb
        moves. as_is: on one side even if posing is symmetric. False when it was refused, changed nothing or is put off.
        """
        if merge_key is None or merge_key != self._open_key:
            self.settle(MOMENT_S)
            self.history.close_step()
            self.findings.end_drags(self.document.characters)
        before, view, alone, self._to_solve = self.history.document, self.view, as_is or hold is not None, solve
        try:
            again = partial(self.edit, text, edit, None, solve, hold, as_is)  # a step of its own
            if (now := self.late.in_time(edit_in_view(view, edit, alone), before, text, again, merge_key)) is None:
                return False
            self.history.apply(text, now, merge_key, view.frames, view.character)
        except PoserError as error:
            self.changed.emit()  # a field that shows the refused value goes back to the present one
            self.refused.emit(str(error))
            return False
        finally:
            self._to_solve = False
        if self.history.document is before:
            return False
        self._open_key = merge_key
        if solve:
            self._pending.add(slots_to_solve(before, self.document), hold or arms_alone(before, self.history, view))
        self._ask()
        if merge_key is not None and self._solve_s < FRAME_S:
            self.settle(FRAME_S)
        return True

    def request_other(self) -> None:
        """Request another pose that meets the active character's effectors as well; it becomes a step of its own."""
        self.settle(MOMENT_S)
        if self.active is not None and not self._pending:
            self.close_step()
            self._request(self.active, SolveQuery.OTHER, ties=ties_in(self.document, self.active))

    def request_reasons(self) -> None:
        """Request the reasons why effectors are not reachable, if they are not known yet; any solve goes first."""
        if (character := self.unexplained_character) is not None:
            self._request(character, SolveQuery.REASONS)

    def close_step(self, merge_key: object | None = None) -> None:
        """Close the open step, as when the mouse is released: it gets its last solve, and the next edit is a new step.

        With a merge key, only if the open step is still the one with that key.
        """
        if merge_key is not None and merge_key != self._open_key:
            return
        self.settle(MOMENT_S)
        self.history.close_step()
        self._open_key = None
        self._pending.release_finished(self.history.document, self.findings)

    def reopen_step(self, before: Document, merge_key: object) -> None:
        """Let the last step go on with edits of that key, if it began at `before` and nothing was done since."""
        if self._open_key is None and self.history.reopen_step(before, merge_key):
            self._open_key = merge_key

    def end_key_repeat(self) -> None:
        """Close the step of repeated presses of a key; a drag or a scrub goes on."""
        if self.repeat_merge_key is not None:
            self.close_step(self.repeat_merge_key)
            self.repeat_merge_key = None

    def cancel(self, merge_key: object) -> bool:
        """Cancel the open step of that merge key: everything is as before it began, seen at the same frame."""
        self._forget_solves()
        self.late.drop(merge_key)
        self._open_key = None
        with self._history_follower.undoing():
            return self.history.cancel_step(merge_key)

    def undo(self) -> bool:
        """Undo one step, going to the frame and the person of its edit; what was put off since is dropped first."""
        if self.late.drop_newest():
            return True
        self._complete_step()
        with self._history_follower.undoing():
            return self.history.undo() and self._resume_solves()

    def redo(self) -> bool:
        """Redo one step, going to the frame and the person of its edit."""
        self._complete_step()
        with self._history_follower.redoing():
            return self.history.redo() and self._resume_solves()

    def settle(self, timeout_s: float) -> bool:
        """Wait until nothing is being solved, and fold everything in; False if that took longer."""
        if not self._pending:
            return True
        done = self.service.wait(timeout_s)
        self.apply_results()
        return done and not self._pending

    def solve_now(self) -> None:
        """Do what is put off, but for in a drag, and solve whatever waits, here, as before a save or an export."""
        self.late.finish()
        for request in self._to_ask():
            with self.late.waited_for():
                self._take(self.service.solve_now(request), self.history.revision)
        self._forget_solves()
        self.solved.emit()

    @property
    def untouched(self) -> bool:
        """Whether this is a new scene to which nothing was done yet, so that whatever is opened may take its place."""
        return self.path is None and not self.unsaved and not self.history.steps()

    @property
    def unsaved(self) -> bool:
        """Whether anything a scene keeps was changed since the last save, or is about to be by an edit put off."""
        changed = self.history.dirty or self.view.body_opacity != self.view.saved_opacity
        return changed or bool(self.late.names)

    def open(self, document: Document, path: Path | None = None, seen: str = "", saved: bool = True) -> None:
        """Open another document in place of this one; the view leaves the photo's camera, but somebody in that photo is
        active. saved: False for a document that is not on disk yet.
        """
        self._forget_solves()
        self._open_key = None
        self.path, self.seen = path, seen
        self.findings.forget()
        self.view = opening(self.view, document)
        self.history.reset(document, saved)
        self.path_changed.emit()
        self.opened.emit()

    def saved_as(self, path: Path, seen: str = "") -> None:
        """Note that the document is on disk under that path. seen: the SHA-256 of what was written."""
        self.path, self.seen = path, seen
        self.view = replace(self.view, saved_opacity=self.view.body_opacity)
        self.history.mark_saved()
        self.path_changed.emit()

    def set_view(self, **changes: Any) -> None:
        """Change the view state; nothing happens if nothing differs."""
        view = viewed(self.view, changes, self.history.document)
        if view != self.view:
            self.view = view
            self.changed.emit()

    def show_live(self, character: str, pose: Pose | None) -> None:
        """Draw a character in the pose of a live stream, or in its own again (None); the document stays as it is."""
        live = {id: each for id, each in {**self.live, character: pose}.items() if each is not None}
        if live or self.live:
            self.live = live
            self.changed.emit()

    def look_at_time(self, time_s: float) -> None:
        """Look at everybody at another time, in seconds; the document stays as it is."""
        time_s = min(max(time_s, 0.0), length_s(self.history.document))
        self.set_view(time_s=time_s, frames=frames_at(self.history.document, time_s))

    def select(self, character: str, effectors: Iterable[str] = (), joints: Iterable[str] = ()) -> None:
        """Make a character the active one and select some of its effectors and joints; no prop."""
        self.set_view(**selecting(self.view, character, effectors, joints))

    def apply_results(self) -> None:
        """Take the results there are and put each where it belongs."""
        apply = {
            SolveQuery.POSE: self._apply_pose,
            SolveQuery.OTHER: self._apply_other,
            SolveQuery.REASONS: self._apply_reasons,
        }
        for result in self.service.take():
            apply[result.request.query](result)

    def _apply_pose(self, result: SolveResult) -> None:
        request, current = result.request, result.request.revision == self.history.revision
        if result.error is not None:
            if current:
                self._pending.discard(request.slots)
                self.solve_failed.emit(solve_failure_text(result.error))
            return
        if not current and not self._pending.has_any(request.slots):
            return
        if not self._take(result.answers, request.revision, request.key):
            return
        if current:
            self._pending.discard(request.slots)
            if not self.in_step:
                self._pending.release_finished(self.history.document, self.findings)
        self._solve_s = sum(answer.solution.elapsed_s for answer in result.answers.values())
        self.solved.emit()

    def _apply_other(self, result: SolveResult) -> None:
        if result.request.revision != self.history.revision:
            return
        if result.error is not None:
            self.solve_failed.emit(solve_failure_text(result.error))
        elif result.solution is not None:
            self.take_solution("Other solution", *result.request.slot, result.solution)
        else:
            self.solve_failed.emit("There is no other pose that meets these effectors as well.")

    def _apply_reasons(self, result: SolveResult) -> None:
        """Asked only once, whatever the outcome: a solver that fails here has said so when it solved."""
        self.findings.set_reasons(result.request.character, result.reasons)
        self.solved.emit()

    def _take(self, answers: Mapping[Slot, Answer], revision: int, key: object | None = None) -> bool:
        """Fold the answers of characters solved together into one step; False if they come too late."""
        if not self.history.amend(revision, answers_edit(answers), merge_key=key):
            return False
        for (id, frame), answer in answers.items():
            self.findings.keep(self.history.document.actor(id).at(frame), answer.solution, self.in_step)
        return True

    def take_solution(self, text: str, id: str, frame: int, solution: IKSolution, solver: str = "") -> None:
        """Put in a solution that was found outside the solves of edits, as a step of its own.

        solver: the id of the solver that found it, if that is to pose the character from now on.
        """
        self.close_step()
        frames = {**self.view.frames, id: frame}  # it is shown where it was asked for
        edit = edits.take_solution(id, solution)
        edit = edits.chain(edits.set_solver(id, solver), edit) if solver else edit
        self.history.apply(text, edit_at_frames(frames, edit), frames=frames, active=id)
        self.findings.keep(self.history.document.actor(id).at(frame), solution)
        self.solved.emit()

    def _measured(self) -> Character | None:
        """The active character, after finding out how well it meets its targets where they are now; not while its solve
        is to come, while a stream poses it, or before compiled code is loaded, which would hold up the window."""
        active = self.active
        if active is None or not self.service.awake or self._to_solve or active.id in self.live:
            return active
        waits = (active.id, active.frame) in self._pending
        return active if waits else self.findings.ensure_residuals(character_with_resolved_targets(self.shown, active))

    def _request(self, character: Character, query: SolveQuery, ties: Ties | None = None) -> None:
        known, now = self.findings.of(character), self.history.revision
        around = surroundings_of(self.document, (character,))
        self.service.request(SolveRequest(character, now, known=known, surroundings=around, ties=ties, query=query))

    def _ask(self) -> None:
        for request in self._to_ask():
            self.service.request(request)

    def _to_ask(self) -> list[SolveRequest]:
        return self._pending.requests(self.document, self.history.revision, self._open_key, self.findings)

    def _complete_step(self) -> None:
        if self._pending and not self.settle(MOMENT_S):
            self._pending.suspend(self.history.document)
            self.service.forget()
        self._open_key = None
        self.history.close_step()
        self._pending.release_finished(self.history.document, self.findings)

    def _resume_solves(self) -> bool:
        """Ask again for the solve of a step that was left unsolved, if the document has come back to it."""
        if self._pending.resume(self.history.document):
            self._ask()
        return True

    def _forget_solves(self) -> None:
        self.service.forget()
        self._pending.forget()

    def _document_changed(self, document: Document) -> None:
        self.live = {id: pose for id, pose in self.live.items() if any(a.id == id for a in document.actors)}
        self.view = self._history_follower.follow(self.view, document)
        self.changed.emit()
