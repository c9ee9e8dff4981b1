"""Drags of the gizmo of several effectors: they move as one, or turn as one about their middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from app.document import edits
from app.document.model.document import Character
from app.viewport.group_gizmo import group_of
from app.viewport.tools.drags import SNAP_RADIANS, Grab
from rendering.camera.camera import View
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import TURNS, start_move, start_rotate, turned_rotation
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import nearest_rotation


@dataclass(frozen=True, eq=False)
class GroupGrab(Grab):
    """A drag under way of the group's gizmo, which is in the middle. rings: whether one of its rings is grabbed.
    arrows: whether it has arrows as well.
    """

    rings: bool = False
    arrows: bool = True

    @property
    def turning(self) -> bool:
        """Whether it turns rather than moves."""
        return self.rings

    @property
    def lit(self) -> str:
        """The part of the gizmo that lights up."""
        return f"turn {self.part}" if self.rings and self.arrows else self.part

    def rigid(self, view: View, snap: bool) -> RigidMotion:
        """How the group is carried."""
        if not self.rings:
            return super().rigid(view, snap)
        turned = turned_rotation(self.drag, view, SNAP_RADIANS if snap else None)
        return RigidMotion.about(nearest_rotation(turned), self.drag.position)


def grab_group(character: Character, ids: frozenset[str], gizmo: Gizmo, part: str, pixel: ArrayLike) -> GroupGrab:
    """Grab the gizmo of several effectors by one of its parts; those that are off are switched on."""
    moved = group_of(character, ids)
    rings = gizmo.kind == "rotate" or part in TURNS
    if rings:
        wheel = Gizmo("rotate", gizmo.position, np.eye(3))
        drag = start_rotate(wheel, part.removeprefix("turn "), pixel)
    else:
        wheel, drag = Gizmo("move", gizmo.position, np.eye(3)), start_move(gizmo, part, pixel)
    first = tuple(edits.set_enabled(character.id, e.id, True) for e in moved if not e.enabled)
    return GroupGrab(character.id, moved[0], moved, wheel, drag, first, rings=rings, arrows=gizmo.kind == "both")
