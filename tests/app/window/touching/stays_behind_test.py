"""Somebody still who holds on to somebody with frames gets as many, and keeps up at each key of the other one's."""

from __future__ import annotations

import numpy as np
import pytest
from motion_samples import look_at_frame
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse
from window_driver import ViewMouse, active, move_held, settled, strike, until

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.posing.sources import with_resolved_targets
from app.window.editor import Editor
from solver.ik.residuals import residuals
from solver.kinematics.pose import Pose

pytestmark = pytest.mark.gl
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def beside(editor: Editor) -> Editor:
    """A second person, still and active, stands near the first one."""
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    editor.session.edit("Nearer", edits.move_character(active(editor).id, [-0.5, 0.0, 0.0]), solve=True)
    editor.refresh()
    return editor


@pytest.fixture
def pair(beside: Editor) -> Editor:
    """The second person has a hand on the first one's shoulder, who is active."""
    run(beside, "contact.shoulder")
    beside.session.select("c1")
    beside.refresh()
    return beside


def run(editor: Editor, command: str) -> None:
    editor.actions[command].trigger()
    settled(editor.session)
    editor.refresh()


def pose_at(editor: Editor, frame: int) -> None:
    TimelineMouse(editor).to_frame(frame)
    root = editor.session.active.pose.root_position
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(root), QPoint(-10, 5), QPoint(-40, 40))
    settled(editor.session)
    editor.refresh()


def off_mm(editor: Editor, frame: int) -> float:
    """How far the palm of the second one is from the shoulder at a frame, wherever that is then."""
    look_at_frame(editor.session, "c1", frame)
    document = with_resolved_targets(editor.session.document)
    who = document.character("c2")
    (at,) = [i for i, e in enumerate(who.effectors) if e.kind == "contact"]
    return 1000 * float(residuals(skeleton_of(who), who.pose, who.effectors)[at].value)


def keys(editor: Editor, id: str) -> list[int]:
    return [key.frame for key in editor.session.document.actor(id).clip.keys]


def test_a_person_who_holds_on_gets_as_many_frames_as_the_one_held(pair: Editor) -> None:
    run(pair, "time.animate")
    assert [len(actor.clip) for actor in pair.session.document.actors] == [120, 120]
    assert pair.window.status.notices.shown.startswith("Person 2 is tied to Person 1 and so has frames now, too")
    strike(pair, Qt.Key.Key_Z, CTRL)
    assert [len(actor.clip) for actor in pair.session.document.actors] == [1, 1]
    assert "has frames now" not in pair.window.status.notices.shown


@pytest.mark.slow
def test_posing_one_at_a_frame_leaves_the_hand_that_is_held_on_there_at_every_frame(pair: Editor) -> None:
    run(pair, "time.animate")
    stood = pair.session.document.character("c2").pose
    pose_at(pair, 60)
    assert keys(pair, "c1") == keys(pair, "c2") == [0, 60]
    moved = pair.session.document.character("c2").pose
    assert np.abs(moved.rotations - stood.rotations).max() > 0.02
    until(lambda: all(actor.spans() for actor in pair.session.document.actors))
    assert max(off_mm(pair, frame) for frame in (0, 30, 60)) < 2.0
    assert pair.session.document.actor("c2").at(0).pose == stood


@pytest.mark.slow
def test_taking_hold_of_a_person_with_frames_makes_a_key_there(beside: Editor) -> None:
    beside.session.select("c1")
    beside.refresh()
    run(beside, "time.animate")
    TimelineMouse(beside).to_frame(40)
    beside.session.select("c2")
    beside.refresh()
    run(beside, "contact.shoulder")
    assert keys(beside, "c2") == [40]
    assert len(active(beside).clip) == 120
    assert "has frames now, too" in beside.window.status.notices.shown


def test_a_person_who_holds_nobody_stays_still(beside: Editor) -> None:
    beside.session.select("c1")
    beside.refresh()
    run(beside, "time.animate")
    pose_at(beside, 60)
    assert [len(actor.clip) for actor in beside.session.document.actors] == [120, 1]


@pytest.mark.slow
def test_two_people_holding_each_other_stay_as_they_are_between_keys_when_one_moves_up_the_list(pair: Editor) -> None:
    run(pair, "contact.shoulder")
    run(pair, "time.animate")
    pose_at(pair, 60)
    until(lambda: not pair.in_betweens.solving and all(actor.spans() for actor in pair.session.document.actors))
    TimelineMouse(pair).to_frame(30)
    before, spans = poses(pair), [actor.spans() for actor in pair.session.document.actors]
    row, start = pair.panels.people.rows[1], QPoint(60, 16)
    QTest.mousePress(row, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    for way in (QPoint(0, -20), QPoint(0, -44)):
        move_held(row, start + way)
    QTest.mouseRelease(row, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start + QPoint(0, -44))
    pair.refresh()
    assert [actor.id for actor in pair.session.document.actors] == ["c2", "c1"]
    assert [pair.in_betweens.missing(id) for id in ("c1", "c2")] == [0, 0], "nothing is to be solved anew"
    assert poses(pair) == before
    assert [actor.spans() for actor in reversed(pair.session.document.actors)] == spans


def poses(editor: Editor) -> dict[str, Pose]:
    return {character.id: character.pose for character in editor.session.document.characters}
