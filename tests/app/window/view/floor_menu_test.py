"""A right click where there is nothing but the floor offers what can be added there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from prop_driver import added
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_driver import ViewMouse, active, answer_once_shown, settled

from app.document.model.figure import joints_of
from app.look.mnemonics import unmarked
from app.viewport.prop_place import floor_under
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl
RIGHT, LEFT = Qt.MouseButton.RightButton, Qt.MouseButton.LeftButton
PLACE = np.array([1.2, 0.0, 0.6])


def right_click(editor: Editor, place: QPoint, do: Callable[[QMenu], object]) -> None:
    answer_once_shown(QMenu, do)
    QTest.mouseClick(editor.viewport, RIGHT, pos=place)


def named(menu: QMenu, text: str) -> QAction:
    return next(each for each in menu.actions() if unmarked(each.text()) == text)


def click_entry(menu: QMenu, text: str) -> None:
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(named(menu, text)).center())


def on_floor(editor: Editor) -> tuple[QPoint, np.ndarray]:
    """A pixel of empty floor, and (3,) the place there, in metres."""
    place = ViewMouse(editor).place(PLACE)
    pixel = QPointF(place)
    return place, floor_under(editor.viewport.current_view, (pixel.x(), pixel.y()))


def test_a_person_is_added_where_the_floor_was_clicked(editor: Editor) -> None:
    place, there = on_floor(editor)
    right_click(editor, place, lambda menu: click_entry(menu, "Add a person here"))
    settled(editor.session)
    assert len(editor.session.document.characters) == 2
    pelvis = joints_of(active(editor)).positions[0]
    assert np.linalg.norm((pelvis - there)[[0, 2]]) < 0.1


def test_who_has_no_room_where_the_floor_was_clicked_stands_aside_and_the_status_bar_says_so(editor: Editor) -> None:
    who = active(editor).id
    added(editor, "box", (PLACE[0] + 0.35, 0.0, PLACE[2]))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.6, 0.5, 0.3), distance=5.0, yaw=0.0, pitch=0.9))
    editor.refresh()
    place, there = on_floor(editor)
    right_click(editor, place, lambda menu: click_entry(menu, "Add a person here"))
    settled(editor.session)
    aside = np.linalg.norm((joints_of(active(editor)).positions[0] - there)[[0, 2]])
    said = f"There is no room where you clicked: “Person 2” stands {100 * aside:.0f} cm away."
    assert editor.window.status.notices.shown == said


def test_a_prop_is_added_where_the_floor_was_clicked(editor: Editor) -> None:
    place, there = on_floor(editor)

    def choose(menu: QMenu) -> None:
        props = named(menu, "Add a prop here").menu()
        assert isinstance(props, QMenu)
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):
            QTest.keyClick(menu, key)
        assert props.isVisible()
        click_entry(props, "Add a box")

    right_click(editor, place, choose)
    [box] = editor.session.document.props
    assert np.linalg.norm((box.corners.mean(axis=0) - there)[[0, 2]]) < 0.05


def test_it_offers_to_paste_and_to_frame_all_and_esc_leaves_all_as_it_was(editor: Editor) -> None:
    place, _ = on_floor(editor)
    before, seen = editor.session.document, list[str]()

    def look(menu: QMenu) -> None:
        seen.extend(unmarked(each.text()) for each in menu.actions() if each.text())
        QTest.keyClick(menu, Qt.Key.Key_Escape)

    right_click(editor, place, look)
    assert seen == ["Add a person here", "Add a prop here", "Paste pose", "Frame selected", "Frame all"]
    assert editor.session.document is before
