"""Compiled prior of one joint: what pulls it back, as energy, gradient and a positive 3x3 curvature."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.limit_kernels import swing_twist
from solver.kinematics.rotation_kernels import logarithm, logarithm_derivative, multiply_transposed

Array = NDArray[np.float64]

GATE_ANGLE = 0.6  # radians from its anchor at which a joint feels half of the pull to the mean pose


@kernel
def pull(
    target: Array, rotation: Array, stiffness: Array, scale: float, v: Array, q: Array, a: Array, b: Array,
    curvature: Array, gradient: Array,
) -> float:  # fmt: skip
    """Add ½ · scale · vᵀ S v with v = log(targetᵀ · rotation) to curvature and gradient; returns ½ vᵀ S v.

    v (3,), q (4,), a, b (3, 3): work space; v holds the logarithm afterwards.
    """
    multiply_transposed(target, rotation, a)
    logarithm(a, q, v)
    logarithm_derivative(v, a)
    energy = 0.0
    for i in range(3):
        s = stiffness[i, 0] * v[0] + stiffness[i, 1] * v[1] + stiffness[i, 2] * v[2]
        energy += 0.5 * v[i] * s
        for k in range(3):
            gradient[k] += scale * a[i, k] * s
            b[i, k] = stiffness[i, 0] * a[0, k] + stiffness[i, 1] * a[1, k] + stiffness[i, 2] * a[2, k]
    for i in range(3):
        for k in range(i + 1):
            curvature[i, k] += scale * (a[0, i] * b[0, k] + a[1, i] * b[1, k] + a[2, i] * b[2, k])
    return energy


@kernel
def keep_within(
    rotation: Array, frame: Array, low: Array, high: Array, scale: float, q: Array, v: Array, a: Array,
    curvature: Array, gradient: Array,
) -> float:  # fmt: skip
    """Add the penalty ½ · scale · (excess over the joint's range)²; returns its energy. q (4,), v (3,), a (3, 3): work."""
    swing_twist(rotation, frame, q, v, a)
    energy = 0.0
    for c in range(3):
        excess = v[c] - high[c] if v[c] > high[c] else (v[c] - low[c] if v[c] < low[c] else 0.0)
        if excess == 0.0:
            continue
        energy += 0.5 * scale * excess * excess
        for i in range(3):
            gradient[i] += scale * excess * a[c, i]
            for k in range(i + 1):
                curvature[i, k] += scale * a[c, i] * a[c, k]
    return energy


@kernel
def joint_priors(
    local: Array, anchor: Array, mean: Array, stiffness: Array, held: Array, hold: Array, frames: Array, low: Array,
    high: Array, strengths: Array, gates: Array, own_gates: Array, curvature: Array, gradient: Array, out: Array,
) -> None:  # fmt: skip
    """Fill curvature (J, 3, 3; lower halves) and gradient (J, 3) of all joints; out: (2,), the energy with `gates` and
    the energy with the pose's own gates, which go to own_gates (J,) and into the derivatives.

    strengths: pulls to the anchor, to the mean pose and into the limits. hold: (J,) extra stiffness towards `held`.
    The mean pose acts on a joint only as far as that joint has left its anchor, so that nothing moves by itself.
    """
    v, q, a, b, unit = np.empty(3), np.empty(4), np.empty((3, 3)), np.empty((3, 3)), np.eye(3)
    steady = 0.0
    with_gates = 0.0
    with_own = 0.0
    for j in range(local.shape[0]):
        for i in range(3):
            gradient[j, i] = 0.0
            for k in range(3):
                curvature[j, i, k] = 0.0
        c, g = curvature[j], gradient[j]
        steady += strengths[0] * pull(anchor[j], local[j], stiffness[j], strengths[0], v, q, a, b, c, g)
        turned = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        if j > 0 and strengths[1] > 0.0:
            gate = turned / (turned + GATE_ANGLE * GATE_ANGLE)
            energy = pull(mean[j], local[j], stiffness[j], strengths[1] * gate, v, q, a, b, c, g)
            with_gates += strengths[1] * gates[j] * energy
            with_own += strengths[1] * gate * energy
            own_gates[j] = gate
        if hold[j] > 0.0:
            steady += hold[j] * pull(held[j], local[j], unit, hold[j], v, q, a, b, c, g)
        if j > 0:
            steady += keep_within(local[j], frames[j], low[j], high[j], strengths[2], q, v, a, c, g)
    out[0] = steady + with_gates
    out[1] = steady + with_own
