"""Loose effectors, whose targets follow the body; effectors that are given up, and those that are asked more firmly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.character import Character
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

AT_REST = 1e-6  # metres: a target this near stays as it is, so that doing it again changes nothing


def carried_along(
    effectors: tuple[Effector, ...], skeleton: Skeleton, before: Pose, after: Pose
) -> tuple[Effector, ...]:
    """The effectors, with loose ones carried from one pose to the other; the same tuple where none has to move."""
    if not any(effector.loose for effector in effectors):
        return effectors
    old, new = forward_kinematics(skeleton, before), forward_kinematics(skeleton, after)
    result = tuple(_resting(e, e.at_pose(skeleton, new, old)) if e.loose else e for e in effectors)
    return effectors if all(a is b for a, b in zip(result, effectors, strict=True)) else result


def only_gives_up(before: Character, after: Character) -> bool:
    """Whether all that an edit did to somebody is to delete effectors, to make them loose, to switch them off, or to
    release contacts, which leaves a position where it is and may open a hand: who is asked for less has no reason to
    move."""
    was = {effector.id: effector for effector in before.effectors}
    changed = [effector for effector in after.effectors if effector != was.get(effector.id)]
    if not changed and len(after.effectors) == len(before.effectors):
        return False
    given_up = all(effector.id in was and _is_given_up(was[effector.id], effector) for effector in changed)
    rest = replace(after, effectors=before.effectors, clip=before.clip, hands=before.hands)
    return given_up and rest == before


def asked_more_firmly(before: Character, after: Character) -> frozenset[str]:
    """The effectors, by id, that an edit adds, pins, makes strict or switches on, if that is all that it does to
    somebody; none if one of them is a contact. Where the body has what they ask for it has no reason to move."""
    was = {effector.id: effector for effector in before.effectors}
    kept = [effector.id for effector in after.effectors if effector.id in was]
    changed = [effector for effector in after.effectors if effector != was.get(effector.id)]
    firmer = all(effector.id not in was or _is_firmer(was[effector.id], effector) for effector in changed)
    if not firmer or kept != list(was) or any(isinstance(effector, Contact) for effector in changed):
        return frozenset()
    rest = replace(after, effectors=before.effectors, clip=before.clip)
    return frozenset(effector.id for effector in changed) if rest == before else frozenset()


def _is_firmer(before: Effector, after: Effector) -> bool:
    """Whether an effector asks for the same, and at least as firmly as before."""
    same = replace(
        after, tolerance=before.tolerance, pinned=before.pinned, loose=before.loose, enabled=before.enabled,
        estimated=before.estimated,
    )  # fmt: skip
    return same == before and after.is_active and after.effective_tolerance <= before.effective_tolerance


def _is_given_up(before: Effector, after: Effector) -> bool:
    """Whether an effector asks for nothing any more, or is what a released contact has left."""
    released = isinstance(before, Contact) and after.kind == Position.kind and after.joint == before.joint
    return not after.is_active or released


def _resting(before: Effector, after: Effector) -> Effector:
    moved = np.abs(after.target - before.target).max()
    return before if moved < AT_REST else after
