"""Maps of foreign skeletons' joints in files: one that somebody wrote, and those that a user chose, by skeleton."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from types import MappingProxyType

from solver.errors import InputRefused
from solver.files.atomic import make_folder, reason_of, write_text
from solver.files.json_checks import Node, parse_json
from solver.files.reading import MEBIBYTE, read_text
from solver.rig.foreign_skeleton import ForeignSkeleton
from solver.rig.joint_guess import guess_joints
from solver.rig.joint_map_check import check_joint_map, wrong_sides
from solver.rig.roles import SMPL_ROLES

FORMAT, KEPT_FORMAT, VERSION = "contrapposto-joint-map", "contrapposto-joint-maps", 1
MOST_KEPT = 500  # skeletons whose maps are remembered, the latest ones
_MOST_BYTES = 16 * MEBIBYTE
_WAY_OUT = "Correct the joint map (docs/joint-maps.md)"

Labels = Mapping[str, str | None]  # our joint name -> the label of the file's joint; None for none
_NOTHING: Mapping[str, Labels] = MappingProxyType({})


@dataclass(frozen=True)
class JointMaps:
    """What is known about skeletons beforehand.

    chosen: a whole map for each skeleton, known by its signature and by which sides its names exchange: what turns one
    rig right would turn round another one of the same names. everywhere: for all skeletons, from the file `source`;
    our joints that it does not mention are recognised as ever.
    """

    chosen: Mapping[str, Labels] = field(default_factory=lambda: _NOTHING)
    everywhere: Labels | None = None
    source: str = ""

    def with_choice(self, skeleton: ForeignSkeleton, joints: Mapping[str, int]) -> JointMaps:
        """With a map for a skeleton, in place of an earlier one."""
        mine = _key(skeleton)
        others = {key: labels for key, labels in self.chosen.items() if key != mine}
        latest = dict([*others.items(), (mine, labels_of(skeleton, joints))][-MOST_KEPT:])
        return replace(self, chosen=latest)

    def chosen_for(self, skeleton: ForeignSkeleton) -> dict[str, int] | None:
        """The map that was chosen for a skeleton, our joint name -> index; None if there is none that fits."""
        if not any(key.startswith(skeleton.signature) for key in self.chosen):
            return None
        labels = self.chosen.get(_key(skeleton), {})
        found = {role: skeleton.index_of(label) for role, label in labels.items() if label is not None}
        joints = {role: j for role, j in found.items() if j is not None}
        fits = len(joints) == len(found) and not any(fault.blocking for fault in check_joint_map(skeleton, joints))
        return joints if fits else None  # nothing fits where only rigs with other sides are known

    def given_for(self, skeleton: ForeignSkeleton) -> dict[str, int] | None:
        """The map that the file for all skeletons gives; None if there is no such file. InputRefused for a map that
        names joints which the skeleton lacks, or cannot be right."""
        if self.everywhere is None:
            return None
        joints = guess_joints(skeleton).joints
        for role, label in self.everywhere.items():
            joints.pop(role, None)
            if label is None:
                continue
            index = skeleton.index_of(label)
            if index is None:
                raise InputRefused(
                    self.source, f"the skeleton has no joint named “{label}”", _WAY_OUT, f"joints.{role}"
                )
            joints = {other: j for other, j in joints.items() if j != index or other in self.everywhere}
            joints[role] = index
        blocking = [fault.text for fault in check_joint_map(skeleton, joints) if fault.blocking]
        if blocking:
            raise InputRefused(self.source, blocking[0].rstrip("."), _WAY_OUT)
        return joints


NO_MAPS = JointMaps()


def _key(skeleton: ForeignSkeleton) -> str:
    """What a skeleton is known by."""
    return "-".join([skeleton.signature, *wrong_sides(skeleton, guess_joints(skeleton).joints)])


def labels_of(skeleton: ForeignSkeleton, joints: Mapping[str, int]) -> dict[str, str | None]:
    """A map as it stands in files: each of our 24 joints with the label of the skeleton's joint."""
    return {role.value: skeleton.labels[joints[role]] if role in joints else None for role in SMPL_ROLES}


def read_joint_map(path: str | os.PathLike[str]) -> JointMaps:
    """The map of a file, for every skeleton. InputRefused otherwise."""
    top = _top(path, FORMAT)
    return JointMaps(everywhere=_labels(top["joints"]), source=str(path))


def write_joint_map(path: str | os.PathLike[str], labels: Labels) -> None:
    """Write one map. InputRefused if it cannot be written."""
    write_text(path, _text({"format": FORMAT, "version": VERSION, "joints": dict(labels)}))


def read_kept_maps(path: Path) -> JointMaps:
    """The maps that a user chose; none if there is no such file. InputRefused for a damaged one."""
    if not path.exists():
        return NO_MAPS
    skeletons = _top(path, KEPT_FORMAT)["skeletons"]
    return JointMaps({key: _labels(labels) for key, labels in skeletons.entries(MOST_KEPT)})


def write_kept_maps(path: Path, maps: JointMaps) -> None:
    """Keep the maps that a user chose. InputRefused if the file or its folder cannot be made."""
    skeletons = {key: dict(labels) for key, labels in maps.chosen.items()}
    make_folder(path.parent, "Create it, or remove what is in its place")
    write_text(path, _text({"format": KEPT_FORMAT, "version": VERSION, "skeletons": skeletons}))


def set_aside(path: Path) -> Path:
    """Rename a file of kept maps to a free name beside it, and return that. InputRefused if it cannot be renamed."""
    names = (f"{path.stem}-unread{'' if n == 1 else f'-{n}'}{path.suffix}" for n in count(1))
    free = next(there for name in names if not (there := path.with_name(name)).exists())
    try:
        path.rename(free)
    except OSError as error:
        raise InputRefused(path, "cannot be renamed", f"Move it elsewhere ({reason_of(error)})") from error
    return free


def _text(content: Mapping[str, object]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=True) + "\n"


def _top(path: str | os.PathLike[str], format: str) -> Node:
    top = parse_json(read_text(path, _MOST_BYTES), path)
    if not isinstance(top.value, dict) or top.value.get("format") != format:
        top.refuse("is not a joint map", f'A joint map has "format": "{format}" (docs/joint-maps.md)')
    top["version"].integer(VERSION, VERSION)
    return top


def _labels(node: Node) -> dict[str, str | None]:
    roles = {role.value for role in SMPL_ROLES}
    found: dict[str, str | None] = {}
    for role, label in node.entries():
        if role not in roles:
            label.refuse("is not one of the 24 joints of our body", _WAY_OUT)
        if label.value is not None and not isinstance(label.value, str):
            label.refuse("is not a joint's name", _WAY_OUT)
        found[role] = label.value
    return found
