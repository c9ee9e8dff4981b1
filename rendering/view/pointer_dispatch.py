"""Who gets the pointer: navigation with its own buttons, then the tool, then navigation where no tool wanted it."""

from __future__ import annotations

import time
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING, Protocol

from numpy.typing import ArrayLike
from PySide6 import QtCore, QtGui

from rendering.camera.camera import Camera, OrbitCamera, View
from rendering.camera.moving import carried
from rendering.camera.navigation import (
    DEFAULT_PRESET,
    DRAG_STARTS,
    PRESETS,
    Action,
    Button,
    Pointer,
    drag_action,
    dragged,
    scroll_action,
    scrolled,
)

if TYPE_CHECKING:
    from rendering.view.viewport import Viewport

_BUTTONS: dict[QtCore.Qt.MouseButton, Button] = {
    QtCore.Qt.MouseButton.LeftButton: "left",
    QtCore.Qt.MouseButton.MiddleButton: "middle",
    QtCore.Qt.MouseButton.RightButton: "right",
}
NOTCH = 120.0  # Qt's units for one notch of a wheel
SCROLLS_S = 0.7  # between turns of the wheel that still count as one move
SCROLL_NOTCH = 60.0  # pixels of two-finger scrolling that zoom as much as a notch


class Tool(Protocol):
    """What the application does with the pointer."""

    def press(self, pointer: Pointer) -> bool:
        """A button went down; True claims the pointer until release, except for the right one, which drags nothing.

        A second button may come while it is held.
        """
        ...

    def move(self, pointer: Pointer) -> None:
        """The pointer moved while claimed."""
        ...

    def release(self, pointer: Pointer) -> None:
        """The button that claimed the pointer went up."""
        ...

    def cancel(self) -> None:
        """The claimed drag ends as if it had not begun."""
        ...

    def wheel(self, pointer: Pointer, notches: float) -> None:
        """The wheel was turned while claimed; away from the user counts positive."""
        ...

    def hover(self, pointer: Pointer | None) -> None:
        """The pointer moved with no button down; None when it left the view."""
        ...

    def double_click(self, pointer: Pointer) -> bool:
        """A button was released after a quick second press, without a drag; True if that meant something."""
        ...

    def click_unclaimed(self, pointer: Pointer) -> None:
        """A press the tool did not claim was released where it began, so it was not a drag of the camera either."""
        ...


