"""Legs that are up and stretched at a key kick there, and feet that turn on their balls stay where they stand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from stepping_test import LEFT, RIGHT, animated, balls, slid

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.body.drawn_legs import LegWay, least_drawn
from app.document.over_time.steps import Steps
from app.document.posing.placing import moved
from app.library.folders import shipped_folder
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import angle_between, from_rotation_vector
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS

Array = NDArray[np.float64]
LAST, PARTS = 30, Path("Fighting")


@cache
def between(*names: str) -> Document:
    """Somebody with poses of the library, or as new people stand, at keys a second apart."""
    document = edits.set_clip_length("c1", LAST * (len(names) - 1) + 1)(animated())
    frames = range(0, LAST * len(names), LAST)
    document = edits.chain(*(edits.set_key("c1", frame) for frame in frames))(document)
    for frame, name in zip(frames, names, strict=True):
        if name:
            content = poses_of(entry_of(shipped_folder() / f"{PARTS / name}.json"))
            document = take_pose("c1", content, Taking())(document.at_frame("c1", frame))
    return document


def planned(document: Document) -> tuple[Rig, Steps]:
    rig = rig_of(skeleton_of(document.character("c1")))
    return rig, Steps.between(rig, document.actor("c1").clip.keys, 30.0)


def on_the_way(document: Document) -> list[Pose]:
    """The base poses of all frames, as the body and its legs are to go."""
    rig, steps = planned(document)
    frames = np.arange(document.actor("c1").clip.keys[-1].frame + 1)
    poses = [document.at_frame("c1", frame).character("c1").pose for frame in frames.tolist()]
    return steps.with_body_aside(rig, poses, frames)


def bends(rig: Rig, poses: list[Pose]) -> Array:
    """(N,) degrees that the right knee is bent."""
    found = []
    for pose in poses:
        hip, knee, ankle = forward_kinematics(rig, pose).positions[[rig.joint(role) for role in LEGS[RIGHT].joints[:3]]]
        found.append(np.degrees(angle_between((knee - hip).astype(float), (ankle - knee).astype(float))))
    return np.array(found)


@pytest.mark.parametrize("name", ["Front kick", "Side kick", "Roundhouse kick"])
def test_a_knee_folds_and_then_stretches_as_the_foot_comes_up(name: str) -> None:
    document = between("", name)
    rig, steps = planned(document)
    (kick,) = steps.kicks
    bent = bends(rig, on_the_way(document))
    most = int(bent.argmax())
    assert kick.leg == RIGHT
    assert bent[most] > 80.0
    assert bent[-1] < 20.0
    assert (np.diff(bent[4 : most + 1]) > 0.0).all(), "once"
    assert (np.diff(bent[most:]) < 0.5).all(), "and straight again without a halt"


def test_a_kick_comes_back_as_it_went() -> None:
    there, back = between("", "Side kick"), between("Side kick", "")
    rig, steps = planned(back)
    ways = bends(rig, on_the_way(there)), bends(rig, on_the_way(back))[::-1]
    assert steps.kicks[0].up[1], "off the floor at once"
    assert not steps.kicks[0].up[-2], "and on it before the end"
    assert ways[0].max() == pytest.approx(ways[1].max(), abs=12.0)


def test_the_knee_of_a_leg_that_comes_back_at_once_turns_about_without_a_halt() -> None:
    document = between("", "Front kick", "")
    bent = bends(planned(document)[0], on_the_way(document))[LAST - 2 : LAST + 3]
    halts = bends(planned(between("", "Front kick"))[0], on_the_way(between("", "Front kick")))[LAST - 2 :]
    assert bent == pytest.approx(bent[::-1], abs=0.5)
    assert bent[0] - bent[2] > 3.0 * (halts[0] - halts[2])


def test_a_leg_that_is_up_at_both_keys_folds_on_the_way_if_it_goes_elsewhere() -> None:
    document = between("Roundhouse kick", "Side kick")
    rig, steps = planned(document)
    assert all(kick.leg == RIGHT and kick.up.all() for kick in steps.kicks)
    assert bends(rig, on_the_way(document)).max() > 80.0
    assert len(planned(between("Guard", "Roundhouse kick", "Side kick"))[1].kicks) == 2
    held = between("Side kick", "Side kick")
    assert bends(rig, on_the_way(held)).max() < 20.0, "one that stays is held"


def test_hips_sway_over_the_foot_that_stays_before_a_kick() -> None:
    rig, steps = planned(between("", "Front kick"))
    (way,) = steps.ways
    foot = forward_kinematics(rig, between("", "Front kick").actor("c1").clip.keys[0].pose).positions
    side = np.sign(foot[rig.joint(LEGS[LEFT].end), 0])
    assert side * way.aside(np.array([LAST // 2]))[0, 0] > 0.02


def test_arms_go_before_a_leg_that_would_come_up_into_the_hands() -> None:
    (roundhouse,), (front,) = (
        planned(between(*names))[1].kicks for names in (("Guard", "Roundhouse kick"), ("", "Front kick"))
    )
    assert front.swings is None
    assert roundhouse.swings is not None
    turns = roundhouse.swings[1]
    assert turns[-8] == pytest.approx(turns[-1], abs=1e-3), "there before the leg is"
    assert turns[8] != pytest.approx(turns[-1], abs=1e-2)


def test_a_leg_that_comes_up_bent_is_drawn_up_only_as_far_as_keeps_its_foot_off_the_floor() -> None:
    most, lows = [], []
    for stance in ("../Standing/Stand at ease", "../Standing/Heroic stance"):
        document = between(stance, "../Standing/Lean on a wall")
        rig, steps = planned(document)
        (kick,), poses = steps.kicks, on_the_way(document)
        places = np.array([forward_kinematics(rig, pose).positions for pose in poses])
        ball = places[:, rig.joint(LEGS[kick.leg].tip), 1] + kick.lifts
        hip, knee, ankle = (places[:, rig.joint(role)] for role in LEGS[kick.leg].line)
        most.append(max(angle_between(b - a, c - b) for a, b, c in zip(hip, knee, ankle, strict=True)))
        lows.append((ball - ball[0])[kick.up].min())
        assert kick.up[-1]
        assert kick.leg == LEFT
    assert min(lows) > -0.005, "nor out of a straddle, where the straight way sweeps the floor"
    assert most[1] > most[0] + np.radians(3.0)


def test_a_leg_is_drawn_up_no_further_than_knees_bend_and_no_further_than_helps() -> None:
    rig = rig_of(skeleton_of(animated().character("c1")))
    still = np.tile(np.eye(3), (5, 1, 1))

    def sweeps(bend: float) -> float:
        """The draw that is chosen for a foot that goes over the floor however far its knee is bent."""
        places = np.array([[0.0, 0.1, z] for z in np.linspace(0.0, 0.4, 5)])
        way = lambda draw: LegWay(places, still, np.array([0.1, bend + draw, 0.1]))  # noqa: E731
        return least_drawn(rig, LEGS[0], (places[0], np.eye(3)), way)

    assert sweeps(0.0) == 0.0
    assert sweeps(np.radians(125.0)) == 0.0


def test_a_leg_comes_up_bent_as_a_kick_only_of_who_stands_and_reaches_the_place_of_its_foot_until_then() -> None:
    assert planned(between("../Running/Run, landing", "../Running/Sprinter's start"))[1].kicks == ()
    assert planned(between("../Dancing/Hip-hop", "../Dancing/Pirouette"))[1].kicks != ()
    assert planned(between("../Standing/Heroic stance", "../Dancing/Pirouette"))[1].kicks == (), "the leg would snap"


def test_an_arm_swings_out_of_the_way_of_a_leg_that_folds() -> None:
    document = between("Roundhouse kick", "Side kick")
    rig, poses = planned(document)[0], on_the_way(document)
    gaps = []
    for pose in poses:
        places = forward_kinematics(rig, pose).positions.astype(float)
        thigh = np.linspace(*places[[rig.joint(role) for role in LEGS[RIGHT].line[:2]]], 20)
        gaps.append(np.linalg.norm(thigh - places[rig.joint(ARMS[RIGHT].end)], axis=1).min())
    assert min(gaps) > 0.1


def test_an_arm_without_a_joint_in_its_hand_makes_way_as_well() -> None:
    whole, keys = planned(between("Roundhouse kick", "Side kick"))[0], []
    kept = [j for j, role in enumerate(whole.roles) if role not in {arm.tip for arm in ARMS}]
    parents = [whole.parents[j] for j in kept]
    rig = Rig([whole.names[j] for j in kept], [kept.index(p) if p >= 0 else -1 for p in parents], whole.offsets[kept],
              [whole.roles[j] for j in kept])  # fmt: skip
    for key in between("Roundhouse kick", "Side kick").actor("c1").clip.keys:
        pose = Pose(key.pose.root_position, key.pose.rotations[kept])
        keys.append(replace(key, pose=pose, base_pose=pose))
    (kick,) = Steps.between(rig, keys, 30.0).kicks
    assert kick.swings is not None


def test_a_leg_stretched_behind_does_not_kick_nor_one_without_time_for_it() -> None:
    document = between("", "../Dancing/Arabesque")
    assert planned(document)[1].kicks == ()
    rig, (one, other) = planned(between("", "Front kick"))[0], between("", "Front kick").actor("c1").clip.keys
    for last, fps, count in ((1, 30.0, 0), (8, 30.0, 0), (9, 30.0, 1), (1, 3.0, 0), (2, 3.0, 1)):
        assert len(Steps.between(rig, (one, replace(other, frame=last)), fps).kicks) == count


def test_who_bends_down_over_straight_legs_does_not_kick() -> None:
    document = between("", "")
    rig, (one, other) = planned(document)[0], document.actor("c1").clip.keys
    rotations, roots = np.array(other.pose.rotations), [rig.joint(leg.root) for leg in LEGS]
    bent = np.asarray(from_rotation_vector([np.radians(80.0), 0.0, 0.0]))
    rotations[0], rotations[roots] = bent @ rotations[0], bent.T @ rotations[roots]
    pose, ankle = replace(other.pose, rotations=rotations), rig.joint(LEGS[LEFT].end)
    was, now = (forward_kinematics(rig, each).positions[ankle] for each in (other.pose, pose))
    there = replace(pose, root_position=pose.root_position + was - now)
    steps = Steps.between(rig, (one, replace(other, pose=there)), 30.0)
    assert steps.kicks == ()
    assert len(steps.turns) == len(LEGS), "both feet stand"


@pytest.mark.slow
def test_a_foot_that_is_yet_to_kick_stands_where_it_does_in_a_clip_that_was_raised() -> None:
    document = between("Guard", "Front kick")
    way = balls(document.with_character(moved(document.character("c1"), np.array([0.0, 0.4, 0.0]))))[:, RIGHT]
    assert way[:10] == pytest.approx(np.repeat(way[:1], 10, axis=0), abs=0.005)


@pytest.mark.slow
def test_who_kicks_turns_on_the_ball_of_the_foot_that_stays() -> None:
    document = between("", "Roundhouse kick")
    (turn,) = [each for each in planned(document)[1].turns if each.ankle == "left_ankle"]
    ways = balls(document)
    assert np.ptp(ways[:, LEFT], axis=0)[[0, 2]] == pytest.approx(0.0, abs=0.002)
    assert slid(ways[:, RIGHT]) < 0.002
    assert np.linalg.norm(turn.aside(np.array([LAST // 2]))) > 0.005, "the ankle goes round it"


def test_beside_a_foot_that_comes_up_on_its_ball_the_other_one_steps() -> None:
    steps = planned(between("Block", "Cross"))[1]
    assert [step.leg for step in steps.swings] == [LEFT]
    assert [turn.ankle for turn in steps.turns] == ["right_ankle"]
