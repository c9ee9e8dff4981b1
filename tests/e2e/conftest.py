"""The real main() driven by mouse and keys: a script runs in the event loop, with settings of its own."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


class Session:
    """The running application as its user has it: one window, a view, dialogs that open."""

    def __init__(self) -> None:
        from PySide6.QtWidgets import QApplication

        from app.window.main_window import MainWindow
        from rendering.view.viewport import Viewport

        self.until(lambda: any(isinstance(w, MainWindow) and w.isVisible() for w in QApplication.topLevelWidgets()))
        self.window = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())
        self.view = self.window.findChild(Viewport)
        assert self.view is not None

    def until(self, condition: Callable[[], object], seconds: float = 150.0) -> None:
        """Let events happen until something is true."""
        from PySide6.QtTest import QTest

        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            QTest.qWait(10)

    def press(self, keys: str) -> None:
        """The command behind a shortcut. Without a window manager no window is active and keys alone reach nobody."""
        from PySide6.QtGui import QAction, QKeySequence

        wanted = QKeySequence(keys)
        mine = [a for a in self.window.findChildren(QAction) if wanted in a.shortcuts()]
        self.until(lambda: any(a.isEnabled() for a in mine))
        next(a for a in mine if a.isEnabled()).trigger()

    def answer(self, kind: type, action: Callable[[Any], None]) -> list[object]:
        """When a modal dialog of that kind opens, do `action` to it. Its loop runs within whatever opened it, so this
        waits by a timer; the list that is returned holds the dialog once it was answered."""
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

        answered: list[object] = []
        timer = QTimer(self.window)

        def look() -> None:
            modal = QApplication.activeModalWidget()
            if isinstance(modal, kind):
                timer.stop()
                answered.append(modal)
                action(modal)

        timer.timeout.connect(look)
        timer.start(50)
        return answered

    def drag(self, start: tuple[float, float], way: tuple[float, float], steps: int = 6) -> None:
        """A drag with the left button over the view, in widget pixels."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest
        from window_driver import move_held

        def place(share: float) -> QPoint:
            return QPoint(round(start[0] + share * way[0]), round(start[1] + share * way[1]))

        # QTest.mouseMove has the screen move its own pointer too, which says later that no button is held
        move_held(self.view, place(0), buttons=Qt.MouseButton.NoButton)
        QTest.mousePress(self.view, Qt.MouseButton.LeftButton, pos=place(0))
        for i in range(1, steps + 1):
            move_held(self.view, place(i / steps))
        QTest.mouseRelease(self.view, Qt.MouseButton.LeftButton, pos=place(1))


@pytest.fixture
def run_main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str], Callable[[Session], None]], int]:
    """run_main(arguments, script): main(arguments) to its end, with the script run in its event loop."""
    from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from app.cli.main import main
    from app.services.background import recovery_files
    from app.window.main_window import MainWindow
    from app.window.start import make_application

    monkeypatch.setattr(recovery_files, "recovery_folder", lambda: tmp_path / "recovery")
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))

    def run(arguments: list[str], script: Callable[[Session], None]) -> int:
        application = make_application()
        failures: list[str] = []

        def play() -> None:
            try:
                script(Session())
            except BaseException:  # whatever it was, the application must end and the test fail
                failures.append(traceback.format_exc())
                for window in QApplication.topLevelWidgets():
                    if isinstance(window, MainWindow):
                        window.may_close = lambda: True  # no question about unsaved work: the test has failed
            application.closeAllWindows()
            application.quit()

        QTimer.singleShot(0, play)
        code = main(arguments)
        # closing the last window and quitting both ask for the end; whoever took the second request later would find
        # every event loop after it over before it began
        QCoreApplication.removePostedEvents(application, QEvent.Type.Quit)
        assert not failures, failures[0]
        return code

    return run
