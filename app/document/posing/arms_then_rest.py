"""A person whose arms follow a prop first, and the rest once these are nearly stretched: one step of such a drag.

Each step starts from the pose in which the drag began. The trunk goes as far as the arms draw it (`shoulders_drawn`),
over feet and whatever else is held, and by the exact stage alone: a network proposes another stance at once. Then the
arms bring the hands to the prop from there. So a drag that comes back leaves the trunk where it was.

Where something other than their length keeps the arms from getting there, the whole body goes on from the pose shown,
until the drag ends: turning back to the drawn trunk in between would be a jump.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.document.model.document import Character
from app.document.posing.solving import skeleton_of
from solver.effectors.contact import Contact
from solver.effectors.resolve import Context, resolved
from solver.ik.memory import AtPose, ChosenPose, Memory, SettledMemory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.solution import Answer
from solver.kinematics.pose import Pose

Solve = Callable[[Character, Memory, LimbHold | None], Answer]
EXACT = "dls"  # the solver whose proposal is the base pose


def answer_with_arms_first(person: Character, hold: LimbHold, memory: Memory, context: Context, solve: Solve) -> Answer:
    """The answer of a person whose arms follow what they hold before the rest does.

    hold: what stays, as the drag began. memory: what the person's last solve left. context: what targets may come from.
    solve: answers one question about a person. Where the hands do not get there, and in all later steps, the whole body
    takes them there, by the exact stage.
    """
    if _has_given_way(person, hold, memory):
        return solve(replace(person, solver=EXACT), memory, None)
    led = replace(hold, base=_with_trunk_drawn(person, hold, context, solve))
    found = solve(person, memory, led)
    if not _falls_short(led, found):
        return found
    from solver.ik.anchor import effectors_at_pose  # it brings compiled code along

    shown = AtPose(person.pose, effectors_at_pose(skeleton_of(person), person.pose, person.effectors))
    return solve(replace(person, solver=EXACT), shown, None)


def _has_given_way(person: Character, hold: LimbHold, memory: Memory) -> bool:
    """Whether the last step of the drag was the whole body's: what was to stay has moved, and nothing was held."""
    if not isinstance(memory, SettledMemory) or memory.record.problem.frozen:
        return False
    shown, first, joints = person.pose, hold.base, [skeleton_of(person).index(name) for name in hold.frozen]
    same = np.array_equal(shown.root_position, first.root_position)
    return not (same and np.array_equal(shown.rotations[joints], first.rotations[joints]))


def _with_trunk_drawn(person: Character, hold: LimbHold, context: Context, solve: Solve) -> Pose:
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
    pose = solve(leads, ChosenPose(first, there), None).solution.pose
    rotations = pose.rotations.copy()
    arms = [j for j, name in enumerate(skeleton.names) if name not in hold.frozen and name not in hold.carried]
    rotations[arms] = first.rotations[arms]
    return replace(pose, rotations=rotations)


def _falls_short(hold: LimbHold, answer: Answer) -> bool:
    """Whether the arms do not bring the hands there."""
    asked = zip(answer.effectors, answer.solution.residuals, strict=True)
    return any(left.state == "unreachable" and e.joint not in hold.frozen for e, left in asked)
