"""What is asked of a body in place of what the user asks, before it is solved: as it lies, gets up or is pressed down.

Places that a body cannot reach from what it sits, kneels or leans on are brought to where it can, and leans hold what
would else be thrown about on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from solver.contact.feet import Feet
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.ik.anchor import distance_moved
from solver.ik.exact import Refined
from solver.ik.kept_places import kept_arms
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import effector_errors, largest_miss, residuals
from solver.ik.stance.folded_hips import folded_leans
from solver.ik.stance.getting_up import pelvis_leans, with_feet_rolled, with_pelvis_pulled
from solver.ik.stance.heels import knees_ahead, with_heels_rolled, with_lifted_feet_as_posed, without_turned_up
from solver.ik.stance.idle_hands import hand_leans, resting_hand_leans, with_forearms_as_posed
from solver.ik.stance.idle_limbs import is_on_feet
from solver.ik.stance.idle_upper_body import hanging_arm_leans, with_idle_arms_as_posed, with_idle_head_as_posed
from solver.ik.stance.knees_apart import Kneeling, kneels, with_knees_apart
from solver.ik.stance.leaning import within_trunk
from solver.ik.stance.leans import Lean
from solver.ik.stance.lying import Bed, bed_of, how_felled, how_tipped, kept_down, lifted_feet, lying_leans
from solver.ik.stance.pressed_down import (
    keeps_turn,
    leans_on_hands,
    no_lower_than_ankles,
    no_lower_than_seat,
    pressed_leans,
)
from solver.ik.stance.pressed_on_things import (
    Pressed,
    no_deeper_than_flesh,
    pressed_by,
    pressed_turn,
    pressed_within_reach,
)
from solver.ik.stance.reach import HARDLY_TURNS_FOR, TURNS_FOR, trunk_within_reach, within_held_hand, within_reach
from solver.ik.stance.seated import (
    down_by,
    facing_as,
    is_lifted,
    is_lifted_with_hand_held,
    moves_pelvis_alone,
    seat_of,
    with_trunk_as_posed,
)
from solver.ik.stance.seated_knees import within_leg
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.rotations import interpolate
from solver.rig.roles import ARMS, LIMBS
from solver.values import changed

ROLLED_M = (
    0.03  # metres off where rolling takes an ankle, beyond which something else keeps it away: 2 as people kneel up
)
MET, GIVES_M = 1e-3, 0.07  # metres by which a strict effector is missed: meanwhile a trunk that lies is let go of


def as_proposed(problem: IKProblem) -> IKProblem:
    """What a proposer is asked: `before_standing` without toes that are turned up, with feet that leave the floor
    together turned as posed, and with nothing below the floor. Of who is pulled up from the floor by the pelvis it is
    asked no more than that."""
    if _bed(problem) is not None and is_lifted(problem.skeleton, problem.effectors, ARMS):
        alone = tuple(e for e in problem.effectors if problem.skeleton.index(e.joint) == 0)
        return changed(problem, effectors=alone)
    feet = _feet_that_roll(problem)
    if feet is None:
        return problem
    skeleton, base = problem.skeleton, base_joints(problem)
    effectors = without_turned_up(skeleton, problem.effectors, feet, base)
    if is_on_feet(skeleton, problem.base_pose) and seat_of(skeleton, effectors) is None:
        effectors = with_lifted_feet_as_posed(skeleton, effectors, feet, base)
        effectors = _no_lower_than_floor(problem, effectors)
    return problem if effectors is problem.effectors else changed(problem, effectors=effectors)


def as_it_goes(problem: IKProblem) -> IKProblem:
    """The problem of somebody who gets up, with the pelvis no further away than legs reach, and with feet that lie on
    their backs rolled over as it rises above them, or whose toes are turned up rolled on their heels; itself if nothing
    changes anything, while only one limb moves, and while time passes."""
    near, pressed = _within_reach(problem)
    effectors, leans = _over_knees(problem, _no_lower_than_ankles(problem, near))
    effectors, rising = _with_feet_rolled(problem, effectors)
    leans += rising + _knees_ahead(problem) + _pressed_leans(problem, effectors) + _pressed_turn(problem, pressed)
    if effectors is problem.effectors and not leans:
        return problem
    return changed(problem, effectors=effectors, leans=problem.leans + leans)


def told_of(problem: IKProblem, wanted: tuple[Effector, ...], found: Refined) -> tuple[Residual, ...]:
    """Residuals of what was wanted, of which a problem of `as_it_goes` asks something nearer; ankles and turns of feet
    that roll over count as tolerated."""
    left = residuals(problem.skeleton, found.pose, wanted)
    told = zip(problem.effectors, wanted, found.residuals, left, strict=True)
    now = tuple(was if asked is one else new for asked, one, was, new in told)
    return with_rolling_tolerated(changed(problem, effectors=wanted), found.pose, now)


def with_rolling_tolerated(problem: IKProblem, pose: Pose, left: Sequence[Residual]) -> tuple[Residual, ...]:
    """Residuals in a pose with turns of feet that roll over as tolerated, and with ankles that are where that takes
    them; one for each of the problem's effectors."""
    near = _within_reach(problem).effectors
    told = zip(near, _with_feet_rolled(problem, near)[0], left, strict=True)
    return tuple(
        Residual(one.value, "tolerated")
        if was is not now and one.state == "unreachable" and _is_rolled(problem, pose, now)
        else one
        for was, now, one in told
    )


