"""An actor: one person of the document over all time. Who it is, its build, how it is posed, and its clip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.document.model.between import Frames, gaps_of, layered, pose_at
from app.document.model.character import Character
from app.document.model.clip import EMPTY, SOLVED, Clip, Key, SourceMotion
from app.document.model.finger_curve import hands_at
from app.document.model.placement import HERE, Placement
from app.document.model.spans import Span, SpanInputs, span_at, span_inputs
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import sole_heights
from solver.effectors.effector import Effector
from solver.ik.options import NO_OPTIONS, Options
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose, Poses
from solver.memoise import memoised
from solver.solvers.catalog import DEFAULT_SOLVER
from solver.values import FloatArray, read_only

if TYPE_CHECKING:
    from app.document.model.own_skin import OwnSkin
    from solver.photo.sighting import Sighting

PLACED = 64  # sets of effectors, and base poses, that are kept as they are in the world
_SHOWN = "_shown"  # beside an actor's fields: the character read last


@dataclass(frozen=True)
class Identity:
    """Who an actor is and how it looks. sighting: what networks saw of it in a photo, if it comes from one.
    own_skin: of the user's own character whom its body poses, if any.

    extra: keys of a newer or foreign file, kept for the next save.
    """

    id: str
    name: str
    color: str = Character.color
    visible: bool = True
    locked: bool = False
    sighting: Sighting | None = None
    own_skin: OwnSkin | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)


_IDENTITY = tuple(each.name for each in fields(Identity))


@dataclass(frozen=True)
class Build:
    """An actor's body, by the id of its model, and its shape."""

    body: str = "anny"
    shape: BodyShape = field(default_factory=BodyShape)


@dataclass(frozen=True)
class Posing:
    """How an actor is posed: its solver, and the solver options that the user has set, by their ids."""

    solver: str = DEFAULT_SOLVER
    solver_options: Options = field(default_factory=lambda: NO_OPTIONS)


@dataclass(frozen=True)
class Actor:
    """One person of the document, apart from time."""

    identity: Identity
    build: Build
    posing: Posing
    clip: Clip

    @property
    def id(self) -> str:
        """Names the actor within its document."""
        return self.identity.id

    def at(self, frame: int = 0) -> Character:
        """The character at a frame, clipped to the clip's length; the same object when asked again for that frame."""
        frame = min(max(int(frame), 0), len(self.clip) - 1)
        shown: Character | None = self.__dict__.get(_SHOWN)
        if shown is None or shown.frame != frame:
            shown = self.__dict__[_SHOWN] = self._read(frame)
        return shown

    def motion(self) -> Motion | None:
        """The whole motion in the world as shown, with all keys and what is between them; None for a still pose."""
        clip, source = self.clip, self.clip.source
        if len(clip.keys) == 1 and source is None and not self.spans():
            return None
        if source is not None and self._shows_only(source):
            return clip.placement.motion(source.motion)
        roots, rotations = self.poses(np.arange(len(clip)))
        read_only(roots, rotations)
        return clip.placement.motion(Motion(roots, rotations, clip.fps))

    def poses(self, frames: Frames) -> Poses:
        """What is shown at frames, which are in order, with all keys and what is between them, in the clip's own
        space."""
        clip, read = self.clip, self.source
        if clip.source is not None:
            roots, rotations = read(frames)
        else:
            roots, rotations = Poses.of([clip.nearest(int(frame)).pose for frame in frames])
        roots, rotations = np.array(roots), np.array(rotations)
        for gap in gaps_of(clip, read):
            part = slice(*np.searchsorted(frames, (gap.first, gap.last + 1)))
            if part.start < part.stop:
                roots[part], rotations[part] = layered(clip, gap, frames[part], read)
        for span in self.spans():
            part = slice(*np.searchsorted(frames, (span.first, span.last + 1)))
            there = frames[part] - span.first
            roots[part], rotations[part] = span.roots[there], span.rotations[there]
        keyed = np.array([key.frame for key in clip.keys])
        for place in np.flatnonzero(np.isin(frames, keyed)):
            pose = clip.keys[np.searchsorted(keyed, frames[place])].pose
            roots[place], rotations[place] = pose.root_position, pose.rotations
        return Poses(roots, rotations)

    def _shows_only(self, source: SourceMotion) -> bool:
        """Whether what is shown is the source motion just as it came."""
        if source.stride != 1.0 or source.shape != self.build.shape:
            return False
        there = all(key.pose == source.motion.pose(key.frame) for key in self.clip.keys)
        return there and not gaps_of(self.clip, self.source) and not self.spans()

    def source(self, frames: Frames) -> Poses:
        """The source motion at frames, in the clip's own space, as it is on the actor's body."""
        source = self.clip.source
        assert source is not None
        roots, rotations = source.path[frames], source.motion.rotations[frames]
        lifts = self._lifts(frames)
        return Poses(roots if lifts is None else roots + lifts, rotations)

    def key_at(self, frame: int) -> Key:
        """What is posed at a frame, in the clip's own space: the key there, or what a key there would begin with."""
        clip = self.clip
        key = clip.key(frame)
        if key is not None:
            return key
        near = self._nearest(frame)
        pose = self._in_between(frame) or pose_at(clip, frame, self.source)
        if pose is near.pose:
            return replace(near, frame=frame, extra=EMPTY)
        base = pose
        if clip.source is not None:
            roots, rotations = self.source(np.array([frame]))
            below = Pose(roots[0], rotations[0])
            base = pose if pose == below else below
        skeleton = load_body(self.build.body).skeleton(self.build.shape)
        before, after = forward_kinematics(skeleton, near.pose), forward_kinematics(skeleton, pose)
        effectors = tuple(effector.at_pose(skeleton, after, before) for effector in near.effectors)
        return Key(frame, pose, base, effectors, near.preserve, hands=near.hands)

    def _nearest(self, frame: int) -> Key:
        """The key nearest to a frame, with the fingers as held at the frame, and the points of them effectors hold."""
        near, hands = self.clip.nearest(frame), hands_at(self.clip, frame)
        if hands is near.hands:
            return near
        from app.document.model.hand_effectors import regripped  # not needed to show the window

        held = regripped(near.effectors, load_body(self.build.body), self.build.shape, near.hands, hands)
        return replace(near, hands=hands, effectors=held)

    def spans(self) -> list[Span]:
        """The solved in-betweens that belong to the clip as it is now."""
        if self.clip.between.by != SOLVED:
            return []
        return [span for span in self.clip.solved if span.is_of(self._made_of(span.first))]

    def with_spans(self, spans: tuple[Span, ...]) -> Actor:
        """The actor showing these in-betweens."""
        return replace(self, clip=replace(self.clip, solved=spans))

    def _in_between(self, frame: int) -> Pose | None:
        """The solved pose of a frame without a key; None where there is none, or none that still belongs."""
        if not self.clip.solved or self.clip.between.by != SOLVED:
            return None
        span = span_at(self.clip.solved, frame, self._made_of(frame))
        return span.pose(frame) if span else None

    def _made_of(self, frame: int) -> SpanInputs:
        return span_inputs(self, self.clip.around(frame))

    def _read(self, frame: int) -> Character:
        key, place = self.key_at(frame), self.clip.placement
        pose = place.pose(key.pose)
        return Character(
            pose=pose,
            base_pose=pose if key.base_pose is key.pose else _placed_base(place, key.base_pose),
            effectors=key.effectors if place == HERE else _placed(place, key.effectors),
            preserve=key.preserve,
            hands=key.hands,
            clip=self.clip,
            frame=frame,
            **vars(self.identity),
            body=self.build.body,
            shape=self.build.shape,
            solver=self.posing.solver,
            solver_options=self.posing.solver_options,
        )

    def _lifts(self, frames: Frames) -> FloatArray | None:
        """(N, 3) metres by which the source's frames are lifted so that the soles are as high as on the body it was
        made for; None where they need no lift."""
        source, shape = self.clip.source, self.build.shape
        if source is None or source.shape == shape:
            return None
        body, motion = load_body(self.build.body), source.motion
        poses = motion.root_positions[frames], motion.rotations[frames]
        lifts = np.zeros((len(frames), 3), np.float32)
        lifts[:, 1] = sole_heights(body, source.shape, *poses) - sole_heights(body, shape, *poses)
        return lifts


