"""What holds a trunk that lies on the floor: less of it as effectors take it away from there."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, position

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.lying import ANKLE_STANDS, LIES_TURNED, SITS_TURNED, Bed, kept_down, lifted_feet, lying_leans
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

SKELETON = body_skeleton()
PELVIS, CHEST = SKELETON.index("pelvis"), SKELETON.index("spine3")


def tipped_over(angle: float) -> Pose:
    rotations = np.array(natural().rotations)
    rotations[0] = from_rotation_vector([angle, 0.0, 0.0]) @ rotations[0]
    return Pose(np.array([0.0, 0.1, 0.0], np.float32), rotations.astype(np.float32))


LIES, ON_THE_FRONT = tipped_over(-np.pi / 2), tipped_over(np.pi / 2)
WORLD = forward_kinematics(SKELETON, LIES)
BED, SEAT = Bed(WORLD, {PELVIS: 1.0, CHEST: 1.0}), Bed(WORLD, {PELVIS: 1.0})


def pulls(bed: Bed, *effectors: Effector) -> dict[tuple[str, type], float]:
    """How strongly each lean pulls, by its joint and kind."""
    leans = lying_leans(SKELETON, bed, effectors)
    return {(lean.effector.joint, type(lean.effector)): lean.strength.weight for lean in leans}


def test_somebody_who_sits_is_free_to_lean_over_and_somebody_who_lies_is_not() -> None:
    assert pulls(BED)["pelvis", Rotation] == LIES_TURNED.weight
    assert pulls(SEAT)["pelvis", Rotation] == SITS_TURNED.weight < LIES_TURNED.weight


def test_a_head_that_rises_takes_the_back_off_the_floor_and_the_seat_stays() -> None:
    low, half, high = (pulls(BED, position(LIES, "head", (0.0, up, 0.0))) for up in (0.02, 0.09, 0.2))
    assert low["spine3", Position] > half["spine3", Position] > 0.0
    assert ("spine3", Position) not in high
    assert low["pelvis", Position] == half["pelvis", Position] == high["pelvis", Position]


def test_a_pelvis_that_is_lifted_lets_go_of_everything_by_and_by() -> None:
    low, half = (pulls(BED, position(LIES, "pelvis", (0.0, up, 0.0))) for up in (0.2, 0.4))
    assert low["spine3", Position] > half["spine3", Position] > 0.0
    assert pulls(BED, position(LIES, "pelvis", (0.0, 0.61, 0.0))) == {}
    assert pulls(SEAT, position(LIES, "pelvis", (0.0, 0.26, 0.0))) == {}, "somebody who sits stands up sooner"


def test_the_trunk_slides_along_with_a_pelvis_that_is_dragged_along_the_floor() -> None:
    along = lying_leans(SKELETON, BED, [position(LIES, "pelvis", (0.3, 0.05, 0.1))])
    (chest,) = (lean.effector for lean in along if lean.effector.joint == "spine3")
    assert isinstance(chest, Position)
    assert chest.target - WORLD.positions[CHEST] == pytest.approx([0.3, 0.0, 0.1], abs=1e-6)


def carried(pose: Pose, up: float, *others: Effector) -> float:
    """Metres that the chest is led up with a pelvis that is taken up."""
    world = forward_kinematics(SKELETON, pose)
    leans = lying_leans(
        SKELETON, Bed(world, {PELVIS: 1.0, CHEST: 1.0}), [position(pose, "pelvis", (0.0, up, 0.0)), *others]
    )
    (chest,) = (lean.effector for lean in leans if lean.effector.joint == "spine3")
    assert isinstance(chest, Position)
    return float(chest.target[1] - world.positions[CHEST, 1])


def test_the_chest_of_somebody_on_the_front_goes_up_with_the_pelvis_and_is_left_behind_at_first() -> None:
    behind = [up - carried(ON_THE_FRONT, up) for up in (0.0, 0.02, 0.06, 0.12, 0.25)]
    assert behind[0] == 0.0
    assert all(0.0 < more - less < 0.06 for less, more in pairwise(behind))
    assert behind[1] > 0.015, "nearly all of the first two centimetres"
    assert 0.2 - carried(ON_THE_FRONT, 0.2) > 0.55 - carried(ON_THE_FRONT, 0.55), "it catches up as it is let go of"


def test_a_chest_stays_on_the_floor_on_the_back() -> None:
    assert carried(LIES, 0.2) == 0.0


def test_a_chest_is_carried_up_where_a_hand_is_held_on_the_front_and_on_the_back() -> None:
    for pose in (ON_THE_FRONT, LIES):
        ups = [carried(pose, up, position(pose, "left_wrist", (0.0, 0.0, 0.0))) for up in (0.0, 0.02, 0.1, 0.2, 0.5)]
        assert ups[0] == 0.0
        assert all(less < more for less, more in pairwise(ups))
        assert ups[3] > 0.1
        assert ups[4] < 0.5


def test_a_proposal_stays_down_until_the_trunk_is_lifted() -> None:
    stands = rest_pose(SKELETON)
    assert kept_down(SKELETON, BED, [], LIES, stands).rotations == pytest.approx(LIES.rotations, abs=1e-5)
    up = [position(LIES, "pelvis", (0.0, 0.7, 0.0))]
    assert kept_down(SKELETON, BED, up, LIES, stands) is stands


def led(up: float, *others: Effector) -> np.ndarray:
    """(N, 3) metres, from the hips, to where the ankles of somebody who sat and is lifted are led."""
    asked = [position(LIES, "pelvis", (0.0, up, 0.0)), *others]
    hips = [WORLD.positions[SKELETON.index(f"{side}_hip")] + [0.0, up, 0.0] for side in ("left", "right")]
    leans = (lean.effector for lean in lifted_feet(SKELETON, SEAT, asked))
    return np.array([e.target - hip for e, hip in zip(leans, hips, strict=False) if isinstance(e, Position)])


def test_feet_of_somebody_lifted_with_a_hand_held_are_led_on_the_floor_in_below_the_hips() -> None:
    hand = position(LIES, "left_wrist", (0.0, 0.0, 0.0))
    ways = [led(up, hand) for up in np.arange(0.1, 1.2, 0.02)]
    length = float(np.linalg.norm(ways[-1][0]))
    hip = WORLD.positions[SKELETON.index("left_hip"), 1]
    heights = [hip + up + way[0, 1] for up, way in zip(np.arange(0.1, 1.2, 0.02), ways, strict=True)]
    assert min(heights) == pytest.approx(ANKLE_STANDS * length / 0.98, abs=2e-3)
    assert ways[-1][0] == pytest.approx([0.0, -length, 0.0], abs=1e-3)
    assert max(float(np.abs(more - less).max()) for less, more in pairwise(ways)) < 0.07
    assert len(led(0.5)) == 0, "with nothing else asked, legs hang from the pelvis as it is turned"


def test_knees_of_somebody_lifted_bend_where_the_floor_leaves_no_room_for_legs_to_swing_down() -> None:
    stands, knee = rest_pose(SKELETON), SKELETON.index("left_knee")
    hip, ankle = SKELETON.index("left_hip"), SKELETON.index("left_ankle")
    for up in np.arange(0.3, 1.2, 0.1):
        lifted = kept_down(SKELETON, SEAT, [position(LIES, "pelvis", (0.0, up, 0.0))], LIES, stands, lifted=True)
        there = forward_kinematics(
            SKELETON, Pose(LIES.root_position + np.array([0.0, up, 0.0], np.float32), lifted.rotations)
        )
        assert there.positions[ankle, 1] > 0.07
        assert there.positions[knee, 1] > there.positions[ankle, 1]
        assert there.positions[hip, 1] > there.positions[ankle, 1]


def test_a_foot_slides_in_under_a_knee_that_is_pulled_up_unless_the_leg_is_bent_already() -> None:
    assert ("left_ankle", Position) in pulls(BED, position(LIES, "left_knee", (0.0, 0.2, 0.0)))
    rotations, hip, knee = np.array(LIES.rotations), SKELETON.index("left_hip"), SKELETON.index("left_knee")
    rotations[hip] = from_rotation_vector([-0.8, 0.0, 0.0]) @ rotations[hip]
    rotations[knee] = from_rotation_vector([1.6, 0.0, 0.0]) @ rotations[knee]
    bent = Pose(LIES.root_position, rotations.astype(np.float32))
    world = forward_kinematics(SKELETON, bent)
    ankle = world.positions[SKELETON.index("left_ankle")]
    assert ankle[1] < 0.09, "the foot is on the floor"
    bed = Bed(world, BED.bears)
    assert ("left_ankle", Position) not in pulls(bed, position(bent, "left_knee", (0.0, 0.02, 0.0)))
