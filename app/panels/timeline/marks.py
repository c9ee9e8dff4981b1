"""What a timeline shows of a document: frames of keys on the clock that all share."""

from __future__ import annotations

from dataclasses import dataclass

from app.document.model.actor import Actor
from app.document.model.between import gaps_of
from app.document.model.document import Document
from app.services.clock import Clock, moving


@dataclass(frozen=True)
class Marks:
    """What there is to see, in frames of the clock.

    name, color: of the active person. keys: of the active person, by the frames of their clip, in order: on the clock.
    others: where other people have keys. extent: the first and the last frame of the active person's clip. moves:
    whether that clip has a source motion. rate: frames of that clip in one of the clock. reach: from where to where
    keys show besides where they are.
    """

    name: str = ""
    color: str = ""
    keys: tuple[tuple[int, float], ...] = ()
    others: tuple[float, ...] = ()
    extent: tuple[float, float] = (0.0, 0.0)
    moves: bool = False
    rate: float = 1.0
    reach: tuple[tuple[float, float], ...] = ()


def marks_of(document: Document, active: str, clock: Clock) -> Marks:
    """The marks of a document as the active person's timeline shows them."""
    mine = next((actor for actor in document.actors if actor.id == active), None)
    others = {place for actor in moving(document) if actor is not mine for place in _on(actor, clock)}
    if mine is None:
        return Marks(others=tuple(sorted(others)))
    frames = (key.frame for key in mine.clip.keys)
    scale, moves = clock.fps / mine.clip.fps, mine.clip.source is not None
    return Marks(
        mine.identity.name,
        mine.identity.color,
        tuple(zip(frames, _on(mine, clock), strict=True)),
        tuple(sorted(others)),
        (0.0, (len(mine.clip) - 1) * scale),
        moves,
        mine.clip.fps / clock.fps,
        tuple((g.first * scale, g.last * scale) for g in gaps_of(mine.clip, mine.source if moves else None)),
    )


def _on(actor: Actor, clock: Clock) -> tuple[float, ...]:
    return tuple(key.frame * clock.fps / actor.clip.fps for key in actor.clip.keys)
