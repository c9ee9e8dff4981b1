"""Characters that are tied to each other: who belongs together, and what their solvers answer together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.posing.solving import problem_of, solution_of
from solver.body.catalog import load_body
from solver.camera import PinholeCamera
from solver.effectors.contact import Contact
from solver.effectors.resolve import NO_PROPS, Context, Prop, has_sources, tied_figures
from solver.ik.memory import FRESH, BegunAnew, Memory
from solver.ik.multi_solve.only_limb import LimbHold, only_arms
from solver.ik.solution import Answer
from solver.solvers.catalog import usable_solver
from solver.values import changed

if TYPE_CHECKING:
    from app.document.posing.surroundings import Surroundings
    from solver.effectors.effector import Effector
    from solver.ik.multi_solve.shared_problem import Refit
    from solver.kinematics.pose import Pose

Group = tuple[Character, ...]
NO_HOLDS: Mapping[str, LimbHold] = MappingProxyType({})
NO_ONE_AROUND: Mapping[str, Surroundings] = MappingProxyType({})


def tied_groups(characters: Sequence[Character]) -> list[Group]:
    """The characters in groups, each in just one: people who are tied, if only through others, are together."""
    group_of = {character.id: {character.id} for character in characters}
    for character in characters:
        for other in tied_figures(character.effectors) & group_of.keys():
            joined = group_of[character.id] | group_of[other]
            group_of.update(dict.fromkeys(joined, joined))
    groups: dict[frozenset[str], list[Character]] = {}
    for character in characters:
        groups.setdefault(frozenset(group_of[character.id]), []).append(character)
    return [tuple(group) for group in groups.values()]


def answers_of(
    group: Group,
    memories: Mapping[str, Memory],
    cameras: Sequence[PinholeCamera] = (),
    step_s: float = 0.0,
    holds: Mapping[str, LimbHold] = NO_HOLDS,
    surroundings: Mapping[str, Surroundings] = NO_ONE_AROUND,
    props: Mapping[str, Prop] = NO_PROPS,
    hurried: Callable[[], bool] = lambda: False,
) -> dict[str, Answer]:
    """What the solvers of a group of characters answer, by the characters' ids.

    memories: what their last solves left, by id. cameras: of the photos that targets may come from. step_s: seconds
    since the poses before these. holds: what stays of each, by id, while one limb moves; where it gives way, only in a
    group of one, or where it is for the arms of all of them. surroundings: what stands around each, by id. props: what
    targets may lie on. hurried: whether a newer problem waits; people who are tied then have but a few rounds. The
    patch of a knee on something depends on how far it is bent, so the figures' effectors are refitted while they are
    solved. Raises what `solution_of` raises.
    """
    group = tuple(map(_on_bent_knees, group))
    first = {id: hold for id, hold in holds.items() if hold.gives_way or hold.wider}
    if not first:
        return _answers(group, memories, cameras, step_s, holds, surroundings, props, hurried)
    if len(group) > 1:
        rest = {id: hold for id, hold in holds.items() if id not in first}
        if any(hold.together for hold in first.values()):
            arms = {person.id: _arms_that_hold(person) for person in group}
            found = _answers(group, memories, cameras, step_s, arms, surroundings, props, hurried)
            if all(_holds_on(found[id], arms[id]) for id in found):
                return found
        return _answers(group, memories, cameras, step_s, rest, surroundings, props, hurried)
    from app.document.posing.arms_then_rest import answer_with_arms_first, answer_with_wider_holds

    def solve(person: Character, memory: Memory, hold: LimbHold | None, square: float | None = None) -> Answer:
        own, known = NO_HOLDS if hold is None else {person.id: hold}, {person.id: memory}
        return _answers((person,), known, cameras, step_s, own, surroundings, props, hurried, square)[person.id]

    only = group[0]
    context, memory = Context(cameras=cameras, props=props), memories.get(only.id, FRESH)
    if first[only.id].wider:
        return {only.id: answer_with_wider_holds(only, first[only.id], memory, solve)}
    return {only.id: answer_with_arms_first(only, first[only.id], memory, context, solve)}


def _answers(
    group: Group,
    memories: Mapping[str, Memory],
    cameras: Sequence[PinholeCamera],
    step_s: float,
    holds: Mapping[str, LimbHold],
    surroundings: Mapping[str, Surroundings],
    props: Mapping[str, Prop],
    hurried: Callable[[], bool],
    square: float | None = None,
) -> dict[str, Answer]:
    only = group[0]
    if len(group) == 1 and not has_sources(only.effectors) and not isinstance(memories.get(only.id), BegunAnew):
        solution = solution_of(
            only, memories.get(only.id, FRESH), step_s, holds.get(only.id), surroundings.get(only.id)
        )
        return {only.id: Answer(solution, only.effectors)}
    from app.document.posing.surroundings import held_balls
    from app.document.posing.touched_surfaces import skins_of, with_square_hands
    from solver.ik.multi_solve.shared_problem import SharedProblem, TiedFigure
    from solver.ik.multi_solve.together import solve_together

    figures = []
    for shown in group:
        character, memory = _begun(shown, memories.get(shown.id, FRESH))
        problem = problem_of(character, step_s, holds.get(character.id), surroundings.get(character.id))
        if character is not shown and not problem.frozen:
            problem = changed(problem, seen=shown.pose)
        solver = usable_solver(character.solver, problem).solver
        beside = held_balls(character, surroundings[character.id]) if character.id in surroundings else ()
        options, refit = character.solver_options, _refit_of(character, memory if step_s == 0.0 else FRESH)
        problem = changed(problem, effectors=refit(problem.effectors, character.pose))
        problem = with_square_hands(problem, character, props, shown.pose, square)
        figures.append(TiedFigure(character.id, problem, solver, character.pose, memory, options, beside, refit))
    context = Context(cameras=cameras, skins=skins_of(group), props=props)
    return solve_together(SharedProblem(tuple(figures), context), hurried)


def _on_bent_knees(character: Character) -> Character:
    if not any(isinstance(effector, Contact) for effector in character.effectors):
        return character
    effectors = _refit_of(character)(character.effectors, character.pose)
    return character if effectors is character.effectors else changed(character, effectors=effectors)


def _arms_that_hold(person: Character) -> LimbHold:
    """What stays of somebody but the arms that contacts are on; an idle one hangs on. Both move if it is on neither."""
    holding = [e.joint for e in person.effectors if e.is_active and isinstance(e, Contact)]
    return only_arms(skeleton_of(person), person.pose, holding)


def _holds_on(answer: Answer, arms: LimbHold) -> bool:
    """Whether somebody's contacts are all where they should be, as far as arms have to do with them: a foot that stays
    is as far from its place as before."""
    told = zip(answer.effectors, answer.solution.residuals, strict=True)
    return all(
        left.state != "unreachable"
        for effector, left in told
        if isinstance(effector, Contact) and effector.joint not in arms.frozen
    )


def _begun(character: Character, memory: Memory) -> tuple[Character, Memory]:
    """The character where a drag begins anew, and what is known there; elsewhere both as they are."""
    if not isinstance(memory, BegunAnew):
        return character, memory
    return changed(character, pose=memory.pose), memory.inner


def _refit_of(character: Character, memory: Memory = FRESH) -> Refit:
    """How the character's contacts change with the pose: knees that lie on something bend, and one that was laid on the
    floor since the last solve lies where the shin fits; hands lie on what stands out of the own skin. memory: what that
    solve left."""
    from solver.contact.bent_knees import with_bent_knee_patches
    from solver.contact.laid_hands import with_hands_laid
    from solver.ik.multi_solve.fitting_shins import knees_laid, with_shins_fitting

    body, shape, skeleton = load_body(character.body), character.shape, skeleton_of(character)
    laid = knees_laid(memory, character.effectors)

    def refit(effectors: tuple[Effector, ...], pose: Pose) -> tuple[Effector, ...]:
        hands = with_hands_laid(effectors, character.id, body, shape, character.hands, pose)
        bent = with_bent_knee_patches(hands, body, shape, pose)
        return with_shins_fitting(skeleton, bent, laid) if laid else bent

    return refit
