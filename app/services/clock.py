"""The clock of a scene: one time at which everybody is looked at, counted in the frames of one person's clip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.document.model.actor import Actor
from app.document.model.clip import STILL_FPS
from app.document.model.document import Document

Span = tuple[float, float]


@dataclass(frozen=True)
class Clock:
    """How time is counted. lead: id of the actor whose frames are counted, "" where nobody moves. fps: its rate.

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


def moving(document: Document) -> tuple[Actor, ...]:
    """The actors whose clip has more than one frame."""
    return tuple(actor for actor in document.actors if len(actor.clip) > 1)


def length_s(document: Document) -> float:
    """The time of the longest clip's last frame, in seconds."""
    return max(((len(actor.clip) - 1) / actor.clip.fps for actor in document.actors), default=0.0)


def clock_of(document: Document, active: str, range_s: Span | None = None) -> Clock:
    """The clock in the frames of the active actor or, if that one does not move, of the one who moves longest."""
    actors = moving(document)
    if not actors:
        return Clock()
    mine = next((actor for actor in actors if actor.id == active), None)
    lead = mine or max(actors, key=lambda actor: (len(actor.clip) - 1) / actor.clip.fps)
    fps = lead.clip.fps
    frames = int(length_s(document) * fps + 1e-6) + 1
    whole = Clock(lead.id, fps, frames, 0, frames - 1)
    if range_s is None:
        return whole
    first, last = (whole.frame(time_s) for time_s in range_s)
    return Clock(lead.id, fps, frames, first, last)


def frames_at(document: Document, time_s: float) -> Mapping[str, int]:
    """Each actor's frame nearest to a time; the first or the last of a clip that does not reach it."""
    return {a.id: min(max(round(time_s * a.clip.fps), 0), len(a.clip) - 1) for a in document.actors}


def time_of(actor: Actor, frame: int) -> float:
    """The time of a frame of an actor's clip, in seconds; one beyond the clip counts as its first or last."""
    return min(max(frame, 0), len(actor.clip) - 1) / actor.clip.fps


def frames_to_show(before: Document, after: Document, back_to: Mapping[str, int]) -> Mapping[str, int]:
    """The frames to look at those an edit changed at, after it. back_to: the frames where an undone step was made."""
    old, told = {actor.id: actor for actor in before.actors}, {**after.frames, **back_to}
    return {actor.id: told.get(actor.id, 0) for actor in after.actors if old.get(actor.id) is not actor}


def frames_after_edit(
    old: Document, document: Document, told: Mapping[str, int], before: Mapping[str, int], time_s: float, active: str
) -> tuple[Mapping[str, int], float]:
    """The frames to look at and the time after an edit changed the old document into this one.

    told: the frames of those who changed, as the edit says. before: the frames looked at until now. An edit that is
    undone or done elsewhere takes the clock along to where it was made; the active actor's frame comes first. With
    another rate the clock goes to where the frame now is; in a clip of another length the frame goes to the clock.
    """
    clips = {actor.id: actor.clip for actor in old.actors}
    was = {actor.id: clips.get(actor.id, actor.clip) for actor in document.actors}
    goes = [
        actor
        for actor in moving(document)
        if told.get(actor.id, before.get(actor.id)) != before.get(actor.id) or was[actor.id].fps != actor.clip.fps
    ]
    if goes:
        lead = min(goes, key=lambda actor: actor.id != active)
        time_s = told[lead.id] / lead.clip.fps
        return {**frames_at(document, time_s), **told}, time_s
    resized = {actor.id for actor in document.actors if len(was[actor.id]) != len(actor.clip)}
    here = {id: frame for id, frame in frames_at(document, time_s).items() if id in resized}
    return {**before, **told, **here}, time_s
