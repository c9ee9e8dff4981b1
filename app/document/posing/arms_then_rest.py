"""Arms that move first, and the rest where these do not reach: one step of a drag.

Of a person whose arms follow a prop, the rest goes along once these are nearly stretched. Each step starts from the
pose in which the drag began. The trunk goes as far as the arms draw it (`shoulders_drawn`), over feet and what else is
held, and by the exact stage alone: a network proposes another stance at once. Then the arms bring the hands to the prop
from there. So a drag that comes back leaves the trunk where it was.

Where something other than their length keeps the arms from getting there, the whole body goes on from the pose shown,
until the drag ends: turning back to the drawn trunk in between would be a jump.

Of a person whose hand is led over their own skin, all else stays as it was when the drag began. Where that leaves the
hand off, less stays, by one hold after another (`arm_before_body`). On the other arm or the head, what is touched comes
to meet the hand: else the trunk would lean towards an arm that goes along with it. An arm that gets stuck on its way as
such a drag begins, as behind the own thigh, starts once more from where it hangs: from the pose shown, the search would
leave the hand hanging half a metre off until a later step found another way by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import own_bearers
from app.document.posing.touched_surfaces import off_square
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.effectors.resolve import Context, resolved
from solver.ik.memory import AtPose, BegunAnew, ChosenPose, Memory, SettledMemory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.pose_prior import natural_pose
from solver.ik.solution import Answer
from solver.ik.stance.square_hands import LESS_SQUARE
from solver.kinematics.pose import Pose

Solve = Callable[[Character, Memory, LimbHold | None], Answer]
SolveSquare = Callable[[Character, Memory, LimbHold | None, float | None], Answer]
EXACT = "dls"  # the solver whose proposal is the base pose
NEAR = 0.001  # metres from its place up to which a hand counts as there
LEAP = 0.25  # metres that a joint goes in one step if the arm finds another way while the body already helps
SHORTER = 0.5  # of that leap, which the way of the body must be to be taken instead
STUCK = 0.05  # metres off beyond which a limb that is led over skin from now on begins elsewhere
CLEARLY = 0.5  # of those metres, which that may leave at most to be taken instead
YIELDED, ASKEW = np.radians([8.0, 30.0])  # turned beyond what is about square: it has yielded; the body helps
SLACK = 0.3  # the tolerance of the turn of what comes to meet a hand
MEETS, TURNS = "meets", "turns"


class _Way(NamedTuple):
    """An answer. off: metres by which it leaves what moves off its places, for which turns may be missed. leap: metres
    that a joint goes at most."""

    answer: Answer
    off: float
    leap: float


def answer_with_arms_first(
    person: Character, hold: LimbHold, memory: Memory, context: Context, solve: SolveSquare
) -> Answer:
    """The answer of a person whose arms follow what they hold before the rest does.

    hold: what stays, as the drag began. memory: what the person's last solve left. context: what targets may come from.
    solve: answers one question about a person; hands keep square to flat things as firmly as the share says. Where
    the hands do not get there, they keep less square, so that they are askew within bounds. Where that is not enough,
    and in all later steps, the whole body takes them there, by the exact stage.
    """
    if _has_given_way(person, hold, memory):
        return solve(replace(person, solver=EXACT), memory, None, LESS_SQUARE)
    led = replace(hold, base=_with_trunk_drawn(person, hold, context, solve))
    askew = off_square(person, context.props, person.pose)
    for square in (1.0,) if askew is None else (1.0, LESS_SQUARE) if askew < YIELDED else (LESS_SQUARE,):
        found = solve(person, memory, led, square)
        if not _falls_short(led, found) and (square == 1.0 or _is_square(person, found, context)):
            return found
    from solver.ik.anchor import effectors_at_pose  # it brings compiled code along

    shown = AtPose(person.pose, effectors_at_pose(skeleton_of(person), person.pose, person.effectors))
    return solve(replace(person, solver=EXACT), shown, None, LESS_SQUARE)


def answer_with_wider_holds(person: Character, hold: LimbHold, memory: Memory, solve: Solve) -> Answer:
    """The answer of a person by the first hold that brings a limb to where it is asked to be; by the one that brings it
    nearest, if none does. While more than the limb moves already, it goes on so where the limb alone would leap.

    hold: what stays at first; in it what does where that is too much. memory: what the person's last solve left. solve:
    answers one question about a person; all but the first hold is solved by the exact stage. A limb that is not led yet
    and gets stuck begins where it hangs, before anything comes to meet it and before the whole body goes along.
    """
    wider = _wider_than(hold)
    if _is_led(memory):
        return _by_holds(person, hold, wider, memory, solve).answer
    at_once = 0 if wider and wider[0].meets else max(len(wider) - 1, 0)
    best = _by_holds(person, hold, wider[:at_once], memory, solve)
    if best.off > STUCK:
        hangs = _at_ease(person, hold)
        other = _by_holds(person, hold, wider[:at_once], hangs, solve)
        if other.off < CLEARLY * best.off:
            best, memory = other, hangs
    return _by_holds(person, hold, wider[at_once:], memory, solve, best).answer


def _wider_than(hold: LimbHold) -> list[LimbHold]:
    """The holds in a hold, one in the other, from the narrowest to the widest."""
    return [] if hold.wider is None else [hold.wider, *_wider_than(hold.wider)]


def _by_holds(
    person: Character,
    hold: LimbHold,
    wider: Sequence[LimbHold],
    memory: Memory,
    solve: Solve,
    known: _Way | None = None,
) -> _Way:
    """The best way by a hold and by wider ones, from a memory. known: the best by the hold and what else was tried."""
    way = best = known or _way(person, hold, solve(person, memory, hold))
    helped, exact = _is_helped(hold, memory), replace(person, solver=EXACT)
    limb = _limb(person, hold)
    for each in wider:
        if not _is_worth(each, best, helped):
            break
        asked = exact
        if each.meets:
            asked = replace(exact, effectors=(*exact.effectors, *_meeting(person, each.meets, limb, way.answer)))
        found = solve(asked, memory, each)
        own = len(person.effectors)
        solution = replace(found.solution, residuals=found.solution.residuals[:own])
        way = _way(person, each, Answer(solution, found.effectors[:own]))
        best = way if _is_better(way, best) else best
    return best


def _at_ease(person: Character, hold: LimbHold) -> BegunAnew:
    """The memory of somebody whose limb hangs, in the pose shown else."""
    rotations, limb = person.pose.rotations.copy(), _limb(person, hold)
    joints = [j for j, name in enumerate(skeleton_of(person).names) if name in limb]
    rotations[joints] = natural_pose(skeleton_of(person)).rotations[joints]
    at_ease = replace(person.pose, rotations=rotations)
    return BegunAnew(AtPose(at_ease), at_ease)


def _is_led(memory: Memory) -> bool:
    """Whether the limb was led in the last step already, over a body that stayed."""
    return isinstance(memory, SettledMemory) and bool(memory.record.problem.frozen)


def _limb(person: Character, hold: LimbHold) -> frozenset[str]:
    """The joints that move in a hold, without those that are carried along."""
    return frozenset(skeleton_of(person).names) - hold.frozen - hold.carried


def _has_given_way(person: Character, hold: LimbHold, memory: Memory) -> bool:
    """Whether the last step of the drag was the whole body's: what was to stay has moved, and nothing was held."""
    if not isinstance(memory, SettledMemory) or memory.record.problem.frozen:
        return False
    shown, first, joints = person.pose, hold.base, [skeleton_of(person).index(name) for name in hold.frozen]
    same = np.array_equal(shown.root_position, first.root_position)
    return not (same and np.array_equal(shown.rotations[joints], first.rotations[joints]))


