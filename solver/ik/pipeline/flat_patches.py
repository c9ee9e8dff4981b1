"""Patches that cannot lie flat where they are held: they turn as far as their limb turns them, and the body stays.

A patch on a surface asks for a place and for a side. Where a limb cannot turn it there, as a sole up against the
underside of a table, a search that meets all that is asked lays the whole body over to it. People hold the place, turn
the patch as far as their joints go, and leave it at that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import TURN
from solver.effectors.kinds import Position
from solver.effectors.sources import Tie
from solver.ik.anchor import STILL_M, effector_key
from solver.ik.exact import refine
from solver.ik.memory import LastSolve, Memory, SolverMemory, WarmStart, state_at
from solver.ik.pipeline.led import SET_DOWN_M
from solver.ik.problem import IKProblem
from solver.ik.residuals import largest_miss
from solver.ik.solution import IKSolution
from solver.ik.stance.footing import slope_of
from solver.ik.stance.leans import Lean, Strength
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import angle_between, interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]
Solve = Callable[[IKProblem, Memory], IKSolution]

SLOPES = np.radians(10), np.radians(25)  # of what a leg's patch lies on: on what is more level the body goes along
# What a limb lacks for a patch to lie flat: up to the first the body goes along, from the second on it does not at all.
# It goes along less for one above a foot that is held, which would be lost.
LACKS, LACKS_ABOVE_HELD = (np.radians(25), np.radians(50)), (np.radians(3), np.radians(10))
OTHER_WAY = 0.3  # radians by which a limb has to turn its patch further in another pose to leave the one shown
TOES = 0.75  # tolerance of the soft turn of a foot whose sole is taken along a slope
AMISS = 0.01  # metres by which a hand misses its place before it is turned less
MISSED = 50.0  # radians that a metre off the place counts as
STAYS = Strength(900.0, 6.0)  # of pelvis and chest
# Shares of that, one after the other, and metres by which what is asked may then be missed more for it.
FIRMLY = (1.0, 0.002), (0.1, 0.01), (0.01, 0.02), (0.0, 0.0)
DRAGGED_M = 0.2  # metres that a patch goes in a step of a drag; further, it is set down elsewhere
TURNED, TURNED_PER_M = np.radians(2), np.radians(75)  # by which a patch is turned in such a step, and per metre
CLEARLY = 2e-3  # metres by which a weaker hold on the trunk has to miss less to be worth it


def solve_calmly(problem: IKProblem, memory: Memory, start: WarmStart, solve: Solve) -> IKSolution:
    """What `solve` finds from the memory; where a leg's patch is to lie flat on a slope, a wall or a ceiling, with the
    patch turned as far as the leg turns it in its place; so it is with an arm's that would miss its place for its turn.

    start: of the memory. In a drag the body goes on from there; what the place alone needs is not looked for again.
    Contacts on skin, which yields, and legs of who is held by the pelvis are left as they are.
    """
    if not any(map(_is_on_thing, problem.effectors)):  # as in most problems
        return solve(problem, memory)
    held, found, seen = _held(problem), None, problem.seen
    if held and seen is not None:
        problem = replace(problem, seen=None)
    if not held:
        found = solve(_dragged_over(problem, start.last_solve), memory)
        held = _missed_hands(problem, found)
        if not held:
            return found
    started, skeleton = perf_counter(), problem.skeleton
    last = start.last_solve
    if found is None and seen is None and last is not None and (faced := _faced(problem, held, last)):
        return _gone_on(problem, held, faced, last, memory, solve)
    alone = solve(_facing(problem, dict.fromkeys(held, ANY_WAY)), memory)
    if found is not None and _missed(problem, alone) >= _missed(problem, found) - CLEARLY:
        return found  # it is out of reach however it is turned
    begins = alone.pose, (found or solve(problem, memory)).pose
    calm, asked, far = alone.pose, dict[int, Array](), 0.0
    for i, limb in held.items():
        contact = _contact(problem, i)
        others = _held_beside(problem, contact, limb)
        calm = _turned_by(limb, problem, contact, others, calm, begins)
        share = eased_between(slope_of(contact), *SLOPES) if found is None else 1.0
        reached, wanted = -_outward(skeleton, calm, contact), contact.facing.astype(np.float64)
        asked[i] = _lacking_less(reached, wanted, share, LACKS_ABOVE_HELD if others else LACKS)
        far = max(far, share)
    known = _gone_on_from(alone.memory, calm)
    best = _as_firm_as_goes(_facing(problem, asked), known, solve, alone, far)
    if found is not None and _missed(problem, best) >= _missed(problem, found) - CLEARLY:
        return found
    if held and seen is not None:
        leans = tuple(_trunk_leans(skeleton, best.pose, far))
        asking = replace(_facing(problem, asked), seen=seen, leans=problem.leans + leans)
        best = solve(asking, _gone_on_from(best.memory, best.pose))
    return replace(best, elapsed_s=perf_counter() - started)


def _dragged_over(problem: IKProblem, last: LastSolve | None) -> IKProblem:
    """The problem with legs told as sliding whose patches are dragged over level things, so that the body comes after
    little by little where one comes over an edge; itself where none is."""
    if last is None or problem.frozen or problem.step_s > 0.0:
        return problem
    rig, lay = rig_of(problem.skeleton), {effector_key(e): e for e in last.effectors if isinstance(e, Contact)}
    legs = frozenset(name for leg in LEGS for name in rig.names_of(leg.joints))
    going = last.goes_to.problem.slid if last.goes_to is not None else frozenset()
    slid = set[str]()
    for e in problem.effectors:
        was = lay.get(effector_key(e))
        if was is None or e.joint not in legs or not _is_on_thing(e):
            continue
        if e.joint in going or STILL_M < e.distance_from(was) < SET_DOWN_M:
            slid.add(e.joint)
    return replace(problem, slid=frozenset(slid)) if slid else problem


def _faced(problem: IKProblem, held: Iterable[int], last: LastSolve) -> Mapping[int, Contact]:
    """These contacts as they were asked last; none unless all of them were, and are now no further than a step of a
    drag away."""
    lay = {effector_key(e): e for e in last.effectors if e.is_active and isinstance(e, Contact) and e.lies_flat}
    faced = {i: lay[key] for i in held if (key := effector_key(problem.effectors[i])) in lay}
    stays = all(problem.effectors[i].distance_from(was) <= DRAGGED_M for i, was in faced.items())
    return faced if stays and faced.keys() == set(held) else {}


def _gone_on(
    problem: IKProblem,
    held: Mapping[int, frozenset[str]],
    faced: Mapping[int, Contact],
    last: LastSolve,
    memory: Memory,
    solve: Solve,
) -> IKSolution:
    """What is found in a step of a drag: the trunk is where it is shown, unless what is asked is missed for it; what
    would be thrown elsewhere goes there little by little."""
    started, shown = perf_counter(), last.pose
    if _is_led_on(problem, faced, last):
        return solve(_facing(problem, {i: was.facing for i, was in faced.items()}), memory)
    asked = _facing(_with_toes_softly(problem, faced, last), dict(_gone_on_to(problem, held, faced, shown)))
    asked = replace(asked, slid=frozenset(problem.effectors[i].joint for i in held))
    found = solve(replace(asked, leans=asked.leans + tuple(_trunk_leans(problem.skeleton, shown, 1.0))), memory)
    if _missed(problem, found) > CLEARLY:
        free = solve(asked, memory)
        found = free if _missed(problem, free) < _missed(problem, found) - CLEARLY else found
    return replace(found, elapsed_s=perf_counter() - started)


def _is_led_on(problem: IKProblem, faced: Mapping[int, Contact], last: LastSolve) -> bool:
    """Whether the whole body is on its way to where a drag that began anew leads it, with its patches there already."""
    if last.goes_to is None or not last.goes_to.wholly:
        return False
    return all(np.abs(_contact(problem, i).target - was.target).max() <= STILL_M for i, was in faced.items())


def _gone_on_to(
    problem: IKProblem, held: Mapping[int, frozenset[str]], faced: Mapping[int, Contact], shown: Pose
) -> Iterator[tuple[int, Array]]:
    """Which ways surfaces are to face in a step of a drag, by index: as far as limbs turn the patches by themselves
    from where they are shown, and no further from where the surfaces faced than a patch is turned in a step."""
    for i, limb in held.items():
        contact, was = _contact(problem, i), faced[i]
        most = TURNED + TURNED_PER_M * contact.distance_from(was)
        way = _turned_at_most(was.facing.astype(np.float64), contact.facing.astype(np.float64), most)
        others = _held_beside(problem, contact, limb)
        there = _turned_by(limb, problem, contact.onto(contact.target, way), others, shown, (shown,))
        yield i, -_outward(problem.skeleton, there, contact)


def _turned_at_most(was: Array, now: Array, most: float) -> Array:
    """(3,) a way turned from one, (3,), to another by that many radians at most."""
    share = min(1.0, most / max(angle_between(was, now), 1e-9))
    return np.asarray(interpolate(np.eye(3), rotation_between(was, now), share) @ was, np.float64)


def _as_firm_as_goes(problem: IKProblem, known: Memory, solve: Solve, alone: IKSolution, share: float) -> IKSolution:
    """What is found with the trunk held to where the place alone has it, as firmly as all that is asked allows."""
    least, best, missed = _missed(problem, alone), alone, np.inf
    for firmly, more in FIRMLY:
        leans = tuple(_trunk_leans(problem.skeleton, alone.pose, share * firmly))
        found = solve(replace(problem, leans=problem.leans + leans), known)
        if _missed(problem, found) < missed - CLEARLY:
            best, missed = found, _missed(problem, found)
        if missed <= least + more:
            break
    return best


def _held(problem: IKProblem) -> Mapping[int, frozenset[str]]:
    """The contacts that lay a leg's patch on a slope, by index, with the leg's joints; none while only one limb moves,
    while time passes, and where the pelvis is asked to be somewhere."""
    if problem.frozen or problem.step_s > 0.0:
        return {}
    rig, found = rig_of(problem.skeleton), dict[int, frozenset[str]]()
    for i, effector in enumerate(problem.effectors):
        if not effector.is_active:
            continue
        if effector.holds_joint and effector.is_strict and problem.skeleton.index(effector.joint) == 0:
            return {}
        if _lies_on_thing(effector) and slope_of(_contact(problem, i)) > SLOPES[0]:
            leg = next((leg for leg in LEGS if effector.joint in rig.names_of(leg.joints)), None)
            if leg is not None:
                found[i] = frozenset(rig.names_of(leg.joints))
    return found


def _with_toes_softly(problem: IKProblem, faced: Mapping[int, Contact], last: LastSolve) -> IKProblem:
    """The problem with soft turns of feet asked less firmly whose soles are taken along a slope, or have been since
    they were laid there: which way toes point is no reason for a leg to twist, or for the pelvis to go along.

    faced: the contacts as they were asked last, by index.
    """
    slid = {problem.effectors[i].joint: i for i in faced}
    were, effectors = {effector_key(e): e.tolerance for e in last.effectors}, list(problem.effectors)
    for j, turn in enumerate(effectors):
        if turn.form != TURN or turn.joint not in slid or not turn.is_active or turn.is_strict:
            continue
        contact, was = _contact(problem, slid[turn.joint]), faced[slid[turn.joint]]
        softer = eased_between(slope_of(contact), *SLOPES) * max(TOES - turn.tolerance, 0.0)
        if contact.distance_from(was) > STILL_M or were.get(effector_key(turn), 0.0) > turn.tolerance:
            effectors[j] = replace(turn, tolerance=turn.tolerance + softer)
    return replace(problem, effectors=tuple(effectors))


def _missed_hands(problem: IKProblem, found: IKSolution) -> Mapping[int, frozenset[str]]:
    """The contacts that lay an arm's patch flat on something and miss their place in what was found, by index, with the
    arm's joints; none while only one limb moves, and while time passes."""
    if problem.frozen or problem.step_s > 0.0:
        return {}
    rig, missed = rig_of(problem.skeleton), dict[int, frozenset[str]]()
    for i, (effector, left) in enumerate(zip(problem.effectors, found.residuals, strict=True)):
        if not _lies_on_thing(effector) or left.state != "unreachable" or left.value < AMISS:
            continue
        arm = next((arm for arm in ARMS if effector.joint in rig.names_of(arm.joints)), None)
        if arm is not None:
            missed[i] = frozenset(rig.names_of(arm.joints))
    return missed


