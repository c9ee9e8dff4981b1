"""How a network that edits joint positions sees a problem: from below the pelvis, in the size of its own body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ENDS
from solver.solvers.learned.base_input import way_to

REACH_M = 1.3  # from the pelvis: no recorded hand, foot or head is further away on the body that networks learned from
ABOVE_M, BELOW_M = 0.6, 0.15  # up to this far above or below the floor the lowest joint is taken as it is

Array = NDArray[np.float64]


class EditView(NamedTuple):
    """turn: (3, 3), R_world_view, about the vertical. origin: (3,) metres, below the pelvis on the floor. scale: metres
    of this body in one of the network's."""

    turn: Array
    origin: Array
    scale: float

    def seen(self, points: NDArray[np.floating]) -> Array:
        """Points (..., 3) of the world as seen."""
        return np.asarray((points - self.origin) @ self.turn / self.scale)

    def in_world(self, points: NDArray[np.floating]) -> Array:
        """Points (..., 3) as seen, back in the world."""
        return np.asarray(self.scale * points @ self.turn.T + self.origin)


class Edit(NamedTuple):
    """One question. start: (J, 3), targets: (5, 3), asked: (5,), as `EditBatch` describes them."""

    view: EditView
    start: Array
    targets: Array
    asked: Array


def edit_of(skeleton: Skeleton, start: Pose, effectors: Sequence[Effector], joints: int, size: float) -> Edit | None:
    """What the network is asked: the start pose's first `joints` joints and where wrists, ankles and head should be.

    A start pose far from all of its targets comes near them first, and a target that no bones reach is brought in. Of
    several targets on a joint the mean counts; one for a point off the joint is moved by how the two now lie apart.
    size: of the network's body, see `size_of`. None if no place is asked for.
    """
    placing = [e for e in effectors if e.is_active and isinstance(e, PointEffector)]
    if not placing:
        return None
    world = forward_kinematics(skeleton, start)
    positions = world.positions + way_to(skeleton, world.positions, placing)
    view = view_from(positions[:joints], world.rotations[0], size_of(skeleton, joints) / size)
    places = view.seen(positions[:joints])
    targets, asked = np.zeros((len(ENDS), 3)), np.zeros(len(ENDS))
    for end, role in enumerate(ENDS):
        joint = skeleton.index(role)
        own = [e.target - (e.held_at(skeleton, world) - world.positions[joint]) for e in placing if e.joint == role]
        targets[end] = _within_reach(view.seen(np.mean(own, axis=0)), places[0]) if own else places[joint]
        asked[end] = bool(own)
    return Edit(view, places, targets, asked)


def view_from(positions: NDArray[np.floating], root: NDArray[np.floating], scale: float) -> EditView:
    """From the floor below the pelvis of joints (J, 3), along the share of its rotation (3, 3) about the vertical.

    The floor is y = 0; for a pose far above or below it, a floor as near as recorded poses have theirs.
    """
    cos, sin = float(root[0, 0] + root[2, 2]), float(root[0, 2] - root[2, 0])
    length = np.hypot(cos, sin)
    cos, sin = (cos / length, sin / length) if length > 1e-6 else (1.0, 0.0)  # upside down any heading is as good
    turn = np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])
    lowest = float(positions[:, 1].min())
    floor = min(max(0.0, lowest - scale * ABOVE_M), lowest + scale * BELOW_M)
    return EditView(turn, np.array([positions[0, 0], floor, positions[0, 2]], np.float64), scale)


def size_of(skeleton: Skeleton, joints: int) -> float:
    """Metres: all bones of the first `joints` joints end to end, by which bodies are scaled onto each other."""
    return float(np.linalg.norm(skeleton.offsets[1:joints], axis=1).sum())


def _within_reach(target: Array, pelvis: Array) -> Array:
    way = target - pelvis
    return pelvis + way * min(1.0, REACH_M / max(float(np.linalg.norm(way)), 1e-9))
