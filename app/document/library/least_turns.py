"""Joints turned by as little as brings points of skin some way along given directions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import BEND, JointLimits, joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, interpolate, nearest_rotation
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LIMBS, SPINE, TRUNK, Role

Array = NDArray[np.float64]
STEP = 0.25  # radians that a joint turns at most at once
BEYOND = 0.05  # radians beyond its range that a joint may be turned
GIVES, HALVINGS = (0.5, 0.5, 0.5, 0.0), 5  # how much less readily those turn, time after time, that would be further
GOES_M, BENDS = 0.3, 0.3  # how readily people go up or down, metres, and limbs bend, radians
STIFF = {  # other joints, radians
    Role.PELVIS: 0.1,
    **dict.fromkeys(SPINE, 0.05),
    **dict.fromkeys(HEAD_AND_NECK, 0.2),
    **{arm.girdle: 0.05 for arm in ARMS if arm.girdle is not None},
}


FREE = (*TRUNK, *HEAD_AND_NECK, *(each for limb in LIMBS for each in (limb.girdle, limb.root, limb.end) if each))
HINGES = tuple(limb.hinge for limb in LIMBS)


class Asked(NamedTuple):
    """A point, (3,) metres, that a joint carries, and how many metres it is to go along a unit way, (3,). firm: metres
    that it may be off for less turning. seen: a point and the joint that carries it, from which that is seen."""

    joint: int
    at: Array
    way: Array
    gap: float
    firm: float
    seen: tuple[int, Array] | None = None


class _Ways(NamedTuple):
    """D ways in which a body gives. joints: (D,) which joint turns; -1: it goes up or down. axes: (D, 3), about which,
    in the world; of hinges in the joint's own frame. ready: (D,) how readily. carried: (J, D) which joints go along."""

    joints: NDArray[np.int64]
    axes: Array
    hinges: NDArray[np.bool_]
    ready: Array
    carried: NDArray[np.bool_]


class Turning(NamedTuple):
    """A body on its way. turned: (D,) how far its D ways have gone, radians, and metres up. roles: of the joints that
    turn; with that of the pelvis the whole body goes up or down, too. turns: (3, 3) of joints that keep theirs in the
    world."""

    skeleton: Skeleton
    pose: Pose
    roles: Collection[Role]
    turns: Mapping[int, Array]
    turned: Array | None = None

    def nearer(self, asked: Sequence[Asked]) -> Turning:
        """Its joints turned by about as little as brings points where they are asked to be, none of them further beyond
        its range than `BEYOND` or than it is already."""
        skeleton, pose, roles, turns, before = self
        ways, world = _ways(skeleton), forward_kinematics(skeleton, pose)
        places, rotations = world.positions.astype(np.float64), world.rotations.astype(np.float64)
        axes = np.where(ways.hinges[:, None], np.einsum("dij,dj->di", rotations[ways.joints], ways.axes), ways.axes)
        before = np.zeros(len(axes)) if before is None else before

        def goes(joint: int, at: Array, way: Array) -> Array:
            """(D,) metres that a point goes along a way for a radian, or a metre up."""
            along = np.cross(axes, at - places[ways.joints]) @ way
            return np.asarray(np.where(ways.joints < 0, way[1], along) * ways.carried[joint])

        moves = np.stack([goes(each.joint, each.at, each.way) for each in asked])
        for row, each in enumerate(asked):
            if each.seen is not None:
                moves[row] -= goes(*each.seen, each.way)
        gaps, firm = np.array([each.gap for each in asked]), np.array([each.firm for each in asked])
        rig = rig_of(skeleton)
        turning = [rig.joint(role) for role in roles if not rig.lacking([role])]
        ready = np.where(np.isin(ways.joints, [*turning, *([-1] if Role.PELVIS in roles else [])]), ways.ready, 0.0)
        limits = joint_limits(skeleton.names)
        most = np.maximum(limits.excess(pose.rotations), BEYOND)
        for give in GIVES:
            shares = moves * ready**2
            step = shares.T @ np.linalg.solve(shares @ moves.T + np.diag(firm**2), gaps + moves @ before) - before
            step *= min(1.0, STEP / max(float(np.abs(step).max()), STEP))
            local = pose.rotations.astype(np.float64)
            for joint in np.unique(ways.joints[step != 0.0]).tolist():
                if joint >= 0:
                    mine, over = ways.joints == joint, rotations[skeleton.parents[joint]] if joint else np.eye(3)
                    local[joint] = over.T @ from_rotation_vector(step[mine] @ axes[mine]) @ over @ local[joint]
            if not (stuck := np.flatnonzero(limits.excess(local) > most)).size:
                break
            ready = np.where(np.isin(ways.joints, stuck), give * ready, ready)
        else:
            step = np.where(np.isin(ways.joints, stuck), 0.0, step)
            local[stuck] = pose.rotations[stuck]
        root = pose.root_position + np.array([0.0, step[0], 0.0], np.float32)
        after = forward_kinematics(skeleton, Pose(root, local.astype(np.float32))).rotations
        for end, turn in turns.items():
            local[end] = after[skeleton.parents[end]].T @ turn
        for end in np.flatnonzero(limits.excess(local) > most).tolist():
            local[end] = _as_far(limits, local, end, pose.rotations[end], float(most[end]))
        straight = nearest_rotation(local).astype(np.float32)  # rounding would grow from step to step
        return self._replace(pose=Pose(root, straight), turned=before + step)


def _as_far(limits: JointLimits, local: Array, joint: int, start: Array, most: float) -> Array:
    """(3, 3) a joint's turn on the way from another one, as far as it stays within `most` radians of its range."""
    one = joint_limits((limits.names[joint],))
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        half = (low + high) / 2.0
        turn = interpolate(start[None], local[joint][None], half)
        low, high = (half, high) if float(one.excess(turn)[0]) <= most else (low, half)
    return np.asarray(interpolate(start[None], local[joint][None], low)[0], np.float64)


@memoised(8, by_identity=True)
def _ways(skeleton: Skeleton) -> _Ways:
    rig = rig_of(skeleton)
    has = {role for role in Role if role not in rig.merged and not rig.lacking([role])}
    found: list[tuple[int, Array, bool, float]] = [(-1, np.zeros(3), False, GOES_M)]
    for role in FREE:
        axes = np.eye(3)[[0, 2]] if role is Role.PELVIS else np.eye(3)
        found += [(rig.joint(role), axis, False, STIFF.get(role, BENDS)) for axis in axes if role in has]
    for joint in (rig.joint(limb.hinge) for limb in LIMBS if limb.hinge in has):
        found.append((joint, joint_limits((skeleton.names[joint],)).frames[0][:, BEND], True, BENDS))
    joints, axes, hinges, ready = (np.array(each) for each in zip(*found, strict=True))
    carried = np.zeros((len(skeleton), len(found)), np.bool_)
    for joint, parent in enumerate(skeleton.parents):
        carried[joint] = (joints == joint) | (carried[parent] if parent >= 0 else joints < 0)
    return _Ways(joints, axes, hinges, ready, carried)
