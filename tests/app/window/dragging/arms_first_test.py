"""Hands take what is within the reach of the arms alone, and the body leans to what is not."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import held, put, the_prop
from window_driver import ViewMouse, active, place_of, settled

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def near_a_stick(editor: Editor, ahead: float) -> Prop:
    """Have the left wrist half a forearm before an upright stick that far ahead, and take it; before it is solved."""
    stick, person = put(editor, "stick", (0.03, 0.8, 0.03), (0.0, 0.0, 0.0)), active(editor)
    wrist = next(e for e in person.effectors if (e.joint, e.kind) == ("left_wrist", "position"))
    editor.session.edit("Away", edits.move_prop(stick.id, (0.0, 0.2, ahead)))
    near = edits.set_target(person.id, wrist.id, the_prop(editor).middle + np.array([0.05, 0.0, -0.2]))
    editor.session.edit("Raise", near, solve=True)
    settled(editor.session)
    mouse = ViewMouse(editor)
    mouse.click(mouse.place(place_of(editor, "left_wrist")))
    return the_prop(editor)


@pytest.mark.sweep("smplik")
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_stick_within_the_arm_s_reach_is_taken_by_the_arm_alone(editor: Editor, solver: str) -> None:
    editor.session.edit("Solver", edits.set_solver(active(editor).id, solver), solve=True)
    stick = near_a_stick(editor, ahead=0.0)
    before, joints = active(editor).pose, joints_of(active(editor)).positions
    editor.actions["contact.here"].trigger()
    settled(editor.session)
    assert held(editor).around
    assert held(editor).residual(skeleton_of(active(editor)), joints_of(active(editor))) < 1e-3
    rig = skeleton_of(active(editor))
    stay = [rig.index(name) for name in ("pelvis", "spine3", "head", "left_knee", "right_knee", "right_shoulder")]
    assert np.array_equal(active(editor).pose.rotations[stay], before.rotations[stay])
    assert np.linalg.norm(place_of(editor, "left_wrist") - joints[rig.index("left_wrist")]) > 0.05
    editor.session.edit("Nearer", edits.move_prop(stick.id, (0.0, 0.0, 0.01)), solve=True)
    settled(editor.session)
    assert np.abs(joints_of(active(editor)).positions[stay] - joints[stay]).max() < 0.02, "it goes on from there"


def test_a_stick_beyond_the_arm_s_reach_is_leaned_to(editor: Editor) -> None:
    stick = near_a_stick(editor, ahead=0.4)
    editor.session.edit("Farther", edits.move_prop(stick.id, (0.0, 0.0, 0.15)))
    editor.refresh()
    before = active(editor).pose
    editor.actions["contact.here"].trigger()
    settled(editor.session)
    assert held(editor).around
    assert held(editor).residual(skeleton_of(active(editor)), joints_of(active(editor))) < 2e-3
    assert not np.array_equal(active(editor).pose.rotations, before.rotations)
    spine = skeleton_of(active(editor)).index("spine3")
    assert not np.array_equal(active(editor).pose.rotations[spine], before.rotations[spine])
