"""Which things somebody carries: what a hand is around, and what is off the floor between both palms."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.model.prop import Prop
from app.document.posing.hold_table import PALMS
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource

OFF_FLOOR = 0.01  # metres from which a prop counts as lifted
# The cosine between the sides of a prop that two palms are on, below which they hold it between them.
OPPOSITE = -0.5


def is_carried(prop: Prop, held: Sequence[Contact]) -> bool:
    """Whether somebody carries a prop, whose contacts on it are `held`."""
    return any(e.around for e in held) or (_between_palms(held) and _is_lifted(prop))


def _between_palms(held: Sequence[Contact]) -> bool:
    sides = [e.source.normal for e in held if e.patch in PALMS and isinstance(e.source, PropSource)]
    return len(sides) == len(PALMS) and float(sides[0] @ sides[1]) < OPPOSITE


def _is_lifted(prop: Prop) -> bool:
    return float(prop.corners[:, 1].min()) > OFF_FLOOR
