"""A body that does not pass through things: the balls that fill it, and which of them may not meet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.hands import Hands, skin_with
from solver.contact.filling import Filling, fill_with_balls, squares_between
from solver.contact.slide_kernels import OUTSIDE, slide
from solver.effectors.form_ids import POINT
from solver.effectors.residual_kernels import Rows
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.memoise import memoised, memoised_on_value
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LIMBS
from solver.values import read_only

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
APART = 3  # joints from one part of a body to another; from here on they are not neighbours
GIVES = 0.002  # metres that flesh yields to flesh
PRESSES = 0.012  # metres more for flesh that touches even when standing, such as upper arms at the ribs
BELONGS = 0.02  # metres from the trunk, at rest, within which a joint belongs to it
ARRIVED = 1e-3  # metres from its target at which a foot is there
ARMS_DOWN = 1.45  # radians from the T-pose
LEADING = 0.5  # share of each joint's balls, those chosen first: only these may not enter others


@dataclass(frozen=True, eq=False)
class SolidBody:
    """P balls that fill a body. One for each body, shape and hands; compared as such.

    joints: (P,) the joint that carries each, ascending. balls: (P, 4) centre in that joint's frame and radius, metres.
    yields: (P, J) metres by which a ball may be within another joint's balls; -1 where the two do not count, as for
    neighbours, and for one of each pair, so that it counts once. trunk: joints of trunk, neck and head. arms:
    those of the arms from the shoulders on. rest: (J, 3) metres, the joints in the rest pose.
    """

    joints: Indices
    balls: Array
    yields: Array
    trunk: frozenset[int]
    arms: frozenset[int]
    rest: Array

    @cached_property
    def begin(self) -> Indices:
        """(J + 1,) where each joint's balls begin."""
        return np.searchsorted(self.joints, np.arange(self.yields.shape[1] + 1)).astype(np.int64)

    @cached_property
    def filled(self) -> tuple[int, ...]:
        """The joints that carry any balls."""
        return tuple(np.flatnonzero(np.diff(self.begin)).tolist())

    @cached_property
    def leading(self) -> NDArray[np.bool_]:
        """(P,): whether a ball is one of those that stand for most of their joint's skin, which are chosen first."""
        counts, place = np.diff(self.begin), np.arange(len(self.joints)) - self.begin[self.joints]
        return np.asarray(place < np.ceil(LEADING * counts[self.joints]))

    @cached_property
    def plain(self) -> Array:
        """The balls in one block of memory, as kernels take them."""
        return np.ascontiguousarray(self.balls)

    @cached_property
    def of_trunk(self) -> NDArray[np.bool_]:
        """(P,): whether a ball is of trunk, neck or head."""
        return np.isin(self.joints, sorted(self.trunk))

    @cached_property
    def trunk_balls(self) -> tuple[Indices, Array]:
        """The joints (K,) that carry balls of trunk, neck or head, and those balls (K, 4)."""
        return self.joints[self.of_trunk], self.balls[self.of_trunk]

    @cached_property
    def around_trunk(self) -> tuple[Indices, Array]:
        """The joints (K,) of trunk, neck and head that carry balls, and a ball around those of each, (K, 4)."""
        joints = np.array([j for j in self.filled if j in self.trunk], np.int64)
        return joints, self.around[joints]

    @cached_property
    def flesh(self) -> Array:
        """(J,) metres of room that each joint needs around it: how deep it is within one of its own balls, at most."""
        flesh = np.zeros(self.yields.shape[1])
        np.maximum.at(flesh, self.joints, self.balls[:, 3] - np.linalg.norm(self.balls[:, :3], axis=1))
        return flesh

    @cached_property
    def outer(self) -> NDArray[np.bool_]:
        """(J,): whether a joint's part of a limb may not enter the trunk, and can be asked to: hips and shoulders
        belong to the trunk at rest."""
        outer = np.zeros(self.yields.shape[1], bool)
        np.logical_or.at(outer, self.joints, (self.yields[:, sorted(self.trunk)] >= 0.0).any(axis=1))
        trunk = self.balls[self.of_trunk]
        away = np.linalg.norm(self.rest[:, None] - trunk[:, :3] - self.rest[self.joints[self.of_trunk]], axis=2)
        return np.asarray(outer & (away > trunk[:, 3] + BELONGS).all(axis=1))

    @cached_property
    def around(self) -> Array:
        """(J, 4) a ball around all balls of each joint, in its frame."""
        return np.array([enclosing(self.balls[self.joints == j]) for j in range(self.yields.shape[1])])

    def placed(self, world: WorldJoints) -> Array:
        """(P, 4) centres in the world and radii, metres; joints as the solver's skeleton has them."""
        return carried_by(world, self.joints, self.balls)


