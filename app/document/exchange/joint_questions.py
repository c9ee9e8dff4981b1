"""The people of a file with the joints that stand for ours, to be looked at and corrected by hand."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from app.document.exchange.file_kind import kind_of
from app.document.model.actor import with_clip
from app.document.model.document import Document
from app.document.model.history import Edit
from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile, BvhJointsUnknown
from solver.formats.bvh.mapping import foreign_skeleton
from solver.formats.bvh.people import people_of
from solver.formats.bvh.person_names import names_of_people
from solver.formats.bvh.read import read_bvh
from solver.formats.gltf.skeletons import read_skeletons
from solver.rig.foreign_skeleton import ForeignSkeleton
from solver.rig.joint_guess import JointGuess, guess_joints
from solver.rig.joint_map_file import JointMaps


class MappedPerson(NamedTuple):
    """name: as the person is called whom the file becomes. guess: the joints as they are read now, given or guessed."""

    name: str
    skeleton: ForeignSkeleton
    guess: JointGuess


def mapped_people(path: Path, maps: JointMaps) -> list[MappedPerson]:
    """The people of a file in its order. InputRefused for a file without joints of its own."""
    files = _people(path, maps)
    names = names_of_people(files) if len(files) > 1 else [path.stem]
    return [_mapped(bvh, name) for bvh, name in zip(files, names, strict=True)]


def in_same_place(edit: Edit, character_id: str) -> Edit:
    """The edit with the character's clip where it was, at the frame looked at."""

    def placed(document: Document) -> Document:
        before, after = document.character(character_id), edit(document)
        character = after.character(character_id)
        clip = character.clip.placed(before.clip.placement)
        return after.with_character(with_clip(character, clip, min(before.frame, len(clip) - 1)))

    return placed


def _people(path: Path, maps: JointMaps) -> list[BvhFile]:
    kind = kind_of(path)
    if kind == "bvh":
        return people_of(read_bvh(path), maps)
    if kind != "glb":
        raise InputRefused(path, "has no joints of its own to choose from", "Choose a BVH, GLB, glTF or VRM file")
    try:
        return read_skeletons(path, maps).people
    except BvhJointsUnknown as error:
        return [error.bvh]


def _mapped(bvh: BvhFile, name: str) -> MappedPerson:
    skeleton = foreign_skeleton(bvh)
    guess = guess_joints(skeleton)
    if bvh.given is not None:
        guess = _chosen(guess, dict(bvh.given))
    return MappedPerson(name, skeleton, guess)


def _chosen(guess: JointGuess, joints: dict[str, int]) -> JointGuess:
    """A guess with the joints that somebody chose, of which nothing is doubtful."""
    return guess._replace(joints=joints, doubts={}, question="")