def _with_trunk_drawn(person: Character, hold: LimbHold, context: Context, solve: SolveSquare) -> Pose:
    """The pose as the drag began, with all but the arms where these draw it; itself while the arms are bent."""
    from solver.ik.anchor import effectors_at_pose  # they bring compiled code along
    from solver.ik.multi_solve.arm_reach import shoulders_drawn

    skeleton, first = skeleton_of(person), hold.base
    now = [resolved(e, context) for e in person.effectors if e.is_active and e.joint not in hold.frozen]
    then = {e.id: e for e in hold.asked if isinstance(e, Contact)}
    drawn = shoulders_drawn(skeleton, first, then, [e for e in now if isinstance(e, Contact)])
    if drawn is None:
        return first
    rest = [e for e in person.effectors if e.is_active and e.joint in hold.frozen]
    there = effectors_at_pose(skeleton, first, (*rest, drawn))
    asked = (*(e if e.source else at for e, at in zip(rest, there, strict=False)), drawn)
    leads = replace(person, solver=EXACT, pose=first, base_pose=first, effectors=asked)
    pose = solve(leads, ChosenPose(first, there), None, None).solution.pose
    rotations = pose.rotations.copy()
    arms = [j for j, name in enumerate(skeleton.names) if name not in hold.frozen and name not in hold.carried]
    rotations[arms] = first.rotations[arms]
    return replace(pose, rotations=rotations)


