"""Keys that act on people and their poses: each press is one step that undo takes back whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from window_driver import active, settled, strike, until

from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.placing import place_of
from app.document.scene_file.io import load_scene
from app.window.editor import Editor
from solver.body.floor import sole_heights

pytestmark = pytest.mark.gl

KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = HELD.ControlModifier, HELD.ShiftModifier, HELD.AltModifier


def height(character: Character, joint: str) -> float:
    return float(joints_of(character).positions[skeleton_of(character).index(joint)][1])


def raise_hand(editor: Editor) -> None:
    """The active person's left hand, well above its right."""
    character = active(editor)
    hand = next(e for e in character.effectors if e.joint == "left_wrist")
    target = joints_of(character).positions[skeleton_of(character).index("left_wrist")] + np.float32([0.1, 0.3, 0.1])
    editor.session.edit("Raise", edits.set_target(character.id, hand.id, target), solve=True)
    settled(editor.session)


def struck(editor: Editor, key: Qt.Key, held: Qt.KeyboardModifier = HELD.NoModifier) -> None:
    """Press a key over the view and wait for the body."""
    strike(editor, key, held)
    settled(editor.session)
    editor.refresh()


def test_people_are_added_copied_and_deleted_by_keys_and_each_is_taken_back(editor: Editor) -> None:
    session = editor.session
    seen = [session.document]
    for key, held, names in (
        (KEY.Key_A, SHIFT, ["Person 1", "Person 2"]),
        (KEY.Key_D, CTRL, ["Person 1", "Person 2", "Person 3"]),
        (KEY.Key_Delete, CTRL, ["Person 1", "Person 2"]),
    ):
        struck(editor, key, held)
        assert [c.name for c in session.document.characters] == names
        assert [row.name.text() for row in editor.panels.people.rows] == names
        seen.append(session.document)
    assert len({place_of(c) for c in seen[2].characters}) == 3
    for earlier in reversed(seen[:-1]):
        struck(editor, KEY.Key_Z, CTRL)
        assert session.document == earlier
    struck(editor, KEY.Key_Y, CTRL)
    assert session.document == seen[1]


@pytest.mark.slow
def test_the_key_that_deletes_effectors_says_by_which_one_people_go(editor: Editor) -> None:
    struck(editor, KEY.Key_A, SHIFT)
    row, before = editor.panels.people.rows[0], editor.session.document
    QTest.mouseClick(row, Qt.MouseButton.LeftButton)
    struck(editor, KEY.Key_Delete)
    said = "No effector is selected to be deleted. Ctrl+Del deletes "
    assert editor.session.document is before
    assert editor.window.status.notices.shown == f"{said}Person 1."
    struck(editor, KEY.Key_A, CTRL | SHIFT)
    struck(editor, KEY.Key_Delete)
    until(lambda: editor.window.status.notices.shown == f"{said}2 people.")
    assert editor.session.document is before


@pytest.mark.slow
def test_the_last_person_can_be_deleted_and_keys_for_people_then_do_nothing(editor: Editor) -> None:
    struck(editor, KEY.Key_Delete, CTRL)
    empty = editor.session.document
    assert empty.characters == ()
    for key, held in ((KEY.Key_M, CTRL), (KEY.Key_D, CTRL), (KEY.Key_End, HELD.NoModifier), (KEY.Key_C, CTRL)):
        struck(editor, key, held)
    assert editor.session.document is empty
    struck(editor, KEY.Key_A, SHIFT)
    assert len(editor.session.document.characters) == 1
    assert editor.session.active is not None


def test_a_pose_is_mirrored_and_mirrored_back(editor: Editor) -> None:
    raise_hand(editor)
    before = active(editor)
    struck(editor, KEY.Key_M, CTRL)
    assert height(active(editor), "right_wrist") == pytest.approx(height(before, "left_wrist"), abs=2e-3)
    struck(editor, KEY.Key_M, CTRL)
    assert active(editor).pose.rotations == pytest.approx(before.pose.rotations, abs=1e-4)
    struck(editor, KEY.Key_Z, CTRL)
    struck(editor, KEY.Key_Z, CTRL)
    assert active(editor) == before


def test_the_base_pose_is_set_and_returned_to(editor: Editor) -> None:
    raise_hand(editor)
    raised = active(editor).pose
    struck(editor, KEY.Key_R, ALT)
    assert active(editor).pose == active(editor).base_pose != raised
    struck(editor, KEY.Key_Z, CTRL)
    struck(editor, KEY.Key_B, CTRL)
    assert active(editor).base_pose == raised
    assert editor.session.history.undo_text == "Set current pose as base pose"
    struck(editor, KEY.Key_R, ALT)
    assert active(editor).pose == raised


