"""A half turn by the ring of the pelvis: the window offers *Global*, and one click takes it, or has it stay away."""

from __future__ import annotations

import numpy as np
import pytest
from motion_samples import strolling
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse, keys_of
from window_driver import ViewMouse, active, laid_out, place_of, settled, strike, until

from app.document import edits
from app.document.posing.modes import half_turn, mode_of
from app.window.editor import Editor
from rendering.shapes.gizmo import outline
from solver.ik.preserve_modes import GLOBAL, LOCAL, PLACE_FREEZE, PreserveMode
from solver.kinematics.rotations import geodesic_angle

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def ring(editor: Editor) -> QPoint:
    """A place on the gizmo's upright ring that nothing else is before."""
    view, found = editor.viewport, editor.viewport.scene.gizmo
    assert found is not None
    mouse = ViewMouse(editor)
    for point in outline(found, "y", view.current_view):
        place = mouse.place(point)
        hit = view.pick(place.x(), place.y())
        if hit is not None and (hit.kind, hit.id) == ("gizmo", "y"):
            return place
    raise AssertionError("the ring is nowhere in sight")


def turn_hips(editor: Editor, degrees: str, mode: PreserveMode) -> None:
    """Choose a mode, and turn the pelvis by its ring, so far as is typed."""
    mouse = ViewMouse(editor)
    QTest.mouseClick(editor.panels.base_pose.modes.button(mode.id), LEFT)
    settled(editor.session)
    mouse.click(mouse.place(place_of(editor, "pelvis")))
    strike(editor, Qt.Key.Key_R)
    settled(editor.session)
    editor.refresh()
    laid_out()
    start = ring(editor)
    mouse.drag(start, QPoint(4, 0), QPoint(12, 1), release=False)
    QTest.keyClicks(editor.viewport, degrees)
    QTest.keyClick(editor.viewport, Qt.Key.Key_Return)
    mouse.release(start + QPoint(12, 1))
    settled(editor.session)
    editor.refresh()


def drag_hand(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, "left_wrist"))
    mouse.drag(start, QPoint(4, -4), QPoint(10, -20), release=False)
    editor.refresh()
    mouse.release(start + QPoint(10, -20))
    settled(editor.session)
    editor.refresh()


def turned(editor: Editor, before: np.ndarray) -> float:
    """Degrees from there to how the pelvis is turned."""
    return float(np.degrees(geodesic_angle(active(editor).pose.rotations[0], before)))


def test_a_half_turn_of_the_pelvis_in_a_motion_offers_global_and_a_click_solves_in_it(editor: Editor) -> None:
    session, bar = editor.session, editor.global_offer
    session.edit("Import", edits.import_motion("c1", strolling(60)))
    settled(session)
    editor.refresh()
    TimelineMouse(editor).to_frame(30)
    strike(editor, Qt.Key.Key_A)
    until(lambda: editor.viewport.at_rest)
    before = active(editor).pose.rotations[0]
    turn_hips(editor, "175", LOCAL)
    until(bar.isVisible)
    assert "175°" in bar.label.text()
    steps = session.history.steps()
    for widget in (bar.label, bar.button, bar.away):
        place = QRect(widget.mapTo(editor.viewport, QPoint(0, 0)), widget.size())
        assert editor.viewport.rect().contains(place), "all of it is in sight, in a narrow view too"
    assert turned(editor, before) < 30, "what is kept holds it back"
    QTest.mouseClick(bar.button, LEFT)
    settled(session)
    until(lambda: not editor.jobs.busy and not editor.in_betweens.missing("c1"))
    editor.refresh()
    assert session.history.steps() == (*steps, "Solve in Global")
    assert mode_of(active(editor)) is GLOBAL
    assert bar.isHidden()
    assert keys_of(editor) == [0, 30]
    assert turned(editor, before) > 90, "as far as the legs let it: the feet stay"
    session.undo()
    editor.refresh()
    assert mode_of(active(editor)) is LOCAL
    until(bar.isVisible)


@pytest.mark.slow
def test_who_declined_is_not_asked_again_until_the_hips_were_turned_back(editor: Editor) -> None:
    session, bar = editor.session, editor.global_offer
    turn_hips(editor, "175", LOCAL)
    until(bar.isVisible)
    QTest.mouseClick(bar.away, LEFT)
    drag_hand(editor)
    assert bar.isHidden(), "after a drag"
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    editor.refresh()
    assert active(editor).id != "c1"
    session.select("c1")
    editor.refresh()
    assert half_turn(active(editor)) is not None
    assert bar.isHidden(), "after work on somebody else"
    turn_hips(editor, "-175", LOCAL)
    assert half_turn(active(editor)) is None
    turn_hips(editor, "175", LOCAL)
    until(bar.isVisible)


@pytest.mark.slow
def test_who_declined_is_asked_again_in_another_mode_and_in_another_scene(editor: Editor) -> None:
    session, bar = editor.session, editor.global_offer
    turn_hips(editor, "175", LOCAL)
    until(bar.isVisible)
    QTest.mouseClick(bar.away, LEFT)
    editor.refresh()
    assert bar.isHidden()
    QTest.mouseClick(editor.panels.base_pose.modes.button(PLACE_FREEZE.id), LEFT)
    settled(session)
    editor.refresh()
    until(bar.isVisible)
    QTest.mouseClick(editor.panels.base_pose.modes.button(LOCAL.id), LEFT)
    settled(session)
    editor.refresh()
    assert bar.isHidden()
    session.open(session.document)
    editor.refresh()
    until(bar.isVisible)
