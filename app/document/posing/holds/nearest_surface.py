"""The surface nearest to a joint's skin, where no pointer says which: the floor, a prop, or somebody's skin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.document.model.document import Character
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import (
    UP,
    contact_of,
    facing_patch,
    on_own_skin,
    on_skin,
    patches_on,
    place_of_patch,
)
from app.document.posing.holds.grasping import hand_around
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import FloorSource


def resting_on_floor(character: Character, joint: str, like: Effector | None = None) -> Contact | None:
    """A contact of a joint with the floor below it; None if the joint has no patch.

    like: the effector whose place it takes.
    """
    patch = facing_patch(character, joint, UP)
    if patch is None:
        return None
    below = place_of_patch(character, patch) * (1.0 - UP)
    return replace(contact_of(patch, below, UP, like), source=FloorSource())


def held_here(
    character: Character,
    joint: str,
    everybody: Sequence[Character],
    props: Sequence[Prop] = (),
    like: Effector | None = None,
) -> Contact | None:
    """A contact of a joint with the surface nearest to one of its patches; None if it has none.

    everybody: people whose skin counts, the person's own except for the joint's limb. props: those that count.
    """
    found = resting_on_floor(character, joint, like)
    if found is None:
        return None
    nearest = min(abs(float(place_of_patch(character, patch)[1])) for patch in patches_on(character, joint))
    for owner in everybody:
        for patch in patches_on(character, joint):
            middle = place_of_patch(character, patch)
            itself = owner.id == character.id
            skin = on_own_skin(character, joint, middle) if itself else on_skin(owner, middle)
            if skin is None:
                continue
            source, at, normal = skin
            away = float(np.linalg.norm(at - middle))
            if away < nearest:
                nearest, found = away, replace(contact_of(patch, at, normal, like), source=source)
    for prop in props:
        for patch in patches_on(character, joint):
            middle = place_of_patch(character, patch)
            on_it, at, normal = nearest_on(prop, middle)
            away = float(np.linalg.norm(at - middle))
            if away < nearest:
                lying = replace(contact_of(patch, at, normal, like), source=on_it)
                nearest, found = away, hand_around(character, prop, joint, on_it, like) or lying
    return found
