"""Who is posed as on a seat and is brought onto one by the mouse sits there as posed."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import active, place_of, settled, strike, until

from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.prop import Prop
from app.viewport.root_place import root_place
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.resources import resource_folder
from solver.rig.roles import SIDES, Role

pytestmark = pytest.mark.gl
CROSS = np.array([-0.27, 0.0, 0.02])  # metres from the middle of the root handle to where it is taken
SEAT = np.array([0.0, 0.5, 0.05])  # own point of a chair


def sits(editor: Editor, name: str = "Sitting on a chair/Sit upright") -> None:
    pose = poses_of(entry_of(resource_folder("assets", "poses") / f"{name}.json"))
    editor.session.edit("Sit", take_pose(active(editor).id, pose, Taking()), solve=True)
    settled(editor.session)


def bends(editor: Editor) -> np.ndarray:
    """(2,) degrees, how far the knees are bent."""
    found = []
    for side in SIDES:
        hip, knee, ankle = (place_of(editor, Role.on(side, part)) for part in ("hip", "knee", "ankle"))
        above, below = knee - hip, ankle - knee
        found.append(np.degrees(np.arccos(above @ below / np.linalg.norm(above) / np.linalg.norm(below))))
    return np.array(found)


def chair_aside(editor: Editor, x: float) -> Prop:
    who, chair = active(editor).id, added(editor, "chair", (x, 0.0, 0.2))
    editor.session.select(who)
    editor.viewport.set_camera(OrbitCamera(target=(0.6, 0.8, 0.0), yaw=0.5, pitch=0.35, distance=6.0))
    editor.refresh()
    return chair


@pytest.mark.slow
def test_who_sits_and_is_dragged_by_the_cross_with_s_onto_a_chair_sits_on_it(editor: Editor) -> None:
    sits(editor)
    before, chair = active(editor), chair_aside(editor, 1.2)
    bent = bends(editor)
    dragged_with_s(editor, root_place(before) + CROSS, chair.frame.points(SEAT))
    assert editor.session.history.steps()[-1] == "Sit Person 1 on Chair"
    (seat,) = (e for e in active(editor).effectors if isinstance(e, Contact))
    assert seat.patch == "seat"
    assert isinstance(seat.source, PropSource)
    assert seat.target == pytest.approx(chair.frame.points(SEAT), abs=0.03)
    ankles = [place_of(editor, Role.on(side, "ankle")) for side in SIDES]
    assert all(0.03 < ankle[1] < 0.12 for ankle in ankles), "on the floor"
    assert bends(editor) == pytest.approx(bent, abs=15.0)
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor).pose == before.pose


@pytest.mark.slow
def test_who_sat_and_is_brought_nearer_to_a_chair_sits_there_as_they_did(editor: Editor) -> None:
    sits(editor)
    bent, bar = bends(editor), editor.user_messages.nearer_offer
    chair = chair_aside(editor, 1.9)
    editor.viewport.set_camera(OrbitCamera(target=(0.9, 0.8, 0.0), yaw=-1.2, pitch=0.45, distance=6.0))
    editor.refresh()
    dragged_with_s(editor, place_of(editor, "pelvis"), chair.frame.points(SEAT))
    editor.refresh()
    until(lambda: not editor.jobs.busy and editor.session.unexplained_character is None)
    editor.refresh()
    assert editor.session.history.steps()[-1] == "Hold seat on Chair"
    assert bar.isVisible()
    assert min(bends(editor)) < 40.0, "stretched by the drag"
    QTest.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    settled(editor.session)
    editor.refresh()
    assert bends(editor) == pytest.approx(bent, abs=15.0)
