"""Seats that are held while something else is dragged, in their place alone where their tilt would throw the body.

A seat that is pinned may not tilt by a hair, though it is round and was held in its place alone. As somebody leans far
aside, it had given way to that a little; pinned, it would turn back all at once, and trunk and arms with it.
"""

from __future__ import annotations

from dataclasses import replace

from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.facing import FAR
from solver.effectors.kinds import LookAt
from solver.ik.held_effectors import with_pinned
from solver.ik.problem import IKProblem
from solver.ik.stance.leans import Lean, Strength
from solver.ik.stance.seated import seat_of

TILTS = Strength(LookAt.spec.firm_weight, LookAt.spec.firm_force, LookAt.spec.firm_fading)  # as if it were not pinned


def holds_seat(problem: IKProblem, held: frozenset[int]) -> bool:
    """Whether somebody sits by one of these effectors, by index."""
    return _seat_among(problem, held) is not None


def with_pinned_seat_rocking(problem: IKProblem, held: frozenset[int]) -> IKProblem:
    """The problem with these effectors pinned, a seat among them in its place alone: it leans to how it lies."""
    seat = _seat_among(problem, held)
    pinned = with_pinned(problem, held)
    if seat is None:
        return pinned
    effectors = tuple(
        replace(now, facing=ANY_WAY) if was is seat and isinstance(now, Contact) else now
        for was, now in zip(problem.effectors, pinned.effectors, strict=True)
    )
    lies = LookAt(seat.joint, seat.target - FAR * seat.facing, seat.normal)
    return replace(pinned, effectors=effectors, leans=(Lean(lies, TILTS), *problem.leans))


def _seat_among(problem: IKProblem, held: frozenset[int]) -> Contact | None:
    seat = seat_of(problem.skeleton, problem.effectors) if held else None
    return seat if any(problem.effectors[i] is seat for i in held) else None
