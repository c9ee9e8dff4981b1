"""Contacts of a person: which patch, on which point of which surface, and what becomes of them when skin changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.clip import Key
from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.hand_effectors import fitted_on_hands, fitted_to
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.patch_table import PATCH_ROWS
from solver.contact.patches import Patch, patches, plane_over, with_fitted_patch
from solver.contact.skins import nearest_point, posed_skin, skin
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.effectors.sources import JointSource, SkinSource, Source
from solver.errors import PoserError
from solver.kinematics.fk import WorldJoints
from solver.rig.rig import rig_of
from solver.rig.roles import HEAD_AND_NECK, LEGS, LIMBS, SIDES, TRUNK, Role

Array = NDArray[np.floating]
UP = np.array([0.0, 1.0, 0.0], np.float32)
SPANS = 0.09  # metres about a fold that a hand lies over
FOLDED = 0.8  # cosine between a patch's normal and the skin's, below which the skin has folded
FIRST_BETTER = 0.5  # by how much more another patch has to face a surface than the first of its joint
PALM_BETTER = 1.2  # than a palm: it is turned up on the way to a thigh, where nobody rests the back of a hand
BEHIND = frozenset(("back", "lower_back", "back_of_head"))  # what nobody lays on their own legs
BEHIND_KNEE = frozenset(f"{side}_calf" for side in SIDES)  # what nobody lays on the front of their own trunk or head
LEG_ROLES = frozenset(role for leg in LEGS for role in leg.joints)
FRONT_ROLES = frozenset((*TRUNK, *HEAD_AND_NECK))
NEIGHBOURS = {  # where a joint without patches of its own has them from
    Role.LEFT_HAND: Role.LEFT_WRIST, Role.RIGHT_HAND: Role.RIGHT_WRIST, Role.NECK: Role.HEAD, Role.SPINE2: Role.SPINE3,
    Role.LEFT_COLLAR: Role.LEFT_SHOULDER, Role.RIGHT_COLLAR: Role.RIGHT_SHOULDER,
}  # fmt: skip


def patches_of(character: Character) -> Mapping[str, Patch]:
    """The patches of the person's body as it is now, by name."""
    return patches(body_of(character), character.shape, character.hands)


def patches_at(character: Character, joint: str) -> Iterator[Patch]:
    """Those that effectors of a joint act on, found one by one, without those of other joints."""
    known, rig = patches_of(character), rig_of(skeleton_of(character))
    return (known[name] for name in known if rig.name(PATCH_ROWS[name].joint) == joint)


def patches_on(character: Character, joint: str) -> tuple[Patch, ...]:
    """The patches by which a joint can be held on something, the usual one first; if it has none, those of the end of
    its limb."""
    rig = rig_of(skeleton_of(character))
    role = rig.role_of(joint)
    name = rig.name(NEIGHBOURS[role]) if role in NEIGHBOURS else joint
    return tuple(patch for patch in patches_at(character, name) if patch.row.holds)


def facing_patch(character: Character, joint: str, facing: Array, but: Collection[str] = ()) -> Patch | None:
    """The patch of a joint that faces a surface with the normal `facing`, (3,); None where the joint has none.

    It is the usual one, unless the joint is clearly turned another way. but: names of patches that do not count.
    """
    found = [patch for patch in patches_on(character, joint) if patch.name not in but]
    if not found:
        return None
    turn = joints_of(character).rotations[skeleton_of(character).index(found[0].joint)]
    against = [-float((turn @ patch.normal) @ facing) for patch in found]
    against[0] += PALM_BETTER if found[0].name.endswith("palm") else FIRST_BETTER
    return found[int(np.argmax(against))]


