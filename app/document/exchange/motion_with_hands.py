"""Motions of files with any fingers they have, on a body that may have fingers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.fingers import has_fingers
from solver.body.hands import HandMotion, Hands
from solver.formats.bvh.file import BvhFile
from solver.formats.motion_report import MotionReport
from solver.formats.smpl.npz import SmplFile
from solver.kinematics.pose import Motion

if TYPE_CHECKING:
    from solver.estimates.joint_films import JointFilm

Progress = Callable[[float, str], None]
_LOOKED_AT = 60  # frames by which the floor of a motion is found that has none
_LOW = 0.1  # share of these whose feet may be lower: estimates tremble


class MotionWithHands(NamedTuple):
    """hands: one way or frame by frame; None where the file, or the body, has no fingers, or nobody has posed them."""

    motion: Motion
    report: MotionReport
    hands: Hands | HandMotion | None


OnBody = Callable[[Body, BodyShape], MotionWithHands]


def bvh_motion(bvh: BvhFile, drawn: bool = False) -> OnBody:
    """A BVH file's motion on a body of some shape, fingers included. drawn: with the file's own skin, so that fingers
    stand as that shows them, posed or not."""
    from solver.formats.bvh.fingers import bvh_hands, finger_joints
    from solver.formats.bvh.motion import to_motion

    def on(body: Body, shape: BodyShape) -> MotionWithHands:
        skeleton = body.skeleton(shape)
        fingers = frozenset(finger_joints(bvh).values()) if has_fingers(body) else frozenset[int]()
        hands = bvh_hands(bvh, body.whole_rig(shape), drawn) if fingers else None
        motion, report = to_motion(bvh, skeleton, fingers if hands is not None else ())
        names = {bvh.names[joint] for joint in fingers}
        others = tuple(name for name in report.ignored if name not in names)
        return MotionWithHands(motion, replace(report, ignored=others), hands)

    return on


def smpl_motion(file: SmplFile) -> OnBody:
    """An SMPL motion on a body of some shape, fingers included."""
    from solver.formats.smpl.motion import smpl_hands, smpl_to_motion

    def on(body: Body, shape: BodyShape) -> MotionWithHands:
        hands = smpl_hands(file) if has_fingers(body) else None
        motion, report = smpl_to_motion(file, body.skeleton(shape), hands is not None)
        if not file.has_floor:
            motion = _raised(motion, -ground_of(motion, body, shape))
        return MotionWithHands(motion, report, hands)

    return on


def joint_motion(film: JointFilm, progress: Progress | None = None) -> OnBody:
    """A film of joints on a body of some shape, with its feet on the floor; hands are as they are."""
    from solver.estimates.joints_to_motion import film_to_motion

    def on(body: Body, shape: BodyShape) -> MotionWithHands:
        motion, report = film_to_motion(film, body, shape, progress)
        return MotionWithHands(_raised(motion, -ground_of(motion, body, shape)), report, None)

    return on


def _raised(motion: Motion, metres: float) -> Motion:
    """The motion higher up by that much."""
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, metres, 0.0], np.float32))


def ground_of(motion: Motion, body: Body, shape: BodyShape) -> float:
    """Metres: the height of the floor that the skin mostly touches at its lowest, over some frames of a motion."""
    from solver.body.floor import lowest_point

    frames = np.unique(np.linspace(0, len(motion) - 1, min(len(motion), _LOOKED_AT)).astype(int))
    return float(np.quantile([lowest_point(body, shape, motion.pose(int(f))) for f in frames], _LOW))
