"""A file of the user's own character, chosen for a person who was posed here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from app.document.edits.body import set_body, set_own_skin
from app.document.exchange.onto.own_character import own_character_in, several_people
from app.document.exchange.own.own_skin import own_skin
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.model.own_skin import OwnSkin
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body, origin_of
from solver.errors import InputRefused
from solver.formats.mesh.own_body import own_body
from solver.rig.joint_map_file import NO_MAPS, JointMaps

_WAY_OUT = "Choose a GLB, glTF or VRM file with its mesh"


class OwnSkinFile(NamedTuple):
    """body, shape: with joints where the character has them. hint: what was guessed, in sentences; "" for nothing."""

    skin: OwnSkin
    body: str
    shape: BodyShape
    hint: str


def own_skin_in(path: Path, name: str, maps: JointMaps = NO_MAPS, ask_joints: bool = False) -> OwnSkinFile:
    """The skin in a file: of the one of its people with our person's name, else of the first. InputRefused for a file
    without one. ask_joints: whether somebody can be asked; then JointsUnclear for a skeleton that is in doubt."""
    own = own_character_in(path, maps, ask_joints)
    if own.skeletons is None:
        raise InputRefused(path, "has joints but no skin", _WAY_OUT)
    number = own.person_of(name)
    skin = own_skin(own.skeletons, own.people[number])
    if skin is None:
        raise InputRefused(path, "has joints but no skin", _WAY_OUT)
    body, fit = own_body(skin.rig(), load_body(DEFAULT_BODY))
    hint = several_people(own, number, "drawn", "is left out", "are left out")
    return OwnSkinFile(replace(skin, shown=True), body, fit.shape, hint)


def drawn_as(character_id: str, found: OwnSkinFile) -> Edit:
    """Draw somebody as that character, and give them its body, so that its joints are where the handles are.

    Whoever has a body of official files keeps it.
    """

    def edit(document: Document) -> Document:
        if origin_of(document.character(character_id).body) == DEFAULT_BODY:
            document = set_body(character_id, found.body, found.shape)(document)
        return set_own_skin(character_id, found.skin)(document)

    return edit
