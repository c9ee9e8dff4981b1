"""Text from files is shown as it stands: nothing in it is taken for markup, for a key or for a page to read."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from copies import copy_of
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip, QWidget
from window_driver import settled, until

from app.dialogs.export_dialog import ExportDialog
from app.dialogs.message_dialog import MessageDialog
from app.dialogs.messages import refuse
from app.document import edits
from app.document.scene_file.io import save_scene
from app.panels.widgets.external_text import escaped, shortened, window_title, with_line_breaks
from app.services.settings import Settings
from app.window.editor import Editor

ROOT = Path(__file__).resolve().parents[3]
WIDE = 2400  # pixels of a picture that no label may show
PLAIN = Qt.TextFormat.PlainText
NOT_HERE = {  # classes and methods of Qt that understand markup, or ask with boxes that do
    "QTextBrowser", "QTextEdit", "QTextDocument", "QMessageBox", "QErrorMessage", "QInputDialog", "QWhatsThis",
    "QStaticText", "QProgressDialog", "QGraphicsTextItem", "setHtml", "insertHtml", "appendHtml",
    "setWhatsThis", "RichText", "AutoText", "MarkdownText",
}  # fmt: skip
SHOWS_OUR_PAGES = "app/dialogs/manual_page.py"  # of the manual that ships: nothing in them is a user's


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    """A name that shows a wide picture wherever it is taken for markup."""
    picture = QImage(WIDE, 20, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    assert picture.save(str(tmp_path / "wide.png"))
    return f"<img src='file://{tmp_path / 'wide.png'}'><b>R&D</b>[*]"


def wrong_labels(*extra: QWidget) -> list[str]:
    """The labels of all windows, laid out, that take text for markup or are as wide as the picture."""
    QApplication.processEvents()
    labels = {w for w in (*QApplication.allWidgets(), *extra) if isinstance(w, QLabel)}
    wide = [label for label in labels if label.sizeHint().width() >= WIDE]
    return [label.text() for label in labels if label.textFormat() != PLAIN or label in wide]


def shown_tip(widget: QWidget) -> QLabel:
    """The tool tip that the pointer brings up over a widget."""
    place = widget.rect().center()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
    QApplication.processEvents()
    tips = [w for w in QApplication.topLevelWidgets() if w.windowType() == Qt.WindowType.ToolTip and w.isVisible()]
    assert isinstance(tips[0], QLabel)
    return tips[0]


@pytest.mark.usefixtures("unfolded")
@pytest.mark.gl
def test_names_from_files_are_shown_as_they_stand_everywhere(editor: Editor, hostile: str) -> None:
    session, window = editor.session, editor.window
    session.edit("Rename", edits.rename_character("c1", hostile))
    assert session.document.characters[0].name.startswith("<img")
    session.edit(f"Add {hostile}", edits.add_character(copy_of(session.document, "c1")))
    session.path = Path("/tmp") / (hostile.replace("/", "_") + ".json")
    editor.settings.set(recent=(str(session.path), f"/tmp/a\tCtrl+Q\n{'x' * 500}.json"))
    settled(session)  # what is solved later would clear the hint
    until(lambda: editor.service.awake and editor.service.idle())
    editor.refresh()
    editor.panels.solver.refusal.setText(hostile)
    editor.panels.solver.refusal.show()
    editor.panels.photo.name.setText(hostile * 20)
    editor.panels.target.title.setText(hostile)
    window.status.set_facts(worst=hostile, device=hostile)
    window.status.notices.say(hostile, 1000)
    settled(session)
    session.solve_failed.emit(hostile)  # stays in the hint until something is solved
    assert window.hint.text() == hostile
    editor.job_bar.title.setText(hostile)
    dialog = ExportDialog(session, Settings(), (800, 600), "bvh", window)
    dialog.show()
    box = QMessageBox(QMessageBox.Icon.Warning, hostile, hostile, parent=window)  # as Qt's own file dialog asks
    box.setInformativeText(hostile)
    box.show()
    assert wrong_labels() == []
    assert dialog.only_active.text() == f"Only {escaped(session.active.name)}"
    entries = [a.text() for a in window.recent.actions()]
    assert all("&" not in text.replace("&&", "") and "\t" not in text and len(text) < 200 for text in entries)
    assert editor.actions["edit.undo"].text().endswith("R&&D</b>[*]")
    assert window.minimumSizeHint().width() < 1280
    for panel in (editor.panels.solver, editor.panels.photo, editor.panels.people):
        assert panel.minimumSizeHint().width() < 320
    dialog.close()
    box.close()
    window.status.set_facts(worst="", device="")


@pytest.mark.gl
def test_a_tool_tip_shows_a_name_as_it_stands(editor: Editor, hostile: str) -> None:
    editor.session.edit("Rename", edits.rename_character("c1", hostile))
    editor.refresh()
    row = editor.panels.people.rows[0]
    tip = shown_tip(row)
    assert tip.text() == shortened(editor.session.active.name)
    assert tip.textFormat() == PLAIN
    assert tip.width() < WIDE
    QToolTip.hideText()


@pytest.mark.gl
def test_a_scene_with_a_page_for_a_body_is_refused_in_plain_text(
    editor: Editor, hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.dialogs import messages

    monkeypatch.setattr(messages, "refuse", refuse)  # the real box
    path = tmp_path / "scene.json"
    save_scene(path, editor.session.document)
    scene = json.loads(path.read_text(encoding="utf-8"))
    scene["characters"][0]["body"] = hostile
    path.write_text(json.dumps(scene), encoding="utf-8")
    seen: list[list[str]] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, MessageDialog) and dialog.isVisible():
            seen.append([dialog.text.text() + dialog.more.text(), *wrong_labels()])
            assert dialog.width() < 700
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(20)
    editor.files.open_path(path)
    until(lambda: bool(seen))
    timer.stop()
    assert "<img src=" in seen[0][0]
    assert seen[0][1:] == []


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
@pytest.mark.gl
def test_a_page_for_a_solver_or_a_kind_of_effector_is_shown_as_it_stands(
    editor: Editor, hostile: str, tmp_path: Path
) -> None:
    path = tmp_path / "scene.json"
    save_scene(path, editor.session.document)
    scene = json.loads(path.read_text(encoding="utf-8"))
    scene["characters"][0]["solver"] = hostile
    scene["characters"][0]["clip"]["keys"][0]["effectors"].append({"type": hostile, "joint": "head"})
    path.write_text(json.dumps(scene), encoding="utf-8")
    editor.files.open_path(path)
    until(lambda: editor.session.path == path)
    editor.refresh()
    assert wrong_labels(shown_tip(editor.panels.effectors.rows[-1])) == []
    assert "<img" in editor.panels.solver.refusal.text()
    assert editor.panels.solver.choice.sizeHint().width() < WIDE


def test_nothing_of_ours_understands_markup() -> None:
    found = [
        f"{file.relative_to(ROOT).as_posix()}:{node.lineno}"
        for package in ("app", "rendering")
        for file in sorted((ROOT / package).rglob("*.py"))
        if file != ROOT / SHOWS_OUR_PAGES
        for source in [file.read_text(encoding="utf-8")]
        if any(name in source for name in NOT_HERE)  # nor need it be parsed
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.Name) and node.id in NOT_HERE)
        or (isinstance(node, ast.Attribute) and node.attr in NOT_HERE)
    ]
    assert found == []


def test_names_in_menus_and_titles_mark_no_keys_and_no_changes() -> None:
    assert escaped("R&D\tCtrl+Q\nx") == "R&&D Ctrl+Q x"
    assert len(escaped("x" * 1000)) < 100
    assert window_title("a[*].json") == "a[*][*].json[*] — Contrapposto"


def test_a_path_without_a_space_can_be_broken_and_stays_the_same_text() -> None:
    path = "/home/" + "x" * 100
    broken = with_line_breaks(path)
    assert broken.replace("\u200b", "") == path
    assert max(len(part) for part in broken.split("\u200b")) <= 24
    assert with_line_breaks("Two words, and a third.") == "Two words, and a third."
