"""A person whose arms follow a prop first, and the rest once these are nearly stretched: one step of such a drag.

Each step starts from the pose in which the drag began. The trunk goes as far as the arms draw it (`shoulders_drawn`),
over feet and whatever else is held, and by the exact stage alone: a network proposes another stance at once. Then the
arms bring the hands to the prop from there. So a drag that comes back leaves the trunk where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.document.model.document import Character
from app.document.posing.solving import skeleton_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.resolve import Context, resolved
from solver.effectors.sources import PropSource
from solver.ik.memory import ChosenPose, Memory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.solution import Answer
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose

Solve = Callable[[Character, Memory, LimbHold | None], Answer]
EXACT = "dls"  # the solver whose proposal is the base pose


def answer_with_arms_first(person: Character, hold: LimbHold, memory: Memory, context: Context, solve: Solve) -> Answer:
    """The answer of a person whose arms follow what they hold before the rest does.

    hold: what stays, as the drag began. memory: what the person's last solve left. context: what targets may come from.
    solve: answers one question about a person. Where the hands still do not get there, all goes on from what the arms
    have reached; hands then stay turned as they are.
    """
    led = replace(hold, base=_with_trunk_drawn(person, hold, context, solve))
    found = solve(person, memory, led)
    if not _falls_short(led, found):
        return found
    pose = found.solution.pose
    more = replace(person, pose=pose, base_pose=pose, effectors=_turned_as_found(person, hold, found, context))
    last = solve(more, found.solution.memory, None)
    solution = replace(
        last.solution,
        iterations=found.solution.iterations + last.solution.iterations,
        elapsed_s=found.solution.elapsed_s + last.solution.elapsed_s,
    )
    arms = {e.id: e for e in found.effectors if e.joint not in hold.frozen}
    return Answer(solution, tuple(arms.get(e.id, e) for e in last.effectors))


def _with_trunk_drawn(person: Character, hold: LimbHold, context: Context, solve: Solve) -> Pose:
    """The pose as the drag began, with all but the arms where these draw it; itself while the arms are bent."""
    from solver.ik.continuity import effectors_at_pose  # they bring compiled code along
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
    pose = solve(leads, ChosenPose(first, there), None).solution.pose
    rotations = pose.rotations.copy()
    arms = [j for j, name in enumerate(skeleton.names) if name not in hold.frozen and name not in hold.carried]
    rotations[arms] = first.rotations[arms]
    return replace(pose, rotations=rotations)


def _falls_short(hold: LimbHold, answer: Answer) -> bool:
    """Whether the arms do not bring the hands there."""
    asked = zip(answer.effectors, answer.solution.residuals, strict=True)
    return any(left.state == "unreachable" and e.joint not in hold.frozen for e, left in asked)


def _turned_as_found(person: Character, hold: LimbHold, found: Answer, context: Context) -> tuple[Effector, ...]:
    """The effectors, with hands on props asked to be turned as they are: else the whole body would turn them, which the
    arms could not do."""
    skeleton = skeleton_of(person)
    world = forward_kinematics(skeleton, found.solution.pose)

    def as_found(effector: Effector) -> Effector:
        if not isinstance(effector, Contact) or effector.joint in hold.frozen or not effector.lies_flat:
            return effector
        source = effector.source
        if not isinstance(source, PropSource) or source.prop not in context.props:
            return effector
        thing, facing = context.props[source.prop], effector.at_pose(skeleton, world).facing
        normal = ((thing.turn.T @ facing) * thing.size).astype(np.float32)
        return replace(effector, facing=facing, source=replace(source, normal=normal))

    return tuple(map(as_found, found.effectors))
