"""Who was tipped over lies stiffly until Shift+End lets trunk, limbs and head come to rest on the floor."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, palm
from PySide6.QtCore import QPoint, Qt
from root_driver import settle, tip_onto_back
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of
from app.document.posing.placing import lowest_skin
from app.window.commands.why_grey import reason_of
from app.window.editor import Editor
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import ARMS

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier
HANDS = [SMPL_JOINTS.index(arm.end) for arm in ARMS]


def wrists(character: Character) -> np.ndarray:
    """(2,) metres above the floor."""
    return np.asarray(joints_of(character).positions[HANDS, 1])


def lay_on_back(editor: Editor) -> None:
    """Tip the person onto their back by the ring."""
    tip_onto_back(ViewMouse(editor))
    settled(editor.session)


def test_shift_end_lets_who_was_tipped_over_come_to_rest_in_one_step(editor: Editor) -> None:
    session = editor.session
    assert not editor.actions["pose.rest"].isEnabled()
    assert reason_of("pose.rest") in editor.actions["pose.rest"].toolTip()
    strike(editor, Qt.Key.Key_End, SHIFT)
    assert session.history.steps() == (), "nobody who stands falls over"
    lay_on_back(editor)
    stiff = active(editor)
    assert editor.actions["pose.rest"].isEnabled()
    settle(editor)
    after = active(editor)
    assert wrists(stiff).min() > 0.2
    assert wrists(after).max() < 0.08
    assert session.history.steps() == ("Tip Person 1", "Settle onto what is beneath")
    session.undo()
    assert active(editor) == stiff


def test_who_has_come_to_rest_stays_so_while_a_hand_is_dragged(editor: Editor) -> None:
    lay_on_back(editor)
    settle(editor)
    before = joints_of(active(editor)).positions
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, ARMS[0].end)), QPoint(0, -10), QPoint(0, -25), QPoint(0, -40))
    settled(editor.session)
    after = joints_of(active(editor)).positions
    moved = np.linalg.norm(after - before, axis=1)
    assert moved[HANDS[0]] > 0.05
    assert moved[HANDS[1]] < 0.05
    assert moved[[SMPL_JOINTS.index(name) for name in ("pelvis", "left_ankle", "right_ankle")]].max() < 0.05


def test_who_has_come_to_rest_is_on_the_floor_by_the_numbers_and_by_end(editor: Editor) -> None:
    lay_on_back(editor)
    settle(editor)
    before = active(editor)
    assert lowest_skin(before) == pytest.approx(0.0, abs=0.005), "fingers that are bent do not reach into the floor"
    strike(editor, Qt.Key.Key_End)
    settled(editor.session)
    assert active(editor).pose.root_position == pytest.approx(before.pose.root_position, abs=0.005)


def test_who_holds_a_box_comes_to_rest_as_well_and_holds_on(editor: Editor) -> None:
    lay_on_back(editor)
    at, person = palm(editor), active(editor)
    box = added(editor, "box", (float(at[0]) + 0.22, 0.0, float(at[2])))
    editor.session.edit("Higher", edits.set_prop_size(box.id, (0.4, 0.35, 0.4)))
    wrist = next(e for e in person.effectors if e.joint == SMPL_JOINTS[HANDS[0]])
    editor.session.select(person.id, [wrist.id])
    editor.refresh()
    editor.actions["contact.here"].trigger()
    settled(editor.session)
    before = palm(editor)
    assert wrists(active(editor))[1] > 0.2
    settle(editor)
    assert wrists(active(editor))[1] < 0.08
    assert palm(editor) == pytest.approx(before, abs=0.01)
