"""Somebody who sits with their arms squeezed, dragged by the head: the body follows evenly, and comes to rest."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, until

from app.document.posing.solving import joints_of, skeleton_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from scripts.contact_depths import Hold, before
from scripts.drag_steps import handle
from scripts.seat_drags import library
from solver.ik.memory import goes_on
from solver.rig.rig import rig_of
from solver.rig.roles import Role

pytestmark = [pytest.mark.gl, pytest.mark.slow, pytest.mark.usefixtures("whole_view")]
STEP = 8  # pixels, under 2 cm here


def is_led(editor: Editor) -> bool:
    return goes_on(editor.session.findings.of(active(editor)).memory)


def test_a_thinker_whose_head_is_pulled_down_goes_on_while_the_mouse_rests_and_no_further(editor: Editor) -> None:
    session = editor.session
    document = library()["Thinker"](before(Hold(()), "neutral", "dls"), {})
    document, id = handle(document, rig_of(skeleton_of(document.characters[0])), Role.HEAD)
    session.open(document)
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.9, 0.1), yaw=1.2, pitch=0.05, distance=2.5))
    editor.refresh()
    settled(session)
    places = [joints_of(active(editor)).positions]
    session.solved.connect(lambda: places.append(joints_of(active(editor)).positions))
    mouse = ViewMouse(editor)
    start = mouse.place(active(editor).effector(id).target)
    mouse.drag(start, QPoint(0, 3), release=False)
    for way in range(STEP, 17 * STEP, STEP):
        mouse.move(start + QPoint(0, way))
        settled(session)
        if way > 5 * STEP and is_led(editor):
            break
    at_end = len(places)
    until(lambda: not is_led(editor), 20_000)
    assert len(places) > at_end, "it was still on its way"
    rested = places[-1]
    QTest.qWait(200)
    mouse.release(start + QPoint(0, way))
    QTest.qWait(200)
    steps = [float(np.linalg.norm(b - a, axis=1).max()) for a, b in pairwise(places)]
    assert max(steps) < 0.06
    assert np.abs(places[-1] - rested).max() < 1e-3