@memoised_on_value
def without_arms(body: SolidBody) -> SolidBody:
    """The balls of all but the arms; the same object for the same body."""
    return _with_balls(body, ~np.isin(body.joints, sorted(body.arms)))


@memoised_on_value
def arms_alone(body: SolidBody) -> SolidBody:
    """The balls of the arms alone; the same object for the same body."""
    return _with_balls(body, np.isin(body.joints, sorted(body.arms)))


def _with_balls(body: SolidBody, kept: NDArray[np.bool_]) -> SolidBody:
    return replace(body, joints=body.joints[kept], balls=body.balls[kept], yields=body.yields[kept])


def carried_by(world: WorldJoints, joints: Indices, balls: Array) -> Array:
    """(K, 4) where balls (K, 4) in the frames of joints (K,) are in the world, metres."""
    turned = np.einsum("kab,kb->ka", world.rotations.astype(np.float64)[joints], balls[:, :3])
    return np.concatenate([turned + world.positions[joints], balls[:, 3:]], axis=1)


def slid_feet(body: SolidBody, rows: Rows, world: WorldJoints) -> list[tuple[int, Array]]:
    """The row of the foot, or knee, whose way to its place the other leg bars, with the place (3,) that it gets to.

    Else the whole body would pull towards a place that the other leg bars, push that leg away and lean, until the foot
    jumps to the other side. Of two that are barred it is the one that is further off: the other leg is only pushed,
    and is to stay. world: the joints as shown a moment ago.
    """
    found = []
    legs = other_legs(body)
    for e, (kind, joint) in enumerate(zip(rows.kinds.tolist(), rows.joints.tolist(), strict=True)):
        if kind != POINT or joint not in legs:
            continue
        target = rows.targets[e, 0]
        start = world.positions[joint].astype(np.float64)
        if rows.targets[e, 1].any() or np.linalg.norm(target - start) < ARRIVED:
            continue
        balls = carried_by(world, body.joints[legs[joint]], body.balls[legs[joint]])
        room = float(body.balls[body.joints == joint, 3].max())
        # Legs that are crossed already are no closer to each other than that.
        balls[:, 3] = np.minimum(balls[:, 3], np.linalg.norm(balls[:, :3] - start, axis=1) - room)
        place = start.copy()
        slide(place, np.ascontiguousarray(target), balls, room)
        if np.linalg.norm(place - target) > OUTSIDE:
            found.append((e, place))
    return sorted(found, key=lambda barred: -float(np.linalg.norm(barred[1] - rows.targets[barred[0], 0])))[:1]


@memoised_on_value
def other_legs(body: SolidBody) -> dict[int, Indices]:
    """By each joint of a leg below the hip, the balls of the other leg that its part may not enter, by index."""
    apart = np.zeros((body.yields.shape[1],) * 2, bool)
    np.logical_or.at(apart, body.joints, body.yields >= 0.0)
    apart |= apart.T
    legs = [j for j in body.filled if j not in body.trunk and j not in body.arms]
    found = {}
    for joint in (j for j in legs if body.outer[j]):
        others = [other for other in legs if apart[joint, other]]
        found[joint] = np.flatnonzero(np.isin(body.joints, others)).astype(np.int64)
    return found


def distances_between(points: Array, others: Array) -> Array:
    """(K, L) metres from points (K, 3) to others (L, 3). As scipy's cdist, whose import takes a fifth of a second."""
    square = squares_between(points, others)
    return np.asarray(np.sqrt(square, out=square), np.float64)


def enclosing(balls: Array) -> Array:
    """(4,) a ball around balls (N, 4); around none one of no size."""
    if not len(balls):
        return np.zeros(4)
    low, high = (balls[:, :3] - balls[:, 3:]).min(axis=0), (balls[:, :3] + balls[:, 3:]).max(axis=0)
    middle = (low + high) / 2.0
    return np.append(middle, (np.linalg.norm(balls[:, :3] - middle, axis=1) + balls[:, 3]).max())


def solid_body(body: Body, shape: BodyShape, hands: Hands | None = None) -> SolidBody:
    """The balls of a body of that shape, the fingers as `hands` have them; the same object for equal ones.

    Raises InputRefused if the embedded body's file of balls cannot be read.
    """
    fingers = None if hands is None else hands.rotations.tobytes()
    return _solid_body(body, shape.betas.tobytes(), shape.gender, fingers)


