"""A window on a new machine, whose solver is still being compiled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from numba.core.compiler_lock import global_compiler_lock
from PySide6.QtTest import QTest
from window_driver import settled, until

from app.services import late_edits, solve_service
from app.window.editor import Editor


@contextmanager
def being_compiled(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Of a window whose solver is being compiled, by a thread that holds numba's lock until this is set."""
    monkeypatch.setattr(late_edits, "PATIENCE_S", 0.15)
    monkeypatch.setattr(solve_service, "READ_S", 600.0)  # however long a busy machine takes
    until(lambda: editor.service.awake)
    QTest.qWait(20)  # for its own signal that it is, which would come in between
    done, began = threading.Event(), threading.Event()

    def compile_all() -> None:
        with global_compiler_lock:
            began.set()
            assert done.wait(60)

    thread = threading.Thread(target=compile_all)
    thread.start()
    assert began.wait(60)
    editor.service.awake = False
    yield done
    done.set()
    thread.join()


def ready(editor: Editor, compiling: threading.Event) -> None:
    compiling.set()
    editor.service.awake = True
    editor.service.woken.emit()
    settled(editor.session)
