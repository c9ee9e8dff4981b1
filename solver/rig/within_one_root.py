"""Finding several bodies that hang from one root: two skeletons under a scene's root, somebody carried by another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.rig.joint_recognition import REQUIRED, recognise_joints
from solver.rig.joint_words import joint_words
from solver.rig.shape_recognition import recognise_by_shape

_MOST_LOOKS = 200  # at parts of one tree; what has more forks with arms and legs below them is not a file of people
_MOST_SHAPES = 100  # the same where names say nothing, which takes longer
_LIMBS = 4
_UPPER_ARM, _THIGH = {"shoulder", "upper arm"}, {"thigh", "hip", "helper", "leg"}
_HINGES = {"forearm"}, {"shin", "leg"}


class BodyWithin(NamedTuple):
    """joints: a body's own and those that carry it, in file order. shared: those of them that carry others, too."""

    joints: list[int]
    shared: set[int]


def bodies_within(names: Sequence[str], parents: Sequence[int], places: NDArray[np.floating]) -> list[BodyWithin]:
    """The bodies in one tree, recognised by names or, where these name nobody, by shape; in file order.

    parents: parents first, -1 for the root. places: (J, 3) at rest, in any unit.

    A body is the smallest part of the tree with a pelvis, arms and legs. Joints around it are its own as far as they
    carry nobody else.
    """
    cores = _cores(names, parents) or _cores_by_shape(names, parents, places)
    carried: list[set[int]] = [set() for _ in names]  # whose cores are below each joint or at it
    for body, (core, joints) in enumerate(cores):
        for j in (*joints, *_above(core, parents)):
            carried[j].add(body)
    own = [{j for j, bodies in enumerate(carried) if body in bodies} for body in range(len(cores))]
    for j, parent in enumerate(parents):  # what hangs from joints of one body alone goes with it
        if not carried[j] and parent >= 0 and len(carried[parent]) == 1:
            carried[j] = carried[parent]
            own[next(iter(carried[j]))].add(j)
    return [BodyWithin(sorted(joints), {j for j in joints if len(carried[j]) > 1}) for joints in own]


def _cores(names: Sequence[str], parents: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The top joint and all joints of each smallest part that is a body, from the leaves up; in file order."""
    told = [{(word.side, word.part)} for word in map(joint_words, names)]
    below: list[list[int]] = [[j] for j in range(len(names))]  # without those of a body that was found
    forks = [0] * len(names)
    found: list[tuple[int, list[int]]] = []
    looks = 0
    for j in range(len(names) - 1, -1, -1):
        if forks[j] > 1 and len(below[j]) >= len(REQUIRED) and _may_be_body(told[j]) and looks < _MOST_LOOKS:
            looks += 1
            joints = sorted(below[j])
            if _is_body(joints, names, parents):
                found.append((j, joints))
                continue
        if parents[j] >= 0:
            told[parents[j]] |= told[j]
            below[parents[j]] += below[j]
            forks[parents[j]] += 1
    return found[::-1]


def _cores_by_shape(
    names: Sequence[str], parents: Sequence[int], places: NDArray[np.floating]
) -> list[tuple[int, list[int]]]:
    """The top joint of each body, from the root down: a part is divided where several bodies hang from one of its
    joints."""
    children: list[list[int]] = [[] for _ in parents]
    below: list[list[int]] = [[j] for j in range(len(parents))]
    tips = [0] * len(parents)
    for j in range(len(parents) - 1, -1, -1):
        tips[j] = tips[j] or 1
        if parents[j] >= 0:
            children[parents[j]].append(j)
            below[parents[j]] += below[j]
            tips[parents[j]] += tips[j]
    sides = [joint_words(name).side for name in names]
    found: list[tuple[int, list[int]]] = []
    waiting, looks = [j for j, parent in enumerate(parents) if parent < 0], 0
    bodies: dict[int, set[int]] = {}
    while waiting:
        part = waiting.pop()
        for j in (part, *children[part]):
            if j not in bodies and tips[j] >= _LIMBS and looks < _MOST_SHAPES:
                looks += 1
                bodies[j] = _body_by_shape(sorted(below[j]), parents, places, sides)
        with_body = [child for child in children[part] if bodies.get(child)]
        around = [child for child in with_body if bodies[part] <= set(below[child])]
        if around or len(with_body) > 1:
            waiting += with_body
        elif bodies.get(part):
            found.append((part, [part]))  # what hangs from it goes along
    return sorted(found)


def _body_by_shape(
    joints: Sequence[int], parents: Sequence[int], places: NDArray[np.floating], sides: Sequence[str]
) -> set[int]:
    """The joints that stand for ours in the largest body of a part of the tree; none if there is no body."""
    place = {j: at for at, j in enumerate(joints)}
    shaped = recognise_by_shape([place.get(parents[j], -1) for j in joints], places[joints], [sides[j] for j in joints])
    return {joints[at] for at in shaped.values()}


def _may_be_body(told: set[tuple[str, str]]) -> bool:
    return all(
        any((side, part) in told for part in parts)
        for side in ("left", "right")
        for parts in (_UPPER_ARM, _THIGH, *_HINGES)
    )


def _is_body(joints: Sequence[int], names: Sequence[str], parents: Sequence[int]) -> bool:
    place = {j: at for at, j in enumerate(joints)}
    try:
        recognise_joints([names[j] for j in joints], [place.get(parents[j], -1) for j in joints], "")
    except InputRefused:
        return False
    return True


def _above(joint: int, parents: Sequence[int]) -> list[int]:
    line = []
    while (joint := parents[joint]) >= 0:
        line.append(joint)
    return line
