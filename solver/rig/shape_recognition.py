"""Finding a human body in a skeleton whose names say nothing, by the shape of its rest pose.

Two legs that are alike hang from the pelvis, two arms that are alike from the chest above it; only a human's trunk goes
on above where the legs start. The direction of the toes tells left from right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import angle_between

Array = NDArray[np.floating]

ALIKE = 0.05  # share by which the two limbs of a pair may differ in length
LONG = 0.15  # of the longest way from the root to a tip: a shorter line is not a limb
MOST = 16  # lines from one joint that are compared: a skirt may have more
MOST_PAIRS, MOST_BODIES = 400, 1000  # tried, the longest first: no file takes longer than half a second
PROPORTIONS = (0.55, 1.8)  # of the upper bone of a limb to the lower one
ARM_TO_LEG = (0.4, 1.4)
TRUNK_TO_LEG = (0.25, 1.3)  # from between the hips to between the shoulders
UPRIGHT = np.radians(40.0)  # between the trunk and the way up along the legs, in a stance
ALONG = np.radians(50.0)  # an animal's upper legs lean forward and back
TOES = 0.05  # of a leg: a foot that points less far forward says nothing


_TAIL = re.compile("(?<![a-z])tail")  # not a pony tail


class _Limb(NamedTuple):
    """joints: root, hinge and end. girdle, tip: the joints before and after those; -1 if there is none."""

    joints: tuple[int, int, int]
    girdle: int
    tip: int


def recognise_by_shape(
    parents: Sequence[int], places: Array, sides: Sequence[str], facing: Array | None = None
) -> dict[str, int]:
    """Our joint name -> index for a body that stands in its rest pose; {} if there is none.

    parents: parents first, -1 for a root. places: (J, 3) at rest, in any unit and with any axis up. sides: "left",
    "right" or "" for each joint, as its name says. facing: (3,) where the body looks if neither toes nor names tell.
    """
    tree = _Tree(parents, np.asarray(places, np.float64))
    for legs, arms in _longest_first(tree):
        body = _body(tree, legs.above, arms.above, (*legs.limbs, *arms.limbs), sides, facing)
        if body:
            return body
    return {}


def _longest_first(tree: _Tree) -> list[tuple[_Pair, _Pair]]:
    """Pairs of limbs that may be legs and arms, as the arms hang from the trunk that goes on where the legs do."""
    pairs = sorted(((pair, sum(map(tree.length, pair.limbs))) for pair in tree.pairs()), key=lambda one: -one[1])
    found: list[tuple[float, _Pair, _Pair]] = []
    for arms, reach in pairs[:MOST_PAIRS]:
        up = set(tree.way_up(arms.above))
        taken = up.union(arms.firsts)
        found += (
            (reach + length, legs, arms)
            for legs, length in pairs[:MOST_PAIRS]
            if legs.above in up and taken.isdisjoint(legs.firsts)
        )
    return [(legs, arms) for _, legs, arms in sorted(found, key=lambda one: -one[0])[:MOST_BODIES]]


def on_four_legs(found: Mapping[str, int], names: Sequence[str], places: Array) -> bool:
    """Whether a rest pose is that of an animal with human names for its joints: it has a tail, its trunk is level, and
    its arms are legs."""
    ends = [f"{side}_{part}" for side in ("left", "right") for part in ("hip", "knee", "shoulder", "elbow")]
    if not any(_TAIL.search(name.lower()) for name in names) or any(end not in found for end in ends):
        return False
    at = {end: places[found[end]] for end in ends}
    trunk = at["left_shoulder"] + at["right_shoulder"] - at["left_hip"] - at["right_hip"]
    legs, arms = (
        sum(at[f"{side}_{hinge}"] - at[f"{side}_{root}"] for side in ("left", "right"))
        for root, hinge in (("hip", "knee"), ("shoulder", "elbow"))
    )
    if min(float(np.linalg.norm(v)) for v in (trunk, legs, arms)) <= 0.0:
        return False
    return angle_between(legs, arms) < ALONG and abs(angle_between(trunk, legs) - np.pi / 2) < ALONG


def _body(
    tree: _Tree, pelvis: int, chest: int, limbs: Sequence[_Limb], sides: Sequence[str], facing: Array | None
) -> dict[str, int]:
    """The joints of a body with two legs and two arms; {} if it does not stand like one."""
    places = tree.places
    hips, shoulders = (sum(places[limb.joints[0]] for limb in pair) / 2 for pair in (limbs[:2], limbs[2:]))
    up = shoulders - hips
    rising = sum(places[limb.joints[0]] - places[limb.joints[2]] for limb in limbs[:2])
    leg, arm = (sum(tree.length(limb) for limb in pair) / 2 for pair in (limbs[:2], limbs[2:]))
    if not (_within(float(np.linalg.norm(up)) / leg, TRUNK_TO_LEG) and _within(arm / leg, ARM_TO_LEG)):
        return {}
    if np.linalg.norm(rising) < leg or angle_between(up, rising) > UPRIGHT:
        return {}
    up /= np.linalg.norm(up)
    found = {"pelvis": pelvis}
    for pair, parts in ((limbs[:2], ("hip", "knee", "ankle")), (limbs[2:], ("shoulder", "elbow", "wrist"))):
        ordered = _left_first(tree, pair, limbs[:2], up, sides, facing)
        if not ordered:
            return {}
        for side, limb in zip(("left", "right"), ordered, strict=True):
            found |= {f"{side}_{part}": j for part, j in zip(parts, limb.joints, strict=True)}
            if parts[0] == "hip" and limb.tip >= 0:
                found[f"{side}_foot"] = limb.tip
            if parts[0] == "shoulder" and limb.girdle >= 0:
                found[f"{side}_collar"] = limb.girdle
    above = [
        line for line in tree.lines_from(chest, set(found.values())) if (places[line[0]] - shoulders) @ up > -0.1 * leg
    ]
    if above:
        head = max(above, key=lambda line: float(places[line[-1]] @ up))
        found |= {"neck": head[0], "head": head[1]} if len(head) > 1 else {"head": head[0]}
    return found


def _same(tree: _Tree, one: _Limb, other: _Limb) -> bool:
    bones = np.array([[tree.bone(j) for j in limb.joints[1:]] for limb in (one, other)])
    return bool((np.ptp(bones, axis=0) < ALIKE * bones.max()).all())


def _left_first(
    tree: _Tree, pair: Sequence[_Limb], legs: Sequence[_Limb], up: Array, sides: Sequence[str], facing: Array | None
) -> list[_Limb]:
    """The two limbs of a pair, the left one first; [] if nothing tells which that is."""
    named = [sides[limb.joints[0]] for limb in pair]
    if set(named) == {"left", "right"}:
        return [pair[named.index("left")], pair[named.index("right")]]
    forward = _forward(tree, legs, up)
    forward = facing if forward is None else forward
    if forward is None:
        return []
    left = np.cross(up, forward)
    return sorted(pair, key=lambda limb: -float(tree.places[limb.joints[0]] @ left))


def _forward(tree: _Tree, legs: Sequence[_Limb], up: Array) -> Array | None:
    """Where the toes point; None if there are none, or none that point forward."""
    if any(limb.tip < 0 for limb in legs):
        return None
    forward = sum(tree.places[limb.tip] - tree.places[limb.joints[2]] for limb in legs) / 2
    forward = forward - up * (forward @ up)
    return forward if np.linalg.norm(forward) >= TOES * tree.length(legs[0]) else None


class _Pair(NamedTuple):
    """Two limbs that are alike. above: the joint that both hang from. firsts: the first joints of their lines."""

    above: int
    firsts: tuple[int, int]
    limbs: tuple[_Limb, _Limb]


class _Tree:
    """A tree of joints and what hangs from each."""

    def __init__(self, parents: Sequence[int], places: Array) -> None:
        self.parents, self.places = parents, places
        self.children: list[list[int]] = [[] for _ in parents]
        for j, parent in enumerate(parents):
            if parent >= 0:
                self.children[parent].append(j)
        self.reach = np.zeros(len(parents))  # the longest way from a joint to a tip
        for j in reversed(range(len(parents))):
            if parents[j] >= 0:
                self.reach[parents[j]] = max(self.reach[parents[j]], self.reach[j] + self.bone(j))

    def bone(self, j: int) -> float:
        """From a joint's parent to the joint."""
        return float(np.linalg.norm(self.places[j] - self.places[self.parents[j]])) if self.parents[j] >= 0 else 0.0

    def way_up(self, j: int) -> list[int]:
        """The joint, its parent, and so on to the root."""
        way = [j]
        while self.parents[way[-1]] >= 0:
            way.append(self.parents[way[-1]])
        return way

    def line(self, j: int) -> list[int]:
        """From a joint along the longest way outward."""
        line = [j]
        while self.children[line[-1]]:
            line.append(max(self.children[line[-1]], key=lambda child: self.reach[child] + self.bone(child)))
        return line

    def lines_from(self, j: int, taken: set[int]) -> Iterator[list[int]]:
        """The lines below a joint that contain none of the joints that are taken."""
        for child in self.children[j]:
            line = self.line(child)
            if not taken & set(line):
                yield line

    def pairs(self) -> list[_Pair]:
        """All pairs of long limbs that are alike."""
        least, found = LONG * float(self.reach.max(initial=0.0)), []
        for j, children in enumerate(self.children):
            long = [child for child in children if self.reach[child] + self.bone(child) > least][:MOST]
            limbs = {child: limb for child in long if (limb := self.limb(child))}
            for (a, one), (b, other) in combinations(limbs.items(), 2):
                if self._alike(a, b) and _same(self, one, other):
                    found.append(_Pair(j, (a, b), (one, other)))
        return found

    def _alike(self, a: int, b: int) -> bool:
        reach, bones = self.reach[[a, b]], np.array([self.bone(a), self.bone(b)])
        size = float((reach + bones).max())
        return bool(np.ptp(reach) < ALIKE * size and np.ptp(bones) < ALIKE * size)

    def limb(self, first: int) -> _Limb | None:
        """The two longest bones in a row along a line, with the joints before and after; None for odd proportions."""
        line = self.line(first)
        bones = [self.bone(j) for j in line[1:]]
        if len(bones) < 2:
            return None
        at = max(range(len(bones) - 1), key=lambda i: bones[i] + bones[i + 1])
        if min(bones[at : at + 2]) <= 0.0 or not _within(bones[at] / bones[at + 1], PROPORTIONS):
            return None
        tip = line[at + 3] if at + 3 < len(line) else -1
        return _Limb((line[at], line[at + 1], line[at + 2]), line[at - 1] if at else -1, tip)

    def length(self, limb: _Limb) -> float:
        """The length of the two bones of a limb."""
        return self.bone(limb.joints[1]) + self.bone(limb.joints[2])


def _within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] < value < bounds[1]
