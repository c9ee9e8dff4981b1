"""What protocol P compares with: the truth's file, who is whom, and how its rows become tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from photo_samples import body, joints, landmarks_of, level_camera, natural

from solver.body.body import BodyShape
from solver.camera import PinholeCamera
from solver.errors import InputRefused
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.accuracy import shared_indices
from solver.photo.detection.turned_looks import box_of
from solver.photo.fit.evidence import body_points, evidence
from solver.photo.fit.fit import LIMBS, fit_person, mirrored, shape_of
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.measuring.corrections import GESTURES, corrected, corrected_by_turns, flipped, turned_round
from solver.photo.measuring.measure import NOBODY, Measured, PersonRow, PictureRow, matched_people
from solver.photo.measuring.tables import markdown
from solver.photo.measuring.truth import (
    FILE,
    HALVES,
    KnownPerson,
    TruePerson,
    TruePicture,
    half_of,
    read_renderings,
    rendered_cases,
    truth_text,
)
from solver.photo.people import EstimatedPerson, PhotoResult

SEEN = level_camera(distance=5.0)


def lens() -> PinholeCamera:
    return PinholeCamera(
        SEEN.position.astype(np.float32), SEEN.rotation.astype(np.float32), SEEN.focal, SEEN.principal, SEEN.size
    )


def somebody(seed: int, at: tuple[float, float]) -> TruePerson:
    pose = natural(seed, at=at)
    places = joints(pose)
    return TruePerson(
        "standing", "a clip", 7, BodyShape(np.full(10, 0.25, np.float32)), pose, places, SEEN.pixels(places)
    )


def read(*people: TruePerson) -> PhotoResult:
    """What an estimator that sees the landmarks well makes of people."""
    points, found = body_points(body()), []
    for person in people:
        marks = landmarks_of(person.pose, SEEN, pixel=1.0)
        fit = fit_person(body(), evidence(marks, points, SEEN.focal, SEEN.principal))
        box = box_of(marks, SEEN.size)
        found.append(EstimatedPerson(1.0, box, shape_of(fit), person.pose, marks, fit, True))
    return PhotoResult(lens(), tuple(found))


def known(person: TruePerson) -> KnownPerson:
    return KnownPerson(person.posture, person.joints[shared_indices()], person.pixels[shared_indices()])


def test_a_truth_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    true = TruePicture("0003.jpg", half_of(3), "couple", lens(), (somebody(1, (-0.5, 0.0)), somebody(2, (0.5, 0.0))))
    (tmp_path / FILE).write_text(truth_text([true]), encoding="utf-8")
    (back,) = read_renderings(tmp_path)
    assert (back.name, back.half, back.kind) == (true.name, true.half, true.kind)
    assert back.camera.image_size == true.camera.image_size
    for one, other in zip(true.people, back.people, strict=True):
        assert (one.posture, one.clip, one.frame) == (other.posture, other.clip, other.frame)
        np.testing.assert_allclose(other.joints, one.joints, atol=1e-5)
        np.testing.assert_allclose(joints(other.pose), one.joints, atol=1e-4)
        np.testing.assert_allclose(back.camera.project(other.joints), one.pixels, atol=0.02)
        np.testing.assert_allclose(other.shape.betas, one.shape.betas, atol=1e-6)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"half": "', '"half": "third '),
        ('"file": "', '"file": "../'),
        ('"gender"', '"Gender"'),
        ('"image_size"', '"size"'),
        ('"betas": [', '"betas": [NaN, '),
    ],
)
def test_a_truth_with_something_wrong_in_it_is_refused_by_its_name(tmp_path: Path, old: str, new: str) -> None:
    true = TruePicture("0003.jpg", half_of(3), "single", lens(), (somebody(1, (0.0, 0.0)),))
    text = truth_text([true])
    assert old in text
    (tmp_path / FILE).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputRefused, match=FILE):
        rendered_cases(tmp_path)


def test_halves_stay_whatever_the_count_and_are_about_as_large() -> None:
    halves = [half_of(index) for index in range(200)]
    assert set(halves) == set(HALVES)
    assert 80 <= halves.count("tune") <= 120


def test_everybody_is_paired_with_the_person_read_at_their_place() -> None:
    left, right = somebody(1, (-0.8, 0.0)), somebody(2, (0.8, 0.0))
    assert matched_people([known(left), known(right)], read(right, left), body()) == [1, 0]


def test_a_person_read_elsewhere_is_not_a_known_one() -> None:
    left, right = somebody(1, (-0.8, 0.0)), somebody(2, (0.8, 0.0))
    assert matched_people([known(left)], read(right), body()) == [NOBODY]
    assert matched_people([known(left)], read(), body()) == [NOBODY]


def test_without_pixels_the_pose_tells_who_it_is() -> None:
    first, second = somebody(1, (-0.8, 0.0)), somebody(5, (0.8, 0.0))
    alone = KnownPerson("", second.joints[shared_indices()], None)
    assert matched_people([alone], read(first, second), body()) == [1]


def test_a_table_counts_people_and_tells_the_worst_of_them() -> None:
    where = "a.jpg", "tune", "slope"
    measured = Measured(
        (PictureRow(*where, 2, 0.5, first_seconds=0.3, processor_s=0.8, first_processor_s=0.4),),
        (
            PersonRow(*where, "standing", True, {"sure": 0.9, "posed on truth": 1.0, "fit": 40.0, "landmarks": 50.0}),
            PersonRow(*where, "standing", True, {"sure": 0.6, "posed on truth": 4.0, "fit": 60.0, "landmarks": 80.0}),
            PersonRow(*where, "sitting", False, {}),
        ),
    )
    page = markdown(measured)
    assert "1 photo; seconds to read one: 0.5 (at most 0.5), to the first bodies: 0.3 (at most 0.3)" in page
    assert "; of processor time 0.8 and 0.4" in page
    assert "|  | people | found | missed | wrong | ticked | posed on truth % | landmarks mm | fit mm |" in page
    assert "| all | 3 | 2 | 1 | 2 | 1 | 2.50 (4.00) | 65.0 | 50.0 |" in page
    assert "| slope | 3 | 2 | 1 | 2 | 1 |" in page
    assert "| sitting | 1 | 0 | 1 | – | – | – | – | – |" in page


def with_an_arm_the_other_way(result: PhotoResult) -> Fit:
    arm = next(limb for limb in LIMBS if SMPL_JOINTS[limb[0]] == "right_shoulder")
    other = mirrored(body(), result.people[0].fit, arm, (True, True))
    assert other is not None
    return other


def test_a_landmark_dragged_to_its_place_brings_the_pose_to_the_truth() -> None:
    person = somebody(3, (0.0, 0.0))
    result, of = read(person), known(person)
    (found,) = result.people
    pixels = found.landmarks.pixels.copy()
    pixels[15] += [90.0, 40.0]
    fit = with_an_arm_the_other_way(result)
    wrong = replace(found, landmarks=replace(found.landmarks, pixels=pixels), fit=fit)
    assert of.pixels is not None
    errors = corrected(body(), replace(result, people=(wrong,)), 0, of.joints, of.pixels)
    assert tuple(errors) == GESTURES
    assert errors[1] < errors[0] - 5.0
    assert errors[4] < errors[0] - 5.0


def test_the_limb_that_leads_the_wrong_way_is_the_one_that_is_flipped() -> None:
    person = somebody(3, (0.0, 0.0))
    result, points, of = read(person), body_points(body()), known(person)
    (found,) = result.people
    seen = evidence(found.landmarks, points, SEEN.focal, SEEN.principal)
    wrong = with_an_arm_the_other_way(result)
    better = flipped(body(), seen, wrong, of.joints)

    def off(fit: Fit) -> float:
        return float(pa_mpjpe_mm(posed_joints(body(), fit)[0][shared_indices()], of.joints))

    assert off(better) < 0.7 * off(wrong)
    assert off(better) < off(found.fit) + 3.0


def test_gestures_have_a_table_of_their_own_where_they_are_known() -> None:
    where = "a.jpg", "report", "single"
    picture = PictureRow(*where, wrong=0, seconds=1.0)
    figures = {f"{count} gestures": 80.0 - 10.0 * count for count in GESTURES}
    figures |= {f"{count} by turns": 90.0 - count for count in GESTURES}
    page = markdown(Measured((picture,), (PersonRow(*where, "sitting", True, figures),)))
    by_turns = "by turns, after 1 mm | by turns, after 2 mm | by turns, after 4 mm"
    assert f"| gestures | after 0 mm | after 1 mm | after 2 mm | after 4 mm | {by_turns} |" in page
    assert "| sitting | 80.0 | 70.0 | 60.0 | 40.0 | 89.0 | 88.0 | 86.0 |" in page
    assert "gestures" not in markdown(Measured((picture,), (PersonRow(*where, "sitting", False, {}),)))


def test_somebody_read_from_behind_is_turned_round_first() -> None:
    person = somebody(3, (0.0, 0.0))
    result, of = read(person), known(person)
    (found,) = result.people
    up = SEEN.rotation[1]
    behind = turned_round(body(), found.fit, up)
    ahead, now = found.fit.rotations[0][:, 2], behind.rotations[0][:, 2]
    assert ahead[2] * now[2] < 0.0, "who looked at the camera looks away from it"
    assert of.pixels is not None
    wrong = replace(found, fit=behind)
    errors = corrected(body(), replace(result, people=(wrong,)), 0, of.joints, of.pixels)
    right = corrected(body(), result, 0, of.joints, of.pixels)
    assert errors[0] > right[0] + 30.0
    assert errors[1] < right[0] + 1.0


def test_no_gesture_makes_a_pose_worse() -> None:
    person = somebody(3, (0.0, 0.0))
    result, of = read(person), known(person)
    (found,) = result.people
    assert of.pixels is not None
    wrong = replace(found, fit=with_an_arm_the_other_way(result))
    errors = corrected(body(), replace(result, people=(wrong,)), 0, of.joints, of.pixels)
    assert sorted(errors.values(), reverse=True) == [errors[count] for count in GESTURES]


def test_who_drags_and_flips_by_turns_drags_first_and_never_turns_anybody_round() -> None:
    person = somebody(3, (0.0, 0.0))
    result, of = read(person), known(person)
    (found,) = result.people
    assert of.pixels is not None
    wrong = replace(result, people=(replace(found, fit=turned_round(body(), found.fit, SEEN.rotation[1])),))
    by_turns = corrected_by_turns(body(), wrong, 0, of.joints, of.pixels)
    best = corrected(body(), wrong, 0, of.joints, of.pixels)
    assert tuple(by_turns) == GESTURES
    assert by_turns[0] == best[0]
    assert by_turns[1] > best[1] + 30.0, "no one drag turns anybody round"
    assert by_turns[2] <= by_turns[1], "a flip is made only where it helps"
