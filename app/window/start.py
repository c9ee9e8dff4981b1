"""The window's composition root: makes the parts, connects them, runs the event loop."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication

from app.services.settings import SettingsStore
from app.window.crash_recovery import keep_put_off
from app.window.editor import INTERRUPTED, Editor
from app.window.window_geometry import fit_to_screen
from rendering.view.viewport import prepare_opengl

SOLVER_STARTS_MS = 3000  # at the latest: it waits for the first picture, which it would slow down
ENDING = (signal.SIGINT, signal.SIGTERM)
GRACE_S = 2.0  # for threads to end on a log-out; one that waits for the compiler would take minutes
ORGANISATION, NAME = "Contrapposto", "Contrapposto"


def run(file: str | None = None, body: str | None = None) -> int:
    """Open the window, with a file if one is named, and return the exit code when it closes.

    body: id of the body model for new characters, None for that of the settings.
    """
    application = make_application()
    path = None if file is None else Path(file)
    editor = open_window(application, SettingsStore(), body=body, file=path)
    QTimer.singleShot(0, lambda: editor.begin(path))
    for number in ENDING:
        signal.signal(number, lambda _number, _frame: editor.interrupt())
    heartbeat = QTimer()  # Python handles signals only when it runs, so Qt's loop lets it run now and then
    heartbeat.timeout.connect(lambda: None)
    heartbeat.start(250)
    code = application.exec()
    if code == INTERRUPTED:
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)  # a second one does not wait for what is put off
        editor.work_is_kept |= keep_put_off(editor.session, editor.autosave)
        leave_within(GRACE_S)
    editor.shut_down()
    return int(code)


def leave_within(seconds: float) -> None:
    """End the process by then, whatever its threads still do; files are written whole, so none is left half done."""
    timer = threading.Timer(seconds, os._exit, (INTERRUPTED,))
    timer.daemon = True
    timer.start()


def make_application() -> QApplication:
    """The one QApplication, with OpenGL prepared and our names set."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    prepare_opengl()
    application = QApplication([NAME.lower()])
    application.setOrganizationName(ORGANISATION)
    application.setApplicationName(NAME)
    application.setApplicationDisplayName("")
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    return application


def open_window(
    application: QApplication, settings: SettingsStore, body: str | None = None, file: Path | None = None
) -> Editor:
    """Make the window and show it. file: to be opened; if it is a photo, what that needs is loaded meanwhile."""
    editor = Editor(application, settings, body)
    if file is not None:
        editor.files.expect(file)
    sys.excepthook = editor.emergency
    window = editor.window
    fit_to_screen(window, restored=window.restoreGeometry(settings.geometry()))
    editor.viewport.setFocus()  # else Qt gives it to the panels on the left, and the view's keys do nothing
    window.show()
    editor.viewport.painted.connect(editor.warm_up)
    QTimer.singleShot(SOLVER_STARTS_MS, editor.warm_up)
    return editor
