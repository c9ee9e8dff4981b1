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
    assert "off among guesses: 50 %, among the others: 17 %" in said
    assert "marked among the wrong: 50 %, wrong among the marked: 50 %" in said


def test_a_pose_is_in_doubt_if_looks_disagreed_about_half_of_the_arms_and_legs(skeleton: Skeleton) -> None:
    sure = seen(skeleton, reaching(skeleton), pixel_spread=1.0)
    at = {mark: (100.0 * number, 0.0) for number, mark in enumerate(sure.by_mark)}
    sure = replace(sure, points=tuple(replace(sure.by_mark[mark], pixel=at[mark]) for mark in sure.by_mark))
    wide = LOOK_FIRST * extent_px(sure)

    def with_limbs(count: int, **changed: float) -> Sighting:
        marks = [mark + side for mark in PARTS for side in (0, 1)][:count]
        points = (replace(point, **changed) if mark in marks else point for mark, point in sure.by_mark.items())
        return replace(sure, points=tuple(points))

    assert not is_doubtful(sure)
    assert not is_doubtful(with_limbs(5, pixel_spread=2 * wide))
    assert is_doubtful(with_limbs(7, pixel_spread=1.01 * wide))
    assert not is_doubtful(with_limbs(7, pixel_spread=0.6 * wide))
    assert is_doubtful(with_limbs(7, pixel_spread=0.6 * wide, confidence=0.3)), "looks agree in what they suppose"
    assert not is_doubtful(Sighting("0" * 64))
    one_look = replace(sure, points=tuple(replace(point, pixel_spread=None) for point in sure.points))
    assert not is_doubtful(one_look)
