"""What the lifter says of a person in a photo: a pose, where that has their points, and how far off these may be.

It is asked twice, about what was seen and about its mirror image, and the mean of both is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY
from solver.errors import InputRefused
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import between, from_6d, nearest_rotation
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import BodyPoints, Evidence, agreement, body_points, evidence
from solver.rig.other_side import mirror_order
from solver.size_limits import FARTHEST_M
from solver.solvers.learned.weights import WEIGHTS, Weights, load_weights

Array = NDArray[np.float64]
UNSURE_M = 0.1  # metres at whose e-fold steps the network says how far off points are
# A point that is said to be off by _SURE_M counts in metres as much as _TRUST; more and less within bounds.
_SURE_M, _TRUST, _LEAST, _MOST = 0.1, 0.5, 0.1, 6.0
_AHEAD = np.array([0.0, 0.0, -1.0])
_OTHER_JOINT = list(mirror_order(SMPL_JOINTS))


@dataclass(frozen=True, eq=False)
class Looked:
    """Somebody as a camera has them that looks straight at the middle of their hips, see `LookBatch`.

    turn: (3, 3) from there into the camera's frame.
    """

    picture: Array
    space: Array
    weight: Array
    turn: Array


@dataclass(frozen=True, eq=False)
class Lifted:
    """rotations: (24, 3, 3) local, the root's in the camera's frame. points: (P, 3) metres about the hips, in the
    camera's frame. unsure: (P,) metres by which each may be off."""

    rotations: Array
    points: Array
    unsure: Array


def lifted_evidence(body: Body, marks: Landmarks, focal_px: float, principal_px: tuple[float, float]) -> Evidence:
    """What a photo shows of a person, see `evidence`, with the lifter's depths. Raises InputRefused."""
    seen = evidence(marks, body_points(body), focal_px, principal_px)
    return with_lifted_depths(seen, lifted(body, seen), marks)


def hips_of(points: BodyPoints) -> NDArray[np.intp]:
    """The points at both hips."""
    return np.flatnonzero(np.isin(points.landmark, (23, 24)))


def turn_towards(seen: Evidence) -> Array:
    """(3, 3): from the frame of a camera that looks straight at the hips into the camera's."""
    x, y = seen.pixels[hips_of(seen.points)].mean(axis=0)
    return np.asarray(between(_AHEAD, np.array([x, y, -seen.focal_px])), dtype=np.float64)


def looked_at(seen: Evidence) -> Looked:
    """The evidence as the lifter wants it."""
    hips, turn = hips_of(seen.points), turn_towards(seen)
    space = seen.world @ turn
    rays = np.concatenate([seen.pixels, np.full((len(seen.pixels), 1), -seen.focal_px)], axis=1) @ turn
    flat = rays[:, :2] / np.maximum(-rays[:, 2:], 1e-3 * seen.focal_px)
    flat = flat - flat[hips].mean(axis=0)
    extent = max(float(np.linalg.norm(np.ptp(flat, axis=0))), 1e-9)
    weight = np.clip(seen.on_picture / np.maximum(seen.points.trust, 1e-6), 0.0, 1.0)
    return Looked(flat / extent, space - space[hips].mean(axis=0), weight, turn)


def lifted(body: Body, seen: Evidence, weights: Weights | None = None) -> Lifted:
    """What the network says of a person, by default the one that ships with the program. Raises InputRefused."""
    weights, look = weights or shipped(), looked_at(seen)
    other, mirror = _other_points(seen.points), np.array([-1.0, 1.0, 1.0])
    both = {
        "picture": (look.picture, look.picture[other] * mirror[:2]),
        "space": (look.space, look.space[other] * mirror),
        "weight": (look.weight, look.weight[other]),
    }
    turns, logs = _answered(weights, {name: np.stack(pair).astype(np.float32) for name, pair in both.items()})
    local = np.broadcast_to(np.eye(3), (2, len(SMPL_JOINTS), 3, 3)).copy()
    local[:, : turns.shape[1]] = from_6d(turns)
    mirrored = BODY_PLANE.local_rotations(local[1], _OTHER_JOINT)
    rotations = np.asarray(nearest_rotation(local[0] + mirrored), dtype=np.float64)
    rotations[0] = look.turn @ rotations[0]
    posed = forward_kinematics(body.skeleton(BodyShape()), Pose(np.zeros(3, np.float32), rotations.astype(np.float32)))
    points = seen.points.places(posed.positions, posed.rotations)
    points -= points[hips_of(seen.points)].mean(axis=0)
    return Lifted(rotations, points, UNSURE_M * np.exp((logs[0] + logs[1, other]) / 2))


def with_lifted_depths(seen: Evidence, found: Lifted, marks: Landmarks) -> Evidence:
    """The evidence with the lifter's points for those of the landmark networks, weighed by how sure it is of each, and
    by how far the looks agreed that it was told of."""
    metres = np.clip(_TRUST * (_SURE_M / found.unsure) ** 2, _LEAST, _MOST) * agreement(marks, seen.points)
    return replace(seen, world=found.points, in_metres=metres)


@cache
def shipped() -> Weights:
    """The lifter's weights in the program. Raises InputRefused where they are missing or damaged."""
    return load_weights(WEIGHTS / "lifter", "lifter", DEFAULT_BODY)


def _answered(weights: Weights, asked: dict[str, NDArray[np.float32]]) -> tuple[Array, Array]:
    """rotations_6d (2, J, 6) and the logarithms (2, P); InputRefused if these are not numbers."""
    try:
        turns, logs = weights.session.run(["rotations_6d", "unsure"], asked)
    except Exception as error:  # onnxruntime's errors share no base of their own
        turns, logs = np.full((1, 1), np.nan), np.full((1, 1), np.nan)
        reason = f"it gives no pose for what was seen ({' '.join(str(error).split())[:200]})"
        raise InputRefused(weights.source, reason, "Restore the folder") from None
    if not (np.abs(turns) <= FARTHEST_M).all() or not (np.abs(logs) <= FARTHEST_M).all():  # also for NaN
        raise InputRefused(weights.source, "it answers with impossible numbers", "Restore the folder")
    return turns.astype(np.float64), np.clip(logs.astype(np.float64), -4.0, 3.0)


def _other_points(points: BodyPoints) -> list[int]:
    """(P,) each point's counterpart on the other side."""
    marks = points.landmark.tolist()
    return [marks.index(m if m == 0 else m + 1 if m % 2 else m - 1) for m in marks]
