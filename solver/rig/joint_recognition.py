"""Finding our 24 joints in a hierarchy of unknown names: SMPL, HumanIK, Mixamo, CMU, Biped, Unreal, VRM and kin."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.joint_words import JointWords, joint_words
from solver.rig.limb_recognition import recognise_limbs
from solver.rig.roles import ARMS, LEGS, SPINE
from solver.rig.shape_recognition import on_four_legs, recognise_by_shape
from solver.sentences import any_of

REQUIRED = (
    "pelvis",
    *(f"{side}_{part}" for part in ("hip", "knee", "shoulder", "elbow") for side in ("left", "right")),
)
# A family is told by names that no other one uses, letters and digits only.
_FAMILIES = (
    ("Mixamo", {"mixamorighips"}),
    ("SMPL", {"spine3", "leftknee", "leftankle", "leftcollar", "leftelbow"}),
    ("SMPL", {"spine3", "lknee", "lankle", "lcollar", "lelbow"}),
    ("CMU", {"lfemur", "ltibia", "lhumerus"}),
    ("CMU", {"lhipjoint", "leftupleg", "lowerback"}),
    ("3ds Max Biped", {"lthigh", "lcalf", "lupperarm"}),
    ("Unreal", {"thighl", "calfl", "upperarml"}),
    ("VRM", {"lupperleg", "llowerleg", "lupperarm"}),
    ("VRM", {"leftupperleg", "leftlowerleg", "leftupperarm"}),
    ("HumanIK", {"leftupleg", "leftleg", "leftforearm"}),
    ("Biovision", {"leftknee", "leftcollar", "leftelbow"}),
)
_PAIRS = [leg.root for leg in LEGS], [leg.hinge for leg in LEGS], [arm.root for arm in ARMS]
_STANDING = tuple(role for pair in _PAIRS for role in pair)
_HEIGHTS = 0.31, 0.54, 0.80  # of our spine's joints, from the middle between the hips to that between the shoulders
_THIGH, _ASIDE = 0.4, 0.3  # of that way: how far down knees are at least, how far off a spine is at most
_WAY_OUT = "Say which joint is which (docs/joint-maps.md), by --joint-map or in the window, which asks"


@dataclass(frozen=True)
class JointMap:
    """family: whose names these are, for the report. joints: our joint name -> index in the file's hierarchy.

    above: our joint name -> the next of our joints above it in the file. missing: our joints that the file lacks.
    extra: the file's joints that stand for none of ours; their motion is carried by the joints behind them.
    """

    family: str
    joints: dict[str, int]
    above: dict[str, str]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


class JointsUnknown(InputRefused):
    """Too few of a skeleton's joints were recognised to pose a body."""


def recognise_joints(
    names: Sequence[str], parents: Sequence[int], source: object, places: NDArray[np.floating] | None = None
) -> JointMap:
    """Our joints in a tree given as names and parents (parents first, -1 for a root).

    places: (J, 3) at rest, in any unit; if names tell too little, the shape of a standing body is looked for.
    Raises InputRefused with the joints that were not found if there are too few to pose a body.
    """
    found = joints_found(names, parents, places)
    lacking = lacking_roles(found)
    if lacking:
        raise JointsUnknown(source, _not_found(lacking), _WAY_OUT)
    if places is not None and on_four_legs(found, names, places):
        raise InputRefused(source, "its skeleton is that of an animal on four legs", "Choose the file of a human body")
    return joint_map_of(names, parents, found)


def joints_found(
    names: Sequence[str], parents: Sequence[int], places: NDArray[np.floating] | None = None
) -> dict[str, int]:
    """As many of our joints as names tell or, where these tell too little, the shape; not always enough for a body."""
    words = [joint_words(name) for name in names]
    found = recognise_limbs(words, parents)
    found |= trunk_joints(names, words, parents, found)
    if lacking_roles(found) and places is not None:
        shaped = recognise_by_shape(parents, places, [word.side for word in words])
        found = shaped | spine_between(shaped, parents) if shaped else found
    return found if places is None else spine_by_height(found, places)


def lacking_roles(joints: Mapping[str, int]) -> tuple[str, ...]:
    """Those of our joints without which no body can be posed, and which are not among these."""
    return tuple(joint for joint in REQUIRED if joint not in joints)


def joint_map_of(names: Sequence[str], parents: Sequence[int], found: Mapping[str, int]) -> JointMap:
    """The map of a hierarchy whose joints are known: our joint name -> index."""
    missing = tuple(joint for joint in SMPL_JOINTS if joint not in found)
    used = set(found.values())
    extra = tuple(name for j, name in enumerate(names) if j not in used)
    joints = {j: found[j] for j in SMPL_JOINTS if j in found}
    return JointMap(_family(names), joints, _next_above(joints, parents), missing, extra)


def _not_found(lacking: Sequence[str]) -> str:
    if len(lacking) == len(REQUIRED):
        return "no human body was recognised in its skeleton, neither by the joints' names nor by how they stand"
    return f"no joint in it could be recognised as {any_of(lacking).replace('_', ' ')}"


def _next_above(joints: dict[str, int], parents: Sequence[int]) -> dict[str, str]:
    ours = {j: name for name, j in joints.items()}
    lines = {name: [ours[up] for up in ancestors(j, parents)[1:] if up in ours] for name, j in joints.items()}
    return {name: line[0] for name, line in lines.items() if line}


