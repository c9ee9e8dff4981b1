"""The people found in a photo: boxes in the photo, ticks and scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from app.document.exchange.preselection import Box, reasons_to_leave_out
from app.document.model.identity import COLORS
from app.look.theme import SPACE
from app.panels.widgets.popups import ask
from app.panels.widgets.section import wrapped_label
from app.panels.widgets.vertical_scroll import VerticalScrollArea
from solver.sentences import percent

HALO, LEFT_OUT = QColor(0, 0, 0, 140), QColor(205, 210, 218)  # seen on light and dark photos alike
LINES = {True: Qt.PenStyle.SolidLine, False: Qt.PenStyle.DashLine}
DOUBT = {
    True: "This may be nobody, a statue or a drawing, or somebody very small, so it has no tick. Click in the frame to"
    " take it.",
    False: "A dashed frame may show nobody, a statue or a drawing, or somebody very small. Click in it to take them"
    " too.",
}
POSE_UNSURE = (
    "“Pose unsure”: several looks at the photo did not agree about arms and legs. Look at these people first once they "
    "are posed."
)
SMALLER = (
    "“As a child”: only at that size do they stand on the floor of the others. If that is wrong, choose"
    " Presets… › Average under Body once they are posed, and press Shift+R."
)
BECOMES = {
    True: "This person becomes a body with a few handles to pose; the photo stays behind it.",
    False: "Each becomes a body with a few handles to pose; the photo stays behind them.",
}
ALONE = "“Photo alone” puts the picture behind the scene, and nobody in it is posed."
POSE = {True: "Pose this person", False: "Pose them"}
NARROWEST = 240  # logical pixels, the column beside the photo
WANTED = QSize(960, 640)  # logical pixels
FRAME = 48  # pixels of the screen that stay free for a window's frame
MANY = 5  # people from which one button takes all or none


def ask_for_people(
    parent: QWidget | None,
    image: np.ndarray,
    boxes: Sequence[Box],
    scores: Sequence[float | None],
    like: Sequence[str] = (),
    unsure: Sequence[bool] = (),
    children: Sequence[bool] = (),
) -> list[int] | None:
    """Which of the people found in a photo to take, by their place in the list; nobody for the photo alone; None to
    cancel. scores: 0..1, None where nobody says how sure it is. like: what each looks like other than a person,
    as "statue" or "drawing", else "". unsure: whose poses may be off. children: who is posed as a child."""
    dialog = PeopleDialog(image, boxes, scores, parent, like, unsure, children)
    return dialog.taken() if ask(dialog) else None


class PeopleDialog(QDialog):
    """Asks which people to take. boxes: left, top, right, bottom in pixels of `image`, (H, W, 3) uint8."""

    def __init__(
        self, image: np.ndarray, boxes: Sequence[Box], scores: Sequence[float | None], parent: QWidget | None = None,
        like: Sequence[str] = (), unsure: Sequence[bool] = (), children: Sequence[bool] = (),
    ) -> None:  # fmt: skip
        super().__init__(parent)
        count = len(boxes)
        counted = [1.0 if score is None else score for score in scores]
        doubt = reasons_to_leave_out(counted, boxes, (image.shape[1], image.shape[0]))
        self.setWindowTitle("People in the photo")
        self.picture = PeoplePicture(image, boxes, self)
        self.picture.clicked.connect(self._toggle)
        self.ticks: list[QCheckBox] = []
        self._nobody = False  # the photo alone is wanted
        side = QVBoxLayout()
        side.setSpacing(SPACE)
        heading = wrapped_label(f"{count} {'person was' if count == 1 else 'people were'} found. Take:", role="title")
        side.addWidget(heading)
        self.all = QPushButton()
        self.all.setProperty("flat", True)
        self.all.setAutoDefault(False)  # Enter after a click on it takes the people, and does not untick them again
        self.all.clicked.connect(self._take_all)
        self.all.setVisible(count >= MANY)
        side.addWidget(self.all, alignment=Qt.AlignmentFlag.AlignLeft)
        pose = [bool(unsure) and unsure[i] and not doubt[i] for i in range(count)]
        for i, score in enumerate(scores):
            what = f", like a {like[i]}" if like and like[i] else ", small" if doubt[i] == "small" else ""
            what += ", pose unsure" if pose[i] else ""
            what += ", as a child" if children and children[i] else ""
            sure = "" if score is None else f"   {percent(score)} sure it's a person"
            tick = QCheckBox(f"Person {i + 1}{sure}{what}")
            tick.setChecked(not doubt[i])
            tick.toggled.connect(self._show)
            self.ticks.append(tick)
        self.doubt = wrapped_label(DOUBT[count == 1])
        self.doubt.setVisible(any(doubt))
        self.becomes = wrapped_label(BECOMES[count == 1])
        self.pose_unsure = wrapped_label(POSE_UNSURE)
        self.pose_unsure.setVisible(any(pose))
        self.smaller = wrapped_label(SMALLER)
        self.smaller.setVisible(any(children))
        side.addWidget(_scrolling(self.ticks, (self.doubt, self.pose_unsure, self.smaller, self.becomes)), 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(POSE[count == 1])
        self.alone = self.buttons.addButton("Photo alone", QDialogButtonBox.ButtonRole.ActionRole)
        self.alone.setToolTip("Put the picture behind the scene without posing anybody in it")
        self.alone.setAutoDefault(False)  # Enter takes the people
        self.alone.clicked.connect(self._take_nobody)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        body = QHBoxLayout()
        body.setSpacing(SPACE * 2)
        body.addWidget(self.picture, 1)
        holder = QWidget()
        holder.setLayout(side)
        margins = side.contentsMargins()
        holder.setFixedWidth(max(NARROWEST, margins.left() + self._widest_tick() + margins.right()))
        body.addWidget(holder)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, SPACE * 2, SPACE * 2, SPACE * 2)
        column.setSpacing(SPACE * 2)
        column.addLayout(body, 1)
        column.addWidget(self.buttons)
        self.resize(WANTED.boundedTo(self.screen().availableSize() - QSize(FRAME, FRAME)))
        self._show()

    def chosen(self) -> list[int]:
        """The ticked people, by their place in the list."""
        return [i for i, tick in enumerate(self.ticks) if tick.isChecked()]

    def taken(self) -> list[int]:
        """Whom the accepted dialog takes, by their place in the list: the ticked, or nobody for the photo alone."""
        return [] if self._nobody else self.chosen()

    def _widest_tick(self) -> int:
        """The pixels that the longest note beside a tick takes, with a scroll bar beside it."""
        for tick in self.ticks:
            tick.ensurePolished()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return max((tick.sizeHint().width() for tick in self.ticks), default=0) + bar

    def _toggle(self, person: int) -> None:
        self.ticks[person].toggle()

    def _take_nobody(self) -> None:
        self._nobody = True
        self.accept()

    def _take_all(self) -> None:
        take = len(self.chosen()) < len(self.ticks)
        for tick in self.ticks:
            tick.setChecked(take)

    def _show(self) -> None:
        self.all.setText("Take nobody" if len(self.chosen()) == len(self.ticks) else "Take everybody")
        self.picture.set_chosen(self.chosen())
        self.becomes.setText(BECOMES[len(self.ticks) == 1] if self.chosen() else ALONE)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(self.chosen()))


def _scrolling(ticks: Sequence[QCheckBox], below: Sequence[QWidget]) -> VerticalScrollArea:
    """Ticks below each other, and below them the notes; all that scrolls if the screen has too little room."""
    holder = QWidget()
    holder.setObjectName("panel")
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE)
    for tick in ticks:
        column.addWidget(tick)
    column.addStretch(1)
    for said in below:
        column.addWidget(said)
    return VerticalScrollArea(holder, tab_stop=False)


class PeoplePicture(QWidget):
    """The photo with one numbered box for each person. clicked(person): a click into a box."""

    clicked = Signal(int)

    def __init__(self, image: np.ndarray, boxes: Sequence[Box], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        pixels = np.ascontiguousarray(image[..., :3])
        height, width = pixels.shape[:2]
        whole = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
        self._image = whole.scaled(
            1600, 1600, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        self._scale = self._image.width() / width
        self._boxes = [tuple(float(v) for v in box) for box in boxes]
        self._chosen: list[int] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(240, 180))  # beside the longest note it fits a screen of 1024 x 700 at 150%

    def set_chosen(self, chosen: list[int]) -> None:
        """Show which people are taken."""
        self._chosen = chosen
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture and a box around each person."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(self._frame(), self._image)
        for i in range(len(self._boxes)):
            self._paint_box(painter, i)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a person; of boxes within one another, the smallest is meant."""
        hit = [i for i in range(len(self._boxes)) if self.box_on_screen(i).contains(event.position())]
        if hit:
            self.clicked.emit(min(hit, key=lambda i: self.box_on_screen(i).width() * self.box_on_screen(i).height()))

    def _paint_box(self, painter: QPainter, i: int) -> None:
        on = i in self._chosen
        color = QColor(COLORS[i % len(COLORS)]) if on else LEFT_OUT
        box = self.box_on_screen(i)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(HALO, 4.5), QPen(color, 2.5 if on else 2.0, LINES[on])):
            painter.setPen(pen)
            painter.drawRoundedRect(box, 6, 6)
        badge = QRectF(box.topLeft() + QPointF(6, 6), QSize(22, 22))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(badge)
        painter.setPen(QColor("#101318"))
        painter.drawText(badge, int(Qt.AlignmentFlag.AlignCenter), str(i + 1))

    def _frame(self) -> QRectF:
        fit = min(self.width() / self._image.width(), self.height() / self._image.height())
        size = (self._image.width() * fit, self._image.height() * fit)
        return QRectF((self.width() - size[0]) / 2, (self.height() - size[1]) / 2, *size)

    def box_on_screen(self, i: int) -> QRectF:
        """Where the frame around a person is drawn, in the widget."""
        frame = self._frame()
        k = frame.width() / self._image.width() * self._scale
        left, top, right, bottom = self._boxes[i]
        return QRectF(QPointF(left * k, top * k) + frame.topLeft(), QPointF(right * k, bottom * k) + frame.topLeft())
