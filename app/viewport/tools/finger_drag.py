"""Drags of fingers: the finger bends to follow the pointer, and the hand stays where it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of
from app.document.model.history import Edit
from app.document.posing.fingertips import body_follows
from app.viewport.finger_pick import finger_words, fingers_of
from rendering.camera.camera import View
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import Drag, advance, moved_position, start_move
from solver.body.finger_chain import FINGER_POINTS, Array, FingerPoint, HandFrame, hand_frame
from solver.body.finger_ik import FingerChain, finger_chain, solve_finger, with_finger
from solver.body.hands import Hands, hands_at_rest

BOTH = "x"  # the key, as for mirrored editing elsewhere; in drags of handles it keeps to an axis


@dataclass(frozen=True, eq=False)
class FingerGrab:
    """A drag under way. where: the point that is grabbed. held: the hands as they were. angles: (4,) degrees, the
    finger's now. part: `BOTH` while the other hand does the same.
    """

    numbers: ClassVar[bool] = False
    turning: ClassVar[bool] = False
    free: ClassVar[str] = ""

    start: Character
    where: FingerPoint
    held: Hands
    frame: HandFrame
    chain: FingerChain
    view: View
    drag: Drag
    angles: Array
    part: str = free

    @property
    def solves(self) -> bool:
        """Whether the body has to follow the fingers."""
        return body_follows(self.start)

    @property
    def text(self) -> str:
        """The undo step's name."""
        return f"Bend {finger_words(self.where)}"

    @property
    def hint(self) -> str:
        """What can be done while dragging."""
        both = " · X this hand alone" if self.part else " · X both hands"
        return f"{self.text}{' · Ctrl all four fingers' * bool(self.where.finger)}{both} · Shift fine · Esc cancels"

    def is_there(self, document: Document) -> bool:
        """Whether the person is in the document: a key may delete them in mid-drag, or undo the step that made them."""
        return self.start.id in document.names

    def to(self, pixel: ArrayLike, precise: bool = False) -> FingerGrab:
        """The drag with the pointer at another pixel.

        The point is held to the line of sight through the pointer, and less firmly to its depth, so that a finger seen
        from its tip bends as well.
        """
        drag = advance(self.drag, pixel, precise)
        target = moved_position(drag, self.view)
        _, sight = self.view.ray(self.view.project(target))
        place, way = self.frame.to_rest(target), np.asarray(sight @ self.frame.turn, np.float64)
        angles = solve_finger(self.chain, self.where.point, place, way, begin=self.angles)
        return replace(self, drag=drag, angles=angles)

    def along(self, part: str) -> FingerGrab:
        """X: switch whether the other hand does the same; there is no axis to keep to."""
        return replace(self, part=part) if part in (BOTH, self.free) else self

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now. snap: Ctrl is held, so all four fingers go along."""
        body = body_of(self.start)
        hands = with_finger(self.held, body, self.where, self.angles, all_four=snap, both=bool(self.part))
        return edits.set_hands(self.start.id, hands)


def grab_finger(character: Character, name: str, pixel: ArrayLike, view: View) -> FingerGrab:
    """Grab a point of a finger, named as in `FINGER_POINTS`."""
    where = FINGER_POINTS[name]
    body, held = body_of(character), character.hands or hands_at_rest()
    frame = hand_frame(body, character.shape, joints_of(character), where.side)
    chain = finger_chain(body, character.shape, held, where.side, where.finger)
    place = fingers_of(character)[where.side, where.finger, where.point]
    drag = start_move(Gizmo("move", place, np.eye(3)), "view", pixel)
    return FingerGrab(character, where, held, frame, chain, view, drag, chain.start)
