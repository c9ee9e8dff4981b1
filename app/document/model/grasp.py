"""What a hand can close around in a prop: the middle of a ball, or an axis through a stick, a cylinder or a bar."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.document.model.prop import KINDS, Prop

UPRIGHT = 1  # the own axis about which sticks and cylinders are round
SQUARE = 1.6  # a bar's larger thickness to its smaller, at most: a board is held otherwise
LONG = 2.0  # its length to its thickness, at least
ROUND = 0.6  # a bar's radius as a share of its side: between that of faces and that of edges, where skin gives way


class Grasp(NamedTuple):
    """axis: the number of the own axis that goes through the hand, None for a ball, held any way. radius: metres."""

    axis: int | None
    radius: float


def grasp_of(prop: Prop) -> Grasp | None:
    """What a hand closes around, however thick; None for what is neither round nor a bar."""
    kind = KINDS[prop.kind]
    if kind.is_round:
        return Grasp(UPRIGHT if kind.has_axis else None, float(prop.size[0]) / 2.0)
    if prop.kind != "box":
        return None
    order = np.argsort(prop.size)
    thin, thick, long = (float(side) for side in prop.size[order])
    if thick > SQUARE * thin or long < LONG * thick:
        return None
    return Grasp(int(order[2]), ROUND * (thin + thick) / 2.0)