class PointerDispatch:
    """Turns Qt's events of one viewport into calls of its tool and steps of its camera."""

    def __init__(self, viewport: Viewport) -> None:
        self._viewport = viewport
        self.preset = PRESETS[DEFAULT_PRESET]
        self.tool: Tool | None = None
        self._claimed_by: Button | None = None
        self._navigating: tuple[Action, Button, Pointer, View, Camera] | None = None
        self._unclaimed: Pointer | None = None  # a press that may still become a click
        self._second: Pointer | None = None  # a claimed press soon after another: a double-click, or still a drag
        self._last = Pointer(0.0, 0.0)  # while claimed: the newest
        self._step = self._scroll = 0  # the number of the last move of the camera, and of the last scrolling
        self._scrolled_s = 0.0

    def set_tool(self, tool: Tool | None) -> None:
        """Exchange the tool."""
        self.cancel()
        self.tool = tool

    def cancel(self) -> bool:
        """Undo the drag under way, of tool or camera."""
        self._unclaimed = self._second = None
        if self._claimed_by is not None and self.tool is not None:
            self._claimed_by = None
            self.tool.cancel()
            return True
        if self._navigating is not None:
            camera = self._navigating[4]
            self._navigating = None
            self._viewport.set_camera(camera)
            return True
        return False

    def end_drag(self) -> None:
        """End the drag under way where it is: a menu or a dialog got the release."""
        self._unclaimed = self._navigating = self._second = None
        button, self._claimed_by = self._claimed_by, None
        if button is not None and self.tool is not None:
            self.tool.release(replace(self._last, button=button))

    def carry(self, way: ArrayLike) -> None:
        """Let a drag of the camera go on from where that was taken along to by a way (3,), in metres."""
        if self._navigating is None:
            return
        action, button, start, view, _ = self._navigating
        if isinstance(view.camera, OrbitCamera):
            camera = carried(view.camera, way)
            self._navigating = (action, button, start, replace(view, camera=camera), camera)

    def press(self, event: QtGui.QMouseEvent) -> None:
        """Offer the press to navigation, the tool, then navigation on empty space."""
        event.accept()
        pointer = pointer_of(event)
        if pointer.button is None or self._navigating is not None:
            return
        if self._claimed_by is not None:
            if self.tool is not None:
                self.tool.press(pointer)
            return
        action = drag_action(self.preset, pointer, empty=False)
        if action is None and self.tool is not None and self.tool.press(pointer):
            if pointer.button != "right":  # which opens a menu, and that gets the release
                self._claimed_by, self._last = pointer.button, pointer
            return
        self._unclaimed = pointer if action is None else None
        action = action or drag_action(self.preset, pointer, empty=True)
        if action is not None:
            view, self._step = self._viewport.current_view, self._step + 1
            self._navigating = (action, pointer.button, pointer, view, view.camera)

    def move(self, event: QtGui.QMouseEvent) -> None:
        """Drag what was pressed, or hover."""
        event.accept()
        if event.buttons() == QtCore.Qt.MouseButton.NoButton:
            self.end_drag()
        pointer, began = pointer_of(event), self._unclaimed
        if began is not None:
            if _gone(began, pointer) < DRAG_STARTS:
                return
            self._unclaimed = None
        if self._navigating is not None:
            self._navigate(pointer)
        elif self.tool is not None and self._claimed_by is not None:
            if self._second is not None and _gone(self._second, pointer) >= DRAG_STARTS:
                self._second = None
            self._last = pointer
            self.tool.move(pointer)
        elif self.tool is not None:
            self.tool.hover(pointer)

    def _navigate(self, pointer: Pointer) -> None:
        assert self._navigating is not None
        action, _, start, view, _ = self._navigating
        travel = (pointer.x - start.x, pointer.y - start.y)
        if travel != (0.0, 0.0) or self._viewport.camera != view.camera:
            if self.tool is not None:
                self.tool.hover(None)
            camera = dragged(view, action, travel, start.pixel, self._pivot(view))
            self._viewport.move_camera(camera, step=self._step)

    def _pivot(self, view: View) -> ArrayLike:
        if self._viewport.pivot is None and isinstance(view.camera, OrbitCamera):
            return view.camera.target  # the one at the drag's start
        return self._viewport.orbit_pivot()

    def release(self, event: QtGui.QMouseEvent) -> None:
        """End the drag of the button that began it."""
        event.accept()
        pointer, began = pointer_of(event), self._unclaimed
        clicked = began is not None and pointer.button == began.button
        if clicked:
            self._unclaimed = None
        if self._navigating is not None and pointer.button == self._navigating[1]:
            self._navigating = None
            if self.tool is not None and not clicked:
                self.tool.hover(pointer)
        if clicked and self.tool is not None:
            self.tool.click_unclaimed(pointer)
        elif self._claimed_by is not None and pointer.button == self._claimed_by:
            self._claimed_by = None
            second, self._second = self._second, None
            if self.tool is None:
                return
            if second is not None and self.tool.double_click(second):
                self.tool.cancel()  # the press that came with it
            else:
                self.tool.release(pointer)

    def double_click(self, event: QtGui.QMouseEvent) -> None:
        """The tool's, once released in place: a user who clicks something and drags it at once means the drag."""
        busy = self._claimed_by is not None
        self.press(event)
        if not busy and self._claimed_by is not None:
            self._second = pointer_of(event)

    def leave(self) -> None:
        """Nothing is hovered outside."""
        if self.tool is not None and self._claimed_by is None:
            self.tool.hover(None)

    def wheel(self, event: QtGui.QWheelEvent) -> None:
        """Scroll: a wheel's notches or a trackpad's pixels."""
        event.accept()
        if self._navigating is not None:
            return
        place, pixels, angle = event.position(), event.pixelDelta(), event.angleDelta()
        pointer = _pointer(place, None, event.modifiers())
        wheel = pixels.isNull() or event.phase() == QtCore.Qt.ScrollPhase.NoScrollPhase
        if self._claimed_by is not None:
            gone = (angle.y() or angle.x()) / NOTCH if wheel else (pixels.y() or pixels.x()) / SCROLL_NOTCH
            if self.tool is not None and gone:
                self.tool.wheel(pointer, gone)
            return
        action = scroll_action(self.preset, pointer, wheel=wheel)
        # Qt swaps the axes while Alt is held.
        turned = angle.y() or angle.x()
        if action == "zoom":
            travel = (0.0, turned / NOTCH if wheel else (pixels.y() or pixels.x()) / SCROLL_NOTCH)
        elif wheel:
            travel = (turned / 4, 0.0) if pointer.shift else (angle.x() / 4, angle.y() / 4)
        else:
            travel = (float(pixels.x()), float(pixels.y()))
        view = self._viewport.current_view
        camera = scrolled(view, action, travel, pointer.pixel, self._viewport.orbit_pivot())
        self._viewport.move_camera(camera, step=self._scroll_step())
        if self.tool is not None:
            self.tool.hover(pointer)

    def gesture(self, event: QtGui.QNativeGestureEvent) -> bool:
        """A pinch zooms about its middle."""
        if event.gestureType() != QtCore.Qt.NativeGestureType.ZoomNativeGesture or self._claimed_by is not None:
            return False
        view, place = self._viewport.current_view, event.position()
        travel = (0.0, event.value() * 7.0)
        camera = scrolled(view, "zoom", travel, (place.x(), place.y()), self._viewport.orbit_pivot())
        self._viewport.move_camera(camera, step=self._scroll_step())
        return True

    def _scroll_step(self) -> int:
        """The number of the move that scrolling now belongs to."""
        now = time.monotonic()
        if self._scroll != self._step or now - self._scrolled_s > SCROLLS_S:
            self._step += 1
        self._scroll, self._scrolled_s = self._step, now
        return self._step


def pointer_of(event: QtGui.QMouseEvent) -> Pointer:
    """Qt's event as a Pointer."""
    return _pointer(event.position(), _BUTTONS.get(event.button()), event.modifiers())


def _gone(start: Pointer, now: Pointer) -> float:
    """Pixels from one to the other."""
    return hypot(now.x - start.x, now.y - start.y)


def _pointer(place: QtCore.QPointF, button: Button | None, keys: QtCore.Qt.KeyboardModifier) -> Pointer:
    held = QtCore.Qt.KeyboardModifier
    return Pointer(
        place.x(),
        place.y(),
        button,
        shift=bool(keys & held.ShiftModifier),
        ctrl=bool(keys & held.ControlModifier),
        alt=bool(keys & held.AltModifier),
    )
