"""A prop from the menu comes where the user looks: wholly in view and not hidden by somebody, if there is room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from window_driver import active, laid_out, place_of, settled, until

from app.document.model.prop import Prop
from app.viewport.camera.framing import points_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = [pytest.mark.gl, pytest.mark.slow]
STANDING = ("box", "stairs", "ball", "cylinder", "stick", "chair", "table", "cup")
SIZES = [(1280, 800), (1024, 676), (683, 443)]


def added(editor: Editor, kind: str, camera: OrbitCamera) -> Prop:
    """A prop that the menu added while the view looked so; the view is at rest."""
    editor.viewport.set_camera(camera)
    editor.refresh()
    laid_out()
    editor.actions[f"prop.{kind}"].trigger()
    settled(editor.session)
    until(lambda: editor.viewport.at_rest)
    return editor.session.document.props[-1]


def seen(editor: Editor, prop: Prop) -> int:
    """2 wholly, 1 its middle, 0 not even that."""
    return int(editor.session_view.sees(points_of([], [prop]), np.zeros((1, 3)))[0])


@pytest.mark.parametrize("size", SIZES)
def test_what_is_added_is_wholly_in_view(editor: Editor, size: tuple[int, int]) -> None:
    editor.window.resize(*size)
    laid_out()
    start = editor.viewport.camera
    assert isinstance(start, OrbitCamera)
    for camera in (start, replace(start, yaw=start.yaw + 1.2), replace(start, distance=0.7 * start.distance)):
        for kind in STANDING:
            assert seen(editor, added(editor, kind, camera)) == 2, f"{kind}, {camera}"
            assert editor.viewport.camera == camera, "the view stays"
            editor.session.undo()


def test_nothing_small_is_put_behind_somebody(editor: Editor) -> None:
    start = editor.viewport.camera
    assert isinstance(start, OrbitCamera)
    view = editor.viewport.final_view
    for kind in ("ball", "cup", "cylinder"):
        prop = added(editor, kind, replace(start, distance=0.7 * start.distance))
        middle = prop.corners.mean(axis=0)
        body = view.project(np.array([place_of(editor, joint) for joint in ("left_hip", "right_hip")]))[:, 0]
        behind = np.linalg.norm(middle - view.camera.eye) > np.linalg.norm(
            active(editor).pose.root_position - view.camera.eye
        )
        assert not (behind and body.min() < view.project(middle)[0] < body.max()), kind
        editor.session.undo()


def test_what_finds_no_room_in_view_is_shown_by_the_view(editor: Editor) -> None:
    start = editor.viewport.camera
    assert isinstance(start, OrbitCamera)
    face = replace(start, distance=0.6, target=(0.0, 1.6, 0.0), pitch=0.0)
    prop = added(editor, "cup", face)
    assert editor.viewport.camera != face
    assert seen(editor, prop) == 2


def test_what_only_finds_room_behind_somebody_at_the_edge_is_shown_by_the_view(editor: Editor) -> None:
    breast = OrbitCamera(target=(0.0, 1.2, 0.0), yaw=0.5, pitch=0.1, distance=1.4)
    prop = added(editor, "cup", breast)
    assert editor.viewport.camera != breast
    assert seen(editor, prop) == 2
