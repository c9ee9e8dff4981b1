"""How far effectors are from their targets: the one definition for solvers, window, metrics and tests.

Position: distance in metres. Rotation: geodesic angle, radians. Look-at: angle between the joint's axis and the line
from the joint to the target, radians. An effector is “met” within 1 mm or half a degree. Tolerance t allows an error
that grows by equal factors, from that at 0 to 30 cm or 60° at 1 (1.7 cm, 5.5° at one half): within it the effector
is “tolerated”. Beyond, it is “unreachable”. A pin's tolerance counts as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import radians

import numpy as np
from numpy.typing import NDArray

from solver.ik.effectors import Effector
from solver.ik.packing import rows_of, tree_of
from solver.ik.problem import Residual
from solver.ik.residual_kernels import measure
from solver.kinematics.fk_kernels import forward
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

MET = {"position": 1e-3, "rotation": radians(0.5), "lookat": radians(0.5)}
LOOSEST = {"position": 0.3, "rotation": radians(60), "lookat": radians(60)}


def allowed_error(kind: str, tolerance: float) -> float:
    """The error, metres or radians, up to which an effector of that tolerance counts as kept."""
    return float(MET[kind] * (LOOSEST[kind] / MET[kind]) ** tolerance)


def state_of(effector: Effector, value: float) -> str:
    """“met”, “tolerated”, “unreachable” or “disabled” for an error of `value` metres or radians."""
    if not effector.asks:
        return "disabled"
    if value <= MET[effector.kind]:
        return "met"
    tolerance = 0.0 if effector.pinned else effector.tolerance
    return "tolerated" if value <= allowed_error(effector.kind, tolerance) else "unreachable"


def effector_errors(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> NDArray[np.float64]:
    """(E,) errors of all effectors, disabled ones too; metres or radians."""
    tree, joints = tree_of(skeleton), len(skeleton)
    positions, world, errors = np.empty((joints, 3)), np.empty((joints, 3, 3)), np.empty(len(effectors))
    root, local = pose.root_position.astype(np.float64), pose.rotations.astype(np.float64)
    forward(tree.parents, tree.offsets, root, local, positions, world)
    measure(*rows_of(skeleton, effectors), positions, world, errors)
    return errors


def residuals(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> tuple[Residual, ...]:
    """One residual for each effector, in order."""
    errors = effector_errors(skeleton, pose, effectors)
    return tuple(Residual(float(v), state_of(e, float(v))) for e, v in zip(effectors, errors, strict=True))
