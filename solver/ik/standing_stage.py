"""How a body stands and looks once it is solved, by more rounds of the exact stage that start at the pose found.

Each is of the same problem about the same proposal, with a few leans added. These begin where the pose found has them,
so that nothing jumps when standing well begins to need something. Earlier solves play no part: a drag there and back
leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import GIVES, FloorPoints
from solver.contact.weight_shift import Balancing
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM, TURN
from solver.effectors.forms import PointEffector
from solver.ik.asked_instead import MET, base_joints, is_strict_point, with_rolling_tolerated
from solver.ik.exact import Refined, refine
from solver.ik.held_effectors import with_pinned, with_pinned_seat_rocking
from solver.ik.memory import ExactState, state_at
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import largest_miss, residuals
from solver.ik.rig_adapter import adapter_for
from solver.ik.solution import IKSolution
from solver.ik.stance.balance_leans import support_leans, trunk_leans
from solver.ik.stance.footing import footing_leans, hanging_turns, with_feet_turned, with_soles_laid
from solver.ik.stance.leans import Lean
from solver.ik.stance.soft_look import eased_looks, eyes_take_over, look_leans, without_looks
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.values import changed

ROUNDS = 8  # of bringing the centre of mass over the support
ENOUGH = 2e-3  # metres of it that may be missing
FARTHEST = 0.5  # metres that the trunk is moved at most
ASTRAY_M = 0.03  # metres that standing moves a joint of what was found before, beyond which it may have gone astray
LETS_GO = 0.03  # how much feet that are partly off the floor still lean where a place would be lost for that
AS_WELL = 2e-3  # metres more that a place may be missed by and still count as met as well
SUNK_M = 0.01  # metres below the floor that count as on it: about as far as skin gives where people stand
TOUCHES_M = 0.003  # metres above the floor at which skin counts as on it


def before_standing(problem: IKProblem) -> IKProblem:
    """What is solved first: the problem without soft looks, and with feet asked to turn as they will stand."""
    if problem.stance is None or problem.frozen:
        return problem
    effectors = _with_feet_turned(problem, problem.effectors)
    if problem.stance.soft_look:
        effectors = without_looks(problem.skeleton, effectors)
    return problem if effectors == problem.effectors else changed(problem, effectors=effectors)


def gives_way(problem: IKProblem, effector: Effector) -> bool:
    """Whether the effector is a look that goes no further than people's heads do."""
    first = before_standing(problem)
    return any(
        e is effector and not was.is_active
        for e, was in zip(problem.effectors, first.effectors, strict=True)
        if e.is_active
    )


def solve_with_standing(problem: IKProblem, proposal: Pose, state: ExactState | None = None) -> Refined:
    """The exact stage about a proposal, and standing: a whole solve if the proposal is given.

    state: where the search starts, at the proposal without one; it looks no further.
    """
    found = refine(before_standing(problem), proposal, state or state_at(proposal))
    return with_standing(problem, found, proposal)


def with_standing(problem: IKProblem, found: Refined, proposal: Pose) -> Refined:
    """What was found for the problem before standing, standing and looking as the problem says.

    proposal: the one that it was found about. While one limb moves alone, nothing is changed.
    """
    stance = problem.stance
    if stance is None or problem.frozen:
        return found
    skeleton, world = problem.skeleton, forward_kinematics(problem.skeleton, found.pose)
    feet = _leans_of_feet(problem, world)
    effectors, gaze = _with_feet_turned(problem, problem.effectors, world), tuple[Lean, ...]()
    looks = stance.soft_look and without_looks(skeleton, effectors) is not effectors
    if looks:
        effectors = eased_looks(skeleton, effectors, world)
        gaze = look_leans(skeleton, effectors, world, stance.after_looks)
    asked = changed(problem, effectors=effectors, leans=problem.leans + feet + gaze)
    answer = _refined_near(asked, found, proposal) if looks or feet else found
    if feet and _largest_miss(problem, answer) > _largest_miss(problem, found) + AS_WELL:
        loose = changed(asked, leans=problem.leans + _leans_of_feet(problem, world, LETS_GO) + gaze)
        again = _refined_near(loose, found, proposal) if loose != asked else answer
        if _largest_miss(problem, again) < _largest_miss(problem, answer) - AS_WELL:
            asked, answer = loose, again
    if stance.balancing is not None:
        answer = _balanced(asked, answer, proposal, stance.balancing)
    laid = _eased_turns(problem)
    hung = _hanging(problem, answer.pose)
    if answer is found and not laid and not hung:
        return found
    if hung:
        turns = np.array(answer.pose.rotations)
        turns[list(hung)] = list(hung.values())
        answer = answer._replace(pose=changed(answer.pose, rotations=turns))
    left = residuals(problem.skeleton, answer.pose, problem.effectors)
    return answer._replace(
        residuals=_with_tolerated(problem, answer.pose, left, _joints(feet) | laid | _names(problem, hung))
    )


