"""The kinds of continuity: how the exact stage goes on from the pose shown, by what earlier solves left behind.

If proposals know nothing of the past, each is held to what was shown: near the effectors of that pose the difference
that there was is added to it (see `anchor`). If a network jumps from one likely pose to another, the pose shown moves
over to it little by little, or stays if the drag turns back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.ik.anchor import (
    FADE_M,
    Anchor,
    all_still_pull,
    anchor,
    distance_moved,
    effector_key,
    effectors_at_pose,
    jumps,
    soft_turns,
    without_jump,
)
from solver.ik.exact import Refined, refine
from solver.ik.held_effectors import as_well_met
from solver.ik.memory import LastSolve, WarmStart, state_at
from solver.ik.problem import IKProblem
from solver.ik.solver import Continuity
from solver.ik.stance.idle_upper_body import arms_kept, joints_as_posed
from solver.ik.stance.lying import bed_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import largest_turn
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.values import changed

FAR = 5.0  # times FADE_M: nothing is left
STAYS_M = 0.01  # metres that a search may move a joint of a pose that counts as the solver's own

Propose = Callable[[tuple[Effector, ...]], Pose]  # the proposal for the problem with other effectors


class ContinuedSolve(NamedTuple):
    """A solve that went on from an earlier one: the exact stage's answer, and what the next solve goes on from. held:
    effectors, by index, that had to be pinned to stay met. rocks: whether a seat is so in its place alone."""

    refined: Refined
    last_solve: LastSolve
    held: frozenset[int] = frozenset()
    rocks: bool = False


def _independent(problem: IKProblem, proposed: Pose, start: WarmStart, propose: Propose) -> ContinuedSolve:
    return search_anew(problem, proposed)


def search_anew(problem: IKProblem, proposed: Pose) -> ContinuedSolve:
    """The exact stage from the proposal, going on from nothing."""
    refined = refine(problem, proposed)
    return ContinuedSolve(
        refined, LastSolve(refined.state, problem.effectors, problem.base_pose, proposed, refined.pose)
    )


def _from_base(problem: IKProblem, proposed: Pose, start: WarmStart, propose: Propose) -> ContinuedSolve:
    """The search starts where it was left. A chosen pose is kept by an anchor for as long as the base pose stays."""
    exact, held = None, None
    if start.last_solve is not None:
        exact = start.last_solve.exact
        held = start.last_solve.anchor
        if held is not None and start.last_solve.base != problem.base_pose:
            held = None
    elif start.pose is not None:
        exact = state_at(start.pose)
        held = (
            anchor(start.pose, proposed, start.chosen_for)
            if start.chosen_for is not None
            else _anchor_as_opened(problem, start, start.pose, propose)
        )
    proposal = held.applied_to(proposed, problem.effectors) if held else proposed
    refined = refine(problem, proposal, exact)
    return ContinuedSolve(
        refined, LastSolve(refined.state, problem.effectors, problem.base_pose, proposal, refined.pose, held)
    )


def _anchor_as_opened(problem: IKProblem, start: WarmStart, shown: Pose, propose: Propose) -> Anchor | None:
    """The anchor of a pose that no solve is known of, as of one that the user chose; None if a search stays there by
    itself."""
    there = effectors_there(problem, start, shown)
    proposal = propose(there)
    stays = refine(changed(problem, effectors=there), proposal, state_at(shown)).pose
    was, now = (forward_kinematics(problem.skeleton, pose).positions for pose in (shown, stays))
    return anchor(shown, proposal, there) if np.linalg.norm(now - was, axis=1).max() > STAYS_M else None


def effectors_there(problem: IKProblem, start: WarmStart, shown: Pose) -> tuple[Effector, ...]:
    """The problem's effectors where the pose shown has them, places that were asked already where they were asked.

    Turns of feet are not as they were asked: they follow from how people stand. Of a pose that was chosen they are
    asked as now, since nobody has turned them, and what they lack is not to come with the next step.
    """
    asked = {effector_key(e): e for e in start.asked if e.is_active and e.form == POINT}
    if start.chosen_for is not None:
        asked.update(soft_turns(start.chosen_for))
    there = effectors_at_pose(problem.skeleton, shown, problem.effectors)
    return tuple(e.with_target_of(asked[effector_key(e)]) if effector_key(e) in asked else e for e in there)


def _from_shown(problem: IKProblem, proposed: Pose, start: WarmStart, propose: Propose) -> ContinuedSolve:
    """The proposal is held to the pose shown, and neither it nor the answer may jump while effectors hardly move."""
    known = _last_solve(problem, start, propose)
    if known is None:
        return _independent(problem, proposed, start, propose)
    proposal, held, asked = proposed, known.anchor, problem.effectors
    if (there := _with_new_handles_there(problem, known)) is not None:
        said = propose(there)
        held = anchor(known.proposal, said, there, _firm(problem, there, said))
    moved_m = distance_moved(known.effectors, asked)
    calm = all_still_pull(known.effectors, asked)
    if held:
        proposal = _held_by(held, problem, proposed)
    if calm and (steady := without_jump(known.proposal, proposal, moved_m)) is not proposal:
        proposal, held = steady, anchor(steady, proposed, asked, held.firm if held else frozenset())
    refined = refine(problem, proposal, known.exact)
    if calm and jumps(known.pose, refined.pose, moved_m):
        other = refine(problem, known.pose, state_at(known.pose))
        nearer = largest_turn(known.pose, other.pose) < largest_turn(known.pose, refined.pose)
        if nearer and as_well_met(asked, other.residuals, refined.residuals):
            refined, proposal, held = other, known.pose, anchor(known.pose, proposed, asked)
    return ContinuedSolve(refined, LastSolve(refined.state, asked, problem.base_pose, proposal, refined.pose, held))


def held_to_shown(problem: IKProblem, proposed: Pose, start: WarmStart, propose: Propose) -> Pose:
    """The proposal as it is held to the pose shown where a solve goes on or begins; that pose if a contact has come
    off, or if the base pose is proposed as one begins, and the last proposal as long as a handle is new."""
    known, shown = start.last_solve, start.pose
    if known is None:
        if shown is not None and proposed == problem.base_pose:
            return shown
        known = _last_solve(problem, start, propose)
    elif shown is not None and contact_was_released(known, problem):
        return shown
    elif _with_new_handles_there(problem, known) is not None:
        return known.proposal
    return proposed if known is None or known.anchor is None else _held_by(known.anchor, problem, proposed)


def contact_was_released(last_solve: LastSolve, problem: IKProblem) -> bool:
    """Whether a contact has come off since: its joint is now asked only for a place, like a hand that is dragged away,
    and nothing says how it is turned any more."""
    lay = {e.joint for e in last_solve.effectors if isinstance(e, Contact) and e.is_active}
    asks = [e for e in problem.effectors if e.is_active] if lay else []
    lay.difference_update(e.joint for e in asks if isinstance(e, Contact))
    return any(e.joint in lay and e.form == POINT for e in asks)


def _held_by(held: Anchor, problem: IKProblem, proposed: Pose) -> Pose:
    return _applied(held, problem.skeleton, problem.effectors, problem.base_pose, proposed)


@memoised(4, by_identity=True)  # a solve asks it first for the leans of arms, and then to go on
def _applied(held: Anchor, skeleton: Skeleton, asked: tuple[Effector, ...], base: Pose, proposed: Pose) -> Pose:
    kept = arms_kept(skeleton, asked, base, proposed) if held.firm else ()
    return held.applied_to(proposed, asked, kept)


def _firm(problem: IKProblem, there: Sequence[Effector], said: Pose) -> frozenset[int]:
    """Joints of idle arms of somebody who does not lie, which a proposal has as posed."""
    skeleton, base, floor = problem.skeleton, problem.base_pose, problem.floor
    if problem.stance is None or problem.frozen or problem.step_s > 0.0:
        return frozenset()
    lies = floor is not None and bed_of(skeleton, floor, base).bears
    return frozenset() if lies else joints_as_posed(skeleton, there, base, said)


def _with_new_handles_there(problem: IKProblem, known: LastSolve) -> tuple[Effector, ...] | None:
    """The effectors at the last solve's targets, new ones at their place in its pose; one for each of the problem's.

    What a network proposes for these belongs to the pose shown: one more handle changes its proposal, wherever it is.
    None if no strict effector is new, or a contact is, which goes to its place from afar.
    """
    then = {effector_key(e): e for e in known.effectors if e.is_active}
    new = [e for e in problem.effectors if e.is_active and effector_key(e) not in then]
    if any(isinstance(e, Contact) for e in new) or not any(e.is_strict for e in new):
        return None
    there = effectors_at_pose(problem.skeleton, known.pose, problem.effectors)
    pairs = zip(problem.effectors, there, strict=True)
    return tuple(e.with_target_of(then[effector_key(e)]) if effector_key(e) in then else at for e, at in pairs)


def _in_motion(problem: IKProblem, proposed: Pose, start: WarmStart, propose: Propose) -> ContinuedSolve:
    """While time passes the proposal itself goes on: a search that started elsewhere would carry errors along. A still
    pose is held to the pose shown, which the proposer could not have made."""
    kind = _independent if problem.step_s > 0 else _from_shown
    return kind(problem, proposed, start, propose)


def _last_solve(problem: IKProblem, start: WarmStart, propose: Propose) -> LastSolve | None:
    """What is known of the pose shown; None if that is useless: there is none, or it is far from the targets."""
    if not any(e.is_active for e in problem.effectors):
        return None
    if start.last_solve is not None:
        return start.last_solve
    if start.pose is None:
        return None
    there = effectors_there(problem, start, start.pose)
    if distance_moved(there, problem.effectors) > FAR * FADE_M:
        return None
    said = propose(there)
    held = anchor(start.pose, said, there, _firm(problem, there, said))
    return LastSolve(state_at(start.pose), there, problem.base_pose, start.pose, start.pose, held)


CONTINUE = {
    Continuity.NONE: _independent,
    Continuity.FROM_BASE: _from_base,
    Continuity.IN_MOTION: _in_motion,
    Continuity.FROM_SHOWN: _from_shown,
}
