"""A thin wall or a seat that is seen edge on: what is dragged there with S comes onto the side where the limb is."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, held, the_prop
from PySide6.QtCore import Qt
from window_driver import active, place_of, strike

from app.document import edits
from app.window.editor import Editor
from solver.effectors.contact import Contact
from solver.effectors.kinds import LookAt

pytestmark = pytest.mark.gl
KEY = Qt.Key


def wall_beside(editor: Editor, ahead: float, long: float) -> None:
    """A thin wall to the person's left, its middle that far ahead of them, seen from the front by the key for it."""
    person, box = active(editor), added(editor, "box", (0.55, 0.0, ahead)).sized((0.15, 1.8, long))
    editor.session.edit("Wall", edits.put_prop(box))
    editor.session.select(person.id)
    strike(editor, KEY.Key_1)
    editor.viewport.set_camera(editor.viewport.final_view.camera)
    editor.refresh()


def missed_m(editor: Editor, contact: Contact) -> float:
    """How far off its surface the contact is."""
    left = dict(zip((e.id for e in active(editor).effectors), editor.session.finding.residuals, strict=True))
    return float(left[contact.id].value)


@pytest.mark.slow
@pytest.mark.parametrize("joint", ["left_shoulder", "left_elbow", "left_wrist", "left_hip"])
def test_from_the_front_a_limb_comes_onto_the_side_of_a_wall_though_only_its_end_is_seen(
    editor: Editor, joint: str
) -> None:
    wall_beside(editor, 0.0, 2.0)
    start = place_of(editor, joint)
    dragged_with_s(editor, start, np.array([0.54, start[1], start[2]]))
    assert held(editor).facing == pytest.approx([-1.0, 0.0, 0.0], abs=1e-6)
    assert held(editor).target == pytest.approx([0.475, start[1], start[2]], abs=0.03)
    assert missed_m(editor, held(editor)) < 0.01


@pytest.mark.slow
def test_the_end_of_a_wall_that_is_near_the_hand_is_taken_as_it_is_seen(editor: Editor) -> None:
    wall_beside(editor, -0.4, 1.2)
    start = place_of(editor, "left_wrist")
    dragged_with_s(editor, start, np.array([0.54, start[1], start[2]]))
    assert held(editor).facing == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)
    assert held(editor).target[2] == pytest.approx(0.2, abs=1e-3)


@pytest.mark.slow
def test_from_above_a_hand_comes_onto_the_side_of_a_wall_and_not_onto_its_top_out_of_reach(editor: Editor) -> None:
    wall_beside(editor, 0.0, 2.0)
    strike(editor, KEY.Key_7)
    editor.viewport.set_camera(editor.viewport.final_view.camera)
    editor.refresh()
    start = place_of(editor, "left_wrist")
    top = the_prop(editor).frame.points((0.0, 1.0, 0.1))
    dragged_with_s(editor, start, top)
    assert held(editor).facing == pytest.approx([-1.0, 0.0, 0.0], abs=1e-6)
    assert held(editor).target[1] == pytest.approx(start[1], abs=0.1)
    assert missed_m(editor, held(editor)) < 0.01


@pytest.mark.slow
def test_a_look_dragged_onto_that_end_looks_at_the_end(editor: Editor) -> None:
    wall_beside(editor, 0.0, 2.0)
    person = active(editor)
    look = next(e for e in person.effectors if isinstance(e, LookAt))
    end = the_prop(editor).frame.points((0.0, 0.5, 0.5))
    dragged_with_s(editor, np.asarray(look.target, np.float64), end)
    (look,) = (e for e in active(editor).effectors if isinstance(e, LookAt))
    assert look.target == pytest.approx(end, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("above", [-0.03, 0.05])
def test_from_the_side_a_pelvis_comes_onto_a_seat_of_which_only_the_edge_is_seen(editor: Editor, above: float) -> None:
    """It was held beside the edge, 7 cm off, bent over backwards; or there was nothing to touch above it."""
    person = active(editor)
    chair = added(editor, "chair", (0.0, 0.0, -0.45))
    editor.session.select(person.id)
    strike(editor, KEY.Key_3)
    editor.viewport.set_camera(editor.viewport.final_view.camera)
    editor.refresh()
    seat = chair.frame.points((0.0, 0.5, 0.0)).astype(np.float64)
    dragged_with_s(editor, place_of(editor, "pelvis"), seat + [0.0, above, 0.0])
    assert held(editor).patch == "seat"
    assert held(editor).facing == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)
    assert held(editor).target == pytest.approx(seat, abs=0.03)
    assert missed_m(editor, held(editor)) < 0.01
