"""What a photo does not decide of a person: guesses, and limbs that may as well lead the other way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body

from solver.body.body import BodyShape
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.photo.depth_ambiguity import (
    LOOK_FIRST,
    depth_ambiguous_limbs,
    depth_error,
    extent_px,
    is_doubtful,
    is_guess,
)
from solver.photo.measuring.depth_ambiguity import LimbRow, summary
from solver.photo.sighting import NAMES, SeenPoint, Sighting
from solver.rig.roles import ARMS

EYE = np.array([0.0, 1.0, 4.0])
LEFT_ARM = ARMS[0]
PARTS = {11: "shoulder", 13: "elbow", 15: "wrist", 23: "hip", 25: "knee", 27: "ankle"}
SURE = SeenPoint("nose", (0.0, 0.0), 1.0, 0.0, 2.0, 0.01)


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return body().skeleton(BodyShape())


def reaching(skeleton: Skeleton, forward: bool = True) -> np.ndarray:
    """(24, 3) joints of somebody whose left arm leads half towards the camera, or half away from it."""
    rest = rest_pose(skeleton)
    local = rest.rotations.copy()
    local[skeleton.index("left_shoulder")] = from_rotation_vector(np.array([0.0, -0.8 if forward else 0.8, 0.0]))
    pose = Pose(rest.root_position, local)
    return forward_kinematics(skeleton, pose).positions.astype(np.float64)


def seen(skeleton: Skeleton, places: np.ndarray, **changed: float) -> Sighting:
    """As the joints are, and sure; changed: of all points."""
    hips = (places[skeleton.index("left_hip")] + places[skeleton.index("right_hip")]) / 2
    sight = (hips - EYE) / np.linalg.norm(hips - EYE)
    at = {m + r: f"{side}_{part}" for m, part in PARTS.items() for r, side in enumerate(("left", "right"))}
    deep = {mark: float((places[skeleton.index(joint)] - hips) @ sight) for mark, joint in at.items()}
    points = (replace(SURE, name=name, depth=deep.get(mark, 0.0)) for mark, name in NAMES.items())
    return Sighting("0" * 64, tuple(replace(point, **changed) for point in points))


def test_a_limb_whose_depths_were_seen_as_it_leads_is_decided(skeleton: Skeleton) -> None:
    places = reaching(skeleton)
    assert depth_ambiguous_limbs(skeleton, places, EYE, seen(skeleton, places)) == ()


def test_looks_that_disagree_as_much_as_the_two_readings_leave_it_open(skeleton: Skeleton) -> None:
    places = reaching(skeleton)
    assert depth_ambiguous_limbs(skeleton, places, EYE, seen(skeleton, places, depth_spread=0.8)) == (LEFT_ARM,)


def test_depths_that_speak_for_the_other_reading_leave_it_open(skeleton: Skeleton) -> None:
    places, other = reaching(skeleton), reaching(skeleton, forward=False)
    assert depth_ambiguous_limbs(skeleton, places, EYE, seen(skeleton, other)) == (LEFT_ARM,)


def test_a_limb_whose_way_somebody_chose_is_open_no_more(skeleton: Skeleton) -> None:
    places = reaching(skeleton)
    doubtful = seen(skeleton, places, depth_spread=0.8)
    assert depth_ambiguous_limbs(skeleton, places, EYE, replace(doubtful, decided=("left_elbow",))) == ()
    assert depth_ambiguous_limbs(skeleton, places, EYE, replace(doubtful, decided=("right_elbow",))) == (LEFT_ARM,)


def test_a_single_look_and_points_that_are_not_there_mark_nothing(skeleton: Skeleton) -> None:
    places = reaching(skeleton)
    alone = Sighting("0" * 64, tuple(replace(p, depth_spread=None) for p in seen(skeleton, places).points))
    assert depth_ambiguous_limbs(skeleton, places, EYE, alone) == ()
    assert depth_ambiguous_limbs(skeleton, places, EYE, Sighting("0" * 64)) == ()


def test_a_point_is_a_guess_by_depth_or_by_place() -> None:
    assert not is_guess(SURE, 100.0)
    assert is_guess(replace(SURE, depth_spread=0.1), 100.0)
    assert is_guess(replace(SURE, pixel_spread=4.0), 100.0)
    assert not is_guess(replace(SURE, pixel_spread=4.0), 1000.0)
    assert not is_guess(replace(SURE, pixel_spread=None, depth_spread=None), 100.0)


def test_looks_at_a_point_that_is_only_supposed_need_to_disagree_half_as_much() -> None:
    apart = replace(SURE, pixel_spread=2.0)
    assert not is_guess(apart, 100.0)
    assert is_guess(replace(apart, confidence=0.4), 100.0)
    assert not is_guess(replace(apart, confidence=0.4), 200.0)
    assert not is_guess(replace(apart, confidence=0.4, pixel_spread=None), 100.0), "put by hand, or by another program"


def test_a_depth_errs_by_more_than_looks_disagree_and_none_is_said_of_a_single_look() -> None:
    assert depth_error(replace(SURE, depth_spread=0.0)) == pytest.approx(0.08)
    assert depth_error(replace(SURE, depth_spread=0.1)) == pytest.approx(0.17)
    assert depth_error(replace(SURE, depth_spread=None)) is None


def test_the_extent_is_the_diagonal_of_the_points() -> None:
    assert extent_px(Sighting("", (SURE, replace(SURE, pixel=(30.0, 40.0))))) == pytest.approx(50.0)
    assert extent_px(Sighting("")) == 1.0


def test_shares_are_told_of_points_and_limbs() -> None:
    rows = [
        LimbRow((True, False), (True, False), True, True),
        LimbRow((True, False), (False, False), True, False),
        LimbRow((False, False), (False, True), False, False),
        LimbRow((False, False), (False, False), False, True),
    ]
    said = summary(rows)
    assert "off among guesses: 50%, among the others: 17%" in said
    assert "marked among the wrong: 50%, wrong among the marked: 50%" in said


def test_a_pose_is_in_doubt_if_close_looks_disagreed_about_arms_and_legs(skeleton: Skeleton) -> None:
    sure = replace(seen(skeleton, reaching(skeleton), pixel_spread=0.0), limbs_apart=0.9 * LOOK_FIRST)
    doubted = replace(sure, limbs_apart=LOOK_FIRST)
    assert not is_doubtful(sure)
    assert is_doubtful(doubted)
    wide = replace(sure, points=tuple(replace(point, pixel_spread=50.0) for point in sure.points))
    assert not is_doubtful(wide), "the quick network's looks may disagree about somebody whom the heavy one sees well"
    assert is_doubtful(replace(wide, limbs_apart=None)), "as in a scene saved before close looks were told apart"
    assert not is_doubtful(replace(sure, limbs_apart=None))
    assert not is_doubtful(Sighting("0" * 64))


def test_a_pose_is_in_doubt_no_longer_once_the_user_put_a_joint_right_or_most_guesses(skeleton: Skeleton) -> None:
    doubted = replace(seen(skeleton, reaching(skeleton), pixel_spread=0.0), limbs_apart=2 * LOOK_FIRST)

    def dragged(sighting: Sighting, *names: str) -> Sighting:
        points = (replace(p, pixel_spread=None) if p.name in names else p for p in sighting.points)
        return replace(sighting, points=tuple(points))

    assert not is_doubtful(dragged(doubted, "left_wrist"))
    assert is_doubtful(dragged(doubted, "nose"))
    guessed = replace(doubted, points=tuple(replace(point, pixel_spread=50.0) for point in doubted.points))
    assert is_doubtful(dragged(guessed, "left_wrist"))
    assert not is_doubtful(dragged(guessed, *[*NAMES.values()][:11]))
