"""Where somebody who takes a pose stays: whoever moves over time on the foot that stands, who sits on their seat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.character import Character
from app.document.model.figure import skeleton_of
from app.document.posing.solving import floor_of
from solver.contact.floor_points import FloorPoints
from solver.ik.stance.idle_limbs import is_on_feet
from solver.ik.stance.seated import seat_of
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, Poses, pose_moved
from solver.kinematics.two_bones import brought_to
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Limb

Vector = NDArray[np.float64]
ON_M = 0.01  # metres above the floor at which skin is on it
THERE_M = 1e-4  # metres that a seat may be off
SEAT_M = 0.15  # metres by which a pose's seat may be higher or lower than what somebody sits on


def on_standing_foot(character: Character, pose: Pose) -> Pose:
    """The pose moved along the floor, with the foot that stands in it where it stands now; of two, the one that would
    go less far. Itself for a still person and who is not on their feet in both, whose pelvis stays, and where no foot
    stands in both."""
    skeleton = skeleton_of(character)
    if len(character.clip) == 1 or not all(is_on_feet(skeleton, each) for each in (character.pose, pose)):
        return pose
    floor = floor_of(character.body, character.shape, character.hands, character.solver_options)
    if floor is None:
        return pose
    now, then = (forward_kinematics(skeleton, each) for each in (character.pose, pose))
    both = [leg for leg in LEGS if _stands(character, floor, now, leg) and _stands(character, floor, then, leg)]
    balls = [rig_of(skeleton).joint(leg.tip) for leg in both]
    ways = [now.positions[ball].astype(np.float64) - then.positions[ball] for ball in balls]
    ways = [way * [1.0, 0.0, 1.0] for way in ways]
    return pose_moved(pose, min(ways, key=lambda way: float(np.linalg.norm(way)))) if ways else pose


def on_seat(character: Character, pose: Pose) -> Pose:
    """The pose moved to where its seat is on what the character sits on, with the feet that stand as high as before;
    itself where nobody sits, or that is much higher or lower."""
    skeleton = skeleton_of(character)
    seat, rig = seat_of(skeleton, character.effectors), rig_of(skeleton)
    world = forward_kinematics(skeleton, pose)
    if seat is None or seat.source is None:
        return pose
    way = seat.target.astype(np.float64) - seat.held_at(skeleton, world)
    floor = floor_of(character.body, character.shape, character.hands, character.solver_options)
    if abs(float(way[1])) > SEAT_M or np.abs(way).max() < THERE_M:
        return pose
    moved = pose_moved(pose, way)
    for leg in LEGS:
        if floor is None or not _stands(character, floor, world, leg):
            continue
        joints = rig.joint(leg.root), rig.joint(leg.hinge), rig.joint(leg.end)
        goal = world.positions[joints[2]] + way * [1.0, 0.0, 1.0]
        moved = brought_to(skeleton, Poses.of([moved]), joints, goal[None]).each()[0]
        shin = forward_kinematics(skeleton, moved).rotations[skeleton.parents[joints[2]]]
        rotations = moved.rotations.copy()
        rotations[joints[2]] = shin.T @ world.rotations[joints[2]]
        moved = Pose(moved.root_position, rotations)
    return moved


def _stands(character: Character, floor: FloorPoints, world: WorldJoints, leg: Limb) -> bool:
    """Whether skin of a foot is on the floor."""
    rig = rig_of(skeleton_of(character))
    if rig.lacking([leg.end, leg.tip]):
        return False
    mine = np.isin(floor.carriers, [rig.joint(leg.end), rig.joint(leg.tip)])
    return bool(floor.places(world)[mine, 1].min(initial=np.inf) < ON_M)
