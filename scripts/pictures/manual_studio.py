"""The window as a studio for the manual's pictures: scenes to start from, a hand on mouse and keys, and a camera."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import standing
from app.document.posing.fitting_effectors import new_effector
from app.look.theme import current_theme
from app.services.settings import SettingsStore
from app.window.editor import Editor
from app.window.start import make_application, open_window
from rendering.camera.camera import OrbitCamera
from scripts.pointer import move_held
from solver.effectors.effector import Effector
from solver.ik.multi_solve.postures import LOWER, UPPER, postures

SIZE = (1440, 900)  # logical pixels of the window
NO_KEYS = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton
BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
PATIENCE_MS = 60_000
CAPTION, GAP = 30, 4  # logical pixels


class Studio:
    """Does what a user does, in the real window, and takes pictures of the screen."""

    def __init__(self, editor: Editor) -> None:
        self.editor, self.session, self.view = editor, editor.session, editor.viewport

    @property
    def person(self) -> Character:
        """The active character."""
        active = self.session.active
        assert active is not None
        return active

    def fresh(self) -> None:
        """A new scene in the window, as when it first opens."""
        self.session.history.mark_saved()
        self.session.open(self.editor.files.fresh())
        self.session.set_view(ghost=False, onion=False, before=False, loop=True)
        self.editor.panels.timeline.chosen.select(())
        self.editor.window.setGeometry(0, 0, *SIZE)
        self.view.setFocus()
        self.settle()

    def posture(self, lower: int, upper: int) -> None:
        """Put the active person into one of the program's own postures; it is the base pose."""
        person = self.person
        turn = (upper - lower) % len(UPPER)
        pose = postures(skeleton_of(person))[turn * len(LOWER) + lower]
        place = person.pose.root_position[[0, 2]].tolist()
        pose = standing(body_of(person), person.shape, pose, (place[0], place[1]))
        self.session.edit("Pose", edits.set_pose(person.id, pose))
        self.settle()

    def open(self, path: Path) -> None:
        """Open a motion as a new person, or in place of one that has not been touched."""
        before = self.session.document
        self.editor.files.open_path(path)
        self.until(lambda: self.session.document is not before)
        self.settle()

    def effector(self, joint: str, kind: str = "position") -> Effector:
        """The active person's effector of that kind on a joint; added if there is none."""
        for each in self.person.effectors:
            if (each.joint, each.kind) == (joint, kind):
                return each
        added = new_effector(self.person, kind, joint)
        self.session.edit("Add effector", edits.add_effector(self.person.id, added), solve=True)
        self.settle()
        return self.person.effector(added.id)

    def move(self, joint: str, by: Sequence[float], pinned: bool = False) -> None:
        """Move a joint's handle by metres, select it and solve."""
        effector, id = self.effector(joint), self.person.id
        if pinned:
            self.session.edit("Pin", edits.set_pinned(id, effector.id, True))
        target = np.asarray(effector.target, np.float32) + np.asarray(by, np.float32)
        self.session.edit("Move", edits.set_target(id, effector.id, target), solve=True)
        self.session.select(id, [effector.id])
        self.settle()

    def place(self, joint: str) -> QPoint:
        """Where a joint of the active person is in the view."""
        at = joints_of(self.person).positions[skeleton_of(self.person).index(joint)]
        return self.pixel(at)

    def pixel(self, point: ArrayLike) -> QPoint:
        """Where a point of the world is in the view."""
        x, y = self.view.current_view.project(np.asarray(point, np.float64))
        return QPoint(round(float(x)), round(float(y)))

    def look(self, **how: object) -> None:
        """Look from somewhere; see `OrbitCamera`."""
        self.view.set_camera(OrbitCamera(**how))  # type: ignore[arg-type]
        self.settle()

    def drag(
        self, widget: QWidget, start: QPoint, *ways: QPoint, keys: Qt.KeyboardModifier = NO_KEYS, release: bool = True
    ) -> None:
        """Drag with the left button from `start` by each of the ways in turn."""
        QTest.mousePress(widget, LEFT, keys, start)
        for way in ways:
            move_held(widget, start + way, keys)
            QTest.qWait(60)
        if release:
            QTest.mouseRelease(widget, LEFT, keys, start + ways[-1])
        self.settle()

    def drag_on(self, start: QPoint, *ways: QPoint) -> None:
        """Continue a drag in the view that has not been released, and release it."""
        for way in ways:
            move_held(self.view, start + way)
            QTest.qWait(60)
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, start + ways[-1])
        self.settle()

    def strike(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key over the view."""
        self.editor.window.activateWindow()
        self.until(self.editor.window.isActiveWindow)
        self.view.setFocus()
        self.editor.refresh()
        QTest.keyClick(self.view, key, keys)
        self.settle()

    def settle(self) -> None:
        """Wait until all is solved, between keys too, all reasons are found, and the panels show it."""
        session = self.session
        QTest.qWait(150)
        assert session.service.wait(PATIENCE_MS / 1000)
        session.apply_results()
        self.solved()
        if not session.in_step:
            self.until(lambda: session.unexplained_character is None)
            between = self.editor.in_betweens
            self.until(lambda: not between.solving and not any(map(between.missing, self._moving())))
        self.editor.refresh()
        QTest.qWait(150)

    def solved(self) -> None:
        """Wait until nothing is being solved."""
        self.until(lambda: not self.session.solving and self.session.service.idle())

    def until(self, condition: Callable[[], bool]) -> None:
        """Process events until a condition is true."""
        for _ in range(PATIENCE_MS // 20):
            if condition():
                return
            QTest.qWait(20)
        raise TimeoutError("it never came true")

    def rest_pointer(self) -> None:
        """Take the pointer out of the view, so that nothing lights up."""
        move_held(self.view, QPoint(3, 3), buttons=Qt.MouseButton.NoButton)
        self.settle()

    def screen(self, place: QRect) -> QPixmap:
        """A part of the window as it is on the screen, logical pixels."""
        QTest.qWait(700)
        whole = QApplication.primaryScreen().grabWindow(0)
        ratio, corner = whole.devicePixelRatio(), self.editor.window.geometry().topLeft()
        place = place.translated(corner)
        return whole.copy(
            round(place.x() * ratio), round(place.y() * ratio), round(place.width() * ratio),
            round(place.height() * ratio),
        )  # fmt: skip

    def area(self, widget: QWidget) -> QRect:
        """Where a widget is in the window."""
        corner = widget.mapToGlobal(QPoint(0, 0)) - self.editor.window.geometry().topLeft()
        return QRect(corner, widget.size())

    def around(self, joint: str, width: int, height: int, down: float = 0.5) -> QRect:
        """That much of the view, with a joint centred across and at the share `down` of its height."""
        place = self.place(joint) + self.area(self.view).topLeft()
        corner = QPoint(place.x() - width // 2, round(place.y() - down * height))
        return QRect(corner, QPoint(corner.x() + width - 1, corner.y() + height - 1)) & self.area(self.view)

    def _moving(self) -> list[str]:
        return [actor.id for actor in self.session.document.actors if len(actor.clip) > 1]


Picture = Callable[[Studio], QPixmap]


@contextmanager
def studio_window() -> Iterator[Editor]:
    """The real window with settings of its own, its solver ready; closed at the end without asking."""
    with tempfile.TemporaryDirectory() as folder:
        application = make_application()
        store = SettingsStore(QSettings(str(Path(folder, "settings.ini")), QSettings.Format.IniFormat))
        editor = open_window(application, store)
        QTest.qWait(500)
        editor.warm_up()
        editor.service.wait(120)
        try:
            yield editor
        finally:
            editor.session.history.mark_saved()
            editor.shut_down()
            application.quit()


def row(shown: list[tuple[str, QPixmap]]) -> QPixmap:
    """Pictures of one size side by side, each under its title."""
    ratio = shown[0][1].devicePixelRatio()
    width, height = shown[0][1].deviceIndependentSize().toTuple()
    whole = QPixmap(round((len(shown) * (width + GAP) - GAP) * ratio), round((height + CAPTION) * ratio))
    whole.setDevicePixelRatio(ratio)
    theme = current_theme()
    whole.fill(QColor(theme.panel))
    painter = QPainter(whole)
    font = QFont(QApplication.font())
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    for number, (title, picture) in enumerate(shown):
        left = round(number * (width + GAP))
        painter.drawText(QRect(left, 0, round(width), CAPTION), Qt.AlignmentFlag.AlignCenter, title)
        painter.drawPixmap(left, CAPTION, picture)
    painter.end()
    return whole


def stacked(rows: list[QPixmap]) -> QPixmap:
    """Pictures below each other."""
    whole = QPixmap(max(each.width() for each in rows), sum(each.height() for each in rows))
    whole.fill(Qt.GlobalColor.transparent)
    painter, top = QPainter(whole), 0
    for each in rows:
        painter.drawPixmap(QRect(0, top, each.width(), each.height()), each)
        top += each.height()
    painter.end()
    return whole
