"""What frames between keys take from their keys besides effectors: the floor, the stance, what is in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.document.model.actor import Actor
from app.document.model.between import Gap
from app.document.model.placement import HERE, Placement
from app.document.posing.solving import problem_of
from solver.body.catalog import load_body
from solver.effectors.resolve import Context, tied_figures
from solver.ik.options import SOLID_BODY, SOLID_FLOOR
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

if TYPE_CHECKING:
    from solver.body.hands import Hands
    from solver.contact.solids import Solid
    from solver.ik.multi_solve.solve_from_proposal import Ties


def asked_at_keys(actor: Actor, gap: Gap, steps: bool = False) -> IKProblem:
    """The problem of a key next to a gap: what the gap's frames share with it, apart from effectors and base poses.

    What stands around belongs to one moment and is left out; the body itself is not, but for somebody who steps, of
    whom contacts hold nothing but the soles: as a knee came up, it would throw the hand aside that swings by it.
    steps: whether there are steps in the gap.
    """
    apart = replace(actor)  # a copy with its own memory of the frame read last
    keys = [key for key in gap.keys[1:3] if key is not None]
    problems = [problem_of(apart.at(key.frame)) for key in keys]
    if steps and not SOLID_BODY.of(actor.posing.solver_options) and all(map(_holds_by_feet, problems)):
        return replace(problems[0], obstacles=None)
    return next((problem for problem in problems if problem.obstacles is not None), problems[0])


def _holds_by_feet(problem: IKProblem) -> bool:
    """Whether nothing but feet is on something, of all that is asked."""
    rig = rig_of(problem.skeleton)
    feet = [role for leg in LEGS for role in (leg.end, leg.tip)]
    return all(rig.role_of(e.joint) in feet for e in problem.effectors if e.source is not None and e.is_active)


def on_things(problem: IKProblem, things: Sequence[Solid]) -> IKProblem:
    """A frame's problem with feet that stand on things as on the floor, where they are asked to be above these."""
    stance = problem.stance
    if not things or stance is None or stance.feet is None:
        return problem
    from solver.ik.limp.underfoot import feet_on_things

    base = forward_kinematics(problem.skeleton, problem.base_pose)
    feet = feet_on_things(stance.feet, problem.skeleton, problem.effectors, base, things)
    return replace(problem, stance=replace(stance, feet=feet))


def lifted(actor: Actor) -> Placement:
    """How the clip has to be raised for the world's floor to be its own: the height of its placement."""
    if not SOLID_FLOOR.of(actor.posing.solver_options):
        return HERE
    return Placement(shift=(0.0, actor.clip.placement.shift[1], 0.0))


def ties_of(actor: Actor, hands: Hands | None) -> Ties | None:
    """What the actor's targets on itself go along with; None where it has none. hands: how it holds its fingers."""
    if not any(actor.id in tied_figures(key.effectors) for key in actor.clip.keys):
        return None
    from solver.contact.skins import skin  # not needed to show the window
    from solver.ik.multi_solve.solve_from_proposal import Ties

    body, shape = load_body(actor.build.body), actor.build.shape
    return Ties(actor.id, Context(skins={actor.id: skin(body, shape, hands)}))
