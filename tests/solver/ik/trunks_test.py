"""A trunk gives way step by step where a firm one would miss what hands are drawn to."""

from __future__ import annotations

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.ik.kernel_arrays import joint_model_of, trunks_of

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


def _sizes(stiffness: np.ndarray) -> np.ndarray:
    """(J,) of (J, 3, 3)."""
    return np.linalg.norm(stiffness, axis=(1, 2))
