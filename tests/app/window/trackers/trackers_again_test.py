"""The trackers' panel opened again: what was played goes on, and nothing that is not heard is shown."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from threading import Semaphore

import numpy as np
import pytest
from dialog_driver import answering, button
from network_driver import sender_to
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from timeline_driver import TimelineMouse, set_moving
from trackers_driver import LIVELY, SIX, choose, click, listening, opened, playing, row, tracking, widened
from window_driver import ViewMouse, laid_out, place_of, settled, strike, until

from app.dialogs import messages
from app.document import edits
from app.tracking.tracker_take import solved_take
from app.tracking.tracking import UNWORN
from app.window.controls.trackers_control import REOPEN
from app.window.editor import Editor
from solver.formats.vmc.encode import encode
from solver.formats.vmc.messages import Kind, SenderTime, Transform

pytestmark = pytest.mark.gl


def closed_while_playing(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The panel has played a file and was closed by Esc."""
    QTest.keyClick(playing(editor, monkeypatch), Qt.Key.Key_Escape)
    until(lambda: editor.trackers.panel is None)


def test_a_panel_that_is_opened_again_goes_on_with_its_file(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    closed_while_playing(editor, monkeypatch)
    panel = opened(editor)
    assert panel.source.name.shown() == LIVELY.name
    assert list(panel.rows.rows) == list(SIX)
    click(panel.follow_button)
    until(lambda: editor.session.shown.characters[0].pose is not editor.session.document.characters[0].pose)
    assert tracking(editor).following
    assert not panel.trouble.isVisible()


def test_if_the_person_of_the_file_is_gone_no_sensor_is_shown_as_heard(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_while_playing(editor, monkeypatch)
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    editor.session.edit("Delete", edits.remove_character("c1"))
    panel = opened(editor)
    assert not panel.rows.rows
    assert panel.source.name.shown() == "No motion chosen"


@pytest.mark.slow
def test_of_a_take_that_is_becoming_a_motion_one_is_asked_though_another_was_begun(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Semaphore(0)
    monkeypatch.setattr("app.tracking.tracking.solved_take", lambda *args: goes_on.acquire() and solved_take(*args))
    panel, scene = playing(editor, monkeypatch), editor.session.document
    for _ in range(2):
        click(panel.record_button)
        until(lambda: len(tracking(editor).take or ()) > 5)
        if not editor.jobs.busy:
            click(panel.keep_button)
    with answering(button(messages.GIVE_UP), button(messages.KEEP_TAKE)):
        strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.document is scene
    goes_on.release()
    until(lambda: editor.session.history.steps() == ("Record trackers",) and not editor.jobs.busy)
    assert tracking(editor).unfinished is None
    editor.session.history.mark_saved()


@pytest.mark.slow
def test_a_take_whose_solving_is_cancelled_waits_behind_the_next_one(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Semaphore(0)
    monkeypatch.setattr("app.tracking.tracking.solved_take", lambda *args: goes_on.acquire() and solved_take(*args))
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 5)
    first = tracking(editor).take
    click(panel.keep_button)
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 5)
    click(panel.follow_button)
    click(editor.job_bar.cancel)
    goes_on.release(9)
    until(lambda: panel.state.text().endswith("s waits behind it."))
    with answering(button(messages.GIVE_UP)):
        click(panel.discard_button)
    until(lambda: panel.state.text().startswith("A take of") and "behind" not in panel.state.text())
    assert tracking(editor).take is first
    click(panel.keep_button)
    until(lambda: editor.session.history.steps() == ("Record trackers",) and not editor.jobs.busy)
    editor.session.history.mark_saved()


@pytest.mark.slow
def test_neither_handles_nor_the_ghost_stay_behind_somebody_who_follows(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ghosts() -> int:
        return sum(figure.ghost for figure in editor.viewport.scene.figures)

    panel = playing(editor, monkeypatch)
    strike(editor, Qt.Key.Key_B)
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(10, -20), QPoint(30, -60))
    settled(editor.session)
    editor.refresh()
    assert ghosts() == 1
    click(panel.follow_button)
    until(lambda: bool(editor.session.live))
    editor.refresh()
    assert ghosts() == 0
    assert not editor.viewport.scene.handles
    click(panel.follow_button)
    editor.refresh()
    assert ghosts() == 1
    assert editor.viewport.scene.handles
    editor.session.history.mark_saved()


@pytest.mark.slow
def test_the_motion_before_the_edit_and_the_keys_do_not_stay_behind_either(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ghosts() -> set[object]:
        return {figure.id for figure in editor.viewport.scene.figures if figure.ghost}

    set_moving(editor, 40)
    panel, mouse, id = playing(editor, monkeypatch), ViewMouse(editor), "c1"
    for frame in (10, 30):
        editor.player.go_to(frame)
        settled(editor.session)
        mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(10, -20), QPoint(30, -60))
        settled(editor.session)
    editor.player.go_to(20)
    until(lambda: not editor.in_betweens.missing(id))
    strike(editor, Qt.Key.Key_M)
    strike(editor, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    editor.refresh()
    behind = {("before", id), ("onion before", id), ("onion after", id)}
    assert ghosts() == behind
    click(panel.follow_button)
    until(lambda: bool(editor.session.live))
    editor.refresh()
    assert ghosts() == set()
    click(panel.follow_button)
    editor.refresh()
    assert ghosts() == behind
    editor.session.history.mark_saved()


def test_its_key_opens_the_panel_from_the_timeline_too(editor: Editor) -> None:
    set_moving(editor, 30)
    TimelineMouse(editor).strike(Qt.Key.Key_T)
    until(lambda: editor.trackers.panel is not None and editor.trackers.panel.isVisible())


def test_its_key_closes_the_panel_as_well_from_the_view_and_from_the_panel_itself(editor: Editor) -> None:
    widened(editor)
    opened(editor)
    assert editor.actions["time.trackers"].isChecked()
    strike(editor, Qt.Key.Key_T)
    until(lambda: editor.trackers.panel is None)
    assert not editor.actions["time.trackers"].isChecked()
    panel = opened(editor)
    until(lambda: QApplication.activeWindow() is panel)
    QTest.keyClick(panel.source.kind.button(panel.source.kind.current()), Qt.Key.Key_T)
    until(lambda: editor.trackers.panel is None)
    QTest.keyClick(opened(editor), Qt.Key.Key_Escape)
    until(lambda: not editor.actions["time.trackers"].isChecked())


def test_buttons_stay_under_the_pointer_whatever_the_panel_says(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(editor)
    laid_out()
    buttons = (panel.calibrate_button, panel.follow_button, panel.record_button, panel.keep_button)
    places = [each.mapToGlobal(QPoint()) for each in buttons]
    strike(editor, Qt.Key.Key_F9)  # nobody is heard, which the panel says
    laid_out()
    assert panel.trouble.isVisible()
    assert [each.mapToGlobal(QPoint()) for each in buttons] == places
    panel.close()
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    laid_out()
    assert [each.mapToGlobal(QPoint()) for each in (panel.follow_button, panel.keep_button)] == places[1::2]


def test_the_dialog_for_a_motion_begins_in_the_folder_that_was_opened_last(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (asked.append(args[2]), ("", ""))[1])
    panel = opened(editor)
    for latest in (tmp_path / "walk.bvh", tmp_path / "pictures"):
        editor.settings.add_recent(latest)
        (tmp_path / "pictures").mkdir(exist_ok=True)
        click(panel.source.choose)
    assert asked == [str(tmp_path), str(tmp_path / "pictures")]


@pytest.mark.slow
def test_a_take_of_trackers_on_no_joint_waits_for_them_to_be_put_on_joints_in_the_panel_opened_again(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, port = listening(editor)
    network, timer, sent = sender_to(port), QTimer(interval=10), count()
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))

    def send() -> None:
        place = np.float32([0.1 * min(next(sent), 25), 0.95, 0.0])
        at = Transform(Kind.TRACKER, "LHR-1", place, np.eye(3, dtype=np.float32))
        for packet in encode([at, SenderTime(0.0)]):
            network.send(packet)

    timer.timeout.connect(send)
    timer.start()
    try:
        until(lambda: len(panel.rows.rows) == 1)
        click(panel.record_button)
        until(lambda: len(tracking(editor).take or ()) > 40)  # stands at the end
    finally:
        timer.stop()
        network.close()
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    until(lambda: editor.trackers.panel is None)
    assert said == [f"{UNWORN} {REOPEN}"]
    panel = opened(editor)
    assert "Put its trackers on joints; then Keep" in panel.state.text()
    choose(row(panel, "LHR-1").joint, "pelvis")
    click(panel.keep_button)
    until(lambda: editor.session.history.steps() == ("Record trackers",))
    moved = editor.session.document.actors[0].clip.source
    assert moved is not None
    roots = moved.motion.root_positions
    assert np.ptp(roots[:, 0]) > 1.5, "metres"
    pixels = editor.viewport.final_view.project(roots)
    assert (pixels >= 0).all(), "all of the way is in the picture"
    assert (pixels <= (editor.viewport.width(), editor.viewport.height())).all()
