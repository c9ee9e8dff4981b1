"""A slider and a number in one bar: drag to change, double-click to type, right-click to reset."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QScrollArea, QSizePolicy, QWidget
from shiboken6 import isValid

from app.panels.widgets.arithmetic import ANGLES, LENGTHS, WEIGHTS, parse_number
from app.panels.widgets.field_editor import FieldEditor, tell_below, tell_refused
from app.panels.widgets.popups import show_menu
from app.panels.widgets.value_bar import Bar, paint_bar

DRAG_STARTS = 3  # pixels
ARITHMETIC = "Arithmetic is understood: 1.5 / 4"
EXAMPLES = ((LENGTHS, "5cm + 2, 1.8 m, 5'11\""), (WEIGHTS, "70 + 2.5, 150 lb"), (ANGLES, "90 / 4, 1.2 rad"))
TURN = 360  # degrees
MOST_DEGREES = 100 * TURN  # to type: more is meant as something else


class ValueSlider(QWidget):
    """One number between `low` and `high`.

    edited(value): at every change by the user. finished(): the scrub or the typing is over. cancelled(): Esc during a
    scrub. opening(): the number is about to be typed, and may be brought up to date. typing(editor): it is typed there.
    set_value changes it silently. compact: no label and a lower bar, for rows of a list. belongs: says what the number
    belongs to; if that changes, what is being typed is dropped. falls_short(typed): called once a typed number was
    taken, says why the number is now another one, or "". Where the suffix is a unit, others of its kind may be typed. A
    click gives it the keyboard; after a scrub that goes back to where it was, so that the view's keys go on working.
    fills_from: the number at which the filled part begins, by default 0 or the least one.
    """

    edited = Signal(float)
    finished = Signal()
    cancelled = Signal()
    opening = Signal()
    typing = Signal(FieldEditor)

    def __init__(
        self,
        label: str,
        low: float,
        high: float,
        *,
        default: float = 0.0,
        decimals: int = 2,
        suffix: str = "",
        bounded: bool = True,
        compact: bool = False,
        span: float | None = None,
        fills_from: float | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.label, self._asked = label, (span, fills_from)
        self.set_range(low, high, default)
        self.decimals, self.suffix, self.units = decimals, suffix, _units_of(suffix.strip())
        self._bounded, self._compact = bounded, compact
        self._value = default
        self._start: tuple[float, float, float] | None = None  # x, value then, scrubbed so far
        self._scrubbing = self._types = False
        self._editor: FieldEditor | None = None
        self._lender: QWidget | None = None  # had the keyboard before a press here
        self.belongs: Callable[[], object] = lambda: None
        self.falls_short: Callable[[float], str] = lambda _typed: ""
        self._quiet = False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted again when the pointer comes and goes
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press takes it, too, and knows from where
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAccessibleName(label)
        self.setToolTip(f"{label}: drag to change, Shift for fine steps; double-click to type; right-click to reset")

    def value(self) -> float:
        """The present number."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show another number without a signal; one being typed is dropped."""
        if value != self._value:
            self._value = value
            self.stop_typing()
            self.update()

    def set_range(self, low: float, high: float, default: float) -> None:
        """Let the number be within other ends, and another one be the usual one."""
        span, fills_from = self._asked
        self.low, self.high, self.default, self._span = low, high, default, span or high - low
        self._fills_from = (0.0 if low < 0 < high else low) if fills_from is None else fills_from
        self.update()

    def set_label(self, label: str) -> None:
        """Change the number's label."""
        if label != self.label:
            self.label = label
            self.setAccessibleName(label)
            self.update()

    def set_quiet(self, quiet: bool) -> None:
        """Make it look disabled until pointed at, or not: the number can be set, but means nothing yet."""
        if quiet != self._quiet:
            self._quiet = quiet
            self.update()

    def text(self) -> str:
        """The number as shown."""
        return self.text_of(self._value)

    def text_of(self, value: float) -> str:
        """A number as it would be shown here."""
        return f"{value:z.{self.decimals}f}{self.suffix}".replace("-", "−")

    def sizeHint(self) -> QSize:
        """The size to lay out for; narrower in a list."""
        return QSize(72, 22) if self._compact else QSize(200, 26)

    def minimumSizeHint(self) -> QSize:
        """The least size at which the number can be read."""
        return QSize(56, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar, its value and its label."""
        lively = self.isEnabled() and (self.underMouse() or self._scrubbing)
        painter = QPainter(self)
        paint_bar(
            painter,
            self.size(),
            Bar(
                label="" if self._compact else self.label,
                number=self.text(),
                origin=self._x(self._fills_from) if self._bounded else None,
                here=self._x(self._value),
                changed=self._value != self.default,
                lively=lively,
                focus=self.hasFocus(),
                enabled=self.isEnabled() and (not self._quiet or lively or self.hasFocus()),
            ),
        )
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a scrub may begin."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = (event.position().x(), self._value, 0.0)
            holder = QApplication.focusWidget()
            if isinstance(holder, ValueSlider):
                self._lender = holder._lender  # itself, or another one that was clicked before
            else:
                self._lender = None if isinstance(holder, QLineEdit) else holder
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub once the mouse has moved far enough to mean it."""
        if self._start is None:
            return
        x, value, moved = self._start
        step = event.position().x() - x
        if not self._scrubbing and abs(step) < DRAG_STARTS:
            return
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self._scrubbing:
            self._before = self._value
        self._scrubbing = True
        moved += step * (0.1 if fine else 1.0)
        self._start = (event.position().x(), value, moved)
        wanted = value + moved / max(self.width(), 1) * self._span
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            tenth = self._span / 20
            wanted = round(wanted / tenth) * tenth
        self._change(wanted)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the scrub; after a double-click without one, let the user type a number."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        scrubbed, types, self._scrubbing, self._types, self._start = self._scrubbing, self._types, False, False, None
        self.update()
        if scrubbed:
            self._give_keyboard_back()
            self.finished.emit()
        elif types:
            self.open_editor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Begin like any press: a scrub soon after a click is meant as one, not as a wish to type."""
        self.mousePressEvent(event)
        self._types = self._start is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step with the arrow keys, type on Enter, reset with Backspace or Delete; Esc cancels a scrub."""
        key, step = event.key(), self._span / (200 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 40)
        if key == Qt.Key.Key_Escape and self._scrubbing:
            self._put_back()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.commit(self._value + (step if key == Qt.Key.Key_Right else -step))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_editor()
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.commit(self.default)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to reset, type, copy and paste; during a scrub the right button cancels it, as in the view."""
        if self._scrubbing:
            self._put_back()
            return
        show_menu(self, event.globalPos(), self._fill_menu)

    def _put_back(self) -> None:
        self._scrubbing, self._types, self._start = False, False, None
        self.set_value(self._before)
        self._give_keyboard_back()
        self.cancelled.emit()

    def _give_keyboard_back(self) -> None:
        lender, self._lender = self._lender, None
        if lender is not None and self.hasFocus() and isValid(lender) and lender.isVisible():
            lender.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_menu(self, menu: QMenu) -> None:
        menu.addAction(f"Reset to {self.default:.{self.decimals}f}{self.suffix}", lambda: self.commit(self.default))
        menu.addAction("Type a value…", self.open_editor)
        menu.addSeparator()
        menu.addAction("Copy", lambda: QApplication.clipboard().setText(self.text()))
        menu.addAction("Paste", lambda: self._typed(QApplication.clipboard().text()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that it has the focus."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._lender = None
        self.update()

    def commit(self, value: float) -> None:
        """Set the number as if the user had: one change, finished at once."""
        if self._change(value):
            self.finished.emit()

    def open_editor(self) -> None:
        """Let the user type the number."""
        if self._editor is not None or not self.isEnabled():
            return
        self.opening.emit()
        editor = self._editor = FieldEditor(self, f"{self._value:z.{self.decimals}f}", self._typed, self.belongs)
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        example = next((text for units, text in EXAMPLES if units is self.units), "")
        editor.setToolTip(f"Arithmetic and units are understood: {example}" if example else ARITHMETIC)
        editor.ended.connect(self._typing_ended)
        self.typing.emit(editor)
        editor.open(self.rect())

    def stop_typing(self) -> None:
        """Drop what is being typed."""
        if self._editor is not None:
            self._editor.end(keep=False)

    def changeEvent(self, event: QEvent) -> None:
        """Let go of a scrub or an open editor when disabled."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.cancel_drag()

    def event(self, event: QEvent) -> bool:
        """Let go of a scrub when a dialog opens, which will get the release."""
        if event.type() == QEvent.Type.WindowBlocked and self._start is not None:
            self.cancel_drag()
        return bool(super().event(event))

    def hideEvent(self, event: QHideEvent) -> None:
        """Let go of a scrub or an open editor when hidden."""
        super().hideEvent(event)
        self.cancel_drag()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep an open editor over the bar."""
        super().resizeEvent(event)
        if self._editor is not None:
            self._editor.setGeometry(self.rect())

    def cancel_drag(self) -> None:
        """End what the user is doing with it, as it cannot be used any more."""
        self.stop_typing()
        scrubbed, self._scrubbing, self._types, self._start = self._scrubbing, False, False, None
        if scrubbed:
            self.finished.emit()

    def _typing_ended(self, step: int) -> None:
        self._editor = None
        if step:
            self._type_in_next(step)

    def _type_in_next(self, step: int) -> None:
        """Go on typing in the next number field, or the previous one."""
        field: QWidget | None = self
        while field is not None:
            field = field.nextInFocusChain() if step > 0 else field.previousInFocusChain()
            if field is self:
                return
            if isinstance(field, ValueSlider) and field.isVisible() and field.isEnabled():
                scroll_to(field)
                field.open_editor()
                return

    def _typed(self, text: str) -> None:
        bare = text if self.units else text.removesuffix(self.suffix.strip())
        try:
            value = parse_number(bare, self.units, self.suffix.strip())
            if self.suffix == "°" and abs(value) > MOST_DEGREES:
                raise ValueError(f"“{text.strip()}” is too large")
        except ValueError as reason:
            tell_refused(self, reason, self.text())
            return
        value = self._in_turn(value)
        self.commit(value)
        said = self.falls_short(value) or self._beyond(value)
        if said:
            tell_below(self, said)

    def _beyond(self, value: float) -> str:
        """Which end a number is visibly beyond, in a sentence; "" for none."""
        seen = round(value, self.decimals)
        if not self._bounded or self.low <= seen <= self.high:
            return ""
        most = seen > self.high
        return f"The {'maximum' if most else 'minimum'} is {self.text_of(self.high if most else self.low)}."

    def _in_turn(self, value: float) -> float:
        """On a bar that spans a whole turn, the same angle within it: 270° is −90°."""
        if self.suffix != "°" or self.high - self.low != TURN or self.low <= value <= self.high:
            return value
        return (value - self.low) % TURN + self.low

    def _change(self, value: float) -> bool:
        value = self._in_turn(value)
        if self._bounded:
            value = min(max(value, self.low), self.high)
        value = round(value, self.decimals + 1)
        if value == self._value:
            return False
        self.set_value(value)
        self.edited.emit(value)
        return True

    def _x(self, value: float) -> float:
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low) * self.width()


def _units_of(unit: str) -> Mapping[str, float] | None:
    """All the units in which a number shown in this one may be typed."""
    return next((units for units in (LENGTHS, WEIGHTS, ANGLES) if unit in units), None)


def scroll_to(field: QWidget) -> None:
    """Scroll the panels around a widget until it is seen."""
    parent = field.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(field, 0, field.height())
        parent = parent.parentWidget()
