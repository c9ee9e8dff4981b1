"""Fingers by the angles of their joints, by curl and spread, and held as presets say."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.curl import ACROSS, CURL, FAN, FOUR, SPREAD, FingerTravel
from solver.body.finger_chain import JOINTS
from solver.body.fingers import (
    FINGERS,
    HIGHEST,
    LOWEST,
    Array,
    angles_of,
    finger_points,
    hands_bent,
    hands_of,
    hinges_of,
    rest_fingers,
)
from solver.body.hand_presets import HAND_PRESETS, preset_hands
from solver.body.hands import Hands, hands_at_rest, relaxed_hands, skin_with
from solver.body.whole_rig import FINGER_JOINTS, as_whole_pose
from solver.errors import PoserError
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import rest_pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.memoise import memoised

BODY = load_body("anny")
HINGES = hinges_of(BODY)
INDEX, LEFT, BOTH = FINGERS.index("index"), (0,), (0, 1)
PRESETS = list(HAND_PRESETS)


@memoised()
def skin_of_parts() -> dict[str, Array]:
    """Which vertices each finger joint moves most, by its name."""
    strongest, names = BODY.whole_weights.argmax(axis=1), BODY.whole_rig(BodyShape()).names
    return {joint: np.flatnonzero(strongest == names.index(joint)) for joint in FINGER_JOINTS}


def chains(hands: Hands) -> dict[str, Array]:
    """(4, 3) metres by finger of the left hand: its three joints and its tip, in the T-pose."""
    return dict(zip(FINGERS, finger_points(hands, BODY)[0], strict=True))


def to_bone(points: Array, start: Array, end: Array) -> Array:
    """(N,) metres between points and a bone."""
    way = end - start
    along = np.clip((points - start) @ way / (way @ way), 0, 1)
    return np.asarray(np.linalg.norm(points - start - along[:, None] * way, axis=1))


def turned_by(a: Array, b: Array) -> float:
    """Degrees from one rotation to another."""
    return float(np.degrees(np.linalg.norm(to_rotation_vector(a.T.astype(np.float64) @ b))))


def gap(hands: Hands, one: str, other: str) -> float:
    """Metres between the skin of the last parts of two fingers of the left hand."""
    skin, parts = skin_with(BODY, BodyShape(), hands), skin_of_parts()
    a, b = skin[parts[f"left_{one}3"]], skin[parts[f"left_{other}3"]]
    return float(np.linalg.norm(a[:, None] - b, axis=-1).min())


def test_fingers_are_where_the_whole_rig_has_them() -> None:
    rig, hands = BODY.whole_rig(BodyShape()), preset_hands("peace", BODY)
    joints = forward_kinematics(rig, as_whole_pose(rig, rest_pose(BODY.skeleton(BodyShape())), hands.by_joint()))
    for s, side in enumerate(("left", "right")):
        for f, finger in enumerate(FINGERS):
            places = [joints.positions[rig.index(f"{side}_{finger}{part}")] for part in (1, 2, 3)]
            off = joints.positions[rig.index(f"{side}_wrist")] - rig.rest_positions[rig.index(f"{side}_wrist")]
            assert finger_points(hands, BODY)[s, f, :3] == pytest.approx(np.array(places) - off, abs=1e-5)


def test_angles_within_reach_come_back_from_the_hands_that_they_make() -> None:
    rng = np.random.default_rng(0)
    angles = rng.uniform(LOWEST + 1, HIGHEST - 1, (2, 5, 4))
    assert angles_of(hands_of(angles, HINGES), HINGES) == pytest.approx(angles, abs=0.01)


def test_no_joint_goes_beyond_its_hinge() -> None:
    far = hands_of(np.full((2, 5, 4), 500.0), HINGES)
    assert angles_of(far, HINGES) == pytest.approx(np.broadcast_to(HIGHEST, (2, 5, 4)), abs=0.01)


def test_a_hand_from_a_file_that_bends_further_than_hinges_do_stays_so_while_another_finger_moves() -> None:
    far = np.array(hands_at_rest().rotations)
    bent_back = [JOINTS[0, INDEX, 1], JOINTS[0, 0, 2]]
    far[bent_back] = from_rotation_vector(np.array([[0.0, 0.0, 0.7], [0.0, 1.9, 0.0]]))
    read = Hands(far)
    angles = angles_of(read, HINGES)
    assert (angles >= LOWEST).all()
    assert (angles <= HIGHEST).all()
    angles[0, 2, 0] += 30.0
    moved = hands_bent(read, angles, HINGES)
    assert (moved.rotations[bent_back] == read.rotations[bent_back]).all()
    assert moved != read


def test_other_angles_keep_what_hinges_do_not_know() -> None:
    rng = np.random.default_rng(1)
    read = Hands(from_rotation_vector(rng.normal(0, 0.3, (30, 3))).astype(np.float32))
    angles = angles_of(read, HINGES)
    assert hands_bent(read, angles, HINGES) == read
    angles[0, INDEX, 2] += 20.0
    bent = hands_bent(read, angles, HINGES)
    changed = [
        joint for joint, a, b in zip(FINGER_JOINTS, read.rotations, bent.rotations, strict=True) if (a != b).any()
    ]
    assert changed == ["left_index2"]
    at = FINGER_JOINTS.index("left_index2")
    assert turned_by(read.rotations[at], bent.rotations[at]) == pytest.approx(20.0, abs=0.1)


def test_a_finger_curled_all_the_way_is_a_fist_and_at_nothing_it_is_straight() -> None:
    angles = angles_of(relaxed_hands(), HINGES)
    fist, straight = (hands_bent(relaxed_hands(), CURL.to(angles, LEFT, FOUR, n), HINGES) for n in (1.0, 0.0))
    for finger in ("index", "middle", "ring", "pinky"):
        points = chains(fist)[finger]
        assert (points[3] - points[0]) @ [1, 0, 0] < 0.01, "it has come back to the palm"
    points = chains(hands_of(CURL.to(CURL.to(angles, LEFT, FOUR, 1.0), LEFT, FOUR, 0.0), HINGES))["index"]
    bones = np.diff(points, axis=0)
    bones /= np.linalg.norm(bones, axis=1, keepdims=True)
    assert bones[0] @ bones[2] > 0.95
    assert straight.rotations[15:] == pytest.approx(relaxed_hands().rotations[15:], abs=1e-5), "the right hand stays"


@pytest.mark.parametrize(
    ("travel", "fingers"), [(CURL, (0,)), (CURL, (2,)), (CURL, FOUR), (SPREAD, (1,)), (FAN, FOUR), (ACROSS, (0,))]
)
def test_a_number_that_was_set_is_read_again_and_what_else_the_hand_does_fades(
    travel: FingerTravel, fingers: tuple[int, ...]
) -> None:
    angles = angles_of(preset_hands("claw", BODY), HINGES)
    was = travel.of(angles, LEFT, fingers)
    assert travel.to(angles, LEFT, fingers, was) == pytest.approx(angles)
    further = travel.to(angles, LEFT, fingers, 0.5 + 0.5 * was)
    assert travel.of(further, LEFT, fingers) == pytest.approx(0.5 + 0.5 * was, abs=0.03)
    plain = travel.to(further, LEFT, fingers, 1.0)
    moved = travel.law[list(fingers)] != 0
    assert plain[0][list(fingers)][moved] == pytest.approx(travel.law[list(fingers)][moved])


def test_both_hands_take_one_number() -> None:
    angles = angles_of(relaxed_hands(), HINGES)
    angles[1] = CURL.to(angles, (1,), FOUR, 0.9)[1]
    both = CURL.to(angles, BOTH, FOUR, 0.6)
    assert [CURL.of(both, (side,), FOUR) for side in BOTH] == pytest.approx([0.6, 0.6], abs=0.01)


def test_spread_fingers_are_apart_and_drawn_in_ones_together() -> None:
    angles = angles_of(preset_hands("flat", BODY), HINGES)
    tips = [
        [
            chain[3]
            for finger, chain in chains(hands_of(FAN.to(angles, LEFT, FOUR, n), HINGES)).items()
            if finger != "thumb"
        ]
        for n in (FAN.least, 1.0)
    ]
    near, far = (np.linalg.norm(np.diff(points, axis=0), axis=1) for points in tips)
    assert (far > near + 0.005).all()


def test_a_hand_takes_a_share_of_another_and_only_on_the_sides_asked() -> None:
    fist, rest = preset_hands("fist", BODY), hands_at_rest()
    assert rest.mixed(fist) == fist
    assert rest.mixed(fist, 0.0) == rest
    half = rest.mixed(fist, 0.5, (1,))
    assert half.rotations[:15] == pytest.approx(rest.rotations[:15])
    whole, part = (turned_by(rest.rotations[20], each.rotations[20]) for each in (fist, half))
    assert part == pytest.approx(0.5 * whole, abs=0.1)


@pytest.mark.parametrize("id", PRESETS)
def test_presets_are_alike_on_both_sides_and_fingers_do_not_sink_into_one_another(id: str) -> None:
    hands = preset_hands(id, BODY)
    assert hands.mirrored().rotations == pytest.approx(hands.rotations, abs=1e-5)
    skin, parts, bones = skin_with(BODY, BodyShape(), hands), skin_of_parts(), chains(hands)
    rest = BODY.vertices(BodyShape())
    for other in FINGERS:
        for part in (2, 3):
            own = rest_fingers(BODY)[f"left_{other}"][part - 1 : part + 1]
            radius = np.median(to_bone(rest[parts[f"left_{other}{part}"]], *own))
            for finger in FINGERS:
                if finger != other:
                    near = to_bone(skin[parts[f"left_{finger}3"]], *bones[other][part - 1 : part + 1])
                    assert radius - near.min() < 0.004, (finger, other)


def test_thumb_and_index_touch_where_the_name_says_so() -> None:
    for id in ("ok", "pinch"):
        assert gap(preset_hands(id, BODY), "thumb", "index") < 0.005
    assert 0.03 < gap(preset_hands("holding_a_cup", BODY), "thumb", "index") < 0.09


def test_thumbs_up_points_away_from_the_fingers_and_a_pointing_finger_along_the_arm() -> None:
    thumb = np.diff(chains(preset_hands("thumbs_up", BODY))["thumb"][[0, 3]], axis=0)[0]
    assert thumb[2] / np.linalg.norm(thumb) > 0.9
    finger = np.diff(chains(preset_hands("point", BODY))["index"][[0, 3]], axis=0)[0]
    assert finger[0] / np.linalg.norm(finger) > 0.97


def test_there_are_sixteen_presets_that_differ() -> None:
    assert len(HAND_PRESETS) == 16
    assert preset_hands("relaxed", BODY) is relaxed_hands()
    held = [preset_hands(id, BODY).rotations for id in PRESETS]
    assert all(np.abs(a - b).max() > 0.1 for i, a in enumerate(held) for b in held[:i])


def test_a_body_without_finger_joints_says_so() -> None:
    class Bare:
        genders = BODY.genders

        def whole_rig(self, shape: BodyShape) -> object:
            return BODY.skeleton(shape)

    with pytest.raises(PoserError, match="no finger joints"):
        hinges_of(Bare())  # type: ignore[arg-type]