def _is_on_thing(effector: Effector) -> bool:
    """Whether it lays a patch on something other than skin, and no hand around something."""
    if not isinstance(effector, Contact) or not effector.is_active or effector.around:
        return False
    return not isinstance(effector.source, Tie)


def _lies_on_thing(effector: Effector) -> bool:
    """Whether it lays a patch flat on something other than skin, and no hand around something."""
    return _is_on_thing(effector) and effector.lies_flat


def _gone_on_from(memory: Memory, pose: Pose) -> Memory:
    """The memory of a solve as if it had shown a pose."""
    if not isinstance(memory, SolverMemory) or memory.warm_start.last_solve is None:
        return memory
    return replace(memory, warm_start=memory.warm_start.at(pose))


def _trunk_leans(skeleton: Skeleton, pose: Pose, share: float) -> Iterator[Lean]:
    """What keeps the trunk where a pose has it."""
    if share <= 0.0:
        return
    world = forward_kinematics(skeleton, pose)
    for name in rig_of(skeleton).names_of((Role.PELVIS, Role.SPINE3)):
        yield Lean(Position(name, world.positions[skeleton.index(name)]), STAYS.times(share))


def _facing(problem: IKProblem, ways: Mapping[int, NDArray[np.floating]]) -> IKProblem:
    """The problem with contacts on surfaces that face these ways, (3,), by index."""
    effectors = list(problem.effectors)
    for i, way in ways.items():
        effectors[i] = _contact(problem, i).onto(effectors[i].target, way)
    return replace(problem, effectors=tuple(effectors))


