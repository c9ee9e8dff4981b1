"""What an export begins with: the format of the last one, and a file name that every system allows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from dialog_driver import answering, button, export_or_cancel, key
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton
from sample_files import CLIPS
from trackers_driver import choose
from window_driver import strike, until

from app.dialogs import messages
from app.dialogs.export_dialog import ExportChoice, ExportDialog
from app.dialogs.message_dialog import MessageDialog
from app.document import edits
from app.services.settings import EXPORTED, SettingsStore
from app.window.editor import Editor
from app.window.exporting import export, files_of

pytestmark = pytest.mark.gl

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


class Exports:
    """Ctrl+E as often as is wanted. offered, folders: what the file dialog began with. typed: its answer, after which
    it is cancelled."""

    def __init__(self, editor: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.editor, self.offered, self.typed = editor, list[str](), str(folder / "out.bvh")
        self.folders: list[Path] = []
        self._named = False
        monkeypatch.setattr("app.window.files.QFileDialog.getSaveFileName", self._name)

    def _name(self, _parent: object, _title: str, start: str, *_: object) -> tuple[str, str]:
        self.offered.append(Path(start).name)
        self.folders.append(Path(start).parent)
        named, self._named = self._named, True
        return "" if named else self.typed, ""

    def __call__(self, page: str = "", mesh: str = "", only: bool = False, end: str = "Export…") -> str:
        """Choose what is named in the dialog; return the format that it began with."""
        began: list[str] = []
        self._named = False

        def answer(dialog: ExportDialog) -> None:
            until(dialog.isActiveWindow)
            began.append(dialog.choice().format)
            if page:
                QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == page), LEFT)
            if mesh:
                choose(dialog.mesh, mesh)
            if only:
                QTest.keyClick(dialog.findChild(QCheckBox) and dialog.only_active, Qt.Key.Key_Space)
            (export_or_cancel if end == "Export…" else button(end))(dialog)

        with answering(answer, kind=ExportDialog):
            strike(self.editor, Qt.Key.Key_E, CONTROL)
        until(lambda: not self.editor.jobs.busy)
        return began[0]


@pytest.fixture
def exports(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Exports:
    folder = tmp_path / "out"
    folder.mkdir()
    return Exports(editor, folder, monkeypatch)


@pytest.mark.slow
def test_the_next_export_begins_with_the_format_of_the_last(exports: Exports, store: SettingsStore) -> None:
    exports.typed = ""
    assert exports("Mesh", "stl") == "bvh"
    assert exports("Pose JSON", end="Cancel") == "stl", "a dialog that was cancelled changes nothing"
    assert exports("Picture") == "stl"
    assert exports() == "png"
    file = QSettings(store._store.fileName(), QSettings.Format.IniFormat)
    assert SettingsStore(file).values.export_format == "png", "the next session begins with it too"


@pytest.mark.slow
def test_the_next_export_begins_in_the_folder_of_the_last(exports: Exports, editor: Editor, tmp_path: Path) -> None:
    editor.files._save_to(tmp_path / "scene.json")
    exports()
    exports.typed = ""
    exports()
    exports()
    assert exports.folders == [tmp_path, tmp_path / "out", tmp_path / "out"]


def test_every_format_of_the_dialog_can_be_remembered(store: SettingsStore) -> None:
    from app.document.exchange.export import FORMATS

    assert set(EXPORTED) == {*FORMATS, "own"}, "own: onto the user's own character"


def test_a_menu_item_of_one_format_opens_at_that_one(exports: Exports, editor: Editor, store: SettingsStore) -> None:
    store.set(export_format="obj")
    began: list[str] = []

    def look(dialog: ExportDialog) -> None:
        began.append(dialog.choice().format)
        button("Cancel")(dialog)

    for name in ("file.export_bvh", "file.export_mesh"):
        with answering(look, kind=ExportDialog):
            editor.actions[name].trigger()
    assert began == ["bvh", "obj"]


@pytest.mark.slow
def test_an_export_is_offered_the_name_of_the_scene_or_of_who_is_in_it(
    exports: Exports, editor: Editor, tmp_path: Path
) -> None:
    exports.typed = ""
    editor.session.edit("Rename", edits.rename_character("c1", "Ada: 1/2"))
    exports()
    editor.posing.add_person()
    exports()
    editor.session.edit("Rename", edits.rename_character(editor.session.active.id, "Con.x"))  # type: ignore[union-attr]
    exports(only=True)
    editor.files._save_to(tmp_path / "two dancers.json")
    exports("Picture")
    assert exports.offered == ["Ada 1 2.bvh", "scene.bvh", "Con_.x.bvh", "two dancers.png"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("answer", "written"),
    [(messages.BETTER_NAME, "aux_.x.bvh"), (messages.THIS_NAME, "aux.x.bvh"), (messages.CANCEL, None)],
)
def test_a_name_that_windows_does_not_allow_is_asked_about(
    exports: Exports, tmp_path: Path, answer: str, written: str | None
) -> None:
    exports.typed = str(tmp_path / "out" / "aux.x")
    said: list[str] = []

    def reply(dialog: MessageDialog) -> None:
        said.append(dialog.text.text())
        button(answer)(dialog)

    with answering(reply, kind=MessageDialog):
        exports("BVH")
    assert said == ["On Windows no file can be called “aux.x.bvh”."]
    assert [file.name for file in (tmp_path / "out").iterdir()] == [written] * bool(written)


@pytest.mark.parametrize(("name", "why"), [("n" * 253, "the name is too long"), ("poses", "it is a folder")])
def test_a_name_that_no_file_can_have_is_refused_with_the_reason_and_replaces_nothing(
    exports: Exports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    (tmp_path / "out" / "poses.bvh").mkdir()
    exports.typed, said = str(tmp_path / "out" / name), list[str]()
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    exports("BVH")
    assert len(said) == 1
    assert f"{name}.bvh cannot be written: {why}. Nothing was written." in said[0]
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["poses.bvh"]


@pytest.mark.parametrize(("key", "left"), [(Qt.Key.Key_Return, "mine"), (Qt.Key.Key_R, "HIERARCHY")])
def test_return_keeps_the_file_that_is_there_and_a_letter_replaces_it(
    exports: Exports, tmp_path: Path, key: Qt.Key, left: str
) -> None:
    there = tmp_path / "out" / "walk 1.2.bvh"
    there.write_text("mine", encoding="utf-8")
    exports.typed = str(there.with_suffix(""))
    with answering(lambda dialog: QTest.keyClick(dialog, key), kind=MessageDialog):
        exports("BVH")
    assert there.read_text(encoding="utf-8").startswith(left)


def test_a_name_that_ends_as_another_format_turns_the_dialog_to_that_one_which_then_is_offered_the_name(
    exports: Exports, tmp_path: Path
) -> None:
    exports.typed, said, pages = str(tmp_path / "out" / "take.stl"), list[str](), list[str]()

    def reply(dialog: MessageDialog) -> None:
        said.append(dialog.text.text())
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    def look(dialog: ExportDialog) -> None:
        def once_back() -> None:
            if dialog.isVisible():
                pages.append(dialog.choice().format)
                (button("Export…") if len(pages) == 1 else key(Qt.Key.Key_Escape))(dialog)

        button("Export…")(dialog)
        back = QTimer(dialog)
        back.timeout.connect(once_back)
        back.start(10)

    with answering(reply, kind=MessageDialog), answering(look, kind=ExportDialog):
        strike(exports.editor, Qt.Key.Key_E, CONTROL)
    assert said == ["“take.stl” ends as STL files do, but BVH was chosen."]
    assert pages == ["stl", "stl"]
    assert exports.offered[1:] == ["take.stl"]


def test_a_name_that_ends_as_another_format_can_be_changed_and_replaces_nothing_unasked(
    exports: Exports, tmp_path: Path
) -> None:
    there = tmp_path / "out" / "take.bvh"
    there.write_text("mine", encoding="utf-8")
    exports.typed, said = str(there.with_suffix(".mp4")), list[str]()

    def reply(dialog: MessageDialog) -> None:
        said.append(dialog.text.text())
        button(messages.BETTER_NAME if len(said) == 1 else messages.REPLACE)(dialog)

    with answering(reply, reply, kind=MessageDialog):
        exports("BVH")
    assert said[1:] == ["“take.bvh” exists already."]
    assert there.read_text(encoding="utf-8").startswith("HIERARCHY")
    assert [file.name for file in there.parent.iterdir()] == ["take.bvh"]


def test_a_scene_too_is_asked_about_before_it_is_saved(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.window.files.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "a:b.json"), ""))
    with answering(button(messages.BETTER_NAME), kind=MessageDialog):
        strike(editor, Qt.Key.Key_S, CONTROL)
    assert editor.session.path == tmp_path / "a b.json"


def test_the_motion_that_a_person_came_from_is_not_offered_to_be_overwritten(
    exports: Exports, editor: Editor, tmp_path: Path
) -> None:
    walk = tmp_path / "walk.bvh"
    shutil.copy(CLIPS / "reach.bvh", walk)
    editor.files.open_path(walk)
    until(lambda: not editor.jobs.busy and bool(editor.session.history.steps()))
    exports.typed = ""
    exports("BVH")
    exports("Pose JSON")
    assert exports.offered == ["walk_export.bvh", "walk.json"]
    editor.session.history.mark_saved()


def test_the_dialog_says_what_the_files_of_several_people_will_be_called(exports: Exports, editor: Editor) -> None:
    exports.typed = ""
    said: list[str] = []

    def look(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        for _ in range(2):
            said.append(dialog.hint.text())
            QTest.keyClick(dialog.only_active, Qt.Key.Key_Space)
        button("Cancel")(dialog)

    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    editor.posing.add_person()
    with answering(look, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)
    assert said[0].endswith("One file for each person: name_Ada.bvh, name_Person 2.bvh.")
    assert "name_" not in said[1], "of only one of them"


@pytest.mark.parametrize("alone", [False, True])
def test_two_people_get_a_file_each_unless_one_is_exported_alone(editor: Editor, tmp_path: Path, alone: bool) -> None:
    editor.posing.add_person()
    choice = ExportChoice("bvh", "smpl", "m", alone, False, False, (320, 240), True)
    session, target = editor.session, tmp_path / "a.bvh"
    files = files_of(session.document, choice, target)
    assert [file.name for file in files] == (["a.bvh"] if alone else ["a_Person 1.bvh", "a_Person 2.bvh"])
    assert export(session.document, session.active, choice, target, editor.session_view) == files
    assert sorted(tmp_path.glob("*.bvh")) == files