def _is_square(person: Character, answer: Answer, context: Context) -> bool:
    """Whether hands are not turned too far from square to flat things."""
    askew = off_square(person, context.props, answer.solution.pose)
    return askew is None or askew < ASKEW


def _falls_short(hold: LimbHold, answer: Answer) -> bool:
    """Whether the arms do not bring the hands there."""
    asked = zip(answer.effectors, answer.solution.residuals, strict=True)
    return any(left.state == "unreachable" and e.joint not in hold.frozen for e, left in asked)


def _way(person: Character, hold: LimbHold, answer: Answer) -> _Way:
    asked = zip(answer.effectors, answer.solution.residuals, strict=True)
    places = ((e, left) for e, left in asked if isinstance(e, PointEffector) and e.joint not in hold.frozen)
    missed = [left.value for _, left in places if left.state == "unreachable"]
    then = joints_of(replace(person, pose=answer.solution.pose)).positions
    return _Way(
        answer, max(missed, default=0.0), float(np.linalg.norm(then - joints_of(person).positions, axis=1).max())
    )


def _is_worth(wider: LimbHold, best: _Way, helped: bool) -> bool:
    """Whether what stays in a wider hold may be tried. helped: whether more than the limb has moved already."""
    return best.off > max(NEAR, wider.if_off) or (helped and best.leap > LEAP and not wider.if_off)


def _is_better(way: _Way, best: _Way) -> bool:
    if best.off > NEAR:
        return way.off < best.off
    return way.off <= NEAR and way.leap < SHORTER * best.leap


def _is_helped(hold: LimbHold, memory: Memory) -> bool:
    """Whether more than the limb has moved in the last step."""
    frozen = memory.record.problem.frozen if isinstance(memory, SettledMemory) else frozenset()
    return bool(frozen) and not hold.frozen <= frozen


def _meeting(person: Character, joint: str, moving: Set[str], missed: Answer) -> tuple[Effector, ...]:
    """What brings a joint that carries what is touched to where the limb that missed it is, turned as it is.

    moving: the joints of that limb. Handles elsewhere may be out of reach as well, and further. Of crossed arms, which
    both touch the other one, what the hand that is off further lies on comes to meet that.
    """
    world, skeleton = joints_of(replace(person, pose=missed.solution.pose)), skeleton_of(person)
    asked = zip(missed.effectors, missed.solution.residuals, strict=True)
    touching = [
        (left.value, i, e)
        for i, (e, left) in enumerate(asked)
        if isinstance(e, Contact) and e.is_active and e.joint in moving
    ]
    if not touching:
        return ()
    _, i, contact = max(touching, key=lambda each: each[0])
    joint = own_bearers(person).get(i, joint)
    j = skeleton.index(joint)
    offset = (contact.target - world.positions[j]) @ world.rotations[j]
    comes = Position(joint, contact.at_pose(skeleton, world).target, offset.astype(np.float32))
    return replace(comes, id=MEETS), replace(Rotation.on(skeleton, joint, world), id=TURNS, tolerance=SLACK)
