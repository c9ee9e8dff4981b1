"""A file of the user's own character, chosen for a person who was posed here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from app.document.exchange.onto.own_character import own_character_in, several_people
from app.document.exchange.own.own_skin import own_skin
from app.document.model.own_skin import OwnSkin
from solver.errors import InputRefused
from solver.rig.joint_map_file import NO_MAPS, JointMaps

_WAY_OUT = "Choose a GLB, glTF or VRM file with its mesh"


class OwnSkinFile(NamedTuple):
    """hint: what was guessed, in sentences; "" if nothing was."""

    skin: OwnSkin
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
    return OwnSkinFile(replace(skin, shown=True), several_people(own, number, "drawn", "is left out", "are left out"))
