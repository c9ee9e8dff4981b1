"""The points of one body's skin that a solid floor holds up, with the joints that carry them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.hands import Hands, skin_with
from solver.contact.choose_points import evenly_spread
from solver.contact.floor_kernels import Ground, heights_above, lowest_of
from solver.contact.vertices import contact_vertices
from solver.effectors.form_ids import POINT
from solver.effectors.residual_kernels import Rows
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, LIMBS
from solver.values import FloatArray

Array = NDArray[np.float64]
Floats = NDArray[np.floating]
Indices = NDArray[np.int64]
GIVES = 0.001  # metres that the skin yields: nobody standing on the floor is lifted by rounding
SLIGHT = 0.01  # a joint that carries less than this share of a point does not count
RAISED = (
    1e5,
    1e-3,
    0.8,
)  # weight, knee and fading of what is asked below the floor, see solver.ik.kernels.minimise_kernels
WEAKER_BY = 0.1  # metres below where it can be; from there on its strength is that
_WAYS = evenly_spread(200)


class RaisedRows(NamedTuple):
    """Effectors' rows with those below the floor brought up, all their strengths (E, 3), and which were brought up."""

    rows: Rows
    strengths: Array
    which: tuple[int, ...]


class HeightBound(NamedTuple):
    """How low K points can be, however their joints are turned: quicker than where they are. shares: (K, J), of each
    joint in a point. arms: (K,) metres from the joints that carry it to a point, as much as they carry of it."""

    shares: FloatArray
    arms: FloatArray

    def least(self, world: WorldJoints) -> float:
        """A height in metres that none of the points is below; infinity without any."""
        return float((self.shares @ world.positions[:, 1] - self.arms).min(initial=np.inf))


