"""How a body stands and looks once it is solved, by more rounds of the exact stage that start at the pose found.

Each is of the same problem about the same proposal, with a few leans added. These begin where the pose found has them,
so that nothing jumps when standing well begins to need something. Earlier solves play no part: a drag there and back
leaves no trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.contact.weight_shift import Balancing
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM, POINT, TURN
from solver.ik.exact import Refined, refine
from solver.ik.held_effectors import with_pinned
from solver.ik.memory import ExactState, state_at
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import largest_miss, residuals
from solver.ik.rig_adapter import adapter_for
from solver.ik.stance.balance_leans import support_leans, trunk_leans
from solver.ik.stance.folded_hips import folded_leans
from solver.ik.stance.footing import footing_leans, with_feet_turned, without_laid_feet
from solver.ik.stance.getting_up import with_feet_rolled
from solver.ik.stance.knees_apart import Kneeling, with_knees_apart
from solver.ik.stance.leaning import within_trunk
from solver.ik.stance.leans import Lean
from solver.ik.stance.lying import Bed, bed_of, kept_down, lying_leans
from solver.ik.stance.pressed_down import no_lower_than_ankles, no_lower_than_seat, pressed_leans
from solver.ik.stance.pressed_on_things import no_deeper_than_flesh
from solver.ik.stance.reach import within_reach
from solver.ik.stance.seated import down_by, facing_as, seat_of, with_trunk_as_posed, without_hands_of_lifted
from solver.ik.stance.seated_knees import within_leg
from solver.ik.stance.soft_look import eased_looks, eyes_take_over, look_leans, without_looks
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.pose_distance import apart
from solver.rig.roles import LIMBS

ROUNDS = 8  # of bringing the centre of mass over the support
ENOUGH = 2e-3  # metres of it that may be missing
FARTHEST = 0.5  # metres that the trunk is moved at most
MET, GIVES_M = 1e-3, 0.07  # metres by which a strict effector is missed: meanwhile a trunk that lies is let go of
ASTRAY_M = 0.03  # metres that standing moves a joint of what was found before, beyond which it may have gone astray
AS_WELL = 2e-3  # metres more that a place may be missed by and still count as met as well


def before_standing(problem: IKProblem) -> IKProblem:
    """What is solved first: the problem without soft looks, and with feet asked to turn as they will stand."""
    if problem.stance is None or problem.frozen:
        return problem
    effectors = _with_feet_turned(problem, problem.effectors)
    if problem.stance.soft_look:
        effectors = without_looks(problem.skeleton, effectors)
    return problem if effectors == problem.effectors else replace(problem, effectors=effectors)


def as_proposed(problem: IKProblem) -> IKProblem:
    """What a proposer is asked: `before_standing` without the turns of feet that lie on their backs, and without hands
    of somebody who is lifted from the floor: networks would propose a squat that changes with each step."""
    lifted = _lifted_from_floor(problem)
    problem = problem if lifted is None else replace(problem, effectors=lifted)
    if problem.stance is None or problem.frozen or problem.stance.feet is None:
        return problem
    effectors = without_laid_feet(problem.skeleton, problem.effectors, problem.stance.feet, _base(problem))
    return problem if effectors is problem.effectors else replace(problem, effectors=effectors)


def as_it_goes(problem: IKProblem) -> IKProblem:
    """The problem of somebody who gets up, with the pelvis no further away than legs reach, and with feet that lie on
    their backs rolled over as it rises above them; itself if neither changes anything, while only one limb moves, and
    while time passes."""
    effectors, leans = _over_knees(problem, _no_lower_than_ankles(problem, _within_reach(problem)))
    effectors = _with_feet_rolled(problem, effectors)
    leans += _pressed_leans(problem, effectors)
    if effectors is problem.effectors and not leans:
        return problem
    return replace(problem, effectors=effectors, leans=problem.leans + leans)


def told_of(problem: IKProblem, wanted: tuple[Effector, ...], found: Refined) -> tuple[Residual, ...]:
    """Residuals of what was wanted, of which a problem of `as_it_goes` asks something nearer; ankles and turns of feet
    that roll over count as tolerated."""
    left = residuals(problem.skeleton, found.pose, wanted)
    told = zip(problem.effectors, wanted, found.residuals, left, strict=True)
    now = tuple(was if asked is one else new for asked, one, was, new in told)
    return _with_rolling_tolerated(replace(problem, effectors=wanted), now)


def _with_rolling_tolerated(problem: IKProblem, left: Sequence[Residual]) -> tuple[Residual, ...]:
    near = _within_reach(problem)
    told = zip(near, _with_feet_rolled(problem, near), left, strict=True)
    return tuple(
        Residual(one.value, "tolerated") if was is not now and one.state == "unreachable" else one
        for was, now, one in told
    )


def _pressed_leans(problem: IKProblem, effectors: tuple[Effector, ...]) -> tuple[Lean, ...]:
    """Of who is pressed down. effectors: the problem's, with the pelvis as near to where they ask for it as it goes."""
    if problem.floor is None or problem.frozen or problem.step_s > 0.0:
        return ()
    skeleton, base = problem.skeleton, _base(problem)
    return (
        *pressed_leans(skeleton, _no_lower_than_ankles(problem, problem.effectors), base, problem.floor),
        *folded_leans(skeleton, effectors, base),
    )


