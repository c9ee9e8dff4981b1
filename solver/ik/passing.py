"""The ways past what is in a body's way where a search has left a contact missed.

A body that is stuck goes first where it would if it could pass through everything, and from there out of what it is in.
If contacts are missed all the same, it may pass through what they lie on, as long as it does not end up deep within it:
a trunk that is missed by some centimetres is better than thighs in the box. In a drag the way that led to the last pose
is tried first: the others had failed a step before, after five times as many iterations.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from solver.contact.obstacles import Obstacles
from solver.effectors.effector import Effector
from solver.ik.descent import BATCH_ITERATIONS, Descent, Stiff, contact_off, descend, gets_nearer
from solver.ik.held_effectors import lifted_off
from solver.ik.memory import ExactState, with_turns_of
from solver.ik.preserve_modes import posed_joints
from solver.ik.problem import IKProblem
from solver.ik.stance.seated import seat_of
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.values import changed

STOPPED = 0.08  # metres: what is missed by less has not been stopped on its way, at the edge of a box
THROUGH = 0.03  # metres within a thing from which a body has come through its surface
AS_DEEP = 0.01  # metres deeper that somebody may be who has been that deep already
NEARER = 0.05  # metres less that a contact is missed by: worth another pose where it is not met anyway
SLIGHTLY, SWINGS = 0.01, 0.25  # metres: for a hold that is missed by less, nobody goes so far through things


class Way(IntEnum):
    """How a search gets past things; a state keeps it by its number."""

    NONE = 0  # by itself
    FIRM = 1  # from where everything is passed through, out of it again
    SOFTER = 2  # likewise, with what lies there deeper than flesh yields
    PASSED = 3  # likewise, through what is lain on
    SOFTER_FROM_KEPT = 4  # as SOFTER, from what was found
    BESIDE = 5  # from what was found, through what is lain on, but not with the limbs that lie there
    LIFTED = 6  # from where the limbs that are stopped on their way are lifted off what they are to lie on


class _Searches:
    """Searches for one problem, each made once. softer: what is in the way, with what lies there allowed deeper.
    before: the pose shown a moment ago, or else the base pose."""

    def __init__(
        self, problem: IKProblem, active: Sequence[Effector], proposal: Pose, stiff: Stiff, softer: Obstacles,
        before: Pose,
    ) -> None:  # fmt: skip
        self.iterations = 0
        self._problem, self._active, self._proposal, self._stiff = problem, active, proposal, stiff
        self._softer, self._before = softer, before
        self._lies = np.isin(softer.body.joints[softer.body.leading], sorted(softer.lying_limbs))
        self._sits = seat_of(problem.skeleton, active) is not None
        self._found = dict[Way, Descent]()

    def found(self, way: Way, obstacles: Obstacles | None, begin: ExactState) -> Descent:
        """What the search finds among these obstacles; its state tells the way."""
        if way not in self._found:
            asked = changed(self._problem, obstacles=obstacles)
            found = descend(asked, self._active, self._proposal, begin, self._stiff, BATCH_ITERATIONS)
            self.iterations += found.iterations
            self._found[way] = found._replace(state=changed(found.state, way=int(way)))
        return self._found[way]

    def lifted(self, kept: Descent, missed: Collection[int]) -> Descent:
        """What is found from where those contacts that are missed are lifted off what they are to lie on."""
        above = lifted_off(self._active, missed)
        begin = descend(self._problem, above, self._proposal, kept.state, self._stiff, BATCH_ITERATIONS)
        self.iterations += begin.iterations
        return self.found(Way.LIFTED, self._problem.obstacles, begin.state)

    def comes_nearer(self, found: Descent, kept: Descent) -> bool:
        """Whether something is met that was missed; or, with all of the body kept out of things that it lies on, the
        contact that is missed most is missed by `NEARER` less, and nothing else is missed."""
        beside = self._softer.support_things and found.misses <= kept.misses and not passes(found)
        nearer = contact_off(self._active, found) < contact_off(self._active, kept) - NEARER
        return gets_nearer(found, kept) or bool(beside and nearer)

    def came_through(self, found: Descent) -> bool:
        """Whether a search that may pass through what is lain on has ended deep within it."""
        if not passes(found):
            return False
        now, before = (
            too_deep(self._softer, forward_kinematics(self._problem.skeleton, pose))
            for pose in (found.pose, self._before)
        )
        if (now[self._lies] > 0.0).any():
            return True
        if self._sits:  # with the seat's front edge in the flesh of the thighs, or its backrest in that of the back
            return False
        then = float(before.max(initial=0.0))
        return bool(now.max(initial=0.0) > (then + AS_DEEP if then > 0.0 else 0.0))

    def gets_there(self, found: Descent, kept: Descent) -> bool:
        """Whether contacts are met, nothing is missed that was met, and nothing has come through."""
        met = gets_nearer(found, kept) and not contact_off(self._active, found)
        return met and not self.came_through(found)


def passes(found: Descent) -> bool:
    """Whether a search may have passed through what is lain on."""
    return found.state.way in (Way.PASSED, Way.BESIDE)


def too_deep(obstacles: Obstacles, world: WorldJoints) -> NDArray[np.float64]:
    """(P,) metres that each of the body's leading balls is deeper within things that it lies on than flesh yields and
    touches let it be, negative where it is not; 0 without such things.

    world: its joints, as the solver's skeleton has them.
    """
    if not obstacles.support_things:
        return np.zeros(int(obstacles.body.leading.sum()))
    leading, first = obstacles.body.leading, len(obstacles.solids.first) - 1 - len(obstacles.support_things)
    placed = obstacles.body.placed(world)[leading]
    gaps = np.stack([thing.distances(placed[:, :3]) for thing in obstacles.support_things], axis=1)
    within = placed[:, 3:] - gaps - np.maximum(obstacles.solids.yields[leading, first:], THROUGH)
    return np.asarray(within.max(axis=1), np.float64)


def through_things(
    problem: IKProblem,
    active: Sequence[Effector],
    proposal: Pose,
    kept: Descent,
    stiff: Stiff,
    shown: Pose | None,
    before: int = Way.NONE,
) -> tuple[Descent, int]:
    """The better of `kept` and of what is found past things, and iterations used.

    Through what contacts lie on, far only if they are missed by more than `SLIGHTLY`, and never so that the body ends
    deep within it; not with arms of which nothing is asked, which start as shown and come out on the same side; and not
    with limbs that lie there, which would come out on the far side: that search goes on from `kept`. before: the way
    that led to the state that the search began at.
    """
    assert problem.obstacles is not None
    firm, softer = problem.obstacles, problem.obstacles.with_soft_touches
    arms = firm.body.arms.difference(posed_joints(problem.skeleton, active))
    made = _Searches(problem, active, proposal, stiff, softer, shown or problem.base_pose)
    on = dict[Way, tuple[Obstacles, ExactState]]()
    if firm.lying_limbs:
        beside = softer.without_supports_except(arms | firm.lying_limbs)
        on = {Way.SOFTER_FROM_KEPT: (softer, kept.state), Way.BESIDE: (beside, kept.state)}
    if before in on and made.gets_there(again := made.found(Way(before), *on[Way(before)]), kept):
        return again, made.iterations
    free = made.found(Way.NONE, None, kept.state)
    if not free.misses < kept.misses:
        return kept, made.iterations
    start = free.state
    if arms and shown is not None:
        start = with_turns_of(start, arms, shown)
    passed = softer.without_supports_except(arms)
    tries = {Way.FIRM: (firm, start), Way.SOFTER: (softer, start), Way.PASSED: (passed, start)}
    if softer is firm:
        del tries[Way.SOFTER]
    if passed is softer:
        del tries[Way.PASSED]
    as_before = before == Way.SOFTER and softer is not firm
    if as_before and made.gets_there(again := made.found(Way.SOFTER, softer, start), kept):
        return again, made.iterations
    best = kept
    for way, (obstacles, begin) in (tries | on).items():
        found = made.found(way, obstacles, begin)
        if made.came_through(found):
            continue
        nearly = way in (Way.PASSED, Way.BESIDE) and not firm.support_people and contact_off(active, best) < SLIGHTLY
        if nearly and apart(problem.skeleton, best.pose, found.pose).max() > SWINGS:
            return best, made.iterations
        best = found if made.comes_nearer(found, best) else best
        if obstacles is passed or not contact_off(active, best):
            return best, made.iterations
    if contact_off(active, kept) < STOPPED:
        return best, made.iterations
    lifted = made.lifted(kept, best.misses)
    return lifted if made.comes_nearer(lifted, best) else best, made.iterations
