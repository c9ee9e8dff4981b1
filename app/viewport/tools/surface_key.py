"""The key that, held in a drag, brings what is dragged onto the surface under the pointer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import dist
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from PySide6.QtCore import Qt, QTimer

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.services.session import Session
from app.viewport.tools.drags import Grab
from app.viewport.tools.root_drag import RootGrab
from rendering.camera.navigation import DRAG_STARTS, Pointer
from rendering.view.viewport import Viewport
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

if TYPE_CHECKING:
    from app.viewport.tools.surface_drag import Landing
    from rendering.camera.camera import View
    from solver.ik.multi_solve.only_limb import LimbHold

HASTY_MS = 250  # after the key is let go of: if the button follows within it, both count as let go of at once
AWAY = 2.0 * DRAG_STARTS  # pixels from there on which the drag goes on: less is a hand that shakes as it lets go
SURFACE_KEY = Qt.Key.Key_S  # held in a drag: the limb under the hand comes onto the surface under the pointer
TURNS = "A ring only turns: drag the joint in its middle, or the handle, onto a surface"


class SurfaceKey:
    """held: whether the key is held. landed: what the drag made on a surface last; None where it made nothing.
    overruled: whether a number or an axis that was typed meanwhile has the drag, until the key is pressed anew.

    Without the keyboard nobody knows whether a key is still held. A window that loses it while something is dragged, as
    when it is resized, counts this key as held until that drag ends; what is under the pointer would fall off else.

    Nor does anybody let go of a key and a button at the very same time. What lies on a surface when the key is let go
    of stays there for a moment; if the button follows, it has been put there. `pull_away` is called after that moment.
    """

    def __init__(self, session: Session, viewport: Viewport, pull_away: Callable[[], None]) -> None:
        self._session, self._viewport = session, viewport
        self._leaves = QTimer(singleShot=True, interval=HASTY_MS)
        self._leaves.timeout.connect(pull_away)
        self.held = self.overruled = self._unsure = False
        self._left_at: tuple[float, float] | None = None
        self.landed: Landing | None = None

    def landing(self, grab: object, view: View, pointer: Pointer, anew: bool = False) -> Landing | None:
        """What a drag makes on the surface under the pointer while the key is held.

        anew: whether it has come from another surface. What touched there, such as the back of a hand on the own back
        on the way to a table, says nothing about what is to touch here.
        """
        active = self._session.active
        if self.overruled:
            return None
        if self.held and not isinstance(grab, Grab | RootGrab):
            from app.viewport.tools.prop_landing import put_down  # not before the first such drag

            return put_down(self._session.document, grab, view, self._viewport.scene, pointer.pixel)
        if active is None or not self._lands(grab):
            return None
        scene, pixel = self._viewport.scene, np.asarray(pointer.pixel)
        if isinstance(grab, RootGrab):
            from app.viewport.tools.whole_landing import whole_landed  # not before the first such drag

            return whole_landed(self._session.document, grab, view, scene, pixel)
        from app.document.posing.holds.over_own_skin import is_solved_alone  # not before the first such drag
        from app.viewport.tools.surface_drag import landed

        patch = self.landed.patch if self.landed is not None and not anew else ""
        found = landed(
            self._session.document, active, grab, patch, view, scene, pixel, _hold_of(self.landed) is not None
        )
        first, now = _hold_of(self.landed), _hold_of(found)
        if found is None or now is None:
            return found
        if self._session.view.symmetry or not is_solved_alone(self._session.document, active.id):
            return replace(found, hold=None)
        return found if first is None else replace(found, hold=now.of(first.base))

    def is_for_leg(self, grab: object, person: Character) -> bool:
        """Whether a drag carries a foot, a knee or a hip alone, whose owner goes on from where they are shown."""
        if not isinstance(grab, Grab) or len(grab.moved) > 1:
            return False
        rig = rig_of(skeleton_of(person))
        return any(grab.lead.joint in rig.names_of(leg.joints) for leg in LEGS)

    def goes_on(self, landing: Landing | None) -> bool:
        """Whether a limb goes on over the person's own skin, the rest of whom stays as it was at first."""
        return _hold_of(landing) is not None and _hold_of(self.landed) is not None

    def hold(self, held: bool) -> bool:
        """Note whether the key is held, as its events say; return whether that is new."""
        self._leaves.stop()
        self.overruled = False
        new, self.held, self._unsure = held != self.held, held, False
        return new

    def is_let_go(self, key: Qt.Key | None, dragging: bool) -> bool:
        """Whether a key that is released is this one. None: the window has lost the keyboard."""
        if key is None:
            self._unsure = dragging
            return not dragging
        return key == SURFACE_KEY

    def stays_a_moment(self) -> bool:
        """Whether what the drag has put on a surface stays there for now, although the key has just been let go of."""
        if self.landed is not None:
            self._left_at = None
            self._leaves.start()
        return self._leaves.isActive()

    def is_pulled_away(self, last: Pointer | None, pointer: Pointer) -> bool:
        """Whether the pointer goes on from where the key was let go of, in however small steps. last: where it was
        before; at the first such step, where the key was let go of."""
        if not self._leaves.isActive() or last is None:
            return False
        self._left_at = self._left_at or last.pixel
        return dist(self._left_at, pointer.pixel) >= AWAY

    def held_after_drag(self) -> bool:
        """Whether the key is still held now that a drag ends, which leaves nothing landed."""
        self.landed = None
        gone, self._unsure = self._unsure or self._leaves.isActive(), False
        return self.held and not gone

    def is_elsewhere(self, landing: Landing | None) -> bool:
        """Whether a landing is on something else than the last one, or only one of them is on anything."""
        return (landing.text if landing is not None else "") != (self.landed.text if self.landed is not None else "")

    def why_not(self, grab: object, view: View, pointer: Pointer) -> str:
        """Why the key does nothing where the pointer is; "" while it is not held, or overruled."""
        if self.held and isinstance(grab, Grab) and grab.turning:
            return TURNS
        active = self._session.active
        if active is None or not self._lands(grab):
            return ""
        pixel = np.asarray(pointer.pixel)
        if isinstance(grab, RootGrab):
            from app.viewport.tools.whole_landing import why_not_whole

            return why_not_whole(self._session.document, grab, view, self._viewport.scene, pixel)
        from app.viewport.tools.surface_drag import why_not

        return why_not(active, grab, view, pixel)

    def _lands(self, grab: object) -> TypeGuard[Grab | RootGrab]:
        return self.held and not self.overruled and isinstance(grab, Grab | RootGrab) and not grab.turning


def _hold_of(landing: Landing | None) -> LimbHold | None:
    return None if landing is None else landing.hold
