"""The adult in the proportions of another character, made from its id alone."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import numpy as np
import pytest

from solver.body.body import GENDERS, SHAPE_COMPONENTS, BodyShape
from solver.body.catalog import DEFAULT_BODY, VARIANTS, fitted_body_id, is_fitted, is_ours, load_body, origin_of
from solver.errors import UnknownName
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import ARMS, LEGS, SPINE, Role

ADULT = load_body(DEFAULT_BODY)
HALF_A_STEP = 3e-5


def long_armed() -> np.ndarray:
    """(24, 3) metres: the adult's joints with forearms half as long again."""
    joints = ADULT.skeleton(BodyShape()).rest_positions.astype(np.float64)
    for arm in ARMS:
        elbow, wrist, hand = (SMPL_JOINTS.index(role) for role in (arm.hinge, arm.end, arm.tip))
        joints[[wrist, hand]] += 0.5 * (joints[wrist] - joints[elbow])
    return joints


ID = fitted_body_id(long_armed(), BodyShape(np.full(SHAPE_COMPONENTS, 0.5, np.float32)), 0.12)


@pytest.mark.parametrize("gender", GENDERS)
def test_its_joints_are_where_the_id_says_for_every_gender(gender: str) -> None:
    rest = load_body(ID).skeleton(BodyShape(gender=gender)).rest_positions
    wanted = long_armed()
    assert np.abs((rest - rest[0]) - (wanted - wanted[0])).max() < HALF_A_STEP


def test_it_stands_on_soles_as_far_below_its_ankles_as_the_id_says() -> None:
    body = load_body(ID)
    assert body.vertices(BodyShape())[:, 1].min() == pytest.approx(0.0, abs=1e-6)
    for leg in LEGS:
        ankle = body.skeleton(BodyShape()).rest_positions[SMPL_JOINTS.index(leg.end), 1]
        assert ankle == pytest.approx(0.12, abs=0.012)


def test_its_skin_follows_the_longer_bones_and_its_shape_can_be_changed() -> None:
    body, shape = load_body(ID), BodyShape(np.eye(SHAPE_COMPONENTS, dtype=np.float32)[0] * 2)
    wrist = long_armed()[SMPL_JOINTS.index(ARMS[0].end)]
    assert body.vertices(BodyShape())[:, 0].max() > wrist[0] + 0.1, "the hand is beyond the wrist"
    assert np.abs(body.vertices(shape) - body.vertices(BodyShape())).max() > 0.02
    assert body.whole_rig(shape).names[:24] == SMPL_JOINTS


def test_it_counts_as_a_body_of_ours() -> None:
    assert is_fitted(ID)
    assert is_ours(ID)
    assert origin_of(ID) == DEFAULT_BODY
    assert all(map(is_ours, (DEFAULT_BODY, *VARIANTS)))
    assert not is_ours("smpl:folder")


def number(*values: int) -> str:
    return urlsafe_b64encode(np.array(values, "<i2").tobytes()).decode()


@pytest.mark.parametrize(
    "name",
    [
        "", "é", "a", "AAAA", number(*[0] * 80), number(*[9000] * 69, *[0] * 10, 0),
        number(*(np.round(long_armed()[1:] / 5e-5).astype(int).ravel() % 30_000), *[6000] * 10, 0),
        number(*(np.round(long_armed()[1:] / 5e-5).astype(int).ravel() % 30_000), *[0] * 10, -5),
        number(*(np.round(long_armed()[1:] / 5e-5).astype(int).ravel() % 30_000), *[0] * 11, 1024),
    ],
)  # fmt: skip
def test_an_id_that_says_no_body_is_unknown(name: str) -> None:
    assert not is_ours(f"{DEFAULT_BODY}:rig:{name}")
    with pytest.raises(UnknownName):
        load_body(f"{DEFAULT_BODY}:rig:{name}")


def test_joints_far_from_the_pelvis_have_no_id() -> None:
    with pytest.raises(ValueError, match="too far"):
        fitted_body_id(3 * long_armed(), BodyShape())


def test_its_id_says_which_joints_do_not_bend_and_says_so_of_its_rig() -> None:
    merged = {SPINE[0], ARMS[1].girdle, Role.NECK}
    id = fitted_body_id(long_armed(), BodyShape(), None, [role for role in merged if role])
    assert load_body(id).rig(BodyShape()).merged == merged
    assert load_body(ID).rig(BodyShape()).merged == frozenset()
