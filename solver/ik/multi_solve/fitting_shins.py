"""A knee that is laid on the floor goes where the shin fits between it and an ankle that is held.

Both ends of a shin are given a place then, and it is as long as it is: unless the pointer is on a circle about the
ankle, one of them is missed, by what the user cannot see from where the knee is dragged. So the knee comes to lie on
that circle, beside the pointer. Further away it is out of reach, and shown so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource
from solver.ik.anchor import effector_key
from solver.ik.memory import Memory, SettledMemory
from solver.kinematics.curves import eased_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
BESIDE = 0.04, 0.1  # metres: up to the first a knee goes all the way, and the less of it towards the second
MOVED_M = 1e-5  # metres that a target counts as moved by
SAME_M = 5e-4  # metres that a knee may be beside that circle, so that it comes to rest
STEEP = 0.1  # metres over the floor from the ankle to the knee, at least: below, no way along the floor is the nearest


def knees_laid(memory: Memory, effectors: Sequence[Effector]) -> Mapping[str, Array]:
    """Where knees have been laid on the floor since the last solve, (3,) metres each by the contact's id: of legs whose
    ankles are held, and stayed where they were."""
    if not isinstance(memory, SettledMemory):
        return {}
    before = {effector_key(e): e for e in memory.record.problem.effectors if e.is_active}
    found = dict[str, Array]()
    for knee, ankle in _shins(memory.record.problem.skeleton, effectors):
        was, held = before.get(effector_key(knee)), before.get(effector_key(ankle))
        if held is not None and not _is_elsewhere(ankle, held) and (was is None or _is_elsewhere(knee, was)):
            found[knee.id] = knee.target.astype(np.float64)
    return found


def with_shins_fitting(
    skeleton: Skeleton, effectors: tuple[Effector, ...], laid: Mapping[str, Array]
) -> tuple[Effector, ...]:
    """The effectors, knees that were laid on the floor where their shins fit; the same tuple if none has to move.

    laid: what `knees_laid` says.
    """
    places = dict[str, Array]()
    for knee, ankle in _shins(skeleton, effectors):
        if knee.id in laid:
            foot = skeleton.offsets[skeleton.index(ankle.joint)].astype(np.float64)
            length = float(np.linalg.norm(foot - knee.offset))
            place = _beside(laid[knee.id], ankle.target.astype(np.float64), length)
            if np.linalg.norm(place - knee.target) > SAME_M:
                places[knee.id] = place
    if not places:
        return effectors
    return tuple(replace(e, target=places[e.id].astype(np.float32)) if e.id in places else e for e in effectors)


def _beside(place: Array, ankle: Array, length: float) -> Array:
    """(3,) metres, the place on the floor at that length from the ankle, or on the way there."""
    way = (place - ankle) * [1.0, 0.0, 1.0]
    along, height = float(np.linalg.norm(way)), float(place[1] - ankle[1])
    square = length**2 - height**2
    if along < STEEP or square < STEEP**2:
        return place
    by = np.sqrt(square) - along
    return np.asarray(place + (1.0 - eased_between(abs(by), *BESIDE)) * by / along * way, np.float64)


def _shins(skeleton: Skeleton, effectors: Sequence[Effector]) -> list[tuple[Contact, Position]]:
    """The knees that lie on the floor, each with the ankle whose place is asked for as strictly."""
    rig = rig_of(skeleton)
    strict = [e for e in effectors if e.is_active and e.is_strict]
    found = []
    for leg in LEGS:
        if rig.lacking([leg.hinge, leg.end]):
            continue
        hinge, end = rig.name(leg.hinge), rig.name(leg.end)
        knee = next((e for e in strict if isinstance(e, Contact) and e.joint == hinge and _on_floor(e)), None)
        ankle = next((e for e in strict if isinstance(e, Position) and e.joint == end and e.holds_joint), None)
        if knee is not None and ankle is not None:
            found.append((knee, ankle))
    return found


def _is_elsewhere(now: Effector, was: Effector) -> bool:
    return float(np.abs(now.target - was.target).max()) > MOVED_M


def _on_floor(contact: Contact) -> bool:
    return isinstance(contact.source, FloorSource)
