"""Which joint each tracker sits on, by where they are while the wearer stands upright."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, SIDES, Role
from solver.rig.unity_bones import BONE_ROLES
from solver.trackers.attachment import Attachment
from solver.trackers.outlier_filter import OutlierFilter
from solver.trackers.sample import BONE_PREFIX, Reading, TrackerSample
from solver.trackers.simulated_trackers import ANKLES, WRISTS
from solver.trackers.stances import stances
from solver.trackers.standing_wearer import FLAT, Array, eye_height, position_of, yaw_of, yaw_rotation

USUAL = (Role.PELVIS, *WRISTS, *ANKLES)
SELDOM = (*(arm.hinge for arm in ARMS), *(leg.hinge for leg in LEGS), Role.SPINE3)
RARE_M = 0.08  # how much nearer a tracker has to be to a joint that seldom wears one
OTHER_SIDE_M = 10.0  # what a name that says “left” costs on the right
HELD, NOT_HELD_M = "controller", 3.0  # what hands hold, by its name, and what it costs anywhere else: more than a body


def assign_joints(sample: TrackerSample, skeleton: Skeleton) -> dict[str, Attachment]:
    """Which joint each tracker sits on, by where they are while the wearer stands upright.

    The highest is the head's; the others go to hands, feet and pelvis, or to elbows, knees and chest if they are
    clearly nearer. A tracker named after a joint sits on it; one with a side in its name is on that side, and a
    controller, by its name or by what its sender calls it, is in a hand while one is free, however the wearer stands.
    Without a place, or beyond what a body has, a tracker is on no joint. Bones of a sender's figure are on their own
    joints, unless a tracker is there.
    """
    bones = {name for name in sample.readings if name.startswith(BONE_PREFIX)}
    trackers = {name: reading for name, reading in sample.readings.items() if name not in bones}
    found, rig = _placed(TrackerSample(sample.time_s, trackers), skeleton), rig_of(skeleton)
    taken = {worn.joint for worn in found.values()}
    for name in bones:
        role = BONE_ROLES.get(name.removeprefix(BONE_PREFIX))
        joint = "" if role is None or rig.lacking([role]) else rig.name(role)
        found[name] = Attachment("" if joint in taken else joint)
    return {name: found[name] for name in sample.readings}


def _placed(sample: TrackerSample, skeleton: Skeleton) -> dict[str, Attachment]:
    """Which joint each tracker sits on, by its name or by its place."""
    rig = rig_of(skeleton)
    found = {name: Attachment(name if name in skeleton.names else "") for name in sample.readings}
    believed = OutlierFilter().filtered(sample).readings
    places = {name: position_of(reading) for name, reading in believed.items() if reading.position is not None}
    loose = [name for name in places if not found[name].joint]
    if not loose:
        return found
    head = rig.find(Role.HEAD)
    if head is not None and all(worn.joint != skeleton.names[head] for worn in found.values()):
        not_held = [name for name in loose if not _is_held(name, sample)]
        highest = max(not_held or loose, key=lambda name: places[name][1])
        found[highest] = Attachment(skeleton.names[head])
        loose.remove(highest)
    taken = {worn.joint for worn in found.values()}
    roles = [role for role in (*USUAL, *SELDOM) if not rig.lacking([role]) and rig.name(role) not in taken]
    if loose and roles and head is not None:
        top = next(name for name, worn in found.items() if worn.joint == skeleton.names[head])
        held = {name for name in loose if _is_held(name, sample)}
        for name, role in _matched(loose, held, roles, places, believed, top, skeleton).items():
            found[name] = Attachment(rig.name(role))
    return found


def _is_held(name: str, sample: TrackerSample) -> bool:
    return sample.readings[name].held or HELD in name.casefold()


def _side(name: str) -> str:
    return next((side for side in SIDES if side in name.casefold()), "")


def _heading(places: Mapping[str, Array], readings: Mapping[str, Reading], head: str) -> float:
    """How far the wearer is turned from +Z: by trackers that name their sides, else by the head's turn, else across the
    line along which trackers are furthest apart, nearer to +Z of the two ways."""
    sides = [[places[name] for name in places if _side(name) == side] for side in SIDES]
    if all(sides):
        to_left = np.mean(sides[0], axis=0) - np.mean(sides[1], axis=0)
        if np.hypot(to_left[0], to_left[2]) > 0.1:
            return float(np.arctan2(-to_left[2], to_left[0]))
    looks = yaw_of(readings.get(head))
    if looks is not None:
        return looks
    flat = np.array([place[[0, 2]] for place in places.values()])
    spread = (flat - flat.mean(axis=0)).T @ (flat - flat.mean(axis=0))
    if spread.max() < FLAT:
        return 0.0
    along = np.linalg.eigh(spread)[1][:, -1]
    along = along if along[0] > 0 else -along
    return float(np.arctan2(-along[1], along[0]))


def _matched(
    names: Sequence[str], held: Collection[str], roles: Sequence[Role], places: Mapping[str, Array],
    readings: Mapping[str, Reading], head: str, skeleton: Skeleton,
) -> dict[str, Role]:  # fmt: skip
    """A role for each tracker, each role at most once, so that all are nearest in the stance that suits best. held: the
    names of those that hands hold."""
    from scipy.optimize import linear_sum_assignment

    rig, scale = rig_of(skeleton), eye_height(skeleton) / max(float(places[head][1]), 0.1)
    turn = yaw_rotation(_heading(places, readings, head))
    seen = np.array([scale * (places[name] - places[head] * [1, 0, 1]) @ turn for name in names])
    index, top = [rig.joint(role) for role in roles], rig.joint(Role.HEAD)
    fine = np.array([[OTHER_SIDE_M * bool(_side(name) and role.side and _side(name) != role.side)
                      + NOT_HELD_M * (name in held and role not in WRISTS)
                      + RARE_M * (role in SELDOM) for role in roles] for name in names])  # fmt: skip
    best: tuple[float, dict[str, Role]] = (np.inf, {})
    for stance in stances(skeleton):
        joints = stance.world.positions[index] - stance.world.positions[top] * [1, 0, 1]
        cost = np.linalg.norm(seen[:, None] - joints[None], axis=-1) + fine
        rows, columns = linear_sum_assignment(cost)
        found = {names[i]: roles[j] for i, j in zip(rows, columns, strict=True) if cost[i, j] < OTHER_SIDE_M}
        best = min(best, (float(cost[rows, columns].sum()), found), key=lambda each: each[0])
    return best[1]
