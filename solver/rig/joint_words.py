"""Reading one joint's name: which side it is on, and which part of the body its words mean."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# What the words mean. Some are ambiguous ("shoulder" is the collar bone for one program and the upper arm for
# another); `joint_recognition` settles those by looking at the whole hierarchy.
MEANINGS: dict[str, tuple[str, ...]] = {
    "pelvis": ("hips", "pelvis"),
    "spine": ("spine",),
    "neck": ("neck", "lowerneck", "upperneck", "necklower", "neckupper"),
    "head": ("head",),
    "collar": ("collar", "clavicle", "clav", "collarbone", "scapula"),
    "shoulder": ("shoulder",),
    "upper arm": ("arm", "uarm", "uparm", "upperarm", "humerus", "shldr", "bicep"),
    "forearm": ("forearm", "farm", "loarm", "lowarm", "lowerarm", "radius", "elbow"),
    "wrist": ("wrist",),
    "hand": ("hand", "palm", "fist"),
    "middle finger": ("middle", "handmiddle", "fingermiddle", "middlefinger", "mid", "middleproximal"),
    "helper": ("hipjoint", "buttock"),
    "hip": ("hip",),
    "thigh": ("upleg", "upperleg", "thigh", "femur"),
    "leg": ("leg",),
    "shin": ("loleg", "lowleg", "lowerleg", "calf", "shin", "tibia", "knee"),
    "ankle": ("ankle",),
    "foot": ("foot", "feet"),
    "toes": ("toe", "toes", "toebase", "ball"),
}
_PART = {word: part for part, words in MEANINGS.items() for word in words}
# As MikuMikuDance has them, without their side.
_JAPANESE = {
    "首": "neck", "頭": "head", "肩": "shoulder", "腕": "upper arm", "ひじ": "forearm", "肘": "forearm",
    "手首": "wrist", "中指": "middle finger", "足": "thigh", "ひざ": "shin", "膝": "shin",
    "足首": "ankle", "つま先": "toes", "腰": "pelvis", "下半身": "pelvis",
}  # fmt: skip
_SIDES = {"left": "left", "l": "left", "lft": "left", "right": "right", "r": "right", "rgt": "right"}
_JAPANESE_SIDES = {"左": "left", "右": "right"}
_NOT_BONES = frozenset({
    "twist", "roll", "end", "nub", "ik", "fk", "pole", "target", "ctrl", "control", "helper", "effector", "site",
    "tip", "goal", "marker", "top",
})  # fmt: skip
# Also what marks the middle: "Head_M", "c_neck_jnt", "head.x".
_FILLERS = frozenset({
    "joint", "jnt", "bone", "bn", "jt", "bend", "bind", "bnd", "skin", "skn", "def", "stretch", "m", "c", "x",
})  # fmt: skip
_LONGEST = max(map(len, _PART)) + max(map(len, _SIDES))  # letters of a side with its part
_REMARK = re.compile(r"[\[(][^\])]*[\])]?")  # "NPC L Thigh [LThg]"
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class JointWords(NamedTuple):
    """side: "left", "right" or "". part: a key of MEANINGS, or "" for anything else."""

    side: str
    part: str


def joint_words(name: str) -> JointWords:
    """What a joint's name says, regardless of case, spaces, underscores, numbers, prefix and namespace."""
    plain = _REMARK.sub("", re.split(r"[:|]", unicodedata.normalize("NFKC", name))[-1])
    words = [word.lower() for word in _WORDS.findall(plain)]
    if not plain.isascii():
        return _japanese(plain, words)
    # iClone's necks turn, whatever their names say.
    if _NOT_BONES.intersection(words) - ({"twist"} if "neck" in words else set()):
        return JointWords("", "")
    side = next((_SIDES[word] for word in words if word in _SIDES), "")
    words = [word for word in words if word not in _SIDES]
    if not side:
        side, words = _glued_side(words)
    for kept in (words, [word for word in words if word not in _FILLERS]):
        for start in _ends(kept):
            part = _PART.get("".join(kept[start:]))
            if part:
                return JointWords(side, part)
    if "neck" in words and "twist" in words:
        return JointWords(side, "neck")
    return JointWords(side, "")


def _glued_side(words: list[str]) -> tuple[str, list[str]]:
    """The side if it is one word with the part: “leftarm”, “lfemur”, “Skeleton_LUArm”."""
    for start in _ends(words):
        end = "".join(words[start:])
        for prefix, side in _SIDES.items():
            if end.startswith(prefix) and end[len(prefix) :] in _PART:
                return side, [end[len(prefix) :]]
    return "", words


def _ends(words: list[str]) -> range:
    """Where a part may begin that the last words are: of a name without end, only as far back as the longest goes."""
    return range(max(0, len(words) - _LONGEST), len(words))


def _japanese(plain: str, words: list[str]) -> JointWords:
    """Side and part in a name like “左ひじ” or “ひじ.L”. Letters after the part (“左足IK”, “右肩P”) mark a helper, not
    a bone: both are empty then."""
    side = next((side for mark, side in _JAPANESE_SIDES.items() if mark in plain), "")
    side = side or next((_SIDES[word] for word in words if word in _SIDES), "")
    if any(word not in _SIDES for word in words):
        return JointWords("", "")
    letters = "".join(c for c in plain if c.isalpha() and not c.isascii() and c not in _JAPANESE_SIDES)
    return JointWords(side, _JAPANESE.get(letters, ""))
