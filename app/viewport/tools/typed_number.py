"""A number typed while something is dragged: centimetres along an axis or degrees about it, in place of the mouse."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from rendering.camera.camera import View
from rendering.shapes.gizmo import AXES, moved_position

if TYPE_CHECKING:
    from app.viewport.tools.drags import Grab
    from app.viewport.tools.prop_drag import PropGrab
    from app.viewport.tools.root_drag import RootGrab

    Dragged = Grab | RootGrab | PropGrab

MOST_DIGITS = 12
FARTHEST_CM = 1e6
_HELD = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier  # other modifiers make it a shortcut


def typed(text: str, event: QKeyEvent) -> str | None:
    """The number's text after a key, which may be Backspace; None for a key that does not belong to a number.

    A comma counts as a point. A minus changes the sign wherever it is typed.
    """
    if event.modifiers() & ~_HELD:
        return None
    if event.key() == Qt.Key.Key_Backspace:
        return text[:-1] if text else None
    key = event.text().replace(",", ".")
    if key == "-":
        return text[1:] if text.startswith("-") else f"-{text}"
    if len(key) == 1 and key in "0123456789" and len(text) < MOST_DIGITS:
        return text + key
    if key == ".":
        return text if "." in text else f"{text}."
    return None


def number_of(text: str) -> float | None:
    """The number; None if there is none yet, as for "-"."""
    return float(text) if any(letter.isdigit() for letter in text) else None


def takes_number(grab: object) -> TypeGuard[Dragged]:
    """Whether a drag can go by a number as well as by the mouse."""
    return bool(getattr(grab, "numbers", False))


def with_number(grab: Dragged, text: str, view: View, before: str = "") -> tuple[Dragged, str]:
    """The drag as the number, or else the mouse, says; and the part it goes back to without the number, "" for none.

    A drag that keeps to no axis takes the one along which it has gone farthest, as long as there is a number; a free
    turn is one about the line of sight. For a prop being scaled, the number is how many times as large it becomes.
    """
    number = number_of(text)
    if is_scaling(grab):
        return replace(grab, times=number), ""
    if number is None:
        return (grab.along(before) if before else replace(grab, drag=replace(grab.drag, exact=None))), ""
    if grab.turning:
        return replace(grab, drag=replace(grab.drag, exact=float(np.radians(number)))), ""
    if grab.part not in AXES:
        before = grab.part
        gone = grab.drag.frame.T @ (moved_position(grab.drag, view) - grab.drag.position)
        grab = grab.along(AXES[int(np.argmax(np.abs(gone)))])
    metres = min(max(number, -FARTHEST_CM), FARTHEST_CM) / 100.0
    return replace(grab, drag=replace(grab.drag, exact=metres)), before


def is_scaling(grab: Dragged) -> TypeGuard[PropGrab]:
    """Whether the drag scales a prop."""
    return getattr(grab, "tool", "") == "scale"


def number_hint(grab: Dragged, text: str) -> str:
    """What is typed, then what can be done with it: a narrow view drops what comes last."""
    text = text.replace("-", "−")  # as the fields show it
    about = f" about {grab.part.upper()}" if grab.part in AXES else ""
    if is_scaling(grab):
        along = f" along {grab.part.upper()}" if grab.part in AXES else ""
        return f"{text} times{along} · {grab.text} · Return keeps it · Backspace deletes a digit · Esc cancels"
    how = f"{text}°{about}" if grab.turning else f"{text} cm along {grab.part.upper()}"
    return f"{how} · {grab.text} · Return keeps it · Backspace deletes a digit · Esc cancels"
