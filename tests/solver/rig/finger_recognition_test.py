"""Joints of fingers are known by names of many programs, and by the tree below the wrist."""

from __future__ import annotations

import pytest

from solver.rig.finger_recognition import finger_of, recognise_fingers


def tree(*names: str) -> tuple[list[str], list[int], dict[str, int]]:
    """A left wrist with fingers: each name but the first hangs on the one before it where both name one finger, as far
    as letters tell, else on the wrist."""
    every, parents = ["LeftHand", *names], [-1]
    for j, name in enumerate(names, start=1):
        before = every[j - 1]
        parents.append(j - 1 if finger_of(before) and finger_of(before) == finger_of(name) else 0)
    return every, parents, {"left_wrist": 0}


@pytest.mark.parametrize(
    ("name", "finger"),
    [
        ("mixamorig:LeftHandIndex1", "index"),
        ("Armature|RightHandPinky3", "pinky"),
        ("left_ring2", "ring"),
        ("J_Bip_L_Little1", "pinky"),
        ("middle_02_r", "middle"),
        ("Bip01 L Finger0", "thumb"),
        ("Bip01_R_Finger42", "pinky"),
        ("lThumb1", "thumb"),
        ("LeftThumbMetacarpal", "thumb"),
        ("index_metacarpal_l", ""),
        ("LeftInHandMiddle", ""),
        ("LeftFingerBase", ""),
        ("Finger9", ""),
        ("LeftHandIndex3_End", ""),
        ("LeftForeArm", ""),
        ("forefinger.01.L", "index"),
        ("LeftHand", ""),
    ],
)
def test_a_name_tells_the_finger(name: str, finger: str) -> None:
    assert finger_of(name) == finger


def test_joints_are_counted_from_the_knuckle_and_no_more_than_three() -> None:
    index = ("LeftHandIndex1", "LeftHandIndex2", "LeftHandIndex3", "LeftHandIndex4")
    found = recognise_fingers(*tree(*index, "LeftHandRing1", "LeftHandRing2", "LeftHandThumb1"))
    assert found == {"left_index1": 1, "left_index2": 2, "left_index3": 3, "left_ring1": 5, "left_ring2": 6,
                     "left_thumb1": 7}  # fmt: skip


@pytest.mark.parametrize(
    ("spelt", "first"), [("Bip01 L Finger{}{}", 0), ("LeftFinger{}Proximal{}", 1), ("finger{}-{}.L", 1)]
)
def test_numbered_fingers_are_counted_from_the_thumb_whatever_its_number(spelt: str, first: int) -> None:
    names, parents = ["LeftHand"], [-1]
    for finger in range(first, first + 5):
        for joint in (1, 2):
            names.append(spelt.format(finger, joint))
            parents.append(0 if joint == 1 else len(names) - 2)
    found = recognise_fingers(names, parents, {"left_wrist": 0})
    assert [found[f"left_{finger}1"] for finger in ("thumb", "index", "middle", "ring", "pinky")] == [1, 3, 5, 7, 9]


def test_fingers_have_japanese_names_as_well() -> None:
    names = ["左手首", "左親指０", "左親指１", "左人指１", "左人指２", "左人指先", "左中指１", "左中指２"]
    found = recognise_fingers(names, [-1, 0, 1, 0, 3, 4, 0, 6], {"left_wrist": 0})
    assert found == {"left_thumb1": 1, "left_thumb2": 2, "left_index1": 3, "left_index2": 4, "left_middle1": 6,
                     "left_middle2": 7}  # fmt: skip


def test_a_mitten_is_no_hand_with_fingers() -> None:
    assert recognise_fingers(*tree("LThumb", "LeftFingerBase", "LeftHandIndex1")) == {}
    assert recognise_fingers(*tree("LeftHandIndex1", "LeftHandIndex2", "LeftHandThumb1", "LeftHandThumb2")) == {}


def test_what_hangs_elsewhere_is_no_finger_of_the_hand() -> None:
    names = ["LeftHand", "Index1", "Index2", "Ring1", "Ring2", "RingGlow", "Prop", "Index9"]
    found = recognise_fingers(names, [-1, 0, 1, 0, 3, 0, -1, 6], {"left_wrist": 0})
    assert found == {"left_index1": 1, "left_index2": 2, "left_ring1": 3, "left_ring2": 4}
    assert recognise_fingers(names, [-1, 0, 1, 0, 3, 0, -1, 6], {}) == {}
