"""What another program has copied is opened by Ctrl+V: a picture becomes a photo, and files open as if dropped."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from window_driver import strike, until

from app.dialogs import messages
from app.services.steps.pose_clipboard import openable
from app.viewport.photo_reading import PhotoReading
from app.window.controls import pasted_files
from app.window.editor import Editor

pytestmark = pytest.mark.gl
Copy = Callable[[str, Path], None]
CTRL, KEY = Qt.KeyboardModifier.ControlModifier, Qt.Key
ANOTHER = """
import sys
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
program = QGuiApplication([])
content = QMimeData()
if sys.argv[1] == "picture":
    content.setImageData(QImage(sys.argv[2]))
else:
    content.setUrls([QUrl.fromLocalFile(sys.argv[2])])
program.clipboard().setMimeData(content)
program.exec()
"""
HANGS = """
import time
from PySide6.QtGui import QGuiApplication
program = QGuiApplication([])
program.clipboard().setText("words")
program.processEvents()
print("copied", flush=True)
time.sleep(100)
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of pasted pictures."""
    monkeypatch.setattr(pasted_files, "pictures_folder", lambda: tmp_path / "Pictures" / "Contrapposto")
    return tmp_path / "Pictures" / "Contrapposto"


@pytest.fixture
def green(tmp_path: Path) -> Path:
    file = tmp_path / "green.png"
    Image.new("RGB", (320, 240), "#3c6e46").save(file)
    return file


@pytest.fixture
def copy_elsewhere(tmp_path: Path, editor: Editor) -> Iterator[Copy]:
    """Copies something in another program, which ends with the test."""
    QGuiApplication.clipboard().setText("words")
    started: list[subprocess.Popen[bytes]] = []

    def copy(kind: str, file: Path) -> None:
        started.append(subprocess.Popen([sys.executable, "-c", ANOTHER, kind, str(file)]))
        until(lambda: editor.actions["edit.paste"].text() == f"Paste {kind}")

    yield copy
    for program in started:
        program.kill()
        program.wait()


def read_and_cancelled(editor: Editor) -> None:
    """Until the photo is being read, then Esc."""
    until(lambda: editor.viewport.findChild(PhotoReading) is not None)
    shown = editor.viewport.findChild(PhotoReading)
    assert shown is not None
    QTest.keyClick(shown, KEY.Key_Escape)
    until(lambda: not editor.jobs.busy)


@pytest.mark.slow
def test_a_pasted_picture_is_read_as_a_photo_and_its_file_stays(
    editor: Editor, copy_elsewhere: Copy, green: Path, kept: Path
) -> None:
    copy_elsewhere("picture", green)
    strike(editor, KEY.Key_V, CTRL)
    until(lambda: editor.window.status.notices.shown == f"The pasted picture is kept in {kept}.")
    read_and_cancelled(editor)
    strike(editor, KEY.Key_V, CTRL)
    read_and_cancelled(editor)
    first, second = (Image.open(file) for file in kept.iterdir())  # none takes another one's place
    assert first.size == second.size == (320, 240)
    assert first.convert("RGB").getpixel((5, 5)) == (0x3C, 0x6E, 0x46)


@pytest.mark.slow
def test_a_picture_copied_after_a_pose_is_what_is_pasted(
    editor: Editor, copy_elsewhere: Copy, green: Path, kept: Path
) -> None:
    strike(editor, KEY.Key_C, CTRL)
    copy_elsewhere("picture", green)
    before = editor.session.document
    strike(editor, KEY.Key_V, CTRL)
    read_and_cancelled(editor)
    assert len(list(kept.iterdir())) == 1
    assert editor.session.document is before


@pytest.mark.slow
def test_a_file_copied_in_a_file_manager_opens(editor: Editor, copy_elsewhere: Copy, tmp_path: Path) -> None:
    file = tmp_path / "box.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")
    copy_elsewhere("file", file)
    strike(editor, KEY.Key_V, CTRL)
    until(lambda: len(editor.session.document.props) == 1)


@pytest.mark.slow
def test_a_pose_copied_after_a_picture_is_what_is_pasted(editor: Editor, copy_elsewhere: Copy, green: Path) -> None:
    copy_elsewhere("picture", green)
    strike(editor, KEY.Key_C, CTRL)
    until(lambda: editor.actions["edit.paste"].text() == "Paste pose")


def test_text_that_brings_a_picture_of_itself_is_no_picture() -> None:
    content = QMimeData()
    content.setImageData(QImage(8, 8, QImage.Format.Format_RGB32))
    assert openable(content) == "picture"
    content.setText("a cell of a table")
    assert openable(content) == ""


@pytest.mark.slow
def test_where_no_folder_can_be_made_it_is_said(
    editor: Editor, copy_elsewhere: Copy, green: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pasted_files, "pictures_folder", lambda: green / "Contrapposto")
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda parent, text: said.append(text))
    copy_elsewhere("picture", green)
    strike(editor, KEY.Key_V, CTRL)
    (text,) = said
    assert text.startswith(str(green))
    assert text.endswith("Save the picture as a file.")


@pytest.mark.slow
def test_a_program_that_hangs_after_it_has_copied_something_is_waited_for_once(editor: Editor) -> None:
    with subprocess.Popen([sys.executable, "-c", HANGS], stdout=subprocess.PIPE) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == b"copied\n"
            began = time.monotonic()
            QTest.qWait(500)
            assert time.monotonic() - began < 25, "Qt waits for five seconds for each answer"
            assert editor.actions["edit.paste"].text() == "Paste pose"
        finally:
            program.kill()
