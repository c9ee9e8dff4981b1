"""Fingers of a BVH file of any program, as our hands hold them over time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from solver.body.hands import HandMotion, Hands, hands_or_motion, relaxed_hands
from solver.body.whole_rig import FINGER_JOINTS, HANDS, carrier, moving_joint
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.motion import alignment_of, parts
from solver.formats.bvh.rest_alignment import LEAVE_ALONE, LEAVE_ALONE_SMPL
from solver.formats.bvh.world import BvhWorld
from solver.kinematics.rotations import angle_between, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.finger_recognition import recognise_fingers
from solver.rig.joint_recognition import JointMap
from solver.rig.roles import ARMS

Array = NDArray[np.floating]

STILL = np.radians(0.1)  # fingers that turn no more than this from the file's rest say nothing
WRISTS = dict(zip(HANDS, (arm.end.value for arm in ARMS), strict=True))


def finger_joints(bvh: BvhFile) -> dict[str, int]:
    """The fingers' joints by our names, as indices into the file's joints; none for a file without fingers."""
    found = bvh.joint_map
    return recognise_fingers(bvh.names, bvh.parents, found.joints)


def bvh_hands(bvh: BvhFile, whole: Skeleton, at_rest: bool = False) -> Hands | HandMotion | None:
    """How the hands are held over the file's frames, on the skeleton with fingers of our body.

    Directions of bones are kept, and a hand without fingers is at ease. None if the file has no fingers, if they stay
    as in its rest pose, or if that pose tells nothing about how fingers stand. at_rest: give them as well where they
    stay as in the rest pose.
    """
    found = bvh.joint_map
    fingers = recognise_fingers(bvh.names, bvh.parents, found.joints)
    corrections = finger_corrections(bvh, whole)
    if corrections is None:
        return None
    hands = _hands(found, fingers)
    turns = np.empty((len(bvh), len(FINGER_JOINTS), 3, 3), np.float32)
    at_ease, turned = relaxed_hands().rotations, False
    for part in parts(len(bvh)):
        world = BvhWorld(bvh, part)
        ours = {hand: world.rotation(found.joints[joint]) @ corrections[hand] for hand, joint in hands.items()}
        for place, joint in enumerate(FINGER_JOINTS):
            above = ours.get(carrier(joint), np.eye(3))
            ours[joint] = world.rotation(fingers[joint]) @ corrections[joint] if joint in fingers else above
            seen = any(name.startswith(joint.partition("_")[0]) for name in fingers)
            turns[part, place] = np.swapaxes(above, -1, -2) @ ours[joint] if seen else at_ease[place]
        turned = turned or _turned(bvh, fingers, world)
    return hands_or_motion(turns) if turned or at_rest else None


def finger_corrections(bvh: BvhFile, whole: Skeleton) -> dict[str, Array] | None:
    """For our hands and each finger joint of the file (3, 3) with R_world_ours = R_world_file @ correction. None if it
    has no fingers, or its rest pose tells nothing about how they stand."""
    found, fingers = bvh.joint_map, finger_joints(bvh)
    alignment = alignment_of(bvh, found, whole)
    if not fingers or alignment.collapsed:
        return None
    hands = {hand: alignment.corrections[joint] for hand, joint in _hands(found, fingers).items()}
    return hands | _corrections(bvh, whole, fingers, hands, found.family == "SMPL")


def _hands(found: JointMap, fingers: Mapping[str, int]) -> dict[str, str]:
    """From which of the file's joints, by our names, each hand takes its turn: its own if there is one beside the
    fingers, else the wrist's."""
    own = {hand: hand if hand in found.joints and found.joints[hand] not in fingers.values() else WRISTS[hand]
           for hand in HANDS}  # fmt: skip
    return {hand: joint for hand, joint in own.items() if joint in found.joints}


def _corrections(
    bvh: BvhFile, whole: Skeleton, fingers: Mapping[str, int], hands: Mapping[str, Array], smpl_names: bool
) -> dict[str, Array]:
    """For each finger joint (3, 3) with R_world_ours = R_world_file @ correction."""
    limit, ours, theirs = LEAVE_ALONE_SMPL if smpl_names else LEAVE_ALONE, whole.rest_positions, bvh.rest_positions
    known = dict(hands)
    for joint in FINGER_JOINTS:
        if joint not in fingers:
            continue
        correction = known[carrier(joint)]
        behind = f"{joint[:-1]}{int(joint[-1]) + 1}"
        if behind in fingers:
            bone = ours[whole.index(behind)] - ours[whole.index(joint)]
            seen, wanted = hands[moving_joint(joint)] @ bone, theirs[fingers[behind]] - theirs[fingers[joint]]
            off = np.linalg.norm(wanted) > 1e-6 and angle_between(seen, wanted) > limit
            correction = (
                rotation_between(seen, wanted) @ hands[moving_joint(joint)] if off else hands[moving_joint(joint)]
            )
        known[joint] = correction
    return {joint: known[joint] for joint in fingers}


def _turned(bvh: BvhFile, fingers: Mapping[str, int], world: BvhWorld) -> bool:
    """Whether any finger leaves the file's rest pose."""
    for j in fingers.values():
        local = np.swapaxes(world.rotation(bvh.parents[j]), -1, -2) @ world.rotation(j)
        if (np.trace(local, axis1=-2, axis2=-1) < 1.0 + 2.0 * np.cos(STILL)).any():
            return True
    return False
