"""One side of a body posed like the other: limbs copied across, or exchanged, where the character stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.fitting_effectors import with_ids
from app.document.posing.mirroring import middle_plane
from app.document.posing.placing import skin_of
from solver.effectors.asleep import is_asleep
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.ik.multi_solve.only_limb import LimbHold, only_joints
from solver.ik.options import SOLID_FLOOR
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.mirroring import mirror_pose
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, BODY_PARTS, LIMBS, SIDES

SUNK = 0.005  # metres of skin in a solid floor; with less, what is copied stays exactly as it is


def limb_joints(character: Character, chosen: Iterable[str], side: str) -> frozenset[str]:
    """The joints on a side ("left" or "right") of the limbs that the chosen joints belong to, on whichever side; of all
    limbs if they belong to none."""
    rig, among = rig_of(skeleton_of(character)), set(chosen)
    among |= set(map(rig.mirrored_name, among))
    meant = [limb for limb in LIMBS if among & set(rig.names_of(limb.joints))]
    return frozenset(name for limb in meant or LIMBS if limb.side == side for name in rig.names_of(limb.joints))


def part_joints(character: Character, chosen: Iterable[str]) -> frozenset[str]:
    """The joints of the body parts that the chosen joints belong to, those of the other side as well."""
    rig, among = rig_of(skeleton_of(character)), set(chosen)
    parts = (rig.names_of(roles) for roles in BODY_PARTS.values())
    mine = {name for names in parts if among & set(names) for name in names}
    return frozenset({*mine, *map(rig.mirrored_name, mine)})


def copied_across(character: Character, joints: frozenset[str]) -> Character:
    """The character with `joints` posed and held like those of the other side, mirrored.

    Every effector there gets a counterpart: added if there is none; one that was there already takes over everything,
    tolerance included. Nothing pulls afterwards, except out of a solid floor: see `out_of_floor`. Fingers go along with
    their wrist.
    """
    posed = _posed(character, joints)
    rig, skeleton, after = rig_of(skeleton_of(character)), skeleton_of(character), joints_of(posed)
    givers = {e.id: e for e in character.effectors if rig.mirrored_name(e.joint) in joints and not is_asleep(e)}
    kept = [e for e in posed.effectors if not (e.joint in joints and _giver_of(e, givers.values(), rig))]
    plane = middle_plane(character.pose)
    for giver in givers.values():
        there = next((e for e in character.effectors if e.joint in joints and _giver_of(e, [giver], rig)), None)
        seen = giver.mirrored(plane, rig.mirrored_name(giver.joint)).at_pose(skeleton, after)
        kept.append(replace(seen, id=there.id if there else "", source=None))
    order = {e.id: number for number, e in enumerate(character.effectors)}
    kept.sort(key=lambda e: order.get(e.id, len(order)))
    return _asked_out_of_floor(replace(posed, effectors=with_ids(tuple(kept))), joints)


def exchanged(character: Character, joints: frozenset[str]) -> Character:
    """The character with left and right exchanged at these joints, which must be of both sides; those in the middle are
    mirrored. Effectors on them change sides as well; a solid floor does to them as in `copied_across`."""
    posed = _posed(character, joints)
    rig, skeleton, after = rig_of(skeleton_of(character)), skeleton_of(character), joints_of(posed)
    plane = middle_plane(character.pose)

    def across(before: Effector, moved: Effector) -> Effector:
        if before.joint not in joints or is_asleep(before):
            return moved
        seen = before.mirrored(plane, rig.mirrored_name(before.joint))
        return replace(seen.at_pose(skeleton, after), source=None)

    return _asked_out_of_floor(
        replace(posed, effectors=tuple(map(across, character.effectors, posed.effectors))), joints
    )


def out_of_floor(character: Character, joints: frozenset[str]) -> LimbHold | None:
    """What stays while limbs that these joints are on come out of a solid floor; None if none is in it.

    A limb that is copied to the other side of a pelvis that leans ends that much lower or higher there.
    """
    sunk = _sunk(character, joints)
    return only_joints(skeleton_of(character), sunk, "copied limbs", character.pose) if sunk else None


def _asked_out_of_floor(character: Character, joints: frozenset[str]) -> Character:
    """The character with what holds a point of a limb raised by as much as the limb's skin is in a solid floor."""
    sunk = _sunk(character, joints)
    up = np.array([0.0, 1.0, 0.0], np.float32)
    return replace(
        character,
        effectors=tuple(
            replace(e, target=e.target - sunk[e.joint] * up) if isinstance(e, PointEffector) and e.joint in sunk else e
            for e in character.effectors
        ),
    )


def _sunk(character: Character, joints: frozenset[str]) -> dict[str, float]:
    """The joints of limbs that the joints are on or carry and that are in a solid floor, each with the height of its
    limb's lowest skin, in metres."""
    if not SOLID_FLOOR.of(character.solver_options):
        return {}
    body, rig = body_of(character), rig_of(skeleton_of(character))
    heights = skin_of(character)[:, 1]
    found, moved = dict[str, float](), set(joints)
    for name, parent in zip(rig.names, rig.parents, strict=True):
        if parent >= 0 and rig.names[parent] in moved:
            moved.add(name)
    for limb in LIMBS:
        names = [name for name in rig.names_of(limb.joints) if name in moved]
        borne = body.weights[:, [rig.index(name) for name in names]].sum(axis=1) > 0.5
        lowest = float(heights[borne].min(initial=0.0))
        found |= dict.fromkeys(names, lowest) if lowest <= -SUNK else {}
    return found


def _posed(character: Character, joints: frozenset[str]) -> Character:
    """The character with these joints turned like those of the other side; effectors on what moved follow."""
    skeleton, pose = skeleton_of(character), character.pose
    seen = mirror_pose(skeleton, pose, middle_plane(pose))
    taken = np.array([name in joints for name in skeleton.names])[:, None, None]
    rotations = np.where(taken, seen.rotations, pose.rotations)
    after = Pose(pose.root_position, rotations)
    base = Pose(character.base_pose.root_position, np.where(taken, rotations, character.base_pose.rotations))
    before, then = joints_of(character), forward_kinematics(skeleton, after)
    effectors = tuple(
        e if is_asleep(e) or _same(before, then, skeleton.index(e.joint)) else e.at_pose(skeleton, then, before)
        for e in character.effectors
    )
    rig = rig_of(skeleton)
    sides = [SIDES.index(arm.side) for arm in ARMS if not rig.lacking([arm.end]) and rig.name(arm.end) in joints]
    hands = character.hands and character.hands.mixed(character.hands.mirrored(), 1.0, sides)
    return replace(character, pose=after, base_pose=base, effectors=effectors, hands=hands)


def _giver_of(effector: Effector, givers: Iterable[Effector], rig: Rig) -> bool:
    """Whether one of these is the counterpart of an effector."""
    return any(g.kind == effector.kind and rig.mirrored_name(g.joint) == effector.joint for g in givers)


def _same(one: WorldJoints, other: WorldJoints, joint: int) -> bool:
    pairs = ((one.positions, other.positions), (one.rotations, other.rotations))
    return all(np.allclose(a[joint], b[joint], atol=1e-6) for a, b in pairs)