def test_a_pose_is_copied_to_somebody_else_who_stays_where_they_stand(editor: Editor) -> None:
    session = editor.session
    assert not editor.actions["edit.paste"].isEnabled()
    raise_hand(editor)
    giver = active(editor)
    struck(editor, KEY.Key_C, CTRL)
    struck(editor, KEY.Key_A, SHIFT)
    taker = active(editor)
    assert taker.id != giver.id
    struck(editor, KEY.Key_V, CTRL)
    assert np.array_equal(active(editor).pose.rotations, giver.pose.rotations)
    assert place_of(active(editor)) == pytest.approx(place_of(taker))
    assert session.document.character(giver.id) == giver
    assert session.history.undo_text == "Paste pose"
    struck(editor, KEY.Key_V, CTRL | SHIFT)
    assert session.history.undo_text == "Paste flipped pose"


def test_selected_effectors_are_pinned_and_released_together(editor: Editor) -> None:
    struck(editor, KEY.Key_A, CTRL)
    assert editor.session.view.effectors == {e.id for e in active(editor).effectors}
    struck(editor, KEY.Key_P)
    assert all(e.pinned for e in active(editor).effectors)
    assert editor.actions["pose.pin"].isChecked()
    assert all(handle.pinned for handle in editor.viewport.scene.handles)
    struck(editor, KEY.Key_P)
    assert not any(e.pinned for e in active(editor).effectors)
    struck(editor, KEY.Key_A, ALT)
    assert editor.session.view.effectors == frozenset()
    assert not editor.actions["pose.pin"].isEnabled()


def test_end_puts_somebody_lifted_back_on_the_floor(editor: Editor) -> None:
    editor.session.edit("Lift", edits.move_character("c1", (0.0, 0.4, 0.0)))
    struck(editor, KEY.Key_End)
    character = active(editor)
    pose = character.pose
    (sole,) = sole_heights(body_of(character), character.shape, pose.root_position[None], pose.rotations[None])
    assert sole == pytest.approx(0.0, abs=0.01)
    steps = editor.session.history.steps()
    struck(editor, KEY.Key_End)
    assert editor.session.history.steps() == steps


def test_handles_are_moved_to_the_joints_by_the_menu(editor: Editor) -> None:
    character = active(editor)
    hand = next(e for e in character.effectors if e.joint == "left_wrist")
    editor.session.edit("Far", edits.set_target("c1", hand.id, (3.0, 3.0, 0.0)), solve=True)
    settled(editor.session)
    pose = active(editor).pose
    editor.actions["pose.settle"].trigger()
    settled(editor.session)
    wrist = joints_of(active(editor)).positions[skeleton_of(character).index("left_wrist")]
    assert active(editor).effector(hand.id).target == pytest.approx(wrist, abs=1e-5)
    assert active(editor).pose == pose
    assert {handle.state for handle in editor.viewport.scene.handles} <= {"met", "tolerated"}


@pytest.mark.slow
def test_a_scene_is_saved_changed_and_saved_over_by_key(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scene.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    struck(editor, KEY.Key_A, SHIFT)
    struck(editor, KEY.Key_S, CTRL)
    until(lambda: not editor.window.isWindowModified())
    assert load_scene(path) == editor.session.document
    struck(editor, KEY.Key_Delete, CTRL)
    assert editor.window.isWindowModified()
    struck(editor, KEY.Key_S, CTRL)
    assert len(load_scene(path).characters) == 1
    struck(editor, KEY.Key_Z, CTRL)
    assert editor.window.isWindowModified()
    struck(editor, KEY.Key_Y, CTRL)
    assert not editor.window.isWindowModified()


def test_a_new_scene_by_key_forgets_people_path_and_history(editor: Editor) -> None:
    struck(editor, KEY.Key_A, SHIFT)
    editor.session.history.mark_saved()
    struck(editor, KEY.Key_N, CTRL)
    assert [c.name for c in editor.session.document.characters] == ["Person 1"]
    assert editor.session.history.steps() == ()
    assert editor.session.path is None


@pytest.mark.slow
def test_each_export_of_the_menu_opens_its_own_page_and_can_be_left(editor: Editor) -> None:
    before, seen = editor.session.history.revision, []
    kinds = ("bvh", "json", "npz", "mesh", "png", "film")

    def leave(dialog: ExportDialog) -> None:
        seen.append((dialog.format.current(), dialog.hint.isVisible()))
        button("Cancel")(dialog)

    for kind in kinds:
        with answering(leave, kind=ExportDialog):
            editor.actions[f"file.export_{kind}"].trigger()
    assert seen == [(kind, True) for kind in kinds]
    assert editor.session.history.revision == before


def test_a_key_for_the_joint_finds_the_handle_that_is_there(editor: Editor) -> None:
    wrist = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    before = editor.session.document
    editor.session.select("c1", joints=["left_wrist"])
    strike(editor, KEY.Key_G)
    assert editor.session.view.effectors == {wrist.id}
    assert editor.session.document is before
    struck(editor, KEY.Key_Delete)
    assert wrist.id not in {e.id for e in active(editor).effectors}
    assert editor.session.history.undo_text == "Delete effector"
