"""What is measured of edits: the targets, the bones, how likely the pose is, and what the solver costs."""

from __future__ import annotations

import numpy as np

from solver.evaluation.contestants import Contestant
from solver.evaluation.edits import EditProtocol
from solver.evaluation.metrics import MILLIMETRES, mpjpe_mm
from solver.evaluation.naturalness import beyond_limits, prior_energy
from solver.evaluation.trial_arrays import Answers, TrialArrays, answered_joints, effector_figures, time_figures
from solver.evaluation.zones import BODY_JOINTS


def edit_figures(
    protocol: EditProtocol, contestant: Contestant, arrays: TrialArrays, answers: Answers
) -> dict[str, float]:
    """Errors of the targets and of the longest bone, naturalness, times and the size of the model that was asked.

    The distance to the pose that targets are of is absent where they are of none.
    """
    positions, local = answered_joints(arrays, answers)
    return {
        **({"mpjpe_mm": float(mpjpe_mm(positions, arrays.positions).mean())} if not protocol.drawn else {}),
        **effector_figures(arrays, answers),
        "bone_mm": float(_bone_errors(arrays, positions).max()),
        "prior_energy": float(prior_energy(local).mean()),
        "limits_deg": float(beyond_limits(local).mean()),
        **time_figures(answers),
        **({"model_bytes": float(contestant.size_bytes)} if contestant.size_bytes else {}),
    }


def _bone_errors(arrays: TrialArrays, positions: np.ndarray) -> np.ndarray:
    """(T, J - 1) millimetres by which bones between positions (T, J, 3) are too long or too short."""
    skeletons = [trial.truth.skeleton for trial in arrays.trials]
    index = [skeletons[0].index(name) for name in BODY_JOINTS]
    parents = [index.index(skeletons[0].parents[j]) for j in index[1:]]
    long = np.linalg.norm(positions[:, 1:] - positions[:, parents], axis=-1)
    wanted = np.linalg.norm(np.array([skeleton.offsets[index[1:]] for skeleton in skeletons]), axis=-1)
    return np.asarray(MILLIMETRES * np.abs(long - wanted))
