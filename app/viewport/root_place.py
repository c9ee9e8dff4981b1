"""Where a person's root handle is: on the floor below, or on the prop that the person stands on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import joints_of
from app.document.model.prop import Prop

if TYPE_CHECKING:
    from solver.contact.solids import Solid

BELOW = 0.01  # metres by which the lowest joint may be within what somebody stands on
NEAR = 1e-3  # metres
LOOKS = 40  # steps down in search of what is below


def root_place(character: Character, props: Sequence[Prop] = ()) -> NDArray[np.float64]:
    """(3,) metres, where a character's root handle is: below its pelvis, on the floor or on top of a prop that the
    whole body is above."""
    x, y, z = character.pose.root_position.tolist()
    tops = [_top(solid, np.array([x, y, z])) for prop in props if prop.visible for solid in prop.solids()]
    if not any(tops):
        return np.array([x, 0.0, z])
    lowest = float(joints_of(character).positions[:, 1].min()) + BELOW
    return np.array([x, max((top for top in tops if top <= lowest), default=0.0), z])


def _top(solid: Solid, place: NDArray[np.float64]) -> float:
    """Metres above the floor at which a line down from a place (3,) meets a solid; 0 where it meets none."""
    at = place.copy()
    for _ in range(LOOKS):
        away = float(solid.distances(at[None])[0])
        if away < NEAR:
            return float(at[1]) if at[1] < place[1] else 0.0
        at[1] -= away
        if at[1] <= 0.0:
            break
    return 0.0
