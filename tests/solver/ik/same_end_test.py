"""Of two searches from different starts that end at the same place only the first one is corrected."""

from __future__ import annotations

import numpy as np
from ik_samples import FEET, body_skeleton, natural, position

from solver.ik.descent import BATCH_ITERATIONS, SETTLED
from solver.ik.kernel_arrays import joint_model_of, rows_of, strengths_of, tree_of
from solver.ik.kernels.exact_kernels import StayNear, solve_from_python
from solver.ik.kernels.prior_kernels import Pulls
from solver.kinematics.fk_kernels import PlainPose
from solver.kinematics.rotations import from_rotation_vector

SKELETON, BASE = body_skeleton(), natural()
LOCAL, ROOT = BASE.rotations.astype(float), BASE.root_position.astype(float)


def search(turned: float, soft: PlainPose) -> tuple[int, float, np.ndarray]:
    """Iterations, energy and errors of a solve of a pelvis out of reach over planted feet, from turned joints."""
    effectors = [position(BASE, "pelvis", (0.0, 0.05, 0.2)), *(position(BASE, foot) for foot in FEET)]
    turns = from_rotation_vector(turned * np.random.default_rng(0).standard_normal((len(SKELETON), 3)))
    errors = np.empty(len(effectors))
    count, energy = solve_from_python(
        tree_of(SKELETON), joint_model_of(SKELETON), StayNear(PlainPose(ROOT, LOCAL), LOCAL, np.zeros(len(SKELETON))),
        Pulls(), rows_of(SKELETON, effectors), strengths_of(effectors), BATCH_ITERATIONS, SETTLED,
        PlainPose(ROOT.copy(), np.ascontiguousarray(LOCAL @ turns)), soft, errors,
    )  # fmt: skip
    return count, energy, errors


def unknown() -> PlainPose:
    return PlainPose(np.full(3, np.nan), np.full(LOCAL.shape, np.nan))


def test_a_search_that_ends_where_another_has_is_not_corrected_and_never_the_better_one() -> None:
    soft = unknown()
    _, energy, errors = search(0.0, soft)
    alone, other_energy, _ = search(0.1, unknown())
    assert np.isfinite(energy)
    assert abs(other_energy / energy - 1.0) < 0.02, "both starts lead to the same answer"
    again, last_energy, last_errors = search(0.1, PlainPose(soft.root.copy(), soft.local.copy()))
    assert last_energy == np.inf
    assert again < alone - 10
    assert errors.max() > 5e-3, "it is out of reach, where corrections are long"
    assert np.isfinite(last_errors).all()


def test_a_search_that_ends_elsewhere_is_corrected_as_if_there_were_no_other() -> None:
    elsewhere = PlainPose(ROOT + 0.5, LOCAL.copy())
    count, energy, errors = search(0.0, elsewhere)
    same = search(0.0, unknown())
    assert (count, energy) == same[:2]
    assert np.array_equal(errors, same[2])
