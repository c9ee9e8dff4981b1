"""Patches that cannot lie flat where they are held: they turn as far as their limb turns them, and the body stays.

A patch on a surface asks for a place and for a side. Where a limb cannot turn it there, as a sole up against the
underside of a table, a search that meets all that is asked lays the whole body over to it. People hold the place, turn
the patch as far as their joints go, and leave it at that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter

import os
import numpy as np
from solver.ik.anchor import effector_key
from solver.ik.memory import LastSolve
from numpy.typing import NDArray

from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.effectors.sources import Tie
from solver.ik.exact import refine
from solver.ik.memory import Memory, SolverMemory, WarmStart, state_at
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
AMISS = 0.01  # metres by which a hand misses its place before it is turned less
MISSED = 50.0  # radians that a metre off the place counts as
STAYS = Strength(900.0, 6.0)  # of pelvis and chest
# Shares of that, one after the other, and metres by which what is asked may then be missed more for it.
FIRMLY = (1.0, 0.002), (0.1, 0.01), (0.01, 0.02), (0.0, 0.0)
FS = [float(x) for x in os.environ.get("FS", "1,0").split(",")]
DRAGGED_M = 0.2  # metres that a patch goes in a step of a drag; further, it is set down elsewhere
TURNS = np.radians(float(os.environ.get("T0","3")))
TURNS_PER_M = np.radians(float(os.environ.get("T1","150")))
CLEARLY = 2e-3  # metres by which a weaker hold on the trunk has to miss less to be worth it


def solve_calmly(problem: IKProblem, memory: Memory, start: WarmStart, solve: Solve) -> IKSolution:
    """What `solve` finds from the memory; where a leg's patch is to lie flat on a slope, a wall or a ceiling, with the
    patch turned as far as the leg turns it in its place; so it is with an arm's that would miss its place for its turn.

    start: of the memory. Contacts on skin, which yields, and legs of who is held by the pelvis are left as they are.
    """
    held, found = _held(problem), None
    if not held:
        found = solve(problem, memory)
        held = _missed_hands(problem, found)
        if not held:
            return found
    started, skeleton = perf_counter(), problem.skeleton
    if found is None and (last := start.last_solve) is not None and (ways := _ways_shown(problem, held, last)):
        asks = _facing(problem, dict(_gone_on_to(problem, held, ways, last)))
        answer = None
        for f in FS:
            leans = tuple(_trunk_leans(skeleton, last.pose, f))
            new = solve(replace(asks, leans=asks.leans + leans), memory)
            if answer is None or _missed(problem, new) < _missed(problem, answer) - CLEARLY:
                answer = new
            if _missed(problem, answer) < CLEARLY:
                break
        return replace(answer, elapsed_s=perf_counter() - started)
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
    return replace(best, elapsed_s=perf_counter() - started)


def _ways_shown(problem: IKProblem, held: Iterable[int], last: LastSolve) -> Mapping[int, Array]:
    """Which ways the surfaces were asked to face of these contacts, if all of them were there already and are not set
    down far away; else none."""
    lay = {effector_key(e): e for e in last.effectors if e.is_active and isinstance(e, Contact) and e.lies_flat}
    known = {i: lay[key] for i in held if (key := effector_key(problem.effectors[i])) in lay}
    goes = max(float(np.linalg.norm(problem.effectors[i].target - e.target)) for i, e in known.items()) if known else 0
    if len(known) < len(list(held)) or goes > DRAGGED_M:
        return {}
    return {i: e.facing.astype(np.float64) for i, e in known.items()}


def _gone_on_to(
    problem: IKProblem, held: Mapping[int, frozenset[str]], ways: Mapping[int, Array], last: LastSolve
) -> Iterator[tuple[int, Array]]:
    """Which ways surfaces are to face in a step of a drag: as far as limbs turn the patches by themselves, and no
    further from where they faced than people turn them meanwhile."""
    lay = {effector_key(e): e for e in last.effectors}
    for i, limb in held.items():
        contact = _contact(problem, i)
        moved = contact.distance_from(lay[effector_key(contact)])
        way = _no_further(ways[i], contact.facing.astype(np.float64), TURNS + TURNS_PER_M * moved)
        turned = contact.onto(contact.target, way)
        there = _turned_by(limb, problem, turned, _held_beside(problem, contact, limb), last.pose, (last.pose,))
        yield i, -_outward(problem.skeleton, there, contact)


def _no_further(was: Array, now: Array, most: float) -> Array:
    """(3,) a way that is turned from one to another, (3,), by that many radians at most."""
    off = angle_between(was, now)
    if off <= most:
        return now
    return np.asarray(interpolate(np.eye(3), rotation_between(was, now), most / off) @ was, np.float64)


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


def _lies_on_thing(effector: Effector) -> bool:
    """Whether it lays a patch flat on something other than skin, and no hand around something."""
    if not isinstance(effector, Contact) or not effector.is_active or effector.around:
        return False
    return effector.lies_flat and not isinstance(effector.source, Tie)


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
