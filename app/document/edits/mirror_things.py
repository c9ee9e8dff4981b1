"""Several people and props, or props alone, mirrored together: a reflected placement, left and right exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from app.document.edits.copies import Things
from app.document.model.actor import actor_of, with_clip
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropKey
from app.document.model.prop_mesh import PropMesh
from app.document.posing.mirroring import heading, middle_plane, mirrored
from app.document.posing.placing import moved, turned
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.sources import JointSource, PropSource, SkinSource, Tie, is_on_prop
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.rotations import nearest_rotation
from solver.rig.rig import rig_of

SAME = 1e-6  # metres, and of a turn's entries, up to which something looks the same in the mirror


def mirror_things(people: Sequence[str], props: Sequence[str]) -> Edit:
    """Mirror people and props, by their ids, across the middle plane of the first of the people; props alone across the
    vertical plane through the middle of them all that exchanges left and right as the scene is seen from its front.

    A prop is mirrored throughout its motion. Every kind but a mesh is as symmetric as a mirror wants it; a mesh has its
    surface mirrored. What is in contact with a prop stays at the same place of it.
    """

    def edit(document: Document) -> Document:
        things = Things(tuple(map(document.character, people)), tuple(map(document.prop, props)))
        plane = plane_of(things)
        by_id = {prop.id: _seen(prop, plane) for prop in things.props}
        after = replace(document, props=tuple(by_id.get(prop.id, prop) for prop in document.props))
        for actor in document.actors:
            if actor.id not in people:
                after = _with_spots(after, document.character(actor.id), frozenset(props))
        over = {person.id: _across(person, plane) for person in things.people}
        for person in things.people:
            after = after.with_character(_tied(person, over, frozenset(props)))
        return after if after != document else document

    return edit


def plane_of(things: Things) -> MirrorPlane:
    """The mirror that `mirror_things` uses for these."""
    if things.people:
        return middle_plane(things.people[0].pose)
    corners = np.concatenate([prop.corners for prop in things.props])
    return MirrorPlane.across(np.array([1.0, 0.0, 0.0]), (corners.min(axis=0) + corners.max(axis=0)) / 2.0)


def _seen(prop: Prop, plane: MirrorPlane) -> Prop:
    """The prop in the mirror; what looks the same there stays as it is, to the last digit."""

    def there(was: Prop | PropKey) -> dict[str, np.ndarray]:
        at, turn = plane.points(was.place.astype(np.float64)), nearest_rotation(plane.world_rotations(was.turn))
        if max(np.abs(at - was.place).max(), np.abs(turn - was.turn).max()) < SAME:
            return {}
        return {"place": np.asarray(at, np.float32), "turn": np.asarray(turn, np.float32)}

    changes: dict[str, Any] = there(prop)
    if prop.clip is not None:
        keys = [replace(key, **there(key)) for key in prop.clip.keys]  # type: ignore[arg-type]
        changes["clip"] = replace(prop.clip, keys=tuple(keys))
    if prop.mesh is not None:
        flipped = prop.mesh.vertices * np.array([-1, 1, 1], np.float32)
        changes["mesh"] = PropMesh(flipped, prop.mesh.faces[:, ::-1])
    return replace(prop, **changes)


def _with_spots(document: Document, who: Character, props: frozenset[str]) -> Document:
    """The document in which somebody who is not mirrored is in contact with the mirrored places of props."""
    clip = actor_of(who).clip
    if not any(is_on_prop(e.source, prop) for key in clip.keys for e in key.effectors for prop in props):
        return document
    keys = tuple(replace(key, effectors=tuple(_flipped(e, props) for e in key.effectors)) for key in clip.keys)
    return document.with_character(with_clip(who, replace(clip, keys=keys), who.frame))


def _flipped(effector: Effector, props: frozenset[str]) -> Effector:
    """An effector on one of the props at the mirrored place of it; any other as it is."""
    source = effector.source
    if not isinstance(source, PropSource) or source.prop not in props:
        return effector
    flip = np.array([-1, 1, 1], np.float32)
    return replace(effector, source=replace(source, place=source.place * flip, normal=source.normal * flip))


def _across(person: Character, plane: MirrorPlane) -> Character:
    """Somebody mirrored, on the other side of the plane, facing as the mirror image does."""
    own, root = middle_plane(person.pose), person.pose.root_position.astype(np.float64)
    turn = plane.matrix @ own.matrix  # what is left to do once they are mirrored where they stand
    there = turned(mirrored(person), heading(turn))
    return moved(there, plane.points(root) - root)


def _tied(was: Character, over: dict[str, Character], props: frozenset[str]) -> Character:
    """Somebody mirrored, tied to what was mirrored with them as before; a look goes on, other ties are let go of."""
    now = over[was.id]
    clip = actor_of(now).clip

    def tied(effector: Effector) -> Effector:
        source = effector.source
        if isinstance(source, PropSource) and source.prop in props:
            return _flipped(effector, props)
        if not isinstance(source, PropSource | Tie) or (isinstance(source, Tie) and source.character == was.id):
            return effector
        other = over.get(source.character) if isinstance(source, Tie) else None
        if other is not None and isinstance(source, JointSource):
            joint = rig_of(skeleton_of(other)).mirrored_name(source.joint)
            return replace(effector, source=replace(source, joint=joint))
        if isinstance(source, SkinSource) and other is not None and len(clip.keys) == len(other.clip.keys) == 1:
            return _on_other_skin(effector, source, other, now)
        return effector if isinstance(effector, AimEffector) else replace(effector, source=None)

    keys = tuple(replace(key, effectors=tuple(map(tied, key.effectors))) for key in clip.keys)
    return with_clip(now, replace(clip, keys=keys), now.frame)


def _on_other_skin(effector: Effector, source: SkinSource, other: Character, now: Character) -> Effector:
    """A contact with the skin of somebody else who was mirrored too, on the skin that is now at its target."""
    from app.document.posing.contact_patches import on_skin  # it brings compiled code along

    there = now.clip.placement.effector(effector)
    if not isinstance(there, Contact):
        return replace(effector, source=None)
    skin, _, _ = on_skin(other, there.target)
    return replace(effector, source=replace(skin, lift=source.lift))
