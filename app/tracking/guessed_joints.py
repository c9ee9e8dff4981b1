"""Which joints trackers are on, as a calibration finds it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from solver.errors import PoserError
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.trackers.assignment import assign_joints
from solver.trackers.attachment import Attachment, Attachments
from solver.trackers.sample import TrackerSample

HEADLESS = "“{}” on the head is silent. Calibrate again once it is heard, or put it on no joint."


def guessed(
    attachments: Attachments, sample: TrackerSample, skeleton: Skeleton, by_hand: Collection[str]
) -> dict[str, Attachment]:
    """Joints for the trackers not put anywhere by hand, except joints of those that were."""
    taken = {attachments[name].joint for name in by_hand if name in attachments}
    free = {name: each for name, each in sample.readings.items() if name not in by_hand}
    found = assign_joints(TrackerSample(sample.time_s, free), skeleton)
    return {
        name: replace(attachments[name], joint="" if each.joint in taken else each.joint)
        for name, each in found.items()
        if name in attachments
    }


def refuse_headless(attachments: Attachments, sample: TrackerSample, skeleton: Skeleton) -> None:
    """PoserError where the head's tracker is silent: the highest of the others would be taken for it."""
    head = rig_of(skeleton).find(Role.HEAD)
    joint = None if head is None else skeleton.names[head]
    on_head = [name for name, each in attachments.items() if each.joint == joint]
    if on_head and not any(name in sample.readings for name in on_head):
        raise PoserError(HEADLESS.format(on_head[0]))
