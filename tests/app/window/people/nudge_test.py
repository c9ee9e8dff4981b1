"""The arrow keys over the view: small steps of what is selected, seen in the view as left, right, up and down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from small_window import scrolled_to
from window_driver import ViewMouse, activated, active, place_of, settled, strike, until

from app.document import edits
from app.document.model.document import Character
from app.viewport.tools import nudge
from app.viewport.tools.nudge import FAR_STEP, STEP
from app.window.editor import Editor
from solver.effectors.sources import JointSource

pytestmark = pytest.mark.gl

KEY, HELD = Qt.Key, Qt.KeyboardModifier
WAYS = ((KEY.Key_Left, (-1, 0)), (KEY.Key_Right, (1, 0)), (KEY.Key_Up, (0, 1)), (KEY.Key_Down, (0, -1)))


def wrist(editor: Editor) -> np.ndarray:
    return next(e.target for e in active(editor).effectors if e.joint == "left_wrist").astype(np.float64)


def select_wrist(editor: Editor) -> None:
    character: Character = active(editor)
    editor.session.select(character.id, [e.id for e in character.effectors if e.joint == "left_wrist"])


def root(editor: Editor) -> np.ndarray:
    return active(editor).pose.root_position.astype(np.float64)


def test_the_selected_handle_goes_the_way_of_the_arrow_and_nothing_else_does(editor: Editor) -> None:
    select_wrist(editor)
    axes = editor.viewport.camera.rotation
    others = [e.id for e in active(editor).effectors if e.loose and e.joint != "left_wrist"]
    for key, (right, up) in WAYS:
        for held, step in ((HELD.NoModifier, STEP), (HELD.ShiftModifier, FAR_STEP)):
            before = wrist(editor)
            strike(editor, key, held)
            assert wrist(editor) - before == pytest.approx(step * (right * axes[:, 0] + up * axes[:, 1]), abs=1e-6)
    assert [e.id for e in active(editor).effectors if e.loose] == others, "the others only follow the body"
    settled(editor.session)


def test_with_ctrl_and_shift_the_arrow_moves_only_the_handle_s_limb(editor: Editor) -> None:
    select_wrist(editor)
    joints = ("head", "right_wrist", "right_shoulder", "left_knee", "pelvis")
    before, hand = np.array([place_of(editor, joint) for joint in joints]), place_of(editor, "left_wrist")
    for _ in range(12):
        strike(editor, KEY.Key_Up, HELD.ControlModifier | HELD.ShiftModifier)
    settled(editor.session)
    assert place_of(editor, "left_wrist")[1] - hand[1] == pytest.approx(12 * STEP, abs=0.01)
    np.testing.assert_allclose([place_of(editor, joint) for joint in joints], before, atol=1e-5)
    assert editor.session.history.steps()[-1:] == ("Move left wrist · position",)


def test_with_ctrl_and_shift_selected_handles_of_other_limbs_stay(editor: Editor) -> None:
    hands = {e.joint: e.id for e in active(editor).effectors if e.joint in ("left_wrist", "right_wrist")}
    editor.session.select(active(editor).id, hands.values())
    before = {joint: active(editor).effector(id).target for joint, id in hands.items()}
    strike(editor, KEY.Key_Up, HELD.ControlModifier | HELD.ShiftModifier)
    moved = [joint for joint, id in hands.items() if (active(editor).effector(id).target != before[joint]).any()]
    assert moved == [list(hands)[-1]], "the last one's limb alone, as it is one limb that moves"
    settled(editor.session)


def test_a_handle_that_was_switched_off_holds_again_once_it_is_nudged(editor: Editor) -> None:
    select_wrist(editor)
    (id,) = editor.session.view.effectors
    editor.session.edit("Off", edits.set_enabled("c1", id, False), solve=True)
    before = wrist(editor)
    strike(editor, KEY.Key_Up, HELD.ShiftModifier)
    assert active(editor).effector(id).enabled
    settled(editor.session)
    assert place_of(editor, "left_wrist") == pytest.approx(
        before + FAR_STEP * editor.viewport.camera.rotation[:, 1], abs=0.01
    )


@pytest.mark.usefixtures("unfolded")
def test_an_effector_that_was_clicked_in_the_list_is_nudged_at_once(editor: Editor) -> None:
    activated(editor.window)
    field = scrolled_to(editor.panels.body.stature)
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    assert field.hasFocus()
    stature = field.value()
    row = next(row for row in editor.panels.effectors.rows if row.joint.text() == "Left wrist")
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=row.joint.geometry().center())
    before = wrist(editor)
    QTest.keyClick(editor.window.windowHandle(), KEY.Key_Up)
    QTest.keyClick(editor.window.windowHandle(), KEY.Key_Right)
    assert wrist(editor)[1] > before[1] + STEP / 2
    assert field.value() == stature
    settled(editor.session)


def test_a_run_of_presses_is_one_step_and_after_a_rest_comes_another(editor: Editor) -> None:
    session = editor.session
    select_wrist(editor)
    start, steps = session.document, len(session.history.steps())
    for _ in range(3):
        strike(editor, KEY.Key_Right)
    assert session.history.steps()[steps:] == ("Move left wrist · position",)
    until(lambda: not session.in_step)
    first = session.document
    strike(editor, KEY.Key_Up)
    assert len(session.history.steps()) == steps + 2
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == first
    strike(editor, KEY.Key_Up)
    assert len(session.history.steps()) == steps + 2, "what was taken back is not gone on with"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == start


def test_without_a_handle_the_whole_person_moves_and_another_person_is_another_step(editor: Editor) -> None:
    session = editor.session
    session.select(active(editor).id)
    axes, start, hand = editor.viewport.camera.rotation, root(editor), wrist(editor)
    strike(editor, KEY.Key_Right, HELD.ShiftModifier)
    assert root(editor) - start == pytest.approx(FAR_STEP * axes[:, 0], abs=1e-6)
    assert wrist(editor) - hand == pytest.approx(FAR_STEP * axes[:, 0], abs=1e-6)
    steps = len(session.history.steps())
    session.edit("Add", edits.add_character(replace(active(editor), id="c2", name="Other")))
    session.select("c2")
    strike(editor, KEY.Key_Right)
    assert session.history.steps()[steps:] == ("Add", "Move Other")


def test_whoever_looks_at_the_person_goes_on_looking_at_them(editor: Editor) -> None:
    session, first = editor.session, active(editor)
    editor.posing.add_person()
    look = next(e for e in active(editor).effectors if e.kind == "lookat")
    at_first = replace(look, source=JointSource(first.id, "head"), loose=False)
    session.edit("Look", edits.on_effector(active(editor).id, look.id, lambda _: at_first), solve=True)
    other = active(editor).id
    session.select(first.id)
    for _ in range(2):
        strike(editor, KEY.Key_Left, HELD.ShiftModifier)
    settled(session)
    head = place_of(editor, "head")
    assert session.document.character(other).effector(look.id).target == pytest.approx(head, abs=1e-4)


@pytest.fixture
def a_short_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next press is waited for a seventh as long as from other people."""
    monkeypatch.setattr(nudge, "RUN_MS", 100)


