"""Fitting the body to landmarks: derivatives, the analytic start, and poses found again from what a camera saw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, joints, landmarks_of, level_camera, natural

from solver.evaluation.metrics import mpjpe_mm, pa_mpjpe_mm
from solver.ik.pose_prior import pose_prior
from solver.kinematics.limits import joint_limits
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.fit.evidence import Evidence, body_points, evidence
from solver.photo.fit.fit import fit_person, onto_picture, shape_of
from solver.photo.fit.least_squares import UNKNOWNS, Fit, J, Weights, gradient, minimise, posed_joints
from solver.photo.fit.start import analytic_start, placed


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """The compiled parts: on a new machine they take longer than a test should wait."""
    camera = level_camera()
    minimise(body(), _seen(0, camera), _somewhere(0), Weights(), 1)


def _seen(seed: int, camera=None, facing: float = 0.0, pixel: float = 0.0, depth: float = 0.0) -> Evidence:
    camera = camera or level_camera()
    marks = landmarks_of(natural(seed, facing), camera, seed, pixel, depth)
    return evidence(marks, body_points(body()), camera.focal, camera.principal)


def _somewhere(seed: int) -> Fit:
    rng = np.random.default_rng(seed)
    rotations = pose_prior(SMPL_JOINTS).mean @ from_rotation_vector(0.4 * rng.normal(size=(J, 3)))
    return Fit(np.array([0.3, 0.2, -4.0]), rotations, rng.normal(size=10), np.array([-0.9, 0.1]), np.array([0.2, -0.1]))


def _moved(fit: Fit, x: np.ndarray) -> Fit:
    turned = fit.rotations @ from_rotation_vector(x[: 3 * J].reshape(J, 3))
    return Fit(fit.root + x[72:75], turned, fit.betas + x[75:85], fit.ground + x[85:87], fit.turn + x[87:])


def _arms_in_the_chest() -> Fit:
    fit = _somewhere(1)
    rotations = fit.rotations.copy()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        rotations[SMPL_JOINTS.index(f"{side}_shoulder")] = from_rotation_vector([0.0, -sign * 1.5, -sign * 0.9])
        rotations[SMPL_JOINTS.index(f"{side}_elbow")] = from_rotation_vector([0.0, -sign * 2.4, 0.0])
    return replace(fit, rotations=rotations)


@pytest.mark.parametrize("fit", [_somewhere(0), _somewhere(4), _arms_in_the_chest()], ids=["one", "two", "in chest"])
def test_the_gradient_is_that_of_the_cost(fit: Fit) -> None:
    seen = _seen(2, pixel=20.0, depth=0.2)
    _, exact = gradient(body(), seen, fit, Weights())
    step = 1e-6
    numeric = [
        (gradient(body(), seen, _moved(fit, h), Weights())[0] - gradient(body(), seen, _moved(fit, -h), Weights())[0])
        / (4 * step)  # half the cost's slope
        for h in step * np.eye(UNKNOWNS)
    ]
    assert exact == pytest.approx(np.array(numeric), rel=1e-4, abs=1e-3)


def test_an_arm_in_the_chest_costs_something_and_is_brought_out() -> None:
    seen, fit = _seen(2), _arms_in_the_chest()
    loose = replace(Weights(), inside=1e9)
    assert gradient(body(), seen, fit, Weights())[0] > gradient(body(), seen, fit, loose)[0] + 1.0
    better = minimise(body(), seen, fit, Weights(), 60)
    assert better.cost - gradient(body(), seen, better, loose)[0] < 0.2


def test_a_fit_never_gets_worse_than_its_start() -> None:
    for seed in range(4):
        seen, start = _seen(seed, pixel=3.0, depth=0.1), _somewhere(seed + 10)
        assert minimise(body(), seen, start, Weights(), 5).cost <= gradient(body(), seen, start, Weights())[0]


def test_the_analytic_start_already_points_the_bones_right() -> None:
    for seed, facing in ((1, 0.0), (2, 1.2), (3, 3.0), (4, -2.0)):
        start = analytic_start(body(), _seen(seed, facing=facing))
        places, _ = posed_joints(body(), start)
        assert pa_mpjpe_mm(places, joints(natural(seed, facing))) < 60


def test_the_place_follows_from_the_picture() -> None:
    camera, pose = level_camera(distance=5.0), natural(6)
    truth = camera.before(joints(pose))
    local = pose.rotations.astype(np.float64)
    fit = placed(body(), _seen(6, camera), Fit(np.zeros(3), local, np.zeros(10)))
    assert fit.root == pytest.approx(truth[0], abs=1e-3)


@pytest.mark.parametrize("facing", [0.0, 0.8, -1.6, 3.1])
def test_a_pose_is_found_again_from_exact_landmarks(facing: float) -> None:
    errors = []
    for seed in (1, 2, 3):
        camera = level_camera()
        places, _ = posed_joints(body(), fit_person(body(), _seen(seed, camera, facing)))
        truth = camera.before(joints(natural(seed, facing)))
        errors.append(float(pa_mpjpe_mm(places, truth)))
        assert mpjpe_mm(places - places[0], truth - truth[0]) < 70
    assert np.mean(errors) < 25  # the natural prior pulls even where landmarks are exact
    assert max(errors) < 35


def test_noise_of_the_kind_the_network_makes_is_partly_taken_out() -> None:
    limbs = [j for j, name in enumerate(SMPL_JOINTS) if name.endswith(("elbow", "wrist", "knee", "ankle"))]
    fitted, given = [], []
    for seed in range(6):
        camera, facing = level_camera(), 0.9 * seed
        seen = _seen(seed, camera, facing, pixel=4.0, depth=0.12)
        truth = camera.before(joints(natural(seed, facing)))
        places, _ = posed_joints(body(), fit_person(body(), seen))
        rows = [int(np.flatnonzero((seen.points.joint == j) & (seen.points.landmark < 29))[0]) for j in limbs]
        fitted.append(pa_mpjpe_mm(places[limbs], truth[limbs]))
        given.append(pa_mpjpe_mm(seen.world[rows], truth[limbs]))
    assert np.mean(fitted) < 0.85 * np.mean(given)
    assert np.mean(fitted) < 60


def test_what_looks_disagree_about_pulls_less_in_metres_and_as_much_on_the_picture() -> None:
    camera = level_camera()
    marks, points = landmarks_of(natural(1), camera, 1, 0.0, 0.0), body_points(body())
    spread = np.zeros((33, 3))
    spread[15, 2] = 0.2  # a wrist that points at the camera, perhaps
    alone, doubted = (
        evidence(some, points, camera.focal, camera.principal) for some in (marks, replace(marks, spread=spread))
    )
    wrist = points.landmark == 15
    assert (doubted.world_weights[wrist] < 0.1 * alone.world_weights[wrist]).all()
    assert doubted.world_weights[~wrist] == pytest.approx(alone.world_weights[~wrist])
    assert doubted.pixel_weights == pytest.approx(alone.pixel_weights)


def test_a_limb_that_looks_disagree_about_follows_the_picture_rather_than_a_wrong_depth() -> None:
    arm = [SMPL_JOINTS.index(f"left_{name}") for name in ("elbow", "wrist")]
    errors = {"trusted": 0.0, "doubted": 0.0}
    for seed in range(4):
        camera, pose = level_camera(), natural(seed)
        marks, truth = landmarks_of(pose, camera, seed, 0.0, 0.0), camera.before(joints(pose))
        world, spread = marks.world.copy(), np.zeros((33, 3))
        world[[13, 15, 17, 19, 21], 2] -= [0.2, 0.4, 0.4, 0.4, 0.4]  # metres towards the camera
        spread[[13, 15, 17, 19, 21], 2] = [0.1, 0.2, 0.2, 0.2, 0.2]
        for name, doubt in (("trusted", np.zeros((33, 3))), ("doubted", spread)):
            wrong = replace(marks, world=world, spread=doubt)
            seen = evidence(wrong, body_points(body()), camera.focal, camera.principal)
            places, _ = posed_joints(body(), fit_person(body(), seen))
            errors[name] += mpjpe_mm((places - places[0])[arm], (truth - truth[0])[arm]) / 4
    assert errors["doubted"] < errors["trusted"] - 10


def test_an_arm_that_points_at_a_near_camera_is_found_where_the_network_lets_it_hang() -> None:
    camera, pose = replace(level_camera(distance=2.2), focal=500.0), natural(1, -0.3, spread=0.3)
    shoulder, elbow, wrist = (SMPL_JOINTS.index(f"right_{name}") for name in ("shoulder", "elbow", "wrist"))
    rotations = pose.rotations.astype(np.float64)
    rotations[shoulder], rotations[elbow] = from_rotation_vector([0.0, 1.2, 0.0]), np.eye(3)
    ahead = replace(pose, rotations=rotations.astype(np.float32))
    marks, truth = landmarks_of(ahead, camera), camera.before(joints(ahead))
    world = marks.world.copy()
    world[[14, 16, 18, 20, 22]] += np.outer([0.5, 1.0, 1.0, 1.0, 1.0], [0.0, 0.3, 0.4])  # metres down and away
    seen = evidence(replace(marks, world=world), body_points(body()), camera.focal, camera.principal)
    places, _ = posed_joints(body(), fit_person(body(), seen))
    assert places[wrist, 2] - places[shoulder, 2] == pytest.approx(truth[wrist, 2] - truth[shoulder, 2], abs=0.1)


def test_fits_stay_within_what_joints_and_bodies_can_do() -> None:
    for seed in range(4):
        found = fit_person(body(), _seen(seed, pixel=6.0, depth=0.15))
        assert joint_limits(SMPL_JOINTS).excess(found.rotations).max() < 0.15
        assert np.abs(shape_of(found).betas).max() <= 3.0


def test_a_fit_comes_nearer_to_its_landmarks_in_the_picture_and_keeps_its_depths() -> None:
    seen = _seen(2, pixel=5.0, depth=0.1)
    fit = fit_person(body(), seen)
    before, after = (seen.points.places(*posed_joints(body(), one)) for one in (fit, onto_picture(body(), seen, fit)))

    def off(places: np.ndarray) -> float:
        return float(np.linalg.norm(seen.focal_px * places[:, :2] / -places[:, 2:] - seen.pixels, axis=1).mean())

    deep, still = (places[:, 2] - places[seen.points.hips, 2].mean() for places in (before, after))
    assert off(after) < 0.85 * off(before)
    assert np.abs(still - deep).max() < 0.02


def test_landmarks_of_nothing_human_still_give_a_body_before_the_camera() -> None:
    seen = _seen(0)
    rng = np.random.default_rng(0)
    nonsense = replace(seen, pixels=300 * rng.normal(size=seen.pixels.shape), world=rng.normal(size=seen.world.shape))
    found = fit_person(body(), nonsense)
    assert np.isfinite(found.rotations).all()
    assert np.isfinite(found.root).all()
    assert found.root[2] < 0
