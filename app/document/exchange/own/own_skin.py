"""The user's own character from its file, as the view draws it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.document.model.character import Character
from app.document.model.own_skin import OwnSkin
from solver.errors import InputRefused
from solver.formats.told import is_ours

if TYPE_CHECKING:
    from solver.formats.bvh.file import BvhFile
    from solver.formats.gltf.skeletons import GltfPeople

COLOURED = ("suit", "flat")  # looks
COLOURS = "Look › Suit and Flat show its colours."
SEEN = 0.02  # of a linear colour's channel, that two are apart
INSTEAD = "Our body is drawn in its place."


def own_skin(found: GltfPeople, person: BvhFile) -> OwnSkin | None:
    """What is drawn of one of a file's people; None for bones without a skin. InputRefused for a skin that cannot be
    drawn, because it is damaged, packed in a way that is not read, or too large."""
    from solver.formats.mesh.packed_skin import packed_skin  # reads glTF, which few files need

    packed = packed_skin(found, person)
    if packed is None:
        return None
    ours = is_ours(found.gltf.content)
    own = OwnSkin(file_name(found.gltf.path), packed, shown=not ours)  # our own body is better drawn as such
    own.rig()
    return own


def own_skins(found: GltfPeople) -> tuple[list[OwnSkin | None], str]:
    """For each of a file's people what is drawn; and a sentence for whom it cannot be drawn, "" if it can."""
    skins: list[OwnSkin | None] = []
    hint = ""
    for person in found.people:
        try:
            skins.append(own_skin(found, person))
        except InputRefused as refused:
            skins.append(None)
            hint = f"{refused} {INSTEAD}"
    return skins, hint


def hidden_colours(people: Iterable[Character], look: str) -> str:
    """A sentence for colours of these people's own skins that the look does not show; "" if there are none."""
    skins = (person.own_skin.rig() for person in people if person.own_skin is not None and person.own_skin.shown)
    differ = ((np.ptp(rig.colors, axis=0) > SEEN).any() for rig in skins if len(rig.colors))
    return COLOURS if look not in COLOURED and any(differ) else ""


def file_name(path: Path) -> str:
    """A file's name as text that any program can write."""
    return path.name.encode("utf-8", "replace").decode("utf-8")
