"""Common holds in the window, such as hands on hips: taken from the menu in a step, let go of, given up by a drag."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import poses_of, shelf_of
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character
from app.window.editor import Editor
from solver.effectors.contact import Contact
from solver.effectors.sources import JointSource
from solver.kinematics.pose import Pose
from solver.resources import resource_folder

pytestmark = pytest.mark.gl
S = Qt.Key.Key_S


def contacts(editor: Editor) -> list[Contact]:
    return [e for e in active(editor).effectors if isinstance(e, Contact)]


@pytest.mark.sweep
@pytest.mark.parametrize(("id", "count"), [("hips", 2), ("crossed", 2), ("chin", 1)])
def test_common_holds_of_one_person_are_one_step_each_and_are_met(editor: Editor, id: str, count: int) -> None:
    editor.refresh()
    editor.actions[f"contact.{id}"].trigger()
    settled(editor.session)
    assert len(contacts(editor)) == count
    assert len(editor.session.history.steps()) == 1
    states = [r.state for r in editor.session.finding.residuals]
    assert "unreachable" not in states


@pytest.mark.sweep("False")
@pytest.mark.parametrize("both_sides", [False, True])
def test_a_hold_taken_after_another_takes_the_hand_off_what_it_lay_on(editor: Editor, both_sides: bool) -> None:
    if both_sides:
        strike(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    for hold, right in (("hips", "right_palm"), ("chin", "right_knuckles"), ("behind_head", "right_palm")):
        editor.refresh()
        editor.actions[f"contact.{hold}"].trigger()
        settled(editor.session)
        left = right.replace("right", "left") if both_sides or hold != "chin" else "left_palm"
        assert [held.patch for held in contacts(editor)] == [left, right]


@pytest.mark.parametrize("hold", ["hands", "shoulder"])
def test_with_symmetric_posing_one_hand_takes_somebody_else_and_the_other_holds_nothing(
    editor: Editor, hold: str
) -> None:
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    strike(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    editor.refresh()
    editor.actions[f"contact.{hold}"].trigger()
    settled(editor.session)
    assert [held.patch for held in contacts(editor)] == ["right_palm"]
    assert "unreachable" not in [r.state for r in editor.session.finding.residuals]


def test_two_hold_hands_and_when_one_is_deleted_the_other_s_hand_stays_and_says_so(editor: Editor) -> None:
    session = editor.session
    editor.refresh()
    assert not editor.actions["contact.hands"].isEnabled()
    other = new_character(session.document, solid_floor=True)
    session.edit("Add", edits.add_character(other), solve=True)
    editor.refresh()
    editor.actions["contact.hands"].trigger()
    settled(session)
    (held,) = contacts(editor)
    assert isinstance(held.source, JointSource)
    assert held.source.character == other.id
    assert "unreachable" not in [r.state for r in session.finding.residuals]
    first = active(editor).id
    session.select(other.id)
    assert contacts(editor)
    editor.refresh()
    editor.actions["pose.remove_person"].trigger()
    assert " has nothing to rest the " in editor.window.status.notices.shown
    (stays,) = [e for e in session.document.character(first).effectors if isinstance(e, Contact)]
    assert stays.source is None
    assert stays.target == pytest.approx(held.target, abs=1e-3)


@pytest.mark.sweep
@pytest.mark.parametrize("id", ["hips", "crossed", "behind_head"])
def test_holds_by_arms_move_the_arms_alone_and_a_later_drag_goes_on_from_there(editor: Editor, id: str) -> None:
    session, shown = editor.session, active(editor).pose
    editor.refresh()
    editor.actions[f"contact.{id}"].trigger()
    settled(session)
    assert len(contacts(editor)) == 2
    assert max(r.value for r in session.finding.residuals) < 1e-3
    rig, pose = skeleton_of(active(editor)), active(editor).pose
    stay = [rig.index(name) for name in ("pelvis", "spine1", "spine3", "neck", "head", "left_hip", "right_ankle")]
    assert np.array_equal(pose.rotations[stay], shown.rotations[stay])
    assert np.abs(pose.rotations[rig.index("left_elbow")] - shown.rotations[rig.index("left_elbow")]).max() > 0.2
    was = joints_of(active(editor)).positions
    session.edit("Loosen", edits.set_tolerance(active(editor).id, contacts(editor)[0].id, 0.01), solve=True)
    settled(session)
    assert np.abs(joints_of(active(editor)).positions - was).max() < 0.01
    session.undo()
    session.undo()
    assert np.array_equal(active(editor).pose.rotations, shown.rotations)


@pytest.mark.slow
@pytest.mark.parametrize("pose", ["at rest", "Stand at ease", "Jab"])
def test_hands_come_to_the_hips_from_a_t_pose_from_the_back_and_from_the_chest(editor: Editor, pose: str) -> None:
    session, (person,) = editor.session, editor.session.document.characters
    if pose == "at rest":
        turns = np.tile(np.eye(3, dtype=np.float32), (len(person.pose.rotations), 1, 1))
        straight = Pose(person.pose.root_position, turns)
        session.edit("T-pose", lambda document: document.with_character(replace(person, pose=straight)))
    else:
        chosen = next(e for e in shelf_of(resource_folder("assets", "poses")).entries if e.name == pose)
        session.edit(pose, take_pose(person.id, poses_of(chosen), Taking()))
    editor.refresh()
    editor.actions["contact.hips"].trigger()
    settled(session)
    assert len(contacts(editor)) == 2
    worst = max(held.residual(skeleton_of(active(editor)), joints_of(active(editor))) for held in contacts(editor))
    assert worst < 0.001, "it was up to 0.2 m"
    session.history.mark_saved()


def test_a_hand_that_lies_on_a_hip_comes_off_when_its_wrist_is_dragged_and_back_by_undo(editor: Editor) -> None:
    editor.refresh()
    editor.actions["contact.hips"].trigger()
    settled(editor.session)
    before, steps = active(editor), editor.session.history.steps()
    assert {held.joint for held in contacts(editor)} == {"left_wrist", "right_wrist"}
    mouse, wrist = ViewMouse(editor), place_of(editor, "left_wrist")
    mouse.drag(mouse.place(wrist), QPoint(4, -2), QPoint(40, -20))
    settled(editor.session)
    assert [held.joint for held in contacts(editor)] == ["right_wrist"]
    pulled = next(e for e in active(editor).effectors if (e.joint, e.kind) == ("left_wrist", "position"))
    residuals = editor.session.finding.residuals
    assert residuals[active(editor).effectors.index(pulled)].state == "met"
    assert np.linalg.norm(place_of(editor, "left_wrist") - wrist) > 0.05
    assert len(editor.session.history.steps()) == len(steps) + 1
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor) == before


def test_a_held_hand_that_is_dragged_away_a_little_moves_neither_of_two_by_much(editor: Editor) -> None:
    session, first = editor.session, active(editor).id
    session.edit("Add", edits.add_character(new_character(session.document, solid_floor=True)), solve=True)
    session.select(first)
    editor.refresh()
    editor.actions["contact.hands"].trigger()
    settled(session)
    before, (held,) = [joints_of(person).positions for person in session.document.characters], contacts(editor)
    mouse, wrist = ViewMouse(editor), place_of(editor, held.joint)
    mouse.drag(mouse.place(wrist), QPoint(0, -3), QPoint(0, -5))
    settled(session)
    assert not contacts(editor)
    assert np.linalg.norm(place_of(editor, held.joint) - wrist) > 0.005
    for person, was in zip(session.document.characters, before, strict=True):
        assert np.linalg.norm(joints_of(person).positions - was, axis=1).max() < 0.06
