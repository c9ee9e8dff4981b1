"""A pose or a motion back onto the user's own character, in a file with its own meshes, skin and joint names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from app.document.exchange.file_kind import kind_of
from app.document.exchange.open_file import EXCHANGED, JointsUnclear
from app.document.exchange.own.own_pose import own_motion, own_pose
from app.document.model.character import Character
from solver.errors import InputRefused
from solver.files.atomic import write_bytes
from solver.files.same_file import same_file
from solver.formats.bvh.file import BvhFile, BvhJointsUnknown
from solver.formats.bvh.mapping import exchanged_sides, question_about
from solver.formats.mesh.own_character import OwnCharacter, posed, read_own_character
from solver.rig.joint_map_file import NO_MAPS, JointMaps


class PosedCharacter(NamedTuple):
    """file: what was written. hint: what was guessed, in sentences; "" if nothing was."""

    file: Path
    hint: str


def own_character_in(path: Path, maps: JointMaps = NO_MAPS, ask_joints: bool = False) -> OwnCharacter:
    """The people of the user's file. InputRefused for one without a skeleton, or damaged. ask_joints: whether somebody
    can be asked; then JointsUnclear for a skeleton that is in doubt."""
    kind = kind_of(path)
    if kind not in ("bvh", "glb"):
        raise InputRefused(path, "is not a character with a skeleton", "Choose a BVH, GLB, glTF or VRM file")
    try:
        own = read_own_character(path, kind == "bvh", maps)
    except BvhJointsUnknown as error:
        _ask(path, [error.bvh], ask_joints)
        raise
    _ask(path, own.people, ask_joints)
    return own


def export_onto(
    path: str | os.PathLike[str],
    character: Character,
    own: OwnCharacter,
    whole_motion: bool = False,
    person: int | None = None,
) -> PosedCharacter:
    """Write the user's file again with their character in our character's pose; InputRefused if it cannot be written.

    own: as `own_character_in` reads it. whole_motion: all frames for somebody with a motion. person: which one of the
    file's people; by default the one with our character's name, else the first. Fingers go along where they were posed
    or came with a motion. Nothing is written over the user's own file.
    """
    target = Path(path)
    if same_file(target, own.path):
        raise InputRefused(target, "is your character's own file, which would be replaced", "Give another name")
    if target.suffix.lower() not in _suffixes(own):
        kind = "BVH" if own.suffix == ".bvh" else "GLB"
        raise InputRefused(
            target, f"the posed {own.path.name} is a {kind} file", f"Give it a name that ends in {own.suffix}"
        )
    known = person if person is not None and person < len(own.people) else None  # the file may be another by now
    number = own.person_of(character.name) if known is None else known
    write_bytes(target, posed(own, number, own_motion(character) if whole_motion else own_pose(character)))
    return PosedCharacter(target, _hint(own, number, known))


def _suffixes(own: OwnCharacter) -> tuple[str, ...]:
    return (own.suffix,) if own.suffix == ".bvh" else (own.suffix, ".vrm", ".vrma")


def several_people(own: OwnCharacter, number: int, done: str, one: str, many: str) -> str:
    """Which of a file's people was taken, where there are several. done: what with. one, many: what the others do."""
    if len(own.people) < 2:
        return ""
    who = own.names[number] or "the first one"
    rest = f"the other one {one}" if len(own.people) == 2 else f"the others {many}"
    return f"{own.path.name} holds {len(own.people)} people: {who} is {done}, {rest}."


def _hint(own: OwnCharacter, number: int, asked: int | None) -> str:
    hints = [several_people(own, number, "posed", "stays", "stay")] if asked is None and len(own.people) > 1 else []
    if exchanged_sides(own.people[number]):
        hints.append(EXCHANGED)
    return " ".join(hints)


def _ask(path: Path, people: Sequence[BvhFile], ask_joints: bool) -> None:
    questions = [question for bvh in people if (question := question_about(bvh))] if ask_joints else []
    if questions:
        raise JointsUnclear(path, questions)
