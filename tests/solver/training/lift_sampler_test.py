"""People for the lifter to learn from: seen by random cameras, misread as landmark networks misread them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.geometry import sixd_from_matrices
from solver.networks.lifter import POINTS, CentredViewBatch, LiftPrediction
from solver.photo.fit.evidence import body_points
from solver.photo.fit.lifting import UNSURE_M
from solver.training.commands import train
from solver.training.data.bodies import shaped_bodies
from solver.training.data.landmark_errors import (
    SHIPPED,
    LandmarkErrors,
    load_landmark_errors,
    save_landmark_errors,
)
from solver.training.data.landmark_noise import LandmarkNoise
from solver.training.data.lift_sampler import LiftExamples, LiftSampler
from solver.training.data.synthetic import synthetic_poses
from solver.training.losses.lift_losses import lift_losses

BODY = load_body("anny")
BODIES = shaped_bodies(BODY, BODY_JOINTS)
DATA = synthetic_poses(500)
NONE = LandmarkErrors(*(np.zeros((1, POINTS, size), np.float16) for size in (3, 2, 3)))
PARENTS = SMPL_PARENTS[:22]


@pytest.fixture(scope="module")
def draws() -> LiftSampler:
    return LiftSampler.of(DATA, "train", PARENTS, BODIES, BODY, NONE)


def examples(draws: LiftSampler, seed: int = 1, batch: int = 256) -> LiftExamples:
    return draws.draw(batch, torch.Generator().manual_seed(seed))


def test_the_same_generator_draws_the_same_people(draws: LiftSampler) -> None:
    one, same, other = (examples(draws, seed) for seed in (1, 1, 2))
    assert all(torch.equal(a, b) for a, b in zip(one.seen, same.seen, strict=True))
    assert not torch.equal(one.seen.space, other.seen.space)


def test_people_are_seen_about_their_hips_most_of_them_upright(draws: LiftSampler) -> None:
    drawn = examples(draws)
    assert drawn.points[:, draws.points.hips].mean(1).abs().max() < 1e-5
    assert drawn.points[:, 0, 1].gt(0.3).float().mean() > 0.6  # noses above hips
    assert drawn.points[:, 0, 1].lt(-0.3).any()  # and some are upside down
    assert drawn.world[:, 0, :, 2].std(0)[0] > 0.5  # facing anywhere


def test_what_is_seen_leads_to_the_points(draws: LiftSampler) -> None:
    drawn = examples(draws)
    off = (drawn.seen.space - drawn.points).norm(dim=-1)
    assert 0.02 < off.median() < 0.12
    flat = (
        drawn.points[..., :2]
        / (drawn.points[..., :2].amax(1) - drawn.points[..., :2].amin(1)).norm(dim=-1)[:, None, None]
    )
    assert (drawn.seen.picture - flat).norm(dim=-1).median() < 0.05


def test_measured_errors_come_in_on_either_side() -> None:
    marks = body_points(BODY).landmark.tolist()
    wrist = marks.index(15)
    space = np.zeros((1, POINTS, 3), np.float16)
    space[0, wrist, 0] = 0.5
    wrong = LandmarkNoise.of(replace(NONE, space=space), body_points(BODY), torch.device("cpu"))
    still = torch.zeros(2000, POINTS, 3)
    seen = wrong.applied(still[..., :2], still, torch.Generator().manual_seed(0)).space
    assert seen[:, wrist, 0].mean() > 0.1
    assert seen[:, marks.index(16), 0].mean() < -0.1
    assert seen[:, marks.index(13)].mean(0).abs().max() < 0.02


def test_every_second_person_is_misread_as_somebody_posed_alike_was_whichever_way_up_they_are() -> None:
    rng = np.random.default_rng(3)
    hips = body_points(BODY).hips
    places, space = rng.normal(0.0, 0.3, (2, 8, POINTS, 3))
    places, space = ((each - each[:, hips].mean(1, keepdims=True)).astype(np.float16) for each in (places, space))
    errors = LandmarkErrors(space, np.zeros((8, POINTS, 2), np.float16), places)
    wrong = LandmarkNoise.of(errors, body_points(BODY), torch.device("cpu"))
    about = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # a quarter turn in the picture
    true = torch.tensor(places[5] @ about.T, dtype=torch.float32).expand(1000, -1, -1)
    seen = wrong.applied(true[..., :2], true, torch.Generator().manual_seed(0)).space
    theirs = torch.tensor(space[5] @ about.T, dtype=torch.float32)
    off = (seen - true)[..., :2].flatten(1)  # depth is misread in other ways as well
    like = torch.nn.functional.cosine_similarity(off, theirs[..., :2].flatten()[None])
    assert 0.35 < (like > 0.8).float().mean() < 0.6  # of everybody, one in sixteen by chance


def test_a_limb_that_is_misread_is_misread_in_depth_alone(draws: LiftSampler) -> None:
    marks = body_points(BODY).landmark.tolist()
    true = torch.zeros(2000, POINTS, 3)
    true[:, [marks.index(m) for m in (15, 17, 19)], 2] = 0.5  # a left hand held out
    seen = draws.noise.applied(true[..., :2], true, torch.Generator().manual_seed(0)).space
    depth = seen[:, marks.index(15), 2]
    assert 0.02 < (depth < 0.1).float().mean() < 0.2
    assert seen[:, marks.index(15), :2].abs().median() < 0.03


def test_the_loss_is_least_for_the_truth_and_for_honesty(draws: LiftSampler) -> None:
    drawn = examples(draws)
    bones = BODIES.mean[0]
    right = sixd_from_matrices(drawn.local)
    sure = torch.full((len(right), POINTS), -4.0)
    truth = lift_losses(LiftPrediction(right, sure), drawn, draws.points, bones)
    assert truth.points < 1e-4
    assert truth.turned < 1e-4
    bent = torch.roll(right, 1, dims=0)
    wrong = lift_losses(LiftPrediction(bent, sure), drawn, draws.points, bones)
    off = float(wrong.points)
    honest = [
        lift_losses(
            LiftPrediction(bent, torch.full_like(sure, float(np.log(said / UNSURE_M)))), drawn, draws.points, bones
        )
        for said in (off / 2, off, 2 * off)
    ]
    assert honest[1].honest < min(honest[0].honest, honest[2].honest)
    assert wrong.total > truth.total


def test_rows_of_a_lesson_are_dealt_to_workers(draws: LiftSampler) -> None:
    drawn = examples(draws, batch=8)
    part = drawn.part(1, 2)
    assert isinstance(part.seen, CentredViewBatch)
    assert torch.equal(part.seen.space, drawn.seen.space[4:])
    assert torch.equal(part.local, drawn.local[4:])


@pytest.mark.slow
def test_a_lifter_learns(tmp_path: Path) -> None:
    settings = {"smoke": True, "threads": 1, "network": "lifter", "blocks": 1}
    before = train(None, tmp_path / "one", steps=1, **settings)
    after = train(None, tmp_path / "more", steps=40, **settings)
    assert after["mpjpe_mm"] < 0.8 * before["mpjpe_mm"]
    assert 0 < after["unsure_mm"] < 1000


def test_the_errors_that_ship_with_the_program_are_those_of_hundreds_of_people() -> None:
    errors = load_landmark_errors()
    assert len(errors.space) > 300
    assert 0.02 < np.linalg.norm(errors.space.astype(float), axis=-1).mean() < 0.2


def test_files_of_errors_come_back_and_others_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "errors.npz"
    save_landmark_errors(NONE, file)
    assert load_landmark_errors(file) == NONE
    for bad, reason in (
        (replace(NONE, picture=NONE.picture[:, :3]), "23 points"),
        (replace(NONE, space=np.full_like(NONE.space, np.nan)), "not finite"),
    ):
        save_landmark_errors(bad, file)
        with pytest.raises(InputRefused, match=reason):
            load_landmark_errors(file)
    file.write_bytes(SHIPPED.read_bytes()[:100])
    with pytest.raises(InputRefused, match="no errors of landmarks"):
        load_landmark_errors(file)
    file.unlink()
    with pytest.raises(InputRefused, match=r"landmark_errors"):
        load_landmark_errors(file)
