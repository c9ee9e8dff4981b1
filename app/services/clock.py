"""The clock of a scene: one time at which everybody is looked at, counted in the frames of one person's clip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.document.model.actor import Actor
from app.document.model.clip import STILL_FPS
from app.document.model.document import Document

Span = tuple[float, float]


@dataclass(frozen=True)
class Clock:
    """How time is counted. lead: id of the actor whose frames are counted, "" where nobody moves. fps: its rate, or
    that of the longest prop's clip where only props move.

    frames: how many of them the whole scene has, at least one. first, last: the range to play, inclusive.
    """

    lead: str = ""
    fps: float = STILL_FPS
    frames: int = 1
    first: int = 0
    last: int = 0

    def frame(self, time_s: float) -> int:
        """The frame nearest to a time, within the scene."""
        return min(max(round(time_s * self.fps), 0), self.frames - 1)

    def time(self, frame: int) -> float:
        """The time of a frame, in seconds; one beyond the scene counts as its first or last."""
        return min(max(frame, 0), self.frames - 1) / self.fps


class Timed(NamedTuple):
    """Somebody or a prop with a clip. slot: of its frame. frames: how many. of: the actor, or the prop's clip."""

    slot: str
    fps: float
    frames: int
    of: object

    @property
    def end_s(self) -> float:
        """The time of its last frame, in seconds."""
        return (self.frames - 1) / self.fps

    def frame_at(self, time_s: float) -> int:
        """The frame nearest to a time; the first or the last where the clip does not reach it."""
        return min(max(round(time_s * self.fps), 0), self.frames - 1)


def timed(document: Document) -> dict[str, Timed]:
    """Everybody, and every prop with a clip, by their slots."""
    people = [Timed(actor.id, actor.clip.fps, len(actor.clip), actor) for actor in document.actors]
    clips = [(prop.slot, prop.clip) for prop in document.props if prop.clip is not None]
    return {each.slot: each for each in (*people, *(Timed(slot, c.fps, len(c), c) for slot, c in clips))}


def moving(document: Document) -> tuple[Actor, ...]:
    """The actors whose clip has more than one frame."""
    return tuple(actor for actor in document.actors if len(actor.clip) > 1)


def length_s(document: Document) -> float:
    """The time of the longest clip's last frame, in seconds."""
    return max((each.end_s for each in timed(document).values()), default=0.0)


def plays(document: Document) -> bool:
    """Whether anybody or any prop has more than one frame."""
    return any(each.frames > 1 for each in timed(document).values())


def clock_of(document: Document, active: str, range_s: Span | None = None) -> Clock:
    """The clock in the frames of the active actor or, if that one does not move, of the one who moves longest. A
    range that begins where nothing moves any more, as after an undone cut, counts as none."""
    all = [each for each in timed(document).values() if each.frames > 1]
    if not all:
        return Clock()
    people = {actor.id for actor in document.actors}
    mine = next((each for each in all if each.slot == active), None)
    lead = mine or max(all, key=lambda each: (each.slot in people, each.end_s))
    id, fps = lead.slot if lead.slot in people else "", lead.fps
    frames = int(length_s(document) * fps + 1e-6) + 1
    whole = Clock(id, fps, frames, 0, frames - 1)
    if range_s is None or range_s[0] >= length_s(document):
        return whole
    first, last = (whole.frame(time_s) for time_s in range_s)
    return Clock(id, fps, frames, first, last)


def frames_at(document: Document, time_s: float) -> Mapping[str, int]:
    """The frame of everybody, and of each prop with a clip, nearest to a time; the first or the last of a clip that
    does not reach it."""
    return {slot: each.frame_at(time_s) for slot, each in timed(document).items()}


def time_of(actor: Actor, frame: int) -> float:
    """The time of a frame of an actor's clip, in seconds; one beyond the clip counts as its first or last."""
    return min(max(frame, 0), len(actor.clip) - 1) / actor.clip.fps


def frames_to_show(before: Document, after: Document, back_to: Mapping[str, int]) -> Mapping[str, int]:
    """The frames to look at those an edit changed at, after it. back_to: the frames where an undone step was made."""
    old, told = timed(before), {**after.frames, **back_to}
    changed = [each for each in timed(after).values() if each.slot not in old or old[each.slot].of is not each.of]
    return {each.slot: told.get(each.slot, 0) for each in changed if isinstance(each.of, Actor) or each.slot in told}


def frames_after_edit(
    old: Document, document: Document, told: Mapping[str, int], before: Mapping[str, int], time_s: float, active: str
) -> tuple[Mapping[str, int], float]:
    """The frames to look at and the time after an edit changed the old document into this one.

    told: the frames of those who changed, as the edit says. before: the frames looked at until now. An edit that is
    undone or done elsewhere takes the clock along to where it was made; the active actor's frame comes first. With
    another rate the clock goes to where the frame now is; in a clip of another length the frame goes to the clock.
    """
    was, now = timed(old), timed(document)
    goes = [
        each
        for each in now.values()
        if each.frames > 1
        and (told.get(each.slot, before.get(each.slot)) != before.get(each.slot) or _rate(was, each) != each.fps)
    ]
    if goes:
        lead = min(goes, key=lambda each: each.slot != active)
        time_s = told.get(lead.slot, before.get(lead.slot, 0)) / lead.fps
        return {**frames_at(document, time_s), **told}, time_s
    resized = [each for each in now.values() if (was[each.slot].frames if each.slot in was else 0) != each.frames]
    here = {each.slot: each.frame_at(time_s) for each in resized if each.slot in was or not isinstance(each.of, Actor)}
    return {**before, **told, **here}, time_s


def _rate(was: Mapping[str, Timed], each: Timed) -> float:
    return was[each.slot].fps if each.slot in was else each.fps
