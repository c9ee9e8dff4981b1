"""A problem of several figures: each is solved by its own solver, in turn, until what they ask of each other is met.

A tie is an effector whose target is a joint of a figure or a point of its skin, another's or its own. Two figures that
are tied to each other first go to meet half way. A figure that cannot get there is met where it is: from then on each
in turn goes all the way to where the other is now. A tie on one side only leaves the other side where it is; what a
figure is tied to on its own body is asked to stay (`self_ties`). If a hold is taken and not met, all begin again and go
where they would if they could pass through everything, and from there out of what they are in. What lies on a surface
with other skin once it is bent, as a knee does, is refitted after each round.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.ik.multi_solve.shared_problem import SharedProblem
from solver.ik.multi_solve.tied_group import Group, GroupState
from solver.ik.solution import Answer
from solver.values import changed

ROUNDS = 24  # at most
WELL_MET = 0.3  # of the error that counts as none: a tie this good needs no further round
BETTER, STALLED = 0.95, 2  # it ends after so many rounds that leave more than this share of the least error
MET_ROUNDS, ROLLING = 5, 3  # rounds likewise of which the best is met, even though not that well; if a knee rolls
SWINGS = 6  # rounds likewise, if the error goes up and down, as it does with crossed arms on their way
KNEES = 4  # rounds at least, if what is refitted does not come to rest
FAR = 10.0  # of the error that counts as none: if further off, own ties go only a share of their way in each round, or
SHARE = 0.5  # they swing; less, where `share_of_way` tells so
ASTRAY = 10.0  # likewise: what waits for a hand is let go of if that is further off; for less, trunks would be thrown
TAKEN = 50.0  # likewise: a figure further off as shown takes a hold anew, and looks for a way around what is in the way
BARRED = 0.97  # of the error in the round before: if further off, and more than `TAKEN`, it gets no further
HURRIED = 3  # rounds that there are in any case, though the answer is out of date


def never() -> bool:
    """False."""
    return False


def solve_together(shared: SharedProblem, hurried: Callable[[], bool] = never) -> dict[str, Answer]:
    """The figures' solutions by id. Raises what the figures' solvers raise.

    hurried: asked now and then whether a newer problem waits, as in a drag that has gone on. Then the best of a few
    rounds is the answer: who drags sees that, and the last problem of the drag has all the rounds it needs.
    """
    group = Group(changed(shared, figures=tuple(f.with_known_start() for f in shared.figures)))
    rests = group.is_at_rest()
    back = group if rests else group.returning_to_drag_start()
    if back is not group:
        group, rests = back, back.is_at_rest()
    if rests:
        return {figure.id: group.answer_at_rest(figure) for figure in group.figures}
    anew = group.goes_around and not group.has_sought and group.worst_tie() > TAKEN
    best = _rounds(group, hurried, first=True)
    while best.least > ASTRAY and not hurried() and group.wait_less():
        group.reset()
        found = _rounds(group, hurried, first=True)
        best = found if found.least < best.least else best
    if anew and best.least > 1.0 and not hurried():
        group.seeks = True
        group.reset()
        _rounds(group, hurried, first=True, through=True)
        found = _rounds(group, hurried)
        best = found if found.least < best.least else best
    group.restore(best)
    rests = best.least <= 1.0 or not best.late
    return {figure.id: group.answer(figure, rests, best.least) for figure in group.figures}


def _rounds(group: Group, hurried: Callable[[], bool], first: bool = False, through: bool = False) -> GroupState:
    """Solve all in turn until ties are met or no longer get better; goes to the best and returns it.

    first: whether nobody has been solved before. through: whether all pass through everything.
    """
    least = before = np.inf
    left = group.worst_tie() if group.has_sought and first else np.inf
    still = worse = turn = met = 0
    best, done, fits, rolls = group.state(), False, True, False
    while True:
        swings = turn > 0 and (left > FAR or left > before)
        for figure in group.figures:
            group.solve(figure, first and turn == 0, through, SHARE if swings else 1.0)
        before, left = left, group.worst_tie()
        still = still + 1 if left > BETTER * before and (before > BETTER * left or least <= 1.0) else 0
        worse = worse + 1 if left > BETTER * least else 0
        if left < least or (not fits and BETTER * left <= max(least, WELL_MET)):
            least, best = left, group.state()
        fits = group.refit()
        rolls |= not fits
        turn += 1
        met += least <= 1.0
        done = turn == ROUNDS or (turn >= HURRIED and hurried())
        ends = left <= WELL_MET or still >= STALLED or worse >= SWINGS or met >= (ROLLING if rolls else MET_ROUNDS)
        ends |= left > max(TAKEN, BARRED * before) and group.is_asked_there()
        if done or (ends and (fits or turn >= KNEES)):
            break
    group.restore(best)
    return best._replace(least=least, late=done)
