"""Two people of a record brought to hold each other, as the library brings those who take their pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.pose_files import held_on_others
from app.document.library.touching import HIGHEST
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, on_skin, patch_and_joint, patches_of, place_of_patch
from app.document.posing.holds.shaped_hands import with_hand_held
from scripts.starting_poses.record import Figure, Hold, Turn
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import SkinSource
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

MISSED = 5e-4  # metres


def person_of(character: Character) -> PosePerson:
    """Somebody as a pose file has them, with what they hold."""
    return PosePerson(
        "",
        skeleton_of(character),
        character.pose,
        character.id,
        character.body,
        character.shape,
        character.effectors,
        hands=character.hands,
    )


def holding_each_other(people: Sequence[Character], figures: Sequence[Figure]) -> tuple[PosePerson, ...]:
    """The people in their poses, with hands and arms where the figures say that they lie on the other one."""
    document = Document().with_characters(tuple(people))
    for person, figure in zip(people, figures, strict=True):
        for hold in figure.holds:
            if hold.bent is not None:
                document = document.with_character(
                    with_hand_held(document.character(person.id), hold.patch, "cupped", hold.bent)
                )
            elif not hold.onto:
                document = edits.lay_hand(person.id, hold.patch)(document)
    there = document.characters
    held = tuple(
        replace(person_of(one), effectors=tuple(_contact(each, figure, one, other) for each in figure.holds))
        for one, other, figure in zip(there, reversed(there), figures, strict=True)
    )
    done = take_pose(there[0].id, PoseFile(held), Taking(place=True))(document)
    found = tuple(map(person_of, map(_where_it_lies, done.characters, reversed(done.characters))))
    return tuple(replace(each, effectors=held_on_others(each, found)) for each in found)


def _where_it_lies(holder: Character, owner: Character) -> Character:
    """The holder with hands asked to lie where they came to lie on the other one's skin, if that is beside what was
    asked: so whoever takes the pose has nothing missed."""

    def found(effector: Effector) -> Effector:
        if not (isinstance(effector, Contact) and isinstance(effector.source, SkinSource)):
            return effector
        if effector.residual(skeleton_of(holder), joints_of(holder)) < MISSED:
            return effector
        place = effector.held_at(skeleton_of(holder), joints_of(holder))
        skin, at, normal = on_skin(owner, place)
        return replace(effector, source=replace(skin, lift=float(np.clip((place - at) @ normal, 0.0, HIGHEST))))

    return replace(holder, effectors=tuple(map(found, holder.effectors)))


def _contact(hold: Hold, figure: Figure, holder: Character, owner: Character) -> Contact:
    patch = patches_of(holder)[hold.patch]
    if hold.onto:
        source, at, normal = patch_and_joint(owner, hold.onto)
        return replace(contact_of(patch, at, normal), source=source)
    place = place_of_patch(holder, patch)
    if hold.at is not None:
        place = Turn(yaw=figure.yaw).matrix @ np.array(hold.at) + [figure.x, 0.0, figure.z]
    rig = rig_of(skeleton_of(owner))
    arms = [rig.index(name) for name in rig.names_of(role for arm in ARMS for role in arm.joints[1:])]
    skin, at, normal = on_skin(owner, place, arms)
    return replace(contact_of(patch, at, normal), source=skin)
