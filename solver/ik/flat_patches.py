"""Patches that cannot lie flat where they are held: they turn as far as their limb does, and the body stays.

A patch on a plane asks for a place and for a side. Where the limb cannot turn it there, as a sole up against a table's
underside, a search that meets all that is asked lays the whole body over to it. People hold the place, turn the patch as
far as their joints go, and leave it at that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import Tie
from solver.ik.exact import refine
from solver.ik.memory import Memory, SolverMemory, WarmStart, state_at
from solver.ik.problem import IKProblem
from solver.ik.residuals import largest_miss
from solver.ik.solution import IKSolution
from solver.ik.stance.leans import Lean, Strength
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import angle_between, interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LEGS, Role

SLOPES = np.radians(10), np.radians(25)  # of what a leg's patch lies on: on what is more level the body goes along
FLAT_ENOUGH = np.radians(3), np.radians(10)  # what a limb lacks: up to the first the body goes along, by so little
OTHER_WAY = 0.3  # radians by which a limb has to turn its patch further in another pose to leave the one shown
AS_WELL = 2e-3  # metres by which something else that is asked may be missed more
STAYS = Strength(3e4, 200.0)
FIRMLY = (1.0, 0.1, 0.0)  # shares of it, one after the other until all else is met as well

UP = np.array([0.0, 1.0, 0.0])

Solve = Callable[[IKProblem, Memory], IKSolution]


def solve_calmly(problem: IKProblem, memory: Memory, start: WarmStart, solve: Solve) -> IKSolution:
    """What `solve` finds from the memory; where a leg's patch is to lie flat on a slope, a wall or a ceiling, with the
    patch turned as far as the leg turns it in its place. start: of the memory."""
    held = _held(problem)
    if not held:
        return solve(problem, memory)
    started, skeleton = perf_counter(), problem.skeleton
    shown = _shown(problem, held, start)
    begun = memory
    if shown is not None:
        legs = frozenset[str]().union(*held.values())
        begun = _gone_on_from(memory, _with_limb_of(skeleton, legs, problem.base_pose, shown), None)
    alone = solve(_facing(problem, dict.fromkeys(held, ANY_WAY)), begun)
    found = None if shown is not None else solve(problem, memory)
    calm, asked, far = alone.pose, dict[int, NDArray[np.float64]](), 0.0
    for i, limb in held.items():
        contact = problem.effectors[i]
        assert isinstance(contact, Contact)
        share = _slope(contact)
        calm = _turned_by(limb, problem, contact, calm, found.pose if found else None, shown)
        asked[i] = _eased_to(-_outward(skeleton, calm, contact), contact.facing.astype(np.float64), share)
        far = max(far, share)
    known = _gone_on_from(alone.memory if shown is None else memory, calm, shown)
    calmly, best = _facing(problem, asked), None
    for share in FIRMLY:
        leans = tuple(_trunk_leans(skeleton, alone.pose, share * far))
        answer = solve(replace(calmly, leans=calmly.leans + leans), known)
        if best is None or _missed(problem, answer) < _missed(problem, best) - AS_WELL:
            best = answer
        if _missed(problem, best) <= _missed(problem, alone) + AS_WELL:
            break
    assert best is not None
    return replace(best, elapsed_s=perf_counter() - started)


def _shown(problem: IKProblem, held: Iterable[int], start: WarmStart) -> Pose | None:
    """The pose shown, if it already has these patches on something; else None."""
    last = start.last_solve
    if last is None:
        return None
    lay = {e.joint for e in last.effectors if e.is_active and isinstance(e, Contact) and e.lies_flat}
    return last.pose if all(problem.effectors[i].joint in lay for i in held) else None


def _slope(contact: Contact) -> float:
    """How much a patch lies on a slope, 0..1: not at all on what is level, and all the way on a wall or a ceiling."""
    return eased_between(angle_between(contact.facing.astype(np.float64), UP), *SLOPES)


def _gone_on_from(memory: Memory, pose: Pose, shown: Pose | None) -> Memory:
    """The memory of a solve, with the search to go on from another pose."""
    if not isinstance(memory, SolverMemory) or memory.warm_start.last_solve is None:
        return memory
    seen = pose if shown is None else shown
    last = memory.warm_start.last_solve._replace(exact=state_at(pose), pose=seen)
    return replace(memory, warm_start=memory.warm_start._replace(pose=seen, last_solve=last))


def _trunk_leans(skeleton: Skeleton, pose: Pose, share: float) -> Iterator[Lean]:
    """A trunk that stays where a pose has it."""
    world = forward_kinematics(skeleton, pose)
    rig = rig_of(skeleton)
    for name in rig.names_of((Role.PELVIS, Role.SPINE3)) if share > 0.0 else ():
        yield Lean(Position(name, world.positions[skeleton.index(name)]), STAYS.times(share))


def _held(problem: IKProblem) -> dict[int, frozenset[str]]:
    """The contacts that lay a limb's patch flat on something that is not skin, by index, with the limb's joints; none
    while only one limb moves, while time passes, and where the pelvis is asked to be somewhere."""
    if problem.frozen or problem.step_s > 0.0:
        return {}
    skeleton, found = problem.skeleton, {}
    rig = rig_of(skeleton)
    for i, effector in enumerate(problem.effectors):
        if not effector.is_active:
            continue
        if isinstance(effector, Contact):
            if effector.lies_flat and not isinstance(effector.source, Tie) and _slope(effector) > 0.0:
                limb = next((limb for limb in LEGS if effector.joint in rig.names_of(limb.joints)), None)
                if limb is not None:
                    found[i] = _beyond(rig, limb.root)
        elif skeleton.index(effector.joint) == 0 and effector.holds_joint and effector.is_strict:
            return {}
    return found


def _beyond(rig: Rig, role: Role) -> frozenset[str]:
    """A joint and those that it carries."""
    below = {rig.index(role)}
    for j, parent in enumerate(rig.parents):
        if parent in below:
            below.add(j)
    return frozenset(rig.names[j] for j in below)


def _facing(problem: IKProblem, ways: dict[int, NDArray[np.floating]]) -> IKProblem:
    """The problem with contacts on surfaces that face these ways, (3,), by index."""
    effectors = list(problem.effectors)
    for i, way in ways.items():
        contact = effectors[i]
        assert isinstance(contact, Contact)
        effectors[i] = contact.onto(contact.target, way)
    return replace(problem, effectors=tuple(effectors))


def _turned_by(
    limb: frozenset[str], problem: IKProblem, contact: Contact, alone: Pose, found: Pose | None, shown: Pose | None
) -> Pose:
    """The pose with a limb's patch turned as far as the limb alone turns it in its place.

    alone: the pose with the patch in its place. found: one with it flat. shown: the one that is gone on from.
    """
    skeleton = problem.skeleton
    stays = frozenset(skeleton.names) - limb
    place = Position(contact.joint, contact.target, contact.offset, pinned=True)  # which comes before the turn
    strict = tuple(e for e in problem.effectors if e.is_active and e.is_strict and e.joint in limb and e is not contact)
    asked = replace(
        problem, effectors=(contact, place, *strict), base_pose=alone, frozen=stays, leans=(), stance=None, floor=None
    )
    best, least = alone, np.inf
    for begin in (shown, alone, found):
        if begin is None:
            continue
        there = refine(asked, alone, state_at(_with_limb_of(skeleton, limb, begin, alone)))
        outward = _outward(skeleton, there.pose, contact)
        off = angle_between(outward, -contact.facing.astype(np.float64))
        off += sum(left.value for left in there.residuals) / 0.02
        if off < least - (OTHER_WAY if best is not alone and shown is not None else 0.0):
            best, least = there.pose, off
    return best


def _with_limb_of(skeleton: Skeleton, limb: frozenset[str], one: Pose, other: Pose) -> Pose:
    rotations = other.rotations.copy()
    joints = [skeleton.index(name) for name in limb]
    rotations[joints] = one.rotations[joints]
    return Pose(other.root_position, rotations)


def _outward(skeleton: Skeleton, pose: Pose, contact: Contact) -> NDArray[np.float64]:
    world = forward_kinematics(skeleton, pose)
    return np.asarray(world.rotations[skeleton.index(contact.joint)] @ contact.normal, np.float64)


def _eased_to(one: NDArray[np.float64], other: NDArray[np.float64], far: float) -> NDArray[np.float64]:
    """The way of two, (3,), that a surface is to face: `one` by the share `far`, the less of it the nearer they are."""
    share = far * eased_between(angle_between(one, other), *FLAT_ENOUGH)
    turn = rotation_between(other, one)
    return np.asarray(interpolate(np.eye(3), turn, share) @ other, np.float64)


def _missed(problem: IKProblem, found: IKSolution) -> float:
    return largest_miss(problem.effectors, found.residuals, lambda e: e.is_active and e.is_strict)
