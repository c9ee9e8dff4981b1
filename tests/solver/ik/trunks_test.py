"""A trunk gives way step by step where a firm one would miss what hands are drawn to; and what a spine is drawn to goes
evenly from how it is posed to how it is natural, which leaves it alone where it is posed bowed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.contact import Contact
from solver.ik.held_effectors import supple_wrists
from solver.ik.kernel_arrays import joint_model_of, trunks_of, with_spine_near, with_supple_joints
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

SKELETON = load_body("anny").skeleton(BodyShape())


def test_trunks_become_as_supple_as_peoples_by_equal_factors_and_nothing_else_changes() -> None:
    supple, *trunks = (_sizes(model.stiffness) for model in (joint_model_of(SKELETON), *trunks_of(SKELETON)))
    shares = np.stack(trunks) / supple
    spine = SKELETON.index("spine2")
    factors = shares[:-1, spine] / shares[1:, spine]
    assert shares[0, spine] > 5.0
    np.testing.assert_allclose(factors, factors[0], rtol=1e-5)
    np.testing.assert_allclose(shares[-1], 1.0, rtol=1e-6)
    np.testing.assert_allclose(shares[:, SKELETON.index("left_knee")], 1.0)


def test_a_wrist_bends_the_more_readily_the_more_what_it_holds_leans_and_nothing_else_changes() -> None:
    model, wrist = joint_model_of(SKELETON), SKELETON.index("left_wrist")
    down = np.array([0.0, -1.0, 0.0])
    held = Contact("left_wrist", np.zeros(3), patch="left_hand", normal=down, facing=-down, radius=0.03)
    lying = replace(held, radius=0.0, tilt=0.2)
    assert with_supple_joints(SKELETON, model, supple_wrists([held, lying])) is model
    stiff = []
    for tilt in (0.1, 0.2, 0.3, 0.4, 0.5):
        softer = with_supple_joints(SKELETON, model, supple_wrists([replace(held, tilt=tilt)]))
        shares = _sizes(softer.stiffness) / _sizes(model.stiffness)
        stiff.append(float(shares[wrist]))
        np.testing.assert_allclose(np.delete(shares, wrist), 1.0)
    assert 1.0 > stiff[0] > stiff[1] > stiff[2] > stiff[3]
    np.testing.assert_allclose(stiff[3:], 0.5)


def test_a_spine_proposed_ever_further_from_how_it_is_posed_is_drawn_evenly_to_how_it_is_natural() -> None:
    model, spine = joint_model_of(SKELETON), SKELETON.index("spine2")
    base = _bowed(spine, 0.4)
    means = [
        with_spine_near(SKELETON, model, _bowed(spine, 0.4 + off), base).mean for off in np.arange(0.0, 0.15, 0.002)
    ]
    assert np.abs(means[0][spine] - model.mean[spine]).max() > 0.15, "as posed"
    assert np.array_equal(means[-1], model.mean), "as is natural"
    _changes_evenly(means)


def test_a_spine_that_is_posed_is_left_alone_where_it_is_bowed_and_drawn_where_it_is_natural_or_nobodys() -> None:
    model, spine = joint_model_of(SKELETON), SKELETON.index("spine2")
    bows = np.arange(0.0, 1.0, 0.002)
    poses = [_bowed(spine, bow) for bow in bows]
    means = [with_spine_near(SKELETON, model, pose, pose).mean for pose in poses]
    alone = np.array([abs(mean[spine, 1] - np.sin(bow / 2)) < 1e-6 for mean, bow in zip(means, bows, strict=True)])
    drawn = np.array([np.array_equal(mean, model.mean) for mean in means])
    assert alone[(bows > 0.3) & (bows < 0.6)].all()
    assert drawn[bows < 0.15].all()
    assert with_spine_near(SKELETON, model, poses[0], poses[0]) is model, "nothing is copied for who stands upright"
    assert drawn[bows > 0.8].all()
    _changes_evenly(means)


def _changes_evenly(means: list[np.ndarray]) -> None:
    assert np.abs(np.diff(means, axis=0)).max() < 0.04
    np.testing.assert_allclose(np.linalg.norm(means, axis=2), 1.0, rtol=1e-6)


def _bowed(joint: int, by: float) -> Pose:
    rotations = np.tile(np.eye(3, dtype=np.float32), (len(SKELETON), 1, 1))
    rotations[joint] = from_rotation_vector(np.array([by, 0.0, 0.0]))
    return Pose(np.zeros(3, np.float32), rotations)


def _sizes(stiffness: np.ndarray) -> np.ndarray:
    """(J,) of (J, 3, 3)."""
    return np.linalg.norm(stiffness, axis=(1, 2))
