"""A session with a real solver thread, and the whole window with settings of its own; no thread outlives its test."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

import pytest

if TYPE_CHECKING:
    from kept_opengl import KeptOpenGL

    from app.library.control import LibraryControl
    from app.services.session import Session
    from app.services.settings import SettingsStore
    from app.window.editor import Editor


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    from PySide6.QtCore import QSettings

    from app.services.settings import SettingsStore

    return SettingsStore(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile the solver where a test needs it, before the first one: on a new machine that takes minutes, and the
    test that came first would have its time run out."""
    if session.config.option.collectonly:
        return
    if any("compiled_solver" in getattr(item, "fixturenames", ()) for item in session.items):
        _compile_solver()


@cache
def _compile_solver() -> None:
    from app.services.solve_service import prepare_default

    prepare_default()


@pytest.fixture(scope="session")
def compiled_solver() -> None:
    """The solver compiled, or read from its cache."""
    _compile_solver()


SECTIONS = ("Body", "Solver", "Base pose advanced", "Solver advanced")  # that are folded at first
MOST_KEPT = 2  # windows that Qt and Python may not have let go of yet, once they were closed
MANY_MODULES = 40  # imported since, torch for one, are worth a look through everything
MANY_TESTS = 8  # and so is what that many kept for those after them: bodies, networks, answers
_windows: WeakSet[Editor] = WeakSet()
_modules_frozen = 0
_tests_since = 0


@pytest.fixture(scope="session")
def frozen_imports(compiled_solver: None) -> None:
    """Modules taken out of what the collector looks through, so that each window can be collected after its test."""
    from app.window.editor import Editor  # noqa: F401

    freeze_modules()


def freeze_modules() -> None:
    """What modules and earlier tests made is looked through no more, where that is much; not while a window is kept."""
    global _modules_frozen, _tests_since
    _tests_since += 1
    if len(sys.modules) < _modules_frozen + MANY_MODULES and _tests_since < MANY_TESTS:
        return
    gc.collect()
    if not _windows:
        gc.freeze()
        _modules_frozen, _tests_since = len(sys.modules), 0


