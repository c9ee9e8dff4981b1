"""From a character to what its solver is asked, and the answer back into the character."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.document.model.clip import Preserve
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.loose_effectors import carried_along
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.resolve import Context, Figure, carrying_joint, has_sources
from solver.effectors.sources import Tie
from solver.ik.memory import FRESH, Memory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.options import LEFT_FOOT, PROPOSAL_ALONE, RIGHT_FOOT, SOLID_BODY, SOLID_FLOOR, STANDING, Options
from solver.ik.preserve_modes import posed_joints
from solver.ik.problem import IKProblem, Reason, Residual
from solver.ik.solution import IKSolution
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.solvers.catalog import UsableSolver, refusal_of, spec_of, usable_solver
from solver.values import FloatArray, changed

if TYPE_CHECKING:
    from app.document.posing.surroundings import Surroundings
    from solver.body.hands import Hands
    from solver.contact.floor_points import FloorPoints
    from solver.contact.obstacles import Obstacles
    from solver.ik.multi_solve.solve_from_proposal import Ties


def problem_of(
    character: Character, step_s: float = 0.0, hold: LimbHold | None = None, surroundings: Surroundings | None = None
) -> IKProblem:
    """What the solver is asked for this character: its effectors, base pose and preservation.

    step_s: seconds since the pose before this one, 0 where time plays no part. hold: what stays instead of what the
    character preserves, while one limb moves. surroundings: what its body may not pass through besides itself.
    """
    from app.document.posing.stances import stance_of, standing_on

    stance = stance_of(load_body(character.body), character.shape, character.hands, character.solver_options)
    if surroundings is not None and surroundings.underfoot:
        stance = standing_on(stance, character, surroundings.underfoot)
    problem = changed(
        _question(character),
        step_s=step_s,
        floor=floor_of(character.body, character.shape, character.hands, character.solver_options),
        stance=stance,
        obstacles=obstacles_around(character, surroundings),
    )
    return hold.applied_to(problem) if hold else problem


def _question(character: Character) -> IKProblem:
    """What is asked, except for floor, stance and obstacles, which may take a while to make and which no solver
    refuses. Who is asked for nothing has no reason to go back to the base pose, and stays near the pose shown."""
    asks = any(effector.is_active for effector in character.effectors)
    skeleton = skeleton_of(character)
    place, shape = preserve_masks(skeleton, character.preserve, character.effectors)
    return IKProblem(
        skeleton=skeleton,
        shape=character.shape,
        effectors=_as_seated(character, skeleton),
        base_pose=character.base_pose if asks else character.pose,
        preserve_position=place,
        preserve_orientation=shape,
        body=character.body,
    )


def _as_seated(character: Character, skeleton: Skeleton) -> tuple[Effector, ...]:
    if not any(isinstance(e, Contact) for e in character.effectors):
        return character.effectors
    from solver.ik.stance.rocking import as_tilted

    return as_tilted(character.effectors, skeleton, character.base_pose)


def obstacles_around(character: Character, surroundings: Surroundings | None = None) -> Obstacles | None:
    """What the character's body may not pass through; None where it may pass through everything."""
    if not SOLID_BODY.of(character.solver_options) and not has_sources(character.effectors):
        return None
    from app.document.posing.surroundings import obstacles_of

    return obstacles_of(character, surroundings)


def floor_of(body: str, shape: BodyShape, hands: Hands | None, options: Options) -> FloorPoints | None:
    """What of a body a solid floor holds up; None if the floor is not solid to it."""
    if not SOLID_FLOOR.of(options):
        return None
    from solver.contact.floor_points import floor_points

    return floor_points(load_body(body), shape, hands)


def preserve_masks(
    skeleton: Skeleton, preserve: Preserve, effectors: Sequence[Effector] = ()
) -> tuple[FloatArray, FloatArray]:
    """(J,) each: how firmly joints keep their place and their shape of the base pose.

    Where the whole body is kept, what the effectors pose is free to follow.
    """
    return (
        _mask(skeleton, preserve.place, preserve.strength, effectors),
        _mask(skeleton, preserve.shape, preserve.shape_strength, effectors),
    )


