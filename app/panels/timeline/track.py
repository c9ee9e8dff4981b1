"""The timeline itself: ruler, keys and range, operated by mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from app.document import edits
from app.look.theme import current_theme
from app.panels.timeline.drags import BoxDrag, Drag, FootPress, KeysDrag, PanDrag, PlayheadDrag, RangeDrag, ScrollDrag
from app.panels.timeline.key_selection import KeySelection
from app.panels.timeline.lanes import Lanes, TimelineHit, hit_test, lanes_of
from app.panels.timeline.marks import FEET, Marks, marks_of
from app.panels.timeline.paint import TrackBackground, paint_background, paint_box, paint_chosen_bar, paint_playhead
from app.panels.timeline.scale import Scale, whole
from app.panels.timeline.track_keyboard import TrackKeyboard
from app.panels.widgets.drag_end_guard import DragEndGuard
from app.panels.widgets.popups import show_menu
from app.services.clock import Clock
from app.services.player import Player
from app.services.session import Session
from app.services.view_state import selected_prop

CURSORS = {
    "range first": Qt.CursorShape.SizeHorCursor,
    "range last": Qt.CursorShape.SizeHorCursor,
    "range": Qt.CursorShape.OpenHandCursor,
    "key": Qt.CursorShape.PointingHandCursor,
    "foot": Qt.CursorShape.PointingHandCursor,
}
ZOOM = 1.25  # for a notch of the wheel


class Track(QWidget):
    """Frames of the clock from left to right. zoomed: others are in sight. number_asked: the user wants to type one.
    in_betweens_switched: frames between keys are to come about the other way. menu_filled: its context menu is about to
    show, and more can be offered there."""

    zoomed = Signal()
    number_asked = Signal()
    in_betweens_switched = Signal()
    menu_filled = Signal(QMenu)

    def __init__(self, session: Session, player: Player, chosen: KeySelection) -> None:
        super().__init__()
        self._session, self.player, self.chosen = session, player, chosen
        self.clock, self.marks = Clock(), Marks()
        self._scale: Scale = whole(1.0, 1)
        self._lanes: Lanes = lanes_of(self.marks)
        self._shown: tuple[object, ...] = (None,)
        self._drag: Drag | None = None
        self._of = ("", "")  # the active person and the selected prop whose marks show
        self._took_back = False  # whether the newest press cancelled a drag, so that it opens no menu
        self._frame = 0
        self._ground: tuple[object, QPixmap] | None = None
        self._keys = TrackKeyboard(self)
        DragEndGuard(self, self.drop)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName("Timeline")
        self.setFixedHeight(round(self._lanes.height))
        chosen.changed.connect(self.update)

    @property
    def scale(self) -> Scale:
        """Which frames show, and where."""
        return self._scale

    @scale.setter
    def scale(self, scale: Scale) -> None:
        if scale != self._scale:
            self._scale = scale
            self.update()
            self.zoomed.emit()

    def follow(self) -> None:
        """Show the document and the time as they are now."""
        clock, document = self.player.clock, self._session.document
        active, prop = self._session.view.character, selected_prop(document, self._session.view)
        in_step, shown = self._session.in_step, prop and (prop.id, prop.name, prop.color)
        whose = (active, clock, shown, [p.clip for p in document.props], in_step)
        if whose != self._shown[1:] or document.actors is not self._shown[0]:
            self._leave_marks(active, prop.id if prop is not None else "")
            self._shown = (document.actors, *whose)
            marks = marks_of(document, active, clock, prop, in_step)
            self.clock, self.marks = clock, marks
            self._lanes = lanes_of(marks)
            self.setFixedHeight(round(self._lanes.height))
            self.scale = self._scale.fitted(self.width(), clock.frames)
            if self.accessibleDescription() or self._keys.bars.number is not None:
                self.bar_changed()  # it has become held, or is gone
            self.update()
        frame = self.player.frame
        if frame != self._frame:
            self._frame = frame
            if not isinstance(self._drag, PanDrag):
                self.scale = self._scale.showing(frame, page=self._drag is None)
            self.update()

    def show_all(self) -> None:
        """Bring all frames into sight."""
        self.scale = whole(self.width(), self.clock.frames)

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Zoom in by a factor, about a place or the frame looked at."""
        self.scale = self._scale.zoomed(factor, self._scale.x(self._frame) if x is None else x)

    def switch_contact(self, number: int) -> None:
        """Hold a planted foot, by its number among the contacts, or let it go."""
        foot, first, _ = self.marks.contacts[number]
        text = "Let a planted foot go" if self.marks.holds(number) else "Hold a planted foot"
        edit = edits.switch_contact(self._session.view.character, FEET[foot], round(first * self.marks.rate))
        self._session.edit(text, edit)

    def bar_changed(self) -> None:
        """Ring the chosen bar of a planted foot, and announce it to screen readers."""
        bar = self._keys.bars.number
        self.setAccessibleDescription("" if bar is None else self._tip(TimelineHit("foot", bar)))
        self.update()

    def ask_number(self) -> None:
        """Let the user type a frame's number."""
        self.number_asked.emit()

    def switch_in_betweens(self) -> None:
        """Switch the frames between keys from being solved to going by the joints alone, or back."""
        self.in_betweens_switched.emit()

    @property
    def held(self) -> bool:
        """Whether a button is held down on it."""
        return self._drag is not None

    def hold(self, drag: Drag) -> None:
        """Begin a drag from elsewhere, such as the curves, which have the same scale."""
        self.cancel_drag()
        self._drag = drag
        if isinstance(drag, PlayheadDrag):
            drag.move(drag.x, copy=False)

    def drag_to(self, x: float) -> None:
        """Go on with such a drag; do nothing without one."""
        if self._drag is not None:
            self._drag.move(x, copy=False)
            self.update()

    def drop(self) -> None:
        """End such a drag."""
        drag, self._drag = self._drag, None
        if drag is not None:
            drag.end(copy=False)

    def cancel_drag(self) -> bool:
        """Cancel a drag under way; return whether there was one."""
        drag, self._drag = self._drag, None
        if drag is not None:
            drag.cancel()
            self.update()
        return drag is not None

    def sizeHint(self) -> QSize:
        """The size to lay out for."""
        return QSize(400, round(self._lanes.height))

    def minimumSizeHint(self) -> QSize:
        """The least width at which it can be used."""
        return QSize(120, round(self._lanes.height))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the kept picture of the background, and over it the playhead and what is being done."""
        theme = current_theme()
        font = self._font()
        origin = tuple(frame / self.marks.rate for frame in self.chosen.origin)
        lanes, chosen = self._lanes, self.chosen.frames
        background = TrackBackground(lanes, self._scale, self.marks, self.clock, chosen, origin, theme)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._kept(background))
        if isinstance(self._drag, BoxDrag) and self._drag.moved:
            left, right = sorted((self._drag.x, self._drag.here))
            paint_box(painter, left, right, self._lanes, theme)
        if self.hasFocus() and (bar := self._keys.bars.number) is not None:
            paint_chosen_bar(painter, background, bar)
        paint_playhead(painter, background, font, self._frame, f"{self._frame + 1:,}")
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of what is under the pointer; a second button cancels a drag."""
        self._took_back = self.cancel_drag()
        if self._took_back:
            return
        x, more = event.position().x(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = PanDrag(self, x)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._drag = self._grab(self._spot(event), x, more)
            if isinstance(self._drag, PlayheadDrag):
                self._drag.move(x, copy=False)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the drag, or show what a press would do."""
        if self._drag is None:
            self._point_at(self._spot(event))
            return
        self._drag.move(event.position().x(), _copies(event))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        drag, self._drag = self._drag, None
        if drag is not None:
            drag.end(_copies(event))
        self._point_at(self._spot(event))
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go to a key, which can still be dragged; over the ruler's bar, play everything."""
        found = self._spot(event)
        if event.button() == Qt.MouseButton.LeftButton and found.part == "key":
            self.player.go_to(self._place_of(found.frame))
            self.mousePressEvent(event)
        elif found.part.startswith("range"):
            self.player.play_all()
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom; with Shift, or sideways, scroll to other frames."""
        turn, fine = event.angleDelta(), event.pixelDelta()
        sideways = turn.x() if abs(turn.x()) > abs(turn.y()) else 0
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            sideways = sideways or turn.y()
        if sideways:
            self.scale = self._scale.panned(fine.x() if fine.x() else sideways / 2)
        else:
            self.zoom(ZOOM ** (turn.y() / 120), event.position().x())
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done here."""
        if self._drag is not None or self._took_back:
            self._took_back = False
            return
        place = event.pos()
        found = hit_test(place.x(), place.y(), self._lanes, self._scale, self.marks, self.clock)
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        here = self._scale.nearest(place.x()) if by_mouse else self._frame
        if by_mouse and found.part == "key":
            here = self._place_of(found.frame)
            if found.frame not in self.chosen.frames:
                self.chosen.select((found.frame,))
        bar = (found.frame if found.part == "foot" else None) if by_mouse else self._keys.bars.number
        from app.panels.timeline.track_menu import fill_menu  # when one is first asked for

        def fill(menu: QMenu) -> None:
            fill_menu(menu, self, here, bar)
            self.menu_filled.emit(menu)

        show_menu(self, event.globalPos(), fill)

    def event(self, event: QEvent) -> bool:
        """Claim its keys from the window's commands, and say what is under the pointer."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._keys.wants(event):
            event.accept()
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = QPoint(event.pos())
            found = hit_test(place.x(), place.y(), self._lanes, self._scale, self.marks, self.clock)
            QToolTip.showText(event.globalPos(), self._tip(found), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the key says; see `TrackKeyboard`."""
        if not self._keys.press(event):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the same frames at another width."""
        super().resizeEvent(event)
        self.scale = self._scale.fitted(self.width(), self.clock.frames)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that it has the focus."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the focus is elsewhere."""
        super().focusOutEvent(event)
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel a drag that cannot be ended any more."""
        super().hideEvent(event)
        self.cancel_drag()

    def _leave_marks(self, active: str, prop: str) -> None:
        """Note whose marks show from now on; a drag of another's ends."""
        before, self._of = self._of, (active, prop)
        if before != self._of and self._drag is not None and self._drag.of_marks:
            drag, self._drag = self._drag, None
            drag.leave()

    def _grab(self, found: TimelineHit, x: float, more: bool) -> Drag | None:
        if found.part in ("range", "range first", "range last"):
            return RangeDrag(self, x, found.part.partition(" ")[2] or "both")
        if found.part == "ruler":
            return PlayheadDrag(self, x)
        if found.part == "key":
            return KeysDrag(self, x, found.frame, more)
        if found.part == "foot":
            return FootPress(self, x, found.frame)
        return ScrollDrag(self, x) if found.part == "scroll" else BoxDrag(self, x, more)

    def _place_of(self, key: int) -> int:
        """The clock's frame of a key of its owner's."""
        return round(next(place for frame, place in self.marks.keys if frame == key))

    def _spot(self, event: QMouseEvent) -> TimelineHit:
        place = event.position()
        return hit_test(place.x(), place.y(), self._lanes, self._scale, self.marks, self.clock)

    def _point_at(self, found: TimelineHit) -> None:
        self.setCursor(CURSORS.get(found.part, Qt.CursorShape.ArrowCursor))

    def _tip(self, found: TimelineHit) -> str:
        from app.panels.timeline.track_tips import tip_of  # when one is first asked for

        return tip_of(found, self)

    def _font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(font.pointSizeF() - 1.5, 7.0))
        return font

    def _kept(self, background: TrackBackground) -> QPixmap:
        ratio = self.devicePixelRatioF()
        key = (background, ratio, self.size())
        if self._ground is None or self._ground[0] != key:
            picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            painter = QPainter(picture)
            paint_background(painter, background)
            painter.end()
            self._ground = (key, picture)
        return self._ground[1]


def _copies(event: QMouseEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
