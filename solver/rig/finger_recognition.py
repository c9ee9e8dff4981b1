"""Finding the joints of fingers in a hierarchy of unknown names: SMPL, HumanIK, Mixamo, Biped, Unreal, MMD and kin.

The tree tells which hand a finger belongs to, and which of its joints comes first; names only tell fingers apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from solver.rig.roles import ARMS

WORDS = {
    "thumb": ("thumb", "親指"), "index": ("index", "pointer", "forefinger", "人指", "人差指"),
    "middle": ("middle", "mid", "中指"), "ring": ("ring", "薬指"),
    "pinky": ("pinky", "pinkie", "little", "small", "小指"),
}  # fmt: skip
# Biped's "L Finger21" is of the middle finger, "L Finger0" is the thumb; Rokoko and MakeHuman count them from 1.
NUMBERED = ("thumb", "index", "middle", "ring", "pinky")
NUMBER = re.compile(r"finger[ _]?(\d)", re.IGNORECASE)
BETWEEN = ("metacarpal", "carpal", "inhand", "base")  # bones within the palm; a thumb's counts as its first
NO_JOINTS = re.compile(r"end|tip|nub|site|twist|roll|helper|ctrl|control|_ik|target|先|捩", re.IGNORECASE)
FEWEST = 2  # fingers beside the thumb, of two joints or more: a file with fewer has a hand, not fingers


def recognise_fingers(names: Sequence[str], parents: Sequence[int], joints: Mapping[str, int]) -> dict[str, int]:
    """The fingers' joints by our names, such as "left_index1", as indices into the tree; none for a hand without
    fingers.

    names, parents: parents first, -1 for a root. joints: of the body, as `recognise_joints` found them.
    """
    found: dict[str, int] = {}
    for arm in ARMS:
        if arm.end in joints:
            hand = _hand(names, parents, joints[arm.end])
            long = [finger for finger, line in hand.items() if finger != "thumb" and len(line) > 1]
            if len(long) >= FEWEST:
                found |= {
                    f"{arm.side}_{finger}{i}": j
                    for finger, line in hand.items()
                    for i, j in enumerate(line[:3], start=1)
                }
    return found


def _hand(names: Sequence[str], parents: Sequence[int], wrist: int) -> dict[str, list[int]]:
    """The joints of each finger below a wrist, from the knuckle on."""
    below = {wrist}
    for j, parent in enumerate(parents):
        if parent in below:
            below.add(j)
    order = sorted(below - {wrist})
    numbers = {int(number[1]) for j in order if (number := NUMBER.search(names[j]))}
    first, fingers = int(5 in numbers and 0 not in numbers), dict[str, list[int]]()
    for j in order:
        finger = finger_of(names[j], first)
        if finger and (not fingers.get(finger) or _hangs_on(j, fingers[finger][-1], parents)):
            fingers.setdefault(finger, []).append(j)
    return fingers


def finger_of(name: str, first: int = 0) -> str:
    """Which finger a joint's name means; "" for none, and for a bone within the palm. first: the thumb's number."""
    plain = re.split(r"[:|]", name)[-1]
    if NO_JOINTS.search(plain):
        return ""
    plain = plain.lower()
    words = "".join(c for c in plain if c.isalpha())
    finger = next((finger for finger, spelt in WORDS.items() if any(word in words for word in spelt)), "")
    number = NUMBER.search(plain)
    if not finger and number and 0 <= int(number[1]) - first < len(NUMBERED):
        finger = NUMBERED[int(number[1]) - first]
    if finger != "thumb" and any(word in words for word in BETWEEN):
        return ""
    return finger


def _hangs_on(joint: int, above: int, parents: Sequence[int]) -> bool:
    while joint >= 0:
        if joint == above:
            return True
        joint = parents[joint]
    return False
