"""Whole people who hold on to something are moved: their contacts hold on or are let go of, as one chooses."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import hand_on_a_box, palm
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, strike, until, written

from app.dialogs.settings_dialog import SettingsDialog
from app.document import edits
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.posing.placing import lowest_skin
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from scripts.drags.contact_depths import Hold, before, sits, solved
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource, PropSource

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
AWAY = QPoint(-20, 4)


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def cross(mouse: ViewMouse) -> QPoint:
    """A pixel on the cross on the floor."""
    mouse.editor.session_view.refresh()
    root = mouse.view.scene.root
    assert root is not None
    return mouse.place(np.asarray(root.position) + [0.0, 0.0, 0.3])


def let_be(editor: Editor) -> None:
    """Nothing is selected, and all of the person is in the view."""
    editor.session.select(active(editor).id)
    editor.viewport.set_camera(OrbitCamera(target=(0.2, 0.8, 0.1), distance=6.0, yaw=0.4, pitch=0.35))
    editor.refresh()


@pytest.fixture
def on_a_box(editor: Editor) -> Contact:
    """A person with the left hand on a box; that contact."""
    hand_on_a_box(editor)
    (held,) = contacts(editor)
    assert isinstance(held.source, PropSource)
    let_be(editor)
    return held


@pytest.mark.slow
def test_a_hand_stays_on_a_box_while_the_person_is_moved_and_undo_brings_both_back(
    editor: Editor, on_a_box: Contact, hints: list[str]
) -> None:
    session, before, mouse = editor.session, editor.session.document, ViewMouse(editor)
    start, steps = cross(mouse), len(session.history.steps())
    root, at = active(editor).pose.root_position, palm(editor)
    mouse.drag(start, QPoint(-8, 2), AWAY / 2, AWAY, release=False)
    assert "holds on to the contact, C lets go" in hints[-1]
    mouse.release(start + AWAY)
    settled(session)
    (held,) = contacts(editor)
    assert held.source == on_a_box.source
    assert np.linalg.norm(active(editor).pose.root_position - root) > 0.05
    assert session.finding.residuals[active(editor).effectors.index(held)].state == "met"
    assert palm(editor) == pytest.approx(at, abs=0.015), "it is where it was on the box"
    assert len(session.history.steps()) == steps + 1
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before


@pytest.mark.slow
def test_a_copy_stands_beside_and_is_not_drawn_to_what_the_original_holds(editor: Editor, on_a_box: Contact) -> None:
    session, first = editor.session, active(editor)
    strike(editor, KEY.Key_D, HELD.ControlModifier)
    settled(session)
    copy = active(editor)
    assert copy.id != first.id
    (held,) = contacts(editor)
    assert (held.source, session.document.character(first.id).effectors) == (None, first.effectors)
    at = palm(editor)
    wrist = next(e for e in copy.effectors if e.joint == "right_wrist")
    editor.refresh()
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(wrist.target), QPoint(-5, -10), QPoint(-10, -30))
    settled(session)
    assert palm(editor) == pytest.approx(at, abs=0.01)


@pytest.mark.slow
def test_c_lets_go_during_the_drag_and_holds_on_again(editor: Editor, on_a_box: Contact, hints: list[str]) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    start, at, root = cross(mouse), palm(editor), active(editor).pose.root_position
    mouse.drag(start, QPoint(-8, 2), AWAY, release=False)
    curves = editor.settings.values.curves
    QTest.keyClick(editor.viewport, KEY.Key_C)
    assert not contacts(editor)
    assert "lets go of the contact, C holds on" in hints[-1]
    QTest.keyClick(editor.viewport, KEY.Key_C)
    assert contacts(editor)
    QTest.keyClick(editor.viewport, KEY.Key_C)
    mouse.release(start + AWAY)
    settled(session)
    assert editor.settings.values.curves is curves, "the key was the drag's"
    assert not contacts(editor)
    free = active(editor).effector(on_a_box.id)
    assert isinstance(free, Position)
    gone = active(editor).pose.root_position - root
    assert palm(editor) - at == pytest.approx(gone, abs=1e-4), "the person moved as one"
    assert editor.settings.values.moved_contacts == "hold", "it was for this drag"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert contacts(editor) == [on_a_box]


def test_the_setting_lets_go_at_once_also_for_the_arrow_keys(editor: Editor, on_a_box: Contact) -> None:
    dialog = SettingsDialog(editor.settings, editor.window)
    box = dialog.boxes["moved_contacts"]
    dialog.show()
    box.setFocus()
    QTest.keyClick(box, KEY.Key_Down)
    box.activated.emit(box.currentIndex())
    dialog.close()
    assert editor.settings.values.moved_contacts == "go"
    strike(editor, KEY.Key_Left, HELD.ShiftModifier)
    settled(editor.session)
    assert not contacts(editor)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    editor.settings.set(moved_contacts="hold")
    touches = patches_of(active(editor))[on_a_box.patch]
    at, root = place_of_patch(active(editor), touches), active(editor).pose.root_position
    strike(editor, KEY.Key_Left)
    settled(editor.session)
    assert contacts(editor)
    assert np.linalg.norm(active(editor).pose.root_position - root) > 0.003
    assert place_of_patch(active(editor), touches) == pytest.approx(at, abs=0.001)


def test_a_hand_that_a_key_or_a_number_takes_off_the_box_is_named(editor: Editor, on_a_box: Contact) -> None:
    notices, field = editor.window.status.notices, editor.panels.target.places[1]
    editor.session.select(active(editor).id, [on_a_box.id])
    strike(editor, KEY.Key_Up)
    assert notices.shown == "Left knuckles: no longer on Box."
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert notices.shown == ""
    assert contacts(editor) == [on_a_box]
    editor.refresh()
    until(field.isVisible)
    QTest.keyClick(field, KEY.Key_Right)
    assert contacts(editor)[0].source is None
    assert notices.shown == "Left knuckles: no longer on Box."
    settled(editor.session)


@pytest.mark.slow
def test_a_palm_on_the_floor_slides_along_and_stays_there_when_the_person_rises_or_is_let_go(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    id = next(e.id for e in active(editor).effectors if e.joint == "left_wrist")
    session.select(active(editor).id, [id])
    editor.refresh()
    editor.actions["contact.floor"].trigger()
    settled(session)
    let_be(editor)
    (held,) = contacts(editor)
    assert isinstance(held.source, FloorSource)
    start, up = cross(mouse), QPoint(0, -12)
    mouse.drag(start, QPoint(0, -4), up, keys=HELD.ShiftModifier)
    settled(session)
    (held,) = contacts(editor)
    assert palm(editor)[1] == pytest.approx(0.0, abs=0.01)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    editor.settings.set(moved_contacts="go")
    mouse.drag(start, QPoint(-4, 0), QPoint(-30, 2))
    settled(session)
    assert contacts(editor), "on the floor it can be moved about"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    low = palm(editor)[1]
    mouse.drag(start, QPoint(0, -4), up, keys=HELD.ShiftModifier)
    settled(session)
    assert not contacts(editor)
    assert palm(editor)[1] > low + 0.03


def test_the_hand_stays_on_the_box_when_the_person_is_set_on_the_floor_or_turned(
    editor: Editor, on_a_box: Contact
) -> None:
    session = editor.session
    at = palm(editor)
    session.edit("Up", edits.move_character(active(editor).id, (0.0, 0.06, 0.0)))
    assert lowest_skin(active(editor)) > 0.03
    strike(editor, KEY.Key_End)
    settled(session)
    assert lowest_skin(active(editor)) == pytest.approx(0.0, abs=0.01)
    assert palm(editor) == pytest.approx(at, abs=0.015)
    before = active(editor).pose.rotations[0]
    strike(editor, KEY.Key_PageUp, HELD.ControlModifier)
    settled(session)
    assert np.abs(active(editor).pose.rotations[0] - before).max() > 0.02
    assert palm(editor) == pytest.approx(at, abs=0.015)
    assert session.history.steps()[-2:] == ("Set on the floor", "Turn Person 1")


@pytest.mark.slow
def test_two_people_holding_hands_part_or_stretch_and_move_as_a_group_undisturbed(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    first = active(editor).id
    editor.posing.add_person()
    settled(session)
    other = active(editor).id
    editor.refresh()
    editor.actions["contact.hands"].trigger()
    settled(session)
    let_be(editor)

    def ties() -> int:
        return sum(isinstance(e, Contact) for c in session.document.characters for e in c.effectors)

    assert ties() == 2
    editor.settings.set(moved_contacts="go")
    start = cross(mouse)
    mouse.drag(start, QPoint(4, 1), QPoint(30, 4))
    settled(session)
    assert ties() == 0, "neither holds on"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert ties() == 2
    session.set_view(others=frozenset([first]))
    poses = {c.id: c.pose for c in session.document.characters}
    mouse.drag(cross(mouse), QPoint(4, 1), QPoint(30, 4))
    settled(session)
    assert ties() == 2, "who moves with them is held on to"
    gone = {c.id: c.pose.root_position - poses[c.id].root_position for c in session.document.characters}
    assert gone[first] == pytest.approx(gone[other], abs=1e-4)
    assert all(np.allclose(c.pose.rotations, poses[c.id].rotations, atol=1e-6) for c in session.document.characters)


@pytest.mark.slow
def test_who_slides_along_a_box_keeps_the_seat_though_contacts_let_go_and_leaves_it_beside_the_box(
    editor: Editor,
) -> None:
    document, _, _ = solved(sits(before(Hold(()), "neutral", "smplik")), {})
    editor.session.open(document)
    editor.settings.set(moved_contacts="go")
    until(editor.panels.target.person.isVisible)
    (seat,) = contacts(editor)
    across = editor.panels.target.person.places[0]
    written(editor, across, "12")
    settled(editor.session)
    (slid,) = contacts(editor)
    assert isinstance(slid.source, PropSource)
    assert slid.target - seat.target == pytest.approx([0.12, 0.0, 0.0], abs=1e-4)
    assert active(editor).pose.root_position[0] == pytest.approx(0.12, abs=1e-3)
    written(editor, across, "60")
    assert contacts(editor) == []
