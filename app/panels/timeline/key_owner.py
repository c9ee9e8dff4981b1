"""Whose keys the timeline shows and edits: the selected prop's, else the active person's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.document import edits
from app.document.model.character import Character
from app.document.model.clip import Clip
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip
from app.services.clock import Clock, clock_of, frames_at, length_s
from app.services.session import Session
from app.services.steps.contacts import with_people_on
from app.services.view_state import selected_prop


@dataclass(frozen=True)
class PersonKeys:
    """The keys of a person. least: how many keys are kept. length: how many frames the scene has at the person's rate.
    place: which of them is looked at."""

    person: Character
    length: int
    place: int
    least: int = 1

    @property
    def slot(self) -> str:
        """Their id."""
        return self.person.id

    @property
    def still(self) -> bool:
        """Whether they have a single pose, which is no key; a motion of one frame is as long as it is."""
        return len(self.clip) == 1 and self.clip.source is None

    @property
    def frame(self) -> int:
        """The frame looked at, also of somebody still."""
        return self.place if self.still else self.person.frame

    @property
    def clip(self) -> Clip:
        """Their clip."""
        return self.person.clip

    @property
    def is_keyed(self) -> bool:
        """Whether there is a key at the frame looked at."""
        return not self.still and self.clip.key(self.frame) is not None

    def set_key(self) -> Edit:
        """Set a key of what is shown; somebody still gets as many frames as the scene has."""
        key = edits.set_key(self.slot, self.frame)
        return edits.chain(edits.set_clip_length(self.slot, self.length), key) if self.still else key

    def remove_key(self) -> Edit:
        """Take out the key at the frame looked at."""
        return edits.remove_key(self.slot)

    def move(self, frames: Iterable[int], by: int, start: Any) -> Edit:
        """Move keys by so many frames."""
        return edits.move_keys(self.slot, frames, by, start)

    def copy(self, frames: Iterable[int], to: int) -> Edit:
        """Copy keys, the first of them to a frame."""
        return edits.copy_keys(self.slot, frames, to)

    def paste(self, keys: Iterable[Any], to: int) -> Edit:
        """Put in copies of keys, the first of them at a frame."""
        return edits.paste_keys(self.slot, keys, to)

    def delete(self, frames: Iterable[int]) -> Edit:
        """Take keys away."""
        return edits.delete_keys(self.slot, frames)

    def set_length(self, frames: int) -> Edit:
        """Give the clip its number of frames."""
        return edits.set_clip_length(self.slot, frames)

    def set_rate(self, fps: float) -> Edit:
        """Give the clip another rate, frames a second."""
        return edits.set_clip_rate(self.slot, fps)

    def set_speed(self, frames: int) -> Edit:
        """Let the clip go over in another number of frames."""
        return edits.set_speed(self.slot, frames)


@dataclass(frozen=True, eq=False)
class PropKeys:
    """The keys of a prop. frame: the one looked at, also of one that stands still. clock: that of the scene."""

    prop: Prop
    frame: int
    clock: Clock
    least: int = 0

    @property
    def slot(self) -> str:
        """The slot of its frame."""
        return self.prop.slot

    @property
    def clip(self) -> PropClip | None:
        """Its clip."""
        return self.prop.clip

    @property
    def is_keyed(self) -> bool:
        """Whether there is a key at the frame looked at."""
        return self.clip is not None and self.clip.key(self.frame) is not None

    def set_key(self) -> Edit:
        """Set a key of where it is; a prop that stood still gets as many frames as the clock has."""
        return edits.set_prop_key(self.prop.id, self.frame, self.clock.frames, self.clock.fps)

    def remove_key(self) -> Edit:
        """Take out the key at the frame looked at."""
        return self.delete([self.frame])

    def move(self, frames: Iterable[int], by: int, start: Any) -> Edit:
        """Move keys by so many frames."""
        return _with_riders(edits.move_prop_keys(self.prop.id, frames, by, start))

    def copy(self, frames: Iterable[int], to: int) -> Edit:
        """Copy keys, the first of them to a frame."""
        return _with_riders(edits.copy_prop_keys(self.prop.id, frames, to))

    def paste(self, keys: Iterable[Any], to: int) -> Edit:
        """Put in copies of keys, the first of them at a frame."""
        return _with_riders(edits.paste_prop_keys(self.prop.id, keys, to))

    def delete(self, frames: Iterable[int]) -> Edit:
        """Take keys away; without any it stands still where it is seen."""
        return edits.chain(_with_riders(edits.delete_prop_keys(self.prop.id, frames)), _who_rode_stands)

    def set_length(self, frames: int) -> Edit:
        """Give the clip its number of frames."""
        return edits.set_prop_clip_length(self.prop.id, frames)

    def set_rate(self, fps: float) -> Edit:
        """Give the clip another rate, frames a second."""
        return _with_riders(edits.set_prop_clip_rate(self.prop.id, fps))

    def set_speed(self, frames: int) -> Edit:
        """Let the clip go over in another number of frames."""
        return _with_riders(edits.set_prop_speed(self.prop.id, frames))


KeyOwner = PersonKeys | PropKeys


def _with_riders(moved: Edit) -> Edit:
    """An edit of a prop's keys, with the keys of whom it bears, as far as it is elsewhere there."""
    return with_people_on(moved, keys_alone=True)


def _who_rode_stands(document: Document) -> Document:
    """Nobody is shown riding any more on a prop that has lost its last key."""
    if not any(actor.clip.solved for actor in document.actors):
        return document
    from app.document.over_time.in_betweens import without_left_over  # only once frames are solved

    return without_left_over(document)


def can_resize(owner: KeyOwner | None) -> bool:
    """Whether the clip of the keys shown has a length and a rate of its own to choose."""
    if owner is None or owner.clip is None or len(owner.clip) == 1:
        return False
    return isinstance(owner, PropKeys) or owner.clip.source is None


def key_owner(session: Session) -> KeyOwner | None:
    """Whose keys are shown: the selected prop's, else the active person's; None for nobody's."""
    document, view = session.document, session.view
    prop = selected_prop(document, view)
    if prop is None and session.active is not None:
        fps = session.active.clip.fps
        length = round(length_s(document) * fps) + 1
        return PersonKeys(session.active, length, min(round(view.time_s * fps), length - 1))
    if prop is None:
        return None
    clock = clock_of(document, view.character)
    frame = frames_at(document, view.time_s).get(prop.slot, clock.frame(view.time_s))
    return PropKeys(prop, frame, clock)
