"""One effector in the list: what it is, how well it is met, how firmly it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.look.icons import draw_icon
from app.look.theme import SPACE, current_theme
from app.look.wording import (
    STATE_TITLES,
    STATE_WORDS,
    effector_title,
    held_title,
    kind_title,
    reason_text,
    reason_word,
    residual_text,
)
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.tolerance_column import ToleranceColumn
from solver.effectors.asleep import is_asleep
from solver.effectors.effector import Effector
from solver.ik.problem import Cause, Reason, Residual
from solver.sentences import mid_sentence, sentence_case

BUTTON = 22  # pixels
NUMBER = "000.0 mm"  # the widest shown in full

TOLERANCE_TIP = "Tolerance: 0 is met strictly, 1 is barely a hint. Below it the same as a strength: 100% is strict"
NUMBER_GAP = 1  # pixels
OWN_PART = re.compile(r"^(\w+) .+ of own ")  # “On front of own left hip”
UNTOLERATED_TIP = "Tolerance: the network alone takes every handle as strict"
PINNED_TIP = "Tolerance: it is pinned, and met exactly"
PIN_TIP = "Pin: met exactly when reachable"
UNPINNABLE_TIP = "Pin: the network alone meets nothing exactly"
UNHEEDED = "the network alone uses places only"
STRICT_TIP = "Make strict: met strictly, with tolerance 0"
ASLEEP = "made by a newer version: kept, not used"
LOOSE_TIP = "Make loose: follows the body until it is touched"


@dataclass(frozen=True)
class EffectorStatus:
    """What is known about an effector.

    residual: how far it is off, None where that plays no part. reason: why it is not reachable or lies tilted, if
    known. supported: whether its kind is taken. alone: whether no exact stage has posed here. tolerates: whether its
    tolerance makes a difference. has_effect: whether it makes one itself. surface: what a contact lies on. finger:
    which point of a finger it holds. elsewhere: the frame of the key that asks for it, where nothing does at the frame
    shown.
    """

    residual: Residual | None = None
    reason: Reason | None = None
    supported: bool = True
    alone: bool = False
    tolerates: bool = True
    has_effect: bool = True
    surface: str = ""
    finger: str = ""
    elsewhere: int | None = None


class EffectorRow(QWidget):
    """A row of the effector list. pressed(id, extend), menu(id, place), and the two toggles: actions of the user.

    stepped(step): the focus goes to the row below, or with -1 to the one above.

    All columns but the text have a fixed width, so that nothing moves when an effector's state changes.
    """

    pressed = Signal(str, bool)
    menu = Signal(str, QPoint)
    stepped = Signal(int)
    strict_clicked = Signal(str)
    pin_clicked = Signal(str)
    enable_clicked = Signal(str)
    delete_clicked = Signal(str)

    def __init__(self, effector: Effector) -> None:
        super().__init__()
        self.effector_id = effector.id
        self._shortest, self._yields = "", False
        self.setObjectName("row")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(40)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.glyph = Glyph(effector.spec.handle)
        self.joint = ElidedText()
        self.detail = ElidedText(tone="muted", smaller=1.0)
        self.error = ElidedText(tone="muted", smaller=1.0, room=NUMBER, right=True)
        below = QHBoxLayout()
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(NUMBER_GAP)
        below.addWidget(self.detail, 1)
        below.addWidget(self.error)
        text = QVBoxLayout()
        text.setContentsMargins(0, 3, 0, 3)
        text.setSpacing(0)
        text.addWidget(self.joint)
        text.addLayout(below)
        self.tolerance_column = ToleranceColumn()
        self.tolerance = self.tolerance_column.tolerance
        self.tolerance.setToolTip(TOLERANCE_TIP)
        self.strict = IconButton("strict", STRICT_TIP)
        self.strict.clicked.connect(lambda: self.strict_clicked.emit(self.effector_id))
        self.pin = IconButton("pin", PIN_TIP)
        self.pin.clicked.connect(lambda: self.pin_clicked.emit(self.effector_id))
        self.enable = IconButton("enable", "Switch on or off")
        self.enable.clicked.connect(lambda: self.enable_clicked.emit(self.effector_id))
        self.delete = IconButton("delete", "Delete the effector")
        self.delete.clicked.connect(lambda: self.delete_clicked.emit(self.effector_id))
        line = QHBoxLayout(self)
        line.setContentsMargins(SPACE, 0, 2, 0)
        line.setSpacing(0)
        line.addWidget(self.glyph)
        line.addSpacing(SPACE - 2)  # so that “Rotation” is read in full in the narrowest panels
        line.addLayout(text, 1)
        line.addSpacing(2)
        line.addWidget(self.tolerance_column)
        line.addSpacing(2)
        for button in (self.strict, self.pin, self.enable, self.delete):
            button.setFixedWidth(BUTTON)
            line.addWidget(button)

    def show_effector(self, effector: Effector, status: EffectorStatus, *, selected: bool) -> None:
        """Show an effector as it is now."""
        if effector.id != self.effector_id:
            self.effector_id = effector.id
            self.tolerance.cancel_drag()
        state, text = state_shown(effector, status.residual), row_text(effector, status)
        tilted = state == "met" and status.reason is not None  # in its place, but not as it should lie there
        self.glyph.set_look(effector.spec.handle, "tolerated" if tilted else state, effector.pinned)
        self.joint.set_text(text.title)
        self.joint.setEnabled(effector.enabled)
        self._shortest = text.shorter
        self.detail.set_text(text.detail, shorter=text.shorter, cuts=True)
        self._yields = bool(status.surface) and state == "met" and not tilted
        self.error.set_text(text.error, "unreachable" if state == "unreachable" else "muted")
        self._show_number()
        self.setToolTip(text.tip)
        matters = status.tolerates and status.has_effect
        self._show_tolerance(effector, matters)
        self._show_buttons(effector, matters)
        if (self.property("selected"), self.property("pinned")) != (selected, effector.pinned):
            self.setProperty("selected", selected)
            self.setProperty("pinned", effector.pinned)
            self.style().unpolish(self)
            self.style().polish(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the number the room that there is."""
        super().resizeEvent(event)
        self._show_number()

    def _show_number(self) -> None:
        """Give the words what the number does not need where they would be cut; leave out the number of what is met if
        there is no room even so beside the place that it lies on."""
        words, usual = self.detail.needed(self._shortest) + NUMBER_GAP, self.error.needed(NUMBER)
        needed = min(self.error.needed(self.error.text()), usual)
        self.error.setFixedWidth(usual if words + usual <= self.joint.width() else needed)
        self.error.setVisible(not self._yields or words + needed <= self.joint.width())

    def _show_tolerance(self, effector: Effector, matters: bool) -> None:
        self.tolerance_column.show_effector(effector)
        self.tolerance.setEnabled(effector.enabled and not effector.pinned and matters)
        self.tolerance.setToolTip(UNTOLERATED_TIP if not matters else PINNED_TIP if effector.pinned else TOLERANCE_TIP)
        self.tolerance.set_quiet(effector.loose)

    def _show_buttons(self, effector: Effector, matters: bool) -> None:
        strict, asleep = effector.is_strict, is_asleep(effector)
        self.strict.set_icon(
            "loose" if effector.loose else "strict" if strict else "between", "muted" if strict else "faint"
        )
        self.strict.setToolTip(LOOSE_TIP if strict else STRICT_TIP)
        self.strict.setEnabled(effector.enabled and not effector.pinned)
        self.pin.setEnabled(not asleep and matters)
        self.pin.setToolTip(PIN_TIP if matters else UNPINNABLE_TIP)
        self.pin.set_icon("pinned" if effector.pinned else "pin", "accent" if effector.pinned else "faint")
        self.enable.setEnabled(not asleep)
        self.enable.set_icon("enable", "muted" if effector.enabled else "faint")
        self.delete.set_icon("delete", "faint")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the effector; with Shift or Ctrl, in addition to those already selected."""
        extend = bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        self.pressed.emit(self.effector_id, extend)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select with Space or Enter, with Shift or Ctrl in addition to others; up and down go from row to row."""
        extend = bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        if self.hasFocus() and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.pressed.emit(self.effector_id, extend)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a bar at the left of a pinned one, over the style sheet's background."""
        if self.property("pinned"):
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(current_theme().accent))
            painter.drawRoundedRect(QRectF(0, 6, 3, self.height() - 12), 1.5, 1.5)
            painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the effector's menu."""
        self.menu.emit(self.effector_id, event.globalPos())


