"""The open document in use: edits go in here, solves are asked for here, and their results are folded in here.

How a result finds its place. An edit grows the history's revision and asks for a solve with it. A result of the
present revision is folded into the newest step. While one drag or scrub goes on, a result that the pointer has already
overtaken is shown as well, for a newer one follows at once and the body must not stand still under a fast hand; it
must belong to the very step that is still open. Every other older result is dropped. A solver that answers within
a few milliseconds is waited for in each move of a drag, so that one frame shows both the handle and the body.

A step is complete before the next one begins: whoever starts another step or undoes first waits for the solve under
way (`settle`), at most for a moment; what is late is asked for again with the new revision. Saving and exporting
wait for as long as it takes (`solve_now`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.document import edits
from app.document.history import Edit, History
from app.document.reasons import Reasons
from app.document.state import Character, Document
from app.services.solve_service import SolveRequest, SolveService
from app.services.view_state import ViewState, at_start, fitted
from solver.errors import PoserError
from solver.ik.effectors import Effector
from solver.ik.problem import IKSolution

MOMENT_S = 0.1
FRAME_S = 0.004  # what a frame can spare: a solver this fast answers within it, and handle and body move together


class Session(QObject):
    """History, view state and solver of the open document.

    changed: the document or the view state is another now. refused: an edit could not be done, with the reason.
    solved: a solve came back. solve_failed: one could not be done, with the reason. opened: another document is open.
    reasons: why effectors are not reachable, as far as that was asked.
    path: the scene file of the document, None before the first save. seen: the SHA-256 of what that file held when it
    was opened or saved last, "" where nobody knows.
    """

    changed = Signal()
    refused = Signal(str)
    solved = Signal()
    solve_failed = Signal(str)
    path_changed = Signal()
    opened = Signal()

    def __init__(self, service: SolveService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = History()
        self.view = ViewState()
        self.path: Path | None = None
        self.seen = ""
        self.service = service
        self.reasons = Reasons()
        self._waiting: set[str] = set()
        self._open_key: object | None = None
        self._solve_s = 0.0
        self._late: tuple[Document | None, frozenset[str]] = (None, frozenset())
        service.ready.connect(self.fold)
        self.history.subscribe(self._document_changed)

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return self.history.document

    @property
    def active(self) -> Character | None:
        """The active character, if there is one."""
        for character in self.document.characters:
            if character.id == self.view.character:
                return character
        return None

    @property
    def in_step(self) -> bool:
        """Whether a drag or scrub is under way."""
        return self._open_key is not None

    @property
    def selected_effectors(self) -> tuple[Effector, ...]:
        """The selected effectors of the active character, in its order."""
        active = self.active
        return tuple(e for e in active.effectors if e.id in self.view.effectors) if active else ()

    def edit(self, text: str, edit: Edit, merge_key: object | None = None, solve: bool = False) -> bool:
        """Do an edit; with `solve` every character that it changed is solved. False when it was refused or no change.

        Edits with one merge key are one step until `close_step`.
        """
        if merge_key is None or merge_key != self._open_key:
            self.settle(MOMENT_S)
            self.history.close_step()
        before = self.document
        try:
            self.history.apply(text, edit, merge_key)
        except PoserError as error:
            self.refused.emit(str(error))
            return False
        if self.document is before:
            return False
        self._open_key = merge_key
        old = {c.id: c for c in before.characters}
        if solve:
            self._waiting |= {c.id for c in self.document.characters if old.get(c.id) is not c}
        self._ask()
        if merge_key is not None and self._solve_s < FRAME_S:
            self.settle(FRAME_S)
        return True

    def ask_other(self) -> None:
        """Have another pose found that meets the active character's effectors as well; it is a step of its own."""
        self.settle(MOMENT_S)
        if self.active is not None and not self._waiting:
            self.close_step()
            self.service.request(SolveRequest(self.active, self.history.revision, other=True))

    def ask_why(self) -> None:
        """Have it found out why effectors are not reachable, where nobody knows; any solve goes before."""
        for character in self.reasons.open_questions(self.document):
            self.service.request(SolveRequest(character, self.history.revision, why=True))

    def close_step(self) -> None:
        """The mouse was released: the next edit is a step of its own, and this one gets its last solve."""
        self.settle(MOMENT_S)
        self.history.close_step()
        self._open_key = None

    def cancel(self, merge_key: object) -> bool:
        """Take back the open step of that key: everything is as it was before it began."""
        self._drop_solves()
        self._open_key = None
        return self.history.cancel_step(merge_key)

    def undo(self) -> bool:
        """One step back."""
        self._complete_step()
        return self.history.undo() and self._catch_up()

    def redo(self) -> bool:
        """One step forward."""
        self._complete_step()
        return self.history.redo() and self._catch_up()

    def settle(self, timeout_s: float) -> bool:
        """Wait until nothing is being solved and fold all in; False when that took longer."""
        if not self._waiting:
            return True
        done = self.service.wait(timeout_s)
        self.fold()
        return done and not self._waiting

    def solve_now(self) -> None:
        """Solve here whatever is still waiting, as before a save or an export."""
        for id in sorted(self._waiting):
            revision = self.history.revision
            solution = self.service.solve_now(self.document.character(id))
            self.history.amend(revision, edits.with_solution(id, solution))
        self._drop_solves()
        self.solved.emit()

    @property
    def untouched(self) -> bool:
        """Whether this is a new scene to which nothing was done yet: whatever is opened may take its place."""
        return self.path is None and not self.history.dirty and not self.history.steps()

    def open(self, document: Document, path: Path | None = None, seen: str = "", saved: bool = True) -> None:
        """Another document in place of this one; nothing is selected and nobody looks through a photo's camera.

        saved: False for a document that is on no disk yet.
        """
        self._drop_solves()
        self._open_key = None
        self.path, self.seen = path, seen
        self.reasons.forget()
        self.view = at_start(self.view)
        self.history.reset(document, saved)
        self.path_changed.emit()
        self.opened.emit()

    def saved_as(self, path: Path, seen: str = "") -> None:
        """The document is on disk under that path; `seen`: the SHA-256 of what was written."""
        self.path, self.seen = path, seen
        self.history.mark_saved()
        self.path_changed.emit()

    def set_view(self, **changes: Any) -> None:
        """Change the view state; nothing happens where nothing differs."""
        view = fitted(replace(self.view, **changes), self.document)
        if view != self.view:
            self.view = view
            self.changed.emit()

    def select(
        self, character: str, effectors: Iterable[str] = (), joints: Iterable[str] = (), root: bool = False
    ) -> None:
        """Make a character the active one and select some of its effectors and joints, or its root handle."""
        self.set_view(character=character, effectors=frozenset(effectors), joints=frozenset(joints), root=root)

    def fold(self) -> None:
        """Take the results that are there and put each where it belongs."""
        for result in self.service.take():
            request = result.request
            id = request.character.id
            if request.why:
                # Asked once, whatever came of it: a solver that fails here has said so when it solved.
                self.reasons.keep(request.character, result.reasons or (None,) * len(request.character.effectors))
                self.solved.emit()
                continue
            if result.error is not None:
                if request.revision == self.history.revision and not request.measure:
                    self._waiting.discard(id)
                    self.solve_failed.emit(_reason(result.error))
                continue
            current = request.revision == self.history.revision
            if request.other:
                if current:
                    self._take_other(id, result.solution)
                continue
            if not current and id not in self._waiting:
                continue
            assert result.solution is not None
            fold = edits.with_solution(id, result.solution)
            if not self.history.amend(request.revision, fold, merge_key=request.key):
                continue
            if current:
                self._waiting.discard(id)
            if not request.measure:
                self._solve_s = result.solution.elapsed_s
            self.solved.emit()

    def _take_other(self, id: str, solution: IKSolution | None) -> None:
        if solution is None:
            self.solve_failed.emit("There is no other pose that meets these effectors as well.")
            return
        self.history.apply("Other solution", edits.with_solution(id, solution))
        self.solved.emit()

    def _measure(self) -> None:
        """Have it found out how well new effectors are met where nothing is solved, as after opening a file."""
        for character in self.document.characters:
            if len(character.residuals) != len(character.effectors) and character.id not in self._waiting:
                self.service.request(SolveRequest(character, self.history.revision, measure=True))

    def _ask(self) -> None:
        present = {c.id for c in self.document.characters}
        self._waiting &= present
        for id in sorted(self._waiting):
            self.service.request(SolveRequest(self.document.character(id), self.history.revision, self._open_key))

    def _complete_step(self) -> None:
        if self._waiting and not self.settle(MOMENT_S):
            self._late = (self.document, frozenset(self._waiting))
            self._drop_solves()
        self._open_key = None
        self.history.close_step()

    def _catch_up(self) -> bool:
        """Ask again for the solve of a step that was left before it was solved, if one has come back to it."""
        document, ids = self._late
        if document is self.document:
            self._waiting |= ids
            self._ask()
        return True

    def _drop_solves(self) -> None:
        self.service.forget()
        self._waiting.clear()

    def _document_changed(self, document: Document) -> None:
        self.view = fitted(self.view, document)
        self._measure()
        self.changed.emit()


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, PoserError) else f"The solver failed: {error or type(error).__name__}."