def _within_reach(problem: IKProblem) -> tuple[Effector, ...]:
    if problem.stance is None or problem.frozen or problem.step_s > 0.0:
        return problem.effectors
    seat = seat_of(problem.skeleton, problem.effectors)
    if seat is not None:
        base = _base(problem)
        return within_leg(problem.skeleton, within_trunk(problem.skeleton, problem.effectors, seat, base), seat, base)
    higher = _no_lower_than_seat(problem)
    if higher is not problem.effectors:
        return higher
    outside = _no_deeper_than_flesh(problem)
    if down_by(problem.skeleton, outside, problem.base_pose, LIMBS) <= 0.0:
        return outside
    return within_reach(problem.skeleton, outside, _base(problem), problem.obstacles)


def _no_lower_than_seat(problem: IKProblem) -> tuple[Effector, ...]:
    bed = _bed(problem)
    if problem.floor is None or bed is None or not bed.is_seat:
        return problem.effectors
    return no_lower_than_seat(problem.skeleton, problem.effectors, bed.world, problem.floor)


def _no_deeper_than_flesh(problem: IKProblem) -> tuple[Effector, ...]:
    if problem.obstacles is None or problem.obstacles.shown is None:
        return problem.effectors
    return no_deeper_than_flesh(problem.skeleton, problem.effectors, problem.obstacles, problem.obstacles.shown)


def presses_on_thing(problem: IKProblem, effector: Effector) -> bool:
    """Whether the effector asks somebody who sits on something to be deeper in it than flesh gives."""
    told = zip(problem.effectors, _no_deeper_than_flesh(problem), strict=True)
    return problem.stance is not None and any(e is effector and now is not e for e, now in told)


