"""The wheel turns what is held, in the same step as the drag: a joint about the line of sight, whole people and props
about the vertical."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.posing.fitting_effectors import new_effector
from app.viewport.tools.drags import Grab
from app.viewport.tools.prop_drag import PropGrab
from app.viewport.tools.root_drag import RootGrab
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.kinds import Rotation
from solver.kinematics.rotations import from_rotation_vector, nearest_rotation

NOTCH, FINE_NOTCH = float(np.radians(5.0)), float(np.radians(1.0))


@dataclass(frozen=True, eq=False)
class WheelTurn:
    """How far the wheel has turned what is held. turned: effectors that hold a rotation, as they were when the wheel
    was first used; in a drag that itself turns, they go on from where that has them. axis: (3,) towards the viewer.
    angle: radians, counter-clockwise as seen.
    """

    character: str
    turned: tuple[Effector, ...]
    follows: bool
    axis: NDArray[np.float64]
    angle: float = 0.0

    def by(self, notches: float, fine: bool = False) -> WheelTurn:
        """Turned further by so many notches of the wheel."""
        return replace(self, angle=self.angle + notches * (FINE_NOTCH if fine else NOTCH))

    def edit(self) -> Edit:
        """The edit, after that of the drag."""
        turn = from_rotation_vector(self.axis * self.angle)

        def edit(document: Document) -> Document:
            for start in self.turned:
                there = {effector.id: effector for effector in document.character(self.character).effectors}
                if start.id not in there:
                    document = edits.add_effector(self.character, start)(document)
                before = there[start.id].target if self.follows else start.target
                target = nearest_rotation(turn @ np.asarray(before, np.float64))
                document = edits.set_target(self.character, start.id, target)(document)
            return document

        return edit

    def hint(self, text: str) -> str:
        """What the drag does, and how far the wheel has turned."""
        return f"Turned by {round(np.degrees(self.angle), 1):g}° · {text} · Shift and the wheel fine · Esc cancels"


def wheel_turn(character: Character, grab: Grab, axis: NDArray[np.floating]) -> WheelTurn | None:
    """What the wheel turns while this is held: what the drag turns, else the rotation effector of each joint it moves,
    added if there is none. None where nothing can be turned like that, such as what somebody looks at, or a hand with
    the stick that it is around."""
    towards = np.asarray(axis, np.float64)
    if grab.turning:
        return WheelTurn(character.id, grab.moved, True, towards)
    turned: list[Effector] = []
    for moved in grab.moved:
        on_a_surface = isinstance(moved, Contact) and moved.lies_flat  # and the surface says how the joint is turned
        if isinstance(moved, AimEffector) or on_a_surface:
            continue
        held = [e for e in character.effectors if e.joint == moved.joint and e.kind == Rotation.kind]
        if not held:
            known = {e.id: e for e in (*character.effectors, *grab.moved, *turned)}
            held = [new_effector(replace(character, effectors=tuple(known.values())), Rotation.kind, moved.joint)]
        turned.append(held[0])
    return WheelTurn(character.id, tuple(turned), False, towards) if turned else None


def spun_on(grab: object, notches: float, fine: bool = False) -> RootGrab | PropGrab | None:
    """The drag of people or of a prop, turned further about the vertical by so many notches; None for any other."""
    if not isinstance(grab, RootGrab | PropGrab):
        return None
    return replace(grab, spun=grab.spun + notches * (FINE_NOTCH if fine else NOTCH))
