"""Props in the window: added, selected, moved, turned, scaled and deleted as a user does it."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, gizmo_of, on_prop, part_at, shown, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from window_driver import ViewMouse, activated, active, answer_once_shown, strike, until

from app.document import edits
from app.document.posing.placing import place_of
from app.look.mnemonics import unmarked
from app.viewport.prop_place import floor_ahead, floor_under
from app.viewport.tools.nudge import STEP
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, PhotoView, View
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier


def steps(editor: Editor) -> tuple[str, ...]:
    return editor.session.history.steps()


def test_the_menu_adds_a_prop_on_the_floor_beside_the_person_and_selects_it(editor: Editor) -> None:
    for kind in ("box", "plane", "stairs", "ball", "cylinder", "stick", "chair"):
        editor.actions[f"prop.{kind}"].trigger()
        prop = the_prop(editor)
        assert (prop.kind, prop.place[1]) == (kind, 0.0)
        assert editor.session.view.prop == prop.id
        low, high = prop.corners.min(axis=0), prop.corners.max(axis=0)
        x, z = place_of(active(editor))
        assert kind == "plane" or not (low[0] - 0.3 < x < high[0] + 0.3 and low[2] - 0.3 < z < high[2] + 0.3)
    assert steps(editor)[0] == "Add Box"
    assert len(editor.viewport.scene.props) == 7
    for _ in range(7):
        strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert editor.session.document.props == ()
    assert editor.session.view.prop == ""


def test_a_click_selects_a_prop_a_click_beside_it_nothing_and_a_drag_across_it_turns_the_view(editor: Editor) -> None:
    mouse, session = ViewMouse(editor), editor.session
    prop = added(editor)
    mouse.click(QPoint(6, 6))
    assert session.view.prop == ""
    mouse.hover(on_prop(mouse, prop))
    editor.session_view.refresh()
    assert editor.viewport.scene.props[0].hovered
    assert editor.hover_label.text() == "Box"
    before, camera = session.document, editor.viewport.camera
    mouse.drag(on_prop(mouse, prop), QPoint(30, 5), QPoint(80, 10))
    assert session.document is before
    assert editor.viewport.camera != camera
    assert session.view.prop == ""
    mouse.click(on_prop(mouse, prop))
    assert session.view.prop == prop.id
    editor.session_view.refresh()
    assert editor.viewport.scene.props[0].selected
    assert not editor.viewport.scene.without_tools().props[0].selected
    mouse.click(on_prop(mouse, prop))
    assert session.view.prop == prop.id, "again changes nothing"


def test_a_locked_prop_is_passed_by(editor: Editor) -> None:
    mouse, prop = ViewMouse(editor), added(editor)
    editor.session.edit("Lock", edits.set_prop_locked(prop.id, True))
    mouse.click(QPoint(6, 6))
    mouse.hover(on_prop(mouse, prop))
    editor.session_view.refresh()
    assert not editor.viewport.scene.props[0].hovered
    assert editor.hover_label.text() == ""
    mouse.click(on_prop(mouse, prop))
    assert editor.session.view.prop == ""


def test_selecting_a_handle_lets_go_of_the_prop_and_the_other_way_round(editor: Editor) -> None:
    prop = added(editor)
    editor.session.select("c1", [active(editor).effectors[0].id])
    assert editor.session.view.prop == ""
    editor.session.set_view(prop=prop.id)
    assert not editor.session.view.effectors


def test_arrows_and_planes_move_it_in_one_step(editor: Editor) -> None:
    mouse, prop = ViewMouse(editor), added(editor)
    before, count = editor.session.document, len(steps(editor))
    for part, axes in (("x", (0,)), ("y", (1,)), ("zx", (0, 2)), ("view", (0, 1, 2))):
        mouse.drag(part_at(mouse, part), QPoint(10, -6), QPoint(40, -30))
        after = the_prop(editor)
        gone = after.place - prop.place
        assert np.abs(gone).max() > 0.02
        assert all(abs(gone[i]) < 1e-6 for i in range(3) if i not in axes)
        assert np.array_equal(after.turn, prop.turn)
        assert np.array_equal(after.size, prop.size)
        assert steps(editor)[count:] == ("Move Box",)
        editor.session.undo()
        assert editor.session.document == before


def test_a_drag_of_the_selected_prop_itself_moves_it_over_the_floor(editor: Editor) -> None:
    mouse, prop = ViewMouse(editor), added(editor, "cylinder")
    mouse.drag(on_prop(mouse, prop, (0.0, 0.9, 0.5)), QPoint(-20, 8), QPoint(-70, 30))
    gone = the_prop(editor).place - prop.place
    assert gone[1] == pytest.approx(0.0, abs=1e-6)
    assert np.linalg.norm(gone) > 0.1


def test_rings_turn_it_about_its_middle_and_escape_takes_the_drag_back(editor: Editor) -> None:
    mouse, prop = ViewMouse(editor), added(editor)
    strike(editor, KEY.Key_R)
    assert gizmo_of(editor).kind == "rotate"
    start = part_at(mouse, "y")
    mouse.drag(start, QPoint(20, 0), QPoint(45, 0))
    after = the_prop(editor)
    assert after.middle == pytest.approx(prop.middle, abs=1e-5)
    assert np.degrees(np.arccos((np.trace(after.turn) - 1) / 2)) > 10
    assert after.turn[1] == pytest.approx([0, 1, 0], abs=1e-6)
    assert steps(editor)[-1] == "Turn Box"
    document = editor.session.document
    mouse.drag(part_at(mouse, "y"), QPoint(-20, 0), QPoint(-45, 0), release=False)
    assert editor.session.document != document
    QTest.keyClick(editor.window, KEY.Key_Escape)
    assert editor.session.document == document
    mouse.release(start)
    strike(editor, KEY.Key_G)
    assert gizmo_of(editor).kind == "move"


@pytest.mark.sweep
@pytest.mark.parametrize(("kind", "part", "grown"), [
    ("box", "x", (True, False, False)), ("box", "y", (False, True, False)), ("ball", "x", (True, True, True)),
    ("stick", "z", (True, False, True)), ("chair", "view", (True, True, True)),
])  # fmt: skip
def test_bars_scale_it_and_what_is_round_stays_round(
    editor: Editor, kind: str, part: str, grown: tuple[bool, ...]
) -> None:
    mouse, prop = ViewMouse(editor), added(editor, kind)
    strike(editor, KEY.Key_S)
    gizmo = gizmo_of(editor)
    assert gizmo.kind == "scale"
    start = part_at(mouse, part) if part != "view" else mouse.place(gizmo.position)
    away = part_at(mouse, part) - mouse.place(gizmo.position) if part != "view" else QPoint(40, -40)
    mouse.drag(start, away / 2, away)
    after = the_prop(editor)
    assert tuple(bool(g) for g in after.size > prop.size * 1.02) == grown
    assert after.place == pytest.approx(prop.place, abs=1e-6), "its base stays where it is"
    assert steps(editor)[-1] == f"Scale {prop.name}"


def test_axis_keys_and_steps_work_as_for_handles(editor: Editor) -> None:
    mouse, prop = ViewMouse(editor), added(editor)
    start = mouse.place(gizmo_of(editor).position)
    mouse.drag(start, QPoint(20, -10), QPoint(60, -35), release=False)
    QTest.keyClick(editor.window, KEY.Key_X)
    gone = the_prop(editor).place - prop.place
    assert abs(gone[0]) > 0.01
    assert gone[1:] == pytest.approx([0, 0], abs=1e-6)
    mouse.move(start + QPoint(61, -35), HELD.ControlModifier)
    gone = the_prop(editor).place - prop.place
    assert gone[0] / 0.05 == pytest.approx(round(gone[0] / 0.05), abs=1e-3)
    mouse.release(start + QPoint(61, -35))
    strike(editor, KEY.Key_S)
    start = mouse.place(gizmo_of(editor).position)
    mouse.drag(start, QPoint(20, -10), QPoint(60, -35), release=False)
    QTest.keyClick(editor.window, KEY.Key_Y, HELD.ShiftModifier)
    size = the_prop(editor).size
    assert size[1] == prop.size[1]
    assert size[0] > prop.size[0]
    mouse.move(start + QPoint(62, -35), HELD.ControlModifier)
    assert the_prop(editor).size[0] / 0.05 == pytest.approx(round(the_prop(editor).size[0] / 0.05), abs=1e-3)
    mouse.release(start + QPoint(62, -35))


@pytest.mark.slow
def test_keys_copy_nudge_ground_and_delete_it(editor: Editor) -> None:
    session, prop = editor.session, added(editor, "chair")
    editor.refresh()
    assert editor.actions["edit.delete"].text() == "Delete Chair"
    assert editor.actions["pose.duplicate"].text() == "Duplicate Chair"
    strike(editor, KEY.Key_D, HELD.ControlModifier)
    copy = the_prop(editor)
    assert (copy.name, session.view.prop) == ("Chair 2", copy.id)
    assert len(session.document.characters) == 1
    right = editor.viewport.camera.rotation[:, 0]
    strike(editor, KEY.Key_Right)
    strike(editor, KEY.Key_Right)
    assert the_prop(editor).place - copy.place == pytest.approx(2 * STEP * right, abs=1e-6)
    assert steps(editor)[-2:] == ("Duplicate as Chair 2", "Move Chair 2"), "a run of presses is one step"
    until(lambda: not session.in_step)
    session.edit("Up", edits.move_prop(copy.id, [0, 0.4, 0]))
    strike(editor, KEY.Key_End)
    assert the_prop(editor).corners[:, 1].min() == pytest.approx(0.0, abs=1e-5)
    strike(editor, KEY.Key_Delete)
    assert [p.id for p in session.document.props] == [prop.id]
    assert session.view.prop == ""
    assert len(session.document.characters) == 1
    editor.refresh()
    assert editor.actions["edit.delete"].text() == "Delete effectors"
    strike(editor, KEY.Key_Delete)
    assert len(session.document.characters) == 1, "people go by another key"
    session.undo()
    assert the_prop(editor).id == copy.id


def add_box_at(editor: Editor, place: QPoint) -> list[str]:
    """Point there, ask for a prop and take the first one; what it was called in the menu."""
    QTest.mouseMove(editor.viewport, place)
    QCursor.setPos(editor.viewport.mapToGlobal(place))
    chosen: list[str] = []

    def choose(menu: QMenu) -> None:
        chosen.append(unmarked(menu.actions()[0].text()))
        QTest.keyClick(menu, KEY.Key_Down)
        QTest.keyClick(menu, KEY.Key_Return)

    answer_once_shown(QMenu, choose)
    strike(editor, KEY.Key_A, HELD.ControlModifier | HELD.AltModifier)
    return chosen


def test_a_prop_at_the_pointer_stands_on_the_floor_there(editor: Editor) -> None:
    place = ViewMouse(editor).place((0.7, 0.0, 0.0))
    assert editor.viewport.rect().contains(place)
    assert add_box_at(editor, place) == ["Add a box"]
    assert the_prop(editor).place == pytest.approx([0.7, 0.0, 0.0], abs=0.03)


def test_a_prop_at_the_pointer_over_a_person_stands_beside_them(editor: Editor) -> None:
    add_box_at(editor, ViewMouse(editor).place(active(editor).pose.root_position))
    assert 0.2 < np.linalg.norm(the_prop(editor).place) < 1.0, "not where the floor behind them is seen"


def test_where_a_view_looks_is_where_something_is_added() -> None:
    assert floor_ahead(OrbitCamera(target=(1.0, 0.9, -2.0))) == pytest.approx([1.0, 0.0, -2.0])
    tilt = np.array([[1, 0, 0], [0, 0.8, 0.6], [0, -0.6, 0.8]], np.float32)
    lens = PinholeCamera(np.float32([0, 1.5, 4.0]), tilt, 900.0, (400.0, 300.0), (800, 600))
    assert floor_ahead(PhotoView(lens)) == pytest.approx([0.0, 0.0, 2.0], abs=1e-5)
    level = PinholeCamera(np.float32([0, 1.5, 4.0]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
    assert floor_ahead(PhotoView(level)) == pytest.approx([0.0, 0.0, 1.0], abs=1e-5), "no floor there: ahead"


def test_what_is_put_near_the_horizon_or_in_the_sky_is_not_far_away() -> None:
    view = View(OrbitCamera(), 600, 640)
    places = np.array([floor_under(view, (300, y)) for y in range(640, 0, -8)])
    away = np.linalg.norm((places - view.camera.eye)[:, [0, 2]], axis=1)
    under = np.array([floor_under(view, (300, y)) for y in (600, 560, 480)])
    assert view.project(under)[:, 1] == pytest.approx([600, 560, 480], abs=0.1), "near by it is under the pointer"
    assert away.max() == pytest.approx(2.0 * OrbitCamera().distance)
    assert (np.diff(away) > -1e-6).all(), "it goes away as the pointer goes up, without a jump"
    side = View(OrbitCamera(yaw=np.pi / 2, pitch=0.0, orthographic=True), 600, 640)
    assert floor_under(side, (300, 320)) == pytest.approx([0.0, 0.0, 0.0], abs=1e-6), "as far as what is turned about"


def test_the_view_fits_the_selected_prop_and_everything(editor: Editor) -> None:
    prop = added(editor, "box", (4.0, 0.0, 0.0))
    view = editor.viewport.current_view
    pixels = view.project(prop.corners)
    assert (pixels >= 0).all()
    assert (pixels <= (view.width, view.height)).all()
    editor.session_view.frame_selected()
    near = editor.viewport.final_view
    assert np.linalg.norm(near.camera.target - prop.middle) < 0.2
    around = near.project(prop.middle + 0.4 * np.vstack([np.eye(3), -np.eye(3)]) * prop.size)
    assert (around >= 0).all()
    shown(editor)
    place = editor.viewport.current_view.project(prop.frame.points((0, 0, 0)))
    assert floor_under(editor.viewport.current_view, tuple(place)) == pytest.approx([4, 0, 0], abs=0.02)


def test_for_a_selected_prop_the_commands_that_it_has_no_use_for_are_grey(editor: Editor) -> None:
    added(editor)
    editor.refresh()
    kinds = ("move", "rotate", "look", "hold")
    assert [editor.actions[f"pose.{kind}"].isEnabled() for kind in kinds] == [True, True, False, False]
    strike(editor, KEY.Key_R)
    assert editor.session.view.prop_tool == "turn"


def test_the_key_that_adds_a_prop_works_in_number_fields_but_leaves_letters_to_text_fields(editor: Editor) -> None:
    asked: list[str] = []

    def look(menu: QMenu) -> None:
        asked.append(unmarked(menu.actions()[0].text()))
        menu.close()

    activated(editor.window)
    field = editor.panels.effectors.rows[2].tolerance
    field.setFocus()
    answer_once_shown(QMenu, look)
    typed(field, "")
    assert asked == ["Add a box"]
    QTest.keyClick(field, Qt.Key.Key_Return)
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    line.clear()
    typed(line, "ą")
    assert line.text() == "ą", "AltGr+A on a Polish keyboard, which Windows calls Ctrl+Alt+A"
    assert asked == ["Add a box"]


def typed(widget: QWidget, text: str) -> None:
    """Strike Ctrl+Alt+A, which gives this text."""
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.sendKeyEvent(QTest.KeyAction.Click, widget, Qt.Key.Key_A, text, both)
