"""The keys selected on the timeline, and what is done with them: move, copy, paste, delete."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from app.document import edits
from app.document.model.clip import Clip, Key
from app.services.session import Session


class KeySelection(QObject):
    """Keys of the active person, by the frames of their clip.

    changed: the selection has changed. said(text): what was done, for the status bar.
    """

    changed = Signal()
    said = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._of = ""
        self._frames: frozenset[int] = frozenset()
        # before each move of these keys: the frames of all, and of those moved, to be selected again if it is undone
        self._before: list[tuple[frozenset[int], frozenset[int]]] = []
        self._copied: tuple[str, tuple[Key, ...]] = ("", ())
        self._drag: tuple[object, str, Clip, frozenset[int], int] | None = None

    @property
    def frames(self) -> frozenset[int]:
        """The frames of the selected keys that are still there."""
        clip = self._clip
        if clip is None or self._of != self._session.view.character or not self._frames:
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
        return bool(self._copied[1]) and self._session.active is not None

    def select(self, frames: Iterable[int], more: bool = False) -> None:
        """Select these keys. more: in addition to those selected."""
        self._before, chosen = [], self.frames if more else frozenset()
        self._select_moved(frozenset(frames) | chosen)

    def toggle(self, frame: int) -> None:
        """Add a key to the selection, or take it out."""
        self.select(self.frames ^ {frame})

    def select_all(self) -> None:
        """Select every key of the active person."""
        self.select(key.frame for key in self._clip.keys) if self._clip is not None else None

    def select_here(self) -> None:
        """Add the key at the frame looked at to the selection, or take it out."""
        active = self._session.active
        if active is None or not self.is_here:
            self.said.emit("There is no key at this frame; Down and Up go to one")
        else:
            self.toggle(active.frame)

    def move(self, by: int) -> None:
        """Move the selected keys by so many frames, as one step."""
        self.grab()
        self.drag(by)
        self.drop()

    def grab(self) -> None:
        """Begin to move the selected keys."""
        if self._clip is not None and self.frames:
            self._drag = (object(), self._session.view.character, self._clip, self.frames, 0)

    def drag(self, by: int, copy: bool = False) -> None:
        """Move the grabbed keys, or copies of them, by so many frames from where they were; all moves are one step."""
        if self._drag is None:
            return
        step, character, clip, frames, _ = self._drag
        by = min(max(by, -min(frames)), len(clip) - 1 - max(frames))
        self._drag = (step, character, clip, frames, by)
        text = f"{'Copy' if copy else 'Move'} {_counted(len(frames))}"
        edit = edits.move_keys(character, frames, 0 if copy else by, clip)
        if copy:
            edit = edits.chain(edit, edits.copy_keys(character, frames, min(frames) + by))
        self._session.edit(text, edit, step, solve=True)
        self._select_moved(frozenset(frame + by for frame in frames))

    def drop(self, copy: bool = False) -> None:
        """End the move; one that ends where it began leaves no step."""
        if self._drag is None:
            return
        step, _, clip, frames, by = self._drag
        self._drag = None
        if by == 0:
            self._session.cancel(step)
            self._select_moved(frames)
            return
        self._session.close_step()
        self._before.append((frozenset(key.frame for key in clip.keys), frames))
        done = "copied" if copy else "moved"
        self.said.emit(f"{_counted(len(frames)).capitalize()} {done} by {_frames(by)}")

    def cancel(self) -> bool:
        """Put grabbed keys back where they were; return whether there were any."""
        if self._drag is None:
            return False
        step, _, _, frames, _ = self._drag
        self._drag = None
        self._session.cancel(step)
        self._select_moved(frames)
        return True

    @property
    def is_here(self) -> bool:
        """Whether there is a key at the frame looked at."""
        active = self._session.active
        return active is not None and active.clip.key(active.frame) is not None

    def toggle_here(self) -> None:
        """Set a key of what is shown at the frame looked at, or take out the one there."""
        active = self._session.active
        if active is None:
            return
        if not self.is_here:
            self._session.edit("Set key", edits.set_key(active.id, active.frame))
        elif len(active.clip.keys) > 1:
            self._session.edit("Remove key", edits.remove_key(active.id))
        else:
            self.said.emit("This key stays: a clip keeps at least one key")

    def copy(self) -> None:
        """Keep the selected keys, to be pasted."""
        clip, frames = self._clip, self.frames
        if clip is not None and frames:
            self._copied = (self._session.view.character, tuple(key for key in clip.keys if key.frame in frames))
            self.said.emit(f"{_counted(len(frames)).capitalize()} copied; paste them at another frame")

    def paste(self) -> None:
        """Put in copies of the kept keys, the first of them at the frame looked at."""
        active, (owner, keys) = self._session.active, self._copied
        if active is None or not keys:
            return
        if owner != active.id:
            self.said.emit("These keys were copied from somebody else; keys can only be pasted onto the same person")
            return
        to = [key.frame - keys[0].frame + active.frame for key in keys]
        fit = sum(frame < len(active.clip) for frame in to)
        if self._session.edit(f"Paste {_counted(fit)}", edits.paste_keys(active.id, keys, active.frame), solve=True):
            self.select(to)
        if fit < len(keys):
            self.said.emit(f"{fit:,} of {len(keys):,} keys pasted; the rest would be beyond the end")

    def delete(self) -> None:
        """Delete the selected keys; a clip keeps at least one."""
        active, frames = self._session.active, self.frames
        if active is None or not frames:
            return
        stays = min(frames) if len(frames) == len(active.clip.keys) else None
        gone = frames - {stays}
        if gone:
            self._session.edit(f"Delete {_counted(len(gone))}", edits.delete_keys(active.id, gone))
        if stays is not None:
            self.said.emit(f"The key at frame {stays + 1:,} stays: a clip keeps at least one key")
        self.select(())

    @property
    def _clip(self) -> Clip | None:
        active = self._session.active
        return active.clip if active is not None else None

    def _select_moved(self, frames: frozenset[int]) -> None:
        self._frames, self._of = frames, self._session.view.character
        self.changed.emit()


def _counted(keys: int) -> str:
    return "key" if keys == 1 else f"{keys:,} keys"


def _frames(by: int) -> str:
    return f"{by:+,} frame{'' if abs(by) == 1 else 's'}".replace("-", "−")