def _is_rolled(problem: IKProblem, pose: Pose, effector: Effector) -> bool:
    """Whether a foot is where an effector asks for it that rolls it, near enough; how it is turned may give way."""
    if effector.form != POINT:
        return True
    return bool(effector_errors(problem.skeleton, pose, [effector])[0] <= ROLLED_M)


def _pressed_leans(problem: IKProblem, effectors: tuple[Effector, ...]) -> tuple[Lean, ...]:
    """Of who is pressed down. effectors: the problem's, with the pelvis as near to where they ask for it as it goes."""
    if problem.floor is None or problem.frozen or problem.step_s > 0.0:
        return ()
    skeleton, base = problem.skeleton, base_joints(problem)
    folded = folded_leans(skeleton, effectors, base)
    if not leans_on_hands(skeleton, base, problem.floor):
        return folded
    asked = no_lower_than_ankles(skeleton, problem.effectors, base, problem.floor)
    return (*pressed_leans(skeleton, asked, base, problem.floor), *folded)


def _pressed_turn(problem: IKProblem, share: float) -> tuple[Lean, ...]:
    """Of who is pressed onto something, by that share."""
    obstacles = problem.obstacles
    shown = obstacles.shown if obstacles else None
    return pressed_turn(problem.skeleton, share, shown) if shown is not None else ()


def _within_reach(problem: IKProblem) -> Pressed:
    skeleton, effectors, obstacles = problem.skeleton, problem.effectors, problem.obstacles
    if problem.stance is None or problem.frozen or problem.step_s > 0.0:
        return Pressed(effectors)
    seat = seat_of(skeleton, effectors)
    if seat is not None:
        base = base_joints(problem)
        return Pressed(within_leg(skeleton, within_trunk(skeleton, effectors, seat, base), seat, base))
    higher = _no_lower_than_seat(problem)
    if higher is not effectors:
        return Pressed(higher)
    down = down_by(skeleton, effectors, problem.base_pose, LIMBS) > 0.0
    if not (down or moves_pelvis_alone(skeleton, effectors, LIMBS)):
        outside = _no_deeper_than_flesh(problem)
        if outside is effectors and is_on_feet(skeleton, problem.base_pose):
            return Pressed(trunk_within_reach(skeleton, effectors, base_joints(problem)))
        return Pressed(outside, pressed_by(skeleton, effectors, outside))
    base = base_joints(problem)
    if _bed(problem) is not None and is_lifted_with_hand_held(skeleton, effectors):
        return Pressed(within_held_hand(skeleton, effectors, base))
    kept = problem.floor is not None and keeps_turn(skeleton, effectors, base, problem.floor)
    turns_for = None if not down else HARDLY_TURNS_FOR if kept else TURNS_FOR
    if obstacles is not None and obstacles.shown is not None:
        return pressed_within_reach(skeleton, effectors, base, obstacles, obstacles.shown, turns_for)
    return Pressed(effectors if turns_for is None else within_reach(skeleton, effectors, base, turns_for))


def _no_lower_than_seat(problem: IKProblem) -> tuple[Effector, ...]:
    bed = _bed(problem)
    if problem.floor is None or bed is None or 0 not in bed.bears:
        return problem.effectors
    return no_lower_than_seat(problem.skeleton, problem.effectors, bed.world, problem.floor)


