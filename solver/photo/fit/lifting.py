"""What the lifter says about a person in a photo: a pose, where its points are, and how far off these may be.

It is asked twice, about what was seen and about its mirror image, and the two answers are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_6d, nearest_rotation, rotation_between
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.memoise import memoised
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import BodyPoints, Evidence, agreement, body_points, evidence
from solver.photo.fit.mark_shifts import mark_shifts
from solver.rig.mirroring import mirror_order
from solver.solvers.learned.weights import WEIGHTS, Weights, load_weights

Array = NDArray[np.float64]
# The network says how far off points are as the logarithm of a number of these metres, within bounds.
UNSURE_M, LEAST_LOG, MOST_LOG = 0.1, -4.0, 3.0
# A point said to be off by _SURE_M counts in metres as much as _TRUST; others more or less, within bounds.
_SURE_M, _TRUST, _LEAST, _MOST = 0.1, 0.5, 0.1, 6.0
_AHEAD = np.array([0.0, 0.0, -1.0])
_OTHER_JOINT = list(mirror_order(SMPL_JOINTS))


@dataclass(frozen=True, eq=False)
class CentredView:
    """A person as seen by a camera that looks straight at the middle of their hips, see `CentredViewBatch`.

    turn: (3, 3) from there into the camera's frame.
    """

    picture: Array
    space: Array
    weight: Array
    turn: Array


@dataclass(frozen=True, eq=False)
class Lifted:
    """rotations: (24, 3, 3) local, the root's in the camera's frame. points: (P, 3) metres about the hips, in the
    camera's frame. unsure: (P,) metres by which each may be off. joints (24, 3), turns (24, 3, 3): where a body of mean
    shape has its joints in that frame, about the pelvis, and how they are turned there."""

    rotations: Array
    points: Array
    unsure: Array
    joints: Array
    turns: Array


def lifted_evidence(body: Body, marks: Landmarks, focal_px: float, principal_px: tuple[float, float]) -> Evidence:
    """What a photo shows of a person, see `evidence`, with the lifter's depths, and with marks moved to the body's
    points from where networks put them on limbs that are bent as the lifter says. Raises InputRefused."""
    seen = evidence(marks, body_points(body), focal_px, principal_px)
    found = lifted(body, seen)
    return with_lifted_depths(with_marks_on_points(seen, found), found, marks)


def lifted_flat_evidence(body: Body, marks: Landmarks, focal_px: float, principal_px: tuple[float, float]) -> Evidence:
    """`lifted_evidence` of marks of whose depth nothing is known, so that their places in metres lie in one plane.

    The lifter has learned from places with depths. So it is asked again, about places half-way to its first answer.
    Raises InputRefused.
    """
    seen = evidence(marks, body_points(body), focal_px, principal_px)
    first = lifted(body, seen)
    found = lifted(body, replace(seen, world=(seen.world + first.points) / 2))
    return with_lifted_depths(with_marks_on_points(seen, found), found, marks)


def with_marks_on_points(seen: Evidence, found: Lifted) -> Evidence:
    """The evidence with each mark's shift, see `mark_shifts`, taken back in the picture."""
    shifts = mark_shifts(seen.points, found.joints, found.turns, -rays(seen))
    # A shift along the view moves a mark away from the picture's middle.
    moved = shifts[:, :2] + shifts[:, 2:] * seen.pixels / seen.focal_px
    return replace(seen, pixels=seen.pixels - pixels_per_metre(seen, found)[:, None] * moved)


def rays(seen: Evidence) -> Array:
    """(P, 3) from the camera to where the marks are in the picture, pixels."""
    return np.concatenate([seen.pixels, np.full((len(seen.pixels), 1), -seen.focal_px)], axis=1)


def pixels_per_metre(seen: Evidence, found: Lifted) -> Array:
    """(P,) pixels of a metre across the view at each point of the body that the lifter says, as large as it is seen."""
    weight = seen.pixel_weights / seen.pixel_weights.sum()
    wide, metres = (part - weight @ part for part in (seen.pixels, found.points[:, :2]))
    scale = np.sqrt((weight @ (wide**2).sum(axis=1)) / max(float(weight @ (metres**2).sum(axis=1)), 1e-9))
    away = seen.focal_px / max(float(scale), 1e-9)
    return np.asarray(seen.focal_px / np.maximum(away - found.points[:, 2], away / 2))