def with_solution(character: Character, solution: IKSolution, asked: tuple[Effector, ...] = ()) -> Character:
    """The character in the solved pose; loose effectors follow.

    asked: the effectors that were solved for, where targets that come from elsewhere were found anew.
    """
    found = {e.id: e for e in asked if e.source is not None and e.is_active}
    effectors = tuple(
        _asked_as(e, found[e.id]) if e.id in found and e.source == found[e.id].source else e
        for e in character.effectors
    )
    return changed(
        character,
        pose=solution.pose,
        effectors=carried_along(
            effectors if found else character.effectors, skeleton_of(character), character.pose, solution.pose
        ),
    )


def _asked_as(effector: Effector, asked: Effector) -> Effector:
    """The effector on the target that was solved for, with the patch as a bent knee or a laid hand has it."""
    aimed = effector.with_target_of(asked)
    if not (isinstance(aimed, Contact) and isinstance(asked, Contact)) or _grip_of(aimed) != _grip_of(asked):
        return aimed  # something else was chosen meanwhile
    return changed(aimed, offset=asked.offset, normal=asked.normal if aimed.lies_flat else aimed.normal)


def _grip_of(contact: Contact) -> tuple[str, float, float]:
    """By what of the skin it holds, and how."""
    return contact.patch, contact.radius, contact.tilt


def usable_of(character: Character) -> UsableSolver:
    """The character's solver, or its stand-in and the reason."""
    return usable_solver(character.solver, problem_of(character))


def refusal_for(character: Character) -> str:
    """Why another solver stands in for the character's own, as far as is known by now; "" if none does."""
    return refusal_of(character.solver, _question(character))


def solution_of(
    character: Character,
    memory: Memory = FRESH,
    step_s: float = 0.0,
    hold: LimbHold | None = None,
    surroundings: Surroundings | None = None,
) -> IKSolution:
    """What the character's solver answers, with the options that are set for the character.

    memory: what its last solve left, to go on from; without it, it goes on from the pose it is in. step_s: seconds
    since then. hold: what stays while one limb moves. surroundings: what stands around it.
    Raises UnsupportedEffector where even the stand-in does not take a kind.
    """
    from solver.ik.multi_solve.plain_drag import solve_in_drag  # it brings compiled code along

    problem = problem_of(character, step_s, hold, surroundings)
    solver = usable_solver(character.solver, problem).solver
    return solve_in_drag(solver, problem, memory, character.pose, character.solver_options)


def is_proposal(character: Character) -> bool:
    """Whether the pose is a network's proposal alone: not with a classical solver, nor with a stand-in."""
    if PROPOSAL_ALONE not in spec_of(character.solver).options or not PROPOSAL_ALONE.of(character.solver_options):
        return False
    return not refusal_for(character)


def _is_unrefined(character: Character) -> bool:
    """Whether no exact stage follows the proposal of the character's solver."""
    return is_proposal(character) or (not spec_of(character.solver).exact and not refusal_for(character))


def solver_takes(character: Character, kind: str, joint: str) -> bool:
    """Whether the character's solver can be asked for effectors of that kind on that joint."""
    role = rig_of(skeleton_of(character)).role_of(joint)
    return spec_of(character.solver).takes(kind, role or "")


def solver_heeds(character: Character, what: str) -> bool:
    """Whether TOLERANCE or PRESERVATION matters: always with the exact stage, else if the proposal itself heeds it."""
    return not _is_unrefined(character) or what in spec_of(character.solver).heeds


def kind_has_effect(character: Character, kind: str) -> bool:
    """Whether effectors of that kind, if its solver takes them, make a difference to the pose."""
    return not _is_unrefined(character) or spec_of(character.solver).proposal_uses(kind)


def ineffective_options(character: Character) -> Mapping[str, str]:
    """The options that make no difference to the pose with the others set as they are: why, by id."""
    if is_proposal(character):
        return {option.id: f"“{PROPOSAL_ALONE.title}” leaves out what would see to it" for option in STANDING}
    if SOLID_FLOOR.of(character.solver_options):
        return {}
    return {option.id: f"Only where “{SOLID_FLOOR.title}” is on" for option in (LEFT_FOOT, RIGHT_FOOT)}


def has_active_effectors(character: Character | None) -> bool:
    """Whether there is somebody, and something is asked of it."""
    return character is not None and any(e.is_active for e in character.effectors)


