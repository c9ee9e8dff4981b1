"""Drags of the gizmo of several effectors: they move as one, or turn as one about their middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.services.steps.contacts import with_people_on
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
    arrows: whether it has arrows as well. prop: what all of them are hands around, as it was; it takes them along.
    """

    rings: bool = False
    arrows: bool = True
    prop: Prop | None = None

    @property
    def text(self) -> str:
        """The undo step's name."""
        return super().text if self.prop is None else f"{'Turn' if self.rings else 'Move'} {self.prop.name}"

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

    def is_there(self, document: Document) -> bool:
        """Whether what it moves is in the document, with the prop."""
        return super().is_there(document) and (self.prop is None or self.prop.id in document.names)

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now."""
        if self.prop is None:
            return super().edit(view, snap)
        put = edits.carry_to(self.prop.carried(self.rigid(view, snap)))
        return with_people_on(edits.carried_at_frame(self.prop, self.character, put), besides=self.character)


def grab_group(
    character: Character, ids: frozenset[str], gizmo: Gizmo, part: str, pixel: ArrayLike, prop: Prop | None = None
) -> GroupGrab:
    """Grab the gizmo of several effectors by one of its parts; those that are off are switched on. prop: what all of
    them are hands around, if it goes along."""
    moved = group_of(character, ids)
    rings = gizmo.kind == "rotate" or part in TURNS
    if rings:
        wheel = Gizmo("rotate", gizmo.position, np.eye(3))
        drag = start_rotate(wheel, part.removeprefix("turn "), pixel)
    else:
        wheel, drag = Gizmo("move", gizmo.position, np.eye(3)), start_move(gizmo, part, pixel)
    first = tuple(edits.set_enabled(character.id, e.id, True) for e in moved if not e.enabled)
    return GroupGrab(
        character.id, moved[0], moved, wheel, drag, first, rings=rings, arrows=gizmo.kind == "both", prop=prop
    )
