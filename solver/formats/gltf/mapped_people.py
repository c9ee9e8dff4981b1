"""The people of a BVH or glTF file with the joints that stand for ours, to be looked at and corrected by hand."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

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
    """name: as somebody is called whom the file becomes. guess: the joints as they are read now, given or guessed."""

    name: str
    skeleton: ForeignSkeleton
    guess: JointGuess


def mapped_people(path: Path, is_bvh: bool, maps: JointMaps) -> list[MappedPerson]:
    """The people of a file in its order; InputRefused if it cannot be read, or holds no skeleton. Where nobody is
    recognised, the largest skeleton is somebody."""
    files = people_of(read_bvh(path), maps) if is_bvh else _gltf_people(path, maps)
    names = names_of_people(files) if len(files) > 1 else [files[0].person or path.stem]
    return [_mapped(bvh, name) for bvh, name in zip(files, names, strict=True)]


def _gltf_people(path: Path, maps: JointMaps) -> list[BvhFile]:
    try:
        return read_skeletons(path, maps).people
    except BvhJointsUnknown as error:
        return [error.bvh]


def _mapped(bvh: BvhFile, name: str) -> MappedPerson:
    skeleton = foreign_skeleton(bvh)
    if bvh.given is not None:
        return MappedPerson(name, skeleton, JointGuess(dict(bvh.given), {}, ""))
    return MappedPerson(name, skeleton, guess_joints(skeleton))
