"""Left and right in the window: symmetric posing, limbs copied across and parts mirrored, by keys and drags."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.mirroring import middle_plane
from app.document.posing.placing import lowest_skin
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
FACING = np.float32([1, 0, 0])
BOTH = HELD.ControlModifier | HELD.ShiftModifier


def target(editor: Editor, joint: str) -> np.ndarray:
    return next(e.target for e in active(editor).effectors if e.joint == joint and e.kind == "position").astype(float)


def rotation(editor: Editor, joint: str) -> np.ndarray:
    return active(editor).pose.rotations[skeleton_of(active(editor)).index(joint)]


def raise_left(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(target(editor, "left_wrist"))
    mouse.drag(start, QPoint(8, -10), QPoint(30, -60), QPoint(60, -140))
    settled(editor.session)


@pytest.mark.slow
def test_with_symmetry_a_drag_of_one_hand_moves_both_in_one_step(editor: Editor) -> None:
    session, before = editor.session, editor.session.document
    strike(editor, KEY.Key_M, HELD.ShiftModifier)
    assert session.view.symmetry
    assert editor.actions["pose.symmetry"].isChecked()
    assert [g.axis for g in editor.viewport.scene.guides] == [""], "the middle shows on the floor"
    raise_left(editor)
    plane = middle_plane(active(editor).pose)
    assert target(editor, "right_wrist") == pytest.approx(plane.points(target(editor, "left_wrist")), abs=0.02)
    assert target(editor, "left_wrist")[1] > 1.1
    assert session.history.steps() == ("Move left wrist · position",)
    session.undo()
    assert session.document == before
    strike(editor, KEY.Key_M, HELD.ShiftModifier)
    assert editor.viewport.scene.guides == ()
    raise_left(editor)
    assert abs(target(editor, "right_wrist") - plane.points(target(editor, "left_wrist"))).max() > 0.2


def test_a_limb_that_moves_alone_is_not_mirrored(editor: Editor) -> None:
    editor.session.set_view(symmetry=True)
    mouse, old = ViewMouse(editor), target(editor, "right_wrist")
    start = mouse.place(target(editor, "left_wrist"))
    mouse.drag(start, QPoint(8, -10), QPoint(30, -40), keys=BOTH)
    settled(editor.session)
    assert target(editor, "right_wrist") == pytest.approx(old, abs=2e-3)


def test_a_hand_on_a_hip_goes_up_with_the_other_one(editor: Editor) -> None:
    session = editor.session
    hip = contact_of(patches_of(active(editor))["right_palm"], target(editor, "right_wrist"), FACING)
    session.edit("Hold", edits.hold("c1", hip), solve=True)
    settled(session)
    strike(editor, KEY.Key_M, HELD.ShiftModifier)
    raise_left(editor)
    assert [e.kind for e in active(editor).effectors if e.joint == "right_wrist"] == ["position"]
    assert target(editor, "right_wrist")[1] == pytest.approx(target(editor, "left_wrist")[1], abs=0.02)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert [e.kind for e in active(editor).effectors if e.joint == "right_wrist"] == ["contact"]


def test_keys_copy_one_side_to_the_other_and_mirror_what_is_selected(editor: Editor) -> None:
    session = editor.session
    raise_left(editor)
    left = rotation(editor, "left_shoulder")
    knee = rotation(editor, "right_knee")
    wrist = next(e.id for e in active(editor).effectors if e.joint == "right_wrist")
    session.select(active(editor).id, [wrist])
    strike(editor, KEY.Key_R, HELD.AltModifier | HELD.ShiftModifier)
    flip = np.diag([-1.0, 1.0, 1.0])
    assert rotation(editor, "right_shoulder") == pytest.approx(flip @ left @ flip, abs=1e-5)
    assert np.array_equal(rotation(editor, "right_knee"), knee)
    assert session.history.steps()[-1] == "Copy to the right"
    session.undo()
    right = rotation(editor, "right_shoulder")
    strike(editor, KEY.Key_M, HELD.AltModifier)
    assert session.history.steps()[-1] == "Mirror selected"
    assert rotation(editor, "left_shoulder") == pytest.approx(flip @ right @ flip, abs=1e-5)
    session.undo()
    strike(editor, KEY.Key_L, HELD.AltModifier | HELD.ShiftModifier)
    assert rotation(editor, "left_shoulder") == pytest.approx(flip @ right @ flip, abs=1e-5)
    session.select(active(editor).id)
    editor.refresh()
    assert not editor.actions["pose.mirror_selected"].isEnabled()


def test_a_leg_that_is_copied_beneath_a_leaning_pelvis_stays_out_of_the_floor(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    start = mouse.place(place_of(editor, "pelvis"))
    side = mouse.place(place_of(editor, "pelvis") + [0.14, -0.12, 0.0]) - start
    mouse.drag(start, QPoint(6, 4), side)
    settled(session)
    before = session.document
    stays = {joint: place_of(editor, joint) for joint in ("pelvis", "head", "right_ankle", "right_wrist")}
    session.select(active(editor).id)
    strike(editor, KEY.Key_L, HELD.AltModifier | HELD.ShiftModifier)
    settled(session)
    assert session.history.steps()[-1] == "Copy to the left"
    assert lowest_skin(active(editor)) > -0.002
    assert {joint: pytest.approx(place, abs=1e-3) for joint, place in stays.items()} == {
        joint: place_of(editor, joint) for joint in stays
    }
    assert target(editor, "left_ankle") == pytest.approx(place_of(editor, "left_ankle"), abs=1e-3)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == before