@memoised(16)
def _solid_body(body: Body, betas: bytes, gender: str, fingers: bytes | None) -> SolidBody:
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    rig, filling = body.rig(shape), _filling(body, betas, gender, None)
    rest = rig.rest_positions.astype(np.float64)
    arms = frozenset(rig.index(role) for arm in ARMS for role in arm.joints[1:] if role in rig.roles)
    yields, counts = np.zeros((len(filling.balls), len(rig))), pairs_kept_apart(rig)[filling.joints]
    if fingers is not None:  # all that fingers do not move is as it is at rest
        at_rest, own = _solid_body(body, betas, gender, None), _filling(body, betas, gender, fingers)
        others = np.zeros(len(rig), bool)
        others[filling.joints[(own.balls != filling.balls).any(axis=1)]] = True
        yields, filling = at_rest.yields, own
        counts &= others | others[filling.joints, None]
    balls = filling.balls.copy()
    balls[:, :3] -= rig.rest_positions[filling.joints]
    free = SolidBody(filling.joints, balls, yields, trunk_of(rig), arms, rest)
    counts &= free.leading[:, None]
    overlap = np.max([_overlaps(free, counts, forward_kinematics(rig, pose)) for pose in stances(rig)], axis=0)
    changed = np.where(counts, overlap + np.where(overlap > 0.0, PRESSES, GIVES), -1.0 if fingers is None else yields)
    return replace(free, yields=changed)


@memoised(16)
def _filling(body: Body, betas: bytes, gender: str, fingers: bytes | None) -> Filling:
    """Of a body in the T-pose."""
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    if fingers is None:
        return fill_with_balls(body, body.vertices(shape).astype(np.float64))
    hands = Hands(np.frombuffer(fingers, np.float32).reshape(-1, 3, 3))
    beside = _filling(body, betas, gender, None)
    return fill_with_balls(body, skin_with(body, shape, hands).astype(np.float64), beside)


def trunk_of(rig: Rig) -> frozenset[int]:
    """The joints that belong to no limb."""
    limbs = {rig.index(role) for limb in LIMBS for role in limb.joints if role in rig.roles}
    return frozenset(range(len(rig))) - limbs


@memoised(16, by_identity=True)
def pairs_kept_apart(rig: Rig) -> NDArray[np.bool_]:
    """(J, J): whether the balls of one joint are to be kept out of the other's; only one way for each pair."""
    joints, ways = len(rig), []
    for j in range(joints):
        way, above = {j}, rig.parents[j]
        while above >= 0:
            way.add(above)
            above = rig.parents[above]
        ways.append(way)
    apart = np.array([[len(a ^ b) for b in ways] for a in ways])
    limb = np.full(joints, -1)
    for i, one in enumerate(LIMBS):
        limb[[rig.index(role) for role in one.joints if role in rig.roles]] = i
    depth = np.array([len(way) for way in ways])
    limbs, order = limb >= 0, np.arange(joints)
    # Limbs enter the trunk; of two limbs the part that is further out enters the other.
    outer = (depth[:, None] > depth) | ((depth[:, None] == depth) & (order[:, None] > order))
    others = limbs & (limb[:, None] != limb)
    kept = np.asarray(limbs[:, None] & (outer | ~limbs) & ((apart >= APART) | others))
    read_only(kept)
    return kept


@memoised(16, by_identity=True)
def stances(rig: Rig) -> tuple[Pose, Pose]:
    """The T-pose, and the same with the arms down: what touches in these is not an intersection."""
    turns = np.tile(np.eye(3, dtype=np.float32), (len(rig), 1, 1))
    down = turns.copy()
    for arm in ARMS:
        if arm.root in rig.roles:
            turn = -ARMS_DOWN if arm.side == "left" else ARMS_DOWN
            down[rig.index(arm.root)] = from_rotation_vector(np.array([0.0, 0.0, turn]))
    return Pose(np.zeros(3, np.float32), turns), Pose(np.zeros(3, np.float32), down)


def _overlaps(body: SolidBody, counts: NDArray[np.bool_], world: WorldJoints) -> Array:
    """(P, J) metres by which each ball is within the other joints' balls, none less than 0. counts: (P, J) which."""
    placed, found = body.placed(world), np.zeros(counts.shape)
    for j in range(counts.shape[1]):
        which, of_joint = counts[:, j], body.joints == j
        if which.any() and of_joint.any():
            away = distances_between(placed[which, :3], placed[of_joint, :3])
            found[which, j] = np.maximum(placed[which, 3:] + placed[of_joint, 3] - away, 0.0).max(axis=1)
    return found