def _no_lower_than_ankles(problem: IKProblem, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    if problem.floor is None or problem.frozen or problem.step_s > 0.0:
        return effectors
    return no_lower_than_ankles(problem.skeleton, effectors, _base(problem), problem.floor)


def _over_knees(problem: IKProblem, effectors: tuple[Effector, ...]) -> Kneeling:
    if problem.floor is None or problem.frozen or problem.step_s > 0.0:
        return Kneeling(effectors, ())
    return with_knees_apart(problem.skeleton, effectors, _base(problem), problem.floor)


def _with_feet_rolled(problem: IKProblem, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    feet = problem.stance.feet if problem.stance else None
    if feet is None or problem.frozen or problem.step_s > 0.0:
        return effectors
    return with_feet_rolled(problem.skeleton, effectors, feet, _base(problem), problem.effectors)


def with_trunk_down(problem: IKProblem) -> IKProblem:
    """The problem, leaning last of all to where the base pose has its trunk on a solid floor; itself if it is nowhere
    on it, while only one limb moves, and while time passes."""
    leans = _lying_leans(problem)
    return replace(problem, leans=problem.leans + leans) if leans else problem


def proposed_down(problem: IKProblem, proposal: Pose, sits: bool = False) -> Pose:
    """The proposal, near the base pose while that lies on a solid floor and nothing takes its trunk away from there.

    sits: whether somebody sits, or gets up from a seat, with trunk and arms as in the base pose.
    """
    bed = _bed(problem)
    if bed is not None:
        lifted = _lifted_from_floor(problem) is not None
        if lifted:
            ahead = facing_as(problem.base_pose, proposal)
            proposal = with_trunk_as_posed(problem.skeleton, problem.effectors, problem.base_pose, ahead)
        return kept_down(problem.skeleton, bed, problem.effectors, problem.base_pose, proposal, lifted)
    if problem.frozen or problem.step_s > 0.0 or not (sits or problem.stance):
        return proposal
    share = 1.0 if sits else down_by(problem.skeleton, problem.effectors, problem.base_pose)
    if share <= 0.0:
        return proposal
    posed = with_trunk_as_posed(problem.skeleton, problem.effectors, problem.base_pose, proposal, sits)
    return pose_between(proposal, posed, share)


def _lifted_from_floor(problem: IKProblem) -> tuple[Effector, ...] | None:
    """What is asked of somebody who sat on the floor and is lifted by the pelvis, without hands; None of others."""
    bed = _bed(problem)
    if bed is None or not bed.is_seat:
        return None
    return without_hands_of_lifted(problem.skeleton, problem.effectors)


def trunk_given_way(problem: IKProblem, left: Sequence[Residual]) -> IKProblem | None:
    """A problem of `with_trunk_down` with the trunk held the less, the further a strict effector is missed; None if all
    are met or no trunk is held.

    left: the residuals of its answer.
    """
    missed = largest_miss(problem.effectors, left, _is_strict_point)
    own = _lying_leans(problem) if missed > MET else ()
    if not own:
        return None
    share = 1.0 - eased((missed - MET) / (GIVES_M - MET))
    weaker = tuple(Lean(effector, strength.times(share)) for effector, strength in own if share > 0.0)
    return replace(problem, leans=problem.leans[: -len(own)] + weaker)


def _lying_leans(problem: IKProblem) -> tuple[Lean, ...]:
    bed = _bed(problem)
    return () if bed is None else lying_leans(problem.skeleton, bed, problem.effectors)


def _bed(problem: IKProblem) -> Bed | None:
    if problem.floor is None or problem.frozen or problem.step_s > 0.0:
        return None
    bed = bed_of(problem.skeleton, problem.floor, problem.base_pose)
    return bed if bed.bears else None


def gives_way(problem: IKProblem, effector: Effector) -> bool:
    """Whether the effector is a look that goes no further than people's heads do."""
    first = before_standing(problem)
    return any(
        e is effector and not was.is_active
        for e, was in zip(problem.effectors, first.effectors, strict=True)
        if e.is_active
    )


def lies_on_floor(problem: IKProblem, effector: Effector) -> bool:
    """Whether the effector asks somebody who sits on the floor to be lower than it."""
    told = zip(problem.effectors, _no_lower_than_seat(problem), strict=True)
    return problem.stance is not None and any(e is effector and now is not e for e, now in told)


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
    feet = footing_leans(skeleton, problem.effectors, world, stance.feet, _base(problem)) if stance.feet else ()
    effectors, leans = _with_feet_turned(problem, problem.effectors, world), feet
    looks = stance.soft_look and without_looks(skeleton, effectors) is not effectors
    if looks:
        effectors = eased_looks(skeleton, effectors, world)
        leans += look_leans(skeleton, effectors, world, stance.after_looks)
    asked = replace(problem, effectors=effectors, leans=problem.leans + leans)
    answer = _refined_near(asked, found, proposal) if looks or feet else found
    if stance.balancing is not None:
        answer = _balanced(asked, answer, proposal, stance.balancing)
    laid = _eased_turns(problem)
    if answer is found and not laid:
        return found
    left = residuals(problem.skeleton, answer.pose, problem.effectors)
    return answer._replace(residuals=_with_tolerated(problem, answer.pose, left, _joints(feet) | laid))


def _refined_near(asked: IKProblem, found: Refined, proposal: Pose) -> Refined:
    """The exact stage for somebody who stands, from the state that the search before ended in.

    A limb of which nothing is asked may fall into another pose on the way, as hands do beside thighs. Then a search
    from the pose found before counts instead, if it stays nearer to that pose and meets all as well.
    """
    answer = refine(asked, proposal, found.state)
    gone = apart(asked.skeleton, found.pose, answer.pose).max()
    if gone <= ASTRAY_M:
        return answer
    near = refine(asked, proposal, state_at(found.pose))
    nearer = apart(asked.skeleton, found.pose, near.pose).max() < gone - 0.5 * ASTRAY_M
    return near if nearer and _largest_miss(asked, near) <= _largest_miss(asked, answer) + MET else answer


def residuals_standing(problem: IKProblem, pose: Pose) -> tuple[Residual, ...]:
    """One residual for each effector, in order, for a pose that already stands: in the states that a solve gives."""
    skeleton, stance = problem.skeleton, problem.stance
    left = residuals(skeleton, pose, problem.effectors)
    if stance is None or problem.frozen or all(one.state != "unreachable" for one in left):
        return left
    rigged = adapter_for(problem)
    if rigged:
        inner = rigged.solver_pose(pose)
        return left if inner is None else rigged.rig_residuals(left, residuals_standing(rigged.solver_problem, inner))
    left = _with_rolling_tolerated(problem, left)
    feet, world = stance.feet, forward_kinematics(skeleton, pose)
    leans = footing_leans(skeleton, problem.effectors, world, feet, _base(problem)) if feet else ()
    return _with_tolerated(problem, pose, left, _joints(leans) | _eased_turns(problem))


def with_standing_and_pins(problem: IKProblem, held: frozenset[int], found: Refined, proposal: Pose) -> Refined:
    """As `with_standing`, with the held effectors, by index, pinned; not if standing would then lose a place that is
    asked for strictly, as when a foot has to stand flat and somebody reaches far."""
    pinned = with_pinned(problem, held)
    answer = with_standing(pinned, found, proposal)
    if not held or _largest_miss(pinned, answer) <= _largest_miss(pinned, found) + AS_WELL:
        return answer
    free = with_standing(problem, found, proposal)
    return free if _largest_miss(problem, free) < _largest_miss(problem, answer) else answer


def _largest_miss(problem: IKProblem, found: Refined) -> float:
    """Metres by which the worst of the places that are asked for strictly is missed."""
    return largest_miss(problem.effectors, found.residuals, _is_strict_point)


def _is_strict_point(effector: Effector) -> bool:
    return effector.form == POINT and effector.is_active and effector.is_strict


def _with_feet_turned(
    problem: IKProblem, effectors: tuple[Effector, ...], world: WorldJoints | None = None
) -> tuple[Effector, ...]:
    feet = problem.stance.feet if problem.stance else None
    return with_feet_turned(problem.skeleton, effectors, feet, _base(problem), world) if feet else effectors


def _eased_turns(problem: IKProblem) -> frozenset[str]:
    """Joints whose turn is asked less firmly than the effector says: feet on their backs, of somebody kneeling."""
    told = zip(problem.effectors, _with_feet_turned(problem, problem.effectors), strict=True)
    return frozenset(now.joint for was, now in told if now.tolerance > was.tolerance)


def _base(problem: IKProblem) -> WorldJoints:
    return forward_kinematics(problem.skeleton, problem.base_pose)


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
        best = refine(replace(problem, leans=leans), proposal, best.state)
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
