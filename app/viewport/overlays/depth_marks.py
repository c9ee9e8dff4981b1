"""Marks beside elbows and knees of limbs that the photo does not decide: each may just as well go the other way."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.document.model.document import Character
from app.services.session import Session
from app.services.steps.depth_flips import eye_of_photo, flip_limb
from app.viewport.overlays.hover_label import HoverLabel
from app.viewport.overlays.point_certainty import seen_points
from rendering.camera.photo_halves import is_in_copy
from rendering.view.viewport import Viewport
from solver.camera import PinholeCamera
from solver.rig.roles import LIMBS, Limb

SIZE = 24  # pixels of a mark
ASIDE = 24.0  # pixels from the joint, so that the point there can be dragged
REST_MS = 150  # after the last change, before limbs are checked again
INK, GROUND, EDGE = QColor(255, 214, 102), QColor(20, 23, 28, 190), QColor(0, 0, 0, 120)
_ROOTS = {"shoulder": 11, "hip": 23}  # a limb's first point; hinge and end follow, left and right alternating


class DepthMarks(QObject):
    """Shown with the points in the photo. Hovering a mark shows the other reading as a ghost, a click takes it."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session = session
        self.by_limb = {limb: _Mark(limb, session, viewport) for limb in LIMBS}
        self._undecided: tuple[Limb, ...] = ()
        self._of: tuple[Character | None, PinholeCamera | None] = (None, None)
        self._points: Mapping[int, QPointF] = {}
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._look)
        session.service.woken.connect(self._rest.start)

    def follow(self, points: Mapping[int, QPointF]) -> None:
        """Move beside these points of the active person in the view, by BlazePose's numbers; hide if there are none."""
        self._points = points
        photo, active = self._session.document.photo, self._session.active
        now = (active, photo.camera if photo is not None else None) if points else (None, None)
        if now[0] is not self._of[0] or now[1] is not self._of[1]:
            if now[0] is None or self._of[0] is None or now[0].id != self._of[0].id:
                self._undecided = ()
            self._of = now
            self._rest.start()
        self._place()

    def _look(self) -> None:
        active, camera = self._of
        if not self._session.service.awake:  # it looks again then: what it asks may still have to be compiled
            return
        if self._session.in_step:
            self._rest.start()
            return
        limbs: tuple[Limb, ...] = ()
        if active is not None and camera is not None and seen_points(self._session.document, active.id):
            from app.document.in_photo.depth import ambiguous_limbs  # once there is a photo: the window starts without

            limbs = ambiguous_limbs(active, camera.position)
        if limbs != self._undecided:
            self._undecided = limbs
            self._place()

    def _place(self) -> None:
        for limb, mark in self.by_limb.items():
            first = _ROOTS[limb.root.part] + (limb.side == "right")
            line = [self._points.get(first + 2 * place) for place in range(3)]
            root, hinge, end = line
            in_view = hinge is not None and mark.is_in_view(hinge)
            if limb not in self._undecided or root is None or hinge is None or end is None or not in_view:
                mark.leave()
                mark.hide()
                continue
            mark.stand(hinge + _outward(root, hinge, end) * ASIDE)


class _Mark(QWidget):
    def __init__(self, limb: Limb, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._limb, self._session, self._view = limb, session, viewport
        self._label = HoverLabel(viewport)
        self._over = False
        self.setFixedSize(SIZE, SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"The photo does not decide which way the {limb.name} leads")
        self.hide()

    def stand(self, at: QPointF) -> None:
        """Show around a pixel of the view, within it."""
        x = min(max(at.x(), SIZE / 2), self._view.width() - SIZE / 2)
        y = min(max(at.y(), SIZE / 2), self._view.height() - SIZE / 2)
        self.move(round(x - SIZE / 2), round(y - SIZE / 2))
        if self.isHidden():
            self.show()
            self.raise_()
            self._label.raise_()

    def is_in_view(self, at: QPointF) -> bool:
        """Whether a pixel is within the view, and not in the photo's copy."""
        return self._view.rect().contains(at.toPoint()) and not is_in_copy(self._view.current_view, (at.x(), at.y()))

    def leave(self) -> None:
        """Note that the pointer is elsewhere."""
        if self._over:
            self._over = False
            self._label.hide()
            self._session.set_view(hover=None)
            self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Point at the limb, so that its ghost shows and its key works."""
        active = self._session.active
        joint = _hinge_of(active, self._limb) if active is not None else ""
        if not joint:
            return
        self._over = True
        if self._view.tool is not None:
            self._view.tool.hover(None)  # or it would look again where the pointer was in the view
        self._session.set_view(hover=("joint", joint))
        text = f"The photo does not decide which way the {self._limb.name} leads\nClick, or D: its other reading"
        self._label.show_at(text, self.x() + SIZE / 2, self.y() + SIZE / 2)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Let go of the limb."""
        self.leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the limb's next reading, as the key does."""
        active = self._session.active
        if event.button() == Qt.MouseButton.LeftButton and active is not None:
            session, limb = self._session, self._limb
            eye_of = lambda person: eye_of_photo(person, session.document)  # noqa: E731
            flip_limb(session, active.id, lambda person: _hinge_of(person, limb), eye_of, lambda _limb: None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw two arrows on a dark disc, one towards the camera and one away."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, ground = QPointF(SIZE / 2, SIZE / 2), QColor(GROUND)
        ground.setAlpha(235 if self._over else GROUND.alpha())
        painter.setPen(QPen(INK if self._over else EDGE, 1.2))
        painter.setBrush(ground)
        painter.drawEllipse(middle, SIZE / 2 - 1.5, SIZE / 2 - 1.5)
        painter.setPen(QPen(INK, 1.7, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.setBrush(INK)
        for way, size in ((QPointF(0.72, -0.69), 3.2), (QPointF(-0.72, 0.69), 4.2)):  # away is smaller
            tip, across = middle + way * 7.0, QPointF(-way.y(), way.x())
            painter.drawLine(middle, tip - way * size)
            painter.setPen(Qt.PenStyle.NoPen)
            base = tip - way * size * 1.3
            painter.drawPolygon(QPolygonF([tip, base + across * size * 0.8, base - across * size * 0.8]))
            painter.setPen(QPen(INK, 1.7, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))


def _hinge_of(character: Character, limb: Limb) -> str:
    from app.document.model.figure import skeleton_of
    from solver.rig.rig import rig_of

    skeleton = skeleton_of(character)
    rig = rig_of(skeleton)
    return "" if rig.lacking(limb.line) else skeleton.names[rig.joint(limb.hinge)]


def _outward(root: QPointF, hinge: QPointF, end: QPointF) -> QPointF:
    """The direction in which the limb's bend points, else at right angles to the limb; of length 1."""
    bend, along = hinge - (root + end) / 2, end - root
    way = bend if hypot(bend.x(), bend.y()) > 3.0 else QPointF(-along.y(), along.x())
    length = hypot(way.x(), way.y())
    return way / length if length > 1e-6 else QPointF(1.0, 0.0)
