"""Icons, drawn as strokes on a 24-unit grid in the theme's own colours."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

# M x y: move. L x y: line. C x1 y1 x2 y2 x y: curve. Z: close. O x y r: circle. D x y r: dot. R x y w h r: rounded box.
# F: fill what was drawn so far as well.
SHAPES: dict[str, str] = {
    "new": "M 14 3 L 6 3 L 6 21 L 18 21 L 18 7 Z M 14 3 L 14 7 L 18 7",
    "open": "M 3 19 L 3 5 L 9 5 L 11 8 L 20 8 L 20 11 M 3 19 L 6 11 L 22 11 L 19 19 Z",
    "save": "M 4 4 L 16 4 L 20 8 L 20 20 L 4 20 Z M 8 4 L 8 9 L 15 9 L 15 4 M 7 20 L 7 14 L 17 14 L 17 20",
    "export": "M 12 15 L 12 3 M 7 8 L 12 3 L 17 8 M 4 14 L 4 20 L 20 20 L 20 14",
    "undo": "M 8 5 L 4 9 L 8 13 M 4 9 L 14 9 C 18 9 20 11.5 20 14 C 20 17 18 19 14 19 L 10 19",
    "redo": "M 16 5 L 20 9 L 16 13 M 20 9 L 10 9 C 6 9 4 11.5 4 14 C 4 17 6 19 10 19 L 14 19",
    "ball": "M 12 3 L 21 12 L 12 21 L 3 12 Z D 12 12 2",
    "ring": "M 19.5 9 C 18 5.5 15 4 12 4 C 7.5 4 4 7.5 4 12 C 4 16.5 7.5 20 12 20 C 15.5 20 18.5 18 19.6 15"
    " M 20.5 4 L 20 9.5 L 14.5 9 D 12 12 2",
    "target": "M 2.5 12 C 6 6 9 5 12 5 C 15 5 18 6 21.5 12 C 18 18 15 19 12 19 C 9 19 6 18 2.5 12 Z O 12 12 3",
    "contact": "M 3 13 C 3.5 18 7 20.5 12 20.5 C 17 20.5 20.5 18 21 13 D 12 12.5 2.4 M 12 3.5 L 12 8.5",
    "move": "M 12 3 L 12 21 M 3 12 L 21 12 M 9.5 5.5 L 12 3 L 14.5 5.5 M 9.5 18.5 L 12 21 L 14.5 18.5"
    " M 5.5 9.5 L 3 12 L 5.5 14.5 M 18.5 9.5 L 21 12 L 18.5 14.5",
    "rotate": "O 12 12 9 M 3 12 C 6 15.5 18 15.5 21 12 M 12 3 C 8.5 6 8.5 18 12 21",
    "body": "O 12 5.5 2.5 M 7 21 L 8.5 13 L 8 10 L 16 10 L 15.5 13 L 17 21 M 12 14.5 L 12 21",
    "bones": "O 6 6 2.2 O 18 18 2.2 M 7.8 7.8 L 11 9 L 15.6 15.6 L 9 11 Z O 18 6 1.6 M 16.7 7.3 L 12 12",
    "both": "O 12 5 2.3 M 6.5 21 L 8 9.5 L 16 9.5 L 17.5 21 D 12 12 1.4 D 12 17 1.4 M 12 12 L 12 17",
    "ghost": "M 5 20 L 5 11 C 5 6.5 8 3.5 12 3.5 C 16 3.5 19 6.5 19 11 L 19 20 L 16.5 17.5 L 14.3 20 L 12 17.5"
    " L 9.7 20 L 7.5 17.5 Z D 9.5 11 1.2 D 14.5 11 1.2",
    "frame": "M 3 8 L 3 3 L 8 3 M 16 3 L 21 3 L 21 8 M 21 16 L 21 21 L 16 21 M 8 21 L 3 21 L 3 16 O 12 12 3",
    "eye": "M 2.5 12 C 6 6.5 9 5.5 12 5.5 C 15 5.5 18 6.5 21.5 12 C 18 17.5 15 18.5 12 18.5 C 9 18.5 6 17.5 2.5 12 Z"
    " O 12 12 2.8",
    "eye_off": "M 4 10 C 7 14 9.5 15 12 15 C 14.5 15 17 14 20 10 M 6 13 L 4.2 15.6 M 10.3 15 L 9.6 18"
    " M 13.7 15 L 14.4 18 M 18 13 L 19.8 15.6",
    "lock": "R 5 11 14 9 2 M 8 11 L 8 8 C 8 5.5 9.7 4 12 4 C 14.3 4 16 5.5 16 8 L 16 11",
    "unlock": "R 5 11 14 9 2 M 8 11 L 8 7 C 8 4.5 9.7 3 12 3 C 14 3 15.5 4 16 6",
    "pin": "M 9 3 L 15 3 M 10 3 L 10 9 L 7 13 L 17 13 L 14 9 L 14 3 M 12 13 L 12 21",
    "pinned": "M 9 3 L 15 3 L 14 9 L 17 13 L 7 13 L 10 9 Z F M 12 13 L 12 21",
    "strict": "O 12 12 7.5 D 12 12 3",
    "between": "O 12 12 7.5",
    "loose": "M 19 9.4 C 18.3 7.4 16.6 5.7 14.6 5 M 9.4 5 C 7.4 5.7 5.7 7.4 5 9.4"
    " M 5 14.6 C 5.7 16.6 7.4 18.3 9.4 19 M 14.6 19 C 16.6 18.3 18.3 16.6 19 14.6",
    "enable": "M 12 3 L 12 11 M 7.5 6 C 5.5 7.5 4.5 9.5 4.5 12.5 C 4.5 17 8 20 12 20 C 16 20 19.5 17 19.5 12.5"
    " C 19.5 9.5 18.5 7.5 16.5 6",
    "delete": "M 4 7 L 20 7 M 9 7 L 9 4 L 15 4 L 15 7 M 6 7 L 7 20.5 L 17 20.5 L 18 7 M 10 11 L 10 17 M 14 11 L 14 17",
    "add": "M 12 5 L 12 19 M 5 12 L 19 12",
    "duplicate": "R 8 8 12 12 2 M 16 8 L 16 4 L 4 4 L 4 16 L 8 16",
    "photo": "R 3 5 18 14 2 O 8.5 10 1.8 M 3 17 L 9 13 L 12 15.5 L 16 11 L 21 15.5",
    "camera": "M 3 8 L 7.5 8 L 9 5.5 L 15 5.5 L 16.5 8 L 21 8 L 21 19 L 3 19 Z O 12 13 3.5",
    "sun": "O 12 12 4 M 12 2.5 L 12 5 M 12 19 L 12 21.5 M 2.5 12 L 5 12 M 19 12 L 21.5 12 M 5.3 5.3 L 7 7"
    " M 17 17 L 18.7 18.7 M 5.3 18.7 L 7 17 M 17 7 L 18.7 5.3",
    "moon": "M 19.5 14.5 C 12.5 17.5 6.5 11.5 9.5 4.5 C 5.5 6 3.8 9.5 4 12.5 C 4.3 17 8 20 12 20"
    " C 15 20 18 18 19.5 14.5 Z",
    "reset": "M 5 5 L 5 10 L 10 10 M 5.2 9.8 C 7 6.5 9.5 5 12.5 5 C 16.5 5 20 8 20 12.3 C 20 16.7 16.5 20 12.3 20"
    " C 9 20 6.3 18 5 15",
    "mirror": "M 12 3 L 12 6 M 12 9 L 12 15 M 12 18 L 12 21 M 9 7 L 3 17 L 9 17 Z M 15 7 L 21 17 L 15 17 Z",
    "other": "O 9 5 2 M 9 7.5 L 9 14 M 9 14 L 5.5 20.5 M 9 14 L 12.5 20.5 M 9 9 L 4 13 M 9 9 L 15 12 M 9 9 L 15 5"
    " M 17.5 10.5 C 19 9.5 19 7.5 17.5 6.5",
    "place": "D 12 9 2 M 12 21 C 7 15 5 12 5 9 C 5 5.5 8 3 12 3 C 16 3 19 5.5 19 9 C 19 12 17 15 12 21 Z",
    "shape": "M 4 20 L 18 4 M 4 20 L 20 20 M 12 20 C 12 17 11 15.5 9.5 14",
    "down": "M 7 10 L 12 15 L 17 10",
    "right": "M 10 7 L 15 12 L 10 17",
    "further": "M 6 7 L 11 12 L 6 17 M 13 7 L 18 12 L 13 17",
    "search": "O 10.5 10.5 6 M 15 15 L 20.5 20.5",
    "recover": "M 4 12 L 8 12 L 10 6 L 14 18 L 16 12 L 20 12",
    "play": "M 8 5 L 19 12 L 8 19 Z",
    "frame_before": "M 15 6 L 9 12 L 15 18",
    "frame_after": "M 9 6 L 15 12 L 9 18",
    "key_before": "M 9 6.5 L 3.5 12 L 9 17.5 M 16.5 7.5 L 21 12 L 16.5 16.5 L 12 12 Z",
    "key_after": "M 15 6.5 L 20.5 12 L 15 17.5 M 7.5 7.5 L 12 12 L 7.5 16.5 L 3 12 Z",
    "key": "M 12 4.5 L 19.5 12 L 12 19.5 L 4.5 12 Z",
    "in_between": "M 5.5 13 L 9 16.5 L 5.5 20 L 2 16.5 Z M 18.5 4 L 22 7.5 L 18.5 11 L 15 7.5 Z"
    " M 9 16.5 C 14 16.5 10 7.5 15 7.5",
    "feet": "M 6 3 L 6 17.5 L 17 17.5 C 18.8 17.5 18.8 15.3 17 14.8 L 12.5 13.5 C 10.5 13 10 12 10 10 L 10 3"
    " M 3 21 L 21 21",
    "onion": "M 8 4 C 3.5 6.5 3.5 17.5 8 20 M 12 4 C 8 6.5 8 17.5 12 20 M 12 4 C 16 6.5 16 17.5 12 20"
    " M 16 4 C 20.5 6.5 20.5 17.5 16 20",
    "before": "R 3.5 5 17 14 2 M 12 2.5 L 12 21.5 D 8 12 1.6 O 16 12 1.6",
    "curves": "M 3.5 3.5 L 3.5 20.5 L 20.5 20.5 M 6.5 16.5 C 10.5 16.5 9.5 6.5 13 6.5 C 16 6.5 16 13 20.5 13",
    "loop": "M 4 11.5 C 4 8.5 6 6.5 9 6.5 L 19.5 6.5 M 16.5 3.5 L 19.5 6.5 L 16.5 9.5"
    " M 20 12.5 C 20 15.5 18 17.5 15 17.5 L 4.5 17.5 M 7.5 14.5 L 4.5 17.5 L 7.5 20.5",
    "all_frames": "M 3 5 L 3 19 M 21 5 L 21 19 M 7 12 L 17 12 M 9.5 9.5 L 7 12 L 9.5 14.5"
    " M 14.5 9.5 L 17 12 L 14.5 14.5",
    "pause": "M 8 5 L 8 19 M 16 5 L 16 19",
    "more": "D 6 12 1.6 D 12 12 1.6 D 18 12 1.6",
    "cross": "M 6 6 L 18 18 M 18 6 L 6 18",
    "warning": "M 12 4 L 21 19.5 L 3 19.5 Z M 12 10 L 12 14.5 D 12 17 1",
    "library": "R 3.5 3.5 7 7 1.5 R 13.5 3.5 7 7 1.5 R 3.5 13.5 7 7 1.5 R 13.5 13.5 7 7 1.5",
    "box": "M 12 3 L 20 7.5 L 20 16.5 L 12 21 L 4 16.5 L 4 7.5 Z M 4 7.5 L 12 12 L 20 7.5 M 12 12 L 12 21",
    "tick": "M 5 12.5 L 10 17.5 L 19 7",
}

_LENGTH = {"M": 2, "L": 2, "C": 6, "Z": 0, "F": 0, "O": 3, "D": 3, "R": 5}


@cache
def icon_path(name: str) -> tuple[QPainterPath, QPainterPath]:
    """The strokes and the filled dots of an icon on the 24-unit grid."""
    strokes, dots = QPainterPath(), QPainterPath()
    words = iter(SHAPES[name].split())
    for word in words:
        v = [float(next(words)) for _ in range(_LENGTH[word])]
        if word == "M":
            strokes.moveTo(*v)
        elif word == "L":
            strokes.lineTo(*v)
        elif word == "C":
            strokes.cubicTo(*v)
        elif word == "Z":
            strokes.closeSubpath()
        elif word == "F":
            dots.addPath(strokes)
        elif word == "R":
            strokes.addRoundedRect(QRectF(*v[:4]), v[4], v[4])
        else:
            (strokes if word == "O" else dots).addEllipse(QPointF(v[0], v[1]), v[2], v[2])
    return strokes, dots


def draw_icon(painter: QPainter, name: str, box: QRectF, color: QColor | str, weight: float = 1.6) -> None:
    """Draw the icon into `box` (painter's units)."""
    strokes, dots = icon_path(name)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / 24.0, box.height() / 24.0)
    pen = QPen(QColor(color), weight * 24.0 / max(box.width(), 18.0) * 0.8)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(strokes, pen)
    painter.fillPath(dots, QColor(color))
    painter.restore()


def pixmap(name: str, color: str, size: int = 18, ratio: float = 2.0) -> QPixmap:
    """The icon as a pixmap of `size` logical pixels."""
    image = QPixmap(round(size * ratio), round(size * ratio))
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    draw_icon(painter, name, QRectF(0, 0, size, size), color)
    painter.end()
    return image


@cache
def icon(name: str, color: str, disabled: str = "", checked: str = "") -> QIcon:
    """The icon in one colour, with others for its disabled and its checked state where given."""
    result = QIcon(pixmap(name, color))
    if disabled:
        result.addPixmap(pixmap(name, disabled), QIcon.Mode.Disabled)
    if checked:
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Active):
            result.addPixmap(pixmap(name, checked), mode, QIcon.State.On)
    return result


@cache
def picture_file(name: str, color: str) -> str:
    """An icon as a picture file, for the style sheet; removed when the program ends."""
    folder = _scratch()
    file = Path(folder.name) / f"{name}{color.lstrip('#')}.png"
    pixmap(name, color, 14).save(str(file))
    return str(file)


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="contrapposto-")
