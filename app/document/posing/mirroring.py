"""A character mirrored about its own middle: it stays where it is and faces where it faced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import atan2

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import actor_of, with_clip
from app.document.model.clip import Key
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from solver.effectors.effector import Effector
from solver.effectors.sources import SkinSource
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.pose import Pose
from solver.kinematics.rigid_motion import RigidMotion
from solver.rig.contacts import FootContact
from solver.rig.mirroring import mirror_motion, mirror_pose
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS


def heading(rotation: NDArray[np.floating]) -> float:
    """The turn about the vertical within a (3, 3) world rotation, radians: 0 faces +Z, positive turns to +X."""
    (xx, _, xz), _, (zx, _, zz) = rotation.tolist()
    return atan2(xz - zx, xx + zz)


def middle_plane(pose: Pose) -> MirrorPlane:
    """The vertical mirror through the pelvis along its heading."""
    angle = heading(pose.rotations[0])
    normal = np.array([np.cos(angle), 0.0, -np.sin(angle)])  # the heading's left
    return MirrorPlane.across(normal, pose.root_position.astype(np.float64))


def mirrored(character: Character) -> Character:
    """Every key and the motion with left and right exchanged, kept joints included; twice gives back the original.

    The mirror is the vertical plane through the pelvis along its heading, both as they are at the character's frame.
    No body is quite symmetric, so targets are shifted by the few millimetres that keep met effectors met.
    """
    actor = actor_of(character)
    clip, shown = actor.clip, actor.key_at(character.frame).pose  # in the clip's own space, wherever it is placed
    plane = middle_plane(shown)
    skeleton = skeleton_of(character)
    rig = rig_of(skeleton)

    def effectors(k: Key, pose: Pose) -> Iterator[Effector]:
        before, after = forward_kinematics(skeleton, k.pose), forward_kinematics(skeleton, pose)
        for effector in k.effectors:
            seen = effector.mirrored(plane, rig.mirrored_name(effector.joint))
            gap = seen.held_at(skeleton, after) - plane.points(effector.held_at(skeleton, before))
            yield _on_own_skin(seen.moved_by(RigidMotion.move(gap)), after)

    def _on_own_skin(effector: Effector, world: WorldJoints) -> Effector:
        if not isinstance(effector.source, SkinSource):
            return effector
        from app.document.posing.contact_patches import seen_in_mirror  # not needed to show the window

        return seen_in_mirror(character, effector, world)

    def key(k: Key) -> Key:
        pose = mirror_pose(skeleton, k.pose, plane)
        kept = (k.preserve.place, k.preserve.shape)
        place, shape = (frozenset(map(rig.mirrored_name, joints)) for joints in kept)
        return replace(
            k,
            pose=pose,
            base_pose=mirror_pose(skeleton, k.base_pose, plane),
            effectors=tuple(effectors(k, pose)),
            preserve=replace(k.preserve, place=place, shape=shape),
            hands=k.hands and k.hands.mirrored(),
        )

    source = clip.source and replace(
        clip.source,
        motion=mirror_motion(skeleton, clip.source.motion, plane),
        hands=clip.source.hands and clip.source.hands.mirrored(),
        footings=_seen(clip.source.footings),
    )
    between = replace(clip.between, free_left=clip.between.free_right, free_right=clip.between.free_left)
    flipped = replace(clip, keys=tuple(key(k) for k in clip.keys), source=source, between=between)
    return with_clip(character, flipped, character.frame)


def _seen(footings: tuple[FootContact, ...] | None) -> tuple[FootContact, ...] | None:
    """Planted feet with left and right exchanged, the left foot's first as before."""
    if footings is None:
        return None
    seen = (each._replace(foot=each.foot.mirrored) for each in footings)
    return tuple(sorted(seen, key=lambda each: each.foot != LEGS[0].tip))
