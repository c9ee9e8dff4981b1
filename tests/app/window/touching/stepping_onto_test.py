"""A foot that is dragged onto a box with S held, and back, alone or with a hand on another person: nobody jumps."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from prop_driver import added, press_s, the_prop
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.kinematics.pose import Pose

pytestmark = [pytest.mark.gl, pytest.mark.slow]
FOOT, LEG = "left_ankle", ("left_knee", "left_ankle", "left_foot")


@pytest.mark.parametrize(
    ("hold", "high", "most"),
    [("", 0.3, 0.08), ("hands", 0.15, 0.06), ("shoulder", 0.15, 0.06), ("shoulder", 0.4, 0.06)],
)
def test_nothing_but_the_leg_jumps_as_a_foot_comes_onto_a_box_and_back(
    editor: Editor, hold: str, high: float, most: float
) -> None:
    """hold: of the other person, if there is one. most: metres from one pose shown to the next, of all but that leg."""
    session, person = editor.session, active(editor)
    other = person.id
    if hold:
        editor.actions["pose.add_person"].trigger()
        other = active(editor).id
        session.select(person.id)
        settled(session)
        editor.refresh()
        editor.actions[f"contact.{hold}"].trigger()
        settled(session)
    ankle = place_of(editor, FOOT)
    box = added(editor, "box", (float(ankle[0]) - 0.1, 0.0, float(ankle[2]) + 0.55)).sized((0.6, high, 0.6))
    session.edit("Low", edits.put_prop(box))
    session.select(person.id)
    about = (float(ankle[0]), 0.6, float(ankle[2]) + 0.3)
    editor.viewport.set_camera(OrbitCamera(target=about, yaw=1.3, pitch=0.3, distance=3.6))
    editor.refresh()
    poses = list[tuple[Pose, Pose]]()

    def note() -> None:
        poses.append((active(editor).pose, session.document.character(other).pose))

    session.solved.connect(note)
    mouse = ViewMouse(editor)
    start, ahead = mouse.place(ankle), mouse.place(np.array([ankle[0], 0.0, ankle[2] + 0.12]))
    top = mouse.place(the_prop(editor).frame.points((0.1, 1.0, -0.2)))
    mouse.drag(start, ahead - start, release=False)
    press_s(editor)
    for place in (ahead, top, top, ahead):
        mouse.move(place)
        settled(session)
        note()
        if place is top:
            assert place_of(editor, FOOT)[1] > high, "the foot is on the box"
            assert all(one.state != "unreachable" for one in session.finding.residuals), "and the hand where it was"
    mouse.release(ahead)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    settled(session)
    skeleton = skeleton_of(person)
    others = np.setdiff1d(np.arange(len(skeleton)), list(map(skeleton.index, LEG)))
    for who, joints in ((0, others), (1, np.arange(len(skeleton)) if hold else others)):
        places = [joints_of(replace(person, pose=pose[who])).positions[joints] for pose in poses]
        assert max(np.linalg.norm(b - a, axis=1).max() for a, b in pairwise(places)) < most
