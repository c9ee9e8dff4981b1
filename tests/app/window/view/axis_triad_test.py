"""The axes in the view's corner: they show where one looks from, and are clicked and dragged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import random_photo
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import move_held, strike, until

from app.document import edits
from app.look.mnemonics import unmarked
from app.viewport.overlays.axis_triad import AxisTriad
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.shapes.posed_skin import posed_skin
from solver.body.body import BodyShape

pytestmark = pytest.mark.gl

LEFT, HELD = Qt.MouseButton.LeftButton, Qt.KeyboardModifier
AHEAD = {"front": (0, 0, -1), "back": (0, 0, 1), "right": (-1, 0, 0), "left": (1, 0, 0), "top": (0, -1, 0)}


def at(triad: AxisTriad, side: str) -> QPoint:
    return triad.ends()[side][0].toPoint()


def looks(editor: Editor, side: str) -> bool:
    return bool(np.allclose(-editor.viewport.camera.rotation[:, 2], AHEAD[side], atol=1e-6))


@pytest.mark.sweep
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("photo", [0, 128, 255])
def test_the_views_name_is_legible_whatever_is_behind_it(editor: Editor, theme: str, photo: int) -> None:
    editor.settings.set(theme=theme)
    name = editor.session_view.triad.name
    image = QImage(name.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(photo, photo, photo))
    name.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    middle = name.rect().center()
    around = [lightness(image.pixelColor(x, 3)) for x in range(middle.x() - 30, middle.x() + 30)]
    across = [lightness(image.pixelColor(x, y)) for x in range(middle.x() - 30, middle.x() + 30) for y in range(5, 16)]
    ink, ground = (max(across), max(around)) if theme == "dark" else (min(across), min(around))
    assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) > 4.5, "as WCAG asks of text"


def lightness(color: QColor) -> float:
    """Relative luminance, as WCAG has it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.getRgbF()[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_it_stands_in_the_corner_and_names_the_view(editor: Editor) -> None:
    triad, view = editor.session_view.triad, editor.viewport
    assert triad.isVisible()
    assert triad.geometry().right() < view.width()
    assert triad.geometry().left() > view.width() / 2
    assert triad.name.text == "Perspective"
    strike(editor, Qt.Key.Key_5)
    assert triad.name.text == "Parallel"
    strike(editor, Qt.Key.Key_3)
    until(lambda: triad.name.text == "Right")
    strike(editor, Qt.Key.Key_5)
    assert triad.name.text == "Right · perspective"
    view.resize(300, 280)
    assert not triad.isVisible(), "a small view is for the figure"


def test_it_lies_over_nobody_who_is_framed_in_a_narrow_view(editor: Editor) -> None:
    view, session = editor.viewport, editor.session
    tall = BodyShape(np.array([3.0, *[0.0] * 9], np.float32))
    strike(editor, Qt.Key.Key_A, HELD.ShiftModifier)
    session.edit("Tall", edits.set_shape(session.view.character, tall))
    editor.refresh()
    view.resize(420, 420)
    strike(editor, Qt.Key.Key_Home)
    triad = editor.session_view.triad
    assert triad.isVisible()
    under = triad.geometry()
    seen = np.concatenate([view.final_view.project(posed_skin(each)) for each in view.scene.figures])
    assert not ((seen[:, 0] > under.left()) & (seen[:, 1] < under.bottom())).any()
    assert ((seen > 0) & (seen < 420)).all(), "all of them are in view"


def test_a_long_name_stays_clear_of_the_views_edge(editor: Editor) -> None:
    name, view = editor.session_view.triad.name, editor.viewport
    view.set_camera(OrbitCamera(pitch=float(-np.pi / 2)))
    assert name.text == "Bottom · perspective"
    image = QImage(name.size(), QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    name.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    drawn = [x for x in range(image.width()) if image.pixelColor(x, 10) != QColor("#ff00ff")]
    assert name.x() + drawn[-1] < view.width() - 8
    assert len(drawn) > 100, "all of it"


def test_hints_stay_beside_it(editor: Editor) -> None:
    triad, window = editor.session_view.triad, editor.window
    for text in ("Drag a handle to pose", "A hint that is long enough to fill more than one line of the view. " * 3):
        window.set_hint(text)
        assert not window.hint.geometry().intersects(triad.geometry())
        assert window.hint.geometry().left() >= 0


@pytest.mark.slow
def test_a_click_on_an_end_looks_along_it_and_another_from_the_other_side(editor: Editor) -> None:
    triad, document = editor.session_view.triad, editor.session.document
    for side, other in (("right", "left"), ("front", "back")):
        QTest.mouseClick(triad, LEFT, HELD.NoModifier, at(triad, side))
        until(lambda side=side: looks(editor, side))
        assert triad.name.text == side.capitalize()
        QTest.mouseClick(triad, LEFT, HELD.NoModifier, at(triad, side))
        until(lambda other=other: looks(editor, other))
        assert triad.name.text == other.capitalize()
    QTest.mouseClick(triad, LEFT, HELD.NoModifier, at(triad, "top"))
    until(lambda: looks(editor, "top"))
    assert editor.session.document == document


def test_a_click_between_the_ends_does_nothing_and_does_not_reach_the_scene(editor: Editor) -> None:
    triad, camera = editor.session_view.triad, editor.viewport.camera
    active = editor.session.view.character
    triad_middle = triad.rect().center()
    ends = [place for place, _ in triad.ends().values()]
    free = next(
        place
        for place in (triad_middle + QPoint(dx, dy) for dx in range(-30, 31, 6) for dy in range(-30, 31, 6))
        if all((end - place).manhattanLength() > 24 for end in ends)
    )
    QTest.mouseClick(triad, LEFT, HELD.NoModifier, free)
    assert editor.viewport.final_view.camera == camera
    assert editor.session.view.character == active


def test_a_drag_turns_the_view_in_one_step_of_the_camera(editor: Editor) -> None:
    triad, before = editor.session_view.triad, editor.viewport.camera
    assert isinstance(before, OrbitCamera)
    start = triad.rect().center()
    QTest.mousePress(triad, LEFT, HELD.NoModifier, start)
    for step in (2, 20, 40):
        move_held(triad, start + QPoint(step, 0))
    QTest.mouseRelease(triad, LEFT, HELD.NoModifier, start + QPoint(40, 0))
    turned = editor.viewport.camera
    assert isinstance(turned, OrbitCamera)
    assert turned.yaw == pytest.approx(before.yaw - 40 * 0.008)
    strike(editor, Qt.Key.Key_Z, HELD.AltModifier)
    until(lambda: editor.viewport.camera == before)
    QTest.mousePress(triad, LEFT, HELD.NoModifier, start)
    move_held(triad, start + QPoint(30, 10))
    assert editor.viewport.camera != before
    QTest.mouseClick(triad, Qt.MouseButton.RightButton, HELD.NoModifier, start + QPoint(30, 10))
    assert editor.viewport.camera == before, "the right button takes a drag back"


def test_the_end_under_the_pointer_lights_up(editor: Editor) -> None:
    triad = editor.session_view.triad

    def picture() -> bytes:
        return triad.grab().toImage().bits().tobytes()  # type: ignore[union-attr]

    calm = picture()
    move_held(triad, at(triad, "top"), buttons=Qt.MouseButton.NoButton)
    lit = picture()
    assert lit != calm
    assert triad.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_through_a_photo_it_says_so_and_an_end_leaves_the_photo(editor: Editor) -> None:
    triad, session = editor.session_view.triad, editor.session
    photo = replace(random_photo(np.random.default_rng(0), "/nowhere.jpg"), visible=False)
    session.edit("Photo", edits.set_photo(photo))
    strike(editor, Qt.Key.Key_0)
    assert triad.name.text == "Photo's camera"
    QTest.mouseClick(triad, LEFT, HELD.NoModifier, at(triad, "front"))
    until(lambda: looks(editor, "front"))
    assert not session.view.through_photo


def test_the_view_menu_and_its_key_hide_the_axes_for_good_and_hints_take_the_room(editor: Editor) -> None:
    triad, window = editor.session_view.triad, editor.window
    window.set_hint("A hint that is long enough to fill more than one line of the view. " * 3)
    beside = window.hint.width()
    strike(editor, Qt.Key.Key_X, HELD.ShiftModifier)
    assert not triad.isVisible()
    assert not triad.name.isVisible()
    assert not editor.settings.values.triad
    window.set_hint("")
    window.set_hint("A hint that is long enough to fill more than one line of the view. " * 3)
    assert window.hint.width() > beside
    editor.viewport.resize(700, 500)
    assert not triad.isVisible(), "another size does not bring them back"
    menu = next(a.menu() for a in window.menuBar().actions() if unmarked(a.text()) == "View")
    action = editor.actions["view.axes"]
    assert action in menu.actions()
    editor.refresh()
    assert not action.isChecked()
    action.trigger()
    assert triad.isVisible()
    assert triad.name.isVisible()
    assert editor.settings.values.triad
