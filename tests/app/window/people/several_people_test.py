"""Several people selected: by Shift-clicks in the view and in the list; they move, turn and go together."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, strike, until

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of
from app.document.posing.mirroring import heading
from app.viewport.camera.framing import is_wholly_in_view
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.scene.values import RootHandle
from rendering.shapes.root_handle import arrows, ring

pytestmark = pytest.mark.gl
HELD = Qt.KeyboardModifier
KEY = Qt.Key


@pytest.fixture
def crowd(editor: Editor) -> Editor:
    """Three people; the third was added last and is active."""
    for _ in range(2):
        editor.posing.add_person()
        settled(editor.session)
    editor.session_view.frame_all(glide=False)
    return editor


def people(editor: Editor) -> tuple[Character, ...]:
    return editor.session.document.characters


def chosen(editor: Editor) -> set[str]:
    return {editor.session.view.character, *editor.session.view.others}


def chest(editor: Editor, character: Character) -> QPoint:
    return ViewMouse(editor).place(joints_of(character).positions[9])


def roots(editor: Editor) -> np.ndarray:
    return np.array([c.pose.root_position for c in people(editor)], np.float64)


def cross(editor: Editor) -> QPoint:
    root = editor.viewport.scene.root
    assert root is not None
    return on_cross(editor, root)


def on_cross(editor: Editor, root: RootHandle) -> QPoint:
    """A pixel on a root handle's left arrow, which no foot hides."""
    return ViewMouse(editor).place(arrows(root, editor.viewport.current_view)[1].mean(axis=0))


@pytest.mark.slow
def test_the_key_for_framing_shows_all_who_are_selected(crowd: Editor) -> None:
    mouse, (_, two, three) = ViewMouse(crowd), people(crowd)
    strike(crowd, KEY.Key_F)
    until(lambda: not is_wholly_in_view(crowd.viewport.current_view, two))
    near = crowd.viewport.final_view.camera
    assert isinstance(near, OrbitCamera)
    crowd.session_view.frame_all(glide=False)
    mouse.click(chest(crowd, two), HELD.ShiftModifier)
    strike(crowd, KEY.Key_F)
    seen = crowd.viewport.final_view
    assert all(is_wholly_in_view(seen, each) for each in (two, three))
    assert isinstance(seen.camera, OrbitCamera)
    assert 1.05 * near.distance < seen.camera.distance < 4 * near.distance


@pytest.mark.slow
def test_a_shift_click_on_a_body_adds_it_and_another_one_takes_it_away(crowd: Editor) -> None:
    mouse, (one, two, three) = ViewMouse(crowd), people(crowd)
    mouse.click(chest(crowd, one), HELD.ShiftModifier)
    assert chosen(crowd) == {one.id, three.id}
    assert active(crowd).id == one.id, "who was added last leads"
    assert {f.id for f in crowd.viewport.scene.figures if f.selected} == {one.id, three.id}
    assert [id for id, _ in crowd.viewport.scene.roots] == [three.id]
    mouse.click(chest(crowd, two), HELD.ControlModifier)
    assert chosen(crowd) == {one.id, two.id, three.id}
    mouse.click(chest(crowd, three), HELD.ShiftModifier)
    assert chosen(crowd) == {one.id, two.id}
    mouse.click(chest(crowd, three))
    assert chosen(crowd) == {three.id}
    mouse.click(chest(crowd, one), HELD.ShiftModifier)
    mouse.click(QPoint(8, 200))
    assert chosen(crowd) == {one.id}, "a click beside everybody leaves the active one"


def test_the_list_takes_ctrl_for_one_and_shift_for_all_between(crowd: Editor) -> None:
    rows, (one, two, three) = crowd.panels.people.rows, people(crowd)

    def click(row: int, keys: Qt.KeyboardModifier = HELD.NoModifier) -> None:
        QTest.mouseClick(rows[row], Qt.MouseButton.LeftButton, keys, QPoint(60, 16))
        crowd.refresh()

    click(0)
    click(2, HELD.ShiftModifier)
    assert chosen(crowd) == {one.id, two.id, three.id}
    assert active(crowd).id == one.id
    assert [(r.property("selected"), r.property("also")) for r in rows] == [(True, False), (False, True), (False, True)]
    click(1, HELD.ControlModifier)
    assert chosen(crowd) == {one.id, three.id}
    click(0, HELD.ControlModifier)
    assert active(crowd).id == three.id, "somebody else leads"
    click(2, HELD.ControlModifier)
    assert chosen(crowd) == {three.id}, "somebody is always selected"


