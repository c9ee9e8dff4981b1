"""Exports of a motion whose in-betweens are still unsolved: they are solved first, and Cancel leaves the old file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from export_driver import exported, typed
from motion_samples import look_at_frame, strolling
from PIL import Image, ImageSequence
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import active, settled, strike, until

from app.dialogs import messages
from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def left_unsolved(editor: Editor) -> Editor:
    """Somebody walks, an arm was raised at one frame, and the user cancelled what solves the frames around it."""
    session = editor.session
    session.edit("Walk", edits.import_motion("c1", strolling()))
    look_at_frame(session, "c1", 30)

    def stop(title: str) -> None:
        if title.startswith("Solving between"):
            editor.jobs.cancel()

    editor.jobs.started.connect(stop)
    wrist = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    raised = edits.set_target("c1", wrist.id, wrist.target + np.array([0, 0.4, 0.2], np.float32))  # type: ignore[attr-defined]
    session.edit("Raise", edits.chain(edits.make_strict("c1", [wrist.id]), raised), solve=True)
    settled(session)
    until(lambda: not editor.jobs.busy and "Not solved" in editor.window.status.notices.shown)
    editor.jobs.started.disconnect(stop)
    assert editor.in_betweens.missing("c1")
    return editor


def small_gif(dialog: ExportDialog) -> None:
    film = dialog.film
    film.file.setFocus()
    QTest.keyClick(film.file, Qt.Key.Key_End)
    assert film.kind() == "gif"
    QTest.mouseClick(film.whole, LEFT, pos=QPoint(8, film.whole.height() // 2))  # the camera stays
    typed(film.fps, 5)
    typed(film.width_px, 160)


def images_of(file: Path) -> np.ndarray:
    with Image.open(file) as film:
        return np.stack([np.asarray(image.convert("RGB")) for image in ImageSequence.Iterator(film)])


@pytest.mark.slow
def test_a_film_has_its_in_betweens_solved_first(
    left_unsolved: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = left_unsolved
    told: list[str] = []
    editor.jobs.progressed.connect(lambda _share, text: told.append(text))
    exported(editor, "Film", tmp_path / "before.gif", monkeypatch, small_gif)
    assert told[0].startswith("Solving between keys, frame ")
    assert editor.in_betweens.missing("c1"), "the document is as it was"
    editor.in_betweens.again()
    until(lambda: not editor.jobs.busy and not editor.in_betweens.missing("c1"))
    exported(editor, "Film", tmp_path / "after.gif", monkeypatch, small_gif)
    before, after = images_of(tmp_path / "before.gif"), images_of(tmp_path / "after.gif")
    assert len(after) == 10
    assert np.array_equal(before, after)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "name"), [("BVH", "a.bvh"), ("Pose JSON", "a.json"), ("SMPL", "a.npz"), ("Mesh", "a.glb")]
)
def test_an_export_that_is_cancelled_while_it_solves_leaves_the_old_file(
    left_unsolved: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, name: str
) -> None:
    editor, target = left_unsolved, tmp_path / name
    target.write_bytes(b"an older file")
    said: list[str] = []
    editor.files.message.connect(said.append)
    editor.jobs.started.connect(lambda _title: QTest.mouseClick(editor.job_bar.cancel, LEFT))
    editor.job_bar.show()
    exported(editor, page, target, monkeypatch)
    assert target.read_bytes() == b"an older file"
    assert said == []


@pytest.mark.slow
@pytest.mark.parametrize("page", ["BVH", "Mesh"])
def test_closing_the_window_while_a_motion_is_solved_for_an_export_asks_first(
    left_unsolved: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    editor, asked = left_unsolved, list[str]()

    def close(_title: str) -> None:
        it_goes_on = lambda _window, name, _idle: asked.append(name)  # noqa: E731
        monkeypatch.setattr(messages, "ask_to_stop_writing", it_goes_on)
        strike(editor, Qt.Key.Key_Q, CONTROL)

    editor.jobs.started.connect(close)
    exported(editor, page, tmp_path / "walk", monkeypatch)
    assert len(asked) == 1
    assert asked[0].startswith("walk.")
    assert (tmp_path / asked[0]).exists()
    assert editor.window.isVisible()
