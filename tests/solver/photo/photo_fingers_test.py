"""Fingers read off what the hand network sees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, landmarks_of, level_camera, natural

from solver.body.body import BodyShape
from solver.body.fingers import rest_fingers
from solver.body.hands import Hands, relaxed_hands
from solver.body.whole_rig import FINGER_JOINTS, as_whole_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.photo.detection.blazepose import Hand, Landmarks
from solver.photo.fingers import KNUCKLE_MORE, hands_seen
from solver.photo.fit.observed_rotations import PALM, PALM_POINTS, TO_CAMERA

MIRROR = np.array([-1.0, 1.0, 1.0])
FIRST = {"index": 5, "middle": 9, "ring": 13, "pinky": 17}


def _bent(degrees: float, side: str, knuckles: float = 0.0) -> Hands:
    """All four fingers of a hand bent at each joint by so much, about the hinges across the fingers.

    knuckles: degrees by which their first joints are bent more.
    """
    turns = {}
    for joint in FINGER_JOINTS:
        finger, number = joint[:-1], int(joint[-1])
        bone = np.diff(rest_fingers(body())[finger], axis=0)[number - 1]
        hinge = np.cross(bone, [0.0, -1.0, 0.0])
        hinge *= np.radians(degrees + (knuckles if number == 1 else 0.0)) / np.linalg.norm(hinge)
        turns[joint] = from_rotation_vector(hinge if joint.startswith(side) and "thumb" not in joint else np.zeros(3))
    return Hands(np.stack([turns[joint] for joint in FINGER_JOINTS]))


def _seen(hands: Hands, side: str, turn: np.ndarray) -> Hand:
    """What a network that never errs sees of a hand whose wrist is turned so."""
    whole = body().whole_rig(BodyShape())
    rest = Pose(whole.offsets[0], np.tile(np.eye(3, dtype=np.float32), (24, 1, 1)))
    world = forward_kinematics(whole, as_whole_pose(whole, rest, hands.by_joint()))
    wrist = world.positions[whole.names.index(f"{side}_wrist")].astype(np.float64)
    points = np.zeros((21, 3))
    points[PALM_POINTS] = 0.05 * np.array(list(PALM.values())) * (1.0 if side == "left" else MIRROR)
    for finger, first in FIRST.items():
        at = [whole.names.index(f"{side}_{finger}{number}") for number in (1, 2, 3)]
        tip = rest_fingers(body())[f"{side}_{finger}"][3] - whole.rest_positions[at[2]]
        places = [*world.positions[at], world.positions[at[2]] + world.rotations[at[2]] @ tip]
        knuckle = points[first].copy()
        points[first : first + 4] = np.array(places, dtype=np.float64) - wrist
        points[first : first + 4] += knuckle - points[first]  # the palm stays where its table has it
    metres = points @ turn.T * TO_CAMERA
    return Hand(1.0, 0.9, 90.0, np.full((21, 2), 400.0), np.stack([metres] * 3))


def _marks(side: str, hand: Hand) -> Landmarks:
    marks = landmarks_of(natural(2), level_camera())
    return replace(marks, hands=(hand, None) if side == "left" else (None, hand))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("degrees", [0.0, 25.0, 60.0])
def test_fingers_are_bent_as_the_network_sees_them_however_the_hand_is_turned(side: str, degrees: float) -> None:
    true, expected = _bent(degrees, side), _bent(degrees, side, np.degrees(KNUCKLE_MORE))
    for vector in ([0.0, 0.0, 0.0], [0.4, -1.2, 0.8], [2.0, 0.5, -0.3]):
        hand = _seen(true, side, np.asarray(from_rotation_vector(vector)))
        found = hands_seen(_marks(side, hand), body()).by_joint()
        for finger in FIRST:
            bones = np.diff(rest_fingers(body())[f"{side}_{finger}"], axis=0)
            ours, theirs = np.eye(3), np.eye(3)
            for number, bone in enumerate(bones, start=1):
                joint = f"{side}_{finger}{number}"
                ours, theirs = ours @ found[joint], theirs @ expected.by_joint()[joint]
                alike = (ours @ bone) @ (theirs @ bone) / (bone @ bone)
                assert np.degrees(np.arccos(min(alike, 1.0))) < 8


def test_a_hand_that_is_not_seen_well_hangs_at_ease() -> None:
    good = _seen(_bent(60.0, "left"), "left", np.eye(3))
    relaxed = relaxed_hands().by_joint()
    for hand in (None, replace(good, presence=0.5), replace(good, own_side=0.1)):
        marks = landmarks_of(natural(2), level_camera())
        assert hands_seen(replace(marks, hands=(hand, None)), body()) == relaxed_hands()
    found = hands_seen(_marks("left", good), body()).by_joint()
    assert np.array_equal(found["right_index2"], relaxed["right_index2"])
    assert not np.array_equal(found["left_index2"], relaxed["left_index2"])


def test_a_finger_never_bends_backwards_far_nor_through_the_hand() -> None:
    rng = np.random.default_rng(0)
    good = _seen(_bent(0.0, "left"), "left", np.eye(3))
    for _ in range(20):
        metres = good.metres + rng.normal(0, 0.03, (21, 3))
        metres[:, PALM_POINTS] = good.metres[:, PALM_POINTS]
        found = hands_seen(_marks("left", replace(good, metres=metres)), body())
        assert np.degrees(np.linalg.norm(to_rotation_vector(found.rotations), axis=1)).max() < 110