def _refined_near(asked: IKProblem, found: Refined, proposal: Pose) -> Refined:
    """The exact stage for somebody who stands, from the state that the search before ended in.

    A limb of which nothing is asked may fall into another pose on the way, as hands do beside thighs. Then a search
    from the pose found before counts instead, if it stays nearer to that pose and meets all as well.
    """
    answer, begin = refine(asked, proposal, found.state), state_at(found.pose)
    gone = apart(asked.skeleton, found.pose, answer.pose).max()
    if gone <= ASTRAY_M or begin == found.state:  # the same search would find the same
        return answer
    near = refine(asked, proposal, begin)
    nearer = apart(asked.skeleton, found.pose, near.pose).max() < gone - 0.5 * ASTRAY_M
    return near if nearer and _largest_miss(asked, near) <= _largest_miss(asked, answer) + MET else answer


def residuals_standing(problem: IKProblem, pose: Pose) -> tuple[Residual, ...]:
    """One residual for each effector, in order, for a pose that already stands: in the states that a solve gives."""
    skeleton, stance = problem.skeleton, problem.stance
    left = residuals(skeleton, pose, problem.effectors)
    if all(one.state != "unreachable" for one in left):
        return left
    rigged = adapter_for(problem)
    if rigged:
        inner = rigged.solver_pose(pose)
        return left if inner is None else rigged.rig_residuals(left, residuals_standing(rigged.solver_problem, inner))
    left = tolerated_on_floor(problem, pose, left)
    if stance is None or problem.frozen:
        return left
    left = with_rolling_tolerated(problem, pose, left)
    leans = _leans_of_feet(problem, forward_kinematics(skeleton, pose))
    hung = _names(problem, _hanging(problem, pose))
    return _with_tolerated(problem, pose, left, _joints(leans) | _eased_turns(problem) | hung)


def with_standing_and_pins(
    problem: IKProblem, held: frozenset[int], found: Refined, proposal: Pose, rocks: bool = False
) -> Refined:
    """As `with_standing`, with the held effectors, by index, pinned; not if standing would then lose a place that is
    asked for strictly, as when a foot has to stand flat and somebody reaches far. rocks: whether a seat among them is
    pinned in its place alone."""
    pinned = with_pinned_seat_rocking(problem, held) if rocks else with_pinned(problem, held)
    answer = with_standing(pinned, found, proposal)
    if not held or _largest_miss(pinned, answer) <= _largest_miss(pinned, found) + AS_WELL:
        return answer
    free = with_standing(problem, found, proposal)
    return free if _largest_miss(problem, free) < _largest_miss(problem, answer) else answer


def _largest_miss(problem: IKProblem, found: Refined) -> float:
    """Metres by which the worst of the places that are asked for strictly is missed."""
    return largest_miss(problem.effectors, found.residuals, is_strict_point)


def _with_feet_turned(
    problem: IKProblem, effectors: tuple[Effector, ...], world: WorldJoints | None = None
) -> tuple[Effector, ...]:
    effectors = with_soles_laid(problem.skeleton, effectors)
    feet = problem.stance.feet if problem.stance else None
    return with_feet_turned(problem.skeleton, effectors, feet, base_joints(problem), world) if feet else effectors


def _eased_turns(problem: IKProblem) -> frozenset[str]:
    """Joints whose turn is asked less firmly than the effector says: feet on their backs, of somebody kneeling; and
    those of feet whose soles a contact lays on something."""
    whole = problem.effectors
    told = zip(whole, with_soles_laid(problem.skeleton, whole), _with_feet_turned(problem, whole), strict=True)
    return frozenset(was.joint for was, laid, now in told if laid is not was or now.tolerance > was.tolerance)


def _leans_of_feet(problem: IKProblem, world: WorldJoints, leaving: float = 1.0) -> tuple[Lean, ...]:
    """As `footing_leans`, of the problem; none where feet stand for nothing."""
    feet = problem.stance.feet if problem.stance else None
    if not feet:
        return ()
    return footing_leans(problem.skeleton, problem.effectors, world, feet, base_joints(problem), leaving)


