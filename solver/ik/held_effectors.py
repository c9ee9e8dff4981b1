"""Effectors that stay met while others are dragged: what was met, and has not been moved since, is pinned if need be.

In one solve two strict effectors that cannot both be met are alike, and whichever has the longer lever wins. In a drag
they are not alike: the one that was not touched stays where it was put, and the body stretches as far as it allows.

A seat that is pinned may not tilt by a hair, though it is round and was held in its place alone. As somebody leans far
aside, it had given way to that a little; pinned, it would turn back all at once, and trunk and arms with it. So where
that would throw the body, it is held in its place alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from solver.contact.patch_table import opposes
from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.effectors.facing import FAR
from solver.effectors.form_ids import POINT
from solver.effectors.kinds import FACING
from solver.effectors.sources import JointSource
from solver.ik.anchor import effector_key
from solver.ik.memory import WarmStart
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import effector_errors
from solver.ik.stance.leans import Lean, Strength
from solver.ik.stance.seated import seat_of
from solver.rig.roles import LIMBS, Role

LIFTED = 0.5  # metres: a leg led to a box from below is lifted over its edge; by 0.3, every other one was not
AS_WELL = 2e-3  # metres or radians
SUPPLE, FULLY = 0.5, float(np.radians(20))  # of a wrist's stiffness; by which a thing leans in the hand then
SQUARELY = 0.8  # likewise of one whose hand keeps square to the edge of something flat
TILTS = Strength(FACING.spec.firm_weight, FACING.spec.firm_force, FACING.spec.firm_fading)  # as if it were not pinned


def lifted_off(effectors: Sequence[Effector], which: Collection[int]) -> tuple[Effector, ...]:
    """The effectors, with the contacts whose index is among these `LIFTED` metres off what they lie on."""
    return tuple(
        e.onto(e.target + LIFTED * e.facing, e.facing) if n in which and isinstance(e, Contact) else e
        for n, e in enumerate(effectors)
    )


def lost_effectors(problem: IKProblem, left: Sequence[Residual], start: WarmStart[object]) -> frozenset[int]:
    """Which strict effectors a solution misses though the pose shown before meets them; by index.

    left: the solution's residuals. start: what is known of that pose. One that has been moved since is not among them;
    there are none if no pose was shown, or while time passes.
    """
    shown = start.last_solve.pose if start.last_solve is not None else start.pose
    if shown is None or problem.step_s > 0 or all(residual.state != "unreachable" for residual in left):
        return frozenset()
    before = (
        None if start.last_solve is None else {effector_key(e): e for e in start.last_solve.effectors if e.is_active}
    )
    missed = [
        i
        for i, (effector, residual) in enumerate(zip(problem.effectors, left, strict=True))
        if residual.state == "unreachable" and not effector.pinned and effector.tolerance == 0.0
        if effector.id not in problem.dragged
        if before is None or _stands(effector, before.get(effector_key(effector)))
    ]
    if not missed:
        return frozenset()
    # As they were asked then: a knee that bends lies on another spot of its skin from one solve to the next.
    then = [problem.effectors[i] for i in missed]
    then = then if before is None else [before[effector_key(effector)] for effector in then]
    there = effector_errors(problem.skeleton, shown, then)
    return frozenset(
        i for i, error in zip(missed, there.tolist(), strict=True) if error <= problem.effectors[i].spec.met
    )


def with_pinned(problem: IKProblem, held: frozenset[int]) -> IKProblem:
    """The problem with these effectors pinned; itself if there are none."""
    if not held:
        return problem
    effectors = tuple(replace(e, pinned=True) if i in held else e for i, e in enumerate(problem.effectors))
    return replace(problem, effectors=effectors)


def holds_seat(problem: IKProblem, held: frozenset[int]) -> bool:
    """Whether somebody sits by one of these effectors, by index."""
    return _seat_among(problem, held) is not None


def with_pinned_seat_rocking(problem: IKProblem, held: frozenset[int]) -> IKProblem:
    """The problem with these effectors pinned, the seat among them, which there has to be, in its place alone: it leans
    to how it lies."""
    seat, pinned = _seat_among(problem, held), with_pinned(problem, held)
    assert seat is not None, "see holds_seat"
    effectors = tuple(
        replace(now, facing=ANY_WAY) if was is seat and isinstance(now, Contact) else now
        for was, now in zip(problem.effectors, pinned.effectors, strict=True)
    )
    lies = FACING(seat.joint, seat.target - FAR * seat.facing, seat.normal)
    return replace(pinned, effectors=effectors, leans=(Lean(lies, TILTS), *problem.leans))


def pinning_helps(
    problem: IKProblem, held: frozenset[int], found: Sequence[Residual], before: Sequence[Residual]
) -> bool:
    """Whether a solution that holds them is better: they are nearer, and not at the cost of any pin of the user's."""
    worst = max(found[i].value / problem.effectors[i].spec.met for i in held)
    without = max(before[i].value / problem.effectors[i].spec.met for i in held)
    pins = [i for i, effector in enumerate(problem.effectors) if effector.pinned]
    paid = any(found[i].state == "unreachable" and before[i].state != "unreachable" for i in pins)
    return worst < without and not paid


