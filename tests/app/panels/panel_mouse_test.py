"""The mouse on the panels' buttons: each click is one step, and undo shows in the panel what it brought back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import random_photo
from motion_samples import look_at_frame, strolling
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from window_driver import active, settled

from app.document import edits
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.window.editor import Editor
from solver.body.floor import sole_heights

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def click(editor: Editor, widget: QWidget) -> None:
    """Click in the middle of something that is shown, and wait for the body and the panels."""
    editor.refresh()
    assert widget.isEnabled()
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())
    settled(editor.session)
    editor.refresh()


def undo(editor: Editor) -> None:
    editor.session.undo()
    settled(editor.session)
    editor.refresh()


def raise_hand(editor: Editor) -> None:
    character = active(editor)
    hand = next(e for e in character.effectors if e.joint == "left_wrist")
    wrist = joints_of(character).positions[skeleton_of(character).index("left_wrist")]
    editor.session.edit("Raise", edits.set_target("c1", hand.id, wrist + np.float32([0.1, 0.3, 0.1])), solve=True)
    settled(editor.session)


def test_the_base_poses_buttons_can_be_pressed_only_away_from_it(editor: Editor) -> None:
    panel = editor.panels.base_pose
    editor.refresh()
    assert (panel.set_base.isEnabled(), panel.back.isEnabled()) == (False, False)
    raise_hand(editor)
    raised, base = active(editor).pose, active(editor).base_pose
    click(editor, panel.back)
    assert active(editor).pose == base
    assert not panel.back.isEnabled()
    undo(editor)
    assert active(editor).pose == raised
    click(editor, panel.set_base)
    assert active(editor).base_pose == raised
    assert (panel.set_base.isEnabled(), panel.back.isEnabled()) == (False, False)
    undo(editor)
    assert active(editor).base_pose == base
    assert panel.back.isEnabled()


def test_what_a_part_keeps_is_clicked_let_go_and_taken_back(editor: Editor) -> None:
    panel = editor.panels.base_pose
    part, joints = "right arm", frozenset(edits.SCOPES["right arm"])
    buttons = panel.rows[part].buttons
    editor.refresh()
    assert not panel.release.isEnabled()
    click(editor, buttons["place"])
    assert active(editor).preserve.place == joints
    click(editor, buttons["shape"])
    assert active(editor).preserve.shape == joints
    click(editor, buttons["place"])
    assert active(editor).preserve.place == frozenset()
    undo(editor)
    click(editor, panel.release)
    assert (active(editor).preserve.place, active(editor).preserve.shape) == (frozenset(), frozenset())
    assert not panel.release.isEnabled()
    undo(editor)
    assert (active(editor).preserve.place, active(editor).preserve.shape) == (joints, joints)
    assert panel.release.isEnabled()


def test_a_part_unfolds_into_its_joints_and_folds_again(editor: Editor) -> None:
    row = editor.panels.base_pose.rows["left leg"]
    for hidden in (False, True):
        click(editor, row.fold)
        assert {child.isHidden() for child in row.children_rows.values()} == {hidden}


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_the_bodys_gender_is_clicked_and_the_feet_stay_on_the_floor_at_every_frame(editor: Editor) -> None:
    session = editor.session
    session.edit("Import", edits.import_motion("c1", strolling(20)))
    look_at_frame(session, "c1", 12)
    before = session.document.actor("c1")
    male = next(b for b in editor.panels.body.gender.findChildren(QPushButton) if b.text() == "Male")
    click(editor, male)
    after = session.document.actor("c1")
    assert after.build.shape.gender == "male"
    assert active(editor).frame == 12
    assert len(after.clip.keys) == len(before.clip.keys)
    soles = [
        float(sole_heights(body_of(c), c.shape, c.pose.root_position[None], c.pose.rotations[None])[0])
        for c in map(after.at, range(20))
    ]
    assert soles == pytest.approx([0.0] * 20, abs=5e-3)
    undo(editor)
    assert editor.panels.body.gender.current() == "neutral"
    assert session.document.actor("c1") == before


@pytest.mark.usefixtures("unfolded")
def test_a_shape_that_was_scrubbed_is_reset_by_one_click_and_comes_back(editor: Editor) -> None:
    panel = editor.panels.body
    editor.session.edit("Shape", edits.chain(edits.set_beta("c1", 0, 2.0), edits.set_beta("c1", 4, -1.5)), solve=True)
    settled(editor.session)
    shaped = active(editor).shape
    click(editor, panel.reset)
    assert not active(editor).shape.betas.any()
    assert not panel.reset.isEnabled()
    undo(editor)
    assert active(editor).shape == shaped
    assert [panel.sliders[i].value() for i in (0, 4)] == [2.0, -1.5]


def test_an_effectors_buttons_are_each_a_step_and_undo_shows_in_its_row(editor: Editor) -> None:
    panel = editor.panels.effectors
    editor.refresh()
    row = next(r for r in panel.rows if active(editor).effector(r.effector_id).loose)
    id, before = row.effector_id, editor.session.document
    for button, name, value in (
        (row.strict, "loose", False),
        (row.pin, "pinned", True),
        (row.enable, "enabled", False),
    ):
        click(editor, button)
        assert getattr(active(editor).effector(id), name) == value
    assert len(editor.session.history.steps()) == 3
    assert {handle.id: handle.state for handle in editor.viewport.scene.handles}["effector", id] == "disabled"
    for _ in range(3):
        undo(editor)
    assert editor.session.document == before
    assert row.effector_id == id
    shown = len(panel.rows)
    click(editor, row.delete)
    assert len(panel.rows) == shown - 1
    undo(editor)
    assert id in [r.effector_id for r in panel.rows]


def test_a_hidden_person_is_not_drawn_and_a_locked_one_has_no_handles(editor: Editor) -> None:
    row = editor.panels.people.rows[0]
    click(editor, row.eye)
    assert editor.viewport.scene.figures == ()
    undo(editor)
    assert len(editor.viewport.scene.figures) == 1
    assert editor.viewport.scene.handles
    click(editor, row.lock)
    assert editor.viewport.scene.handles == ()
    undo(editor)
    assert editor.viewport.scene.handles


def test_the_photo_is_faded_looked_through_and_removed_and_the_next_one_takes_its_place(editor: Editor) -> None:
    session, panel = editor.session, editor.panels.photo
    photos = [replace(random_photo(np.random.default_rng(i), f"/{i}.jpg"), visible=False) for i in (1, 2)]
    for photo in photos:
        session.edit("Add photo", edits.add_photo(photo))
    editor.refresh()
    QTest.keyClick(panel.shown, Qt.Key.Key_Space)
    assert session.document.photo is not None
    assert session.document.photo.visible
    undo(editor)
    assert not panel.shown.isChecked()
    QTest.keyClick(panel.look, Qt.Key.Key_Space)
    assert session.view.through_photo
    click(editor, panel.remove)
    assert session.document.photos == (photos[1],)
    click(editor, panel.remove)
    assert session.document.photos == ()
    assert not session.view.through_photo
    assert panel.remove.isHidden()
    undo(editor)
    undo(editor)
    assert session.document.photos == tuple(photos)