def state_shown(effector: Effector, residual: Residual | None) -> str:
    """The state the row shows: the residual's, or that it is off or loose; "" while nothing is known."""
    if not effector.enabled:
        return "disabled"
    return "loose" if effector.loose else residual.state if residual else ""


class RowText(NamedTuple):
    """The words of a row: what is held, how it is, the number at its right, and the tip. shorter: of how it is."""

    title: str
    detail: str
    error: str
    tip: str

    @property
    def shorter(self) -> str:
        """Without where on a part of the own body it lies: “On own left hip”, as left and right count more."""
        return OWN_PART.sub(r"\1 own ", self.detail)


def row_text(effector: Effector, status: EffectorStatus) -> RowText:
    """What a row says about an effector."""
    state, reason, surface = state_shown(effector, status.residual), status.reason, status.surface
    title, off = held_title(effector, status.finger), residual_text(effector.spec, status.residual)
    error = off if status.supported else ""
    if is_asleep(effector):
        return RowText(title, f"{kind_title(effector)}: {ASLEEP}", error, f"{effector_title(effector)}: {ASLEEP}")
    if status.supported and not status.has_effect and effector.is_active:
        return RowText(title, "No effect", error, f"{effector_title(effector, status.finger)}: {UNHEEDED}")
    what = f"{effector.spec.title} of {title.lower()}{surface and f' {surface}'}"
    if not status.supported:
        return RowText(title, "Unsupported", error, f"{what}: this solver cannot use it")
    if status.elsewhere is not None and not state:
        at = f"At frame {status.elsewhere + 1:,}"
        asked = f"the key {mid_sentence(at)} asks for it, this frame does not"
        return RowText(title, at, error, f"{what}: {asked}; {off} off")
    word = reason_word(reason) if reason else STATE_WORDS[state] or sentence_case(surface) or effector.spec.title
    return RowText(title, word, error, f"{what}: {_how_it_is(state, off, reason, status.alone, effector)}")


