"""A motion that goes far, opened: people keep a size that handles can be told apart at, however small the view."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from small_window import make_small
from window_driver import laid_out, settled, strike, until

from app.document import edits
from app.document.exchange.export import export_bvh
from app.document.model.document import Document
from app.document.model.figure import whole_points
from app.document.posing.create import new_document
from app.window.editor import Editor
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
FRAMES, LEAST_PX = 31, 115  # logical pixels, from joint to joint


def walk(metres: float) -> Document:
    """Somebody who goes so far to the side."""
    document = new_document()
    pose = document.characters[0].pose
    roots = pose.root_position + np.linspace(0, metres, FRAMES)[:, None] * np.array([1, 0, 0])
    return edits.import_motion("c1", Motion(roots, np.repeat(pose.rotations[None], FRAMES, axis=0), 30.0))(document)


def tall(editor: Editor) -> float:
    """How tall the active person is in the view, logical pixels."""
    assert editor.session.active is not None
    pixels = editor.viewport.final_view.project(whole_points(editor.session.active))
    return float(np.ptp(pixels[:, 1]))


def ends_in_view(editor: Editor) -> bool:
    """Whether the pelvis is seen at the motion's last frame."""
    actor, view = editor.session.history.document.actor("c1"), editor.viewport.final_view
    x, y = view.project(actor.at(FRAMES - 1).pose.root_position)
    return 0 < x < view.width and 0 < y < view.height


def opened(editor: Editor, path: Path) -> float:
    editor.session.history.mark_saved()
    editor.files.open_path(path)
    until(lambda: not editor.jobs.busy)
    assert editor.session.active is not None
    assert len(editor.session.active.clip) == FRAMES
    settled(editor.session)
    editor.refresh()
    laid_out()
    return tall(editor)


@pytest.mark.parametrize(("metres", "all_in_view"), [(1.5, True), (4.5, False)])
def test_all_of_a_way_is_in_a_small_view_as_long_as_people_can_be_told_from_their_handles(
    editor: Editor, metres: float, all_in_view: bool, tmp_path: Path
) -> None:
    (path,) = export_bvh(tmp_path / "walk.bvh", walk(metres).characters, whole_motion=True)
    assert opened(editor, path) > LEAST_PX
    assert ends_in_view(editor)
    make_small(editor)
    small = opened(editor, path)
    assert small > LEAST_PX
    assert ends_in_view(editor) == all_in_view
    if not all_in_view:
        strike(editor, Qt.Key.Key_F)
        assert small > 0.95 * tall(editor), "it fills the view"
