"""A body's shape from bone lengths: both estimators, on shapes that they have not seen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from scripts.rigs.shape_study import main
from solver.body.body import GENDERS
from solver.body.bone_lengths import bone_lengths, in_t_pose, rest_places
from solver.body.catalog import load_body
from solver.body.shape_fit import ESTIMATORS, by_smpl_si, least_squares, shape_of_bones
from solver.body.smpl_si import PAIRS, WIDTH, six_lengths, smpl_si
from solver.errors import PoserError, UnknownName
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

BODY = load_body("anny")
REST = rest_places(BODY)


def lengths_of(betas: NDArray[np.floating], scale: float = 1.0) -> dict[tuple[str, str], float]:
    return bone_lengths(dict(zip(SMPL_JOINTS, scale * REST.of(betas), strict=True)))


@pytest.mark.parametrize("seed", range(8))
def test_bones_of_our_own_body_are_met_within_a_millimetre(seed: int) -> None:
    betas = np.random.default_rng(seed).normal(size=10).clip(-5, 5)
    found = shape_of_bones(lengths_of(betas), BODY)
    assert found.error_m < 1e-3
    assert found.scale == 1.0


@pytest.mark.parametrize("gender", GENDERS)
def test_a_skeleton_of_ours_gets_the_shape_and_the_gender_that_it_was_made_with(gender: str) -> None:
    betas = np.random.default_rng(2).normal(size=10)
    bones = bone_lengths(dict(zip(SMPL_JOINTS, rest_places(BODY, gender).of(betas), strict=True)))
    found = shape_of_bones(bones, BODY)
    assert found.shape.gender == gender
    assert found.shape.betas == pytest.approx(betas, abs=0.005)
    assert found.error_m < 1e-5


def test_few_bones_are_met_by_many_shapes_and_the_likeliest_is_taken() -> None:
    told = lengths_of(np.random.default_rng(2).normal(size=10))
    few = {pair: length for pair, length in told.items() if "left" in pair[0] and "left" in pair[1]}
    assert shape_of_bones(few, BODY).shape == least_squares(few, BODY, same_joints=True).shape


def test_a_mean_skeleton_gets_exactly_the_mean_body() -> None:
    assert not shape_of_bones(lengths_of(np.zeros(10)), BODY).shape.betas.any()


@pytest.mark.parametrize("seed", range(6))
def test_bones_out_of_all_proportion_give_some_shape_all_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    odd = {pair: length * 10.0 ** rng.uniform(-4, 5) for pair, length in lengths_of(np.zeros(10)).items()}
    found = shape_of_bones(odd, BODY)
    assert np.isfinite(found.shape.betas).all()
    assert np.isfinite(found.scale)


@pytest.mark.parametrize("scale", [0.3, 0.6, 1.9])
def test_a_skeleton_of_any_size_gets_its_proportions_and_its_scale(scale: float) -> None:
    betas = np.array([0.0, 0.5, -0.5, 1.5, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    found = least_squares(lengths_of(betas, scale), BODY, same_joints=True)
    assert found.scale == pytest.approx(scale, rel=0.03)
    assert found.shape.betas[3] == pytest.approx(1.5, abs=0.4)


def test_a_doll_of_another_make_is_not_taken_for_a_body_of_ours_for_being_small() -> None:
    random = np.random.default_rng(4)
    made = {pair: 0.087 * length * random.uniform(0.93, 1.07) for pair, length in lengths_of(np.zeros(10)).items()}
    other, ours = (least_squares(made, BODY, same_joints=same) for same in (False, True))
    assert other.shape != ours.shape
    assert shape_of_bones(made, BODY).shape == other.shape
    assert other.error_m > 5e-3, "as of somebody as large as our body"


GAME_CHARACTERS = {
    "a mannequin of 1.80 m": (
        (0.180, 0.108, 0.189, 0.134, 0.166, 0.093),
        (0.091, 0.426, 0.402, 0.165, 0.126, 0.158, 0.303, 0.270),
    ),
    "an avatar of 1.60 m": (
        (0.150, 0.060, 0.120, 0.110, 0.130, 0.080),
        (0.085, 0.355, 0.375, 0.120, 0.100, 0.095, 0.215, 0.215),
    ),
}
MIDDLE = (
    ("left_hip", "right_hip"),
    ("pelvis", "spine1"),
    ("spine1", "spine2"),
    ("spine2", "spine3"),
    ("spine3", "neck"),
    ("neck", "head"),
)
SIDE = (
    ("pelvis", "hip"),
    ("hip", "knee"),
    ("knee", "ankle"),
    ("ankle", "foot"),
    ("spine3", "collar"),
    ("collar", "shoulder"),
    ("shoulder", "elbow"),
    ("elbow", "wrist"),
)


@pytest.mark.parametrize("name", GAME_CHARACTERS)
def test_an_adult_of_another_rig_stays_as_tall_as_in_the_file(name: str) -> None:
    middle, side = GAME_CHARACTERS[name]
    bones: dict[tuple[str, str], float] = dict(zip(MIDDLE, middle, strict=True))
    for which in ("left_", "right_"):
        for (above, below), length in zip(SIDE, side, strict=True):
            bones[above if above in ("pelvis", "spine3") else which + above, which + below] = length
    found = shape_of_bones(bones, BODY)
    assert found.scale == 1.0
    ours = lengths_of(found.shape.betas)
    for limb in (("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist")):
        parts = [(f"left_{above}", f"left_{below}") for above, below in pairwise(limb)]
        assert sum(ours[part] for part in parts) == pytest.approx(sum(bones[part] for part in parts), abs=0.02)


def test_least_squares_does_better_than_smpl_si_and_both_do_better_than_the_mean_body() -> None:
    random = np.random.default_rng(7)
    errors = []
    for _ in range(40):
        betas = random.uniform(-5, 5, 10)
        truth = REST.of(betas) - REST.of(betas)[0]
        lengths = lengths_of(betas)
        shapes = (
            np.zeros(10),
            by_smpl_si(lengths, BODY).shape.betas,
            least_squares(lengths, BODY, same_joints=True).shape.betas,
        )
        errors.append([np.linalg.norm(REST.of(b) - REST.of(b)[0] - truth, axis=1).mean() for b in shapes])
    mean, si, squares = np.mean(errors, axis=0)
    assert squares < 0.012 < si < 0.04 < mean


def test_a_pose_does_not_change_the_bones() -> None:
    skeleton = BODY.skeleton(least_squares(lengths_of(np.ones(10)), BODY).shape)
    turns = from_rotation_vector(np.random.default_rng(3).normal(0, 0.8, (24, 3))).astype(np.float32)
    posed = forward_kinematics(skeleton, Pose(np.array([1, 2, 3], np.float32), turns)).positions
    told = bone_lengths(dict(zip(SMPL_JOINTS, posed, strict=True)))
    at_rest = bone_lengths(dict(zip(SMPL_JOINTS, skeleton.rest_positions, strict=True)))
    assert told == pytest.approx(at_rest, abs=1e-5)


def test_smpl_si_is_equation_3_where_the_weights_can_be_written_out() -> None:
    from solver.body.smpl_si import _samples

    shapes, features = _samples(BODY, "neutral")
    assert shapes.shape == (20_000, 11)
    wanted = features[5] + 0.005
    weights = np.exp(-(((wanted - features) / WIDTH) ** 2).sum(axis=1) / 2)
    betas, scale = smpl_si(wanted, BODY)
    np.testing.assert_allclose(np.append(betas, scale), weights @ shapes / weights.sum(), rtol=1e-9)


def test_smpl_si_gives_the_nearest_sample_where_all_weights_underflow() -> None:
    betas, scale = smpl_si(np.full(len(PAIRS), 50.0), BODY)
    assert np.isfinite(betas).all()
    assert np.abs(betas).max() <= 5
    assert scale > 1.9


def test_the_six_lengths_are_those_of_the_right_side_in_a_t_pose() -> None:
    place = dict(zip(SMPL_JOINTS, REST.template, strict=True))
    expected = [np.linalg.norm(place[b] - place[a]) for a, b in PAIRS]
    np.testing.assert_allclose(six_lengths(REST.template), expected)
    laid = in_t_pose(bone_lengths(place), REST)
    np.testing.assert_allclose([np.linalg.norm(laid[b] - laid[a]) for a, b in PAIRS], expected, atol=1e-9)


def test_smpl_si_says_which_joints_it_lacks() -> None:
    without = {pair: length for pair, length in lengths_of(np.zeros(10)).items() if "head" not in pair}
    with pytest.raises(PoserError, match=r"lacks: head\. Use least squares"):
        by_smpl_si(without, BODY)
    assert least_squares(without, BODY).error_m < 1e-3


def test_bones_without_a_limb_and_unknown_estimators_are_refused() -> None:
    with pytest.raises(PoserError, match="its limbs have no lengths"):
        least_squares({("pelvis", "spine1"): 0.1}, BODY)
    with pytest.raises(UnknownName, match="least-squares, smpl-si"):
        shape_of_bones(lengths_of(np.zeros(10)), BODY, estimator="magic")


def test_the_study_prints_a_row_for_each_measure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "3"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert all(name in rows[0] for name in ESTIMATORS)
    assert len(rows) == 2 + 32
