"""The whole window: its commands, files, questions, recovery, messages and its end."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QWidget
from window_driver import activated, answer_once_shown, settled, until

from app.dialogs import messages
from app.dialogs.export_dialog import ExportChoice
from app.dialogs.message_dialog import MessageDialog
from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.scene_file.io import load_scene, save_scene
from app.look.mnemonics import unmarked
from app.look.theme import apply_theme, current_theme, style_sheet
from app.services.settings import SettingsStore
from app.window.commands.command_search import CommandSearch
from app.window.commands.posing_commands import KEYMAPS
from app.window.editor import Editor
from app.window.files import Files
from app.window.menus import CLOSES, MENUS, OPENS, TOOLBAR

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
LEFT = Qt.MouseButton.LeftButton
SMALL_SCREEN = 700  # pixels


def test_every_command_has_a_title_and_a_shortcut_of_its_own(editor: Editor) -> None:
    commands = editor.actions.commands.values()
    assert all(c.title.strip() for c in commands)
    keys = [QKeySequence(s).toString() for c in commands for s in c.shortcuts]
    assert "" not in keys
    assert sorted({k for k in keys if keys.count(k) > 1}) == []


@pytest.mark.parametrize("keymap", KEYMAPS)
def test_no_keymap_takes_a_key_twice(editor: Editor, keymap: str) -> None:
    posing = {c.id: c for c in editor.posing.commands(keymap)}
    every = [posing.get(id, c) for id, c in editor.actions.commands.items()]
    keys = [QKeySequence(s).toString() for c in every for s in c.shortcuts]
    assert len(keys) == len(set(keys))


def test_menus_and_toolbar_name_commands_that_exist(editor: Editor) -> None:
    named = [id for _, ids in MENUS for id in ids] + list(TOOLBAR)
    extra = {"-", "recent", "stretch", CLOSES}
    named = [id for id in named if id not in extra and not id.startswith(OPENS)]
    assert [id for id in named if id not in editor.actions.commands] == []


def test_every_menu_fits_in_one_column_on_a_small_screen(editor: Editor) -> None:
    bar = editor.window.menuBar()
    for entry in bar.actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        assert menu.sizeHint().height() < SMALL_SCREEN, entry.text()
    view = next(entry.menu() for entry in bar.actions() if unmarked(entry.text()) == "View")
    assert isinstance(view, QMenu)
    lens = next(entry.menu() for entry in view.actions() if entry.text() == "Lens")
    assert isinstance(lens, QMenu)
    QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(view.menuAction()).center())
    until(view.isVisible)
    QTest.mouseClick(view, LEFT, pos=view.actionGeometry(lens.menuAction()).center())
    until(lens.isVisible)
    before = editor.viewport.camera
    QTest.mouseClick(lens, LEFT, pos=lens.actionGeometry(editor.actions["view.lens85"]).center())
    until(lambda: editor.viewport.camera != before)


def test_every_toolbar_button_has_an_icon_and_a_tip(editor: Editor) -> None:
    for id in TOOLBAR:
        if id not in ("-", "stretch"):
            assert not editor.actions[id].icon().isNull(), id
            assert editor.actions[id].toolTip(), id


def test_undo_says_what_it_takes_back_and_the_title_shows_unsaved_changes(editor: Editor, tmp_path: Path) -> None:
    editor.session.edit("Rename person", edits.rename_character("c1", "Ada"))
    editor.refresh()
    assert editor.actions["edit.undo"].text() == "Undo rename person"
    assert editor.window.isWindowModified()
    editor.actions["edit.undo"].trigger()
    editor.refresh()
    assert not editor.window.isWindowModified()
    assert editor.actions["edit.redo"].text() == "Redo rename person"


def test_save_and_open_again(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scene.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    assert editor.files.save()
    assert not editor.session.history.dirty
    assert load_scene(path).characters[0].name == "Ada"
    editor.files.new()
    assert editor.session.document.characters[0].name != "Ada"
    editor.files.open_path(path)
    until(lambda: editor.session.document.characters[0].name == "Ada")
    assert editor.session.path == path
    assert str(path) in editor.settings.values.recent
    editor.refresh()
    assert "scene.json" in editor.window.windowTitle()


def test_a_file_that_cannot_be_opened_leaves_everything(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    before = editor.session.document
    bad = tmp_path / "broken.json"
    bad.write_text('{"format": "contrapposto-scene", "version": 1, "characters": [{}]}', encoding="utf-8")
    editor.files.open_path(bad)
    until(lambda: bool(said))
    assert "broken.json" in said[0]
    assert "Traceback" not in said[0]
    assert editor.session.document is before
    assert editor.session.history.dirty


@pytest.mark.slow
def test_a_dropped_scene_opens(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "dropped.json"
    save_scene(path, edits.rename_character("c1", "Dropped")(editor.session.document))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    elsewhere = QWidget()  # where the file comes from
    elsewhere.show()
    activated(elsewhere)
    editor.window.dropEvent(drop)
    until(lambda: editor.session.document.characters[0].name == "Dropped")
    until(editor.window.isActiveWindow)
    elsewhere.close()


@pytest.mark.parametrize(("answer", "closes"), [(messages.DISCARD, True), (messages.CANCEL, False)])
def test_closing_with_unsaved_changes_asks(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, answer: str, closes: bool
) -> None:
    monkeypatch.setattr(messages, "ask_to_save", lambda _parent, _name, _then: answer)
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    assert editor.window.close() is closes
    assert editor.window.isVisible() is not closes


def test_closing_ends_every_thread(editor: Editor) -> None:
    from window_driver import running_threads

    editor.window.close()
    assert running_threads(editor) == []
    assert not [t for t in threading.enumerate() if t.name == "autosave"]


def test_an_error_nobody_caught_keeps_the_work(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(MessageDialog, "exec", lambda dialog: shown.append(dialog.more.text()))
    editor.session.edit("Rename", edits.rename_character("c1", "Kept"))
    try:
        raise ZeroDivisionError("a bug")
    except ZeroDivisionError as error:
        editor.emergency(type(error), error, error.__traceback__)
    assert str(editor.autosave.file) in shown[0]
    assert load_scene(editor.autosave.file).characters[0].name == "Kept"


@pytest.mark.slow
def test_exports_write_files(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import app.window.export_imports as module

    files: Files = editor.files
    for format in ("bvh", "json", "npz", "png", "glb", "obj", "stl"):
        chosen = ExportChoice(format, "smpl", "m", False, False, False, (320, 200), True)
        path = tmp_path / f"out.{format}"

        class SolveQuery:
            asked = chosen

            def __init__(self, *_: object) -> None: ...

            def exec(self) -> object:
                return QDialog.DialogCode.Accepted

            def deleteLater(self) -> None: ...  # noqa: N802

            def turn_to(self, format: str) -> None: ...

            def choice(self) -> ExportChoice:
                return self.asked

        monkeypatch.setattr(module, "ExportDialog", SolveQuery)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, path=path: (str(path), ""))
        files.exports.begin(format)
        until(lambda: not editor.jobs.busy)
        assert path.stat().st_size > 100, format
        if format == "png":
            from PIL import Image

            picture = np.asarray(Image.open(path))
            assert picture.shape == (200, 320, 4)
            assert picture[0, 0, 3] == 0
            assert (picture[..., 3] == 255).sum() > 500


@pytest.mark.slow
def test_the_command_search_finds_by_letters_and_runs(editor: Editor) -> None:
    search = CommandSearch(editor.actions, editor.window)
    search.field.setText("mirror")
    first = search.list.topLevelItem(0)
    assert first is not None
    assert first.text(0) == "Mirror pose", "those that have the word in their title come first"
    search.field.setText("mirror pose")
    assert search.list.topLevelItemCount() == 1
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert editor.session.history.undo_text == "Mirror pose"
    search.deleteLater()


@pytest.mark.slow
def test_copy_and_paste_flipped(editor: Editor) -> None:
    def height(joint: str) -> float:
        active = editor.session.active
        return float(joints_of(active).positions[skeleton_of(active).index(joint)][1])

    hand = next(e for e in editor.session.active.effectors if e.joint == "left_wrist")
    target = hand.target + np.array([0.1, 0.3, 0.1], np.float32)
    move = edits.chain(edits.make_strict("c1", ["e2"]), edits.set_target("c1", hand.id, target))
    editor.session.edit("Move", move, solve=True)
    settled(editor.session)
    left, right = height("left_wrist"), height("right_wrist")
    assert left > right + 0.1
    editor.actions["edit.copy"].trigger()
    editor.refresh()
    editor.actions["edit.paste_flipped"].trigger()
    assert (height("left_wrist"), height("right_wrist")) == pytest.approx((right, left), abs=0.01)


@pytest.mark.slow
def test_theme_and_navigation_follow_the_settings(editor: Editor, store: SettingsStore) -> None:
    from app.look.theme import current_theme

    editor.actions["view.light"].trigger()
    assert store.values.theme == "light"
    assert current_theme().id == "light"
    assert editor.viewport.theme.name == "light"
    store.set(navigation="maya")
    assert editor.viewport.navigation.title.startswith("Maya")
    store.set(theme="dark")


@pytest.mark.slow
def test_standard_views_and_framing(editor: Editor) -> None:
    editor.session_view.moves.standard("front")
    until(lambda: getattr(editor.viewport.camera, "yaw", 1.0) == 0.0)
    editor.session_view.moves.toggle_flat()
    assert not editor.session_view.moves.is_flat()
    editor.session.select("c1", joints=["head"])
    far = editor.viewport.camera.distance
    editor.session_view.frame_selected()
    until(lambda: editor.viewport.camera.distance < 0.7 * far)


def test_hints_and_facts_show(editor: Editor) -> None:
    editor.refresh()
    assert "Drag a handle" in editor.window.hint.text()
    until(lambda: editor.window.status.facts["device"].text().startswith("CPU"))
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    editor.refresh()
    assert editor.window.hint.text() == ""


def test_the_status_line_names_no_worst_effector_while_all_are_met(editor: Editor) -> None:
    worst = editor.window.status.facts["worst"]
    settled(editor.session)
    editor.refresh()
    assert worst.text() == "All effectors met"
    ankle = next(e.id for c in editor.session.document.characters for e in c.effectors if e.joint == "left_ankle")
    editor.session.edit("Too high", edits.set_target("c1", ankle, np.float32([0.1, 3.0, 0.0])), solve=True)
    settled(editor.session)
    editor.refresh()
    assert worst.text().startswith("Worst effector ")


def test_the_question_before_closing_answers_with_its_buttons(editor: Editor) -> None:
    for answer in (messages.SAVE, messages.DISCARD, messages.CANCEL):

        def press(dialog: MessageDialog, answer: str = answer) -> None:
            button = next(button for button in dialog.buttons.buttons() if button.text().replace("&", "") == answer)
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)

        answer_once_shown(MessageDialog, press)
        assert messages.ask_to_save(editor.window, "this scene") == answer


def test_on_a_low_screen_every_menu_hangs_below_its_bar(editor: Editor, qapp: QApplication) -> None:
    """One that does not fit comes over the bar: whoever went on to the next menu chose “Add a person” there."""
    screen, bar = 614, editor.window.menuBar()  # of 1366 x 768 at 125%
    menus = [action.menu() for action in bar.actions()]
    heights = [menu.sizeHint().height() for menu in menus]
    qapp.setStyleSheet(style_sheet(current_theme(), screen))
    try:
        low = [menu.sizeHint().height() for menu in menus]
    finally:
        apply_theme(qapp, current_theme())
    assert max(heights) > screen - bar.height(), "else nothing is tested"
    assert max(low) <= screen - bar.height()
