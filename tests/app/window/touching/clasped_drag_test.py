"""A hand in somebody's hand, dragged onto something else with S held: the other one lets go and stays there."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import dragged_with_s
from window_driver import active, settled

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact
from solver.effectors.sources import SkinSource

pytestmark = pytest.mark.gl


@pytest.mark.slow
def test_a_clasped_hand_dragged_onto_the_other_s_chest_leaves_the_other_s_hand_where_it_is(editor: Editor) -> None:
    session = editor.session
    other = new_character(session.document, solid_floor=True)
    session.edit("Add", edits.add_character(other), solve=True)
    editor.refresh()
    editor.actions["contact.hands"].trigger()
    settled(session)
    (held,) = [e for e in active(editor).effectors if isinstance(e, Contact)]
    (theirs,) = [e for e in session.document.character(other.id).effectors if isinstance(e, Contact)]
    wrist = skeleton_of(other).index(theirs.joint)
    before = joints_of(session.document.character(other.id)).positions[wrist]
    editor.viewport.set_camera(OrbitCamera(target=(0.4, 1.1, 0.0), yaw=0.2, pitch=0.1, distance=4.0))
    editor.refresh()
    chest = joints_of(other).positions[skeleton_of(other).index("spine3")] + [0.0, 0.0, 0.1]
    dragged_with_s(editor, np.asarray(held.target, np.float64), chest)
    settled(session)
    (now,) = [e for e in active(editor).effectors if isinstance(e, Contact)]
    assert isinstance(now.source, SkinSource)
    assert now.source.character == other.id
    partner = session.document.character(other.id)
    assert not [e for e in partner.effectors if isinstance(e, Contact)]
    assert np.linalg.norm(joints_of(partner).positions[wrist] - before) < 0.05
    assert len(session.history.steps()) == 3, "letting go is a part of the drag"
