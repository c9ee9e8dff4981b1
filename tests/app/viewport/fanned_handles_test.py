"""Handles that meet in a view from the side, by the mouse: each is seen, named, pressed and dragged for itself."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, strike, until

from app.window.editor import Editor
from rendering.shapes.fanned_handles import fanned
from solver.effectors.effector import Effector

pytestmark = pytest.mark.gl


def effector(editor: Editor, joint: str, kind: str = "position") -> Effector:
    return next(e for e in active(editor).effectors if e.joint == joint and e.kind == kind)


def mark(editor: Editor, joint: str) -> QPoint:
    """Where the handle that moves a joint is drawn."""
    handles, mouse, id = editor.viewport.scene.handles, ViewMouse(editor), effector(editor, joint).id
    drawn = dict(zip((h.id[1] for h in handles), fanned(mouse.view.current_view, handles), strict=True))  # type: ignore[index]
    return mouse.place(drawn[id])


@pytest.fixture
def from_the_side(editor: Editor) -> Editor:
    """The window with a view from the right, in which both ankles are at one place."""
    strike(editor, Qt.Key.Key_3)
    until(lambda: bool(np.allclose(editor.viewport.camera.rotation[:, 2], (1, 0, 0), atol=1e-6)))
    own = [ViewMouse(editor).place(effector(editor, f"{side}_ankle").target) for side in ("left", "right")]
    assert (own[0] - own[1]).manhattanLength() < 6
    return editor


@pytest.mark.parametrize("side", ["left", "right"])
def test_each_ankle_can_be_named_and_dragged_from_the_side(from_the_side: Editor, side: str) -> None:
    editor, mouse = from_the_side, ViewMouse(from_the_side)
    named: list[str] = []
    editor.tool.hover_name.changed.connect(lambda text, _x, _y: named.append(text))
    at, other = mark(editor, f"{side}_ankle"), {"left": "right", "right": "left"}[side]
    mouse.hover(at)
    assert named[-1].startswith(f"{side.capitalize()} ankle")
    old = {s: effector(editor, f"{s}_ankle").target for s in ("left", "right")}
    mouse.drag(at, QPoint(-10, -10), QPoint(-40, -60))
    settled(editor.session)
    moved = mouse.view.current_view.project([effector(editor, f"{side}_ankle").target, old[side]])
    assert np.allclose(moved[0] - moved[1], (-40, -60), atol=1.5), (
        "it moves as far as the mouse, and did not jump to it"
    )
    assert (effector(editor, f"{other}_ankle").target == old[other]).all()
    assert editor.session.history.steps() == (f"Move {side} ankle · position",)


def test_the_handle_that_is_held_is_at_its_own_place(from_the_side: Editor) -> None:
    editor, mouse = from_the_side, ViewMouse(from_the_side)
    at = mark(editor, "right_ankle")
    mouse.drag(at, QPoint(4, 0), QPoint(5, 0), QPoint(5, 1), release=False)
    assert (mark(editor, "right_ankle") - mouse.place(effector(editor, "right_ankle").target)).manhattanLength() <= 1
    other = mark(editor, "left_ankle") - mouse.place(effector(editor, "left_ankle").target)
    assert other.manhattanLength() > 15
    QTest.keyClick(editor.window, Qt.Key.Key_Escape)
    mouse.release(at)


def test_a_click_selects_the_one_that_is_drawn_there_and_no_arrow_is_in_the_way(from_the_side: Editor) -> None:
    editor, mouse = from_the_side, ViewMouse(from_the_side)
    for side in ("left", "right", "left"):
        mouse.click(mark(editor, f"{side}_ankle"))
        assert editor.session.view.effectors == {effector(editor, f"{side}_ankle").id}
        gizmo = editor.viewport.scene.gizmo
        assert gizmo is not None
        assert np.allclose(gizmo.position, effector(editor, f"{side}_ankle").target)
    mouse.click(mark(editor, "right_ankle"), Qt.KeyboardModifier.ShiftModifier)
    assert editor.session.view.effectors == {effector(editor, f"{s}_ankle").id for s in ("left", "right")}


def test_what_turns_an_ankle_is_pressed_around_what_moves_it_and_further_clicks_go_round(editor: Editor) -> None:
    mouse, ring = ViewMouse(editor), QPoint(-9, 9)
    turn, move = effector(editor, "left_ankle", "rotation").id, effector(editor, "left_ankle").id
    at = mouse.place(effector(editor, "left_ankle").target)
    for place, expected in ((at + ring, turn), (at, move), (at, turn), (at, move)):
        QTest.qWait(5)
        mouse.click(place)
        assert editor.session.view.effectors == {expected}
    mouse.click(QPoint(5, 5))
    before = effector(editor, "left_ankle", "rotation").target
    mouse.drag(at + ring, QPoint(10, 10), QPoint(40, 20))
    assert not np.allclose(effector(editor, "left_ankle", "rotation").target, before)
    assert editor.session.history.steps() == ("Turn left ankle · rotation",)