def trunk_joints(
    names: Sequence[str], words: Sequence[JointWords], parents: Sequence[int], found: dict[str, int]
) -> dict[str, int]:
    """Pelvis, spine, neck and head: by the tree, as their names differ most. found: both hips, else there is none."""
    pelvis = _meeting(found.get("left_hip"), found.get("right_hip"), parents)
    if pelvis is None:
        return {}
    if words[pelvis].part == "spine":  # Biped hangs its legs from the spine, by default
        pelvis = next((j for j in ancestors(pelvis, parents) if words[j] == ("", "pelvis")), pelvis)
    trunk = {"pelvis": pelvis}
    middle = {part: [j for j, word in enumerate(words) if word == ("", part)] for part in ("neck", "head")}
    chest, spine = _chest(found | trunk, parents)
    trunk |= _spine([j for j in spine if j not in {*middle["neck"], *middle["head"]}])
    for above in (chest, pelvis, None):  # a prop may have a head as well
        necks, heads = ([j for j in middle[part] if above is None or above in ancestors(j, parents)] for part in middle)
        if necks or heads:
            break
    if necks:
        trunk["neck"] = necks[0]
        heads = [j for j in heads if necks[0] in ancestors(j, parents)]
    if heads:
        trunk["head"] = heads[0]
    if not necks and not heads and chest is not None:
        trunk |= _numbered_neck(names, words, parents, chest)
    return trunk


def _chest(found: dict[str, int], parents: Sequence[int]) -> tuple[int | None, list[int]]:
    """Where the arms come from, and the joints from above the pelvis up to there."""
    left, right = (found.get(f"{side}_collar", found.get(f"{side}_shoulder")) for side in ("left", "right"))
    chest = _meeting(left, right, parents)
    if chest is None:
        return None, []
    below = set(ancestors(found["pelvis"], parents))
    return chest, [j for j in reversed(ancestors(chest, parents)) if j not in below]


def spine_between(found: dict[str, int], parents: Sequence[int]) -> dict[str, int]:
    """Our joints of the spine between a pelvis and the joint that the arms hang from."""
    return _spine(_chest(found, parents)[1])


def _numbered_neck(
    names: Sequence[str], words: Sequence[JointWords], parents: Sequence[int], chest: int
) -> dict[str, int]:
    """Neck and head that are named like the spine, with higher numbers: Rigify's "spine.004" to "spine.006"."""
    line, stem = [chest], _letters(names[chest])
    while True:
        below = [j for j, parent in enumerate(parents) if parent == line[-1] and not words[j].side]
        same = [j for j in below if _letters(names[j]) == stem]
        if len(same) != 1 or not stem:
            break
        line.append(same[0])
    if len(line) < 3:
        return {"head": line[1]} if len(line) == 2 else {}
    return {"neck": line[1], "head": line[-1]}


def _letters(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalpha())


def _spine(joints: Sequence[int]) -> dict[str, int]:
    """Any number of spine joints, from low to high, assigned to our three."""
    if not joints:
        return {}
    if len(joints) == 1:
        return {"spine2": joints[0]}
    ends = {"spine1": joints[0], "spine3": joints[-1]}
    return ends if len(joints) == 2 else {**ends, "spine2": joints[len(joints) // 2]}


def spine_by_height(found: Mapping[str, int], places: NDArray[np.floating]) -> dict[str, int]:
    """The joints found, with a spine of one or two joints matched to those of ours that are about as high.

    Heights are measured from hips to shoulders. A spine of three joints is ours, wherever they are. places: (J, 3) at
    rest, in any unit.
    """
    spine = [found[role] for role in SPINE if role in found]
    if not 0 < len(spine) < len(SPINE) or not all(role in found for role in _STANDING):
        return dict(found)
    hips, knees, shoulders = (places[[found[role] for role in pair]].mean(axis=0) for pair in _PAIRS)
    way = shoulders - hips
    length = max(float(np.linalg.norm(way)), 1e-12)
    heights = (places[spine] - hips) @ way / length**2
    aside = np.linalg.norm(places[spine] - hips - heights[:, None] * way, axis=1) / length
    below = (knees - hips) @ way / length**2
    if below > -_THIGH or aside.max() > _ASIDE or (np.diff([0.0, *heights, 1.0]) <= 0).any():
        return dict(found)  # nobody who stands: places say nothing
    chosen = min(
        combinations(range(len(SPINE)), len(spine)),
        key=lambda those: float(np.abs(np.array(_HEIGHTS)[list(those)] - heights).sum()),
    )
    others = {name: joint for name, joint in found.items() if name not in SPINE}
    return others | {SPINE[one].value: joint for one, joint in zip(chosen, spine, strict=True)}


def ancestors(joint: int, parents: Sequence[int]) -> list[int]:
    """The joint itself, its parent, and so on to the root."""
    line = [joint]
    while parents[line[-1]] >= 0:
        line.append(parents[line[-1]])
    return line


def _meeting(a: int | None, b: int | None, parents: Sequence[int]) -> int | None:
    """The joint where the ways from a and b to the root meet."""
    if a is None or b is None:
        return None
    above = set(ancestors(a, parents)[1:])
    return next((j for j in ancestors(b, parents)[1:] if j in above), None)


def _family(names: Sequence[str]) -> str:
    plain = ["".join(c for c in name.lower() if c.isalnum()) for name in names]
    plain = [re.sub(r"mixamorig\d+", "mixamorig", name) for name in plain]  # numbered where a scene has several
    for family, signs in _FAMILIES:
        if all(any(name.endswith(sign) for name in plain) for sign in signs):
            return family
    return "other"