def _how_it_is(state: str, off: str, reason: Reason | None, alone: bool, of: Effector) -> str:
    """How well an effector is met, in a whole sentence. off: by how much it is missed, in words."""
    said = "missed" if alone and state == "unreachable" else STATE_TITLES[state]
    whole = f"{said}, {off} off" if off and state not in ("met", "") else said
    if reason and reason.cause in (Cause.OUT_OF_REACH, Cause.WIDE):
        return mid_sentence(reason_text(reason, off))
    return f"{whole}. {reason_text(reason, of=of)}" if reason else whole


class Glyph(QWidget):
    """The effector's sign: it has the handle's shape, its colour shows the state, and a dot that it is pinned."""

    def __init__(self, handle: str) -> None:
        super().__init__()
        self._look = (handle, "", False)
        self.setFixedSize(QSize(20, 20))

    def set_look(self, handle: str, state: str, pinned: bool) -> None:
        """Show another glyph."""
        if (handle, state, pinned) != self._look:
            self._look = (handle, state, pinned)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the handle in the colour of its state, bolder when pinned."""
        handle, state, pinned = self._look
        painter = QPainter(self)
        color = current_theme().state_color(state)
        draw_icon(painter, handle, QRectF(1, 1, 18, 18), color, weight=2.4 if pinned else 1.6)
        painter.end()
