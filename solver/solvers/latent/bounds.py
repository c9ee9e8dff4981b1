"""What DragPoser's search holds beside effectors: distances, boxes and the floor (Ponton et al., 2024, section 5.2).

They pull as effectors do, ten times as firmly, so the search weighs them against what is asked. The exact stage after
it knows nothing of them: it changes the pose found wherever handles ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.options import Options
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, BODY_ROLES, LEGS, Role
from solver.solvers.catalog import FLOOR, HANDS_APART, ROOM
from solver.solvers.latent.bound_kernels import Bounds

Array = NDArray[np.floating]
Triple = tuple[float, float, float]

PULL = 3e5  # per square metre
FLESH = 0.03  # metres between a joint and the floor, unless otherwise given
FLESH_OF = dict.fromkeys((leg.end for leg in LEGS), 0.07) | dict.fromkeys((leg.tip for leg in LEGS), 0.025)
HANDS = tuple(arm.end for arm in ARMS)


@dataclass(frozen=True)
class Distance:
    """Two joints stay so many metres apart. first, second: by their roles. share: of the usual pull."""

    first: str
    second: str
    metres: float
    share: float = 1.0


@dataclass(frozen=True)
class Box:
    """Joints stay between two corners in the world, metres, infinite where nothing is held; all the body's joints if
    none are named. relative_to: the joint that the corners are relative to, "" the world. share: of the usual pull."""

    low: Triple
    high: Triple
    joints: tuple[str, ...] = ()
    relative_to: str = ""
    share: float = 1.0

    def __post_init__(self) -> None:
        if any(low > high for low, high in zip(self.low, self.high, strict=True)):
            raise ValueError(f"the box's low corner {self.low} is above its high corner {self.high}")


@dataclass(frozen=True)
class Floor:
    """No joint comes nearer to the floor than the flesh around it is thick. height: of the floor, metres."""

    height: float = 0.0


Bound = Distance | Box | Floor


class BoundReference(NamedTuple):
    """What bounds set as options refer to, of the base pose or a motion's first frame. root: (3,). hands_apart: metres
    between the wrists."""

    root: Array
    hands_apart: float

    @classmethod
    def at(cls, skeleton: Skeleton, positions: Array) -> BoundReference:
        """Of joints at positions (J, 3)."""
        left, right = (positions[skeleton.index(hand)] for hand in HANDS)
        return cls(np.array(positions[0]), float(np.linalg.norm(left - right)))


def bounds_of_options(options: Options, reference: BoundReference | None) -> list[Bound]:
    """The bounds that are set as options. reference: None if there is nothing yet to hold on to."""
    found: list[Bound] = [Floor()] if FLOOR.of(options) else []
    room = ROOM.of(options)
    if reference is not None and room:
        x, _, z = (float(number) for number in reference.root)
        found.append(Box((x - room, -inf, z - room), (x + room, inf, z + room)))
    if reference is not None and HANDS_APART.of(options):
        found.append(Distance(HANDS[0], HANDS[1], reference.hands_apart))
    return found


def needs_reference(options: Options) -> bool:
    """Whether any bound set as an option needs a reference."""
    return bool(ROOM.of(options)) or HANDS_APART.of(options)


def rows_of_bounds(skeleton: Skeleton, bounds: Sequence[Bound]) -> Bounds:
    """Bounds as arrays. Raises UnknownName for a joint that the skeleton does not have."""
    joints: list[tuple[int, int]] = []
    low: list[Triple] = []
    high: list[Triple] = []
    lengths, pulls = [], []

    def add(first: str, second: str, least: Triple, most: Triple, length: float, share: float) -> None:
        joints.append((skeleton.index(first), skeleton.index(second) if second else -1))
        low.append(least)
        high.append(most)
        lengths.append(length)
        pulls.append(share * PULL)

    for bound in bounds:
        match bound:
            case Distance():
                add(bound.first, bound.second, (0.0,) * 3, (0.0,) * 3, bound.metres, bound.share)
            case Box():
                for name in bound.joints or BODY_ROLES:
                    add(name, bound.relative_to, bound.low, bound.high, -1.0, bound.share)
            case Floor():
                for name in BODY_ROLES:
                    height = bound.height + FLESH_OF.get(name, FLESH)
                    add(name, "", (-inf, height, -inf), (inf,) * 3, -1.0, 1.0)
    count = len(joints)
    return Bounds(
        np.array(joints, np.int64).reshape(count, 2),
        np.array(low, np.float64).reshape(count, 3),
        np.array(high, np.float64).reshape(count, 3),
        np.array(lengths, np.float64),
        np.array(pulls, np.float64),
    )


def above(upper: str, lower: str, share: float) -> Box:
    """One joint stays straight above another."""
    return Box((0.0, -inf, 0.0), (0.0, inf, 0.0), (upper,), lower, share)


def at_height(joints: tuple[str, ...], metres: float, share: float) -> Box:
    """Joints stay at a height."""
    return Box((-inf, metres, -inf), (inf, metres, inf), joints, share=share)


def upper_alone(feet: float, hips: float) -> tuple[Bound, ...]:
    """For when nothing is known of pelvis and legs (section 5.1): feet near the floor, and the hips under the head,
    each with its share of the usual pull."""
    ankles = tuple(leg.end for leg in LEGS)
    return at_height(ankles, FLESH_OF[ankles[0]], feet), above(Role.HEAD, Role.PELVIS, hips)
