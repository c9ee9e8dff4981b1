"""What nothing moves stays exactly as the base pose has it after a solver that has heeded the masks: it is copied.

That is so where all the way to the root is kept at full strength, and the root's place as well. It gives way where a
strict effector is missed otherwise: the more, the further that is from its target, so that nothing jumps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.effectors.rows import AIM, TURN
from solver.ik.exact import sinks
from solver.ik.preserve import still_shares
from solver.ik.preserve_modes import limb_of
from solver.ik.problem import IKProblem, Residual
from solver.ik.stance.leans import joints_with
from solver.kinematics.curves import each_eased, eased
from solver.kinematics.fk import forward_kinematics
from solver.rig.rig import rig_of
from solver.rig.roles import HEAD_AND_NECK, LIMBS
from solver.values import frozen_array

TIGHTER = 0.8  # strength from which on what is still is held more tightly, up to all
STAYS = 1e-6  # metres or radians: an effector as near to the base pose asks nothing to move
GIVES_M = 0.05  # metres or radians that a strict effector is off, from which on what is still is held softly alone
YIELDING = 0.3  # of the tightness is left as soon as one is missed: handles win

Found = TypeVar("Found")


def with_fixed(
    problem: IKProblem,
    exact: IKProblem,
    solve: Callable[[IKProblem], Found],
    left: Callable[[Found], Sequence[Residual]],
) -> tuple[IKProblem, Found]:
    """What was solved, and the answer: with what nothing moves held as tightly as its strength says, if effectors are
    met all the same.

    problem: with its masks. exact: as the exact stage is given it, without. left: an answer's residuals.
    """
    tight = tightness(problem)
    if tight.max() <= 0.0:
        return exact, solve(exact)
    names = problem.skeleton.names
    fixed = frozenset(names[j] for j in np.flatnonzero(tight >= 1.0))
    asked = replace(_held(problem, exact, tight), fixed=fixed)
    found = solve(asked)
    missed = _missed(asked, left(found))
    if missed <= 0.0:
        return asked, found
    looser = _held(problem, exact, YIELDING * tight * (1.0 - eased(missed / GIVES_M)))
    return looser, solve(looser)


def tightness(problem: IKProblem) -> NDArray[np.float64]:
    """(J,) from 0 to 1, how tightly each joint is held that is still: all of it where that is full.

    None where the root is not kept in place, or is asked for, nor of who is brought into balance, or sinks into a solid
    floor or a solid body in the base pose, nor while a trunk is moved. What effectors move is free, and a head that
    looks, with all that hangs from it.
    """
    skeleton, stance = problem.skeleton, problem.stance
    root = problem.preserve_position[0]
    posed = any(e.asks and skeleton.index(e.joint) == 0 for e in problem.effectors)
    moved = posed or (stance is not None and stance.balancing is not None) or bool(problem.frozen)
    if moved or root <= TIGHTER or sinks(problem, problem.base_pose):
        return np.zeros(len(skeleton))
    tight = np.asarray(each_eased((still_shares(problem) - TIGHTER) / (1.0 - TIGHTER)), np.float64)
    base = forward_kinematics(skeleton, problem.base_pose)
    on_their_own = joints_with(rig_of(skeleton), [*HEAD_AND_NECK, *(role for limb in LIMBS for role in limb.joints)])
    for effector in problem.effectors:
        if effector.asks and (effector.row == AIM or effector.distance_from(effector.at(skeleton, base)) > STAYS):
            joint = skeleton.index(effector.joint)
            if joint not in on_their_own:
                return np.zeros(len(skeleton))
            tight[[joint] if effector.row == TURN else limb_of(skeleton, joint)] = 0.0
    for j, above in enumerate(skeleton.parents[1:], start=1):
        tight[j] = min(tight[j], tight[above])
    return tight


def _held(problem: IKProblem, exact: IKProblem, tight: NDArray[np.float64]) -> IKProblem:
    soft = exact.preserve_orientation.astype(np.float64)
    mask = soft + tight * (still_shares(problem) - soft)
    return replace(exact, preserve_orientation=frozen_array(mask.astype(np.float32), (None,), "mask"))


def _missed(problem: IKProblem, left: Sequence[Residual]) -> float:
    """By how much the strict effector is missed that is missed by most: metres or radians beyond what counts as met."""
    told = zip(problem.effectors, left, strict=True)
    strict = [(e, one) for e, one in told if one.state == "unreachable" and (e.pinned or e.tolerance == 0.0)]
    return max((one.value - e.spec.met for e, one in strict), default=0.0)
