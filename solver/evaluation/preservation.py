"""What is measured when a base pose is to be kept (SKEL-IK, section 5.3): constraints, the base pose, naturalness."""

from __future__ import annotations

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.kinds import network_kinds
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.contestants import Contestant
from solver.evaluation.naturalness import Library, beyond_limits, prior_energy
from solver.evaluation.trial_arrays import (
    Answers,
    TrialArrays,
    answered_joints,
    effector_figures,
    joints_of,
    time_figures,
)
from solver.kinematics.rotations import geodesic_angle

# The contestant that changes nothing: its row says how far base poses are from the constraints, and how natural
# recorded poses are.
BASE_POSE = Contestant("base pose", frozenset(network_kinds()), lambda problem: problem.base_pose)


def preservation_figures(arrays: TrialArrays, answers: Answers, library: Library | None) -> dict[str, float]:
    """Errors on the constraints, those of joints without one against the base pose (metres, radians), and naturalness.

    Without a library there is no distance to the nearest recorded pose.
    """
    positions, local = answered_joints(arrays, answers)
    bases = [joints_of(trial, trial.problem.base_pose) for trial in arrays.trials]
    base_positions, base_local = (np.array(part, dtype=np.float64) for part in zip(*bases, strict=True))
    free = np.array([_free_joints(trial.problem.effectors) for trial in arrays.trials])
    apart = np.linalg.norm(positions - base_positions, axis=-1)
    return {
        **effector_figures(arrays, answers),
        "kept_m": float(apart[free].mean()),
        "kept_rad": float(geodesic_angle(local, base_local)[free].mean()),
        "prior_energy": float(prior_energy(local).mean()),
        "limits_deg": float(beyond_limits(local).mean()),
        **({} if library is None else {"nearest_mm": float(library.nearest_mm(local).mean())}),
        **time_figures(answers),
    }


def _free_joints(effectors: tuple[Effector, ...]) -> list[bool]:
    given = {effector.joint for effector in effectors}
    return [name not in given for name in BODY_JOINTS]