def laid_patch(character: Character, joint: str, source: Source, facing: Array) -> Patch | None:
    """The patch of a joint that comes to lie on what `source` is on, with the normal `facing`, (3,): as `facing_patch`,
    but on the person's own legs a hand lies by its palm, and trunk and head by their front, however they are turned
    before; and so does a knee on the front of the own trunk or head."""
    if isinstance(source, SkinSource) and source.character == character.id:
        touched, rig = skin(body_of(character), character.shape, character.hands), rig_of(skeleton_of(character))
        found = patches_on(character, joint)
        carrier = touched.carrier(source.triangle, source.shares)
        if rig.roles[carrier] in LEG_ROLES and found:
            return found[0] if found[0].name.endswith("palm") else facing_patch(character, joint, facing, BEHIND)
        ahead = joints_of(character).rotations[carrier][:, 2]
        if rig.roles[carrier] in FRONT_ROLES and ahead @ facing > 0.0:
            return facing_patch(character, joint, facing, BEHIND_KNEE)
    return facing_patch(character, joint, facing)


def contact_of(patch: Patch, place: ArrayLike, facing: ArrayLike, like: Effector | None = None) -> Contact:
    """A contact of a patch on a surface at `place`, (3,) metres, with the normal `facing`, (3,).

    like: the effector it replaces, whose id, tolerance and pin it keeps.
    """
    made = Contact(patch.joint, np.asarray(place, np.float32), patch=patch.name, facing=np.asarray(facing, np.float32))
    made = with_fitted_patch(made, {patch.name: patch})  # type: ignore[assignment]
    return made if like is None else replace(made, id=like.id, tolerance=like.touched().tolerance, pinned=like.pinned)


def on_own_patch(character: Character, contact: Contact) -> Contact:
    """A new contact with its joint's usual patch, in the air where that is now; PoserError if there is no patch."""
    found = patches_on(character, contact.joint)
    if not found:
        raise PoserError(f"No patch of skin is known on the {contact.joint.replace('_', ' ')}. Choose another joint.")
    turn = joints_of(character).rotations[skeleton_of(character).index(found[0].joint)]
    return contact_of(found[0], place_of_patch(character, found[0]), -(turn @ found[0].normal))


def with_patch(character: Character, contact: Contact, patch: str) -> Contact:
    """A contact on the same surface with another of the person's patches."""
    made = contact_of(patches_of(character)[patch], contact.target, contact.facing, contact)
    return replace(made, source=contact.source, enabled=contact.enabled)


def let_go_of(character: Character, contact: Contact) -> Position:
    """A position effector in place of a contact, which holds the joint where it is now."""
    held = Position.on(skeleton_of(character), contact.joint, joints_of(character))
    return replace(
        held, id=contact.id, tolerance=contact.tolerance, pinned=contact.pinned, enabled=contact.enabled,
        loose=contact.loose,
    )  # fmt: skip


def on_skin(owner: Character, place: Array, but: Iterable[int] = ()) -> tuple[SkinSource, Array, Array]:
    """The point of somebody's skin nearest to `place`, (3,) metres: as a source, where it is, and its normal there.

    but: indices of joints whose skin does not count.
    """
    touched, world = skin(body_of(owner), owner.shape, owner.hands), joints_of(owner)
    point = nearest_point(touched, world, place, tuple(but))
    at, normal = touched.point_at(point.triangle, point.shares, world)
    rest = point.shares @ touched.vertices[touched.faces[point.triangle]]
    return SkinSource(owner.id, point.triangle, point.shares, spot=_patch_name(owner, rest)), at, normal


def on_own_skin(character: Character, joint: str, place: Array) -> tuple[SkinSource, Array, Array] | None:
    """As `on_skin`, of skin on which the joint's own skin can be held; None for the pelvis, which carries all of it."""
    own = own_limb(character, joint)
    return on_skin(character, place, own) if len(own) < len(skeleton_of(character)) else None


def on_patch(owner: Character, name: str) -> tuple[SkinSource | JointSource, Array, Array]:
    """The middle of one of somebody's patches as something to lie on: as `on_skin`.

    Where the skin has folded, as a shoulder's does when the arm comes down, it is a plane over what stands out, and
    goes along with the patch's joint.
    """
    patch = patches_of(owner)[name]
    middle = place_of_patch(owner, patch)
    rig = rig_of(skeleton_of(owner))
    own = {rig.find(role) for role in patch.row.carriers}  # others may come near, as an arm does to the ribs
    source, at, normal = on_skin(owner, middle, set(range(len(rig))) - own)
    world, j = joints_of(owner), skeleton_of(owner).index(patch.joint)
    outward = world.rotations[j] @ patch.normal
    if outward @ normal < FOLDED:
        posed = posed_skin(skin(body_of(owner), owner.shape, owner.hands), world)[np.unique(body_of(owner).faces)]
        around = posed[np.linalg.norm(posed - middle, axis=1) < SPANS]
        at, normal = plane_over(around, middle.astype(np.float64), outward.astype(np.float64))
        back = world.rotations[j].T
        return _with_joint(owner, patch.joint, back @ (at - world.positions[j]), back @ normal)
    lift = float((middle - at) @ normal)
    return replace(source, lift=lift, spot=patch.row.words), at + lift * normal, normal