@dataclass(frozen=True, eq=False)
class FloorPoints:
    """N points of a body's skin that stay above the floor y = 0. One for each body, shape and hands; compared as such.

    ground: as kernels take it. A point is carried by joints on one way from the root, and given by where it is in their
    frames at rest; the floor is `GIVES` below 0. parts: the points (K, 3) around each joint, in its frame. flat: ankles
    and wrists, which have a side to stand on. hinges: knees and elbows, each with the joint above it.
    """

    ground: Ground
    parts: Mapping[int, Array]
    flat: frozenset[int]
    hinges: Mapping[int, int]

    @cached_property
    def resting_heights(self) -> Mapping[int, float]:
        """Metres from the floor to each joint when its flesh lies on it in the way that brings the joint lowest.

        For a foot, which stands on its sole, that is as at rest; and for a hand, whose palm is down at rest.
        """
        return {
            j: float(-points[:, 1].min() if j in self.flat else (points @ _WAYS.T).max(axis=0).min())
            for j, points in self.parts.items()
        }

    @cached_property
    def _highest(self) -> float:
        return max(self.resting_heights.values(), default=0.0)

    @cached_property
    def carriers(self) -> Indices:
        """(N,) the joint that carries the most of each point."""
        ground = self.ground
        by_share = np.lexsort((ground.carried[:, 3], self._points))
        return np.asarray(ground.joints[by_share[ground.first[1:] - 1]])

    @cached_property
    def _points(self) -> Indices:
        """(M,) the point that each carrier of the ground belongs to."""
        return np.repeat(np.arange(len(self.ground.first) - 1), np.diff(self.ground.first))

    def bound_of(self, joints: Collection[int], count: int) -> HeightBound:
        """How low the points can be that these joints carry the most of. count: of the skeleton's joints."""
        ground, mine = self.ground, np.isin(self.carriers, list(joints))
        shares, arms = np.zeros((len(mine), count), np.float32), np.zeros(len(mine), np.float32)
        np.add.at(shares, (self._points, ground.joints), ground.carried[:, 3])
        np.add.at(arms, self._points, np.linalg.norm(ground.carried[:, :3], axis=1))
        return HeightBound(shares[mine], arms[mine])

    def near(self, world: WorldJoints, within: float) -> tuple[Indices, Array]:
        """The points no more than `within` metres above the floor, (K,), and (K, 3) metres, where they are."""
        ground, heights = self.ground, np.empty(len(self.ground.first) - 1)
        places, turns = world.positions.astype(np.float64), world.rotations.astype(np.float64)
        heights_above(ground, places, turns, within + ground.gives, heights)
        low = heights <= within + ground.gives
        return np.flatnonzero(low), self._places_of(low, places, turns) if low.any() else np.empty((0, 3))

    def _places_of(self, which: NDArray[np.bool_], places: Floats, turns: Floats) -> Array:
        """(K, 3) metres, where those of the points (N,) are. places (J, 3), turns (J, 3, 3): of the joints."""
        ground, mine = self.ground, which[self._points]
        joints, carried = ground.joints[mine], ground.carried[mine]
        borne = np.einsum("mab,mb->ma", turns[joints], carried[:, :3]) + carried[:, 3:] * places[joints]
        first = np.concatenate([[0], np.cumsum(np.diff(ground.first)[which])[:-1]])
        return np.asarray(np.add.reduceat(borne, first))

    def raised(self, rows: Rows, strengths: Array, skeleton: Skeleton, *poses: Pose) -> RaisedRows:
        """Rows with places below the floor brought up to where the joint can be, and weakened the more they have to
        give way.

        A body drawn to a place that it can never reach would twist to be a little nearer. strengths: (E, 3). A foot
        that lies on its side in one of the poses may stay so.
        """
        highest = self._highest - self.depth
        points = np.flatnonzero((rows.targets[:, 0, 1] < highest) & (rows.kinds == POINT)).tolist()
        points = [e for e in points if rows.targets[e, 0, 1] < self._lowest_place(rows, e)]  # rules out most
        if not points:
            return RaisedRows(rows, strengths, ())
        worlds = [forward_kinematics(skeleton, pose) for pose in poses]
        places = {e: min(self._lowest_place(rows, e, world) for world in worlds) for e in points}
        low = tuple(e for e, place in places.items() if rows.targets[e, 0, 1] < place)
        if not low:
            return RaisedRows(rows, strengths, low)
        targets, weaker = rows.targets.copy(), strengths.copy()
        for e in low:
            depth = places[e] - targets[e, 0, 1]
            targets[e, 0, 1] = places[e]
            if strengths[e, 0] > RAISED[0]:
                weaker[e] = weakened_strength(strengths[e], min(depth / WEAKER_BY, 1.0))
        return RaisedRows(rows._replace(targets=targets), weaker, low)

    def least_height(self, joint: int) -> float:
        """The least height, metres, at which a joint can be, however it is turned; minus infinity without a part."""
        return self.resting_heights.get(joint, -np.inf) - self.depth

    def _lowest_place(self, rows: Rows, e: int, world: WorldJoints | None = None) -> float:
        """The least height, metres, at which the joint can be, turned as it is; without `world`, turned in any way."""
        j = int(rows.joints[e])
        if rows.targets[e, 1].any() or j not in self.parts:
            return -self.depth
        least = self.resting_heights[j]
        if world is not None and j in self.flat:
            least = min(least, float(-(self.parts[j] @ world.rotations[j, 1]).min()))
        elif world is not None and j in self.hinges:
            least = min(least, self._height_as_bent(j, world))
        return max(least - GIVES, 0.0) - self.depth  # to just stand there is not to be pulled below

    def _height_as_bent(self, joint: int, world: WorldJoints) -> float:
        """Metres from the floor to a knee or an elbow that lies on it, bent as it is but turned in any way: a straight
        limb lies on the thicker of its bones as well."""
        around = (self.carriers == joint) | (self.carriers == self.hinges[joint])
        flesh = self._places_of(around, world.positions, world.rotations) - world.positions[joint]
        return float((flesh.astype(np.float32) @ _WAYS.T).max(axis=0).min())

    def lowest(self, world: WorldJoints) -> float:
        """Metres of the lowest point above the floor, negative below it; joints as the solver's skeleton has them."""
        places, turns = world.positions.astype(np.float64), world.rotations.astype(np.float64)
        return float(lowest_of(self.ground, places, turns)) - self.ground.gives

    def places(self, world: WorldJoints) -> Array:
        """(N, 3) metres, where the points are in the world; joints as the solver's skeleton has them."""
        ground = self.ground
        turned = np.einsum("mab,mb->ma", world.rotations[ground.joints], ground.carried[:, :3])
        borne = turned + ground.carried[:, 3:] * world.positions[ground.joints]
        return np.asarray(np.add.reduceat(borne, ground.first[:-1]), np.float64)

    @property
    def depth(self) -> float:
        """Metres by which the floor has been lowered."""
        return self.ground.gives - GIVES

    def lowered(self, by: float) -> FloorPoints:
        """This skin over a floor that is `by` metres lower; itself for 0."""
        return replace(self, ground=self.ground._replace(gives=self.ground.gives + by)) if by else self

    def without(self, joints: Collection[int]) -> FloorPoints:
        """Without the points that only these joints carry, which cannot move; the same object for the same joints."""
        return _without(self, frozenset(joints))


@memoised(16)  # each solve of a drag and each frame between keys leaves out the same
def _without(points: FloorPoints, joints: frozenset[int]) -> FloorPoints:
    ground = points.ground
    counts = np.diff(ground.first)
    point = np.repeat(np.arange(len(counts)), counts)
    free = ~np.isin(ground.joints, np.array(sorted(joints), np.int64))
    moves = np.bincount(point, weights=free, minlength=len(counts)) > 0
    tips = np.repeat(np.arange(len(ground.begin) - 1), np.diff(ground.begin))[moves]
    own = moves[point]
    fewer = _ground(tips, counts[moves], ground.joints[own], ground.carried[own])
    return replace(points, ground=fewer._replace(gives=ground.gives))


