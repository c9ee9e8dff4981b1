"""Spans: in-betweens that were solved. They belong to what they were made of and are never shown for anything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from solver.ik.options import SOLID_FLOOR
from solver.kinematics.pose import Pose
from solver.values import FloatArray

if TYPE_CHECKING:
    from app.document.model.actor import Actor
    from app.document.model.clip import Key


class SpanInputs(NamedTuple):
    """What solved poses depend on. things: what keys hold and a motion, compared by identity. settings: values,
    compared as such."""

    things: tuple[object, ...]
    settings: tuple[object, ...]

    def is_as(self, other: SpanInputs) -> bool:
        """Whether something made of these would be the same made of others."""
        return (
            len(self.things) == len(other.things)
            and all(a is b for a, b in zip(self.things, other.things, strict=True))
            and self.settings == other.settings
        )


@dataclass(frozen=True, eq=False)
class Span:
    """Solved poses of frames in one gap, in the clip's own space. first: the frame of the first of them.

    roots: (N, 3) metres. rotations: (N, J, 3, 3). made_of: see `span_inputs`. beside: the same for each of the people
    they go along with, and values that are compared.
    """

    first: int
    roots: FloatArray = field(repr=False)
    rotations: FloatArray = field(repr=False)
    made_of: SpanInputs = field(repr=False)
    beside: tuple[tuple[SpanInputs, tuple[object, ...]], ...] = field(default=(), repr=False)

    @property
    def last(self) -> int:
        """The frame of its last pose."""
        return self.first + len(self.roots) - 1

    @property
    def bytes(self) -> int:
        """How much memory its poses take."""
        return self.roots.nbytes + self.rotations.nbytes

    def pose(self, frame: int) -> Pose:
        """The pose of a frame within it."""
        return Pose(self.roots[frame - self.first], self.rotations[frame - self.first])

    def is_of(self, made_of: SpanInputs) -> bool:
        """Whether it was made of just this."""
        return self.made_of.is_as(made_of)

    def goes_along(self, beside: Sequence[tuple[SpanInputs, tuple[object, ...]]]) -> bool:
        """Whether the people it goes along with are as they were."""
        return len(self.beside) == len(beside) and all(
            was.is_as(now) and before == after for (was, before), (now, after) in zip(self.beside, beside, strict=True)
        )


def span_inputs(actor: Actor, around: Sequence[Key | None]) -> SpanInputs:
    """All that the solved poses of a gap depend on. around: the two keys before it and the two behind it."""
    clip = actor.clip
    keys = clip.keys if clip.between.contacts else ()  # whether a foot is held may depend on a key far away
    things = (part for key in (*around, *keys) for part in _parts(actor, key))
    source = clip.source and (clip.source.motion, clip.source.shape)
    frames = tuple(key and key.frame for key in (*around, *keys))
    height = clip.placement.shift[1] if SOLID_FLOOR.of(actor.posing.solver_options) else None  # above the floor
    stride = clip.source and clip.source.stride
    settings = (clip.between, clip.fps, stride, actor.build, actor.posing, frames, height)
    return SpanInputs((*(source or ()), *things), settings)


def _parts(actor: Actor, key: Key | None) -> tuple[object, ...]:
    """The parts of a key that poses are solved for; fingers count where they may touch something solid."""
    if key is None:
        return (None,)
    pressing = SOLID_FLOOR.of(actor.posing.solver_options)
    return key.pose, key.base_pose, key.effectors, key.preserve, key.hands if pressing else None


def span_at(spans: Iterable[Span], frame: int, made_of: SpanInputs) -> Span | None:
    """The span that shows a frame, if there is one made of this."""
    return next((span for span in spans if span.first <= frame <= span.last and span.is_of(made_of)), None)
