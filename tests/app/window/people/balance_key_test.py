"""Balance in the window: a key shows and hides it, and it goes along with the body while one drags."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, place_of, strike

from app.services.view_state import cleared
from app.window.editor import Editor
from rendering.scene.values import BalanceMark, Scene

pytestmark = pytest.mark.gl


def pixels(editor: Editor, scene: Scene) -> np.ndarray:
    view = editor.viewport
    return np.asarray(view.grab_scene(scene, view.camera, (400, 300), transparent=False))[..., :3].astype(int)


def only(editor: Editor) -> BalanceMark:
    """The one person's mark."""
    marks = editor.viewport.scene.balances
    assert len(marks) == 1
    return marks[0]


def test_a_key_shows_balance_it_follows_a_drag_and_the_key_hides_it(editor: Editor) -> None:
    shift = Qt.KeyboardModifier.ShiftModifier
    assert editor.viewport.scene.balances == ()
    strike(editor, Qt.Key.Key_C, shift)
    editor.refresh()
    mark = only(editor)
    assert editor.actions["view.balance"].isChecked()
    assert mark.state == "held"
    assert len(mark.support) >= 3
    scene = editor.viewport.scene
    assert np.abs(pixels(editor, scene) - pixels(editor, replace(scene, balances=()))).max() > 60
    assert cleared(editor.session.view).balance  # the next scene shows it as well
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "pelvis")), QPoint(20, 5), QPoint(60, 10), release=False)
    assert editor.session.service.wait(60.0)
    editor.session.apply_results()
    editor.refresh()
    moved = only(editor)
    assert np.linalg.norm(moved.centre - mark.centre) > 0.01
    mouse.release(mouse.place(place_of(editor, "pelvis")))
    strike(editor, Qt.Key.Key_C, shift)
    editor.refresh()
    assert editor.viewport.scene.balances == ()
    assert not editor.actions["view.balance"].isChecked()
