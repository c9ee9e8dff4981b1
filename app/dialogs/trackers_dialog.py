"""The trackers' panel: where they come from, which joint wears what, following, recording, and the picture's delay."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QGridLayout, QPushButton, QVBoxLayout, QWidget

from app.dialogs.docked import become_docked
from app.dialogs.tracker_rows import TrackerRows
from app.dialogs.tracker_source import TrackerSource
from app.look.theme import SPACE
from app.panels.widgets.readout import Readout
from app.panels.widgets.section import horizontal_layout, wrapped_label
from app.services.soon import soon

COUNT_FROM, SECOND_MS = 3, 1000
LEAST = 444  # pixels wide: room for how late slow trackers are
FOLLOW_TIP = "Let the selected person move with the trackers"
STOP_TIP = "Stop following"
RECORD_TIP = "Begin a take: record everything that the trackers say"
END_TIP = "End the take: the person goes on following, and Keep makes it a motion"
CALIBRATE_TIP = (
    f"Stand upright, arms out to the sides, half down or hanging, for {COUNT_FROM} seconds; press again to cancel (F9)"
)


class TrackersDialog(QDialog):
    """Stays open beside the view. calibrate(): the countdown has ended. follow(), stop(), record(), keep() and
    discard(): by the user; record() begins a take, or ends the one that is being recorded. closed(): it was closed."""

    calibrate = Signal()
    follow = Signal()
    stop = Signal()
    record = Signal()
    keep = Signal()
    discard = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget, sensors: Mapping[str, str], port: int) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle("Trackers")
        self._left, self._following = 0, False
        self.source = TrackerSource(sensors, port)
        self.rows = TrackerRows()
        self.empty = wrapped_label()
        self.calibration = wrapped_label()
        self.trouble = wrapped_label(role="error")
        self.calibrate_button = QPushButton("Calibrate")
        self.calibrate_button.setToolTip(CALIBRATE_TIP)
        self.calibrate_button.clicked.connect(self.count_down)
        self.follow_button = QPushButton("Follow")
        self.follow_button.clicked.connect(self._toggle)
        self.record_button = QPushButton("Record")
        self.record_button.clicked.connect(self.record)
        self.keep_button = QPushButton("Keep")
        self.keep_button.setToolTip("Solve the take at full rate and make it the person's motion, in one step")
        self.keep_button.clicked.connect(self.keep)
        self.discard_button = QPushButton("Discard")
        self.discard_button.setToolTip("Discard the take; you are asked first")
        self.discard_button.clicked.connect(self.discard)
        first = self.calibrate_button, self.follow_button, self.record_button
        second = self.keep_button, self.discard_button
        for button in (*first, *second):
            button.setAutoDefault(False)
        self.state = wrapped_label("Two\nlines")
        self.state.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.latency, self.packets = Readout(), Readout()
        facts = QWidget()
        grid = QGridLayout(facts)  # a form would cut the words in front of a long value
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(SPACE // 2)
        grid.setColumnStretch(1, 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for line, (title, value) in enumerate((("Sample to pixel", self.latency), ("Packets", self.packets))):
            label = wrapped_label(title)
            label.setWordWrap(False)
            # a readout keeps the width of its longest text: a shorter one would stand anywhere in the line
            value.setAlignment(right)
            grid.addWidget(label, line, 0)
            grid.addWidget(value, line, 1, right)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, SPACE * 2, SPACE * 2, SPACE * 2)
        column.setSpacing(SPACE)
        column.addWidget(self.source)
        column.addWidget(self.empty)
        column.addWidget(self.rows, 1)
        # what is said stands above the buttons, and takes its room from the list: they stay in place under the pointer
        for each in (self.trouble, self.calibration, self.state, horizontal_layout(*first), horizontal_layout(*second)):
            column.addWidget(each)
        column.addWidget(facts)
        self.setMinimumWidth(LEAST)
        self.state.ensurePolished()
        # room for what a recording says, so that the rows above stay in place as well
        self.state.setMinimumHeight(self.state.heightForWidth(LEAST))
        self.state.setText("")
        self._counting = QTimer(self, interval=SECOND_MS)
        self._counting.timeout.connect(self._count)
        self.say("")

    @property
    def counting(self) -> int:
        """The seconds left until the wearer is measured; 0 while there is no countdown."""
        return self._left

    def place(self, corner: QPoint) -> None:
        """Take the size it needs and put its corner there, or where the screen has room for it with its frame."""
        room = self.screen().availableGeometry().adjusted(SPACE, SPACE, -SPACE, -SPACE)
        frame = self.frameGeometry().size() - self.size()  # of the system, known once it is shown
        self.resize(self.sizeHint().expandedTo(self.minimumSize()).boundedTo(room.size() - frame))
        whole = self.size() + frame
        most = QPoint(room.right() + 1 - whole.width(), room.bottom() + 1 - whole.height())
        self.move(max(min(corner.x(), most.x()), room.left()), max(min(corner.y(), most.y()), room.top()))

    def showEvent(self, event: QShowEvent) -> None:
        """Stay off the edges of the screen with the frame that the system puts around it, and with what it grew by."""
        super().showEvent(event)
        if self.isWindow() and not event.spontaneous():
            soon(self, lambda: self.place(self.pos()) if self.isWindow() else None)

    def become_docked(self) -> None:
        """Become a part of a window instead of one of its own, with a title and a cross to close it."""
        become_docked(self, "Close the trackers")

    def take_focus(self) -> None:
        """Come to the front with the keyboard focus, if it is open already as well."""
        self.activateWindow()
        if not self.isWindow() and not self.isAncestorOf(self.window().focusWidget()):
            self.source.kind.button(self.source.kind.current()).setFocus(Qt.FocusReason.TabFocusReason)

    def count_down(self) -> None:
        """Begin to count down to the calibration, or cancel that."""
        if not self.calibrate_button.isEnabled():
            return
        self._left = 0 if self._left else COUNT_FROM
        self._show_left()

    def _toggle(self) -> None:
        (self.stop if self._following else self.follow).emit()

    def _count(self) -> None:
        self._left -= 1
        self._show_left()
        if self._left == 0:
            QApplication.beep()  # the wearer looks straight ahead, not at the screen
            self.calibrate.emit()

    def _show_left(self) -> None:
        if self._left and not self._counting.isActive():
            self._counting.start()
        elif not self._left:
            self._counting.stop()
        self.calibrate_button.setText(f"Stand still… {self._left}" if self._left else "Calibrate")

    def say(self, trouble: str) -> None:
        """Say what could not be done, "" for nothing."""
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))

    def show_state(
        self, text: str, following: bool, recording: bool, taken: bool, reason: str = "", unheard: str = ""
    ) -> None:
        """Show what is going on. taken: whether there is a take to be kept. reason: why nobody can begin to follow, ""
        if somebody can. unheard: why there is nothing to record, even for who follows; "" if there is."""
        self._following, focused = following, self.focusWidget()
        self.follow_button.setText("Stop" if following else "Follow")
        self.record_button.setText("End take" if recording else "Record")
        self.follow_button.setEnabled(following or not reason)
        why_not = "" if recording else (not following and reason) or unheard
        self.record_button.setEnabled(not why_not)
        self.follow_button.setToolTip(STOP_TIP if following else reason or FOLLOW_TIP)
        self.record_button.setToolTip(END_TIP if recording else why_not or RECORD_TIP)
        for button in (self.keep_button, self.discard_button):
            button.setEnabled(taken)
        if focused is not None and not focused.isEnabled():  # else Qt gives the keys to a tracker's row
            self.follow_button.setFocus()
        self.state.setText(text)

    def show_can_calibrate(self, reason: str) -> None:
        """Show whether calibration is possible. reason: why not, "" if it is."""
        self.calibrate_button.setEnabled(not reason)
        self.calibrate_button.setToolTip(reason or CALIBRATE_TIP)
        if reason and self._left:
            self._left = 0
            self._show_left()

    def done(self, result: int) -> None:
        """Handle the closing of the dialog, however it came about."""
        self._left = 0
        self._show_left()
        super().done(result)
        self.closed.emit()
