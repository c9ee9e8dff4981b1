"""A whole person whom a solid floor holds is moved down no farther than to the floor, by keys and by the mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, settled, strike

from app.document import edits
from app.document.posing.placing import lowest_skin
from app.viewport.root_place import root_place
from app.window.editor import Editor
from solver.ik.options import SOLID_FLOOR

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def standing(editor: Editor) -> Editor:
    """A person who stands on a solid floor, with nothing of it selected."""
    editor.session.select("c1")
    editor.session.edit("On the floor", edits.stand_on_floor("c1"))
    editor.refresh()
    assert SOLID_FLOOR.of(active(editor).solver_options)
    return editor


def drag_by_the_cross(editor: Editor, way: QPoint) -> None:
    mouse = ViewMouse(editor)
    cross = mouse.place(root_place(active(editor), ()))
    mouse.drag(cross, way, keys=SHIFT)
    settled(editor.session)


@pytest.mark.slow
def test_arrow_down_leaves_the_feet_on_the_floor_and_up_lifts_them(standing: Editor) -> None:
    for _ in range(3):
        strike(standing, Qt.Key.Key_Down, SHIFT)
    assert lowest_skin(active(standing)) == pytest.approx(0.0, abs=1e-4)
    strike(standing, Qt.Key.Key_Up)
    assert lowest_skin(active(standing)) > 0.005
    strike(standing, Qt.Key.Key_Down, SHIFT)
    assert lowest_skin(active(standing)) == pytest.approx(0.0, abs=1e-4)


@pytest.mark.slow
def test_the_cross_with_shift_comes_down_to_the_floor_and_no_farther(standing: Editor) -> None:
    drag_by_the_cross(standing, QPoint(0, -60))
    assert lowest_skin(active(standing)) > 0.1
    drag_by_the_cross(standing, QPoint(0, 150))
    assert lowest_skin(active(standing)) == pytest.approx(0.0, abs=1e-4)


def test_without_a_solid_floor_a_person_goes_below_it(standing: Editor) -> None:
    standing.session.edit("Off", edits.set_solver_option("c1", SOLID_FLOOR.id, False))
    strike(standing, Qt.Key.Key_Down, SHIFT)
    assert lowest_skin(active(standing)) < -0.01
