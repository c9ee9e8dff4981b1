"""Icon buttons and a row of exclusive choices."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QGridLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.look.icons import icon
from app.look.theme import current_theme
from app.services.soon import soon


class IconButton(QToolButton):
    """A flat button with one of our icons. tone: another theme colour for the icon, by name ("met", "accent")."""

    def __init__(self, name: str, tip: str, checkable: bool = False) -> None:
        super().__init__()
        self._name, self._tone, self._full = name, "muted", 1.0
        self._dressed = current_theme()
        self.setCheckable(checkable)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setIconSize(QSize(16, 16))
        self.setFixedSize(26, 26)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._paint_icon()

    def set_icon(self, name: str, tone: str = "muted", full: float = 1.0) -> None:
        """Show another icon, in a theme colour by name. full: 0..1, less is paler, in steps of a tenth."""
        full = round(full, 1)
        if (name, tone, full) != (self._name, self._tone, self._full):
            self._name, self._tone, self._full = name, tone, full
            self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:
        """Paint the icon again when the theme changes."""
        super().changeEvent(event)
        if self._dressed is not current_theme() and event.type() == QEvent.Type.StyleChange:
            self._paint_icon()

    def _paint_icon(self) -> None:
        theme = self._dressed = current_theme()
        checked = theme.accent if self.isCheckable() else ""  # each needless picture would slow the start
        self.setIcon(icon(self._name, mixed(getattr(theme, self._tone), theme.faint, self._full), theme.faint, checked))


def mixed(color: str, other: str, share: float) -> str:
    """A colour, "#rrggbb", with so much of it, 0..1, and another one for the rest."""
    one, rest = QColor(color), QColor(other)
    pairs = (one.red(), rest.red()), (one.green(), rest.green()), (one.blue(), rest.blue())
    return QColor(*(round(share * a + (1.0 - share) * b) for a, b in pairs)).name()


HOLD_MS = 300  # a longer press is not a click


class HoldButton(IconButton):
    """A switch that does something else while it is held down. held(on): whether it is held now."""

    held = Signal(bool)

    def __init__(self, name: str, tip: str) -> None:
        super().__init__(name, tip, checkable=True)
        self._holding = False
        self._long = QTimer(self, singleShot=True, interval=HOLD_MS)
        self._long.timeout.connect(self._hold)
        self.pressed.connect(self._long.start)
        self.released.connect(self._let_go)

    def nextCheckState(self) -> None:
        """Switch after a click, but not after being held."""
        if not self._holding:
            super().nextCheckState()

    def hideEvent(self, event: QHideEvent) -> None:
        """End the hold when the button goes."""
        super().hideEvent(event)
        self._let_go()

    def _hold(self) -> None:
        self._holding = True
        self.held.emit(True)

    def _let_go(self) -> None:
        self._long.stop()
        if self._holding:
            # the click that follows must still know about it
            soon(self, self._forget)
            self.held.emit(False)

    def _forget(self) -> None:
        self._holding = False


ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)


class NoWheelComboBox(QComboBox):
    """A combo box that the wheel neither changes nor gives the keyboard, since in a panel the wheel scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # else a letter typed after scrolling would choose here

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Keep Home and End for going to the first and the last entry, though they are shortcuts elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in ENDS:
            event.accept()
            return True
        return super().event(event)


MANY = 99  # choices in a row by default


class SegmentedControl(QFrame):
    """Exclusive choices side by side, `columns` of them in a row. chosen(id): by the user."""

    chosen = Signal(str)

    def __init__(
        self, choices: Iterable[tuple[str, str]], parent: QWidget | None = None, columns: int | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("segments")
        grid = QGridLayout(self)
        grid.setContentsMargins(2, 2, 2, 2)
        grid.setSpacing(2)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for place, (id, title) in enumerate(choices):
            button = QPushButton(title)
            button.setCheckable(True)
            button.setProperty("segment", True)
            button.setAutoDefault(False)  # in a dialog Enter is for the dialog's own action, not for this choice
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _checked=False, id=id: self.chosen.emit(id))
            self._group.addButton(button)
            self._buttons[id] = button
            grid.addWidget(button, *divmod(place, columns or MANY))

    def set_current(self, id: str) -> None:
        """Show a choice without a signal; "" for none of them."""
        self._group.setExclusive(bool(id))
        for other, button in self._buttons.items():
            button.setChecked(other == id)

    def explain(self, id: str, tip: str) -> None:
        """Give a choice a tool tip."""
        self._buttons[id].setToolTip(tip)

    def button(self, id: str) -> QPushButton:
        """The button of a choice."""
        return self._buttons[id]

    def current(self) -> str:
        """The choice shown, "" for none."""
        return next((id for id, button in self._buttons.items() if button.isChecked()), "")
