"""The natural mean pose and the spread around it, of each joint and of all together, as measured in motion capture.

The file is made by `python -m solver.training.data.pose_prior` and comes with the program, which needs no recording.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.resources import resource_folder
from solver.rig.fewer_joints import unbent
from solver.rig.movable import movable
from solver.rig.rig import rig_of
from solver.rig.roles import FEET

Array = NDArray[np.float64]
PRIOR_FILE = resource_folder("assets", "pose_prior") / "natural_pose.json"

UNKNOWN_SPREAD = 0.3  # radians, for a joint that no recording names
ROOT_SPREAD = 0.15
FLOOR = 0.08  # radians: recordings freeze some joints (collars, hands) that a person can turn


@dataclass(frozen=True)
class PosePrior:
    """mean: (J, 3, 3) local rotations, the root's without heading. covariance: (J, 3, 3) rad² of the rotation vector
    from the mean to a recorded pose, in the joint's axes."""

    mean: Array
    covariance: Array

    @property
    def stiffness(self) -> Array:
        """(J, 3, 3): the inverse covariance, softened by what recordings freeze."""
        return np.asarray(np.linalg.inv(self.covariance + FLOOR**2 * np.eye(3)), dtype=np.float64)


class RecordedPrior(NamedTuple):
    """What the file says. joints: mean (3, 3) and covariance (3, 3) by name. moving: M names; together: (3M, 3M) their
    covariance."""

    joints: dict[str, tuple[Array, Array]]
    moving: tuple[str, ...]
    together: Array


def read_recorded_prior(file: Path) -> RecordedPrior:
    """What was recorded, from a file of ours. InputRefused if it cannot be read."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        joints = {
            name: (
                np.array(from_rotation_vector(entry["mean"]), dtype=np.float64),
                np.array(entry["covariance"], dtype=np.float64),
            )
            for name, entry in data["joints"].items()
        }
        moving = tuple(data["together"]["joints"])
        lower = np.zeros((3 * len(moving), 3 * len(moving)))
        lower[np.tril_indices(len(lower))] = data["together"]["covariance"]
        return RecordedPrior(joints, moving, lower + np.tril(lower, -1).T)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputRefused(
            file, f"the natural pose cannot be read ({error})", "Restore the folder assets from the repository"
        ) from error


@memoised()
def _recorded() -> RecordedPrior:
    return read_recorded_prior(PRIOR_FILE)


@memoised(32)
def pose_prior(names: tuple[str, ...]) -> PosePrior:
    """The prior for joints by name; joints that it does not know stay at rest, with a medium spread."""
    recorded = _recorded().joints
    unknown = np.eye(3), UNKNOWN_SPREAD**2 * np.eye(3)
    mean, covariance = (np.stack(part) for part in zip(*(recorded.get(n, unknown) for n in names), strict=True))
    covariance[0] = ROOT_SPREAD**2 * np.eye(3)
    return PosePrior(mean, covariance)


def whole_pose_stiffness(names: tuple[str, ...]) -> Array:
    """(3J, 3J): the inverse joint covariance of all rotation vectors from the mean, in the joints' axes.

    One joint says something about others: knees about hips, one arm about the other. The root is free: its
    rows are zero.
    """
    recorded, count, axes = _recorded(), len(names), range(3)
    blocks = np.zeros((count, 3, count, 3))
    blocks[range(count), :, range(count)] = pose_prior(names).covariance
    known = [name for name in recorded.moving if name in names]
    here, there = ([order.index(name) for name in known] for order in (names, recorded.moving))
    together = recorded.together.reshape(len(recorded.moving), 3, len(recorded.moving), 3)
    blocks[np.ix_(here, axes, here, axes)] = together[np.ix_(there, axes, there, axes)]
    covariance = blocks.reshape(3 * count, 3 * count) + FLOOR**2 * np.eye(3 * count)
    stiffness = np.zeros_like(covariance)
    stiffness[3:, 3:] = np.linalg.inv(covariance[3:, 3:])
    return stiffness


@memoised(16, by_identity=True)
def natural_pose(skeleton: Skeleton) -> Pose:
    """The natural pose: relaxed, facing +Z, over the place of the rest pose; the lower ankle as high as at rest.

    Made once for each skeleton object among the last few.
    """
    from solver.kinematics.fk import forward_kinematics

    rest = rest_pose(skeleton)
    seen = movable(rig_of(skeleton), rest)
    if not seen.is_whole:
        return seen.expanded(natural_pose(seen.skeleton), rest)
    pose = unbent(skeleton, Pose(skeleton.offsets[0], pose_prior(skeleton.names).mean.astype(np.float32)))
    feet = [j for j, name in enumerate(skeleton.names) if name in FEET]
    if not feet:
        return pose
    drop = (forward_kinematics(skeleton, pose).positions - skeleton.rest_positions)[feet, 1].min()
    return Pose(pose.root_position - np.array([0, drop, 0], dtype=np.float32), pose.rotations)
