"""The trackers that were heard, a row each: which joint it is on, and which parts of it are used."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.look.theme import SPACE, current_theme
from app.look.wording import joint_title
from app.panels.widgets.buttons import IconButton, NoWheelComboBox
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.external_text import shortened
from app.panels.widgets.vertical_scroll import VerticalScrollArea
from solver.trackers.attachment import Attachment, Attachments
from solver.trackers.sample import BONE_PREFIX

ROW, SHOWN_ROWS, LEAST_ROWS = 34, 8, 2  # pixels; rows if there is room for them, and on a small screen
JOINT = 132  # pixels
ON_NONE = "On no joint"
WORDS = re.compile(r"[a-z]+(?:[_ ][a-z]+)*(?:[_ ]?\d{1,2})?")  # “left_controller”, “tracker_2”; no serial number


def title_of(name: str, joints: Sequence[str]) -> str:
    """A tracker's name in its row: a joint, a device or a bone in words, or a name of its own as it is."""
    if name in joints or WORDS.fullmatch(name):
        return joint_title(name)
    if name.startswith(BONE_PREFIX):
        return re.sub("(?<=[a-z])(?=[A-Z])", " ", shortened(name.removeprefix(BONE_PREFIX), 40)).capitalize() + " bone"
    return shortened(name, 40)


class Dot(QWidget):
    """Green for a tracker that is heard, empty for a silent one."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(12, 12)
        self.heard = False
        self.setToolTip("Silent")

    def show_heard(self, heard: bool) -> None:
        """Show whether it is heard."""
        if heard != self.heard:
            self.heard = heard
            self.setToolTip("Heard" if heard else "Silent")
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the dot."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.met if self.heard else theme.faint))
        painter.setBrush(QColor(theme.met) if self.heard else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(6, 6), 3.5, 3.5)
        painter.end()


class TrackerRow(QWidget):
    """changed(what, value): a field of `Attachment`, by the user."""

    changed = Signal(str, object)

    def __init__(self, name: str, joints: Sequence[str]) -> None:
        super().__init__()
        self.setFixedHeight(ROW)
        self.dot, self.title = Dot(), ElidedText()
        shown = title_of(name, joints)
        self.title.set_text(shown)
        self.title.setToolTip(shortened(name, 200))
        self.joint = NoWheelComboBox()
        self.joint.setFixedWidth(JOINT)
        self.joint.setAccessibleName(f"Joint of {shown}")
        self.joint.addItem(ON_NONE, "")
        for joint in joints:
            self.joint.addItem(joint_title(joint), joint)
        self.joint.activated.connect(lambda i: self.changed.emit("joint", self.joint.itemData(i)))
        self.position = IconButton("move", "Use its place", checkable=True)
        self.position.setAccessibleName(f"Use the place of {shown}")
        self.position.clicked.connect(lambda on: self.changed.emit("position", on))
        self.rotation = IconButton("rotate", "Use its turn", checkable=True)
        self.rotation.setAccessibleName(f"Use the turn of {shown}")
        self.rotation.clicked.connect(lambda on: self.changed.emit("rotation", on))
        line = QHBoxLayout(self)
        line.setContentsMargins(SPACE, 0, 2, 0)
        line.setSpacing(SPACE // 2)
        line.addWidget(self.dot)
        line.addWidget(self.title, 1)
        for widget in (self.joint, self.position, self.rotation):
            line.addWidget(widget)

    def show_worn(self, worn: Attachment, heard: bool) -> None:
        """Show how it is worn, without a signal."""
        self.joint.setCurrentIndex(max(self.joint.findData(worn.joint), 0))
        for button, used in ((self.position, worn.position), (self.rotation, worn.rotation)):
            button.setChecked(used and bool(worn.joint))  # on no joint, nothing of it is used
            button.setEnabled(bool(worn.joint))
        self.dot.show_heard(heard)


class TrackerRows(VerticalScrollArea):
    """changed(name, what, value): by the user."""

    changed = Signal(str, str, object)

    def __init__(self) -> None:
        content = QWidget()
        content.setObjectName("panel")
        super().__init__(content)
        self.rows: dict[str, TrackerRow] = {}
        self._joints: tuple[str, ...] = ()
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self.setMinimumHeight(LEAST_ROWS * ROW)

    def sizeHint(self) -> QSize:
        """Room for the six trackers that people usually wear, below them for what a calibration says."""
        return QSize(360, SHOWN_ROWS * ROW)

    def show_attachments(
        self, attachments: Attachments, joints: Sequence[str], is_heard: Callable[[str], bool]
    ) -> None:
        """Show how trackers are attached, in the order in which trackers were heard. joints: names to choose from."""
        if list(attachments) != list(self.rows) or tuple(joints) != self._joints:
            self._offer(attachments, tuple(joints))
        for name, each in self.rows.items():
            each.show_worn(attachments[name], is_heard(name))

    def _offer(self, attachments: Mapping[str, Attachment], joints: tuple[str, ...]) -> None:
        keep = self.rows if joints == self._joints else {}
        for name, each in self.rows.items():
            if name not in attachments or name not in keep:
                self._column.removeWidget(each)
                each.hide()
                each.deleteLater()
        self.rows, self._joints = {name: keep.get(name) or self._row(name, joints) for name in attachments}, joints
        for place, each in enumerate(self.rows.values()):
            self._column.insertWidget(place, each)
        before: QWidget = self
        for each in self.rows.values():  # otherwise rows that came late would be the last that Tab reaches
            for widget in (each.joint, each.position, each.rotation):
                QWidget.setTabOrder(before, widget)
                before = widget

    def _row(self, name: str, joints: Sequence[str]) -> TrackerRow:
        made = TrackerRow(name, joints)
        made.changed.connect(lambda what, value: self.changed.emit(name, what, value))
        return made
