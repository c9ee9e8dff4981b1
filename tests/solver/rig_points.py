"""The points by which a solid floor holds up a rig of another kind: of its own skin, or of flesh about its joints.

Our own body's points are chosen with care, once. Of an imported character only the rest pose is known, so for each part
those vertices count that stick out furthest in any direction; without a mesh, joints have flesh about them according to
their roles, and feet have soles.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from solver.contact.choose_points import evenly_spread
from solver.contact.feet import Feet, FootStand, foot_shapes
from solver.contact.floor_points import FloorPoints, carried_points, single_chain_weights
from solver.ik.stance.stance import Stance
from solver.kinematics.pose import rest_pose
from solver.memoise import memoised
from solver.rig.movable import movable
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, Limb, Role

Array = NDArray[np.float64]

WAYS = evenly_spread(60).astype(np.float64)  # in which skin sticks out
ROUND = evenly_spread(14).astype(np.float64)  # of the flesh about a joint
USUAL = 0.05  # of the length of a leg: how thick the flesh about a joint is, unless the table says otherwise
FLESH: Mapping[Role, float] = {
    Role.PELVIS: 0.15, Role.SPINE1: 0.14, Role.SPINE2: 0.14, Role.SPINE3: 0.15, Role.NECK: 0.07, Role.HEAD: 0.11,
    Role.LEFT_HIP: 0.11, Role.RIGHT_HIP: 0.11, Role.LEFT_KNEE: 0.065, Role.RIGHT_KNEE: 0.065,
    Role.LEFT_SHOULDER: 0.07, Role.RIGHT_SHOULDER: 0.07,
}  # fmt: skip
CROWN = 0.14  # of the length of a leg: how far above the head's joint the middle of the skull is
HAND, FINGERS = 0.19, 0.09  # likewise: how far beyond the wrist, and beyond the knuckles, fingertips are
SOLE = 0.03  # likewise: how far below the ball of the foot the sole is
HEEL, WIDE, TOES = 0.3, 0.2, 0.35  # of the length of a foot, ankle to ball: heel behind, half the width, toes ahead


def solver_rig(rig: Rig) -> Rig:
    """The rig as solvers see it at rest: its movable joints, known by their roles, in the world's axes."""
    return rig_of(movable(rig, rest_pose(rig)).skeleton)


def flesh_unit(inner: Rig) -> float:
    """Metres by which flesh is measured: the length of a leg; half the height for a rig without legs."""
    for leg in LEGS:
        if not inner.lacking(leg.line):
            return inner.limb_length(leg)
    heights = inner.rest_positions[:, 1]
    return max(0.5 * float(heights.max() - heights.min()), 0.1)


@memoised(16, by_identity=True)
def points_by_joints(rig: Rig) -> FloorPoints:
    """The points of a rig without a mesh, given in solvers' joints; the same object for the same rig."""
    inner = solver_rig(rig)
    places, leg = inner.rest_positions.astype(np.float64), flesh_unit(inner)
    found = list[tuple[int, Array]]()
    feet = {inner.joint(role) for side in LEGS for role in (side.end, side.tip) if inner.find(role) is not None}
    for j, role in enumerate(inner.roles):
        if j not in feet:
            middle = places[j] + (np.array([0.0, CROWN * leg, 0.0]) if role is Role.HEAD else 0.0)
            found.append((j, middle + leg * (FLESH.get(role, USUAL) if role else USUAL) * ROUND))
    for arm in ARMS:
        if not inner.lacking([arm.hinge, arm.end]):
            hinge, wrist, knuckles = inner.joint(arm.hinge), inner.joint(arm.end), inner.find(arm.tip)
            along = (places[wrist] - places[hinge]) / np.linalg.norm(places[wrist] - places[hinge])
            last, reach = (wrist, HAND) if knuckles is None else (knuckles, FINGERS)
            found.append((last, places[last] + reach * leg * along + USUAL * leg * ROUND))
    for side in LEGS:
        found += _sole(inner, side, leg)
    carriers = np.concatenate([np.full(len(some), j) for j, some in found])
    weights = np.zeros((len(carriers), len(inner)))
    weights[np.arange(len(carriers)), carriers] = 1.0
    return points_of_weights(inner, np.concatenate([some for _, some in found]), weights)


def points_of_weights(rig: Rig, skin: Array, weights: Array) -> FloorPoints:
    """Points of a skin, of which each joint of one way carries a share. skin: (N, 3) metres. weights: (N, J)."""
    weights, tips = single_chain_weights(rig, weights)
    order = np.argsort(tips, kind="stable")
    return carried_points(rig, skin[order], weights[order], tips[order])


def points_of_skin(rig: Rig, skin: NDArray[np.floating], weights: NDArray[np.floating]) -> FloorPoints:
    """The points of a rig with a mesh, given in solvers' joints. skin: (V, 3) metres, its vertices in the rest pose.
    weights: (V, J) of the rig's joints; what rigid ones carry goes to the joint that bears them."""
    seen = movable(rig, rest_pose(rig))
    inner = rig_of(seen.skeleton)
    shares = np.zeros((len(skin), len(inner)))
    for j in range(len(rig)):
        above = j
        while above not in seen.of_joint:
            above = rig.parents[above]
        shares[:, seen.of_joint[above]] += weights[:, j]
    carrier, chosen = shares.argmax(axis=1), set[int]()
    for j in np.unique(carrier).tolist():
        own = np.flatnonzero(carrier == j)
        chosen.update(own[(skin[own] @ WAYS.T).argmax(axis=0)].tolist())
    which = np.array(sorted(chosen))
    return points_of_weights(inner, skin[which].astype(np.float64), shares[which])


def feet_of(rig: Rig, points: FloorPoints) -> Feet:
    """How the feet of a rig stand on the floor by themselves; none if its feet have no balls."""
    shapes = foot_shapes(points, solver_rig(rig))
    return Feet(shapes, tuple[FootStand, ...](["auto"] * len(shapes)))


def stance_on_foreign_rig(rig: Rig, points: FloorPoints) -> Stance:
    """How a character on a rig of another kind stands and looks: on feet that stand by themselves, without balance."""
    return Stance(True, feet_of(rig, points))


def _sole(inner: Rig, side: Limb, leg: float) -> list[tuple[int, Array]]:
    """The corners of a sole that lies level at rest: heel and ball, and ahead of the ball the toes."""
    if inner.find(side.end) is None:
        return []
    ankle, ball = inner.joint(side.end), inner.find(side.tip)
    heel = inner.rest_positions[ankle].astype(np.float64)
    front = heel + leg * np.array([0.0, -0.06, 0.16]) if ball is None else inner.rest_positions[ball].astype(np.float64)
    length, low = float(np.linalg.norm(front - heel)), min(heel[1], front[1]) - SOLE * leg
    sides = WIDE * length * np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])

    def corners(at: Array, ahead: float) -> Array:
        return np.array([at[0], low, at[2] + ahead * length]) + sides

    back = np.concatenate([corners(heel, -HEEL), corners(front, 0.0)])
    return [(ankle, back), (ankle if ball is None else ball, corners(front, TOES))]