def test_a_drag_that_follows_at_once_is_not_cut_in_two(a_short_run: None, editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    select_wrist(editor)
    steps = len(session.history.steps())
    strike(editor, KEY.Key_Up)
    settled(session)
    place = mouse.place(wrist(editor))
    mouse.drag(place, QPoint(8, 0), QPoint(16, 0), release=False)
    QTest.qWait(200)  # longer than a run waits for the next press
    assert session.in_step
    mouse.move(place + QPoint(30, 0))
    mouse.release(place + QPoint(30, 0))
    assert len(session.history.steps()) == steps + 2


def test_arrows_elsewhere_are_not_taken(editor: Editor) -> None:
    select_wrist(editor)
    before = editor.session.document
    strike(editor, KEY.Key_Left, HELD.AltModifier)
    assert editor.session.document == before
    editor.viewport.clearFocus()
    QTest.keyClick(editor.window, KEY.Key_Left)
    assert editor.session.document == before


def test_somebody_hidden_stays_and_has_no_line_for_their_middle_either(editor: Editor) -> None:
    strike(editor, KEY.Key_M, HELD.ShiftModifier)
    assert editor.viewport.scene.guides
    editor.session.edit("Hide", edits.set_visible("c1", False))
    editor.refresh()
    assert editor.viewport.scene.guides == ()
    before = root(editor)
    strike(editor, KEY.Key_Left)
    assert root(editor) == pytest.approx(before)
    assert editor.window.status.notices.shown.startswith("Person 1 is hidden")
    editor.session.edit("Show", edits.set_visible("c1", True))
    strike(editor, KEY.Key_Left)
    assert np.abs(root(editor) - before).max() > STEP / 2
