"""Hands that hold flat things by an edge are about square to it: turned far aslant, they would be within the thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.contact.fingertips.edges import inward_from_edge
from solver.contact.fingertips.thumb_and_fingers import EITHER_WAY, Spans
from solver.contact.patch_table import opposes
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Rotation
from solver.effectors.resolve import Prop
from solver.effectors.sources import PropSource
from solver.ik.stance.leans import Lean, Strength
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import axes_from, from_rotation_vector
from solver.kinematics.skeleton import Skeleton

Array = NDArray[np.float64]
SpansOf = Callable[[str], Spans | None]
SQUARE = Strength(60.0, 3.0)
LESS_SQUARE, THERE_M = 0.3, 0.05  # the share of that where the body would go far for it; metres
THICK_M = 0.006  # metres, half of the thickness from which it leans so firmly: in what is thinner little of a hand fits


def square_hand_leans(
    skeleton: Skeleton,
    spans: SpansOf,
    effectors: Sequence[Effector],
    props: Mapping[str, Prop],
    shown: Pose,
    share: float | None = None,
) -> tuple[Lean, ...]:
    """What has hands that hold flat things by an edge be no further from square to it than they fit.

    spans: how the hand of a patch holds flat things, None on a body without fingers. props: by their ids, as in a
    `Context`. shown: the pose that the solve goes on from. share: of how firmly they lean to that; None for
    less where a hand is there already, so that a body is not thrown about for a hand that cannot be kept square.
    """
    found = []
    for hand in effectors:
        if not (isinstance(hand, Contact) and hand.is_active and hand.lies_flat and opposes(hand.patch)):
            continue
        source, of_hand = hand.source, spans(hand.patch)
        prop = props.get(source.prop) if isinstance(source, PropSource) else None
        if of_hand is None or prop is None or not isinstance(source, PropSource) or not _is_by_edge(source, prop):
            continue
        edge = prop.turn @ inward_from_edge(source.place, prop.size, prop.is_round)
        there = axes_from(-(prop.turn @ source.normal).astype(np.float64), edge)
        own = axes_from(hand.normal.astype(np.float64), of_hand.inward(hand.radius))
        world, j = forward_kinematics(skeleton, shown), skeleton.index(hand.joint)
        now = world.rotations[j]
        place = prop.place + prop.turn @ (source.place * prop.size)
        is_there = float(np.linalg.norm(world.positions[j] + now @ hand.offset - place)) < THERE_M
        firm = (LESS_SQUARE if is_there else 1.0) if share is None else share
        turn = Rotation(hand.joint, _turned(there, own, now).astype(np.float32))
        found.append(Lean(turn, SQUARE.times(firm * min(hand.radius / THICK_M, 1.0))))
    return tuple(found)


def _is_by_edge(source: PropSource, prop: Prop) -> bool:
    """Whether thumb and fingers are on its faces; a telephone, held by its narrow sides, is within the hand."""
    return int(np.abs(source.normal).argmax()) == int(np.argmin(prop.size))


def _turned(there: Array, own: Array, now: NDArray[np.floating]) -> Array:
    """(3, 3) R_world_joint of a hand about square to an edge, as near as may be to how it is turned now, (3, 3).

    there, own: (3, 3), in columns across the thing, square to its edge inward, and along that; in the world, and in the
    joint's frame for a hand that is just as it had better be.
    """
    _, ahead, aside = (now @ own[:, 1]) @ there
    skew = float(np.clip(np.arctan2(aside, ahead), -EITHER_WAY, EITHER_WAY))
    return np.asarray(from_rotation_vector(skew * there[:, 0]) @ there @ own.T, np.float64)
