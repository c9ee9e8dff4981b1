"""Views of one's own: kept in the scene by a key, gone to by another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from window_driver import strike, until

from app.document.edits.bookmarks import keep_bookmark
from app.document.model.bookmark import SLOTS, Bookmark
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, read_scene_text, save_scene, scene_text
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.errors import InputRefused

KEY, HELD = Qt.Key, Qt.KeyboardModifier
DIGITS = {2: KEY.Key_2, 4: KEY.Key_4, 6: KEY.Key_6, 8: KEY.Key_8}
VIEW = Bookmark(4, (0.1, 1.2, -0.3), 2.5, 0.4, 0.2, 0.6, True)


def there(editor: Editor, camera: OrbitCamera) -> bool:
    now = editor.viewport.camera
    assert isinstance(now, OrbitCamera)
    return now.target == pytest.approx(camera.target, abs=1e-6) and now == replace(camera, target=now.target)


@pytest.mark.sweep
@pytest.mark.gl
@pytest.mark.parametrize("slot", SLOTS)
def test_ctrl_and_a_digit_keeps_a_view_and_the_digit_goes_to_it(editor: Editor, slot: int) -> None:
    kept = editor.session_view.moves.orbit_camera()
    strike(editor, DIGITS[slot], HELD.ControlModifier)
    assert [each.slot for each in editor.session.document.bookmarks] == [slot]
    assert editor.session.history.steps() == (f"Keep view {slot}",)
    strike(editor, KEY.Key_1)
    until(lambda: editor.viewport.final_view.camera == editor.viewport.camera != kept)
    strike(editor, DIGITS[slot])
    until(lambda: there(editor, kept))
    strike(editor, KEY.Key_Z, HELD.AltModifier)
    until(lambda: not there(editor, kept))
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert editor.session.document.bookmarks == (), "undo takes the keeping back"


@pytest.mark.gl
def test_a_digit_without_a_view_says_how_to_keep_one(editor: Editor) -> None:
    before = editor.viewport.final_view.camera
    strike(editor, KEY.Key_6)
    assert editor.viewport.final_view.camera == before
    assert "Ctrl+6" in editor.window.status.notices.shown


@pytest.mark.gl
def test_a_view_kept_again_replaces_the_old_one(editor: Editor) -> None:
    strike(editor, KEY.Key_2, HELD.ControlModifier)
    editor.viewport.set_camera(OrbitCamera(distance=7.0))
    strike(editor, KEY.Key_2, HELD.ControlModifier)
    (kept,) = editor.session.document.bookmarks
    assert kept.distance == 7.0
    strike(editor, KEY.Key_2, HELD.ControlModifier)
    assert len(editor.session.history.steps()) == 2, "the same view once more is no step"


def test_bookmarks_are_in_the_order_of_their_numbers_whenever_they_were_kept() -> None:
    document = Document()
    for slot in (8, 2, 6):
        document = keep_bookmark(replace(VIEW, slot=slot))(document)
    assert [each.slot for each in document.bookmarks] == [2, 6, 8]
    with pytest.raises(ValueError, match="2, 4, 6, 8"):
        replace(VIEW, slot=3)


def test_a_scene_keeps_its_views_and_an_older_one_has_none(tmp_path: Path) -> None:
    document = keep_bookmark(VIEW)(new_document())
    save_scene(tmp_path / "scene.json", document)
    assert load_scene(tmp_path / "scene.json").bookmarks == (VIEW,)
    before = scene_text(new_document(), tmp_path)
    assert "bookmarks" not in json.loads(before)
    assert read_scene_text(before, tmp_path / "scene.json").bookmarks == ()


@pytest.mark.parametrize("slots", [(3,), (4, 4)])
def test_a_number_that_no_view_has_or_two_have_is_refused_with_the_place(tmp_path: Path, slots: tuple[int]) -> None:
    scene = json.loads(scene_text(keep_bookmark(VIEW)(new_document()), tmp_path))
    scene["bookmarks"] = [{**scene["bookmarks"][0], "slot": slot} for slot in slots]
    with pytest.raises(InputRefused, match="bookmarks"):
        read_scene_text(json.dumps(scene), tmp_path / "scene.json")