def patch_and_joint(owner: Character, name: str) -> tuple[JointSource, Array, Array]:
    """The middle of a patch, as `on_patch`, but going along with the patch's joint alone.

    Skin bends about the joint; where both sides lie on each other, that would hold them a little apart.
    """
    patch = patches_of(owner)[name]
    return _with_joint(owner, patch.joint, patch.middle, patch.normal)


def _with_joint(owner: Character, joint: str, place: Array, normal: Array) -> tuple[JointSource, Array, Array]:
    """A place and a normal, (3,) in a joint's frame, that go along with the joint."""
    side = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    side /= np.linalg.norm(side)
    turn = np.stack([side, normal, np.cross(side, normal)], axis=1)
    world, j = joints_of(owner), skeleton_of(owner).index(joint)
    source = JointSource(owner.id, joint, np.asarray(place, np.float32), np.asarray(turn, np.float32))
    return source, world.positions[j] + world.rotations[j] @ place, world.rotations[j] @ normal


def place_of_patch(character: Character, patch: Patch) -> Array:
    """(3,) metres, where a patch of the person is now."""
    world, j = joints_of(character), skeleton_of(character).index(patch.joint)
    return world.positions[j] + world.rotations[j] @ patch.middle


def own_limb(character: Character, joint: str) -> frozenset[int]:
    """Indices of the joints whose skin a joint cannot be held on: its own limb's, else its own and those it carries."""
    rig = rig_of(skeleton_of(character))
    role = rig.role_of(joint)
    limb = next((limb for limb in LIMBS if role in limb.joints), None)
    if limb is not None:
        return frozenset(rig.index(name) for name in rig.names_of(limb.joints))
    below = {rig.index(joint)}
    for j, parent in enumerate(rig.parents):
        if parent in below:
            below.add(j)
    return frozenset(below)


def refitted(character: Character) -> Character:
    """The person with the patches of its hands where their skin now is, at its frame; the same where none moves."""
    effectors = fitted_on_hands(character.effectors, body_of(character), character.shape, character.hands)
    return character if effectors == character.effectors else replace(character, effectors=effectors)


def refitted_key(key: Key, body: str, shape: BodyShape) -> Key:
    """A key with every contact's patch where a body's skin has it."""
    effectors = fitted_to(key.effectors, load_body(body), shape, key.hands)
    return key if effectors is key.effectors else replace(key, effectors=effectors)


def seen_in_mirror(character: Character, effector: Effector, world: WorldJoints) -> Effector:
    """A mirrored contact with the person's own skin put on the skin that is now at its target; others as they are.

    world: where the person's joints are in the mirror.
    """
    source = effector.source
    if not isinstance(source, SkinSource) or source.character != character.id:
        return effector
    touched = skin(body_of(character), character.shape, character.hands)
    point = nearest_point(touched, world, effector.target)
    rest = point.shares @ touched.vertices[touched.faces[point.triangle]]
    there = replace(source, triangle=point.triangle, shares=point.shares, spot=_patch_name(character, rest))
    return replace(effector, source=there)


def _patch_name(owner: Character, rest: Array) -> str:
    """The name of the patch that is nearest to a place of the rest pose, (3,) metres."""
    rig = rig_of(skeleton_of(owner))
    known = patches_of(owner)
    away = {name: np.linalg.norm(rig.rest_positions[rig.index(p.joint)] + p.middle - rest) for name, p in known.items()}
    return PATCH_ROWS[min(away, key=lambda name: away[name])].words if away else ""