def holds_bent_limb(effectors: Sequence[Effector]) -> bool:
    """Whether the place of an elbow or a knee is asked for strictly, and that of its hand or foot as well: then it can
    only go round in a circle, and to bring it elsewhere by a hair a body would bend far."""
    asked = {e.joint for e in effectors if e.is_active and e.is_strict and e.form == POINT}
    return any({limb.hinge, limb.end} <= asked for limb in LIMBS)


def grips(effector: Effector) -> bool:
    """Whether a hand is closed around something, or takes another hand: it is to be turned one way, for which a trunk
    that gives way readily would lean far."""
    if not isinstance(effector, Contact):
        return False
    source = effector.source
    return effector.around or (isinstance(source, JointSource) and source.joint in (Role.LEFT_WRIST, Role.RIGHT_WRIST))


def supple_wrists(effectors: Sequence[Effector]) -> dict[str, float]:
    """The wrists of hands that something leans in, or that hold something flat, with the share of their stiffness that
    they lose: a hand goes down to what stands low, and about what is flat, as far as it can before the body bends."""
    around = [e for e in effectors if isinstance(e, Contact) and e.around and e.lies_flat]
    leaning = {e.joint: SUPPLE * min(e.tilt / FULLY, 1.0) for e in around if e.tilt > 0.0}
    return leaning | {e.joint: SQUARELY for e in around if opposes(e.patch)}


def bend_trunk_last(effectors: Sequence[Effector], problem: IKProblem) -> bool:
    """Whether arms, and knees, are to bend for one of the effectors before the trunk does."""
    if not problem.arms_first and not any(isinstance(e, Contact) for e in effectors):  # the quicker question
        return False
    return any(bends_trunk_last(e, problem) for e in effectors)


def bends_trunk_last(effector: Effector, problem: IKProblem) -> bool:
    """Whether arms, and knees, are to bend for an effector before the trunk does."""
    return grips(effector) or effector.id in problem.arms_first


def _stands(effector: Effector, before: Effector | None) -> bool:
    return before is not None and bool(np.array_equal(effector.target, before.target))


def _seat_among(problem: IKProblem, held: frozenset[int]) -> Contact | None:
    seat = seat_of(problem.skeleton, problem.effectors) if held else None
    return seat if any(problem.effectors[i] is seat for i in held) else None


def as_well_met(effectors: Sequence[Effector], one: Sequence[Residual], other: Sequence[Residual]) -> bool:
    """Whether no effector is further off than in the other answer, by more than the share of that which it tolerates.
    Where that meets all, disabled ones may be; where it does not, the way out may be far from the pose shown.
    """
    told = list(zip(effectors, one, other, strict=True))
    missed = any(theirs.state == "unreachable" for _, _, theirs in told)
    return all(
        (not missed and mine.state == "disabled")
        or mine.value <= theirs.value * (1.0 + effector.effective_tolerance) + AS_WELL
        for effector, mine, theirs in told
    )
