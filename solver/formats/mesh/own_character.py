"""A pose or a motion of ours back onto the user's own character: their file again, with their rig posed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.onto_rig import OwnMotion, onto_rig
from solver.formats.bvh.people import people_of
from solver.formats.bvh.person_names import names_of_people
from solver.formats.bvh.read import parse_bvh
from solver.formats.bvh.text import read_bvh_text
from solver.formats.bvh.write_onto import bvh_onto
from solver.formats.gltf.skeletons import GltfPeople, read_skeletons
from solver.formats.mesh.own_glb import glb_onto
from solver.rig.joint_map_file import NO_MAPS, JointMaps


class OwnCharacter(NamedTuple):
    """A file with somebody to be posed. people: in its order. names: "" for those whom it does not name.

    text: of a BVH file. whole: what that holds. skeletons: of a glTF file.
    """

    path: Path
    people: Sequence[BvhFile]
    names: Sequence[str]
    text: str = ""
    whole: BvhFile | None = None
    skeletons: GltfPeople | None = None

    @property
    def suffix(self) -> str:
        """Of the file that `posed` makes: ".bvh" or ".glb"."""
        return ".glb" if self.whole is None else ".bvh"

    def person_of(self, name: str) -> int:
        """Which of the people is called so; the first one where nobody is."""
        return next((place for place, other in enumerate(self.names) if other and other == name), 0)


def read_own_character(path: Path, is_bvh: bool, maps: JointMaps = NO_MAPS) -> OwnCharacter:
    """The people of a BVH or glTF file, as they are read when it is opened. InputRefused for a file that is damaged or
    has no skeleton; BvhJointsUnknown where somebody has to say which joint is which."""
    if is_bvh:
        text = read_bvh_text(path)
        whole = parse_bvh(text, path)
        people = people_of(whole, maps)
        for person in people:
            _ = person.joint_map
        return OwnCharacter(path, people, _names(people), text, whole)
    skeletons = read_skeletons(path, maps)
    return OwnCharacter(path, skeletons.people, _names(skeletons.people), skeletons=skeletons)


def posed(character: OwnCharacter, person: int, own: OwnMotion) -> bytes:
    """The file again with one of its people in a motion, or in a pose of one frame: BVH text, or GLB whatever kind of
    glTF it was. InputRefused if it cannot be."""
    bvh = character.people[person]
    rig = onto_rig(bvh, own)
    if character.whole is not None:
        return bvh_onto(character.text, character.whole, bvh, rig).encode("utf-8")
    assert character.skeletons is not None, "a file is BVH or glTF"
    return glb_onto(character.skeletons, bvh, rig)


def _names(people: Sequence[BvhFile]) -> list[str]:
    return names_of_people(people) if len(people) > 1 else ["" for _ in people]
