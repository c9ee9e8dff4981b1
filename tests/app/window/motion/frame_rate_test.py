"""The frame rate of what was keyed by hand: another can be chosen, and a motion from a file keeps its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse, frame_of, gliding, keys_of
from window_driver import ViewMouse, active, choosing, laid_out, place_of, settled, until

from app.document import edits
from app.document.exchange.export import export_bvh
from app.window.editor import Editor
from solver.errors import PoserError

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def test_a_person_posed_over_time_gets_another_rate_and_keys_stay_on_their_frames(editor: Editor, tmp_path) -> None:  # type: ignore[no-untyped-def]
    command = editor.actions["time.rate"]
    editor.refresh()
    assert not command.isEnabled(), "a still pose has no rate"
    QTest.mouseClick(editor.panels.timeline.animate[1], LEFT)
    editor.session.edit("Key", edits.set_key("c1", 60))
    editor.refresh()
    laid_out()
    assert command.isEnabled()
    assert "30" in command.text()
    choosing("24 frames a second")
    command.trigger()
    editor.refresh()
    clip = active(editor).clip
    assert (clip.fps, len(clip), [key.frame for key in clip.keys]) == (24.0, 120, [0, 60])
    assert "24" in command.text()
    assert editor.session.history.undo_text == "Frame rate 24"
    export_bvh(tmp_path / "out.bvh", editor.session.document.characters, whole_motion=True)
    assert "Frame Time: 0.041667" in (tmp_path / "out.bvh").read_text()
    editor.session.undo()
    assert active(editor).clip.fps == 30.0


def test_with_another_rate_the_playhead_stays_at_the_frame_so_that_a_drag_poses_what_is_seen(editor: Editor) -> None:
    QTest.mouseClick(editor.panels.timeline.animate[1], LEFT)
    editor.refresh()
    laid_out()
    time, mouse = TimelineMouse(editor), ViewMouse(editor)
    time.to_frame(60)
    choosing("60 frames a second")
    editor.actions["time.rate"].trigger()
    editor.refresh()
    assert (editor.panels.timeline.player.frame, frame_of(editor)) == (60, 60)
    time.to_frame(90)
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(0, -30))
    settled(editor.session)
    assert keys_of(editor) == [0, 90]
    for _ in range(2):
        time.strike(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor).clip.fps == 30.0
    assert editor.panels.timeline.player.frame == frame_of(editor)


def test_a_motion_from_a_file_keeps_its_rate(editor: Editor) -> None:
    editor.session.edit("Import", edits.import_motion("c1", gliding(active(editor), 20)))
    editor.refresh()
    assert not editor.actions["time.rate"].isEnabled()
    with pytest.raises(PoserError, match="which cannot be changed"):
        edits.set_clip_rate("c1", 12.0)(editor.session.document)


def test_a_pose_that_was_exported_and_opened_again_can_be_animated(editor: Editor, tmp_path: Path) -> None:
    (file,) = export_bvh(tmp_path / "still.bvh", editor.session.document.characters)
    editor.files.open_path(file)
    until(lambda: not editor.jobs.busy and active(editor).name == "still")
    editor.refresh()
    until(editor.panels.timeline.animate[1].isVisible)
    shown = active(editor).pose
    QTest.mouseClick(editor.panels.timeline.animate[1], LEFT)
    until(lambda: len(active(editor).clip) == 120)
    assert active(editor).pose == shown
    editor.refresh()
    TimelineMouse(editor).to_frame(60)
    editor.session.edit("Key", edits.set_key(active(editor).id, 60))
    assert keys_of(editor, active(editor).id) == [0, 60]