@pytest.mark.slow
def test_the_cross_of_one_moves_all_in_one_step_and_targets_go_along(crowd: Editor) -> None:
    session, mouse = crowd.session, ViewMouse(crowd)
    strike(crowd, KEY.Key_A, HELD.ControlModifier | HELD.ShiftModifier)
    assert len(chosen(crowd)) == 3
    before, old = people(crowd), roots(crowd)
    document, steps = session.document, len(session.history.steps())
    start = cross(crowd)
    mouse.hover(start)
    assert crowd.hover_label.text().startswith("Person 3 and 2 others: move over the floor")
    mouse.drag(start, QPoint(6, 2), QPoint(30, 5), QPoint(60, 8))
    moved = roots(crowd) - old
    assert moved == pytest.approx(np.tile(moved[0], (3, 1)), abs=1e-5)
    assert np.linalg.norm(moved[0]) > 0.1
    for one, other in zip(before, people(crowd), strict=True):
        assert other.effectors[0].target - one.effectors[0].target == pytest.approx(moved[0], abs=1e-5)
    assert session.history.steps()[steps:] == ("Move 3 people",)
    assert len(chosen(crowd)) == 3
    session.undo()
    assert session.document == document


@pytest.mark.slow
def test_the_ring_turns_them_about_their_middle(crowd: Editor) -> None:
    mouse = ViewMouse(crowd)
    strike(crowd, KEY.Key_A, HELD.ControlModifier | HELD.ShiftModifier)
    old, before = roots(crowd), people(crowd)
    assert crowd.viewport.scene.root is not None
    circle = ring(crowd.viewport.scene.root, mouse.view.current_view)
    start = mouse.place(circle[8])
    mouse.drag(start, QPoint(6, -2), QPoint(12, -4), release=False)
    QTest.keyClicks(crowd.viewport, "90")
    mouse.release(start)
    new, middle = roots(crowd), old.mean(axis=0)
    quarter = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], np.float64)
    assert new[:, [0, 2]] == pytest.approx(((old - middle) @ quarter.T + middle)[:, [0, 2]], abs=1e-4)
    for one, other in zip(before, people(crowd), strict=True):
        turned = np.degrees(heading(other.pose.rotations[0]) - heading(one.pose.rotations[0]))
        assert turned == pytest.approx(90, abs=1e-3)


@pytest.mark.slow
def test_the_handle_of_another_selected_one_leads_the_same_group(crowd: Editor) -> None:
    mouse, (one, _, three) = ViewMouse(crowd), people(crowd)
    crowd.session.select(three.id)
    mouse.click(chest(crowd, one), HELD.ShiftModifier)
    ((id, root),) = crowd.viewport.scene.roots
    assert id == three.id
    old, place = roots(crowd), on_cross(crowd, root)
    mouse.hover(place)
    assert crowd.hover_label.text().startswith(three.name)
    assert crowd.viewport.scene.roots[0][1].hovered == "move"
    mouse.drag(place, QPoint(-8, 0), QPoint(-40, 2))
    moved = roots(crowd) - old
    assert moved[0] == pytest.approx(moved[2], abs=1e-5)
    assert moved[1] == pytest.approx([0, 0, 0], abs=1e-9)
    assert active(crowd).id == three.id
    mouse.click(on_cross(crowd, crowd.viewport.scene.roots[0][1]))
    assert active(crowd).id == one.id
    assert chosen(crowd) == {one.id, three.id}


@pytest.mark.slow
def test_arrow_keys_end_and_delete_mean_all_of_them_but_nothing_moves_the_locked(crowd: Editor) -> None:
    session, mouse = crowd.session, ViewMouse(crowd)
    strike(crowd, KEY.Key_A, HELD.ControlModifier | HELD.ShiftModifier)
    old = roots(crowd)
    strike(crowd, KEY.Key_Up, HELD.ShiftModifier)
    moved = roots(crowd) - old
    assert moved == pytest.approx(np.tile(moved[0], (3, 1)), abs=1e-6)
    assert session.history.steps()[-1] == "Move 3 people"
    strike(crowd, KEY.Key_End)
    assert roots(crowd)[:, 1] == pytest.approx(old[:, 1], abs=2e-3)
    assert session.history.steps()[-1] == "Set on the floor"
    other = next(c.id for c in people(crowd) if c.id in session.view.others)
    session.edit("Lock", edits.set_locked(other, True))
    old, index = roots(crowd), [c.id for c in people(crowd)].index(other)
    mouse.drag(cross(crowd), QPoint(6, 2), QPoint(40, 4))
    assert (roots(crowd) - old)[index] == pytest.approx([0, 0, 0], abs=1e-9)
    assert session.history.steps()[-1] == "Move 2 people"
    old = roots(crowd)
    strike(crowd, KEY.Key_Up, HELD.ShiftModifier)
    assert session.history.steps()[-1] == "Move 2 people"
    strike(crowd, KEY.Key_End)
    assert (roots(crowd) - old)[index] == pytest.approx([0, 0, 0], abs=1e-9)
    strike(crowd, KEY.Key_Delete, HELD.ControlModifier)
    assert people(crowd) == ()
    assert session.history.steps()[-1] == "Delete 3 people"
    session.undo()
    assert len(people(crowd)) == 3


def test_a_deleted_person_is_not_selected_and_another_one_leads(crowd: Editor) -> None:
    session, (one, two, three) = crowd.session, people(crowd)
    session.select(three.id)
    session.set_view(others=frozenset({one.id, two.id}))
    session.edit("Delete", edits.remove_character(two.id))
    assert chosen(crowd) == {one.id, three.id}
    session.edit("Delete", edits.remove_character(three.id))
    assert session.view.character == one.id
    assert session.view.others == frozenset()
