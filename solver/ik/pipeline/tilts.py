"""Patches that keep their place on a slope, a wall or a ceiling but do not lie flat there, and why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from solver.contact.patch_table import PATCH_ROWS
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.effectors.sources import Tie
from solver.ik.exact import refine
from solver.ik.memory import state_at
from solver.ik.problem import Cause, IKProblem, Reason
from solver.ik.stance.footing import with_soles_laid
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import angle_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Limb

TILTED = float(np.radians(15))  # less is what skin and things that are not quite even leave
LIES_STILL = 1e-3  # metres by which a limb that tries to lay its patch flat may leave its place


def tilt_of(effector: Effector, skeleton: Skeleton, world: WorldJoints) -> float:
    """Radians by which a patch does not lie flat in a pose; 0 of all that does not have to.

    Skin yields, so that a patch on it may be tilted, and round patches rock.
    """
    if not isinstance(effector, Contact) or not effector.is_strict or not effector.is_active or effector.around:
        return 0.0
    row = PATCH_ROWS.get(effector.patch)
    if not effector.lies_flat or isinstance(effector.source, Tie) or (row is not None and row.rocks):
        return 0.0
    outward = world.rotations[skeleton.index(effector.joint)] @ effector.normal
    return angle_between(outward.astype(np.float64), -effector.facing.astype(np.float64))


def is_tilted(effector: Effector, skeleton: Skeleton, world: WorldJoints) -> bool:
    """Whether a patch lies so far from flat that one wants to know why."""
    return tilt_of(effector, skeleton, world) > TILTED


def tilted_of(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> list[int]:
    """Which effectors, by index, hold a patch that is tilted in a pose."""
    if not any(isinstance(e, Contact) and e.lies_flat for e in effectors):
        return []
    world = forward_kinematics(skeleton, pose)
    return [i for i, effector in enumerate(effectors) if is_tilted(effector, skeleton, world)]


def tilt_reason(problem: IKProblem, pose: Pose, i: int, stop: Callable[[], None]) -> Reason | None:
    """Why a tilted patch is not turned flat by its own limb, from where the body is, with the radians by which it is
    tilted; None if the limb could do it.

    stop: called before each solve; it may raise.
    """
    effector, limb = problem.effectors[i], _limb_of(problem.skeleton, problem.effectors[i].joint)
    if limb is None:
        return None
    joints = rig_of(problem.skeleton).names_of(limb.joints)
    asked = with_soles_laid(problem.skeleton, problem.effectors)  # the turn of a foot gives way to its sole
    others = [e for k, e in enumerate(asked) if k != i and e.is_active and e.is_strict and e.joint in joints]

    def lies_flat(beside: Sequence[Effector], solid: bool = True) -> bool:
        stop()
        return _is_laid_flat(problem, pose, effector, frozenset(joints), beside, solid)

    angle = tilt_of(effector, problem.skeleton, forward_kinematics(problem.skeleton, pose))
    if not lies_flat((), solid=False):
        return Reason(Cause.TURN, part="arm" if limb in ARMS else "leg", angle=angle)
    if problem.floor is not None and not lies_flat(()):
        return Reason(Cause.FLOOR, angle=angle)
    for other in others:
        if not lies_flat([other]):
            return Reason(Cause.EFFECTOR, other.joint, other.kind, angle=angle)
    return Reason(Cause.SEVERAL, angle=angle) if others and not lies_flat(others) else None


def _limb_of(skeleton: Skeleton, joint: str) -> Limb | None:
    rig = rig_of(skeleton)
    return next((limb for limb in (*ARMS, *LEGS) if joint in rig.names_of(limb.joints)), None)


def _is_laid_flat(
    problem: IKProblem, pose: Pose, effector: Effector, limb: frozenset[str], beside: Sequence[Effector], solid: bool
) -> bool:
    """Whether a limb by itself lays its patch flat in its place. solid: whether it stays above the floor."""
    assert isinstance(effector, Contact)
    skeleton, nothing = problem.skeleton, np.zeros(len(problem.skeleton), np.float32)
    place = Position(effector.joint, effector.target, effector.offset, pinned=True)  # which comes before the turn
    alone = replace(
        problem, effectors=(effector, place, *beside), base_pose=pose, frozen=frozenset(skeleton.names) - limb,
        leans=(), stance=None, obstacles=None, floor=problem.floor if solid else None, preserve_position=nothing,
        preserve_orientation=nothing,
    )  # fmt: skip
    found = refine(alone, pose, state_at(pose))
    stays = found.residuals[1].value <= LIES_STILL and all(one.state != "unreachable" for one in found.residuals[2:])
    return stays and not is_tilted(effector, skeleton, forward_kinematics(skeleton, found.pose))
