"""While the solver is compiled on a new machine, what would wait for that is put off, and the window goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.document import Document
from app.document.posing.solving import skeleton_of
from app.library.control import LibraryControl
from app.services import pending_solves
from app.window.editor import Editor

pytestmark = pytest.mark.gl


@pytest.fixture
def compiling(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Of a window whose solver is being compiled, by a thread that holds numba's lock until this is set."""
    monkeypatch.setattr(pending_solves, "PATIENCE_S", 0.15)
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


def crossing(editor: Editor, text: str) -> bool:
    """An edit of the active person that calls a function not compiled yet."""
    who = active(editor).id

    def edit(document: Document) -> Document:
        with global_compiler_lock:
            return edits.rename_character(who, "Compiled")(document)

    return editor.session.edit(text, edit)


def status(editor: Editor) -> str:
    return editor.user_messages._time_text()


@pytest.fixture
def library(editor: Editor) -> LibraryControl:
    editor.actions["pose.library"].trigger()
    return next(v for v in vars(editor.pose_browsers).values() if isinstance(v, LibraryControl))


def test_a_pose_of_the_library_is_applied_once_the_solver_is_prepared(
    editor: Editor, library: LibraryControl, compiling: threading.Event
) -> None:
    before, (first, second) = active(editor).pose, [e for e in library.shelf.entries if not e.trouble][4:6]
    library.take(first)
    library.take(second)
    assert active(editor).pose is before
    assert library.panel.said.text() == "Applied as soon as the solver is prepared."
    assert status(editor) == f"Preparing the solver, then “{second.name}”…"
    ready(editor, compiling)
    assert editor.session.history.steps() == (f"Apply “{second.name}”",), "the last one that was clicked"
    assert np.abs(active(editor).pose.rotations - before.rotations).max() > 0.1


def test_an_edit_that_waits_for_compiled_code_lets_the_window_go_on(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = time.monotonic()
    assert not crossing(editor, "Cross")
    assert time.monotonic() - begin < 5.0
    assert "“Cross” is done as soon as the solver is prepared." in editor.window.status.notices.shown
    monkeypatch.setattr(pending_solves, "PATIENCE_S", 5.0)  # on a busy machine the first drag takes a while
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "right_wrist")), QPoint(-20, -30), QPoint(-40, -60))
    ready(editor, compiling)
    assert editor.session.history.steps() == ("Move right wrist · position", "Cross")
    assert active(editor).name == "Compiled"


def test_undo_drops_what_is_put_off_before_it_takes_anything_back(editor: Editor, compiling: threading.Event) -> None:
    assert editor.session.edit("Rename", edits.rename_character(active(editor).id, "Anna"))
    crossing(editor, "Cross")
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert status(editor) == "Preparing the solver…"
    assert "Cross" not in editor.window.status.notices.shown
    ready(editor, compiling)
    assert editor.session.history.steps() == ("Rename",)


def test_a_limb_is_flipped_in_depth_once_the_solver_is_prepared_and_the_pointer_may_have_gone_on(
    editor: Editor, compiling: threading.Event
) -> None:
    mouse, before = ViewMouse(editor), active(editor).pose
    mouse.hover(mouse.place(place_of(editor, "left_elbow")))
    begin = time.monotonic()
    strike(editor, Qt.Key.Key_D)
    assert time.monotonic() - begin < 2.0
    assert status(editor) == "Preparing the solver, then “Flip limb in depth”…"
    mouse.hover(mouse.place(place_of(editor, "right_knee")))
    assert active(editor).pose is before
    ready(editor, compiling)
    assert editor.session.history.steps() == ("Flip limb in depth",)
    skeleton = skeleton_of(active(editor))
    turned = np.abs(active(editor).pose.rotations - before.rotations).max(axis=(1, 2)) > 1e-3
    names = {name for name, is_turned in zip(skeleton.names, turned, strict=True) if is_turned}
    assert names
    assert names <= {"left_collar", "left_shoulder", "left_elbow", "left_wrist", "left_hand"}