def _contact(problem: IKProblem, i: int) -> Contact:
    contact = problem.effectors[i]
    assert isinstance(contact, Contact)
    return contact


def _turned_by(
    limb: frozenset[str],
    problem: IKProblem,
    contact: Contact,
    others: tuple[Effector, ...],
    alone: Pose,
    begins: Iterable[Pose],
) -> Pose:
    """The pose `alone` with a limb's patch turned as far as the limb by itself turns it in its place.

    begins: poses whose limb the search begins at. The first that is given counts unless another turns it much further.
    """
    skeleton = problem.skeleton
    place = Position(contact.joint, contact.target, contact.offset, pinned=True)  # which comes before the turn
    asked = replace(
        problem, effectors=(contact, place, *others), base_pose=alone, frozen=frozenset(skeleton.names) - limb,
        leans=(), stance=None, floor=None,
    )  # fmt: skip
    best, least = alone, np.inf
    for begin in begins:
        there = refine(asked, alone, state_at(_with_joints_of(skeleton, limb, begin, alone)))
        off = angle_between(_outward(skeleton, there.pose, contact), -contact.facing.astype(np.float64))
        off += MISSED * sum(left.value for left in there.residuals)
        if off < least - OTHER_WAY or best is alone:
            best, least = there.pose, off
    return best


