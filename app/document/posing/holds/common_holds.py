"""Common holds as contacts: between which people, on which sides, and how hands are held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, on_patch, patch_and_joint, patches_of, place_of_patch
from app.document.posing.hold_table import PALMS, CommonHold
from solver.contact.patch_table import side_of
from solver.effectors.contact import Contact
from solver.effectors.sources import Source
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, SIDES

Array = NDArray[np.floating]
NEARLY = 0.05  # metres from where a hold has the hands, within which it does not start anew


def nearest_other(character: Character, everybody: Sequence[Character]) -> Character | None:
    """The nearest other visible person; None where there is nobody else."""
    others = [c for c in everybody if c.id != character.id and c.visible]
    root = character.pose.root_position
    return min(others, key=lambda c: float(np.linalg.norm(c.pose.root_position - root)), default=None)


def contacts_of(hold: CommonHold, character: Character, other: Character | None) -> list[tuple[str, Contact]]:
    """The contacts of a hold, each with the id of its person; none where somebody or some skin is lacking."""
    pairs: Iterable[tuple[Character, str, Character, str]]
    if not hold.needs_two:
        pairs = ((character, patch, character, own) for patch, own in hold.pairs)
    elif other is None:
        return []
    else:
        pairs = _of_two(hold, character, other)
    made = []
    for holder, patch, owner, of in pairs:
        if patch not in patches_of(holder) or of not in patches_of(owner):
            return []
        found: tuple[Source, Array, Array] = patch_and_joint(owner, of) if hold.mutual else on_patch(owner, of)
        source, place, normal = found
        made.append((holder.id, replace(contact_of(patches_of(holder)[patch], place, normal), source=source)))
    return made


def with_arms_at_start(hold: CommonHold, character: Character) -> Character:
    """The character with its arms where a hold starts from; the same if any will do or its hands are nearly there."""
    if not hold.begin:
        return character
    skeleton, world = skeleton_of(character), joints_of(character)
    if all(contact.residual(skeleton, world) < NEARLY for _, contact in contacts_of(hold, character, None)):
        return character
    rotations = np.array(character.pose.rotations)
    for role, turn in hold.begin:
        rotations[rig_of(skeleton).joint(role)] = from_rotation_vector(np.array(turn))
    return replace(character, pose=Pose(character.pose.root_position, rotations))


def _of_two(hold: CommonHold, one: Character, other: Character) -> Iterator[tuple[Character, str, Character, str]]:
    mine, theirs = patches_of(one), patches_of(other)
    ways = [(a, b) for a in PALMS for side in SIDES if a in mine and (b := f"{side}_{hold.onto}") in theirs]
    if not ways:
        return

    def apart(way: tuple[str, str]) -> float:
        between = float(np.linalg.norm(place_of_patch(one, mine[way[0]]) - place_of_patch(other, theirs[way[1]])))
        if not hold.mutual:
            return between  # where both reach out, a raised hand counts less than how far its arm has to come
        shoulders = (_shoulder(person, patch) for person, patch in ((one, way[0]), (other, way[1])))
        return between + float(np.linalg.norm(np.subtract(*shoulders)))

    patch, onto = min(ways, key=apart)
    yield one, patch, other, onto
    if hold.mutual:
        yield other, onto, one, patch


def _shoulder(character: Character, patch: str) -> Array:
    """(3,) metres, of the arm that a hand's patch is on."""
    arm = ARMS[side_of(patch)]
    return joints_of(character).positions[rig_of(skeleton_of(character)).joint(arm.root)]
