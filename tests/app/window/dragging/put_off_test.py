"""While the solver is compiled on a new machine, what would wait for that is put off, and the window goes on."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from compiling_driver import ready
from numba.core.compiler_lock import global_compiler_lock
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from window_driver import ViewMouse, active, place_of, strike, until

from app.dialogs import messages
from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.scene_file.io import load_scene
from app.library.control import LibraryControl
from app.services import late_edits, solve_service
from app.services.background.jobs import Cancelled
from app.services.solve_service import Slot, SolveRequest
from app.window.crash_recovery import keep_put_off
from app.window.editor import Editor
from solver.errors import PoserError
from solver.ik.solution import Answer

pytestmark = pytest.mark.gl


def crossing(editor: Editor, text: str, key: object | None = None) -> bool:
    """An edit of the active person that calls a function not compiled yet."""
    who = active(editor).id

    def edit(document: Document) -> Document:
        with global_compiler_lock:
            return edits.rename_character(who, "Compiled")(document)

    return editor.session.edit(text, edit, key)


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


def test_on_a_new_machine_the_status_bar_says_that_the_solver_is_prepared_once_and_for_how_long(
    editor: Editor, library: LibraryControl, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    time_fact = editor.window.status.facts["time"]
    editor.refresh()
    assert time_fact.text() == "Preparing the solver…", "not before it takes longer than reading what is compiled"
    monkeypatch.setattr(solve_service, "READ_S", 0.0)
    editor.service.slow.emit()
    assert time_fact.text() == "Preparing the solver (once, about 2 min)…"
    entry = [e for e in library.shelf.entries if not e.trouble][4]
    library.take(entry)
    assert status(editor) == f"Preparing the solver (once, about 2 min), then “{entry.name}”…"
    ready(editor, compiling)
    until(lambda: "Preparing" not in time_fact.text())


def test_somebody_who_was_renamed_while_a_move_was_put_off_keeps_the_name(
    editor: Editor, compiling: threading.Event
) -> None:
    who, (x, _, z) = active(editor), active(editor).pose.root_position
    move = edits.place_together([who], (0.2, 0.0, 0.0), 0.0)

    def crosses(document: Document) -> Document:
        with global_compiler_lock:
            return move(document)

    assert not editor.session.edit("Move", crosses)
    editor.session.edit("Rename", edits.rename_character(who.id, "Bo"))
    editor.session.edit("Colour", edits.set_color(who.id, "#ff0000"))
    ready(editor, compiling)
    now = active(editor)
    assert (now.name, now.color) == ("Bo", "#ff0000")
    assert now.pose.root_position[[0, 2]] == pytest.approx([x + 0.2, z], abs=1e-5)


def test_an_edit_that_waits_for_compiled_code_lets_the_window_go_on(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = time.monotonic()
    assert not crossing(editor, "Cross")
    assert time.monotonic() - begin < 30, "it would wait for as long as it is compiled"
    assert "“Cross” is done as soon as the solver is prepared." in editor.window.status.notices.shown
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)  # on a busy machine the first drag takes a while
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


def test_undo_takes_back_what_was_done_after_an_edit_was_put_off_first(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    crossing(editor, "Cross", editor.session.history.step_key())
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    assert editor.session.edit("Rename", edits.rename_character(active(editor).id, "Anna"))
    until(lambda: editor.actions["edit.undo"].text() == "Undo rename")
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor).name != "Anna"
    assert editor.session.late.names == ("Cross",)
    ready(editor, compiling)
    assert editor.session.history.steps() == ("Cross",)


def test_a_pose_goes_to_whom_it_was_asked_for_and_leaves_the_selection(
    editor: Editor, library: LibraryControl, compiling: threading.Event
) -> None:
    first = active(editor)
    assert editor.session.edit("Add", edits.add_character(replace(first, id="other", name="Other")))
    library.take([e for e in library.shelf.entries if not e.trouble][4])
    editor.session.select("other")
    ready(editor, compiling)
    was, now = first.pose.rotations, editor.session.document.character(first.id).pose.rotations
    assert np.abs(now - was).max() > 0.1
    np.testing.assert_array_equal(editor.session.document.character("other").pose.rotations, was)
    assert editor.session.view.character == "other"


def test_moves_of_a_drag_are_tried_one_at_a_time_and_its_last_one_is_done_unless_it_is_cancelled(
    editor: Editor, compiling: threading.Event
) -> None:
    for key in ("dropped", "kept"):
        for move in range(3):
            assert not crossing(editor, f"{key} {move}", key)
    tried = [thread for thread in threading.enumerate() if thread.name == "edit before the solver is ready"]
    assert len(tried) == 2, "one of each drag"
    editor.session.cancel("dropped")
    ready(editor, compiling)
    assert editor.session.history.steps() == ("kept 2",)


def test_what_was_put_off_does_not_cut_a_drag_in_two(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    crossing(editor, "Cross")
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    who = active(editor).id
    assert editor.session.edit("Rename", edits.rename_character(who, "A"), "drag")
    ready(editor, compiling)
    assert editor.session.edit("Rename", edits.rename_character(who, "B"), "drag")
    editor.session.close_step("drag")
    until(lambda: not editor.session.late.names)
    assert editor.session.history.steps() == ("Rename", "Cross")


def test_an_edit_of_somebody_who_is_gone_is_dropped_in_plain_words_and_what_waits_behind_it_is_done(
    editor: Editor, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    who, said = active(editor).id, []
    editor.session.late.said.connect(said.append)
    assert editor.session.edit("Rename", edits.rename_character(who, "Anna"))
    assert editor.session.edit("Add", edits.add_character(replace(active(editor), id="other", name="Other")))
    crossing(editor, "Of somebody gone")
    editor.session.select("other")
    crossing(editor, "Cross")
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    editor.session.select(who)
    strike(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    ready(editor, compiling)
    until(lambda: not editor.session.late.names)
    assert QApplication.activeModalWidget() is None
    assert said[-1] == "“Of somebody gone” was not done, as Anna is no longer in the scene."
    assert editor.session.history.steps() == ("Rename", "Add", "Delete Anna", "Cross")


def test_a_save_that_has_to_wait_for_the_solver_says_so_under_a_busy_cursor(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, seen, solve_now = editor.session, [], editor.service.solve_now
    until(lambda: editor.service.awake)

    def looked_at(request: SolveRequest) -> dict[Slot, Answer]:
        cursor = QGuiApplication.overrideCursor()
        seen.append((editor.window.status.facts["time"].text(), cursor and cursor.shape()))
        return solve_now(request)

    monkeypatch.setattr(editor.service, "solve_now", looked_at)
    monkeypatch.setattr(editor.service, "request", lambda _request: None)  # nobody comes to it meanwhile
    monkeypatch.setattr(editor.service, "awake", False)
    hand = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    assert session.edit("Move", edits.set_target(active(editor).id, hand.id, hand.target + 0.1), solve=True)
    session.saved_as(tmp_path / "scene.json")
    strike(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert seen == [("Waiting for the solver…", Qt.CursorShape.WaitCursor)]
    assert QGuiApplication.overrideCursor() is None
    assert (tmp_path / "scene.json").exists()


def test_a_limb_is_flipped_in_depth_once_the_solver_is_prepared_and_the_pointer_may_have_gone_on(
    editor: Editor, compiling: threading.Event
) -> None:
    mouse, before = ViewMouse(editor), active(editor).pose
    mouse.hover(mouse.place(place_of(editor, "left_elbow")))
    begin = time.monotonic()
    strike(editor, Qt.Key.Key_D)
    assert time.monotonic() - begin < 30, "it would wait for as long as it is compiled"
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


def compiled_in_a_moment(editor: Editor, compiling: threading.Event) -> None:
    """Let the compiler end while the window waits for it."""

    def end() -> None:
        compiling.set()
        editor.service.awake = True

    threading.Timer(0.2, end).start()


def test_what_is_put_off_is_in_the_file_that_is_saved_meanwhile(
    editor: Editor, library: LibraryControl, compiling: threading.Event, tmp_path: Path
) -> None:
    before, file = active(editor).pose, tmp_path / "scene.json"
    library.take([e for e in library.shelf.entries if not e.trouble][4])
    editor.session.saved_as(file)
    compiled_in_a_moment(editor, compiling)
    editor.window.activateWindow()
    strike(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    [saved] = load_scene(file).characters
    assert np.abs(saved.pose.rotations - before.rotations).max() > 0.1
    assert QGuiApplication.overrideCursor() is None
    assert not editor.session.unsaved


def test_a_window_with_something_put_off_asks_before_it_closes_and_saves_that_too(
    editor: Editor, compiling: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(_window: object, name: str, _then: str) -> object:
        asked.append(name)
        return messages.SAVE

    monkeypatch.setattr(messages, "ask_to_save", ask)
    file = tmp_path / "scene.json"
    editor.session.saved_as(file)
    assert editor.files.may_close()
    crossing(editor, "Cross")
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    assert editor.session.edit("Rename", edits.rename_character(active(editor).id, "A"), "a step left open")
    compiled_in_a_moment(editor, compiling)
    assert editor.files.may_close()
    assert asked == ["“scene.json”"]
    assert [each.name for each in load_scene(file).characters] == ["Compiled"]
    assert not editor.session.late.names


def test_an_edit_that_is_put_off_can_be_undone_from_the_menu_and_marks_the_scene_as_unsaved(
    editor: Editor, compiling: threading.Event, tmp_path: Path
) -> None:
    undo, window = editor.actions["edit.undo"], editor.window
    editor.session.saved_as(tmp_path / "scene.json")
    until(lambda: not window.isWindowModified() and not undo.isEnabled())
    crossing(editor, "Cross")
    until(lambda: window.isWindowModified() and undo.isEnabled())
    undo.trigger()
    until(lambda: not window.isWindowModified() and not undo.isEnabled())
    ready(editor, compiling)
    assert editor.session.history.steps() == ()


def test_a_save_in_the_middle_of_a_drag_leaves_what_is_put_off_for_after_it(
    editor: Editor, compiling: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor.session.saved_as(tmp_path / "scene.json")
    crossing(editor, "Cross")
    monkeypatch.setattr(late_edits, "PATIENCE_S", 5.0)
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, "right_wrist"))
    mouse.drag(start, QPoint(-20, -30), QPoint(-30, -40), release=False)
    strike(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert (tmp_path / "scene.json").exists()
    assert editor.session.late.names == ("Cross",)
    assert editor.session.unsaved
    mouse.move(start + QPoint(-40, -60))
    mouse.release(start + QPoint(-40, -60))
    ready(editor, compiling)
    until(lambda: not editor.session.late.names)
    assert editor.session.history.steps() == ("Move right wrist · position", "Cross")


def test_a_save_goes_on_although_an_edit_that_was_put_off_is_refused_and_others_are_done_behind_the_message(
    editor: Editor, compiling: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, file = editor.session, tmp_path / "scene.json"

    def refused(document: Document) -> Document:
        with global_compiler_lock:
            raise PoserError("That cannot be done.")

    assert not session.edit("Refused", refused)
    crossing(editor, "Cross")
    session.saved_as(file)
    compiled_in_a_moment(editor, compiling)

    def read_it(_window: object, text: str) -> None:
        assert text == "That cannot be done."
        editor.service.woken.emit()
        until(lambda: not session.late.names)

    monkeypatch.setattr(messages, "refuse", read_it)
    strike(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert [each.name for each in load_scene(file).characters] == ["Compiled"]
    assert not session.unsaved


def test_on_a_log_out_what_is_put_off_is_kept_for_the_next_start_once_the_solver_is_prepared(
    editor: Editor, library: LibraryControl, compiling: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, ended = active(editor).pose, []
    monkeypatch.setattr(QApplication, "exit", ended.append)
    library.take([e for e in library.shelf.entries if not e.trouble][4])
    editor.interrupt()
    assert ended
    assert not editor.autosave.file.exists(), "nothing was done yet"
    compiled_in_a_moment(editor, compiling)
    assert keep_put_off(editor.session, editor.autosave)
    [kept] = load_scene(editor.autosave.file).characters
    assert np.abs(kept.pose.rotations - before.rotations).max() > 0.1


def test_a_photo_that_waits_for_the_compiler_is_given_up_at_once(
    editor: Editor, compiling: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo, began = tmp_path / "photo.png", threading.Event()
    Image.new("RGB", (320, 240), "grey").save(photo)

    def read(*_args: object, cancelled: Cancelled, **_more: object) -> None:
        began.set()
        with global_compiler_lock:
            assert cancelled()

    monkeypatch.setattr("solver.estimates.plug_ins.people_in_photo", read)
    editor.files.open_path(photo)
    until(began.is_set)
    begin = time.monotonic()
    strike(editor, Qt.Key.Key_Escape)
    until(lambda: not editor.jobs.busy)
    assert time.monotonic() - begin < 30, "it would wait for as long as it is compiled"
    assert not editor.job_bar.isVisible()
    ready(editor, compiling)
    assert editor.session.history.steps() == ()
