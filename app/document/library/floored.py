"""What lies on the floor in a file does so on other builds: joints turn by as little as brings skin to its height."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.document.library.least_turns import Asked, Turning
from solver.contact.floor_points import FloorPoints, floor_points
from solver.contact.intersections import Skinned
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_moved, rest_pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, ENDS, HEAD_AND_NECK, LIMBS, TRUNK, Role

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Part = tuple[Role, bool]  # whose skin, and whether it is that joint's half that is further from the trunk

LIES_M, NEAR_M = 0.007, 0.05  # metres above the floor up to which skin lies on it, and hands, feet and heads count
THERE_M, FIRM_M, SOFT_M = 2e-3, 3e-3, 1e-2  # metres that parts may be off in the end; for less turning; of the trunk
LESS = 0.1  # how much less firmly for each metre above the floor
ROUNDS = 8
UP = np.array([0.0, 1.0, 0.0])
MOVING = (*TRUNK, *HEAD_AND_NECK, *(role for limb in LIMBS for role in limb.line[:2]))
SOFT = {(role, False) for role in (*TRUNK, *(limb.root for limb in LIMBS))}
ENDMOST = {(role, False) for role in ENDS}
WHOSE = {  # whose skin some joints' is
    Role.NECK: Role.HEAD,
    **{limb.tip: limb.end for limb in LIMBS},
    **{arm.girdle: Role.SPINE3 for arm in ARMS if arm.girdle is not None},
}


def floored(there: Skinned, here: Skinned) -> Pose:
    """The pose on a build with what lies on the floor in another one's pose on the floor here too, and nothing below.

    there: as it is to look. here: the same turns on another build. Ends of limbs that lie there keep their turn in the
    world. The pose itself where nothing lies on the floor.
    """
    skeleton, rig = here.body.skeleton(here.shape), rig_of(here.body.skeleton(here.shape))
    whole = there.body.skeleton(there.shape)
    size = rig.leg_length / rig_of(whole).leg_length
    heights = {part: size * float(at[1]) for part, at in _lowest(_points(there), whole, there.pose)}
    lying = {part: high for part, high in heights.items() if high < (NEAR_M if part in ENDMOST else LIES_M)}
    if min(lying.values(), default=np.inf) > LIES_M:
        return here.pose
    ends = [rig.joint(limb.end) for limb in LIMBS if (limb.end, False) in lying and not rig.lacking([limb.end])]
    world, points = forward_kinematics(skeleton, here.pose), _points(here)
    turns = {end: world.rotations[end].astype(np.float64) for end in ends}

    def asked(pose: Pose) -> list[Asked]:
        places = forward_kinematics(skeleton, pose).positions.astype(np.float64)
        found = []
        for part, at in _lowest(points, skeleton, pose):
            joint, gap = rig.joint(part[0]), lying.get(part, 0.0) - float(at[1])
            if part in lying or gap > 0.0:
                firm = (SOFT_M if part in SOFT else FIRM_M) + LESS * float(at[1])
                found.append(Asked(joint, places[joint] if joint in turns else at, UP, gap, firm))
        return found

    up = max(lying[part] - at[1] for part, at in _lowest(points, skeleton, here.pose) if part in lying)
    body = Turning(skeleton, pose_moved(here.pose, up * UP), MOVING, turns)
    best, least = body.pose, np.inf
    for _ in range(ROUNDS):
        wanted = asked(body.pose)
        off = max((abs(each.gap) for each in wanted), default=0.0)
        if off < least:
            best, least = body.pose, off
        if off < THERE_M:
            break
        body = body.nearer(wanted)
    return best


def ends_on_floor(person: Skinned) -> list[int]:
    """The joints of hands and feet that lie on the floor."""
    rig = rig_of(person.body.skeleton(person.shape))
    low = dict(_lowest(_points(person), rig, person.pose))
    parts = [(limb.end, False) for limb in LIMBS]
    return [rig.joint(part[0]) for part in parts if part in low and low[part][1] < NEAR_M]


def _lowest(
    points: tuple[FloorPoints, Sequence[tuple[Part, Indices]]], skeleton: Skeleton, pose: Pose
) -> list[tuple[Part, Array]]:
    """The lowest point, (3,) metres, of each part of a posed body's skin."""
    floor, parts = points
    places = floor.places(forward_kinematics(skeleton, pose))
    return [(part, places[mine[places[mine, 1].argmin()]]) for part, mine in parts]


def _points(build: Skinned) -> tuple[FloorPoints, Sequence[tuple[Part, Indices]]]:
    """What of a body a floor holds up, and which of it belongs to what."""
    floor = floor_points(build.body, build.shape, build.hands)
    return floor, _parts(floor, build.body.skeleton(build.shape))


@memoised(8, by_identity=True)
def _parts(floor: FloorPoints, skeleton: Skeleton) -> Sequence[tuple[Part, Indices]]:
    rig = rig_of(skeleton)
    roles = [WHOSE.get(role, role) if role is not None else None for role in map(rig.role_of, rig.names)]
    below = {limb.root: limb.hinge for limb in LIMBS} | {limb.hinge: limb.end for limb in LIMBS}
    carriers, found = floor.carriers, dict[Part, Indices]()
    rest = rig.rest_positions.astype(np.float64)
    places = floor.places(forward_kinematics(rig, rest_pose(rig)))
    for role in dict.fromkeys(each for each in roles if each is not None and not rig.lacking([each])):
        mine = np.flatnonzero(np.isin(carriers, [joint for joint, each in enumerate(roles) if each is role]))
        if role in below and not rig.lacking([below[role]]):
            bone = rest[rig.joint(below[role])] - rest[rig.joint(role)]
            far = (places[mine] - rest[rig.joint(role)] - bone / 2.0) @ bone > 0.0
            found |= {(role, False): mine[~far], (role, True): mine[far]}
        else:
            found[role, False] = mine
    return tuple((part, mine) for part, mine in found.items() if len(mine))