def _hanging(problem: IKProblem, pose: Pose) -> dict[int, NDArray[np.float32]]:
    """As `hanging_turns`, in a pose of the problem."""
    feet = problem.stance.feet if problem.stance else None
    if not feet:
        return {}
    world = forward_kinematics(problem.skeleton, pose)
    return hanging_turns(problem.skeleton, problem.effectors, feet, base_joints(problem), world)


def _names(problem: IKProblem, joints: Iterable[int]) -> frozenset[str]:
    return frozenset(problem.skeleton.names[j] for j in joints)


def _balanced(problem: IKProblem, found: Refined, proposal: Pose, balancing: Balancing) -> Refined:
    skeleton, effectors = problem.skeleton, problem.effectors
    world = forward_kinematics(skeleton, found.pose)
    missing, by, best = balancing.shift_needed(world), np.zeros(2), found
    if not missing.any():
        return found
    held = problem.leans + support_leans(skeleton, effectors, world, balancing)
    for _ in range(ROUNDS if balancing.strict else 1):
        by = by + missing
        by *= min(1.0, FARTHEST / float(np.linalg.norm(by)))
        leans = held + trunk_leans(skeleton, effectors, world, balancing, by)
        best = refine(changed(problem, leans=leans), proposal, best.state)
        missing = balancing.shift_needed(forward_kinematics(skeleton, best.pose))
        if np.linalg.norm(missing) < ENOUGH:
            break
    return best


def _joints(leans: Sequence[Lean]) -> frozenset[str]:
    return frozenset(lean.effector.joint for lean in leans)


def _with_tolerated(
    problem: IKProblem, pose: Pose, left: Sequence[Residual], standing: frozenset[str]
) -> tuple[Residual, ...]:
    """Residuals of what was asked. The turn of a foot that stands, or turns as its owner gets up, counts as tolerated,
    as does a look that eyes do."""
    told = zip(problem.effectors, left, strict=True)
    return tuple(_tolerated(problem, pose, effector, one, standing) for effector, one in told)


def _tolerated(problem: IKProblem, pose: Pose, effector: Effector, one: Residual, standing: frozenset[str]) -> Residual:
    if not _may_give_way(effector, one):
        return one
    if effector.form == TURN:
        eased = effector.joint in standing
    else:
        eased = eyes_take_over(problem.skeleton, forward_kinematics(problem.skeleton, pose), effector)
    return Residual(one.value, "tolerated") if eased else one


def _may_give_way(effector: Effector, one: Residual) -> bool:
    return one.state == "unreachable" and not effector.pinned and effector.form in (AIM, TURN)


def told_on_floor(problem: IKProblem, found: IKSolution) -> IKSolution:
    """The solution with its residuals as `tolerated_on_floor` has them."""
    left = tolerated_on_floor(problem, found.pose, found.residuals)
    return found if left is found.residuals else changed(found, residuals=left)


def tolerated_on_floor(problem: IKProblem, pose: Pose, left: tuple[Residual, ...]) -> tuple[Residual, ...]:
    """Residuals with places up to a centimetre too low as tolerated, whose joint touches a solid floor right above
    them: an ankle whose target is 2 mm too low for its sole is where it should be. Pins are told as they are."""
    floor = problem.floor
    if floor is None or not any(_may_be(e, one) for e, one in zip(problem.effectors, left, strict=True)):
        return left
    world = forward_kinematics(problem.skeleton, pose)
    made = [
        Residual(one.value, "tolerated") if _may_be(e, one) and _is_on(problem, floor, world, e) else one
        for e, one in zip(problem.effectors, left, strict=True)
    ]
    return left if all(one is was for one, was in zip(made, left, strict=True)) else tuple(made)


def _may_be(effector: Effector, one: Residual) -> bool:
    within = one.state == "unreachable" and one.value <= SUNK_M
    return within and isinstance(effector, PointEffector) and not effector.pinned


def _is_on(problem: IKProblem, floor: FloorPoints, world: WorldJoints, effector: Effector) -> bool:
    """Whether a point is straight above its target, and skin of its joint on the floor."""
    assert isinstance(effector, PointEffector)
    off = effector.held_at(problem.skeleton, world) - effector.target
    if off[1] <= 0.0 or np.hypot(off[0], off[2]) > effector.spec.met:
        return False
    j = problem.skeleton.index(effector.joint)
    if j not in floor.parts:
        return False
    lowest = float((floor.parts[j] @ world.rotations[j, 1]).min() + world.positions[j, 1])
    return lowest <= TOUCHES_M - GIVES - floor.depth
