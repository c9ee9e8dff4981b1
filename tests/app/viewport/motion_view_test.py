"""A motion that is opened is in view from its beginning to its end, for as long as people are not tiny there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from motion_samples import strolling
from PySide6.QtCore import QAbstractAnimation, Qt, QVariantAnimation
from PySide6.QtWidgets import QFileDialog
from window_driver import active, settled, strike, until

from app.document import edits
from app.document.exchange.export import export_bvh
from app.document.model.figure import body_of
from app.document.posing.create import new_document
from app.window.editor import Editor
from rendering.camera.camera import View
from solver.body.floor import posed_vertices
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LAST = 40  # of whose way the last frame is looked at


def walked(folder: Path, metres: float) -> Path:
    """A BVH file of somebody who goes that far towards where one looks from."""
    motion = strolling(LAST + 1)
    roots = np.array(motion.root_positions)
    roots[:, 2] = np.linspace(0, metres, LAST + 1)
    document = edits.import_motion("c1", Motion(roots, motion.rotations, motion.fps))(new_document())
    return export_bvh(folder / "walk.bvh", document.characters, whole_motion=True)[0]


def opened(editor: Editor, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open a file by Ctrl+O, and wait until the view has come to rest."""
    before = editor.session.document
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(file), ""))
    strike(editor, Qt.Key.Key_O, CTRL)
    until(lambda: editor.session.document is not before)
    settled(editor.session)
    glides = editor.viewport.findChildren(QVariantAnimation)
    until(lambda: all(glide.state() == QAbstractAnimation.State.Stopped for glide in glides))


def skin_in(view: View, editor: Editor) -> np.ndarray:
    """(V, 2) pixels, the skin of the active person."""
    person = active(editor)
    return view.project(posed_vertices(body_of(person), person.shape, person.pose))


def wholly_in_view(editor: Editor) -> bool:
    view = editor.viewport.current_view
    pixels = skin_in(view, editor)
    return bool(np.all((pixels >= 0) & (pixels <= (view.width, view.height))))


@pytest.mark.slow
def test_a_person_walking_towards_the_camera_is_in_view_at_the_first_frame_and_at_the_last(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(editor, walked(tmp_path, 4.0), monkeypatch)
    assert wholly_in_view(editor)
    strike(editor, Qt.Key.Key_Right, SHIFT)
    assert active(editor).frame == LAST
    assert wholly_in_view(editor)


@pytest.mark.slow
def test_a_person_going_very_far_is_seen_large_where_they_set_out(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(editor, walked(tmp_path, 60.0), monkeypatch)
    assert wholly_in_view(editor)
    height = np.ptp(skin_in(editor.viewport.current_view, editor)[:, 1])
    assert height > editor.viewport.height() / 2


def test_the_key_that_frames_everybody_fills_the_view_with_them_as_they_stand(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(editor, walked(tmp_path, 4.0), monkeypatch)
    small = np.ptp(skin_in(editor.viewport.current_view, editor)[:, 1])
    strike(editor, Qt.Key.Key_A)
    until(lambda: np.ptp(skin_in(editor.viewport.current_view, editor)[:, 1]) > 1.5 * small)
