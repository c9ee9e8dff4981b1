"""Motions of files with any fingers they have, on a body that may have fingers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from solver.body.body import Body, BodyShape
from solver.body.fingers import has_fingers
from solver.body.hands import HandMotion, Hands
from solver.formats.bvh.file import BvhFile
from solver.formats.motion_report import MotionReport
from solver.formats.smpl.npz import SmplFile
from solver.kinematics.pose import Motion


class MotionWithHands(NamedTuple):
    """hands: one way or frame by frame; None where the file, or the body, has no fingers."""

    motion: Motion
    report: MotionReport
    hands: Hands | HandMotion | None


OnBody = Callable[[Body, BodyShape], MotionWithHands]


def bvh_motion(bvh: BvhFile) -> OnBody:
    """A BVH file's motion on a body of some shape, fingers included."""
    from solver.formats.bvh.fingers import bvh_hands, finger_joints
    from solver.formats.bvh.motion import to_motion

    def on(body: Body, shape: BodyShape) -> MotionWithHands:
        skeleton = body.skeleton(shape)
        hands = bvh_hands(bvh, body.whole_rig(shape)) if has_fingers(body) else None
        fingers = finger_joints(bvh).values() if hands is not None else ()
        return MotionWithHands(*to_motion(bvh, skeleton, frozenset(fingers)), hands)

    return on


def smpl_motion(file: SmplFile) -> OnBody:
    """An SMPL motion on a body of some shape, fingers included."""
    from solver.formats.smpl.motion import smpl_hands, smpl_to_motion

    def on(body: Body, shape: BodyShape) -> MotionWithHands:
        hands = smpl_hands(file) if has_fingers(body) else None
        return MotionWithHands(*smpl_to_motion(file, body.skeleton(shape), hands is not None), hands)

    return on
