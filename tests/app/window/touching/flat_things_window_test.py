"""Flat things in the window: taken with the snap key, carried, stopped, put down from the handle's menu, at the ear."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from window_driver import ViewMouse, active, place_of, settled, strike, until, written

from app.document import edits
from app.document.posing.brought.to_read import eyes_at
from app.look.mnemonics import unmarked
from app.panels.effector_menu import effector_menu
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact

pytestmark = pytest.mark.gl
PHONE, PLACE = (0.075, 0.009, 0.15), (0.25, 1.0, 0.35)
CAMERA = OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.5, distance=2.2)


@pytest.fixture
def phone(editor: Editor) -> str:
    """The id of a telephone that was taken by the left hand."""
    who = active(editor).id
    made = added(editor, "box", PLACE)
    editor.session.edit("Flat", edits.set_prop_size(made.id, PHONE))
    editor.session.select(who)
    seen(editor)
    dragged_with_s(editor, place_of(editor, "left_wrist"), editor.session.document.prop(made.id).middle)
    assert hand(editor).patch == "left_thumb_and_fingers"
    return made.id


def seen(editor: Editor, camera: OrbitCamera = CAMERA) -> None:
    editor.viewport.set_camera(camera)
    editor.refresh()


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def hand(editor: Editor) -> Contact:
    (contact,) = (e for e in contacts(editor) if e.around)
    return contact


def where(editor: Editor, id: str) -> np.ndarray:
    return editor.session.document.prop(id).middle


def at_the_ear(editor: Editor) -> None:
    editor.actions["contact.ear"].trigger()
    settled(editor.session)
    assert {e.patch for e in contacts(editor)} == {"left_thumb_and_fingers", "left_ear"}


def test_it_is_held_to_read_from_the_menu_in_one_step(editor: Editor, phone: str) -> None:
    before, steps = where(editor, phone), len(editor.session.history.steps())
    menu = next(action.menu() for action in editor.window.menuBar().actions() if unmarked(action.text()) == "Contact")
    assert editor.actions["contact.read"] in menu.actions()
    editor.actions["contact.read"].trigger()
    settled(editor.session)
    eyes, _ = eyes_at(active(editor))
    assert 0.33 < np.linalg.norm(where(editor, phone) - eyes) < 0.45
    assert len(editor.session.history.steps()) == steps + 1
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(editor.session)
    assert np.array_equal(where(editor, phone), before)


def test_a_book_does_not_go_to_the_ear_and_the_window_says_so(editor: Editor, phone: str) -> None:
    editor.session.edit("Large", edits.set_prop_size(phone, (0.15, 0.009, 0.21)), solve=True)
    settled(editor.session)
    said, before = list[str](), where(editor, phone)
    editor.session.refused.disconnect(editor.user_messages.refuse)  # its box would wait for an answer
    editor.session.refused.connect(said.append)
    editor.actions["contact.ear"].trigger()
    settled(editor.session)
    assert np.array_equal(where(editor, phone), before)
    assert any("too large to be held to an ear" in text for text in said)


def wall_beside(editor: Editor, x: float) -> None:
    who, chosen = active(editor).id, editor.session.view.effectors
    wall = added(editor, "box", (x, 0.7, 0.35))
    editor.session.edit("Thin", edits.set_prop_size(wall.id, (0.02, 0.6, 0.6)))
    editor.session.select(who, chosen)
    seen(editor)


def test_a_telephone_taken_with_the_snap_key_goes_along_with_the_hand(editor: Editor, phone: str) -> None:
    before, mouse = where(editor, phone), ViewMouse(editor)
    mouse.drag(mouse.place(hand(editor).target), QPoint(4, -6), QPoint(10, -60))
    settled(editor.session)
    assert where(editor, phone)[1] > before[1] + 0.05
    off = zip(active(editor).effectors, editor.session.finding.residuals, strict=True)
    assert all(residual.value < 1e-3 for effector, residual in off if isinstance(effector, Contact))


def test_by_the_arrow_keys_it_stops_at_a_wall(editor: Editor, phone: str) -> None:
    editor.session.select(active(editor).id, [hand(editor).id])
    seen(editor, OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.0, pitch=0.2, distance=2.2))
    wall_beside(editor, 0.5)
    seen(editor, OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.0, pitch=0.2, distance=2.2))
    for _ in range(4):
        strike(editor, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        settled(editor.session)
    assert 0.4 < where(editor, phone)[0] < 0.49 - PHONE[0] / 2 + 0.003


@pytest.mark.slow
def test_a_number_typed_for_the_hand_takes_it_as_far_as_the_wall(editor: Editor, phone: str) -> None:
    editor.session.select(active(editor).id, [hand(editor).id])
    wall_beside(editor, 0.5)
    until(editor.panels.target.places[0].isVisible)
    written(editor, editor.panels.target.places[0], "90")
    settled(editor.session)
    assert 0.4 < where(editor, phone)[0] < 0.49 - PHONE[0] / 2 + 0.003


@pytest.mark.slow
def test_a_book_on_a_table_is_tipped_up_by_the_hand_that_takes_it_and_lies_again_once_undone(
    editor: Editor,
) -> None:
    who = active(editor).id
    table = added(editor, "table", (0.25, 0.0, 0.62))
    book = added(editor, "box", (0.25, 0.74, 0.45))
    editor.session.edit("Flat", edits.set_prop_size(book.id, (0.15, 0.03, 0.21)))
    editor.session.select(who)
    seen(editor)
    lies = editor.session.document.prop(book.id)
    assert lies.place[1] == pytest.approx(float(table.corners[:, 1].max()), abs=1e-3)
    near = lies.frame.points((0.0, 1.0, -0.45))
    dragged_with_s(editor, place_of(editor, "left_wrist"), near)
    taken = editor.session.document.prop(book.id)
    assert hand(editor).patch == "left_thumb_and_fingers"
    assert taken.turn[1, 1] < np.cos(np.radians(3))
    assert taken.frame.points((0.0, 0.5, -0.5))[1] > lies.frame.points((0.0, 0.5, -0.5))[1] + 0.015
    residuals = zip(active(editor).effectors, editor.session.finding.residuals, strict=True)
    assert all(left.value < 2e-3 for effector, left in residuals if isinstance(effector, Contact))
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.document.prop(book.id) == lies


@pytest.mark.slow
def test_the_menu_of_the_handle_puts_it_down(editor: Editor, phone: str) -> None:
    who = active(editor).id
    added(editor, "table", (0.25, 0.0, 0.5))
    editor.session.select(who)
    menu = QMenu()
    effector_menu(menu, editor.session, hand(editor).id)
    (put,) = (action for action in menu.actions() if unmarked(action.text()) == "Put down")
    put.trigger()
    settled(editor.session)
    assert editor.session.document.prop(phone).place[1] == pytest.approx(0.74, abs=2e-3)
    assert not any(e.around for e in contacts(editor))


def test_a_hand_that_holds_nothing_has_no_such_entry(editor: Editor, phone: str) -> None:
    menu = QMenu()
    effector_menu(menu, editor.session, next(e.id for e in active(editor).effectors if e.joint == "right_wrist"))
    assert "Put down" not in [unmarked(action.text()) for action in menu.actions()]


def test_the_ear_leaves_a_telephone_whose_hand_is_switched_off_or_loose(editor: Editor, phone: str) -> None:
    for change in (
        edits.set_enabled(active(editor).id, hand(editor).id, False),
        edits.make_loose(active(editor).id, [hand(editor).id]),
    ):
        at_the_ear(editor)
        editor.session.edit("Off", change, solve=True)
        settled(editor.session)
        assert "left_ear" not in {e.patch for e in contacts(editor)}
        strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.slow
def test_the_snap_key_on_the_hand_at_a_telephone_does_not_take_it_to_the_face(editor: Editor, phone: str) -> None:
    at_the_ear(editor)
    seen(editor, OrbitCamera(target=(0.1, 1.5, 0.1), yaw=1.2, pitch=0.1, distance=1.2))
    before = where(editor, phone)
    dragged_with_s(editor, hand(editor).target, hand(editor).target)
    assert hand(editor).patch == "left_thumb_and_fingers"
    assert np.linalg.norm(where(editor, phone) - before) < 0.05


def test_one_that_is_made_wider_than_the_hand_opens_is_said_to_be_until_it_is_narrower(
    editor: Editor, phone: str
) -> None:
    def told(width_cm: str) -> tuple[str, str]:
        editor.session.set_view(prop=phone)
        editor.refresh()
        panel = editor.panels.prop_fields.panel
        assert panel is not None
        written(editor, panel.sizes[0], width_cm)
        settled(editor.session)
        editor.refresh()
        editor.session.select(active(editor).id)
        editor.refresh()
        row = editor.panels.effectors.rows[active(editor).effectors.index(hand(editor))]
        return row.detail.text(), row.toolTip()

    assert told("8")[0] not in ("Too wide", "Missed")
    word, tip = told("14")
    assert word == "Too wide"
    assert "wider than the hand opens" in tip
    assert "wider than the hand opens" in editor.window.status.facts["worst"].text()
    assert told("8")[0] not in ("Too wide", "Missed")
