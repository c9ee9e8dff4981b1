"""The one tool of the view: select, drag handles and joints, open their menus, add effectors by double-click."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from app.document import edits
from app.document.model.history import Edit, StepKey
from app.services.clock import plays
from app.services.session import Session
from app.services.view_state import selected_prop
from app.viewport.pointing.hover import HoverName, HoverRefresh
from app.viewport.pointing.picker import Picker
from app.viewport.pointing.under_pointer import HIGHLIGHTED, WHEELED
from app.viewport.tools.drag_starter import ONLY_LIMB, DragStarter
from app.viewport.tools.drags import Grab
from app.viewport.tools.held_axes import AXIS_KEYS, OPPOSITE_PLANE, shown_axes
from app.viewport.tools.root_drag import RootGrab
from app.viewport.tools.surface_key import SURFACE_KEY, SurfaceKey
from rendering.camera.navigation import DRAG_STARTS, Pointer
from rendering.picking.picking import Hit
from rendering.view.viewport import Viewport
from solver.ik.multi_solve.only_limb import LimbHold

if TYPE_CHECKING:
    from app.services.settings import SettingsStore
    from app.viewport.tools.drag_keys import DragKeys
    from app.viewport.tools.finger_drag import FingerGrab
    from app.viewport.tools.nudge import Nudge
    from app.viewport.tools.prop_drag import PropGrab
    from app.viewport.tools.sight_drag import SightGrab
    from app.viewport.tools.wheel_turn import WheelTurn
    from rendering.camera.camera import View

    AnyGrab = Grab | RootGrab | SightGrab | PropGrab | FingerGrab

ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}


class PoseTool(QObject):
    """Gets the pointer from the viewport; see rendering.view.pointer_dispatch.Tool.

    menu_asked(kind "effector" or "joint", id or joint name): a right click; place_asked(pixel): one
    where there is nothing. hint(text): what the drag is doing.
    said(text): what a key has done. pressing: the pointer goes down, so the view has to show everybody where they are.
    taken: it was pressed on something that a drag may follow from.
    """

    menu_asked = Signal(str, str)
    place_asked = Signal(tuple)
    hint = Signal(str)
    said = Signal(str)
    pressing = Signal()
    taken = Signal()

    def __init__(
        self, session: Session, viewport: Viewport, parent: QObject | None = None, settings: SettingsStore | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._viewport, self._settings = session, viewport, settings
        self._pressed: Pointer | None = None
        self._hit: Hit | None = None
        self._grab: AnyGrab | None = None
        self._key: StepKey | None = None
        self._last: Pointer | None = None
        self._begun = viewport.current_view
        self._nudge: Nudge | None = None
        self._first: tuple[Edit, ...] = ()
        self._surface_key = SurfaceKey(session, viewport, self._leave_surface)
        self._keys: DragKeys | None = None
        self._turn: WheelTurn | None = None
        self._picker = Picker(session, viewport)
        self._drag_starter = DragStarter(session, viewport, settings)
        self.hover_name = HoverName(session, self)
        self.hover_refresh = HoverRefresh(session, self.hover, viewport, self)
        viewport.camera_changed.connect(self._looked_from_elsewhere)

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self._grab is not None

    @property
    def _view(self) -> View:
        from app.viewport.tools.resized_view import with_size_of  # once something is dragged

        return with_size_of(self._viewport.current_view, self._begun)

    @property
    def _hold(self) -> LimbHold | None:
        return self._grab.hold if isinstance(self._grab, Grab) else None

    def press(self, pointer: Pointer) -> bool:
        """Claim the pointer over anything the tool handles; a right click during a drag cancels it."""
        if self._pressed is not None:
            if pointer.button == "right":
                self.cancel()
            return True
        hit = self._pressed_on(pointer)
        self.hover_name.clear()
        self.hover_refresh.seen(None)
        if pointer.button == "right":
            return self._right_click(hit, pointer)
        if pointer.button != "left" or hit is None or self._picker.is_for_camera(hit):
            return False  # for the camera
        self._pressed, self._hit, self._begun = pointer, hit, self._viewport.current_view
        self.taken.emit()
        return True

    def _pressed_on(self, pointer: Pointer) -> Hit | None:
        """What a press takes: who was drawn on their way is at once where the document has them, since a drag goes on
        from there; where nobody is now, it is what was drawn there."""
        seen = self._viewport.scene
        hit = self._picker.pick(pointer)
        self.pressing.emit()
        return hit if self._viewport.scene is seen else self._picker.pick(pointer) or hit

    def move(self, pointer: Pointer) -> None:
        """Begin the drag once the pointer has gone far enough, and go on with it."""
        if self._pressed is None or self._hit is None:
            return
        from app.viewport.tools.resized_view import pointer_in_view_of_start

        pointer = pointer_in_view_of_start(self._begun, self._viewport.current_view, pointer)
        if self._grab is None and np.hypot(pointer.x - self._pressed.x, pointer.y - self._pressed.y) >= DRAG_STARTS:
            self._begin(self._hit, self._pressed)
        if self._grab is None:
            return
        if self._surface_key.is_pulled_away(self._last, pointer):
            self._set_onto(False)
        on_root = self._hit.kind == "root" and self._pressed.modifiers == ONLY_LIMB
        if (self._hold is not None or on_root) and pointer.modifiers == ONLY_LIMB:  # they began it, and mean no more
            pointer = replace(pointer, shift=False, ctrl=False)
        self._last = pointer
        if self._number:  # the mouse waits until the number is taken back
            return
        self._grab = self._grab.to(pointer.pixel, pointer.shift)
        self._apply(pointer)

    def _begin(self, hit: Hit, pressed: Pointer) -> None:
        self._grab = self._drag_starter.of(hit, pressed)
        self._pressed = pressed if self._grab is not None else None
        self._key = self._session.history.step_key()
        self._first = self._grab.first if isinstance(self._grab, Grab) else ()
        self._listen()

    def wheel(self, pointer: Pointer, notches: float) -> None:
        """Turn what is held, in its drag's step: a joint about the line of sight, people and props upright."""
        if self._pressed is None or self._hit is None or self._hit.kind not in WHEELED:
            return
        from app.viewport.tools.wheel_turn import spun_on, wheel_turn  # not before the first such turn

        if self._grab is None:
            self._begin(self._hit, self._pressed)
        grab, active = self._grab, self._session.active  # with what the drag has added
        if isinstance(grab, Grab) and active is not None:
            if self._turn is None and self._last is not None:
                self._grab = self._afresh(grab)
            turn = self._turn or wheel_turn(active, grab, self._viewport.camera.rotation[:, 2])
            self._turn = turn and turn.by(notches, pointer.shift)
        elif (spun := spun_on(grab, notches, pointer.shift)) is not None:
            self._grab = spun
        if self._grab is not None:
            self._last = self._last or self._pressed
            self._apply(self._last)

    def release(self, pointer: Pointer) -> None:
        """End the drag as one step; a press without a drag selects."""
        if self._grab is not None:
            self._close()
            self.hover_name.drag_ended(pointer)
        elif self._hit is not None and self._pressed is not None:
            from app.viewport.tools.clicks import select_hit  # not before the first click

            select_hit(self._session, self._picker, self._hit, self._pressed)
        self._end()
        self.hover(pointer)

    def click_unclaimed(self, pointer: Pointer) -> None:
        """A click on empty space deselects; one on a prop selects it."""
        if pointer.button == "left":
            from app.viewport.tools.clicks import select_unclaimed  # not before the first click

            select_unclaimed(self._session, self._picker, pointer)

    def cancel(self) -> None:
        """Cancel the drag: everything is exactly as it was."""
        if self._grab is not None and self._key is not None:
            self._session.cancel(self._key)
        self._end()

    def hover(self, pointer: Pointer | None) -> None:
        """Light up what a press would take, and name it."""
        hit = self._picker.pick(pointer) if pointer is not None else None
        part = str(hit.id) if hit is not None and hit.kind == "gizmo" else None
        lit = hit is not None and (hit.kind in HIGHLIGHTED or self._picker.is_free_prop(hit))
        over = hit.id if hit is not None and lit else None
        self._session.set_view(hover=over, hover_part=part)
        taken = hit is not None and not self._picker.is_for_camera(hit)
        self._viewport.setCursor(Qt.CursorShape.PointingHandCursor if taken else Qt.CursorShape.ArrowCursor)
        named = self._picker.named(hit, pointer) if pointer is not None else None
        if pointer is not None and named is not None:
            self.hover_name.show(named, pointer)
        else:
            self.hover_name.clear(pointer)
        self.hover_refresh.seen(pointer)

    def _looked_from_elsewhere(self) -> None:
        """Note that what was under the pointer no longer is; a key can cause that without a move of the pointer."""
        if self._pressed is None:
            self.hover(None)

    def double_click(self, pointer: Pointer) -> bool:
        """On a joint or a finger's point: add a position effector. On a handle: pin or unpin; a stray one goes home."""
        from app.viewport.tools.clicks import double_click_hit  # not before the first click

        hit = self._picker.pick(pointer)
        return hit is not None and pointer.button == "left" and double_click_hit(self._session, hit)

    def constrain(self, key: Qt.Key, plane: bool = False) -> bool:
        """X, Y or Z during a drag: keep to that axis (with Shift, to the plane across it); again: free.

        S for as long as it is held: onto the surface under the pointer.
        """
        if key == SURFACE_KEY:
            self._set_onto(True)
            return self._grab is not None
        if key == Qt.Key.Key_C and isinstance(self._grab, RootGrab) and self._grab.ways and self._last:
            self._grab = self._afresh(self._grab.otherwise())
            self._apply(self._last)
            return True
        if key == Qt.Key.Key_K and isinstance(self._grab, RootGrab) and self._grab.has_frames and self._last:
            self._grab = self._afresh(self._grab.at_other_frames())
            self._apply(self._last)
            return True
        if self._grab is None or key not in AXIS_KEYS:
            return False
        part = OPPOSITE_PLANE[AXIS_KEYS[key]] if plane and not self._grab.turning else AXIS_KEYS[key]
        self._grab = self._grab.along(self._grab.free if self._grab.part == part else part)
        self._surface_key.overruled = self._surface_key.held and self._grab.part == part
        if self._grab.numbers and self._keys is not None:
            self._keys.part_before = ""
            self._take_number(self._number)
        elif self._last is not None:
            self._apply(self._last)
        return True

    def key_released(self, key: Qt.Key | None) -> None:
        """Note that a key is no longer held; None: the window has lost the keyboard."""
        if self._surface_key.is_let_go(key, self.dragging) and not self._surface_key.stays_a_moment():
            self._set_onto(False)

    def _set_onto(self, onto: bool) -> None:
        if self._surface_key.hold(onto):
            self._drag_starter.surface_key(onto, pressed=self._pressed is not None)
            if self._last is not None:
                self._apply(self._last)

    def _leave_surface(self) -> None:
        self._set_onto(False)

    @property
    def _number(self) -> str:
        """What is typed while something is dragged."""
        return self._keys.text if self._keys is not None else ""

    def _listen(self) -> None:
        if self._keys is None:
            from app.viewport.tools.drag_keys import DragKeys  # not before the first drag

            self._keys = DragKeys(self._viewport, lambda: self.dragging, self._take_number, self._keep)
        self._keys.text = self._keys.part_before = ""

    def _take_number(self, text: str) -> None:
        """Go on with the drag as a typed number says; "" gives it back to the mouse."""
        from app.viewport.tools.typed_number import number_hint, takes_number, with_number

        if takes_number(self._grab) and self._last is not None and self._keys is not None:
            self._grab, self._keys.part_before = with_number(self._grab, text, self._view, self._keys.part_before)
            if not text:
                self._grab = self._grab.to(self._last.pixel, self._last.shift)
            key = self._surface_key
            key.overruled = key.held and (bool(text) or (key.overruled and self._grab.part in AXIS_KEYS.values()))
            self._apply(self._last)
            if text and self.dragging:
                self.hint.emit(number_hint(self._grab, text))

    def _keep(self) -> None:
        """Return: end the drag where it is, although the button is still down."""
        self._close()
        self._end()

    def _close(self) -> None:
        """End the drag as one step; handles of feet and hands come up to the floor first unless a number is typed and,
        if the settings say so, one out of reach goes back."""
        grab = self._grab
        if isinstance(grab, Grab):
            from app.viewport.tools.stray import rest_on_floor, spring_back  # not needed to show the window

            if not self._number:
                rest_on_floor(self._session, grab, self._key)
            if self._settings is not None and self._settings.values.beyond_reach == "back":
                spring_back(self._session, grab, self._key)
        self._session.close_step()

    def nudge(self, key: Qt.Key, far: bool = False, alone: bool = False) -> bool:
        """An arrow key over the view: move what is selected a step in its plane; in a motion it is left to frames.

        alone: with its limb only; everything else of the person stays.
        """
        active, prop = self._session.active, selected_prop(self._session.document, self._session.view)
        if key not in ARROWS or self._pressed is not None or not self._viewport.hasFocus():
            return False
        if (moved := prop or active) is None or plays(self._session.document):
            return False
        if not moved.visible:
            self.said.emit(f"{moved.name} is hidden, so nothing moves. The eye in the list brings {moved.name} back.")
            return True
        if self._nudge is None:
            from app.viewport.tools.nudge import Nudge  # not before the first such key

            self._nudge = Nudge(self._session, self, self.said.emit, self._settings)
        self._nudge.move(moved, self._viewport.camera, ARROWS[key], far=far, alone=alone)
        return True

    def _apply(self, pointer: Pointer) -> None:
        assert self._grab is not None
        assert self._key is not None
        if self._key.is_over or not self._grab.is_there(self._session.document):
            self._end()
            return
        landing, shown = self._surface_key.landing(self._grab, self._view, pointer), None
        if self._surface_key.is_elsewhere(landing):
            if not (goes_on := self._surface_key.goes_on(landing)):
                shown = self._session.active
                self._grab = self._afresh(self._grab)
            landing = self._surface_key.landing(self._grab, self._view, pointer, anew=True)
            if goes_on and landing is not None:
                self._session.history.name_step(landing.text, self._key)
        self._surface_key.landed = landing
        hold = self._hold or (landing.hold if landing is not None else None)
        edit = landing.edit if landing is not None else self._grab.edit(self._view, snap=pointer.ctrl)
        if self._turn is not None and landing is None:
            edit = edits.chain(edit, self._turn.edit())
        if shown is not None and hold is None and self._surface_key.is_for_leg(self._grab, shown):
            from app.services.drags_anew import shown_on  # not before the first such drag

            edit = edits.chain(edit, shown_on(self._session, shown))
        if not isinstance(self._grab, Grab | RootGrab):
            from app.viewport.tools.prop_drag import as_at_once  # not before the first such drag

            edit = as_at_once(self._session, self._key, self._grab, edit)
        text = landing.text if landing is not None else self._grab.text
        solves = self._grab.solves or (landing is not None and landing.solves)
        self._session.edit(text, edit, self._key, solve=solves, hold=hold)
        if self._key is None:  # the message box with the refusal has ended the drag
            return
        if isinstance(self._grab, Grab) and self._grab.first:
            self._session.select(self._grab.character, self._session.view.effectors | {self._grab.lead.id})
            self._grab = replace(self._grab, first=())
        self._session.set_view(**shown_axes(self._grab))
        onto = (
            f"{text} · let go of S to pull away · Esc cancels"
            if landing is not None
            else self._surface_key.why_not(self._grab, self._view, pointer)
        )
        self.hint.emit(onto or (self._turn.hint(text) if self._turn is not None else self._grab.hint))

    def _afresh(self, grab: AnyGrab) -> AnyGrab:
        """The drag as if it had been like this from the start: no earlier solve enters into it any more."""
        self._session.cancel(self._key)
        self._key = self._session.history.step_key()
        return replace(grab, first=self._first) if isinstance(grab, Grab) else grab

    def _right_click(self, hit: Hit | None, pointer: Pointer) -> bool:
        from app.viewport.tools.clicks import menu_at  # not before the first click

        if hit is None:
            self.place_asked.emit(pointer.pixel)
            return True
        if hit.kind in ("figure", "root", "prop"):
            return False
        if (menu := menu_at(self._session, hit)) is not None:
            self.menu_asked.emit(*menu)
        return True

    def _end(self) -> None:
        self._pressed = self._hit = self._grab = self._key = self._last = None
        self._first, self._turn = (), None
        self._set_onto(self._surface_key.held_after_drag())
        self._session.set_view(grabbed=None, still=frozenset(), held_axes=())
        self.hint.emit("")
