"""The world's axes in a corner of the view, with the view's name: click an end to look along it, drag to orbit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QPen, QRegion, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.panels.widgets.drag_end_guard import DragEndGuard
from rendering.camera.camera import View
from rendering.camera.moving import view_name
from rendering.camera.navigation import DRAG_STARTS, dragged
from rendering.scene.theme import Theme
from rendering.view.viewport import Viewport

REACH, BALL = 36.0, 9.5  # logical pixels from the middle to an end, and the radius of its ball
SIDE = 2 * round(REACH + BALL) + 6
FROM_CORNER = 12
NAME_SIZE = (170, 20)
BESIDE_NAME, PLATE = 7, 228  # pixels of the name's plate on either side of it, and how opaque that is, of 255
SMALLEST = (400, 300)  # view with room for it: in a smaller one it would cover what a figure reaches for
ENDS = {  # the side an end is looked at from: its axis, direction and letter
    "right": (0, 1, "X"), "left": (0, -1, "X"), "top": (1, 1, "Y"), "bottom": (1, -1, "Y"), "front": (2, 1, "Z"),
    "back": (2, -1, "Z"),
}  # fmt: skip
INK = "#10151b"  # of letters, on an end's colour


def width_of_triad(view: QWidget) -> int:
    """Pixels that the axes take from a view's right edge; 0 if it is too small for them, or they are hidden."""
    triad = view.findChild(AxisTriad)
    has_room = view.width() >= SMALLEST[0] and view.height() >= SMALLEST[1]
    return SIDE + FROM_CORNER if has_room and triad is not None and triad.wanted else 0


def corner_of_triad(view: QWidget) -> tuple[int, int]:
    """Width and height in pixels of the corner of a view that the axes and the view's name lie over; 0 for none."""
    width = width_of_triad(view)
    return width, FROM_CORNER + SIDE + 2 + NAME_SIZE[1] if width else 0


