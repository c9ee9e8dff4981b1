"""Posture classes of poses by simple geometry: how a body is held up, not what it does.

Lengths are in legs (hip to ankle), so that the classes hold for any build. Heights are above the lowest flesh, since
recordings drift and people step onto things; only poses far above the floor y = 0 are airborne. A body part is on the
floor if its joint is hardly higher than the flesh around it is thick.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.rig.rig import Rig
from solver.rig.roles import ARMS, FEET, LEGS, Role

Array = NDArray[np.float64]


class Posture(StrEnum):
    """How a body is held up; the value is the class's name in tables."""

    STANDING = "standing"  # on straight or slightly bent legs; walking and running too
    CROUCHING = "crouching"  # on the feet, the pelvis low
    KNEELING = "kneeling"  # on one knee or both
    SITTING = "sitting"  # on the floor, or on something with the knees about as high as the pelvis
    LYING_BACK = "lying on the back"
    LYING_BELLY = "lying on the belly"
    LYING_SIDE = "lying on the side"
    HANDS_AND_KNEES = "on hands and knees"  # or on hands and feet, the chest down
    INVERTED = "inverted"  # the trunk upside down below the feet
    AIRBORNE = "airborne"  # nothing near the floor


POSTURES: tuple[Posture, ...] = tuple(Posture)

# Degrees between the trunk (pelvis to neck) and the vertical.
LEANS, LIES, UPSIDE_DOWN = 40.0, 55.0, 115.0
FACES = 0.6  # vertical share of the chest's direction, from which it is on the back or the belly; less is on the side
# In lengths of the leg.
NEAR = 0.10  # from flesh to floor
OFF_THE_FLOOR = 0.30  # height of whatever is lowest: captured floors are off by nearly as much
LOW_TRUNK = 0.30  # height of pelvis and chest, up to which a body is lying
CHAIR_REACH = 0.30  # how far in front of the pelvis both ankles are when sitting on something
LEVEL_THIGH = 0.25  # how far the knees may then be above or below it
LOW_PELVIS = 0.75  # of the pelvis's height at rest, below which the legs are bent to a crouch
# How thick the flesh is between a joint and the floor.
FLESH: dict[Role, float] = {
    Role.PELVIS: 0.14, Role.SPINE3: 0.15, Role.HEAD: 0.12,
    **dict.fromkeys((leg.hinge for leg in LEGS), 0.08),
    **dict.fromkeys((arm.root for arm in ARMS), 0.08),
    **dict.fromkeys((arm.hinge for arm in ARMS), 0.05),
    **dict.fromkeys((arm.end for arm in ARMS), 0.05),
    **dict.fromkeys((leg.end for leg in LEGS), 0.10),
    **dict.fromkeys((leg.tip for leg in LEGS), 0.03),
}  # fmt: skip


class _Measured(NamedTuple):
    """Measures of F poses, in legs. clear: by role, height of the flesh above what is lowest. lowest: height of that
    above y = 0. tilt: of the trunk, degrees. front: upward share of the chest's direction, 1 on the back. pelvis: its
    height as a share of that at rest. legs: for each leg, how far the knee and the ankle are above the pelvis, and how
    far the ankle is in front of it.
    """

    clear: dict[Role, Array]
    lowest: Array
    tilt: Array
    front: Array
    pelvis: Array
    legs: tuple[tuple[Array, Array, Array], ...]


def postures_of(rig: Rig, positions: NDArray[np.floating]) -> NDArray[np.int64]:
    """(F,) indices into POSTURES for poses whose joints are at (F, J, 3) metres. Raises LacksRole."""
    seen = _measure(rig, np.asarray(positions, dtype=np.float64))
    near = {role: clearance < NEAR for role, clearance in seen.clear.items()}
    hands, knees, feet = (_any(near, roles) for roles in ([a.end for a in ARMS], [g.hinge for g in LEGS], FEET))
    lies, down, squats = seen.tilt > LIES, seen.front < -FACES, seen.pelvis < LOW_PELVIS
    low = np.maximum(seen.clear[Role.PELVIS], seen.clear[Role.SPINE3]) < LOW_TRUNK
    on_chair = seen.tilt < LEANS
    for knee, _, reach in seen.legs:
        on_chair &= (np.abs(knee) < LEVEL_THIGH) & (reach > CHAIR_REACH)
    feet_up = np.mean([ankle for _, ankle, _ in seen.legs], axis=0) > 0
    # The first that holds is the class.
    rules: tuple[tuple[Posture, NDArray[np.bool_]], ...] = (
        (Posture.INVERTED, (seen.tilt > UPSIDE_DOWN) & feet_up),
        (Posture.AIRBORNE, seen.lowest > OFF_THE_FLOOR),
        (Posture.HANDS_AND_KNEES, lies & down & hands & (knees | feet) & squats & ~near[Role.PELVIS]),
        (Posture.LYING_BACK, lies & low & (seen.front > FACES)),
        (Posture.LYING_BELLY, lies & low & down),
        (Posture.LYING_SIDE, lies & low),
        (Posture.SITTING, near[Role.PELVIS] | on_chair),
        (Posture.KNEELING, knees),
        (Posture.CROUCHING, squats),
    )
    chosen = [POSTURES.index(posture) for posture, _ in rules]
    return np.asarray(np.select([holds for _, holds in rules], chosen, POSTURES.index(Posture.STANDING)))


def posture_of(rig: Rig, positions: NDArray[np.floating]) -> Posture:
    """The class of one pose whose joints are at (J, 3) metres. Raises LacksRole."""
    return POSTURES[int(postures_of(rig, np.asarray(positions)[None])[0])]


def _measure(rig: Rig, positions: Array) -> _Measured:
    rest = rig.rest_positions.astype(np.float64)
    bones = [(leg.root, leg.hinge) for leg in LEGS] + [(leg.hinge, leg.end) for leg in LEGS]
    length = sum(float(np.linalg.norm(rest[rig.joint(a)] - rest[rig.joint(b)])) for a, b in bones) / len(LEGS)

    def at(role: Role) -> Array:
        return np.asarray(positions[:, rig.joint(role)] / length)

    pelvis = at(Role.PELVIS)
    up = _unit(at(Role.NECK) - pelvis)
    front = _unit(np.cross(at(ARMS[0].root) - at(ARMS[1].root), up))
    ahead = _unit(np.cross(at(LEGS[0].root) - at(LEGS[1].root), [0.0, 1.0, 0.0]))
    flesh = {role: at(role)[:, 1] - thick for role, thick in FLESH.items()}
    lowest = np.min(list(flesh.values()), axis=0)
    stands = rest[rig.joint(Role.PELVIS), 1] - min(rest[rig.joint(foot), 1] for foot in FEET)
    return _Measured(
        clear={role: height - lowest for role, height in flesh.items()},
        lowest=lowest,
        tilt=np.degrees(np.arccos(np.clip(up[:, 1], -1.0, 1.0))),
        front=front[:, 1],
        pelvis=(pelvis[:, 1] - lowest) / (stands / length + FLESH[LEGS[0].tip]),
        legs=tuple(
            ((at(g.hinge) - pelvis)[:, 1], (at(g.end) - pelvis)[:, 1], ((at(g.end) - pelvis) * ahead).sum(axis=-1))
            for g in LEGS
        ),
    )


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9))


def _any(near: dict[Role, NDArray[np.bool_]], roles: Sequence[Role]) -> NDArray[np.bool_]:
    return np.any([near[role] for role in roles], axis=0)
