"""Undo and redo over frozen documents: an edit is a pure function, one drag or one scrub is one step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from app.document.model.clip import EMPTY
from app.document.model.document import Document

Edit = Callable[[Document], Document]
STEPS_KEPT = 500


@dataclass(frozen=True)
class Step:
    """One undo step: its text, the document before and after, and the revision that its first edit made.

    merge_key: what further edits of the same step carry; None once it is closed. frames: where each actor was looked
    at when the step began, by id. active: the actor that was posed then, by its id.
    """

    text: str
    before: Document
    after: Document
    merge_key: object | None
    since: int
    frames: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    active: str = ""


@dataclass(frozen=True)
class Past:
    """A document with what undo and redo would bring, each oldest first."""

    document: Document
    undo: tuple[Step, ...]
    redo: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class StepKey:
    """The merge key of a drag or a scrub, by `History.step_key`; each is equal to itself alone."""

    history: History
    since: int  # how often undo or redo had gone to another document when it was made

    @property
    def is_over(self) -> bool:
        """Whether undo or redo has gone to another document since: that takes the drag back for good."""
        return self.history._jumps != self.since


class History:
    """The document over time. `revision` grows with every change, undo and redo included.

    Listeners are called after each change with the new document; they must not edit from within.
    """

    def __init__(self, document: Document | None = None) -> None:
        self._document = document or Document()
        self._undo: list[Step] = []
        self._redo: list[Step] = []
        self._dropped: list[Step] = []  # what redo would have brought before the open step
        self._saved = self._document
        self._listeners: list[Callable[[Document], None]] = []
        self.revision = 0
        self._jumps = 0  # how often undo or redo has gone to another document

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return self._document

    @property
    def dirty(self) -> bool:
        """Whether the document differs from the one last saved or loaded; undoing back to it makes it clean again."""
        return self._document is not self._saved

    @property
    def undo_text(self) -> str | None:
        """What undo would take back, or None."""
        return self._undo[-1].text if self._undo else None

    @property
    def undo_revision(self) -> int:
        """The revision at which the step that undo would take back began; each step has its own. 0 for none."""
        return self._undo[-1].since if self._undo else 0

    @property
    def undo_document(self) -> Document:
        """The document that undo would bring back; the present one if there is nothing to undo."""
        return self._undo[-1].before if self._undo else self._document

    @property
    def undo_frames(self) -> Mapping[str, int]:
        """Where each actor was looked at, by id, when the step that undo would take back began."""
        return self._undo[-1].frames if self._undo else EMPTY

    @property
    def undo_active(self) -> str:
        """Who was active when the step that undo would take back began; "" for nobody."""
        return self._undo[-1].active if self._undo else ""

    @property
    def redo_active(self) -> str:
        """Who was active when the step that redo would bring back began; "" for nobody."""
        return self._redo[-1].active if self._redo else ""

    @property
    def redo_revision(self) -> int:
        """The revision at which the step that redo would bring back began. 0 for none."""
        return self._redo[-1].since if self._redo else 0

    @property
    def redo_text(self) -> str | None:
        """What redo would bring back, or None."""
        return self._redo[-1].text if self._redo else None

    def subscribe(self, listener: Callable[[Document], None]) -> Callable[[], None]:
        """Call `listener` after every change; the returned function ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def step_key(self) -> StepKey:
        """A merge key for a step that begins now; its edits are ignored once undo or redo has gone elsewhere."""
        return StepKey(self, self._jumps)

    def apply(
        self,
        text: str,
        edit: Edit,
        merge_key: object | None = None,
        frames: Mapping[str, int] = EMPTY,
        active: str = "",
    ) -> int:
        """Do an edit and return the new revision. Edits in a row with the same merge key are one step.

        frames, active: where each actor is looked at and who is posed, by id; kept with the step. If the edit raises,
        nothing has changed. An edit that returns the document itself makes no step, nor does one of a `StepKey` that is
        over.
        """
        if isinstance(merge_key, StepKey) and merge_key.is_over:
            return self.revision
        before, after = self._document, edit(self._document)
        if after is before:
            return self.revision
        last = self._undo[-1] if self._undo else None
        if merge_key is not None and last is not None and last.merge_key == merge_key and not self._redo:
            self._undo[-1] = replace(last, after=after)
        else:
            self._undo.append(Step(text, before, after, merge_key, self.revision + 1, frames, active))
            del self._undo[:-STEPS_KEPT]
            self._dropped = self._redo if merge_key is not None else []
            self._redo = []
        return self._set(after)

    def name_step(self, text: str, merge_key: object) -> None:
        """Call the newest step something else, if it is still the one of that merge key."""
        if self.is_open(merge_key):
            self._undo[-1] = replace(self._undo[-1], text=text)

    def before_step(self, merge_key: object) -> Document | None:
        """The document at which the newest step began, if it is still the one of that merge key."""
        return self._undo[-1].before if self.is_open(merge_key) else None

    def is_open(self, merge_key: object) -> bool:
        """Whether the newest step is one that further edits of that merge key go into."""
        return merge_key is not None and bool(self._undo) and self._undo[-1].merge_key == merge_key

    def amend(self, revision: int, edit: Edit, merge_key: object | None = None, saved: bool = True) -> bool:
        """Fold a result that was asked for at `revision` into the newest step; drop it where it is too late (False).

        It belongs there if the document is still at that revision; with a merge key also if the step of that key is
        still open and the revision is one of its own: a drag may show results that its pointer has already overtaken.
        The revision does not grow: the result is part of the edit that asked for it. saved: whether a document that was
        saved meanwhile counts as having it; not if it would be lost, as what no solve finds again.
        """
        if revision != self.revision and not self._is_of_open_step(revision, merge_key):
            return False
        before, after = self._document, edit(self._document)
        if after is before:
            return True
        if self._undo and self._undo[-1].after is before:
            self._undo[-1] = replace(self._undo[-1], after=after)
        if self._redo and self._redo[-1].before is before:
            self._redo[-1] = replace(self._redo[-1], before=after)
        if saved and self._saved is before:
            self._saved = after  # nothing was edited since the save: the result is part of what was saved
        self._document = after
        self._notify()
        return True

    def close_step(self) -> None:
        """End merging: the next edit is a step of its own (the mouse was released)."""
        self._dropped = []
        if self._undo:
            self._undo[-1] = replace(self._undo[-1], merge_key=None)

    def reopen_step(self, before: Document, merge_key: object) -> bool:
        """Let the newest step take further edits with that key, if it began at `before` and nothing was done since."""
        last = self._undo[-1] if self._undo else None
        if last is None or self._redo or last.before is not before or last.after is not self._document:
            return False
        self._undo[-1] = replace(last, merge_key=merge_key)
        return True

    def cancel_step(self, merge_key: object) -> bool:
        """Take back the open step of that merge key (Esc during a drag): undo and redo are as before it.

        False if there is none.
        """
        if not self.is_open(merge_key):
            return False
        self._redo, self._dropped = self._dropped, []
        self._set(self._undo.pop().before)
        return True

    def undo(self) -> bool:
        """Go back one step; False at the beginning. The pose comes back as it was: nothing is solved."""
        if not self._undo:
            return False
        step = self._undo.pop()
        self._redo.append(step)
        self._jumps += 1
        self._set(step.before)
        return True

    def redo(self) -> bool:
        """Go forward one step; False at the end."""
        if not self._redo:
            return False
        step = self._redo.pop()
        self._undo.append(step)
        self._jumps += 1
        self._set(step.after)
        return True

    def steps(self) -> tuple[str, ...]:
        """The texts of the steps that undo would take back, newest last."""
        return tuple(step.text for step in self._undo)

    def documents(self) -> tuple[Document, ...]:
        """The present document and every one that undo or redo would bring, each once, the nearest first."""
        back = [step.before for step in reversed(self._undo)]
        on = [step.after for step in reversed(self._redo)]
        near = [d for pair in zip_longest(back, on) for d in pair if d is not None]
        return tuple({id(d): d for d in (self._document, *near)}.values())

    def slim_documents(self, slimmer: Edit) -> None:
        """Replace the documents that undo or redo would bring by equal ones that take less memory.

        slimmer: returns the document itself where it should stay. The present document is left out.
        """
        made = {id(d): d if d is self._document else slimmer(d) for d in self.documents()}

        def light(step: Step) -> Step:
            before, after = made.get(id(step.before), step.before), made.get(id(step.after), step.after)
            return step if before is step.before and after is step.after else replace(step, before=before, after=after)

        self._saved = made.get(id(self._saved), self._saved)
        self._undo[:], self._redo[:] = map(light, self._undo), map(light, self._redo)

    def mark_saved(self) -> None:
        """Note that the document as it is now is on disk."""
        self._saved = self._document
        self._notify()

    def reset(self, document: Document, saved: bool = True) -> None:
        """Open another document and start history anew. It counts as saved unless `saved` is False."""
        self._undo.clear()
        self._redo.clear()
        self._dropped = []
        self._saved = document if saved else Document()
        self._set(document)

    def past(self) -> Past:
        """All there is, for `resume` later."""
        return Past(self._document, tuple(self._undo), tuple(self._redo))

    def resume(self, past: Past) -> None:
        """Have these steps again. The present document has to be theirs; ValueError otherwise."""
        if past.document is not self._document:
            raise ValueError("these are the steps of another document")
        self._undo[:], self._redo[:] = past.undo, past.redo
        self._notify()

    def _is_of_open_step(self, revision: int, merge_key: object | None) -> bool:
        if merge_key is None or not self._undo:
            return False
        last = self._undo[-1]
        return last.merge_key == merge_key and last.since <= revision <= self.revision

    def _set(self, document: Document) -> int:
        self._document = document
        self.revision += 1
        self._notify()
        return self.revision

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener(self._document)
