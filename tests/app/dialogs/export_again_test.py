"""A file that cannot be written, or is to stay: the dialog for its name comes back with what was typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dialog_driver import answering, button, export_or_cancel, naming
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton
from window_driver import strike, until

from app.dialogs import messages
from app.dialogs.export_dialog import ExportDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
TOO_LONG = "n" * 253


def typed(dialog: QFileDialog) -> QLineEdit:
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert field is not None
    return field


def typing(name: str, seen: list[str]) -> Callable[[QFileDialog], None]:
    """Notes what the dialog begins with, and types another name over it."""

    def do(dialog: QFileDialog) -> None:
        field = typed(dialog)
        seen.append(field.text())
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, name)
        QTest.keyClick(field, Qt.Key.Key_Return)

    return do


def page(title: str) -> Callable[[ExportDialog], None]:
    def do(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == title), LEFT)
        export_or_cancel(dialog)

    return do


@pytest.mark.slow
@pytest.mark.parametrize(("title", "kind"), [("Pose JSON", "json"), ("Mesh", "glb")], ids=["at once", "in a job"])
def test_after_a_name_that_cannot_be_written_the_dialog_comes_back_with_it(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str, kind: str
) -> None:
    editor.files._save_to(tmp_path / "dance.json")
    seen, said = list[str](), list[str]()
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    with answering(page(title), typing(TOO_LONG, seen), typing("short", seen)):
        strike(editor, Qt.Key.Key_E, CONTROL)
        until(lambda: len(seen) == 2 and not editor.jobs.busy)
    assert seen == ["dance_export.json" if kind == "json" else f"dance.{kind}", TOO_LONG]
    assert "the name is too long" in said[0]
    assert (tmp_path / f"short.{kind}").exists()


def test_after_a_scene_s_name_that_cannot_be_written_the_dialog_comes_back_until_it_is_cancelled(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "refuse", lambda _parent, _text: None)
    begun = naming(monkeypatch, tmp_path / TOO_LONG, tmp_path / "gone" / "a")
    strike(editor, Qt.Key.Key_S, CONTROL)
    assert begun[1:] == [str(tmp_path / TOO_LONG), str(tmp_path / "gone" / "a")]
    assert editor.session.path is None


def test_a_file_that_is_to_stay_brings_the_dialog_back(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "walk.json").write_text("mine", encoding="utf-8")
    begun = naming(monkeypatch, tmp_path / "walk", tmp_path / "run")
    with answering(page("Pose JSON"), button("Cancel")):
        strike(editor, Qt.Key.Key_E, CONTROL)
    assert begun[1] == str(tmp_path / "walk")
    assert (tmp_path / "walk.json").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "run.json").exists()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "written"),
    [("t.", "t.json"), ("t . ", "t.json"), ("walk 1.2.", "walk 1.2.json"), (".json", "Person 1.json"),
     (".bvh", "Person 1.json"), ("…", "….json"), ("...", "Person 1.json"), (".mine", ".mine.json")],
)  # fmt: skip
def test_dots_at_the_end_of_a_name_go_and_a_suffix_alone_is_added_to_the_name_that_was_offered(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, written: str
) -> None:
    (tmp_path / "out").mkdir()
    naming(monkeypatch, f"{tmp_path}/out/{name}")
    with answering(page("Pose JSON")):
        strike(editor, Qt.Key.Key_E, CONTROL)
    assert [file.name for file in (tmp_path / "out").iterdir()] == [written]


def test_cancel_in_the_dialog_for_the_name_goes_back_to_what_was_chosen_and_from_there_out(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, back = naming(monkeypatch), list[str]()  # none is named: each is cancelled

    def cancelled(dialog: ExportDialog) -> None:
        QTimer.singleShot(0, lambda: come_back(dialog))
        page("Pose JSON")(dialog)

    def come_back(dialog: ExportDialog) -> None:
        assert dialog.isVisible()
        back.append(dialog.format.current())
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    with answering(cancelled):
        strike(editor, Qt.Key.Key_E, CONTROL)
    assert (len(named), back) == (1, ["json"])
