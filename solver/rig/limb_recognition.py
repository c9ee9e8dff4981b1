"""Finding arms and legs by what joints' names say: the fullest chain of joints that hang from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product

from solver.rig.joint_words import JointWords
from solver.rig.roles import SIDES

# What the words of a chain's joints can mean, from the trunk outward; earlier readings win over later ones that find
# no more. "Shoulder" is the collar bone if another joint is the upper arm, "leg" the thigh if another is the knee;
# likewise with hand and wrist, foot and ankle.
_UPPER_ARM = ((("collar", "shoulder"), ("upper arm",)), (("collar",), ("shoulder",)))
_LOWER_ARM = ((("wrist",), ("hand", "middle finger")), (("hand",), ("middle finger",)))
_THIGH = (
    (("thigh",), ("shin", "leg")),
    (("hip",), ("shin", "leg")),
    (("leg",), ("shin",)),
    (("helper",), ("shin", "leg")),
)
_FOOT = ((("ankle",), ("toes", "foot")), (("foot",), ("toes",)))
_ARMS = tuple((*upper, ("forearm",), *lower) for upper, lower in product(_UPPER_ARM, _LOWER_ARM))
_LEGS = tuple((*upper, *lower) for upper, lower in product(_THIGH, _FOOT))
# Our parts of a limb and their worth: without root and hinge nothing can be posed, without an end little.
_CHAINS = (
    ({"hip": 150, "knee": 100, "ankle": 10, "foot": 1}, _LEGS),
    ({"collar": 1, "shoulder": 150, "elbow": 100, "wrist": 10, "hand": 1}, _ARMS),
)

_Chain = tuple[tuple[str, int], ...]  # our part and the joint, from the trunk outward


def recognise_limbs(words: Sequence[JointWords], parents: Sequence[int]) -> dict[str, int]:
    """Our joint name -> index, for the joints of arms and legs that the words tell; parents first, -1 for a root."""
    found: dict[str, int] = {}
    for side in SIDES:
        told: dict[str, list[int]] = {}
        for j, word in enumerate(words):
            if word.side == side and word.part:
                told.setdefault(word.part, []).append(j)
        for worth, readings in _CHAINS:
            chains = [_fullest(worth, reading, told, parents) for reading in readings]
            best = max(chains, key=partial(_sum, worth))  # the first of equals
            found |= {f"{side}_{part}": j for part, j in best}
    return found


def _fullest(
    worth: Mapping[str, int],
    reading: Sequence[Sequence[str]],
    told: Mapping[str, Sequence[int]],
    parents: Sequence[int],
) -> _Chain:
    """The chain worth most in which each joint hangs below the one before; of equals the first in the file."""

    def value(chain: _Chain) -> tuple[int, list[int]]:
        return _sum(worth, chain), [-j for _, j in chain]

    ending: dict[int, _Chain] = {}  # the best chain that ends at a joint
    for part, meanings in zip(worth, reading, strict=True):
        joints = next((told[meaning] for meaning in meanings if meaning in told), ())
        if not joints:
            continue
        above: list[_Chain] = []  # the best that ends above each joint
        for parent in parents:
            here = above[parent] if parent >= 0 else ()
            above.append(max(here, ending[parent], key=value) if parent in ending else here)
        for j in joints:
            chain = (*above[j], (part, j))
            if j not in ending or value(chain) > value(ending[j]):
                ending[j] = chain
    return max(ending.values(), key=value, default=())


def _sum(worth: Mapping[str, int], chain: _Chain) -> int:
    return sum(worth[part] for part, _ in chain)