def _no_lower_than_floor(problem: IKProblem, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """The effectors of who stands with places below a solid floor as low on it as those joints can be: a network that
    is told of a foot in the floor makes its owner crouch."""
    floor = problem.floor
    if floor is None:
        return effectors
    made = tuple(
        replace(each, target=np.array([each.target[0], least, each.target[2]], np.float32))
        if each.form == POINT
        and each.is_active
        and each.holds_joint
        and (least := floor.least_height(problem.skeleton.index(each.joint))) > each.target[1]
        else each
        for each in effectors
    )
    return effectors if all(a is b for a, b in zip(made, effectors, strict=True)) else made


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
    base = base_joints(problem)
    if not leans_on_hands(problem.skeleton, base, problem.floor):  # as of nearly all
        return effectors
    return no_lower_than_ankles(problem.skeleton, effectors, base, problem.floor)


def _over_knees(problem: IKProblem, effectors: tuple[Effector, ...]) -> Kneeling:
    if problem.floor is None or problem.frozen or problem.step_s > 0.0:
        return Kneeling(effectors, ())
    base = base_joints(problem)
    if not kneels(problem.skeleton, base, problem.floor):
        return Kneeling(effectors)
    return with_knees_apart(problem.skeleton, effectors, base, problem.floor)


def _feet_that_roll(problem: IKProblem) -> Feet | None:
    """The feet of somebody who stands; None while only one limb moves, and while time passes."""
    if problem.stance is None or problem.frozen or problem.step_s > 0.0:
        return None
    return problem.stance.feet


def _knees_ahead(problem: IKProblem) -> tuple[Lean, ...]:
    feet = _feet_that_roll(problem)
    return () if feet is None else knees_ahead(problem.skeleton, problem.effectors, feet, base_joints(problem))


def _with_feet_rolled(
    problem: IKProblem, effectors: tuple[Effector, ...]
) -> tuple[tuple[Effector, ...], tuple[Lean, ...]]:
    """The effectors with feet that roll over, or on their heels; and leans of the pelvis of who is pulled up by the
    head, since feet roll as it is asked to rise."""
    feet = _feet_that_roll(problem)
    if feet is None:
        return effectors, ()
    skeleton, base = problem.skeleton, base_joints(problem)
    effectors = with_heels_rolled(skeleton, effectors, feet, base)
    pulled = with_pelvis_pulled(skeleton, problem.effectors, base)
    if pulled is None:
        return with_feet_rolled(skeleton, effectors, feet, base, problem.effectors), ()
    near = within_reach(skeleton, pulled, base)
    rolled = with_feet_rolled(skeleton, near, feet, base, pulled)
    return (effectors, ()) if rolled is near else (rolled[:-1], pelvis_leans(near, base))


def with_trunk_down(problem: IKProblem) -> IKProblem:
    """The problem, leaning last of all to where the base pose has its trunk on a solid floor, and before that to where
    feet of who is pulled up from there are led; itself if the trunk is nowhere on it, while only one limb moves, and
    while time passes."""
    bed = _bed(problem)
    if bed is None:
        return problem
    feet = tuple(lifted_feet(problem.skeleton, bed, problem.effectors))  # before the trunk's, which alone give way
    leans = feet + lying_leans(problem.skeleton, bed, problem.effectors)
    return changed(problem, leans=problem.leans + leans) if leans else problem


def proposed_down(problem: IKProblem, proposal: Pose, sits: bool = False) -> Pose:
    """The proposal, near the base pose while that lies on a solid floor and nothing takes its trunk away from there,
    and of who is tipped over: a network would turn them over.

    sits: whether somebody sits, or gets up from a seat, with trunk and arms as in the base pose.
    """
    bed, skeleton, base = _bed(problem), problem.skeleton, problem.base_pose
    if bed is not None:
        lifted = bed.is_seat and is_lifted(skeleton, problem.effectors, ARMS)
        if lifted or is_lifted_with_hand_held(skeleton, problem.effectors):
            proposal = facing_as(base, proposal)
        if lifted:
            proposal = with_trunk_as_posed(skeleton, problem.effectors, base, proposal)
        return kept_down(skeleton, bed, problem.effectors, base, proposal, lifted)
    if problem.frozen or problem.step_s > 0.0 or not (sits or problem.stance):
        return proposal
    tipped = how_tipped(skeleton, problem.effectors, base)
    if tipped > 0.0:
        if is_lifted(skeleton, problem.effectors):
            proposal = facing_as(base, proposal)  # or they would turn over a side on the way up
        proposal = pose_between(proposal, base, tipped)
    # Of who gets up from a bed only the legs would rise, below a trunk that stays level.
    share = 1.0 if sits else down_by(skeleton, problem.effectors, base) * (1.0 - how_felled(skeleton, base))
    if share < 1.0:
        idle = with_idle_arms_as_posed(skeleton, problem.effectors, base, proposal)
        proposal = _with_kept_arms(problem, idle, proposal)
        proposal = with_idle_head_as_posed(skeleton, problem.effectors, base, proposal)
        proposal = with_forearms_as_posed(skeleton, problem.effectors, base, proposal)
    if share <= 0.0:
        return proposal
    posed = with_trunk_as_posed(skeleton, problem.effectors, base, proposal, sits)
    return pose_between(proposal, posed, share)


def idle_limb_leans(
    problem: IKProblem, proposal: Pose, held: Callable[[], Pose], shown: Pose | None, before: Sequence[Effector] = ()
) -> tuple[Lean, ...]:
    """Leans of the idle hands of somebody whose seat is held, and of hanging arms of who stands, to where they are
    proposed; of such arms on the floor also to where they are shown. None while only one limb moves, and while time
    passes.

    held: the proposal as it is held to the pose shown. before: what was asked there; () if that is not known.
    """
    if problem.stance is None or problem.frozen or problem.step_s > 0.0:
        return ()
    asked = problem.skeleton, problem.effectors, problem.base_pose, proposal
    if seat_of(problem.skeleton, problem.effectors) is not None:
        return _less_for_kept_arms(problem, hand_leans(*asked))
    if _bed(problem) is not None:
        return ()
    hanging = _less_for_kept_arms(problem, hanging_arm_leans(*asked, held, shown))
    if not hanging or shown is None or not before or problem.floor is None:
        return hanging
    moved = distance_moved(before, problem.effectors)
    return hanging + resting_hand_leans(problem.skeleton, hanging, shown, moved)


def _with_kept_arms(problem: IKProblem, idle: Pose, proposal: Pose) -> Pose:
    """A proposal with idle arms at ease, but with those that are kept as they were proposed."""
    kept = kept_arms(problem) if idle is not proposal else ()
    if not kept:
        return idle
    rotations = np.array(idle.rotations)
    for line, share in kept:
        rotations[line] = interpolate(rotations[line], proposal.rotations[line], share)
    return Pose(idle.root_position, rotations)


def _less_for_kept_arms(problem: IKProblem, leans: tuple[Lean, ...]) -> tuple[Lean, ...]:
    """Leans of idle arms, the weaker, the more firmly an arm is kept."""
    kept = {problem.skeleton.names[j]: share for line, share in kept_arms(problem) for j in line} if leans else {}
    left = ((lean, 1.0 - kept.get(lean.effector.joint, 0.0)) for lean in leans)
    return tuple(Lean(lean.effector, lean.strength.times(share)) for lean, share in left if share > 0.0)


def trunk_given_way(problem: IKProblem, left: Sequence[Residual]) -> IKProblem | None:
    """A problem of `with_trunk_down` with the trunk held the less, the further a strict effector is missed; None if all
    are met or no trunk is held.

    left: the residuals of its answer.
    """
    bed = _bed(problem)
    if bed is None:  # as of nearly all
        return None
    missed = largest_miss(problem.effectors, left, is_strict_point)
    own = lying_leans(problem.skeleton, bed, problem.effectors) if missed > MET else ()
    if not own:
        return None
    share = 1.0 - eased_between(missed, MET, GIVES_M)
    weaker = tuple(Lean(effector, strength.times(share)) for effector, strength in own if share > 0.0)
    return changed(problem, leans=problem.leans[: -len(own)] + weaker)


def _bed(problem: IKProblem) -> Bed | None:
    if problem.floor is None or problem.frozen or problem.step_s > 0.0:
        return None
    bed = bed_of(problem.skeleton, problem.floor, problem.base_pose)
    return bed if bed.bears else None


def lies_on_floor(problem: IKProblem, effector: Effector) -> bool:
    """Whether the effector asks a seat that is on the floor to be lower than it."""
    told = zip(problem.effectors, _no_lower_than_seat(problem), strict=True)
    return problem.stance is not None and any(e is effector and now is not e for e, now in told)


def is_strict_point(effector: Effector) -> bool:
    """Whether a place is asked for strictly."""
    return effector.form == POINT and effector.is_active and effector.is_strict


def base_joints(problem: IKProblem) -> WorldJoints:
    """The joints of the base pose."""
    return forward_kinematics(problem.skeleton, problem.base_pose)
