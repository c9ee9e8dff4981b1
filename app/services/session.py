"""The open document in use: edits go in here as steps, and it is opened, saved and looked at by way of here.

A step is complete before the next one begins: starting another step or undoing first waits for the solve under way, and
for bodies that are led (`settle`), at most for a moment; a solve that is late is asked for again with the new revision,
and once more if undo comes back to the step that it belongs to. Saving and exporting wait as long as it takes
(`solve_now`). A solver that answers within a few milliseconds is waited for in each move of a drag, so that one frame
shows both the handle and the body. How results find their place is in `Solves`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit, History
from app.document.posing.findings import Finding, Findings
from app.document.posing.sources import character_with_resolved_targets
from app.services.clock import frames_at, length_s
from app.services.history_follower import HistoryFollower
from app.services.late_edits import LateEdits
from app.services.solve_requests import (
    arms_alone,
    asked_as_posed,
    asked_for_less,
    carried_along,
    missed_as_posed,
    slots_to_solve,
)  # fmt: skip
from app.services.solve_service import SolveRequest, SolveService
from app.services.solves import Solves
from app.services.view_state import ViewState, edit_at_frames, edit_in_view, opening, selecting, viewed, with_live_poses
from solver.effectors.effector import Effector
from solver.errors import PoserError
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Pose

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
        self.service, self.findings, self.seen = service, Findings(), ""
        self.live: Mapping[str, Pose] = {}
        self._seen = (self.history.document, self.view.frames, self.history.document)
        self._solves = Solves(service, self.history, self.findings, lambda: self.document, self)
        self.late = LateEdits(self)
        self._history_follower = HistoryFollower(self.history)
        self._to_solve = False  # true during an edit whose solve is asked for right after
        self.repeat_merge_key: object | None = None  # merge key of a keyboard step that may go on with another press
        self._solves.solved.connect(self.solved)
        self._solves.failed.connect(self.solve_failed)
        self._solves.other_found.connect(self._take_other)
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

        if (active := self._measured()) is None:
            return Finding()
        known = known_here(active, self.findings.of(active), active.id in self.live)
        if not any(getattr(effector, "around", False) for effector in active.effectors):
            return known
        from app.document.posing.holds.too_wide import with_what_is_too_wide  # only once a hand holds something

        return with_what_is_too_wide(active, known)

    @property
    def unexplained_character(self) -> Character | None:
        """The active character, if an effector of it is not reachable and no reason has been looked for yet."""
        active = self._measured()
        return active if active is not None and self.findings.needs_reasons(active) else None

    @property
    def in_step(self) -> bool:
        """Whether a drag or scrub is under way."""
        return self._solves.open_key is not None

    @property
    def solving(self) -> bool:
        """Whether a solve that an edit asked for is still to come, or somebody is led by it."""
        return bool(self._solves)

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
        if merge_key is None or merge_key != self._solves.open_key:
            hold = self._settled(hold)
            self._solves.note()
            self.history.close_step()
            self.findings.end_drags(self.document.characters)
        before, view, alone, self._to_solve = self.history.document, self.view, as_is or hold is not None, solve
        try:
            again = partial(self._edit_late, before, text, edit, solve, hold, as_is)
            noted = self._noting(edit_in_view(view, edit, alone))
            if (now := self.late.in_time(noted, before, text, again, merge_key)) is None:
                return False
            self.history.apply(text, now, merge_key, view.frames, view.character)
        except PoserError as error:
            self.changed.emit()  # a field that shows the refused value goes back to the present one
            if not self.late.tells_who_is_gone(error):
                self.refused.emit(str(error))
            return False
        finally:
            self._to_solve = False
        if self.history.document is before:
            return False
        self._solves.open_key = merge_key
        if solve:
            slots = slots_to_solve(before, self.document)
            missed = {}
            for person in asked_for_less(before, self.document, slots):
                self.findings.continue_from(person)
                missed[person.id, person.frame] = missed_as_posed(person, self.document)
            for person in asked_as_posed(before, self.document, slots):
                missed[person.id, person.frame] = 0.0
            for each in carried_along(before, self.document, slots):
                self.findings.carry_on(each.asked, each.person, each.residuals)
                if each.stays:
                    missed[each.person.id, each.person.frame] = 0.0
            slots -= {slot for slot, far in missed.items() if not far}
            self._solves.add(slots, hold or arms_alone(before, self.history, view, slots), missed)
        self._solves.ask()
        if merge_key is not None and self._solves.last_s < FRAME_S:
            self._solves.settle(FRAME_S)
        return True

    def request_other(self) -> None:
        """Request another pose that meets the active character's effectors as well; it becomes a step of its own."""
        self.settle(MOMENT_S)
        if self.active is not None and not self._solves.awaits_answer:
            self.close_step()
            self._solves.ask_for_other(self.active)

    def request_reasons(self) -> None:
        """Request the reasons why effectors are not reachable, if they are not known yet; any solve goes first."""
        if (character := self.unexplained_character) is not None:
            self._solves.ask_for_reasons(character)

    def close_step(self, merge_key: object | None = None) -> None:
        """Close the open step, as when the mouse is released: it gets its last solve, and the next edit is a new step.

        With a merge key, only if the open step is still the one with that key.
        """
        if merge_key is not None and merge_key != self._solves.open_key:
            return
        self._solves.settle(MOMENT_S)
        self.history.close_step()
        self._solves.open_key = None
        self._solves.release_holds()

    def reopen_step(self, before: Document, merge_key: object) -> None:
        """Let the last step go on with edits of that key, if it began at `before` and nothing was done since."""
        if self._solves.open_key is None and self.history.reopen_step(before, merge_key):
            self._solves.open_key = merge_key

    def end_key_repeat(self) -> None:
        """Close the step of repeated presses of a key; a drag or a scrub goes on."""
        if self.repeat_merge_key is not None:
            self.close_step(self.repeat_merge_key)
            self.repeat_merge_key = None

    def cancel(self, merge_key: object) -> bool:
        """Cancel the open step of that merge key: everything is as before it began, seen at the same frame."""
        if self.history.is_open(merge_key):  # else nothing has moved yet: what waits goes on waiting
            self._solves.forget()
        self.late.drop(merge_key)
        self._solves.open_key = None
        with self._history_follower.undoing():
            return self.history.cancel_step(merge_key) and self._resumed(True)

    def undo(self) -> bool:
        """Undo one step, going to the frame and the person of its edit; what was put off since is dropped first."""
        if self.late.drop_newest():
            return True
        self._complete_step()
        with self._history_follower.undoing():
            return self._resumed(self.history.undo())

    def redo(self) -> bool:
        """Redo one step, going to the frame and the person of its edit."""
        self._complete_step()
        with self._history_follower.redoing():
            return self._resumed(self.history.redo())

    def settle(self, timeout_s: float) -> bool:
        """Wait until nothing is being solved, and bodies that are led are there, and fold everything in; False if that
        took longer."""
        return self._solves.finish(timeout_s)

    def solve_now(self) -> None:
        """Do what is put off, but for in a drag, and solve whatever waits, here, as before a save or an export."""
        self.late.finish()
        with self.late.waited_for() if self._solves else nullcontext():
            self._solves.solve_here()
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
        self._solves.forget()
        self._solves.open_key = None
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
        self._solves.take_results()

    def take_solution(self, text: str, id: str, frame: int, solution: IKSolution, solver: str = "") -> None:
        """Put in a solution that was found outside the solves of edits, as a step of its own.

        solver: the id of the solver that found it, if that is to pose the character from now on.
        """
        self.settle(MOMENT_S)
        self.close_step()
        self._solves.note()
        frames = {**self.view.frames, id: frame}  # it is shown where it was asked for
        edit = edits.take_solution(id, solution)
        edit = edits.chain(edits.set_solver(id, solver), edit) if solver else edit
        self.history.apply(text, self._noting(edit_at_frames(frames, edit), frames), frames=frames, active=id)
        self.findings.keep(self.history.document.actor(id).at(frame), solution)
        self._solves.ask_without((id, frame))
        self.solved.emit()

    def _noting(self, edit: Edit, frames: Mapping[str, int] | None = None) -> Edit:
        """The edit, noting of people who were seen in a photo that they have been corrected."""
        if all(character.sighting is None for character in self.document.characters):
            return edit
        from app.document.in_photo.looked_over import noting_corrections  # only once there are any

        return edit_at_frames(self.view.frames if frames is None else frames, noting_corrections(edit))

    def _settled(self, hold: LimbHold | None) -> LimbHold | None:
        """The hold, once it was waited for what is under way; where it keeps the pose shown, of the pose come to."""
        was = self.active if hold is not None else None
        self.settle(MOMENT_S)
        now = self.active
        if hold is None or was is None or now is None or now.pose is was.pose or hold.base != was.pose:
            return hold
        return hold.of(now.pose)

    def _edit_late(
        self, asked: Document, text: str, edit: Edit, solve: bool, hold: LimbHold | None, as_is: bool
    ) -> bool:
        """Do an edit that was put off, as a step of its own. asked: the document that it was asked for."""
        from app.document.edits.put_off import done_later  # seldom needed

        return self.edit(text, done_later(edit, asked), None, solve, hold, as_is)

    def _measured(self) -> Character | None:
        """The active character, after finding out how well it meets its targets where they are now; not while its solve
        is to come, while a stream poses it, or before compiled code is loaded, which would hold up the window."""
        active = self.active
        if active is None or not self.service.awake or self._to_solve or active.id in self.live:
            return active
        waits = (active.id, active.frame) in self._solves
        return (
            active
            if waits
            else self.findings.ensure_residuals(character_with_resolved_targets(self.shown, active), self.shown)
        )

    def _take_other(self, request: SolveRequest, solution: IKSolution) -> None:
        self.take_solution("Other solution", *request.slot, solution)

    def _complete_step(self) -> None:
        if self._solves and not self.settle(MOMENT_S):
            self._solves.leave()
        self._solves.open_key = None
        self.history.close_step()
        self._solves.release_holds()

    def _resumed(self, went: bool) -> bool:
        """Whether it went to another document; who waits in the present one waits again, also if it stayed."""
        self._solves.resume()
        return went

    def _document_changed(self, document: Document) -> None:
        self.live = {id: pose for id, pose in self.live.items() if any(a.id == id for a in document.actors)}
        self.view = self._history_follower.follow(self.view, document)
        self.changed.emit()
