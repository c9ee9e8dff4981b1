"""The common gizmo of several selected effectors, in their middle, and that of a root handle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.services.view_state import ViewState
from rendering.scene.values import Gizmo, RootHandle
from rendering.shapes.root_handle import level_axes
from solver.effectors.asleep import is_asleep
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector


def group_of(character: Character, ids: frozenset[str]) -> tuple[Effector, ...]:
    """The effectors that move as a group, in the character's order; those of a newer version stay put."""
    return tuple(e for e in character.effectors if e.id in ids and not is_asleep(e))


def middle_of_group(character: Character, group: Sequence[Effector]) -> NDArray[np.float64]:
    """(3,) metres, the mean place of the handles; those that only turn count only if there are no others."""
    placed = [effector for effector in group if not isinstance(effector, TurnEffector)]
    skeleton, joints = skeleton_of(character), joints_of(character)
    return np.mean([e.handle_at(skeleton, joints) for e in placed or group], axis=0, dtype=np.float64)


def group_gizmo(character: Character, view: ViewState) -> Gizmo | None:
    """Arrows to move and rings to turn the group; rings alone if nothing in it has a place."""
    group = group_of(character, view.effectors)
    if not group:
        return None
    turning = all(isinstance(effector, TurnEffector) for effector in group)
    kind = "rotate" if turning else "both"
    return Gizmo(kind, middle_of_group(character, group), np.eye(3), view.hover_part, view.grabbed)  # type: ignore[arg-type]


def root_gizmo(root: RootHandle, view: ViewState) -> Gizmo:
    """The arrows of a selected root handle, and the rings that tip the person over."""
    return Gizmo("both", root.position, level_axes(root.heading), view.hover_part, view.grabbed)
