"""A foot that is dragged onto a box with S held, and back: its owner comes after, and nothing of them jumps."""

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

pytestmark = pytest.mark.gl
FOOT, LEG = "left_ankle", ("left_knee", "left_ankle", "left_foot")
MOST_M = 0.08  # metres from one pose shown to the next, of all but that leg


@pytest.mark.slow
def test_nothing_but_the_leg_jumps_as_a_foot_comes_from_the_floor_onto_a_box_and_back(editor: Editor) -> None:
    person, session, ankle = active(editor), editor.session, place_of(editor, FOOT)
    box = added(editor, "box", (float(ankle[0]) - 0.1, 0.0, float(ankle[2]) + 0.55)).sized((0.6, 0.3, 0.6))
    session.edit("Low", edits.put_prop(box))
    session.select(person.id)
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.6, 0.3), yaw=1.3, pitch=0.3, distance=3.6))
    editor.refresh()
    poses = list[Pose]()
    session.solved.connect(lambda: poses.append(active(editor).pose))
    mouse = ViewMouse(editor)
    start = mouse.place(ankle)
    ahead = mouse.place(np.array([ankle[0], 0.0, ankle[2] + 0.12]))
    top = mouse.place(the_prop(editor).frame.points((0.1, 1.0, -0.2)))
    mouse.drag(start, ahead - start, release=False)
    press_s(editor)
    mouse.move(ahead)
    settled(session)
    poses.append(active(editor).pose)
    for place in (top, top, ahead):
        mouse.move(place)
        settled(session)
        if place is top:
            assert place_of(editor, FOOT)[1] > 0.3, "the foot is on the box"
    mouse.release(ahead)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    settled(session)
    skeleton = skeleton_of(person)
    others = np.setdiff1d(np.arange(len(skeleton)), list(map(skeleton.index, LEG)))
    places = [joints_of(replace(person, pose=pose)).positions[others] for pose in poses]
    assert max(np.linalg.norm(b - a, axis=1).max() for a, b in pairwise(places)) < MOST_M