def can_have_other(character: Character | None) -> bool:
    """Whether looking for another pose makes sense: something is asked for, and the exact stage is at work."""
    if character is None or not has_active_effectors(character):
        return False
    return spec_of(character.solver).exact and not is_proposal(character)


def other_solution_of(
    character: Character,
    cancelled: Callable[[], bool],
    surroundings: Surroundings | None = None,
    ties: Ties | None = None,
) -> IKSolution | None:
    """Another pose that meets the character's effectors as well; None where there is none. Asked again, the next one.

    cancelled: asked now and then; ends the search. ties: where its targets are found again.
    """
    from app.document.posing.touched_surfaces import with_square_hands
    from solver.ik.multi_solve.other_solutions import other_solution

    problem = problem_of(character, surroundings=surroundings)
    if ties is not None:
        problem = with_square_hands(problem, character, ties.context.props, character.pose, 1.0)
    solver = usable_solver(character.solver, problem).solver
    return other_solution(problem, solver, character.pose, cancelled, character.solver_options, ties)


def residuals_of(character: Character, surroundings: Surroundings | None = None) -> tuple[Residual, ...]:
    """How well the character meets its effectors as it is, one for each, in order; told as its solver tells them.

    surroundings: what stands around it, and below its feet.
    """
    from solver.ik.residuals import residuals  # it brings compiled code along
    from solver.ik.standing_stage import residuals_standing

    if is_proposal(character) or not spec_of(character.solver).exact:
        return residuals(skeleton_of(character), character.pose, character.effectors)
    asked = problem_of(character, surroundings=surroundings)
    as_held = changed(asked, effectors=character.effectors)  # a seat as it lies, not as it is to lie
    return residuals_standing(as_held, character.pose)


def was_solved(character: Character) -> bool:
    """Whether a solver with its exact stage posed the character as it is at its frame: no network alone, at a key or
    where the nearest one is shown as it is, as after the last."""
    return _shows_key(character) and not is_proposal(character)


def _shows_key(character: Character) -> bool:
    near, place = character.clip.nearest(character.frame), character.clip.placement
    if near.frame == character.frame:
        return True
    same = character.pose == place.pose(near.pose)
    return same and character.effectors == tuple(map(place.effector, near.effectors))


def lies_tilted(character: Character) -> bool:
    """Whether a patch that it holds on something keeps its place without lying flat there."""
    if not any(isinstance(e, Contact) for e in character.effectors):
        return False
    from solver.ik.pipeline.tilts import tilted_of

    return bool(tilted_of(skeleton_of(character), character.pose, character.effectors))


def reasons_of(
    character: Character,
    residuals: tuple[Residual, ...],
    stop: Callable[[], bool],
    surroundings: Surroundings | None = None,
) -> tuple[Reason | None, ...] | None:
    """Why effectors of the solved character are not reachable or lie tilted; see `reasons` there."""
    from solver.ik.pipeline.reasons import reasons

    problem = problem_of(character, surroundings=surroundings)
    return reasons(problem, character.pose, residuals, stop, own_bearers(character))


def own_bearers(character: Character) -> dict[int, str]:
    """By the index of each effector that lies on the character's own skin, the joint that carries most of it there."""
    ties = {i: e.source for i, e in enumerate(character.effectors) if e.is_active and isinstance(e.source, Tie)}
    own = {i: tie for i, tie in ties.items() if tie.character == character.id}
    if not own:
        return {}
    from app.document.posing.touched_surfaces import skins_of

    figures = {character.id: Figure(skeleton_of(character), joints_of(character))}
    context = Context(figures=figures, skins=skins_of([character]))
    return {
        i: joint for i, tie in own.items() if (joint := carrying_joint(tie, context)) in skeleton_of(character).names
    }


def solved(character: Character) -> Character:
    """The character after its solver has run, here and now."""
    return with_solution(character, solution_of(character))


def _mask(skeleton: Skeleton, joints: frozenset[str], strength: float, effectors: Sequence[Effector]) -> FloatArray:
    """(J,) how firmly these joints are kept. If they are the whole body, what effectors pose is free to follow."""
    mask = np.zeros(len(skeleton), dtype=np.float32)
    for name in joints:
        mask[skeleton.index(name)] = strength
    if len(joints) == len(skeleton):
        mask[posed_joints(skeleton, effectors)] = 0.0
    return mask