def _held_beside(problem: IKProblem, contact: Contact, limb: frozenset[str]) -> tuple[Effector, ...]:
    """What else is asked strictly of a limb."""
    return tuple(e for e in problem.effectors if e.is_active and e.is_strict and e.joint in limb and e is not contact)


def _with_joints_of(skeleton: Skeleton, joints: Iterable[str], one: Pose, other: Pose) -> Pose:
    """The other pose with these joints turned as in the one."""
    rotations, turned = other.rotations.copy(), [skeleton.index(name) for name in joints]
    rotations[turned] = one.rotations[turned]
    return Pose(other.root_position, rotations)


def _outward(skeleton: Skeleton, pose: Pose, contact: Contact) -> Array:
    """(3,) which way a patch faces in a pose."""
    turn = forward_kinematics(skeleton, pose).rotations[skeleton.index(contact.joint)]
    return np.asarray(turn @ contact.normal, np.float64)


def _lacking_less(reached: Array, wanted: Array, share: float, lacks: tuple[float, float]) -> Array:
    """(3,) which way a surface is to face for a limb that reaches one way, (3,), where another is wanted; by that share
    no further than it reaches, if it lacks more than the body goes along for."""
    share *= eased_between(angle_between(reached, wanted), *lacks)
    return np.asarray(interpolate(np.eye(3), rotation_between(wanted, reached), share) @ wanted, np.float64)


def _missed(problem: IKProblem, found: IKSolution) -> float:
    return largest_miss(problem.effectors, found.residuals, lambda e: e.is_active and e.is_strict)
