"""A knee that is dragged onto its owner's chest with S held comes to lie there by its front."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s
from window_driver import active, place_of, settled

from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact
from solver.effectors.sources import SkinSource

pytestmark = pytest.mark.gl
MET_M = 0.005


def sit_down(editor: Editor) -> None:
    """Set the active person on a box by the mouse."""
    x, _, z = active(editor).pose.root_position.tolist()
    who, box = active(editor).id, added(editor, "box", (x, 0.0, z - 0.35))
    editor.session.select(who)
    look(editor)
    dragged_with_s(editor, place_of(editor, "pelvis"), box.frame.points((0.0, 1.0, 0.2)))


def look(editor: Editor) -> None:
    """At the whole person, from ahead and a little aside."""
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.8, 0.0), yaw=0.6, pitch=0.15, distance=4.4))
    editor.refresh()


@pytest.mark.slow
@pytest.mark.parametrize("seated", [False, True])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_knee_dragged_onto_the_own_chest_lies_there_by_its_front(editor: Editor, side: str, seated: bool) -> None:
    look(editor)
    if seated:
        sit_down(editor)
    look(editor)
    dragged_with_s(editor, place_of(editor, f"{side}_knee"), place_of(editor, "spine3") + np.array([0.0, 0.0, 0.1]))
    settled(editor.session)
    known = zip(active(editor).effectors, editor.session.finding.residuals, strict=True)
    ((held, left),) = ((e, r) for e, r in known if isinstance(e, Contact) and e.joint == f"{side}_knee")
    assert isinstance(held.source, SkinSource)
    assert held.patch == f"{side}_knee"
    assert left.value < MET_M
