"""What lies on the floor in a file does so on other builds: joints turn by as little as brings skin to its height."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.hands import Hands
from solver.contact.floor_points import FloorPoints, floor_points
from solver.formats.pose_json.pose_file import PosePerson
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import BEND, joint_limits
from solver.kinematics.pose import Pose, pose_moved, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, ENDS, HEAD_AND_NECK, LIMBS, SPINE, TRUNK, Role

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Part = tuple[Role, bool]  # whose skin, and whether it is that joint's half that is further from the trunk

LIES_M, NEAR_M = 0.01, 0.05  # metres above the floor up to which skin lies on it, and hands, feet and heads count
THERE_M, FIRM_M, SOFT_M = 2e-3, 3e-3, 1e-2  # metres that parts may be off in the end; for less turning; of the trunk
LESS = 0.1  # how much less firmly for each metre above the floor
ROUNDS, STEP = 8, 0.25  # radians that a joint turns at most in a round
GOES_M, BENDS = 0.3, 0.3  # how readily people go up or down, metres, and limbs bend, radians
STIFF = {Role.PELVIS: 0.1, **dict.fromkeys(SPINE, 0.05), **dict.fromkeys(HEAD_AND_NECK, 0.2)}  # others, radians
SOFT = {(role, False) for role in (*TRUNK, *(limb.root for limb in LIMBS))}
ENDMOST = {(role, False) for role in ENDS}
WHOSE = {  # whose skin some joints' is
    Role.NECK: Role.HEAD,
    **{limb.tip: limb.end for limb in LIMBS},
    **{arm.girdle: Role.SPINE3 for arm in ARMS if arm.girdle is not None},
}


class Build(NamedTuple):
    """Somebody's body, and how they hold their fingers."""

    body: Body
    shape: BodyShape
    hands: Hands | None

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of that body and shape."""
        return self.body.skeleton(self.shape)


class _Asked(NamedTuple):
    """The lowest point of a part, (3,) metres, and how far it is to go up."""

    part: Part
    at: Array
    gap: float


class _Ways(NamedTuple):
    """D ways in which a body gives. joints: (D,) which joint turns; -1: it goes up or down. axes: (D, 3), about which,
    in the world; of hinges in the joint's own frame. ready: (D,) how readily. carried: (J, D) which joints go along."""

    joints: Indices
    axes: Array
    hinges: NDArray[np.bool_]
    ready: Array
    carried: NDArray[np.bool_]


@memoised(8, by_identity=True)
def floored_pose(person: PosePerson, there: Body, here: Body, shape: BodyShape, hands: Hands | None) -> Pose:
    """A file's pose on another build, `floored`; kept while that is asked again, as for each share of the way."""
    return floored(Build(there, person.shape, hands), person.pose, Build(here, shape, hands), person.pose)


def floored(there: Build, shown: Pose, here: Build, pose: Pose) -> Pose:
    """The pose on a build with what lies on the floor in another one's pose on the floor here too, and nothing below.

    there, shown: the build and the pose as it is to look. here, pose: another build, and the same turns on it. Ends of
    limbs that lie there keep their turn in the world. The pose itself where nothing lies on the floor.
    """
    skeleton, rig = here.skeleton, rig_of(here.skeleton)
    size = rig.leg_length / rig_of(there.skeleton).leg_length
    heights = {part: size * float(at[1]) for part, at in _lowest(_points(there), there.skeleton, shown)}
    lying = {part: high for part, high in heights.items() if high < (NEAR_M if part in ENDMOST else LIES_M)}
    if min(lying.values(), default=np.inf) > LIES_M:
        return pose
    ends = [rig.joint(limb.end) for limb in LIMBS if (limb.end, False) in lying and not rig.lacking([limb.end])]
    turns = {end: forward_kinematics(skeleton, pose).rotations[end].astype(np.float64) for end in ends}
    points = _points(here)

    def asked(pose: Pose) -> list[_Asked]:
        return [_Asked(part, at, lying.get(part, 0.0) - at[1]) for part, at in _lowest(points, skeleton, pose)]

    up = max((each.gap for each in asked(pose) if each.part in lying), default=0.0)
    best = pose = pose_moved(pose, np.array([0.0, up, 0.0]))
    turned, least = np.zeros(len(_ways(skeleton).joints)), np.inf
    for _ in range(ROUNDS):
        wanted = [each for each in asked(pose) if each.part in lying or each.gap > 0.0]
        off = max((abs(each.gap) for each in wanted), default=0.0)
        if off < least:
            best, least = pose, off
        if off < THERE_M:
            break
        pose, turned = _nearer(skeleton, pose, wanted, turns, turned)
    return best


