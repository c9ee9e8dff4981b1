"""*Put down* in the window: from menu, search and keys, in one undo step, refused with a reason, and in a motion."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse
from window_driver import ViewMouse, activated, active, answer_once_shown, laid_out, place_of, settled, strike, until

from app.dialogs import messages
from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact

pytestmark = pytest.mark.gl
CUP, TABLE = (0.25, 0.85, 0.35), (0.25, 0.0, 0.55)
CAMERA = OrbitCamera(target=(0.2, 0.9, 0.2), yaw=0.5, pitch=0.4, distance=2.6)
LAST = 20


@pytest.fixture
def cup(editor: Editor) -> str:
    """The id of a cup that was taken by the left hand; a table is beneath."""
    who = active(editor).id
    made = added(editor, "cup", CUP)
    editor.session.select(who)
    editor.viewport.set_camera(CAMERA)
    editor.refresh()
    dragged_with_s(editor, place_of(editor, "left_wrist"), made.middle)
    assert [e.around for e in contacts(editor)] == [True]
    table = added(editor, "table", TABLE)
    assert table.kind == "table"
    editor.session.select(who)
    editor.viewport.set_camera(CAMERA)
    editor.refresh()
    return made.id


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


def prop(editor: Editor, id: str) -> Prop:
    return editor.session.document.prop(id)


def stands_on_table(editor: Editor, id: str) -> bool:
    return bool(abs(float(prop(editor, id).place[1]) - 0.74) < 2e-3)


def test_typed_into_the_search_it_stands_the_cup_on_the_table_in_one_step(editor: Editor, cup: str) -> None:
    session = editor.session
    before, steps = session.document, len(session.history.steps())

    def type_in(search: CommandSearch) -> None:
        QTest.keyClicks(search.field, "set down")
        QTest.keyClick(search.field, Qt.Key.Key_Return)

    answer_once_shown(CommandSearch, type_in)
    strike(editor, Qt.Key.Key_Slash)
    until(lambda: stands_on_table(editor, cup))
    settled(session)
    assert not contacts(editor)
    assert len(session.history.steps()) == steps + 1
    assert session.history.steps()[-1] == "Put down Cup"
    assert max(r.value for r in session.finding.residuals) < 2e-3
    hand = place_of(editor, "left_wrist")
    assert float(np.linalg.norm(hand - prop(editor, cup).middle)) < 0.2
    activated(editor.window)
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document.props == before.props
    assert [e.around for e in contacts(editor)] == [True]


def test_a_hand_that_is_dragged_away_leaves_the_cup_where_it_stands(editor: Editor, cup: str) -> None:
    editor.actions["contact.put_down"].trigger()
    settled(editor.session)
    editor.refresh()
    there, mouse = prop(editor, cup), ViewMouse(editor)
    wrist = place_of(editor, "left_wrist")
    mouse.drag(mouse.place(wrist), QPoint(0, -6), QPoint(20, -60), QPoint(30, -100))
    settled(editor.session)
    assert float(np.linalg.norm(place_of(editor, "left_wrist") - wrist)) > 0.1
    assert prop(editor, cup) == there


def test_with_empty_hands_it_is_grey_and_says_why(editor: Editor) -> None:
    editor.refresh()
    action = editor.actions["contact.put_down"]
    assert not action.isEnabled()
    assert "holds nothing in a hand" in action.toolTip()


def test_above_a_steep_board_it_is_refused_and_nothing_has_changed(
    editor: Editor, cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, said = editor.session, list[str]()
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    table = next(each for each in session.document.props if each.kind == "table")
    turned = np.array([[1.0, 0.0, 0.0], [0.0, 0.8, -0.6], [0.0, 0.6, 0.8]])
    box = added(editor, "box", (0.25, -0.3, 0.35))
    board = edits.chain(edits.set_prop_size(box.id, (3.0, 0.6, 3.0)), edits.set_prop_turn(box.id, turned))
    session.edit("Tip", edits.chain(edits.remove_prop(table.id), board))
    session.select(session.document.characters[0].id)
    settled(session)
    editor.refresh()
    before = session.history.document
    editor.actions["contact.put_down"].trigger()
    assert said == ["Nothing level and free lies beneath Cup. Hold it above a free place first."]
    assert session.history.document is before


@pytest.mark.slow
def test_in_a_motion_hand_and_cup_come_down_together(editor: Editor, cup: str) -> None:
    session, who = editor.session, active(editor).id
    session.edit("Animate", edits.set_clip_length(who, LAST + 1))
    editor.refresh()
    laid_out()
    timeline = TimelineMouse(editor)
    timeline.to_frame(LAST)
    editor.actions["contact.put_down"].trigger()
    settled(session)
    editor.refresh()
    assert [e.around for e in contacts(editor)] == [True]
    for frame in (LAST, LAST // 2, 0):
        timeline.to_frame(frame)
        until(lambda: not session.solving and session.service.wait(0.01))
        editor.refresh()
        person, seen = session.shown.character(who), session.shown.prop(cup)
        skeleton = skeleton_of(person)
        wrist = joints_of(person).positions[skeleton.index("left_wrist")]
        assert float(np.linalg.norm(wrist - seen.middle)) < 0.16
    assert float(session.shown.prop(cup).place[1]) > 0.8


@pytest.mark.slow
def test_a_carried_cup_stops_at_the_top_of_a_table(editor: Editor, cup: str) -> None:
    (hand,), mouse = contacts(editor), ViewMouse(editor)
    start, below = mouse.place(hand.target), mouse.place(hand.target - np.array([0.0, 0.4, 0.0], np.float32))
    mouse.drag(start, QPoint(0, 6), (below - start) / 2, below - start)
    settled(editor.session)
    assert stands_on_table(editor, cup)
    assert [e.around for e in contacts(editor)] == [True]
    (hand,) = contacts(editor)
    assert hand.residual(skeleton_of(active(editor)), joints_of(active(editor))) < 2e-3
