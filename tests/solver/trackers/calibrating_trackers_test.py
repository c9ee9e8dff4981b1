"""Calibration: who wears what, how tall they are, how each tracker sits, wherever they stand and face."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import PoserError
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.unity_bones import BONES
from solver.solvers.catalog import load_solver
from solver.trackers.assignment import assign_joints
from solver.trackers.attachment import Attachment, Calibration, Mount
from solver.trackers.calibration import calibrate, misplaced_trackers
from solver.trackers.follower import Follower
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.simulated_trackers import SIX_ROLES
from solver.trackers.stances import stances
from tests.solver.evaluation_samples import BODY
from tests.solver.ik_samples import body_skeleton, natural

ROLES = [str(role) for role in SIX_ROLES]
SERIALS = ["LHR-1", "HMD", "C-A", "C-B", "LHR-2", "LHR-3"]
STANCES = ("T-pose", "A-pose", "standing")
AT = (0.7, 1.3)  # metres
MOUNTED = {  # where each tracker sits on its joint: metres in the joint's frame, and how it is turned
    "head": ([0, 0.08, 0.1], [0, 0, 0]), "pelvis": ([0, 0.02, 0.12], [0, 0.4, 0.1]),
    "left_wrist": ([0.07, 0, 0.02], [0.5, 0, 1.2]), "right_wrist": ([-0.07, 0, 0.02], [0.5, 0, -1.2]),
    "left_ankle": ([0, -0.03, 0.08], [-1.0, 0, 0]), "right_ankle": ([0, -0.03, 0.08], [-1.0, 0.2, 0]),
}  # fmt: skip


def turned(pose: Pose, heading: float) -> Pose:
    turn = from_rotation_vector([0.0, heading, 0.0])
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ rotations[0]
    root = turn @ pose.root_position + np.array([AT[0], 0.0, AT[1]])
    return Pose(root.astype(np.float32), rotations)


def worn(pose: Pose, tall: float = 1.0, names: list[str] = SERIALS) -> TrackerSample:
    """What trackers, not quite on their joints, say of somebody `tall` times as tall as our body in that pose."""
    world, readings = forward_kinematics(body_skeleton(), pose), {}
    for name, role in zip(names, ROLES, strict=True):
        j, (offset, turn) = body_skeleton().index(role), MOUNTED[role]
        place = tall * (world.positions[j] + world.rotations[j] @ np.float32(offset))
        readings[name] = Reading(place.astype(np.float32),
                                 (world.rotations[j] @ from_rotation_vector(turn)).astype(np.float32))  # fmt: skip
    return TrackerSample(3.0, readings)


def stance(title: str) -> Pose:
    return next(each.pose for each in stances(body_skeleton()) if each.title == title)


@pytest.mark.parametrize("title", STANCES)
@pytest.mark.parametrize("heading", [0.0, 1.0, 2.5, -2.0])
@pytest.mark.parametrize("tall", [0.85, 1.0, 1.15])
def test_trackers_find_their_joints_and_the_wearer_their_size(title: str, heading: float, tall: float) -> None:
    sample = worn(turned(stance(title), heading), tall)
    attachments = assign_joints(sample, body_skeleton())
    assert {name: each.joint for name, each in attachments.items()} == dict(zip(SERIALS, ROLES, strict=True))
    calibration = calibrate(sample, attachments, body_skeleton())
    assert calibration.stance == title
    assert calibration.scale == pytest.approx(1 / tall, abs=0.02)
    assert calibration.height_m == pytest.approx(1.64 * tall, abs=0.12)
    assert misplaced_trackers(calibration, attachments) == {}


@pytest.mark.parametrize("heading", [0.0, 2.5])
def test_what_was_calibrated_is_followed_whatever_the_mounting_and_the_size(heading: float) -> None:
    sample, tall = worn(turned(stance("T-pose"), heading), 1.12), 1.12
    attachments = assign_joints(sample, body_skeleton())
    calibration = calibrate(sample, attachments, body_skeleton())
    true = turned(natural(), heading)
    follow = Follower(body_skeleton(), load_solver("dls"), attachments, natural(), calibration, body="anny")
    moved = worn(true, tall)
    for i in range(3):
        shown = follow.pose(TrackerSample(5.0 + i / 30, moved.readings))
    there, found = (forward_kinematics(body_skeleton(), pose) for pose in (true, shown))
    j = [body_skeleton().index(name) for name in ROLES]
    # the scale is about the origin and eyes are estimated: all are off alike by that
    away = (found.positions - found.positions[0])[j] - (there.positions - there.positions[0])[j]
    assert np.linalg.norm(away, axis=1).max() < 0.06
    assert np.abs(found.rotations[j] - there.rotations[j]).max() < 0.06


@pytest.mark.parametrize("count", [3, 4, 5])
def test_fewer_trackers_find_their_joints_too(count: int) -> None:
    roles = {3: ROLES[1:4], 4: ROLES[:4], 5: ROLES[:5]}[count]
    whole = worn(turned(stance("A-pose"), 0.6))
    names = dict(zip(ROLES, SERIALS, strict=True))
    sample = TrackerSample(0.0, {names[role]: whole.readings[names[role]] for role in roles})
    attachments = assign_joints(sample, body_skeleton())
    assert {name: each.joint for name, each in attachments.items()} == {names[role]: role for role in roles}


def test_a_name_that_is_a_joint_or_a_side_counts() -> None:
    names = ["pelvis", "head", "left_controller", "right_controller", "left foot", "right foot"]
    sample = worn(turned(stance("standing"), np.pi), names=names)
    blind = TrackerSample(0.0, {name: Reading(reading.position, None) for name, reading in sample.readings.items()})
    attachments = assign_joints(blind, body_skeleton())
    assert [attachments[name].joint for name in names] == ROLES


def test_controllers_are_in_the_hands_of_somebody_who_does_not_stand_as_asked_and_are_said_to_be_far_off() -> None:
    names = ["pelvis", "head", "Left Controller", "Right Controller", "T-5", "T-6"]
    world = forward_kinematics(body_skeleton(), stance("T-pose"))
    sample = worn(stance("T-pose"), names=names)
    at = {role: world.positions[body_skeleton().index(role)] for role in ("left_elbow", "spine3")}
    crossed = {"Left Controller": at["left_elbow"], "Right Controller": at["spine3"] + np.float32([-0.05, 0.0, 0.2])}
    moved = {name: Reading(place, sample.readings[name].rotation) for name, place in crossed.items()}
    sample = TrackerSample(0.0, {**sample.readings, **moved})
    attachments = assign_joints(sample, body_skeleton())
    assert [attachments[name].joint for name in names] == ROLES
    far = misplaced_trackers(calibrate(sample, attachments, body_skeleton()), attachments)
    assert "Right Controller" in far


def test_what_its_sender_calls_a_controller_is_in_a_hand_whatever_its_name_is() -> None:
    world = forward_kinematics(body_skeleton(), stance("T-pose"))
    sample = worn(stance("T-pose"), names=SERIALS)
    at = {role: world.positions[body_skeleton().index(role)] for role in ("left_elbow", "spine3", "head")}
    hands = [SERIALS[ROLES.index(role)] for role in ("left_wrist", "right_wrist")]
    for places in (
        [at["left_elbow"], at["spine3"] + np.float32([-0.05, 0.0, 0.2])],
        [at["left_elbow"], at["head"] + np.float32([-0.1, 0.4, 0.1])],  # raised above the head
    ):
        moved = {n: Reading(place, sample.readings[n].rotation) for n, place in zip(hands, places, strict=True)}
        held = {name: replace(reading, held=True) for name, reading in moved.items()}
        attachments = assign_joints(TrackerSample(0.0, {**sample.readings, **held}), body_skeleton())
        assert {attachments[name].joint for name in hands} == {"left_wrist", "right_wrist"}
        unsaid = assign_joints(TrackerSample(0.0, {**sample.readings, **moved}), body_skeleton())
        assert {unsaid[name].joint for name in hands} != {"left_wrist", "right_wrist"}


def test_bones_of_a_figure_are_on_their_joints_where_no_tracker_is() -> None:
    sample = worn(stance("T-pose"), names=["HMD" if role == "head" else f"LHR {role}" for role in ROLES])
    world = forward_kinematics(body_skeleton(), stance("T-pose"))
    index = {bone: body_skeleton().index(role) for role, bone in BONES.items()}
    bones = {f"bone:{bone}": Reading(world.positions[j], None) for bone, j in index.items()}
    tail = {"bone:Tail": Reading(world.positions[0], None)}
    attachments = assign_joints(TrackerSample(3.0, {**bones, **sample.readings, **tail}), body_skeleton())
    joints = {name: each.joint for name, each in attachments.items()}
    assert joints["bone:LeftLowerArm"] == "left_elbow"
    assert (joints["HMD"], joints["bone:Head"], joints["bone:Tail"]) == ("head", "", "")
    assert sorted(joint for joint in joints.values() if joint) == sorted(BONES), "each joint once"
    alone = assign_joints(TrackerSample(3.0, bones), body_skeleton())
    assert {name: each.joint for name, each in alone.items()} == {f"bone:{b}": role for role, b in BONES.items()}


def test_a_tracker_without_a_place_is_on_no_joint() -> None:
    readings = {**worn(stance("T-pose")).readings, "chest": Reading(None, np.eye(3, dtype=np.float32))}
    attachments = assign_joints(TrackerSample(0.0, readings), body_skeleton())
    assert attachments["chest"] == Attachment("")
    broken = {name: Reading(np.full(3, np.nan, np.float32), None) for name in SERIALS}
    assert {each.joint for each in assign_joints(TrackerSample(0.0, broken), body_skeleton()).values()} == {""}


def test_a_wearer_who_does_not_stand_is_told_so() -> None:
    low = worn(turned(stance("T-pose"), 0.0), 0.3)
    attachments = dict(zip(SERIALS, map(Attachment, ROLES), strict=True))
    with pytest.raises(PoserError, match="cm above the floor"):
        calibrate(low, attachments, body_skeleton())
    with pytest.raises(PoserError, match="No tracker on a joint"):
        calibrate(TrackerSample(0.0, {}), attachments, body_skeleton())


def test_a_tracker_on_another_joint_than_told_is_misplaced() -> None:
    sample = worn(stance("T-pose"))
    joints = [*ROLES[:4], "left_knee", "left_wrist"]
    attachments = dict(zip(SERIALS, map(Attachment, joints), strict=True))
    calibration = calibrate(sample, attachments, body_skeleton())
    assert "LHR-3" in misplaced_trackers(calibration, attachments)


@pytest.mark.parametrize(("metres", "misplaced"), [(0.3, {}), (0.4, {"LHR-1": pytest.approx(0.4)})])
def test_a_tracker_is_misplaced_from_a_forearms_length_on(metres: float, misplaced: dict[str, float]) -> None:
    sits = Mount(np.float32([0.0, metres, 0.0]), np.eye(3, dtype=np.float32))
    calibration = Calibration({"LHR-1": sits}, 1.0, 1.7, "T-pose")
    assert misplaced_trackers(calibration, {"LHR-1": Attachment("pelvis")}) == misplaced
    assert misplaced_trackers(calibration, {"another": Attachment("pelvis")}) == {}


def test_other_bodies_are_followed_at_their_own_size() -> None:
    tall = load_body("anny").skeleton(BodyShape(np.float32([2.5, *[0] * 9])))
    sample = worn(turned(stance("T-pose"), 0.4))
    attachments = assign_joints(sample, tall)
    ours, theirs = (calibrate(sample, attachments, skeleton).scale for skeleton in (body_skeleton(), tall))
    grown = tall.rest_positions[:, 1].max() / body_skeleton().rest_positions[:, 1].max()
    assert theirs / ours == pytest.approx(grown, abs=0.03)
    assert BODY.id == "anny"
