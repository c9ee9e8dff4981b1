"""A card of the library let go of over another program, which fetches its file once the drag is over."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from window_driver import NO_KEYS, laid_out, strike, until

from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PATIENCE_S = 20
OTHER_PROGRAM = """
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

class Taker(QLabel):
    def paintEvent(self, event):
        print("shown", flush=True)

    def dragEnterEvent(self, event):
        event.acceptProposedAction()
        print("held over", flush=True)

    def dropEvent(self, event):
        event.acceptProposedAction()
        print("given", *(url.toLocalFile() for url in event.mimeData().urls()), flush=True)

application = QApplication([])
taker = Taker()
taker.setAcceptDrops(True)
taker.setWindowFlags(Qt.WindowType.X11BypassWindowManagerHint | Qt.WindowType.WindowStaysOnTopHint)
taker.setGeometry(0, 0, 80, 80)
taker.show()
application.exec()
"""


class OtherProgram:
    """A program with a window of 80 x 80 pixels in the screen's corner. said: what it printed so far, line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.said: list[str] = []
        self._process = process
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line.strip())


@pytest.fixture
def other_program(editor: Editor) -> Iterator[OtherProgram]:
    """One that says whose window shows, what is held over it and what it is given."""
    if QApplication.platformName() != "xcb":
        pytest.skip("only on X11 a test can drag from one program to another")
    with subprocess.Popen([sys.executable, "-c", OTHER_PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        yield OtherProgram(process)
        process.kill()


def let_go_of_over(program: OtherProgram, held: QWidget) -> None:
    """Drag what is pressed until the program takes what is held over it, and let go.

    A move may begin the drag, which then has a loop of its own: what comes next is settled before it.
    """
    place, since = QPointF(40, 40), time.monotonic()

    def send(kind: QEvent.Type, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
        local = held.mapFromGlobal(place)
        QApplication.sendEvent(held, QMouseEvent(kind, local, place, button, buttons, NO_KEYS))

    def go_on() -> None:
        if "held over" in program.said or time.monotonic() - since > PATIENCE_S:
            QTimer.singleShot(300, lambda: send(QEvent.Type.MouseButtonRelease, LEFT, NONE))
        else:
            QTimer.singleShot(30, go_on)
        send(QEvent.Type.MouseMove, NONE, LEFT)

    QTimer.singleShot(30, go_on)


def test_another_program_gets_the_file_of_a_card_let_go_of_over_it(
    own: Path, editor: Editor, other_program: OtherProgram
) -> None:
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    laid_out()
    until(lambda: "shown" in other_program.said)
    view = editor.pose_browsers.library.panel.view
    place = view.visualRect(view.shelf.index(3)).center()
    QTest.mousePress(view.viewport(), LEFT, NO_KEYS, place)
    let_go_of_over(other_program, view.viewport())
    until(lambda: any(line.startswith("given") for line in other_program.said))
    assert other_program.said[-1] == f"given {view.shelf.entries[3].path}"
