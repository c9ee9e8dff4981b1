"""A ball lit as the figures are: drag the light on it to where it should come from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.panels.widgets.drag_end_guard import DragEndGuard
from rendering.scene.style import KEY_HEIGHT, KEY_TURN, Style, axes, direction
from rendering.view.viewport import Viewport

BALL, RIM = 38.0, 54.0  # logical pixels: radius of the ball, and of the ring in which the light comes from behind
SIZE = 2 * round(RIM) + 12
FROM_CORNER = 12  # pixels to the view's lower left corner
CLAY = np.array([0.53, 0.48, 0.42])  # linear
TIP = (
    "Drag the key light to where it should come from; in the ring around the ball it comes from behind. "
    "Double-click to reset it"
)
Aim = Callable[[float, float, bool], None]


class LightBall(QWidget):
    """A child of the view. style: what is shown now. aim(turn, height, done): called during a drag, and at its end."""

    def __init__(self, viewport: Viewport, style: Callable[[], Style], aim: Aim) -> None:
        super().__init__(viewport)
        self._viewport, self._style, self._aim = viewport, style, aim
        self._before: tuple[float, float] | None = None  # where the light was when a drag of it began
        self._second = False  # whether that press was the second within a moment and nothing has moved since
        self.setFixedSize(SIZE, SIZE)
        self.setAccessibleName("Key light")
        self.setToolTip(TIP)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        viewport.camera_changed.connect(self.follow)
        viewport.installEventFilter(self)
        DragEndGuard(self, self._leave_as_it_is)
        self._place()

    def follow(self, *_: object) -> None:
        """Show the light as it is now."""
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the view's corner."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag; the right button cancels it."""
        self._second = False
        if event.button() == Qt.MouseButton.LeftButton:
            style = self._style()
            self._before = style.turn, style.height
            self.setFocus()  # for Esc
            self._drag(event.position(), False)
        elif self._before is not None:
            self._put_back()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it."""
        if self._before is not None:
            self._second = False
            self._drag(event.position(), False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        if event.button() == Qt.MouseButton.LeftButton and self._before is not None:
            if self._second:
                self._aim(KEY_TURN, KEY_HEIGHT, True)
            else:
                self._drag(event.position(), True)
            self._end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Put the light back to its default on release; a drag right after a click is still a drag."""
        self.mousePressEvent(event)
        self._second = self._before is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels a drag."""
        if event.key() == Qt.Key.Key_Escape and self._before is not None:
            self._put_back()
        else:
            super().keyPressEvent(event)

    def spot(self) -> QPointF:
        """Where the light is drawn, pixels of the ball's widget."""
        style, rotation = self._style(), self._rotation()
        x, y, z = (rotation.T @ direction(style.turn, style.height, rotation)).tolist()
        across = float(np.hypot(x, y))
        reach = BALL * across if z >= 0 else RIM - (RIM - BALL) * across
        scale = reach / max(across, 1e-9)
        return QPointF(SIZE / 2 + x * scale, SIZE / 2 - y * scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ball, the ring around it, and the light."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(SIZE / 2, SIZE / 2)
        painter.setPen(QPen(QColor(140, 150, 162, 120), 1.0))
        painter.setBrush(QColor(20, 24, 30, 90))
        painter.drawEllipse(middle, RIM, RIM)
        ratio = self.devicePixelRatioF()
        image = ball_image(self._style(), self._rotation(), round(2 * BALL * ratio))
        height, width = image.shape[:2]
        picture = QImage(image.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888)
        painter.drawImage(QRectF(middle.x() - BALL, middle.y() - BALL, 2 * BALL, 2 * BALL), picture)
        behind = np.hypot(self.spot().x() - middle.x(), self.spot().y() - middle.y()) > BALL
        painter.setPen(QPen(QColor(24, 26, 30, 220), 1.6))
        painter.setBrush(QColor("#8f98a6") if behind else QColor("#ffe9b8"))
        painter.drawEllipse(self.spot(), 5.0, 5.0)

    def _rotation(self) -> NDArray[np.float64]:
        return np.asarray(self._viewport.camera.rotation, np.float64)

    def _drag(self, place: QPointF, done: bool) -> None:
        rotation = self._rotation()
        towards = rotation @ _on_ball(place.x() - SIZE / 2, SIZE / 2 - place.y())
        right, _, back = axes(rotation)
        turn = float(np.degrees(np.arctan2(towards @ right, towards @ back)))
        self._aim(turn, float(np.degrees(np.arcsin(np.clip(towards[1], -1.0, 1.0)))), done)
        self.update()

    def _put_back(self) -> None:
        if self._before is not None:
            self._aim(*self._before, True)
            self._end()

    def _leave_as_it_is(self) -> None:
        if self._before is not None:
            style = self._style()
            self._aim(style.turn, style.height, True)
            self._end()

    def _end(self) -> None:
        self._before = None
        self._viewport.setFocus()
        self.update()

    def _place(self) -> None:
        self.move(FROM_CORNER, self._viewport.height() - SIZE - FROM_CORNER)


def _on_ball(x: float, y: float) -> NDArray[np.float64]:
    """(3,) unit vector, in the camera's axes, to a light at pixels from the ball's middle; beyond its edge, behind."""
    far = float(np.hypot(x, y))
    if far <= BALL:
        return np.array([x, y, np.sqrt(max(BALL**2 - far**2, 0.0))]) / BALL
    across = max((RIM - min(far, RIM)) / (RIM - BALL), 0.0)
    return np.array([x / far * across, y / far * across, -np.sqrt(max(1.0 - across**2, 0.0))])


def ball_image(style: Style, rotation: NDArray[np.floating], side: int) -> NDArray[np.uint8]:
    """(side, side, 4) uint8 RGBA of a clay ball in this light, as in shaders/light.glsl. rotation: the camera's."""
    light = style.lighting
    steps = (np.arange(side) + 0.5) / side * 2 - 1
    x, y = np.meshgrid(steps, -steps)
    inside = 1.0 - x**2 - y**2
    own = np.stack([x, y, np.sqrt(np.maximum(inside, 0.0))], axis=-1)
    n = own @ np.asarray(rotation).T
    right, _, back = axes(rotation)
    lit = np.maximum((n @ direction(style.turn, style.height, rotation) + light.wrap) / (1 + light.wrap), 0.0)
    from_right = np.sin(np.radians(style.turn)) > 0
    sides = (light.near, light.far) if from_right else (light.far, light.near)
    box = np.zeros_like(n)
    for share, (plus, minus) in (
        (n @ right, sides),
        (n[..., 1], (light.above, light.below)),
        (n @ back, (light.front, light.back)),
    ):
        box += (share**2)[..., None] * np.where(share[..., None] > 0, plus, minus)
    total = box + np.asarray(light.key) * (lit * (lit * 0.65 + 0.35) * 0.95)[..., None]
    shown = np.sqrt(np.clip(CLAY * total, 0.0, 1.0))
    cover = np.clip(inside * side / 4, 0.0, 1.0)[..., None]
    return np.round(np.concatenate([shown, cover], axis=-1) * 255).astype(np.uint8)
