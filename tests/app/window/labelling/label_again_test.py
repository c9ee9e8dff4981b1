"""Coming back to a picture of a folder, or to the folder: undo, the way of looking, and the folder are still there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import naming
from labelling_driver import at, bar, drag_wrist, label, scene_of, wrist
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from window_driver import press_photo_button, settled, strike, until

from app.dialogs import folder_dialog, messages
from app.document.exchange.label_files import FOLDER
from app.document.scene_file.io import load_scene, save_scene
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from rendering.camera.camera import PhotoView

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = HELD.ControlModifier, HELD.ShiftModifier, HELD.AltModifier


def whole_in_view(editor: Editor) -> bool:
    """Whether the photo and, with it, its copy beside it lie within the view."""
    viewport, camera = editor.viewport, editor.viewport.camera
    assert isinstance(camera, PhotoView)
    wide, tall = viewport.width(), viewport.height()
    left, top, scale = camera.image_rect(wide, tall)
    width, height = scale * camera.lens.image_size[0], scale * camera.lens.image_size[1]
    if editor.session.view.beside:
        if camera.is_stacked(wide, tall):
            top, height = top - 1.02 * height, 2.02 * height
        else:
            left, width = left - 1.02 * width, 2.02 * width
    return left >= -1 and top >= -1 and left + width <= wide + 1 and top + height <= tall + 1


def test_a_drag_can_be_undone_after_the_next_picture_was_opened(begun: Editor, folder: Path) -> None:
    before = wrist(begun.session.document)
    after = drag_wrist(begun, QPoint(30, -60))
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    assert not begun.session.history.steps(), "the next picture has its own"
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    np.testing.assert_allclose(wrist(begun.session.document), after, atol=1e-5)
    assert bar(begun).state.text() == "Checked"
    strike(begun, KEY.Key_Z, CTRL)
    settled(begun.session)
    np.testing.assert_allclose(wrist(begun.session.document), before, atol=1e-5)
    until(lambda: bar(begun).state.text() == "Not checked")
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert label(folder, "a")["checked"] is False
    np.testing.assert_allclose(wrist(load_scene(folder / FOLDER / "a.scene.json")), before, atol=1e-5)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    strike(begun, KEY.Key_Y, CTRL)
    settled(begun.session)
    np.testing.assert_allclose(wrist(begun.session.document), after, atol=1e-5)


@pytest.mark.slow
def test_what_a_solve_found_shows_again_after_the_next_picture_was_opened(begun: Editor) -> None:
    begun.panels.section("Solver").set_open(True)
    drag_wrist(begun, QPoint(200, -300))  # out of reach
    begun.refresh()
    before, found = begun.session.finding, begun.panels.solver.time.text()
    assert any(residual.state == "unreachable" for residual in before.residuals)
    assert found.endswith(("ms", " s"))
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    strike(begun, KEY.Key_Z, CTRL)
    settled(begun.session)
    strike(begun, KEY.Key_Y, CTRL)
    settled(begun.session)
    begun.refresh()
    assert begun.session.finding.residuals == before.residuals
    assert begun.session.finding.memory == before.memory
    assert begun.panels.solver.time.text() == found


@pytest.mark.slow
def test_undo_begins_anew_where_the_scene_was_changed_elsewhere_meanwhile(begun: Editor, folder: Path) -> None:
    drag_wrist(begun, QPoint(30, -60))
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 3)
    scene = folder / FOLDER / "a.scene.json"
    scene.write_text(scene.read_text(encoding="utf-8").replace("Person 1", "Anna"), encoding="utf-8")
    for number in (2, 1):
        strike(begun, KEY.Key_Left, ALT)
        at(begun, number)
    assert begun.session.active is not None
    assert begun.session.active.name == "Anna"
    assert not begun.session.history.steps()


def test_side_by_side_shows_the_next_picture_whole_and_beside_itself(begun: Editor) -> None:
    strike(begun, KEY.Key_S, SHIFT)
    assert whole_in_view(begun)
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert begun.session.view.beside
    assert whole_in_view(begun)
    strike(begun, KEY.Key_S, SHIFT)
    assert not begun.session.view.beside
    assert whole_in_view(begun)


@pytest.mark.slow
def test_how_strongly_bodies_show_goes_on_to_the_next_picture_and_changes_no_label(begun: Editor) -> None:
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    begun.panels.photo.bodies.commit(0.4)
    assert not begun.session.unsaved
    assert bar(begun).state.text() == "Checked"
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert begun.session.view.body_opacity == pytest.approx(0.4)
    assert not begun.session.unsaved
    until(lambda: bar(begun).count.text() == "1 of 3 checked")


def test_a_folder_that_was_left_is_among_the_recent_files_and_where_the_dialog_begins(
    begun: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    strike(begun, KEY.Key_W, CTRL)
    until(lambda: not begun.labels.active)
    notice = begun.window.status.notices.shown
    assert notice == "Labelling stopped: 1 of 3 checked. File › Open recent opens the folder again."
    begun.actions["file.new"].trigger()
    asked: list[str] = []
    monkeypatch.setattr(folder_dialog, "choose_folder", lambda _window, _title, start: asked.append(start) or "")
    begun.actions["file.label"].trigger()
    assert asked == [str(folder)]
    entry = begun.window.recent.actions()[0]
    assert entry.text() == folder.name
    entry.trigger()
    at(begun, 2)
    assert bar(begun).count.text() == "1 of 3 checked"


def test_another_photo_of_the_scene_is_sought_among_the_pictures_not_among_the_labels(
    begun: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun_at: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda _w, _t, start, _f: (begun_at.append(start), ("", ""))[1])
    press_photo_button(begun, "file.add_photo")
    assert begun_at == [str(folder)]


def test_pictures_of_other_kinds_in_the_folder_are_named(editor: Editor, folder: Path) -> None:
    (folder / "IMG_1.HEIC").write_bytes(b"x")
    editor.files.open_path(folder)
    until(lambda: "IMG_1.HEIC skipped" in editor.window.status.notice.text())
    at(editor, 1)


def test_the_command_search_finds_what_labelling_needs_by_that_word(begun: Editor) -> None:
    search = CommandSearch(begun.actions, begun.window)
    QTest.keyClicks(search.field, "label")
    titles = [search.list.topLevelItem(i).text(0) for i in range(search.list.topLevelItemCount())]
    search.deleteLater()
    assert {"Checked, next picture", "Left out, next picture", "Next picture", "Next unchecked picture"} <= {*titles}


def test_a_label_never_takes_the_place_of_the_scene_that_it_is_of(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("RGB", (800, 600), "grey").save(tmp_path / "team.png")
    save_scene(tmp_path / "team.json", scene_of(tmp_path / "team.png"))
    before = (tmp_path / "team.json").read_bytes()
    begun_at = naming(monkeypatch, tmp_path / "team.json")
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _window, text: refused.append(text))
    editor.files.open_path(tmp_path / "team.json")
    until(editor.actions["file.save_label"].isEnabled)
    editor.actions["file.save_label"].trigger()
    assert begun_at == [str(tmp_path / "team_label.json"), str(tmp_path / "team.json")]
    assert "team.json is the scene itself, which the label would replace" in refused[0]
    assert (tmp_path / "team.json").read_bytes() == before


@pytest.mark.slow
def test_a_scene_that_is_changed_without_its_label_has_it_follow_once_the_folder_is_open_again(
    begun: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    begun.files.open_path(folder / FOLDER / "a.scene.json")
    until(lambda: not begun.labels.active and not begun.jobs.busy)
    after = drag_wrist(begun, QPoint(20, -40))
    strike(begun, KEY.Key_S, CTRL)
    until(lambda: not begun.session.unsaved)
    assert label(folder, "a")["checked"] is True, "it knows nothing of the scene"
    begun.labels.open(folder)
    at(begun, 1)
    assert bar(begun).state.text() == "The scene's file was changed after its label was made."
    np.testing.assert_allclose(wrist(begun.session.document), after, atol=1e-5)
    assert bar(begun).count.text() == "0 of 3 checked"
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    found = label(folder, "a")
    assert found["checked"] is False
    place = found["joint_names"].index("left_wrist")
    np.testing.assert_allclose(found["people"][0]["joints_3d_world"][place], after, atol=1e-5)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    assert bar(begun).state.text() == "Not checked"
