"""The lifter in the way from a photo to poses: frames, mirror images, what its poses are worth, and refusals."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from photo_samples import body, joints, landmarks_of, level_camera, natural

from solver.errors import InputRefused
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.kinematics.limits import joint_limits
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.fit.evidence import Evidence, body_points, evidence
from solver.photo.fit.fit import fit_person
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.fit.lifting import centred_view, lifted, shipped_lifter, with_lifted_depths
from solver.solvers.learned.weights import WEIGHTS, Weights, load_weights

NUMBERS = range(8)
ONE_LOOK = landmarks_of(natural(0), level_camera(), 0, 0.0, 0.0)
LIMBS = [j for j, name in enumerate(SMPL_JOINTS) if name.endswith(("elbow", "wrist", "knee", "ankle"))]


def seen(seed: int, pixel: float = 0.0, depth: float = 0.0) -> Evidence:
    camera, facing = level_camera(), 0.8 * seed
    marks = landmarks_of(natural(seed, facing), camera, seed, pixel, depth)
    return evidence(marks, body_points(body()), camera.focal, camera.principal)


def true_joints(seed: int) -> np.ndarray:
    return level_camera().before(joints(natural(seed, 0.8 * seed)))


def fit_lifted(given: Evidence) -> Fit:
    return fit_person(body(), with_lifted_depths(given, lifted(body(), given), ONE_LOOK))


def test_people_are_looked_at_straight_however_far_aside_they_are() -> None:
    about = centred_view(seen(1))
    assert about.picture[body_points(body()).landmark == 23] == pytest.approx(
        -about.picture[body_points(body()).landmark == 24], abs=1e-9
    )
    assert np.linalg.norm(np.ptp(about.picture, axis=0)) == pytest.approx(1.0)
    given = seen(1)
    turn = from_rotation_vector([0.0, -0.4, 0.0])
    rays = np.concatenate([given.pixels, np.full((len(given.pixels), 1), -given.focal_px)], axis=1) @ turn.T
    aside = replace(given, pixels=rays[:, :2] / -rays[:, 2:] * given.focal_px, world=given.world @ turn.T)
    other = centred_view(aside)
    assert other.space == pytest.approx(about.space, abs=0.02)
    assert other.picture == pytest.approx(about.picture, abs=0.02)
    points = lifted(body(), aside).points
    assert points == pytest.approx(lifted(body(), given).points @ turn.T, abs=0.03)


def test_the_mirror_image_of_somebody_is_lifted_to_the_mirror_image_of_their_pose() -> None:
    given = seen(2, 3.0, 0.1)
    marks = given.points.landmark.tolist()
    other = [marks.index(m if m == 0 else m + 1 if m % 2 else m - 1) for m in marks]
    mirrored = replace(
        given, pixels=given.pixels[other] * [-1, 1], world=given.world[other] * [-1, 1, 1],
        pixel_weights=given.pixel_weights[other],
    )  # fmt: skip
    one, two = lifted(body(), given), lifted(body(), mirrored)
    assert two.points == pytest.approx(one.points[other] * [-1, 1, 1], abs=1e-3)
    assert two.unsure == pytest.approx(one.unsure[other], rel=1e-4)


def test_it_is_less_sure_of_a_person_who_is_seen_badly() -> None:
    sure, unsure = (
        np.mean([lifted(body(), seen(n, *bad)).unsure.mean() for n in NUMBERS]) for bad in ((0, 0), (8, 0.25))
    )
    assert unsure > 1.1 * sure


def test_noise_of_the_kind_that_networks_make_is_partly_taken_out() -> None:
    found = []
    for number in NUMBERS:
        given, truth = seen(number, 4.0, 0.12), true_joints(number)
        shown = [int(np.flatnonzero((given.points.joint == j) & (given.points.landmark < 29))[0]) for j in LIMBS]
        fitted = posed_joints(body(), fit_lifted(given))[0][LIMBS]
        found.append([float(pa_mpjpe_mm(places, truth[LIMBS])) for places in (given.world[shown], fitted)])
    landmarks, fits = np.mean(found, axis=0)
    assert fits < 0.8 * landmarks


def test_what_looks_disagree_about_is_held_to_the_lifter_more_weakly() -> None:
    given, spread = seen(1), np.zeros((33, 3))
    spread[15, 2] = 0.2
    told = lifted(body(), given)
    sure, doubted = (with_lifted_depths(given, told, marks) for marks in (ONE_LOOK, replace(ONE_LOOK, spread=spread)))
    wrist = given.points.landmark == 15
    assert (doubted.world_weights[wrist] < 0.1 * sure.world_weights[wrist]).all()
    assert doubted.world_weights[~wrist] == pytest.approx(sure.world_weights[~wrist])
    assert doubted.world == pytest.approx(told.points)


def test_looks_that_disagree_count_less_the_more_level_a_trunk_is() -> None:
    given, marks = seen(1), replace(ONE_LOOK, spread=np.full((33, 3), 0.1))
    told, shares = lifted(body(), given), []
    for tilt in (0.0, 0.25 * np.pi, 0.5 * np.pi):
        lying = replace(told, points=told.points @ from_rotation_vector([0.0, 0.0, tilt]).T)
        weights = [with_lifted_depths(given, lying, each).world_weights.sum() for each in (marks, ONE_LOOK)]
        shares.append(weights[0] / weights[1])
    assert shares[0] < 0.15
    assert shares[1] < 0.25
    assert shares[2] > 0.7


def test_bodies_lie_on_the_picture_within_what_joints_can_do() -> None:
    for number in NUMBERS:
        given = seen(number, 2.0, 0.1)
        fit = fit_lifted(given)
        points = given.points.places(*posed_joints(body(), fit))
        shown = given.focal_px * points[:, :2] / -points[:, 2:]
        assert np.median(np.linalg.norm(shown - given.pixels, axis=1)) < 0.015 * given.size_px
        assert joint_limits(SMPL_JOINTS).excess(fit.rotations).max() < 0.2


def test_landmarks_of_nothing_human_still_give_a_body_before_the_camera() -> None:
    rng, given = np.random.default_rng(0), seen(0)
    for nonsense in (
        replace(given, pixels=300 * rng.normal(size=given.pixels.shape), world=rng.normal(size=given.world.shape)),
        replace(given, pixels=np.zeros_like(given.pixels), world=np.zeros_like(given.world)),
    ):
        found = fit_lifted(nonsense)
        assert np.isfinite(found.rotations).all()
        assert found.root[2] < 0


def test_weights_that_are_missing_or_answer_nonsense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no such folder"):
        load_weights(tmp_path / "lifter", "lifter", "anny")
    shutil.copytree(WEIGHTS / "lifter", tmp_path / "lifter")
    assert load_weights(tmp_path / "lifter", "lifter", "anny").config.network == "lifter"
    with pytest.raises(InputRefused, match="“lifter”, not “smplik”"):
        load_weights(tmp_path / "lifter", "smplik", "anny")

    class Nonsense:
        def __init__(self, value: float | None) -> None:
            self.value = value

        def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
            if self.value is None:
                raise RuntimeError("no memory")
            return [np.full((2, 22, 6), self.value, np.float32), np.zeros((2, 23), np.float32)]

    for value, reason in ((float("nan"), "impossible numbers"), (None, "no memory")):
        weights = Weights(shipped_lifter().config, Nonsense(value))
        with pytest.raises(InputRefused, match=reason):
            lifted(body(), seen(0), weights)
