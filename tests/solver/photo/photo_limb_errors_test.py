"""Where errors in the picture arise: at which joint, from landmarks or from the fit, and on whose limb."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from photo_measuring_test import lens, read, somebody
from photo_samples import body

from solver.photo.accuracy import SHARED_JOINTS, shared_indices, shared_landmarks
from solver.photo.measuring.limb_errors import (
    NOWHERE,
    OTHER_SIDE,
    OWN,
    PARTNER,
    hidden_joints,
    rows_of,
    tables,
    whose_limb,
)
from solver.photo.measuring.truth import TruePicture
from solver.photo.people import PhotoResult
from solver.rig.roles import Role

WRIST, OTHER_WRIST, ANKLE = (SHARED_JOINTS.index(r) for r in (Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.LEFT_ANKLE))
ONE, BESIDE = somebody(1, (-0.6, 0.0)), somebody(2, (0.6, 0.0))
COUPLE = TruePicture("0007.jpg", "tune", "couple", lens(), (ONE, BESIDE))


def with_wrist_at(result: PhotoResult, place: np.ndarray) -> PhotoResult:
    """The first person's left wrist read there."""
    first, *others = result.people
    pixels = first.landmarks.pixels.copy()
    pixels[shared_landmarks()[WRIST]] = place
    return replace(result, people=(replace(first, landmarks=replace(first.landmarks, pixels=pixels)), *others))


def test_a_point_belongs_to_the_nearest_arm_or_leg_within_reach() -> None:
    own, other = (person.pixels[shared_indices()] for person in (ONE, BESIDE))
    assert whose_limb(own[WRIST] + 1.0, WRIST, own, [other], 10.0) == OWN
    assert whose_limb(own[OTHER_WRIST] + 1.0, WRIST, own, [other], 10.0) == OTHER_SIDE
    assert whose_limb(other[OTHER_WRIST] + 1.0, WRIST, own, [other], 10.0) == PARTNER
    assert whose_limb(other[ANKLE] + 1.0, WRIST, own, [other], 10.0) == NOWHERE, "a wrist is on no leg"
    assert whose_limb(other[WRIST], WRIST, own, [], 10.0) == NOWHERE


def test_a_wrist_read_on_the_partners_hand_is_off_and_the_figure_stays_off_that_landmark() -> None:
    right = read(ONE, BESIDE)
    wrong = with_wrist_at(right, BESIDE.pixels[shared_indices()][WRIST])
    (good, other), (bad, same) = rows_of(COUPLE, right, body()), rows_of(COUPLE, wrong, body())
    assert (bad.picture, bad.number, other.number) == ("0007.jpg", 0, 1)
    assert good.joints[WRIST].landmark_off < 0.03
    assert (bad.joints[WRIST].part, bad.joints[WRIST].whose) == ("wrist", PARTNER)
    assert bad.joints[WRIST].landmark_off > 0.2
    assert bad.joints[WRIST].figure_from_landmark > 0.2
    assert bad.joints[WRIST].figure_off == good.joints[WRIST].figure_off < 0.01
    assert [row for i, row in enumerate(bad.joints) if i != WRIST] == [
        row for i, row in enumerate(good.joints) if i != WRIST
    ]
    assert same == other
    assert "the landmarks of 0 and the figures of 0 of 2 people" in tables([bad, same])
    all_joints, wrists = (line for line in tables([bad, same]).splitlines() if line[:5] in ("| all", "| wri"))
    assert all_joints.split(" | ")[1] == "24"
    assert wrists.split(" | ")[5:] == ["1", "0", "0", "1", "0", "0 |"]


def test_nobody_read_is_no_row() -> None:
    assert rows_of(COUPLE, PhotoResult(lens(), ()), body()) == []
    assert "joints of 0 people" in tables([])


def test_what_somebody_nearer_to_the_camera_stands_in_front_of_is_hidden() -> None:
    before, behind, aside = somebody(1, (0.0, 0.5)), somebody(1, (0.0, -0.5)), somebody(1, (1.5, 0.5))
    assert hidden_joints(behind, [before], lens()).sum() > 6
    assert not hidden_joints(before, [behind], lens()).any()
    assert not hidden_joints(behind, [aside], lens()).any()
