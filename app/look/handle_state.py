"""How well a handle's effector is met, as its colour says it."""

from __future__ import annotations

from rendering.scene.values import HandleState
from solver.effectors.effector import Effector
from solver.ik.problem import Residual
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton

TOGETHER_M = 0.004  # nearer than this, no line joins handle and body


def handle_state(effector: Effector, residual: Residual | None, skeleton: Skeleton, joints: WorldJoints) -> HandleState:
    """The state of a handle of somebody posed so.

    residual: None where nobody is told how well effectors are met. Where that is not known yet, as before the solver is
    ready, the effector counts as met if the body already does what it asks, else as waiting.
    """
    if not effector.enabled:
        return "disabled"
    if residual is None or effector.loose:
        return "met"
    if residual.state:
        return residual.state  # type: ignore[return-value]
    return "met" if effector.distance_from(effector.at_pose(skeleton, joints)) < TOGETHER_M else "waiting"
