"""Who was tipped over above a bed, or into it, settles onto it at Shift+End, and lies there while a hand is dragged."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s
from PySide6.QtCore import QPoint
from root_driver import cross, settle, tip_onto_back
from window_driver import ViewMouse, active, place_of, root_of, settled

from app.document import edits
from app.document.model.figure import joints_of
from app.document.model.prop import Prop
from app.document.posing.placing import lowest_skin
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import ARMS, LEGS

pytestmark = pytest.mark.gl
HIGH = 0.4  # metres, of the bed


def bed(editor: Editor, middle: tuple[float, float, float]) -> Prop:
    """A bed with its middle there, its length along z; the person is selected."""
    who, box = active(editor).id, added(editor, "box", middle)
    editor.session.edit("Bed", edits.set_prop_size(box.id, (1.0, HIGH, 2.4)))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.6, -0.3), yaw=0.9, pitch=0.4, distance=4.5))
    editor.refresh()
    return editor.session.document.props[-1]


def pelvis(editor: Editor) -> np.ndarray:
    return np.asarray(active(editor).pose.root_position)


def test_who_was_tipped_over_into_a_bed_is_taken_onto_it_in_one_step_and_twice_changes_nothing(editor: Editor) -> None:
    tip_onto_back(ViewMouse(editor))
    settled(editor.session)
    bed(editor, (0.0, 0.0, -0.9))
    stiff = active(editor)
    assert lowest_skin(stiff) < 0.05
    steps = len(editor.session.history.steps())
    settle(editor)
    lying = active(editor)
    assert lowest_skin(lying) > HIGH - 0.02
    assert pelvis(editor)[1] > HIGH
    assert editor.session.history.steps()[steps:] == ("Settle onto what is beneath",)
    settle(editor)
    assert active(editor) == lying
    assert len(editor.session.history.steps()) == steps + 1
    editor.session.undo()
    assert active(editor) == stiff


def test_who_stands_on_a_bed_falls_onto_it_and_stays_there_while_a_hand_is_dragged(editor: Editor) -> None:
    box = bed(editor, (0.0, 0.0, -1.6))
    mouse = ViewMouse(editor)
    mouse.click(cross(mouse))
    start = np.asarray(root_of(editor).position) + [0.27, 0.0, 0.02]
    dragged_with_s(editor, start, box.frame.points((0.27, 1.0, 0.3)))
    assert lowest_skin(active(editor)) == pytest.approx(HIGH, abs=0.02)
    mouse.click(mouse.place(np.array([1.5, 0.0, 1.5])))
    editor.session.select(active(editor).id)
    editor.refresh()
    tip_onto_back(mouse)
    settled(editor.session)
    assert lowest_skin(active(editor)) == pytest.approx(HIGH, abs=0.02)
    settle(editor)
    before = joints_of(active(editor)).positions
    hands = [SMPL_JOINTS.index(arm.end) for arm in ARMS]
    assert before[:, 1].max() < HIGH + 0.35
    mouse.drag(mouse.place(place_of(editor, ARMS[0].end)), QPoint(0, -10), QPoint(0, -25), QPoint(0, -40))
    settled(editor.session)
    moved = np.linalg.norm(joints_of(active(editor)).positions - before, axis=1)
    assert moved[hands[0]] > 0.05
    assert moved[0] < 0.03


def test_who_was_sat_on_a_box_lets_a_raised_hand_come_onto_the_thigh_and_stays_seated(editor: Editor) -> None:
    x, _, z = active(editor).pose.root_position.tolist()
    who, box = active(editor).id, added(editor, "box", (x, 0.0, z - 0.35))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.3, 0.6, 0.2), yaw=0.3, pitch=0.5, distance=4.0))
    editor.refresh()
    dragged_with_s(editor, place_of(editor, "pelvis"), box.frame.points((0.0, 1.0, 0.2)))
    settled(editor.session)
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, ARMS[0].end)), QPoint(0, -30), QPoint(0, -60), QPoint(0, -90))
    settled(editor.session)
    wrist = [e.id for e in active(editor).effectors if e.joint == ARMS[0].end]
    editor.session.edit("Let go", edits.make_loose(who, wrist))
    raised, before = active(editor), joints_of(active(editor)).positions
    settle(editor)
    after = joints_of(active(editor)).positions
    hands = [SMPL_JOINTS.index(arm.end) for arm in ARMS]
    hip, knee = (after[SMPL_JOINTS.index(role)] for role in (LEGS[0].root, LEGS[0].hinge))
    assert before[hands[0], 1] > knee[1] + 0.2
    assert after[hands[0], 1] < max(hip[1], knee[1]) + 0.2
    assert np.linalg.norm(after[0] - before[0]) < 1e-4
    assert editor.session.history.undo_text == "Settle onto what is beneath"
    editor.session.undo()
    assert active(editor) == raised
