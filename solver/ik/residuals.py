"""How far effectors are from their targets: the one definition for solvers, window, metrics and tests.

A point: distance in metres. A turn: geodesic angle, radians. An aim: angle between the joint's axis and the line from
the joint to the target, radians. An effector is “met” within 1 mm or half a degree. A tolerance allows an error that
grows by equal factors, from that much at 0 to 30 cm or 60° at 1 (1.7 cm, 5.5° at one half): within it the effector is
“tolerated”. Beyond, it is “unreachable”. A pin's tolerance counts as 0. Each kind's row has these bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.residual_kernels import Rows, measure
from solver.ik.kernel_arrays import rows_of
from solver.ik.problem import Residual
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton


def state_of(effector: Effector, value: float) -> str:
    """“met”, “tolerated”, “unreachable” or “disabled” for an error of `value` metres or radians."""
    if not effector.is_active:
        return "disabled"
    if value <= effector.spec.met:
        return "met"
    tolerance = effector.effective_tolerance
    return "tolerated" if value <= effector.spec.allowed_error(tolerance) else "unreachable"


def effector_errors(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> NDArray[np.float64]:
    """(E,) errors of all effectors, disabled ones too; metres or radians."""
    return row_errors(skeleton, pose, rows_of(skeleton, effectors))


def row_errors(skeleton: Skeleton, pose: Pose, rows: Rows) -> NDArray[np.float64]:
    """(E,) errors of effectors as arrays; metres or radians."""
    joints, errors = forward_kinematics(skeleton, pose), np.empty(len(rows.kinds))
    measure(rows, joints.positions.astype(np.float64), joints.rotations.astype(np.float64), errors)
    return errors


def residuals(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> tuple[Residual, ...]:
    """One residual for each effector, in order."""
    errors = effector_errors(skeleton, pose, effectors)
    return tuple(Residual(v, state_of(e, v)) for e, v in zip(effectors, errors.tolist(), strict=True))


def with_states_of(found: Sequence[Residual], solved: Sequence[Residual]) -> tuple[Residual, ...]:
    """Residuals measured anew, in the solve's states: tolerated if somebody stands or looks as people do.

    solved: of the same effectors in order; those of further ones may follow.
    """
    return tuple(
        Residual(now.value, was.state) if (now.state, was.state) == ("unreachable", "tolerated") else now
        for now, was in zip(found, solved, strict=False)
    )


def largest_miss(effectors: Sequence[Effector], found: Sequence[Residual], counts: Callable[[Effector], bool]) -> float:
    """Metres or radians by which the worst unreachable one of the effectors that count is missed, 0 if there is none.

    found: one for each effector, in order.
    """
    told = zip(effectors, found, strict=True)
    return max((left.value for e, left in told if left.state == "unreachable" and counts(e)), default=0.0)
