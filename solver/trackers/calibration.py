"""From one moment in which the wearer stands upright: the wearer's height, and how each tracker sits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from solver.errors import PoserError
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.trackers.attachment import Attachments, Calibration, Mount
from solver.trackers.outlier_filter import OutlierFilter
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.stances import Stance, stances
from solver.trackers.standing_wearer import FLAT, Array, eye_height, position_of, yaw_of, yaw_rotation

STATURE = 1.07  # a body's height divided by that of its eyes
LOWEST_M, HIGHEST_M = 0.7, 2.3  # of a headset on somebody who stands
FAR_M = 0.35  # a tracker farther from its joint is worn elsewhere


class _Placed(NamedTuple):
    """A stance laid over trackers. turn: (3, 3) about the vertical. shift: (3,) metres. away: mean distance, metres."""

    stance: Stance
    turn: Array
    shift: Array
    away: float

    def places(self, joints: Sequence[int]) -> Array:
        """(N, 3) where it has these joints."""
        return np.asarray(self.stance.world.positions[list(joints)] @ self.turn.T + self.shift)


def calibrate(sample: TrackerSample, attachments: Attachments, skeleton: Skeleton) -> Calibration:
    """How trackers sit on a wearer who stands in one of `stances`, and how tall the wearer is.

    Raises PoserError if the sample cannot be of somebody standing.
    """
    rig = rig_of(skeleton)
    readings = {
        name: reading
        for name, reading in OutlierFilter().filtered(sample).readings.items()
        if joint_of_tracker(attachments, name)
    }
    if not any(reading.position is not None for reading in readings.values()):
        raise PoserError("No tracker on a joint says where it is. Put trackers on joints first, and let them be seen.")
    head = next((name for name in readings if rig.role_of(attachments[name].joint) == Role.HEAD), "")
    at_head = readings[head].position if head else None
    scale = height = 0.0
    if at_head is not None:
        eyes = float(at_head[1])
        if not LOWEST_M < eyes < HIGHEST_M:
            raise PoserError(
                f"The head's tracker is {100 * eyes:.0f} cm above the floor. Set the floor of your tracking system to "
                "y = 0, stand upright, and calibrate again."
            )
        height = eyes * STATURE
        scale = eye_height(skeleton) / eyes
    scaled = {name: (scale or 1.0) * position_of(r) for name, r in readings.items() if r.position is not None}
    laid = min((_laid(stance, scaled, attachments, readings, head, skeleton) for stance in stances(skeleton)),
               key=lambda each: each.away)  # fmt: skip
    mounts = {name: _mount(name, reading, scaled, attachments, laid, skeleton) for name, reading in readings.items()}
    return Calibration(mounts, scale or 1.0, height, laid.stance.title)


def joint_of_tracker(attachments: Attachments, name: str) -> str:
    """The joint that a tracker is on, "" for none."""
    return attachments[name].joint if name in attachments else ""


def _laid(
    stance: Stance, places: Mapping[str, Array], attachments: Attachments, readings: Mapping[str, Reading], head: str,
    skeleton: Skeleton,
) -> _Placed:  # fmt: skip
    """The stance turned and shifted over the floor so that its joints lie best over the trackers."""
    joints = stance.world.positions[[skeleton.index(attachments[name].joint) for name in places]].astype(np.float64)
    want = np.array(list(places.values()))
    have, there = joints - joints.mean(axis=0), want - want.mean(axis=0)
    cross = float((have[:, 2] * there[:, 0] - have[:, 0] * there[:, 2]).sum())
    along = float((have[:, 0] * there[:, 0] + have[:, 2] * there[:, 2]).sum())
    angle = np.arctan2(cross, along) if np.hypot(cross, along) > FLAT else yaw_of(readings.get(head)) or 0.0
    turn = yaw_rotation(float(angle))
    shift = want.mean(axis=0) - turn @ joints.mean(axis=0)
    shift[1] = 0.0  # both stand on the floor
    away = float(np.linalg.norm(joints @ turn.T + shift - want, axis=1).mean())
    return _Placed(stance, turn, shift, away)


def _mount(
    name: str,
    reading: Reading,
    places: Mapping[str, Array],
    attachments: Attachments,
    laid: _Placed,
    skeleton: Skeleton,
) -> Mount:
    joint = skeleton.index(attachments[name].joint)
    frame = laid.turn @ laid.stance.world.rotations[joint]
    offset = frame.T @ (places[name] - laid.places([joint])[0]) if name in places else np.zeros(3)
    turn = np.eye(3) if reading.rotation is None else frame.T @ reading.rotation
    return Mount(offset.astype(np.float32), turn.astype(np.float32))


def misplaced_trackers(calibration: Calibration, attachments: Attachments) -> dict[str, float]:
    """Trackers that sit far from their joint, and how far, metres: worn elsewhere, or calibrated in another stance."""
    away = {
        name: float(np.linalg.norm(mount.offset)) for name, mount in calibration.mounts.items() if name in attachments
    }
    return {name: distance for name, distance in away.items() if distance > FAR_M}