@memoised(most=PLACED, by_identity=True)
def _placed(place: Placement, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """A key's effectors in the world; the same ones again for the next pose, which is then told apart by that alone."""
    return tuple(map(place.effector, effectors))


@memoised(most=PLACED, by_identity=True)
def _placed_base(place: Placement, base_pose: Pose) -> Pose:
    """A key's base pose in the world; the same object again, by which solvers remember what they know of it."""
    return place.pose(base_pose)


def actor_of(character: Character) -> Actor:
    """The actor behind a character: where the character differs from its clip, a key is set at its frame."""
    actor = Actor(
        Identity(**{each: getattr(character, each) for each in _IDENTITY}),
        Build(character.body, character.shape),
        Posing(character.solver, character.solver_options),
        character.clip,
    )
    shown = actor.at(character.frame)
    if (
        character.pose == shown.pose
        and character.base_pose == shown.base_pose
        and character.effectors == shown.effectors
        and character.preserve == shown.preserve
        and character.hands == shown.hands
    ):
        return actor
    return replace(actor, clip=actor.clip.with_key(_key_of(character, shown, actor.key_at(shown.frame))))


def with_clip(character: Character, clip: Clip, frame: int = 0) -> Character:
    """The character with another clip, as it is at one of its frames."""
    return replace(actor_of(character), clip=clip).at(frame)


def _key_of(character: Character, shown: Character, key: Key) -> Key:
    """The key for a changed character. What did not change stays as it is in the clip, to the last digit."""
    back = character.clip.placement.inverse
    kept = {there.id: (there, mine) for there, mine in zip(shown.effectors, key.effectors, strict=True)}

    def effector(changed: Effector) -> Effector:
        there, mine = kept.get(changed.id, (None, changed))
        return mine if changed == there else back.effector(changed)

    pose = key.pose if character.pose == shown.pose else back.pose(character.pose)
    same = character.base_pose == character.pose
    base = key.base_pose if character.base_pose == shown.base_pose else pose if same else back.pose(character.base_pose)
    same_effectors = character.effectors == shown.effectors
    return replace(
        key,
        pose=pose,
        base_pose=base,
        effectors=key.effectors if same_effectors else tuple(map(effector, character.effectors)),
        preserve=character.preserve,
        hands=key.hands if character.hands == shown.hands else character.hands,
    )
