"""The dots of joints in the window, as they are drawn: which are selected, and what is under the pointer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, place_of

from app.window.editor import Editor
from rendering.drawing.offscreen import drawing_context, read_frame
from rendering.items.frame import Frame
from rendering.scene.theme import DARK, LIGHT, Theme

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
AWAY = QPoint(4, 4)


def picture(editor: Editor, theme: Theme = DARK) -> np.ndarray:
    """(H, W, 3) of what the view shows, without a gizmo."""
    from rendering.drawing.renderer import SceneRenderer

    scene = replace(editor.viewport.scene, gizmo=None)
    with drawing_context():
        frame = read_frame(SceneRenderer(), scene, Frame(editor.viewport.current_view, theme, 1.0), 1)
    return np.asarray(frame)[..., :3].astype(int)


def at(seen: np.ndarray, place: QPoint) -> np.ndarray:
    """(3,) the colour there."""
    return seen[place.y() - 1 : place.y() + 2, place.x() - 1 : place.x() + 2].mean(axis=(0, 1))


@pytest.mark.sweep("theme0")
@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_dots_of_selected_joints_are_blue_and_others_are_not(editor: Editor, theme: Theme) -> None:
    mouse = ViewMouse(editor)
    knee, elbow, other = (mouse.place(place_of(editor, n)) for n in ("left_knee", "right_elbow", "right_knee"))
    mouse.click(knee)
    mouse.click(elbow, Qt.KeyboardModifier.ShiftModifier)
    mouse.hover(AWAY)
    seen = picture(editor, theme)
    blue = [float(at(seen, place)[2] - at(seen, place)[0]) for place in (knee, elbow, other)]
    assert min(blue[:2]) > 60
    assert blue[2] < 30
    mouse.click(AWAY)
    seen = picture(editor, theme)
    assert at(seen, knee)[2] - at(seen, knee)[0] < 30, "a click beside the body takes the selection back"


@pytest.mark.sweep("spine2")
@pytest.mark.parametrize("name", ["left_collar", "spine2"])
def test_pointing_at_any_joint_of_the_trunk_draws_a_line_around_its_part(editor: Editor, name: str) -> None:
    mouse = ViewMouse(editor)
    mouse.hover(AWAY)
    calm, dot = picture(editor), mouse.place(place_of(editor, name))
    mouse.hover(dot)
    line = np.abs(picture(editor) - calm).sum(axis=-1) > 100
    rows, columns = np.nonzero(line)
    assert (np.hypot(columns - dot.x(), rows - dot.y()) > 16).sum() > 40, "and not only a larger dot"