def centred_view(seen: Evidence) -> CentredView:
    """The evidence as the lifter wants it."""
    hips = seen.points.hips
    turn = np.asarray(
        rotation_between(_AHEAD, np.array([*seen.pixels[hips].mean(axis=0), -seen.focal_px])), dtype=np.float64
    )
    space = seen.world @ turn
    turned = rays(seen) @ turn
    flat = turned[:, :2] / np.maximum(-turned[:, 2:], 1e-3 * seen.focal_px)
    flat = flat - flat[hips].mean(axis=0)
    extent = max(float(np.linalg.norm(np.ptp(flat, axis=0))), 1e-9)
    weight = np.clip(seen.pixel_weights / np.maximum(seen.points.trust, 1e-6), 0.0, 1.0)
    return CentredView(flat / extent, space - space[hips].mean(axis=0), weight, turn)


def lifted(body: Body, seen: Evidence, weights: Weights | None = None) -> Lifted:
    """What a network says about a person, by default the one that ships with the program. Raises InputRefused."""
    weights, look = weights or shipped_lifter(), centred_view(seen)
    other, mirror = seen.points.other_side, np.array([-1.0, 1.0, 1.0])
    both = {
        "picture": (look.picture, look.picture[other] * mirror[:2]),
        "space": (look.space, look.space[other] * mirror),
        "weight": (look.weight, look.weight[other]),
    }
    turns, logs = weights.lifted({name: np.stack(pair).astype(np.float32) for name, pair in both.items()})
    logs = np.clip(logs, LEAST_LOG, MOST_LOG)
    local = np.broadcast_to(np.eye(3), (2, len(SMPL_JOINTS), 3, 3)).copy()
    local[:, : turns.shape[1]] = from_6d(turns)
    mirrored = BODY_PLANE.local_rotations(local[1], _OTHER_JOINT)
    rotations = np.asarray(nearest_rotation(local[0] + mirrored), dtype=np.float64)
    rotations[0] = look.turn @ rotations[0]
    posed = forward_kinematics(body.skeleton(BodyShape()), Pose(np.zeros(3, np.float32), rotations.astype(np.float32)))
    points = seen.points.places(posed.positions, posed.rotations)
    points -= points[seen.points.hips].mean(axis=0)
    unsure = UNSURE_M * np.exp((logs[0] + logs[1, other]) / 2)
    joints, frames = posed.positions.astype(np.float64), posed.rotations.astype(np.float64)
    return Lifted(rotations, points, unsure, joints, frames)


def with_lifted_depths(seen: Evidence, found: Lifted, marks: Landmarks) -> Evidence:
    """The evidence with the lifter's points for those of the landmark networks, weighted by how sure it is of each and
    by how far the looks it was given agreed.

    Of people who lie the looks agree little, as the landmark networks know people upright. The lifter has learned from
    people who lie, so the more level a trunk is, the less their disagreement counts.
    """
    agreed = agreement(marks, seen.points) ** (1.0 - (1.0 - _steepness(found.points, seen.points)) ** 2)
    metres = np.clip(_TRUST * (_SURE_M / found.unsure) ** 2, _LEAST, _MOST) * agreed
    return replace(seen, world=found.points, world_weights=metres)


def _steepness(places: Array, points: BodyPoints) -> float:
    """0..1: how much a trunk leads up or down before the camera; 0 where it leads aside, or to or from the camera."""
    trunk = places[points.shoulders].mean(axis=0) - places[points.hips].mean(axis=0)
    return abs(float(trunk[1])) / max(float(np.linalg.norm(trunk)), 1e-9)


@memoised()
def shipped_lifter() -> Weights:
    """The lifter's weights that ship with the program. Raises InputRefused if they are missing or damaged."""
    return load_weights(WEIGHTS / "lifter", "lifter", DEFAULT_BODY)
