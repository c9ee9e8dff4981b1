"""Finding our 24 joints in a hierarchy of unknown names: SMPL, HumanIK, Mixamo, CMU, Biped, Unreal, VRM and kin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.errors import InputRefused
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.joint_words import JointWords, joint_words

_CHAINS = tuple(
    tuple(f"{side}_{part}" for part in chain)
    for side in ("left", "right")
    for chain in (("hip", "knee", "ankle", "foot"), ("collar", "shoulder", "elbow", "wrist", "hand"))
)
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
    ("HumanIK", {"leftupleg", "leftleg", "leftforearm"}),
    ("Biovision", {"leftknee", "leftcollar", "leftelbow"}),
)


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


def recognise_joints(names: Sequence[str], parents: Sequence[int], source: object) -> JointMap:
    """Our joints in a tree given as names and parents (parents first, -1 for a root).

    Raises InputRefused with the joints that were not found when too few are there to pose a body.
    """
    words = [joint_words(name) for name in names]
    found = _limbs(words)
    for chain in _CHAINS:
        _drop_misplaced(found, chain, parents)
    found |= _trunk(words, parents, found)
    missing = tuple(joint for joint in SMPL_JOINTS if joint not in found)
    lacking = [joint for joint in REQUIRED if joint in missing]
    if lacking:
        raise InputRefused(
            source,
            f"no joint in it could be recognised as {', '.join(lacking)}",
            "Name the joints as SMPL, HumanIK or Mixamo do",
        )
    used = set(found.values())
    extra = tuple(name for j, name in enumerate(names) if j not in used)
    joints = {j: found[j] for j in SMPL_JOINTS if j in found}
    return JointMap(_family(names), joints, _next_above(joints, parents), missing, extra)


def _next_above(joints: dict[str, int], parents: Sequence[int]) -> dict[str, str]:
    ours = {j: name for name, j in joints.items()}
    lines = {name: [ours[up] for up in _ancestors(j, parents)[1:] if up in ours] for name, j in joints.items()}
    return {name: line[0] for name, line in lines.items() if line}


def _limbs(words: Sequence[JointWords]) -> dict[str, int]:
    found: dict[str, int] = {}
    for side in ("left", "right"):
        first: dict[str, int] = {}
        for j, word in enumerate(words):
            if word.side == side and word.part:
                first.setdefault(word.part, j)
        # "Shoulder" is the collar bone where another joint is the upper arm; so with hand and wrist, foot and ankle.
        has_arm, has_wrist, has_ankle = (part in first for part in ("upper arm", "wrist", "ankle"))
        choices = {
            "collar": ("collar", "shoulder") if has_arm else ("collar",),
            "shoulder": ("upper arm",) if has_arm else ("shoulder",),
            "elbow": ("forearm",),
            "wrist": ("wrist", "hand"),
            "hand": ("hand", "middle finger") if has_wrist else ("middle finger",),
            "hip": ("thigh", "hip"),
            "knee": ("shin",),
            "ankle": ("ankle", "foot"),
            "foot": ("toes", "foot") if has_ankle else ("toes",),
        }
        for joint, parts in choices.items():
            part = next((part for part in parts if part in first), None)
            if part:
                found[f"{side}_{joint}"] = first[part]
    return found


def _drop_misplaced(found: dict[str, int], chain: Sequence[str], parents: Sequence[int]) -> None:
    """Drops joints of a limb that do not hang below the one before them."""
    above: int | None = None
    for joint in chain:
        if joint not in found:
            continue
        if above is not None and above not in _ancestors(found[joint], parents)[1:]:
            del found[joint]
        else:
            above = found[joint]


def _trunk(words: Sequence[JointWords], parents: Sequence[int], found: dict[str, int]) -> dict[str, int]:
    """Pelvis, spine, neck and head: by the tree, since their names differ most."""
    trunk: dict[str, int] = {}
    pelvis = _meeting(found.get("left_hip"), found.get("right_hip"), parents)
    if pelvis is None:
        return trunk
    trunk["pelvis"] = pelvis
    middle = {part: [j for j, word in enumerate(words) if word == ("", part)] for part in ("neck", "head")}
    left, right = (found.get(f"{side}_collar", found.get(f"{side}_shoulder")) for side in ("left", "right"))
    chest = _meeting(left, right, parents)
    if chest is not None:
        below = set(_ancestors(pelvis, parents))
        spine = [j for j in reversed(_ancestors(chest, parents)) if j not in below | {*middle["neck"], *middle["head"]}]
        trunk |= _spine(spine)
    neck = next(iter(middle["neck"]), None)
    if neck is not None:
        trunk["neck"] = neck
    head = next((j for j in middle["head"] if neck is None or neck in _ancestors(j, parents)), None)
    if head is not None:
        trunk["head"] = head
    return trunk


def _spine(joints: Sequence[int]) -> dict[str, int]:
    """Any number of spine joints, from low to high, assigned to our three."""
    if not joints:
        return {}
    if len(joints) == 1:
        return {"spine2": joints[0]}
    ends = {"spine1": joints[0], "spine3": joints[-1]}
    return ends if len(joints) == 2 else {**ends, "spine2": joints[len(joints) // 2]}


def _ancestors(joint: int, parents: Sequence[int]) -> list[int]:
    """The joint itself, its parent, and so on to the root."""
    line = [joint]
    while parents[line[-1]] >= 0:
        line.append(parents[line[-1]])
    return line


def _meeting(a: int | None, b: int | None, parents: Sequence[int]) -> int | None:
    """The joint where the ways from a and b to the root meet."""
    if a is None or b is None:
        return None
    above = set(_ancestors(a, parents)[1:])
    return next((j for j in _ancestors(b, parents)[1:] if j in above), None)


def _family(names: Sequence[str]) -> str:
    plain = ["".join(c for c in name.lower() if c.isalnum()) for name in names]
    for family, signs in _FAMILIES:
        if all(any(name.endswith(sign) for name in plain) for sign in signs):
            return family
    return "other"
