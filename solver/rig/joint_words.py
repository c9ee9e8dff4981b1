"""Reading one joint's name: which side it is on, and which part of the body its words mean."""

from __future__ import annotations

import re
from typing import NamedTuple

# What the words mean. Some are ambiguous ("shoulder" is the collar bone for one program and the upper arm for
# another); `joint_recognition` settles those by looking at the whole hierarchy.
MEANINGS: dict[str, tuple[str, ...]] = {
    "pelvis": ("hips", "pelvis"),
    "neck": ("neck", "lowerneck", "upperneck", "necklower", "neckupper"),
    "head": ("head",),
    "collar": ("collar", "clavicle", "clav", "collarbone", "scapula"),
    "shoulder": ("shoulder",),
    "upper arm": ("arm", "uparm", "upperarm", "humerus", "shldr", "bicep"),
    "forearm": ("forearm", "lowarm", "lowerarm", "radius", "elbow"),
    "wrist": ("wrist",),
    "hand": ("hand", "palm"),
    "middle finger": ("middle", "handmiddle", "fingermiddle", "middlefinger", "mid", "middleproximal"),
    "helper": ("hipjoint", "buttock"),
    "hip": ("hip",),
    "thigh": ("upleg", "upperleg", "thigh", "femur"),
    "shin": ("leg", "lowleg", "lowerleg", "calf", "shin", "tibia", "knee"),
    "ankle": ("ankle",),
    "foot": ("foot", "feet"),
    "toes": ("toe", "toes", "toebase", "ball"),
}
_PART = {word: part for part, words in MEANINGS.items() for word in words}
_SIDES = {"left": "left", "l": "left", "lft": "left", "right": "right", "r": "right", "rgt": "right"}
_NOT_BONES = frozenset({
    "twist", "roll", "end", "nub", "ik", "fk", "pole", "target", "ctrl", "control", "helper", "effector", "site",
    "tip", "goal", "marker", "top",
})  # fmt: skip
_FILLERS = frozenset({"joint", "jnt", "bone", "jt", "bend"})
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class JointWords(NamedTuple):
    """side: "left", "right" or "". part: a key of MEANINGS, or "" for anything else."""

    side: str
    part: str


def joint_words(name: str) -> JointWords:
    """What a joint's name says, whatever its case, spaces, underscores, numbers, prefix and namespace."""
    words = [word.lower() for word in _WORDS.findall(re.split(r"[:|]", name)[-1])]
    if _NOT_BONES.intersection(words):
        return JointWords("", "")
    side = next((_SIDES[word] for word in words if word in _SIDES), "")
    words = [word for word in words if word not in _SIDES]
    if not side:
        side, words = _glued_side(words)
    for kept in (words, [word for word in words if word not in _FILLERS]):
        for start in range(len(kept)):
            part = _PART.get("".join(kept[start:]))
            if part:
                return JointWords(side, part)
    return JointWords(side, "")


def _glued_side(words: list[str]) -> tuple[str, list[str]]:
    """The side where the name is one word in small letters: “leftarm”, “lfemur”."""
    whole = "".join(words)
    for prefix, side in _SIDES.items():
        if whole.startswith(prefix) and whole[len(prefix) :] in _PART:
            return side, [whole[len(prefix) :]]
    return "", words
