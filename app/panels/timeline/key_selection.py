"""The keys selected on the timeline, a person's or a prop's, and what is done with them: move, copy, paste, delete."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.document import edits
from app.document.model.clip import Clip, Key
from app.document.model.document import Document
from app.document.model.history import Edit, StepKey
from app.document.model.prop_clip import PropClip, PropKey
from app.panels.timeline.key_owner import KeyOwner, PropKeys, key_owner
from app.services.session import Session

ELSEWHERE = "These keys were copied from elsewhere; keys can only be pasted onto the same person or prop"
NONE_CHOSEN = "No key is selected; click one, or press Shift+Up at its frame"
AT_AN_END = "Keys go no further than the first and the last frame"
Grabbed = tuple[StepKey, KeyOwner, Clip | PropClip, frozenset[int], int]  # how they were, and how far they have gone


class KeySelection(QObject):
    """Keys of the selected prop or the active person, by the frames of their clip.

    changed: the selection has changed. copied(paste): keys were, and this pastes them. said(text): what was done,
    for the status bar. retracted(text): what was said of keys that are gone now.
    """

    changed = Signal()
    copied = Signal(object)
    said = Signal(str)
    retracted = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._of = ""
        self._frames: frozenset[int] = frozenset()
        # before each move of these keys: the frames of all, and of those moved, to be selected again if it is undone
        self._before: list[tuple[frozenset[int], frozenset[int]]] = []
        self._copied: tuple[str, tuple[Key, ...] | tuple[PropKey, ...]] = ("", ())
        self._told = self._told_of_copy = ""  # of the last move, of the last copy
        self._drag: Grabbed | None = None
        self._row: tuple[Document, Grabbed] | None = None  # of presses that moved keys, and what was before
        session.opened.connect(self._forget)

    @property
    def frames(self) -> frozenset[int]:
        """The frames of the selected keys that are still there."""
        owner = self._owner
        clip = owner.clip if owner is not None else None
        if owner is None or clip is None or self._of != owner.slot or not self._frames:
            return frozenset()
        there = frozenset(key.frame for key in clip.keys)
        return next((chosen for all, chosen in self._before if all == there), self._frames & there)

    @property
    def dragging(self) -> bool:
        """Whether keys are being moved."""
        return self._drag is not None

    @property
    def origin(self) -> tuple[int, ...]:
        """Where the keys being moved came from."""
        return tuple(sorted(self._drag[3])) if self._drag is not None and self._drag[4] else ()

    @property
    def progress(self) -> str:
        """What is being done to the grabbed keys, "" for none: “2 keys moved by +12 frames”."""
        if self._drag is None:
            return ""
        return f"{_counted(len(self._drag[3])).capitalize()} moved by {_frames(self._drag[4])}"

    @property
    def can_paste(self) -> bool:
        """Whether keys were copied and there is somebody to take them."""
        return bool(self._copied[1]) and self._owner is not None

    def select(self, frames: Iterable[int], more: bool = False) -> None:
        """Select these keys. more: in addition to those selected."""
        self._row, self._before, chosen, owner = None, [], self.frames if more else frozenset(), self._owner
        self._select_moved(frozenset(frames) | chosen, owner.slot if owner is not None else "")

    def toggle(self, frame: int) -> None:
        """Add a key to the selection, or take it out."""
        self.select(self.frames ^ {frame})

    def select_all(self) -> None:
        """Select every key."""
        self.select(key.frame for key in self._clip.keys) if self._clip is not None else None

    def select_here(self) -> None:
        """Add the key at the frame looked at to the selection, or take it out."""
        active = self._session.active
        if active is None or not self.is_here:
            self.said.emit("There is no key at this frame; Down and Up go to one")
        else:
            self.toggle(active.frame)

    def move(self, by: int) -> None:
        """Move the selected keys by so many frames; where none is selected, or they cannot, say so. Moves in a row are
        one step: keys that are only passed over come back."""
        if not self.frames:
            self.said.emit(NONE_CHOSEN)
            return
        before = self._grab_again()
        if self._drag is None:
            return
        gone = self._drag[-1]
        self.drag(gone + by)
        moved = self._drag
        self.drop()
        self._row = (before, moved) if moved[-1] else None
        if moved[-1] == gone:
            self.said.emit(AT_AN_END)

    def grab(self) -> None:
        """Begin to move the selected keys."""
        owner, clip = self._owner, self._clip
        if owner is not None and clip is not None and self.frames:
            self._drag = (self._session.history.step_key(), owner, clip, self.frames, 0)

    def _grab_again(self) -> Document:
        """Grab the keys that the last press moved as they were, if nothing was done since; else those selected
        as they are. Returns the document before they moved."""
        history = self._session.history
        if self._row is not None:
            before, (step, owner, _, frames, by) = self._row
            if not step.is_over and self._of == owner.slot and self.frames == {frame + by for frame in frames}:
                self._session.reopen_step(before, step)
                if history.is_open(step):
                    self._drag = self._row[1]
                    return before
        self.grab()
        return history.document

    def drag(self, by: int, copy: bool = False) -> None:
        """Move the grabbed keys, or copies of them, by so many frames from where they were; all moves are one step."""
        if self._drag is None:
            return
        step, owner, clip, frames, _ = self._drag
        if step.is_over:
            self._drag = (step, owner, clip, frames, 0)
            return
        by = min(max(by, -min(frames)), len(clip) - 1 - max(frames))
        self._drag = (step, owner, clip, frames, by)
        text = f"{'Copy' if copy else 'Move'} {_counted(len(frames))}"
        edit = owner.move(frames, 0 if copy else by, clip)
        if copy:
            edit = edits.chain(edit, owner.copy(frames, min(frames) + by))
        self._session.edit(text, self._anew(edit, step), step, solve=True)
        self._select_moved(frozenset(frame + by for frame in frames), owner.slot)

    def _anew(self, edit: Edit, step: StepKey) -> Edit:
        """The edit, done to everybody and everything as the step began: feet of people on a prop may leave the floor on
        its way, and let go of it."""
        history = self._session.history

        def anew(now: Document) -> Document:
            before = history.before_step(step)
            return edit(now if before is None else replace(now, actors=before.actors, props=before.props))

        return anew

    def drop(self, copy: bool = False) -> None:
        """End the move; one that ends where it began leaves no step."""
        if self._drag is None:
            return
        step, owner, clip, frames, by = self._drag
        self._drag = None
        if by == 0 or step.is_over:
            self._session.cancel(step)
            self._select_moved(frames, owner.slot)
            return
        self._session.close_step()
        if (before := (frozenset(key.frame for key in clip.keys), frames)) not in self._before:
            self._before.append(before)
        done = "copied" if copy else "moved"
        self.retracted.emit(self._told)
        self._told = f"{_counted(len(frames)).capitalize()} {done} by {_frames(by)}"
        self.said.emit(self._told)

    def cancel(self) -> bool:
        """Put grabbed keys back where they were; return whether there were any."""
        if self._drag is None:
            return False
        step, owner, _, frames, _ = self._drag
        self._drag = None
        self._session.cancel(step)
        self._select_moved(frames, owner.slot)
        return True

    @property
    def is_here(self) -> bool:
        """Whether there is a key at the frame looked at."""
        owner = self._owner
        return owner is not None and owner.is_keyed

    def toggle_here(self) -> None:
        """Set a key of what is shown at the frame looked at, or take out the one there."""
        owner = self._owner
        if owner is None:
            return
        if owner.clip is None or not self.is_here:
            self._session.edit("Set key", owner.set_key(), solve=self._is_prop)
        elif len(owner.clip.keys) > owner.least:
            self._session.edit("Remove key", owner.remove_key(), solve=self._is_prop)
            self.retracted.emit(self._told)
        else:
            self.said.emit("This key stays: a clip keeps at least one key")

    def copy(self) -> None:
        """Keep the selected keys, to be pasted."""
        owner, clip, frames = self._owner, self._clip, self.frames
        if owner is not None and clip is not None and frames:
            self._copied = (owner.slot, tuple(key for key in clip.keys if key.frame in frames))  # type: ignore[assignment]
            them = "it" if len(frames) == 1 else "them"
            self._told_of_copy = f"{_counted(len(frames)).capitalize()} copied; paste {them} at another frame"
            self.said.emit(self._told_of_copy)
            self.copied.emit(self.paste)

    def paste(self) -> None:
        """Put in copies of the kept keys, the first of them at the frame looked at."""
        owner, (slot, keys) = self._owner, self._copied
        if owner is None or not keys:
            return
        self.retracted.emit(self._told_of_copy)
        if slot != owner.slot:
            self.said.emit(ELSEWHERE)
            return
        if owner.clip is None:
            self.said.emit("This prop stands still; set a key first")
            return
        to = [key.frame - keys[0].frame + owner.frame for key in keys]
        fit = sum(frame < len(owner.clip) for frame in to)
        if self._session.edit(f"Paste {_counted(fit)}", owner.paste(keys, owner.frame), solve=True):
            self.select(to)
        if fit < len(keys):
            fixed = isinstance(owner.clip, Clip) and owner.clip.source is not None
            rest = "the rest would be beyond the end" + ("" if fixed else "; type a greater length first")
            self.said.emit(f"{fit:,} of {len(keys):,} keys pasted; {rest}")

    def delete(self) -> None:
        """Delete the selected keys, of which a person's clip keeps at least one; where none is selected, say so."""
        owner, frames = self._owner, self.frames
        if owner is None or owner.clip is None or not frames:
            self.said.emit(NONE_CHOSEN)
            return
        stays = min(frames) if len(frames) == len(owner.clip.keys) and owner.least else None
        gone = frames - {stays}
        if gone:
            self._session.edit(f"Delete {_counted(len(gone))}", owner.delete(gone), solve=self._is_prop)
            self.retracted.emit(self._told)
        if stays is not None:
            self.said.emit(f"The key at frame {stays + 1:,} stays: a clip keeps at least one key")
        self.select(())

    @property
    def _owner(self) -> KeyOwner | None:
        return key_owner(self._session)

    @property
    def _is_prop(self) -> bool:
        """Whether people may hold on to what the keys move, and are solved anew."""
        return isinstance(self._owner, PropKeys)

    @property
    def _clip(self) -> Clip | PropClip | None:
        owner = self._owner
        return owner.clip if owner is not None else None

    def _forget(self) -> None:
        """Select none and keep none to be pasted: in another scene others have the same ids."""
        self._copied, self._told, self._drag = ("", ()), "", None
        self.select(())

    def _select_moved(self, frames: frozenset[int], slot: str) -> None:
        """Select keys of whoever has that slot: moved ones may belong to somebody who is no longer the active one."""
        self._frames, self._of = frames, slot
        self.changed.emit()


def _counted(keys: int) -> str:
    return "key" if keys == 1 else f"{keys:,} keys"


def _frames(by: int) -> str:
    return f"{by:+,} frame{'' if abs(by) == 1 else 's'}".replace("-", "−")