def _nearer(
    skeleton: Skeleton, pose: Pose, asked: Sequence[_Asked], turns: Mapping[int, Array], before: Array
) -> tuple[Pose, Array]:
    """The pose with joints turned by about as little as brings points up as asked, and how far they have in all, (D,).

    turns: of joints that keep theirs in the world, (3, 3). before: how far they had turned until now, (D,).
    """
    rig, ways, world = rig_of(skeleton), _ways(skeleton), forward_kinematics(skeleton, pose)
    places, rotations = world.positions.astype(np.float64), world.rotations.astype(np.float64)
    axes = np.where(ways.hinges[:, None], np.einsum("dij,dj->di", rotations[ways.joints], ways.axes), ways.axes)
    joints = [rig.joint(each.part[0]) for each in asked]
    points = np.stack([places[j] if j in turns else each.at for j, each in zip(joints, asked, strict=True)])
    rises = np.cross(axes, points[:, None] - places[ways.joints])[:, :, 1]
    rises = np.where(ways.joints < 0, 1.0, rises) * ways.carried[joints]
    firm = [(SOFT_M if each.part in SOFT else FIRM_M) + LESS * each.at[1] for each in asked]
    shares, gaps = rises * ways.ready**2, np.array([each.gap for each in asked])
    goal = shares.T @ np.linalg.solve(shares @ rises.T + np.diag(np.square(firm)), gaps + rises @ before)
    step = goal - before
    step *= min(1.0, STEP / max(float(np.abs(step).max()), STEP))
    local = pose.rotations.astype(np.float64)
    for joint in np.unique(ways.joints[1:]).tolist():
        mine, over = ways.joints == joint, rotations[skeleton.parents[joint]] if joint else np.eye(3)
        local[joint] = over.T @ from_rotation_vector(step[mine] @ axes[mine]) @ over @ local[joint]
    root = pose.root_position + np.array([0.0, step[0], 0.0], np.float32)
    after = forward_kinematics(skeleton, Pose(root, local.astype(np.float32))).rotations
    for end, turn in turns.items():
        local[end] = after[skeleton.parents[end]].T @ turn
    return Pose(root, local.astype(np.float32)), before + step


@memoised(8, by_identity=True)
def _ways(skeleton: Skeleton) -> _Ways:
    rig = rig_of(skeleton)
    has = {role for role in Role if role not in rig.merged and not rig.lacking([role])}
    found: list[tuple[int, Array, bool, float]] = [(-1, np.zeros(3), False, GOES_M)]
    for role in (*TRUNK, *HEAD_AND_NECK, *(limb.root for limb in LIMBS)):
        axes = np.eye(3)[[0, 2]] if role is Role.PELVIS else np.eye(3)
        found += [(rig.joint(role), axis, False, STIFF.get(role, BENDS)) for axis in axes if role in has]
    for joint in (rig.joint(limb.hinge) for limb in LIMBS if limb.hinge in has):
        found.append((joint, joint_limits((skeleton.names[joint],)).frames[0][:, BEND], True, BENDS))
    joints, axes, hinges, ready = (np.array(each) for each in zip(*found, strict=True))
    carried = np.zeros((len(skeleton), len(found)), np.bool_)
    for joint, parent in enumerate(skeleton.parents):
        carried[joint] = (joints == joint) | (carried[parent] if parent >= 0 else joints < 0)
    return _Ways(joints, axes, hinges, ready, carried)


def _lowest(
    points: tuple[FloorPoints, Sequence[tuple[Part, Indices]]], skeleton: Skeleton, pose: Pose
) -> list[tuple[Part, Array]]:
    """The lowest point, (3,) metres, of each part of a posed body's skin."""
    floor, parts = points
    places = floor.places(forward_kinematics(skeleton, pose))
    return [(part, places[mine[places[mine, 1].argmin()]]) for part, mine in parts]


def _points(build: Build) -> tuple[FloorPoints, list[tuple[Part, Indices]]]:
    """What of a body a floor holds up, and which of it belongs to what."""
    floor, rig = floor_points(*build), rig_of(build.skeleton)
    roles = [WHOSE.get(role, role) if role is not None else None for role in map(rig.role_of, rig.names)]
    below = {limb.root: limb.hinge for limb in LIMBS} | {limb.hinge: limb.end for limb in LIMBS}
    carriers, found = floor.carriers, dict[Part, Indices]()
    rest = rig.rest_positions.astype(np.float64)
    places = floor.places(forward_kinematics(build.skeleton, rest_pose(build.skeleton)))
    for role in dict.fromkeys(each for each in roles if each is not None and not rig.lacking([each])):
        mine = np.flatnonzero(np.isin(carriers, [joint for joint, each in enumerate(roles) if each is role]))
        if role in below and not rig.lacking([below[role]]):
            bone = rest[rig.joint(below[role])] - rest[rig.joint(role)]
            far = (places[mine] - rest[rig.joint(role)] - bone / 2.0) @ bone > 0.0
            found |= {(role, False): mine[~far], (role, True): mine[far]}
        else:
            found[role, False] = mine
    return floor, [(part, mine) for part, mine in found.items() if len(mine)]
