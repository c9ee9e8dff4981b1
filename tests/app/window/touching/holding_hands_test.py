"""Two people who take each other's hands by the command: their arms do it, and heads and trunks stay as they were."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, active, place_of, settled

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor
from solver.effectors.contact import Contact

pytestmark = [pytest.mark.gl, pytest.mark.slow]
TRUNK = ("head", "neck", "spine3", "pelvis", "left_knee", "right_ankle")


def beside(editor: Editor, apart_m: float) -> tuple[str, str]:
    """The first person, active, and a second one that far to their left, by their ids."""
    first = active(editor)
    editor.actions["pose.add_person"].trigger()
    settled(editor.session)
    second = active(editor)
    way = np.array([apart_m, 0.0, 0.0]) - (second.pose.root_position - first.pose.root_position) * [1, 0, 1]
    editor.session.edit("Put", edits.move_character(second.id, way))
    editor.session.select(first.id)
    editor.refresh()
    return first.id, second.id


def trunks(editor: Editor, ids: tuple[str, str]) -> np.ndarray:
    """(2, J, 3) metres."""
    people = [editor.session.document.character(id) for id in ids]
    return np.array([[joints_of(c).positions[skeleton_of(c).index(name)] for name in TRUNK] for c in people])


@pytest.mark.parametrize("apart_m", [0.6, 0.9])
def test_heads_stay_where_they_were_as_two_people_hold_hands_and_as_another_hand_is_dragged(
    editor: Editor, apart_m: float
) -> None:
    ids = beside(editor, apart_m)
    before = trunks(editor, ids)
    editor.actions["contact.hands"].trigger()
    settled(editor.session)
    for id in ids:
        person = editor.session.document.character(id)
        held = [e for e in person.effectors if isinstance(e, Contact)]
        told = editor.session.findings.of(person).residuals
        assert len(held) == 1
        assert told[person.effectors.index(held[0])].value < 0.005, "the hands meet"
    assert np.abs(trunks(editor, ids) - before).max() < 1e-3
    editor.session_view.frame_all(glide=False)
    editor.refresh()
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "right_wrist")), QPoint(-4, -4), QPoint(-10, -10))
    settled(editor.session)
    assert np.linalg.norm(trunks(editor, ids) - before, axis=-1).max() < 0.03
