"""After a solver that has heeded the masks, what nothing moves stays exactly as in the base pose: it is copied.

That is so if everything up to the root is kept at full strength, and the root's place as well. It gives way, and so do
kept places, if a strict effector is missed otherwise: the more, the further that is off, so that nothing jumps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import AIM, TURN
from solver.effectors.forms import PointEffector
from solver.ik.preserve import distances_from_base, still_shares, stretched
from solver.ik.preserve_modes import limb_of
from solver.ik.problem import IKProblem, Residual
from solver.ik.stance.leans import Lean
from solver.kinematics.curves import each_eased, eased
from solver.kinematics.fk import forward_kinematics
from solver.values import frozen_array

TIGHTER = 0.8  # strength above which what is still is held more and more tightly
STAYS = 1e-6  # metres or radians: an effector this near to the base pose asks nothing to move
MET = 3e-4  # metres or radians by which an effector may be off because of what is held
BENT, STRAIGHT = 0.8, 0.95  # shares of a limb's length: from the first to the second all the rest is let go of
GIVES_M = 0.15  # metres or radians: once a strict effector is off by more, only what holds softly still holds
YIELDING = 0.3  # of the tightness is left as soon as one is missed: handles win

Found = TypeVar("Found")


def with_fixed(
    problem: IKProblem,
    exact: IKProblem,
    leans: tuple[Lean, ...],
    solve: Callable[[IKProblem], Found],
    left: Callable[[Found], Sequence[Residual]],
) -> tuple[IKProblem, Found]:
    """What was solved, and the answer: what nothing moves is held as tightly as its strength says, and kept places by
    the leans, as long as strict effectors are met all the same.

    problem: with its masks. exact: as the exact stage is given it, without. left: an answer's residuals.
    """
    tight = tightness(problem)
    names = problem.skeleton.names
    fixed = frozenset(names[j] for j in np.flatnonzero(tight >= 1.0))
    asked = replace(_held(problem, exact, tight), fixed=fixed, leans=exact.leans + leans)
    found = solve(asked)
    missed = _missed(asked, left(found))
    if missed > 0.0 and tight.any():
        share = 1.0 - eased(missed / GIVES_M)
        asked = replace(_held(problem, exact, YIELDING * share * tight), leans=exact.leans + leans)
        found = solve(asked)
        missed = _missed(asked, left(found))
    if missed > 0.0 and leans:
        share = 1.0 - eased(missed / GIVES_M)
        weaker = [Lean(effector, strength.times(share)) for effector, strength in leans if share > 0.0]
        asked = replace(asked, leans=exact.leans + tuple(weaker))
        found = solve(asked)
    return asked, found


def tightness(problem: IKProblem) -> NDArray[np.float64]:
    """(J,) from 0 to 1, how tightly each joint is held at its turn in the base pose: 1 is copied.

    All 0 if the root is not kept in place, or is asked for; if the body is brought into balance, or sinks into a solid
    floor or a solid body in the base pose; and while anything but a hand or a foot is moved. It falls little by little
    before an arm or a leg is stretched. What effectors move is free, and so is a head that looks, with all that hangs
    from it.
    """
    skeleton, stance = problem.skeleton, problem.stance
    root = problem.preserve_position[0]
    posed = any(e.is_active and skeleton.index(e.joint) == 0 for e in problem.effectors)
    moved = posed or (stance is not None and stance.balancing is not None) or bool(problem.frozen)
    if moved or root <= TIGHTER or problem.is_entered_by(problem.base_pose):
        return np.zeros(len(skeleton))
    tight = np.asarray(each_eased((still_shares(problem) - TIGHTER) / (1.0 - TIGHTER)), np.float64)
    base = forward_kinematics(skeleton, problem.base_pose)
    for effector, away in zip(problem.effectors, distances_from_base(problem), strict=True):
        if effector.is_active and (effector.form == AIM or away > STAYS):
            joint = skeleton.index(effector.joint)
            if isinstance(effector, PointEffector):
                tight *= 1.0 - stretched(skeleton, effector, base, BENT, STRAIGHT)
            tight[[joint] if effector.form == TURN else limb_of(skeleton, joint)] = 0.0
    for j, above in enumerate(skeleton.parents[1:], start=1):
        tight[j] = min(tight[j], tight[above])
    return tight


def _held(problem: IKProblem, exact: IKProblem, tight: NDArray[np.float64]) -> IKProblem:
    if not tight.any():
        return exact
    soft = exact.preserve_orientation.astype(np.float64)
    mask = soft + tight * (still_shares(problem) - soft)
    return replace(exact, preserve_orientation=frozen_array(mask.astype(np.float32), (None,), "mask"))


def _missed(problem: IKProblem, left: Sequence[Residual]) -> float:
    """By how much the worst strict effector is missed: metres or radians."""
    told = zip(problem.effectors, left, strict=True)
    off = [one.value for e, one in told if e.is_active and e.is_strict]
    return max(0.0, max(off, default=0.0) - MET)
