"""How far the user's own character reaches, for cameras that are to have all of it in view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.exchange.own.own_pose import own_matrices
from app.document.model.character import Character
from app.document.model.figure import whole_points, with_margin

_NONE = np.empty((0, 3))


def drawn_points(character: Character) -> NDArray[np.floating]:
    """(N, 3) metres: `whole_points`, and how far the own skin of somebody who is drawn with it reaches."""
    return np.concatenate([whole_points(character), own_reach(character)])


def with_flesh(character: Character, flesh: float) -> NDArray[np.floating]:
    """(N, 3) metres: corners of cubes around `whole_points`, `flesh` metres from them, and how far the own skin
    reaches, which has no flesh around it."""
    return np.concatenate([with_margin(whole_points(character), flesh), own_reach(character)])


def own_reach(character: Character) -> NDArray[np.float64]:
    """(N, 3) metres: corners of boxes around the parts of the own skin that somebody is drawn with; else none."""
    own = character.own_skin
    if own is None or not own.shown:
        return _NONE
    bones, corners = own.rig().boxes
    placed = own_matrices(character, own)[bones, None]
    return np.asarray((placed[..., :3, :3] @ corners[..., None])[..., 0] + placed[..., :3, 3]).reshape(-1, 3)