class AxisTriad(QWidget):
    """A child of the view, round to the pointer. look(side): called when an end is clicked."""

    def __init__(self, viewport: Viewport, look: Callable[[str], None]) -> None:
        super().__init__(viewport)
        self._viewport, self._look = viewport, look
        self._over = ""
        self._inside = False
        self._pressed: tuple[QPointF, View] | None = None
        self._dragging, self._drags, self._drag = False, count(-1, -1), 0  # numbers unused by the view's own moves
        self.wanted = True
        self.name = ViewName(viewport)
        self.setFixedSize(SIDE, SIDE)
        self.setMask(QRegion(0, 0, SIDE, SIDE, QRegion.RegionType.Ellipse))
        self.setMouseTracking(True)
        self.setAccessibleName("Axes of the view")
        self.setToolTip("Click an axis to look along it, again to look from the other side; drag to turn the view")
        viewport.camera_changed.connect(self.follow)
        viewport.installEventFilter(self)
        DragEndGuard(self, self._let_go)
        self.follow()
        self._place()

    def follow(self, *_: object) -> None:
        """Show the camera as it is now."""
        self.name.show_name(view_name(self._viewport.camera))
        self.update()

    def set_wanted(self, wanted: bool) -> None:
        """Show the axes and the view's name, or neither."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._place()

    def ends(self) -> dict[str, tuple[QPointF, float]]:
        """Where each end is drawn in the widget, by the side it is looked at from, and how near it is, -1..1."""
        rotation, middle = self._viewport.camera.rotation, SIDE / 2
        found = {}
        for side, (axis, way, _) in ENDS.items():
            x, y, near = (way * rotation[axis]).tolist()
            found[side] = QPointF(middle + REACH * x, middle - REACH * y), near
        return found

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the view's corner."""
        if event.type() == QEvent.Type.Resize and isinstance(event, QResizeEvent):
            self._place()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragging, self._drag = (event.position(), self._viewport.current_view), False, 0
        elif self._pressed is not None:
            self._put_back()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn the view as a drag beside the bodies does, or light up the end under the pointer."""
        if self._pressed is None:
            self._hover(self._at(event.position()), True)
            return
        start, view = self._pressed
        gone = event.position() - start
        if not self._dragging and max(abs(gone.x()), abs(gone.y())) < DRAG_STARTS:
            return
        if not self._dragging:
            self._dragging, self._drag = True, next(self._drags)
        travel, pixel = (gone.x(), gone.y()), (view.width / 2, view.height / 2)
        camera = dragged(view, "orbit", travel, pixel, self._viewport.orbit_pivot())
        self._viewport.move_camera(camera, step=self._drag)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that was not a drag looks along the end under the pointer."""
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        side = "" if self._dragging else self._at(event.position())
        self._pressed = None
        self._viewport.setFocus()
        if side:
            self._look(side)

    def enterEvent(self, event: QEvent) -> None:
        """Say that it can be clicked, and leave nothing lit in the scene."""
        if self._viewport.tool is not None:
            self._viewport.tool.hover(None)
        self._hover("", True)

    def leaveEvent(self, event: QEvent) -> None:
        """Light nothing any more."""
        self._hover("", False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ends from the farthest to the nearest, each with its arm in front of those behind it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, middle = self._viewport.theme, QPointF(SIDE / 2, SIDE / 2)
        if self._inside:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_faint(theme.joint if theme.name == "dark" else theme.outline, 34))
            painter.drawEllipse(middle, SIDE / 2 - 1.5, SIDE / 2 - 1.5)
        for side, (place, near) in sorted(self.ends().items(), key=lambda end: end[1][1]):
            self._paint_end(painter, theme, side, place, near)

    def _paint_end(self, painter: QPainter, theme: Theme, side: str, place: QPointF, near: float) -> None:
        axis, way, letter = ENDS[side]
        color = QColor((theme.axis_x, theme.axis_y, theme.axis_z)[axis])
        lit = side == self._over
        back = QColor(theme.background_top)
        if near < 0.0:  # ends that point away are fainter
            color = _mixed(color, back, 0.45 * min(1.0, -near))
        if way > 0:
            painter.setPen(QPen(color, 2.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(SIDE / 2, SIDE / 2), place)
        edge = QColor(theme.highlight if theme.name == "dark" else theme.outline)
        painter.setPen(QPen(edge if lit else color, 1.8))
        painter.setBrush(color if way > 0 or lit else _mixed(color, back, 0.72))
        radius = BALL - 1.0 if way > 0 else BALL - 2.0
        painter.drawEllipse(place, radius, radius)
        if way > 0 or lit:
            font = QFont(self.font())
            font.setPixelSize(11 if way > 0 else 9)
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(QColor(INK))
            box = QRectF(place.x() - BALL, place.y() - BALL, 2 * BALL, 2 * BALL)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter if way > 0 else f"−{letter}")

    def _at(self, place: QPointF) -> str:
        """The end under a place of the widget, of several the one nearest to the eye; "" for none."""
        under = [(near, side) for side, (at, near) in self.ends().items() if _length(at - place) <= BALL + 1.0]
        return max(under, default=(0.0, ""))[1]

    def _hover(self, side: str, inside: bool) -> None:
        if (side, inside) != (self._over, self._inside):
            self._over, self._inside = side, inside
            self.setCursor(Qt.CursorShape.PointingHandCursor if side else Qt.CursorShape.ArrowCursor)
            self.update()

    def _put_back(self) -> None:
        if self._pressed is not None and self._dragging:
            self._viewport.set_camera(self._pressed[1].camera)
        self._let_go()

    def _let_go(self) -> None:
        self._pressed = None

    def _place(self) -> None:
        view = self._viewport
        self.move(view.width() - SIDE - FROM_CORNER, FROM_CORNER)
        width, height = NAME_SIZE
        middle = self.x() + SIDE // 2
        left = min(middle - width // 2, view.width() - width - 4)
        self.name.setGeometry(QRect(left, self.y() + SIDE + 2, 2 * (middle - left), height))
        shown = width_of_triad(view) > 0
        self.setVisible(shown)
        self.name.setVisible(shown)


class ViewName(QWidget):
    """The view's name, legible on any background; the pointer passes through."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport, self.text = viewport, ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_name(self, text: str) -> None:
        """Show another name, or the same in other colours."""
        self.text = text
        self.setAccessibleName(text)
        self.update()

    def plate(self, width: float) -> QRectF:
        """Where the name's plate is in the widget: in the middle, or as far right as the view's edge lets it."""
        farthest = self._viewport.width() - FROM_CORNER - self.x() - width
        return QRectF(min((self.width() - width) / 2, farthest), 0.5, width, self.height() - 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the name in the middle, on a plate of the background's colour, which shows over photos alone."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._viewport.theme
        font = QFont(self.font())
        font.setPixelSize(12)
        painter.setFont(font)
        plate = self.plate(painter.fontMetrics().horizontalAdvance(self.text) + 2 * BESIDE_NAME)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_faint(theme.background_top, PLATE))
        painter.drawRoundedRect(plate, 5.0, 5.0)
        painter.setPen(QColor(theme.joint if theme.name == "dark" else theme.outline))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, self.text)


def _length(vector: QPointF) -> float:
    return float((vector.x() ** 2 + vector.y() ** 2) ** 0.5)


def _faint(color: str, alpha: int) -> QColor:
    faint = QColor(color)
    faint.setAlpha(alpha)
    return faint


def _mixed(color: QColor, other: QColor, share: float) -> QColor:
    """A share 0..1 of the way from one colour to another."""
    parts = zip((color.red(), color.green(), color.blue()), (other.red(), other.green(), other.blue()), strict=True)
    return QColor(*(round(a + share * (b - a)) for a, b in parts))
