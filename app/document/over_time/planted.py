"""Feet that stay planted: where each is held, and at which frames of a clip being solved again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.between import Frames, Gap, gaps_of, layered
from app.document.model.clip import SOLVED, Key
from app.document.model.spans import Span
from solver.body.catalog import load_body
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position
from solver.kinematics.curves import curve_through, eased
from solver.kinematics.fk import WorldJoints, forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.rig.contacts import FootContact
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]
EASE_S = 0.25  # seconds before and after a contact, in which the foot comes to and leaves where it is held


class PlantedFoot(NamedTuple):
    """A foot that is held. foot, joint: role and name of its ball; ankle: the joint above it. first, last: frames of
    the contact.

    before, after: frames around it over which the shift from where it would be fades in and out. ends: (2, 3) metres,
    where the source motion has the ball in the first and in the last frame. times, places: (K,), (K, 3) metres, the
    points that its place goes through; one place unless keys move it.
    """

    foot: Role
    joint: str
    ankle: str
    first: int
    last: int
    before: int
    after: int
    ends: Array
    times: tuple[int, ...]
    places: Array

    def share(self, frame: int) -> float:
        """How much it counts at a frame: 1 in the contact, less and less around it."""
        away = max((self.first - frame) / (self.before + 1), (frame - self.last) / (self.after + 1), 0.0)
        return 1.0 - eased(away)

    def way(self, frame: int, ball: NDArray[np.floating], moved: Array) -> Array:
        """(3,) metres from where the ball would be at a frame to where it is held. ball: where the source motion has
        it. moved: how far from there effectors ask for the foot."""
        inside = min(max(frame, self.first), self.last)
        place = curve_through(self.times, self.places, [inside])[0]
        if inside != frame:
            ball = self.ends[int(frame > self.last)]
        return np.asarray(self.share(frame) * (place - ball - moved))


def planted_feet(actor: Actor, gaps: Sequence[Gap]) -> list[PlantedFoot]:
    """The feet to hold: those the source motion has planted while keys show; none where that is not asked for."""
    clip = actor.clip
    if clip.source is None or not clip.between.contacts:
        return []
    skeleton = load_body(actor.build.body).skeleton(actor.build.shape)
    wanted = filter(clip.between.holds, clip.source.contacts(actor.build.body))
    touched = [contact for contact in wanted if _meets(contact, gaps)]
    return [_planted(actor, skeleton, contact) for contact in touched]


@memoised_on_value
def missed_by(actor: Actor) -> dict[FootContact, float]:
    """How far each foot that is to be held is from its place in what is shown, in metres, where it is furthest.

    Only frames that keys change count; of feet without any, and of those still to be solved, nothing is known.
    """
    gaps, missed = gaps_of(actor.clip, actor.source), dict[FootContact, float]()
    skeleton = load_body(actor.build.body).skeleton(actor.build.shape)
    for foot in planted_feet(actor, gaps):
        far = []
        for frames, poses in _shown_within(actor, gaps, foot):
            world = forward_kinematics_batch(skeleton.parents, skeleton.offsets, *poses)
            balls = world.positions[:, skeleton.index(foot.joint)]
            off = balls - curve_through(foot.times, foot.places, frames)
            far.append(float(np.linalg.norm(off, axis=1).max()))
        if far:
            missed[FootContact(foot.foot, foot.first, foot.last)] = max(far)
    return missed


@memoised_on_value
def lifted_by(actor: Actor) -> dict[FootContact, float]:
    """How far a key raises each foot that is to be held above where the motion beneath has it, in metres, where it is
    highest. A foot that a contact of the key holds, as on a box, counts as standing."""
    lifted, keys = dict[FootContact, float](), {key.frame: key for key in actor.clip.keys}
    for foot in planted_feet(actor, gaps_of(actor.clip, actor.source)):
        placed = [(keys[frame], place) for frame, place in zip(foot.times, foot.places, strict=True) if frame in keys]
        heights = [place[1] for key, place in placed if not _on_something(key, foot)]
        if heights:
            lifted[FootContact(foot.foot, foot.first, foot.last)] = float(max(heights) - foot.ends[:, 1].max())
    return lifted


def _shown_within(actor: Actor, gaps: Sequence[Gap], foot: PlantedFoot) -> Iterator[tuple[Frames, Poses]]:
    """Frames of a contact that keys change, with the poses shown there; none that are still to be solved."""
    solved = actor.clip.between.by == SOLVED
    for part in actor.spans() if solved else gaps:
        frames = np.arange(max(foot.first, part.first), min(foot.last, part.last) + 1)
        if not len(frames):
            continue
        if isinstance(part, Span):
            yield frames, Poses(part.roots[frames - part.first], part.rotations[frames - part.first])
        else:
            yield frames, layered(actor.clip, part, frames, actor.source)


def held(
    effectors: Sequence[Effector], feet: Sequence[PlantedFoot], frame: int, skeleton: Skeleton, world: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors of a frame with those that hold its planted feet. world: the joints of the motion beneath.

    A foot comes along as a whole: what asks for its ankle's place is moved as its ball is.
    """
    result = list(effectors)
    for foot in feet:
        share = foot.share(frame)
        if share <= 0.0:
            continue
        asked = [e for e in result if isinstance(e, PointEffector) and e.joint == foot.ankle]
        moved = sum((e.target - e.held_at(skeleton, world) for e in asked[:1]), np.zeros(3))
        ball = world.positions[skeleton.index(foot.joint)]
        way = foot.way(frame, ball, moved)
        ball = ball + moved
        result = [replace(e, target=(e.target + way).astype(np.float32)) if e in asked else e for e in result]
        result.append(
            Position(
                foot.joint, (ball + way).astype(np.float32), tolerance=1.0 - share, pinned=share == 1.0, id="planted"
            )
        )
    return tuple(result)


def _on_something(key: Key, foot: PlantedFoot) -> bool:
    joints = foot.joint, foot.ankle
    return any(isinstance(e, Contact) and e.is_active and e.joint in joints for e in key.effectors)


def _meets(contact: FootContact, gaps: Sequence[Gap]) -> bool:
    return any(contact.first <= gap.last + 1 and contact.last >= gap.first - 1 for gap in gaps)


def _planted(actor: Actor, skeleton: Skeleton, contact: FootContact) -> PlantedFoot:
    clip, rig = actor.clip, rig_of(skeleton)
    leg = next(leg for leg in LEGS if leg.tip == contact.foot)
    j = skeleton.index(rig.name(leg.tip))
    ease = max(1, round(EASE_S * clip.fps))
    outside = [contact.first - key.frame for key in clip.keys], [key.frame - contact.last for key in clip.keys]
    before, after = (min([ease, *(away - 1 for away in side if away > 0)]) for side in outside)
    keys = [key for key in clip.keys if contact.first <= key.frame <= contact.last]
    middle = (contact.first + contact.last) // 2
    source = actor.source(np.array([contact.first, contact.last, middle]))
    poses = [Pose(root, rotations) for root, rotations in zip(*source, strict=True)]
    first, last, mid = (forward_kinematics(skeleton, pose).positions[j].astype(np.float64) for pose in poses)
    keyed = [forward_kinematics(skeleton, key.pose).positions[j].astype(np.float64) for key in keys]
    return PlantedFoot(
        leg.tip,
        rig.name(leg.tip),
        rig.name(leg.end),
        contact.first,
        contact.last,
        before,
        after,
        np.stack([first, last]),
        tuple(key.frame for key in keys) or (middle,),
        np.stack(keyed or [mid]),
    )