@pytest.fixture(autouse=True)
def garbage_goes_in_the_main_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """What Qt must destroy in its own thread is collected there: Python would do it in whichever thread makes the most.

    A window sees to that itself. Without one, as in tests of the session alone, the solver's thread destroyed what
    earlier tests had left, and a later one crashed.
    """
    if "editor" not in request.fixturenames and "qapp" not in request.fixturenames:
        yield
        return
    freeze_modules()
    if "editor" in request.fixturenames:
        yield
        return
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def no_question_unanswered(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ends a question that nobody answers, in the test or while its fixtures end, and fails the test that left it."""
    if "qapp" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("qapp")
    from unanswered import Unanswered

    watch = Unanswered()
    yield
    watch.stop()
    assert not watch.closed, f"nobody answered {watch.closed}"


@pytest.fixture
def session(qapp: object, compiled_solver: None, no_leaked_threads: None) -> Iterator[Session]:
    """A document with one person, and a solver thread that runs."""
    from app.document.posing.create import new_document
    from app.services.session import Session
    from app.services.solve_service import SolveService

    service = SolveService()
    service.start()
    session = Session(service)
    session.open(new_document())
    yield session
    service.stop()


@pytest.fixture
def window_clock() -> Callable[[], float]:
    """The clock by which the window plays motions; a test module may have one that it turns on itself."""
    return time.monotonic


@pytest.fixture(scope="session")
def kept_opengl(qapp: object) -> Iterator[KeptOpenGL]:
    """The OpenGL that windows of this process share; it goes before the application does."""
    from kept_opengl import KeptOpenGL

    kept = [KeptOpenGL()]
    yield kept[0]
    kept.clear()


@pytest.fixture
def whole_view() -> None:
    """For tests of the view's picture in the window: each of its pixels is drawn, with a context of its own."""


@pytest.fixture
def unfolded() -> None:
    """For tests of panels that are folded at first: the window opens with them unfolded, as by who works with all."""


@pytest.fixture
def editor(
    request: pytest.FixtureRequest,
    qtbot: object,
    frozen_imports: None,
    store: SettingsStore,
    window_clock: Callable[[], float],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    no_leaked_threads: None,
) -> Iterator[Editor]:
    """The whole window, shown, with the keyboard and its solver ready."""
    from rendering.view.viewport import prepare_opengl

    prepare_opengl()
    from kept_opengl import draw_few_pixels
    from PySide6.QtCore import QEvent
    from window_driver import activated, settled

    from app.dialogs import messages
    from app.services.background import recovery_files
    from app.window.editor import Editor
    from app.window.start import make_application

    def unexpected(_parent: object, message: str) -> None:
        raise AssertionError(f"a message box would have opened: {message}")

    monkeypatch.setattr(messages, "refuse", unexpected)
    monkeypatch.setattr(recovery_files, "recovery_folder", lambda: tmp_path / "recovery")
    if "whole_view" not in request.fixturenames:
        draw_few_pixels(monkeypatch)
        request.getfixturevalue("kept_opengl").lend(monkeypatch)
    if "unfolded" in request.fixturenames:
        store.set(opened=SECTIONS)
    application = make_application()
    application.setStyleSheet("")  # the window before left its own, which each widget would take anew at every move
    editor = Editor(application, store, clock=window_clock)
    editor.window.resize(1280, 800)
    with qtbot.waitExposed(editor.window, timeout=60_000):  # type: ignore[attr-defined]
        editor.window.show()
    activated(editor.window)
    editor.warm_up()
    settled(editor.session)
    yield editor
    editor.session.history.mark_saved()
    editor.session.set_view(saved_opacity=editor.session.view.body_opacity)
    if editor.trackers.tracking is not None:
        editor.trackers.tracking.drop()  # else a test that failed with a take is asked about it, and nobody answers
    editor.window.close()
    editor.shut_down()
    editor.window.deleteLater()
    editor.deleteLater()
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    application.processEvents()
    _windows.add(editor)
    del editor
    gc.collect()
    assert len(_windows) <= MOST_KEPT, "closed windows are kept alive"


@pytest.fixture
def photos_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what comes after a photo was read: only the first one in this process has the networks read it."""
    from read_once import people_of

    from solver.estimates import plug_ins

    monkeypatch.setattr(plug_ins, "estimate_people", people_of)


@pytest.fixture
def hints(editor: Editor) -> Iterator[list[str]]:
    """What the hint over the view has said."""
    said: list[str] = []
    editor.tool.hint.connect(said.append)
    yield said
    editor.tool.hint.disconnect(said.append)


@pytest.fixture
def few_handles(editor: Editor) -> None:
    """For tests that look at no handles of people in a photo: few are found, and quickly."""
    editor.settings.set(recover_count=3)


@pytest.fixture
def no_leaked_threads() -> Iterator[None]:
    """Fails a test that leaves a thread of its own running, once what ends by itself, as reading a photo, has had time
    to."""
    before = set(threading.enumerate())
    yield
    end = time.monotonic() + 10
    while left := [t.name for t in threading.enumerate() if t not in before and runs(t)]:
        assert time.monotonic() < end, f"still running: {left}"
        time.sleep(0.01)


def runs(thread: threading.Thread) -> bool:
    """Whether the thread still runs. Python keeps a dummy for each of Qt's threads, also when that has ended."""
    tasks = Path("/proc/self/task")
    if isinstance(thread, threading._DummyThread) and tasks.is_dir():
        return (tasks / str(thread.native_id)).exists()
    return thread.is_alive() and not isinstance(thread, threading._DummyThread)


@pytest.fixture
def a_quick_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notices give way to the next one ten times as soon as they do for other people."""
    from app.panels.widgets import notices

    monkeypatch.setattr(notices, "GLANCE_MS", notices.GLANCE_MS // 10)
    monkeypatch.setattr(notices, "LETTER_MS", notices.LETTER_MS // 10)


@pytest.fixture
def a_quick_finger() -> Iterator[None]:
    """Double-clicks in no time: Qt takes an earlier release over a list for that of the click that opened it."""
    from PySide6.QtWidgets import QApplication

    before = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(0)
    yield
    QApplication.setDoubleClickInterval(before)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's own poses are kept: a folder of the test's, which is not made yet."""
    folder = tmp_path / "poses"
    monkeypatch.setattr("app.library.folders.own_folder", lambda: folder)
    return folder


@pytest.fixture
def library(own: Path, editor: Editor) -> LibraryControl:
    """The library of poses, opened by its key."""
    from PySide6.QtCore import Qt
    from window_driver import laid_out, strike

    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    laid_out()
    return editor.pose_browsers.library


@pytest.fixture
def compiling(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Of a window whose solver is being compiled until this is set; see `being_compiled`."""
    from compiling_driver import being_compiled

    with being_compiled(editor, monkeypatch) as compiled:
        yield compiled


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a character of one's own: a robot with a rig of another program."""
    from scripts.rigs.robot import robot_glb

    path = tmp_path_factory.mktemp("mine") / "robot.glb"
    path.write_bytes(robot_glb(fine=3))
    return path


@pytest.fixture
def english() -> Iterator[None]:
    """A system that writes decimals with a point."""
    from PySide6.QtCore import QLocale

    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def looked_on(editor: Editor) -> Iterator[Editor]:
    """The window; whatever the test does to the view, the document and its history must be the same afterwards."""
    before = editor.session.document, editor.session.history.revision
    yield editor
    assert (editor.session.document, editor.session.history.revision) == before


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What message boxes say."""
    from app.dialogs import messages

    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _window, text: said.append(text))
    return said
