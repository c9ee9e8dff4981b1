"""Symmetric posing: what an edit does to effectors of one side is done to those of the other as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from app.document.model.combine import on_character
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.posing.fitting_effectors import with_ids
from app.document.posing.mirroring import middle_plane
from solver.effectors.asleep import is_asleep
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.kinematics.mirror import MirrorPlane
from solver.rig.rig import rig_of


def symmetric(id: str, edit: Edit) -> Edit:
    """The edit that also does to the other side of a character, as in a mirror, what `edit` does to its effectors.

    The mirror is the vertical plane through the pelvis along its heading. Whatever moves the whole character or poses
    it as a whole is left as it is, and so is an effector whose counterpart the edit changed too. An effector without a
    counterpart gets one, in place of what holds the joint there otherwise; a hand that is around something stays so. A
    contact replaces what held the joint's counterpart, on the surface that is there, and the fingers go along.
    """

    def both(document: Document) -> Document:
        after = edit(document)
        was, now = _find(document, id), _find(after, id)
        if was is None or now is None or was.effectors == now.effectors or _posed(was, now):
            return after
        return on_character(id, lambda character: _balanced(after, was, character))(after)

    return both


def _find(document: Document, id: str) -> Character | None:
    return next((character for character in document.characters if character.id == id), None)


def _posed(was: Character, now: Character) -> bool:
    """Whether anything but effectors differs."""
    same = (was.pose, was.base_pose, was.shape, was.body) == (now.pose, now.base_pose, now.shape, now.body)
    return not same or was.frame != now.frame


def _balanced(document: Document, was: Character, now: Character) -> Character:
    old = {e.id: e for e in was.effectors}
    changed = {e.id: e for e in now.effectors if old.get(e.id) != e}
    gone = [e for e in was.effectors if all(e.id != each.id for each in now.effectors)]
    rig, plane = rig_of(skeleton_of(now)), middle_plane(now.pose)

    def across(effector: Effector, among: Iterable[Effector]) -> Iterator[Effector]:
        """Counterparts that the edit did not touch."""
        joint = rig.mirrored_name(effector.joint)
        return (e for e in among if e.joint == joint and e.kind == effector.kind and e.id not in changed)

    effectors = list(now.effectors)
    for effector in changed.values():
        joint = rig.mirrored_name(effector.joint)
        if joint == effector.joint or is_asleep(effector):
            continue
        seen = _seen(document, now, effector, plane, joint)
        before = old.get(effector.id, effector)
        there = next(across(effector, now.effectors), None) or next(across(before, now.effectors), None)
        if there is not None:
            effectors = [replace(seen, id=e.id) if e.id == there.id else e for e in effectors]
        elif otherwise := [e for e in now.effectors if e.id not in changed and _holds_instead(e, seen)]:
            id = otherwise[0].id
            instead = _as_it_is_held(otherwise[0], effector, old.get(effector.id)) or replace(seen, id=id)
            effectors = [instead if e.id == id else e for e in effectors]
        elif not any(e.joint == joint and e.kind == effector.kind for e in now.effectors):
            effectors.append(replace(seen, id=""))
    lost = {
        there.id
        for effector in gone
        if rig.mirrored_name(effector.joint) != effector.joint
        for there in across(effector, now.effectors)
    }
    both = replace(now, effectors=with_ids(tuple(e for e in effectors if e.id not in lost)))
    if was.hands == now.hands:
        return both
    from app.document.posing.holds.mirrored_contacts import fingers_across  # not needed to show the window

    held = [each for key in changed for each in (old.get(key), changed[key]) if isinstance(each, Contact)]
    return fingers_across(both, held[-1]) if len({contact.patch for contact in held}) == 1 else both


def _holds_instead(effector: Effector, seen: Effector) -> bool:
    """Whether an effector holds the joint of another one in its own way: a contact its skin, or a position itself."""
    if isinstance(seen, Contact):
        return effector.holds_joint and effector.joint == seen.joint
    return seen.holds_joint and isinstance(effector, Contact) and effector.joint == seen.joint


def _as_it_is_held(held: Effector, effector: Effector, before: Effector | None) -> Effector | None:
    """What holds the joint on the other side as it does, only as firmly as the changed effector; None to replace it.

    It stays where the edit moved nothing, and where a hand is around something, which it would drop.
    """
    if isinstance(held, Contact) and held.around:
        return held
    same = before is not None and before.kind == effector.kind and before.source == effector.source
    if before is None or not same or not np.array_equal(before.target, effector.target):
        return None
    return replace(
        held, tolerance=effector.tolerance, pinned=effector.pinned, enabled=effector.enabled, loose=effector.loose,
    )  # fmt: skip


def _seen(document: Document, now: Character, effector: Effector, plane: MirrorPlane, joint: str) -> Effector:
    """The effector as in the mirror; a contact lies on what is there."""
    seen = effector.mirrored(plane, joint)
    if not isinstance(effector, Contact) or not isinstance(seen, Contact):
        return replace(seen, source=None)
    from app.document.posing.holds.mirrored_contacts import on_surface_there  # not needed to show the window

    return on_surface_there(document, now, seen, effector)