def weakened_strength(strength: Array, share: float) -> Array:
    """From a strength (3,) to that of what has to give way, by powers of ten: a drag through the floor may not jump."""
    firm, raised = np.array(strength), np.array(RAISED)
    weight, force = (
        firm[0] ** (1 - share) * raised[0] ** share,
        ((firm[0] * firm[1]) ** (1 - share) * (raised[0] * raised[1]) ** share),
    )
    return np.array([weight, force / weight, firm[2] + share * (raised[2] - firm[2])])


def floor_points(body: Body, shape: BodyShape, hands: Hands | None = None) -> FloorPoints:
    """The points of a body of that shape, the fingers as `hands` have them; the same object for equal ones.

    Raises InputRefused if the embedded body's file of contact vertices cannot be read.
    """
    fingers = None if hands is None else hands.rotations.tobytes()
    return _points(body, shape.betas.tobytes(), shape.gender, fingers)


@memoised(16)
def _points(body: Body, betas: bytes, gender: str, fingers: bytes | None) -> FloorPoints:
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    hands = None if fingers is None else Hands(np.frombuffer(fingers, np.float32).reshape(-1, 3, 3))
    rig, (chosen, weights, tips) = body.rig(shape), _borne(body, gender)
    skin = skin_with(body, shape, hands)[chosen].astype(np.float64)
    return carried_points(rig, skin, weights, tips)


def carried_points(rig: Rig, skin: Array, weights: Array, tips: Indices) -> FloorPoints:
    """Points of a skin with the joints that carry them, in the order of the last joints of their ways, `tips` (N,).

    skin: (N, 3) metres, where they are at rest. weights: (N, J); see `single_chain_weights`. rig: of the solvers' own
    kind, whose joints stand in the world's axes at rest.
    """
    points, joints = np.nonzero(weights)
    at_rest = rig.rest_positions.astype(np.float64)
    counts = np.bincount(points, minlength=len(tips))
    shares, offsets = weights[points, joints, None], skin[points] - at_rest[joints]
    ground = _ground(tips, counts, joints, np.concatenate([shares * offsets, shares], axis=1))
    feet = frozenset(rig.joint(leg.end) for leg in LEGS if not rig.lacking([leg.end]))
    palms = {rig.joint(arm.end): rig.joint(arm.tip) for arm in ARMS if not rig.lacking([arm.end, arm.tip])}
    bends = [limb.hinge for limb in LIMBS if not rig.lacking([limb.hinge])]
    hinges = {rig.joint(role): rig.parents[rig.joint(role)] for role in bends}
    carrier = weights.argmax(axis=1)
    parts = {}
    for j in np.unique(carrier).tolist():
        with_j = carrier == (palms[j] if j in palms else j if j in feet else rig.parents[j])
        around = (carrier == j) | with_j
        parts[j] = skin[around] - at_rest[j]
    return FloorPoints(ground, MappingProxyType(parts), feet | palms.keys(), MappingProxyType(hinges))


@memoised(4)
def _borne(body: Body, gender: str) -> tuple[Indices, Array, Indices]:
    """The (N,) vertices that stand for the skin, in the order of the last joints of their ways from the root, with
    their weights and those joints (see `single_chain_weights`): the same for every shape, however the fingers are
    held."""
    chosen = np.asarray(contact_vertices(body), np.int64)
    weights, tips = single_chain_weights(body.rig(BodyShape(gender=gender)), body.weights[chosen].astype(np.float64))
    order = np.argsort(tips, kind="stable")
    return chosen[order], weights[order], tips[order]


def single_chain_weights(rig: Rig, weights: Array) -> tuple[Array, Indices]:
    """Weights (N, J) only of joints on one way from the root, and (N,) the last joint of each way.

    What little a joint beside the way carries, such as a collar beside the neck, goes to where the two ways part.
    """
    joints = len(rig)
    above = np.zeros((joints, joints), bool)  # above[j, k]: k is on the way from the root to j, j included
    for j, parent in enumerate(rig.parents):
        above[j, j] = True
        if parent >= 0:
            above[j] |= above[parent]
    kept = np.where(weights < SLIGHT, 0.0, weights)
    kept /= kept.sum(axis=1, keepdims=True)
    tips = np.where(kept > 0.0, kept @ above.T, 0.0).argmax(axis=1)  # where most of it is on the way
    for point, tip in enumerate(tips.tolist()):
        for j in np.flatnonzero((kept[point] > 0.0) & ~above[tip]).tolist():
            k = j
            while not above[tip, k]:
                k = rig.parents[k]
            kept[point, k] += kept[point, j]
            kept[point, j] = 0.0
    return kept, tips


def _ground(tips: Indices, counts: Indices, joints: Indices, carried: Array) -> Ground:
    """Points sorted by their last joints as kernels take them; counts (N,): how many joints carry each."""
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    size = int(tips.max(initial=-1)) + 1
    begin = np.searchsorted(tips, np.arange(size + 1)).astype(np.int64)
    reach = np.full((size, size), -1.0)
    away = np.linalg.norm(carried[:, :3], axis=1) / carried[:, 3]
    np.maximum.at(reach, (np.repeat(tips, counts), joints), away)
    return Ground(begin, reach, first, joints.astype(np.int64), np.ascontiguousarray(carried), GIVES)
