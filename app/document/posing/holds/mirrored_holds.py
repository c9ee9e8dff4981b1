"""Somebody mirrored with what they hold: it goes along, and what stays is only held where it still is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.document.model.actor import Actor, actor_of, with_clip
from app.document.model.document import Character, Document
from app.document.model.prop import Prop
from app.document.posing.mirroring import middle_plane, mirrored
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.sources import PropSource, Tie, is_on_prop
from solver.kinematics.mirror import MirrorPlane

AHEAD_M = 0.1  # metres by which mirroring may move what somebody looks at for it to count as straight ahead


def mirrored_with_held(document: Document, id: str) -> Document:
    """Left and right of somebody exchanged, what a hand of theirs is around included.

    A prop that is locked, or that somebody else holds on to, stays, and so does one they only touch. Contacts on what
    stays remain on it if it is at their mirrored place too; else they are on nothing. A look follows what stays only if
    that is straight ahead: else the head would turn back with the next solve. Each key touches what is there at its
    time, and who has but one is mirrored as they are at that, wherever they ride.
    """
    clip = document.actor(id).clip
    if clip.source is None and len(clip.keys) == 1 and document.frames.get(id, 0) != (only := clip.keys[0].frame):
        at_key = document.at_frame(id, only).with_props_at(only / clip.fps)
        return mirrored_with_held(at_key, id).at(document.frames)
    was = document.character(id)
    now, plane = mirrored(was), middle_plane(was.pose)
    seen = (_seen(prop, was, now, plane) for prop in document.props if goes_along(document, prop, was))
    taken = [document.keyed(prop) for prop in seen]
    by_id = {prop.id: prop for prop in taken}
    document = replace(document, props=tuple(by_id.get(prop.id, prop) for prop in document.props))
    clip = actor_of(now).clip

    def held(before: Effector, effector: Effector, frame: int) -> Effector:
        source = effector.source
        if isinstance(source, PropSource) and source.prop in by_id:
            flipped = replace(
                source, place=plane.joint_vectors(source.place), normal=plane.joint_vectors(source.normal)
            )
            return replace(effector, source=flipped)
        if not _is_on_another(effector, id):
            return effector
        if isinstance(effector, AimEffector) and isinstance(before, AimEffector):
            ahead = float(np.linalg.norm(effector.target - before.target)) < AHEAD_M
            return effector if ahead else replace(effector, source=None)
        if not isinstance(effector, Contact):
            return replace(effector, source=None)
        from app.document.posing.holds.mirrored_contacts import on_surface_there  # it brings compiled code along

        there = clip.placement.effector(effector)
        assert isinstance(there, Contact)
        around = document.with_props_at(frame / clip.fps)
        return replace(effector, source=on_surface_there(around, now, there, effector).source)

    keys = tuple(
        replace(key, effectors=tuple(held(*each, key.frame) for each in zip(old.effectors, key.effectors, strict=True)))
        for old, key in zip(actor_of(was).clip.keys, clip.keys, strict=True)
    )
    return document.with_character(with_clip(now, replace(clip, keys=keys), now.frame))


def goes_along(document: Document, prop: Prop, who: Character) -> bool:
    """Whether a hand of theirs is around a prop at the frame looked at, which nobody else holds on to."""
    if prop.locked or lead_on(who, prop) is None:
        return False
    others = (actor for actor in document.actors if actor.id != who.id)
    return not any(is_on_prop(e.source, prop.id) and not isinstance(e, AimEffector) for a in others for e in _all(a))


def _seen(prop: Prop, was: Character, now: Character, plane: MirrorPlane) -> Prop:
    """The prop mirrored, then moved on as the hand's target was, as no body is quite symmetric."""
    lead = lead_on(was, prop)
    assert lead is not None
    gap = now.effector(lead.id).target - plane.points(lead.target)
    turn = plane.world_rotations(prop.turn).astype(np.float32)
    return replace(prop, place=np.asarray(plane.points(prop.place) + gap, np.float32), turn=turn)


def lead_on(who: Character, prop: Prop) -> Contact | None:
    """The person's first hand around a prop, of those whose contact is active."""
    hands = (e for e in who.effectors if isinstance(e, Contact) and e.around and e.is_active)
    return next((e for e in hands if is_on_prop(e.source, prop.id)), None)


def _is_on_another(effector: Effector, id: str) -> bool:
    """Whether an effector's target comes from a prop or from somebody else."""
    source = effector.source
    return isinstance(source, PropSource) or (isinstance(source, Tie) and source.character != id)


def _all(actor: Actor) -> Iterator[Effector]:
    return (effector for key in actor.clip.keys for effector in key.effectors)
