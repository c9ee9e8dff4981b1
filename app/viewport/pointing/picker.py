"""What a press in the view would take."""

from __future__ import annotations

import numpy as np

from app.services.session import Session
from app.viewport.pointing.under_pointer import finger_or_limb
from rendering.camera.navigation import Pointer
from rendering.camera.photo_halves import is_in_copy
from rendering.picking.picking import Hit, pick_aside, pick_handle, pick_joint
from rendering.shapes.gizmo import PLANES
from rendering.view.viewport import Viewport

CLICK_ORDER = ("ball", "contact", "target", "ring")
MIDDLE_RADIUS = 6.0  # logical pixels
SAME_PLACE = 0.004  # metres within which handles count as at one place


class Picker:
    """Picks in one viewport, according to what the session has selected."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        self._session, self._viewport = session, viewport

    def pick(self, pointer: Pointer) -> Hit | None:
        """What a press would take. The ball within the rings gives way to other handles and joints inside it.

        On the active character's body that is the joint meant by the place, or its handle.
        """
        view, scene = self._viewport.current_view, self._viewport.scene
        if is_in_copy(view, pointer.pixel):
            return None
        hit = self._viewport.pick(pointer.x, pointer.y)
        group = scene.gizmo is not None and scene.gizmo.kind == "both"
        if hit is not None and hit.kind == "gizmo" and (aside := pick_aside(view, scene.handles, pointer.pixel)):
            return aside
        if hit is not None and hit.kind == "gizmo" and (crossed := self._crossed(pointer)) is not None:
            return crossed
        if hit is not None and hit.kind == "gizmo" and hit.id in ("ball", *PLANES) and not group:
            others = [h for h in scene.handles if not h.selected]
            return pick_handle(view, others, pointer.pixel) or pick_joint(view, scene.joints, pointer.pixel) or hit
        if group and hit is not None and hit.kind == "gizmo" and hit.id != "view":  # it lies over handles
            return pick_handle(view, scene.handles, pointer.pixel) or hit
        active = self._session.active
        if hit is not None and hit.kind == "figure" and active is not None and hit.id == active.id:
            if not self._session.view.handles or active.locked:
                return hit
            return finger_or_limb(active, hit, view, self._session.view.fingers)
        if hit is not None and hit.kind == "joint" and isinstance(hit.id, tuple) and hit.id[0] == "finger":
            return Hit("finger", hit.id, hit.depth)
        if hit is None and active is not None and self._session.view.handles and not active.locked:
            from app.viewport.finger_pick import tip_beside  # only once the pointer is in the view

            return tip_beside(active, view, pointer.pixel, self._session.view.fingers)
        return hit

    def _crossed(self, pointer: Pointer) -> Hit | None:
        """Another handle whose middle is under the pointer: an arrow or ring that crosses it has room elsewhere."""
        view, scene = self._viewport.current_view, self._viewport.scene
        hit = pick_handle(view, scene.handles, pointer.pixel, MIDDLE_RADIUS)
        if hit is None or scene.gizmo is None:
            return None
        at = next(h for h in scene.handles if h.id == hit.id)
        own = at.selected or np.linalg.norm(np.asarray(at.position) - scene.gizmo.position) <= SAME_PLACE
        return None if own else hit

    def is_for_camera(self, hit: Hit) -> bool:
        """Whether a hit is on a body that can be neither posed nor chosen: a locked one, or one without its handles.

        Or on a prop that is not selected: a drag across a wall turns the view, and a click selects it.
        """
        if hit.kind == "prop":
            return hit.id != ("prop", self._session.view.prop)
        if hit.kind != "figure":
            return False
        if hit.id == self._session.view.character:
            return True
        return any(c.id == hit.id and c.locked for c in self._session.document.characters)

    def is_free_prop(self, hit: Hit) -> bool:
        """Whether a hit is on a prop that a click selects: one that is not locked."""
        return hit.kind == "prop" and any(
            ("prop", p.id) == hit.id for p in self._session.document.props if not p.locked
        )

    def clicked(self, pointer: Pointer, hit: Hit) -> str:
        """The id of the effector that a click on a handle, or in the middle of a gizmo, selects; "" for none.

        It is the one under the pointer; another click, or one on the body there, goes on to the next at that place.
        """
        view, handles = self._viewport.current_view, self._viewport.scene.handles
        mark = pick_handle(view, handles, pointer.pixel)
        at = next((h for h in handles if h.id == (hit.id if hit.kind == "handle" else mark and mark.id)), None)
        if at is None:
            return ""
        pile = [h for h in handles if np.linalg.norm(h.held_position - at.held_position) <= SAME_PLACE]
        pile.sort(key=lambda h: CLICK_ORDER.index(h.shape))
        on = next((i for i, h in enumerate(pile) if h.selected), None)
        if on is None or (mark is not None and mark.id == at.id and not at.selected):
            return str(at.id[1])  # type: ignore[index]
        return str(pile[(on + 1) % len(pile)].id[1])  # type: ignore[index]

    def named(self, hit: Hit | None, pointer: Pointer) -> Hit | None:
        """What to name for a hit: in the middle of a gizmo the handle it belongs to, and nothing for its arms."""
        if hit is not None and hit.kind == "prop":
            return hit if self.is_free_prop(hit) else None
        if hit is None or hit.kind != "gizmo":
            return None if hit is None or self.is_for_camera(hit) else hit
        if self._session.view.prop:
            return None
        mark = pick_handle(self._viewport.current_view, self._viewport.scene.handles, pointer.pixel)
        selected = [h.id for h in self._viewport.scene.handles if h.selected]
        return mark if mark is not None and mark.id in selected else None
