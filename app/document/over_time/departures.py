"""How far effectors and poses depart from a source motion: taken at one frame, applied at another.

Places depart by a shift in the clip's space, rotations by a turn in the joint's own frame. A departure of zero means
the source motion itself: the joint where it is, turned as it is, looking where it looks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.clip import Key
from app.document.model.finger_curve import added_at
from app.document.model.hand_effectors import regripped
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector, TurnEffector
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import nearest_rotation
from solver.kinematics.skeleton import Skeleton

Array = NDArray[np.floating]


def departure(effector: Effector, skeleton: Skeleton, world: WorldJoints) -> Array:
    """How far an effector's target departs from joints `world`: (3, 3) a turn, or (4,) metres, of which the last is how
    far away a target to look at is."""
    there = effector.at_pose(skeleton, world).target
    if isinstance(effector, TurnEffector):
        return np.asarray(there.T @ effector.target)
    away = 0.0
    if isinstance(effector, AimEffector):
        away = float(np.linalg.norm(effector.target - world.positions[skeleton.index(effector.joint)]))
    return np.append(effector.target - there, away)


def departed(effector: Effector, skeleton: Skeleton, world: WorldJoints, by: Array) -> Effector:
    """The effector with its target at the departure `by` from joints `world`."""
    if isinstance(effector, TurnEffector):
        turned = nearest_rotation(effector.at_pose(skeleton, world).target @ by).astype(np.float32)
        return replace(effector, target=turned)
    if isinstance(effector, AimEffector):
        j = skeleton.index(effector.joint)
        there = world.positions[j] + by[3] * (world.rotations[j] @ effector.local_axis)
        return replace(effector, target=there + by[:3])
    return replace(effector, target=(effector.at_pose(skeleton, world).target + by[:3]).astype(np.float32))


def carried_key(actor: Actor, key: Key, frame: int, onto: Actor | None = None) -> Key:
    """A key taken to another frame, where it adds the same to the source motion; without one it stays as it was.
    onto: the actor with another source motion, if the frame is one of that.

    Its effectors depart there as they did, so the pose has to be solved if they ask for something.
    """
    if actor.clip.source is None or (frame == key.frame and onto is None):
        return replace(key, frame=frame)
    onto = onto or actor
    here, there = (
        Pose(roots[0], rotations[0])
        for roots, rotations in (actor.source(np.array([key.frame])), onto.source(np.array([frame])))
    )
    skeleton = load_body(actor.build.body).skeleton(actor.build.shape)
    before, after = forward_kinematics(skeleton, here), forward_kinematics(skeleton, there)

    def carried(pose: Pose) -> Pose:
        turned = there.rotations @ np.swapaxes(here.rotations, -1, -2) @ pose.rotations
        root = there.root_position + pose.root_position - here.root_position
        return there if pose == here else Pose(root, turned.astype(np.float32))

    pose = carried(key.pose)
    shown = forward_kinematics(skeleton, pose)

    def along(effector: Effector) -> Effector:
        if effector.loose:
            return effector.at_pose(skeleton, shown, forward_kinematics(skeleton, key.pose))
        return departed(effector, skeleton, after, departure(effector, skeleton, before))

    base = pose if key.base_pose is key.pose else carried(key.base_pose)
    effectors, hands = tuple(map(along, key.effectors)), added_at(actor.clip, key, frame, onto.clip)
    if hands != key.hands:
        body, shape = load_body(actor.build.body), actor.build.shape
        effectors = regripped(effectors, body, shape, key.hands, hands)
    return replace(key, frame=frame, pose=pose, base_pose=base, effectors=effectors, hands=hands)
