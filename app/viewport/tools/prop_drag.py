"""Drags of a prop's gizmo, or of the prop itself over the floor: each is one undo step from where it began."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from app.document import edits
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.model.identity import name_or_count
from app.document.model.prop import Prop
from app.services.drags_anew import holding_as_at_once
from app.services.session import Session
from app.services.steps.contacts import with_people_on
from app.viewport.prop_scene import gizmo_of
from app.viewport.tools.drags import SNAP_METRES, SNAP_RADIANS
from rendering.camera.camera import View
from rendering.shapes.gizmo import (
    AXES,
    PLANES,
    Drag,
    advance,
    axis_rotation,
    moved_position,
    start_move,
    start_rotate,
    turned_rotation,
)
from solver.kinematics.rigid_motion import RigidMotion

FLOOR = "zx"  # the plane in which a drag of the prop itself moves it
TWICE_PX = float(160.0 / np.log(2.0))  # pixels to the right or up for e times the size, so 160 for twice
VERBS = {"move": "Move", "turn": "Turn", "scale": "Scale"}


@dataclass(frozen=True, eq=False)
class PropGrab:
    """A drag under way. start: the prop as it was. others: further selected props as they were; they are moved, turned
    about the middle of the first, and scaled with it. tool: "move", "turn" or "scale". times: how many times as large
    it is to become, overriding the mouse; None for the mouse. spun: radians about the vertical, by the wheel.
    """

    solves: ClassVar[bool] = True  # people who touch the prop go along
    numbers: ClassVar[bool] = True

    start: Prop
    tool: str
    drag: Drag
    times: float | None = None
    spun: float = 0.0
    others: tuple[Prop, ...] = ()

    @property
    def text(self) -> str:
        """The undo step's name."""
        return f"{VERBS[self.tool]} {name_or_count((self.start, *self.others), 'props')}"

    @property
    def hint(self) -> str:
        """What can be done while dragging."""
        spun = f" · turned by {round(np.degrees(self.spun), 1):g}°" if self.spun else ""
        onto = " · S onto a prop" if self.tool == "move" else ""
        return f"{self.text}{spun}{onto} · X Y Z keep to an axis · Shift fine · Ctrl in steps · Esc cancels"

    @property
    def turning(self) -> bool:
        """Whether it turns."""
        return self.tool == "turn"

    @property
    def part(self) -> str:
        """The axis or plane that it keeps to."""
        return self.drag.part

    @property
    def free(self) -> str:
        """The part that keeps to nothing."""
        return "ball" if self.turning else "view"

    def is_there(self, document: Document) -> bool:
        """Whether the props are all in the document: a key may delete them in mid-drag, or undo the step that made
        them."""
        return document.names.keys() >= {prop.id for prop in (self.start, *self.others)}

    def to(self, pixel: ArrayLike, precise: bool = False) -> PropGrab:
        """The drag with the pointer at another pixel."""
        return replace(self, drag=advance(self.drag, pixel, precise))

    def along(self, part: str) -> PropGrab:
        """Start the drag over along another axis or plane."""
        begun = grab_prop(self.start, self.tool, part, self.drag.start).drag
        return replace(self, drag=advance(begun, self.drag.pointer))

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now."""
        return self._put(self._dragged(view, snap))

    def placed_by(self, shift: ArrayLike) -> Edit:
        """The edit that moves it by (3,) metres, wherever the pointer is."""
        return self._put(self.start.moved(shift))

    def _put(self, prop: Prop) -> Edit:
        if self.spun:
            prop = prop.turned_to(axis_rotation((0.0, 1.0, 0.0), self.spun) @ prop.turn)
        others = (edits.put_prop(self._along(other, prop)) for other in self.others)
        return with_people_on(edits.chain(edits.put_prop(prop), *others))

    def _along(self, other: Prop, prop: Prop) -> Prop:
        """Another prop, carried as the first one was, and as many times as large."""
        start = self.start
        if self.tool == "scale" and not self.spun:
            return other.sized(other.size.astype(np.float64) * prop.size / start.size)
        if np.array_equal(prop.turn, start.turn):
            return other.moved(prop.place.astype(np.float64) - start.place)
        return other.carried(RigidMotion.between(start.turn, start.place, prop.turn, prop.place))

    def _dragged(self, view: View, snap: bool) -> Prop:
        if self.tool == "turn":
            return self.start.turned_to(turned_rotation(self.drag, view, SNAP_RADIANS if snap else None))
        if self.tool == "scale":
            return self.start.sized(self._size(view, snap))
        gone = moved_position(self.drag, view, SNAP_METRES if snap else None) - self.drag.position
        return self.start.moved(gone)

    def _size(self, view: View, snap: bool) -> np.ndarray:
        """(3,) metres. Along an axis the side being pulled follows the pointer; the base stays where it is."""
        size = self.start.size.astype(np.float64)
        part = self.drag.part
        if self.times is not None:
            axes = [AXES.index(letter) for letter in part] if part in (*AXES, *PLANES) else [0, 1, 2]
            size[axes] *= abs(self.times)
            return size
        if part in AXES:
            axis = AXES.index(part)
            gone = (moved_position(self.drag, view) - self.drag.position) @ self.drag.frame[:, axis]
            size[axis] += gone * (1.0 if axis == 1 else 2.0)
            axes = [axis]
        else:
            axes = [AXES.index(letter) for letter in part] if part in PLANES else [0, 1, 2]
            right, down = self.drag.pointer - self.drag.start
            size[axes] *= np.exp(np.clip((right - down) / TWICE_PX, -8.0, 8.0))
        if snap:
            size[axes] = np.maximum(np.round(size[axes] / SNAP_METRES), 1.0) * SNAP_METRES
        return size


def grab_prop(prop: Prop, tool: str, part: str, pixel: ArrayLike, others: tuple[Prop, ...] = ()) -> PropGrab:
    """Grab a prop by a part of its gizmo, or by itself (""), to move it over the floor. others: those that go along."""
    if not part:
        tool, part = "move", FLOOR
    gizmo = gizmo_of(prop, tool)
    drag = start_rotate(gizmo, part, pixel) if tool == "turn" else start_move(gizmo, part, pixel)
    return PropGrab(prop, tool, drag, others=others)


def as_at_once(session: Session, step: object, grab: object, edit: Edit) -> Edit:
    """The edit of a drag; of one of props with what people hold as `holding_as_at_once` has it."""
    return holding_as_at_once(session, step, edit) if isinstance(grab, PropGrab) else edit
