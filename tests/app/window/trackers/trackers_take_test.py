"""A take in the window, from Record to Keep or Discard, and what the panel says meanwhile, by mouse and keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, key
from network_driver import sender_to
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from timeline_driver import TimelineMouse, keys_of
from trackers_driver import SIX, choose, click, free_port, listening, opened, playing, row, tracking, widened
from window_driver import ViewMouse, active, laid_out, place_of, settled, strike, until

from app.dialogs import messages
from app.dialogs.tracker_rows import title_of
from app.document.model.figure import joints_of
from app.tracking.played_trackers import PlayedTrackers
from app.window.editor import Editor
from solver.formats.vmc.encode import encode
from solver.formats.vmc.messages import Kind, SenderTime, Transform

pytestmark = pytest.mark.gl

SPACE, TAB, BACKTAB = Qt.Key.Key_Space, Qt.Key.Key_Tab, Qt.Key.Key_Backtab


def head_of(editor: Editor) -> np.ndarray:
    return np.array(joints_of(editor.session.shown.characters[0]).positions[15])


def recorded(editor: Editor, samples: int = 10) -> None:
    """Wait until a take holds so many samples."""
    until(lambda: len(tracking(editor).take or ()) > samples)


def kept_roots(editor: Editor) -> np.ndarray:
    """(T, 3) where the root is in the motion that a take has become."""
    until(lambda: editor.session.history.steps() == ("Record trackers",))
    until(lambda: not editor.jobs.busy)
    source = editor.session.document.actors[0].clip.source
    assert source is not None
    return np.array(source.motion.root_positions)


@pytest.mark.slow
def test_the_button_that_began_a_take_ends_it_and_following_goes_on(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    assert panel.record_button.text() == "End take"
    recorded(editor)
    click(panel.record_button)
    assert panel.record_button.text() == "Record"
    take, shown = tracking(editor).take, head_of(editor)
    assert take is not None
    samples = len(take)
    until(lambda: not np.array_equal(head_of(editor), shown))
    assert len(take) == samples
    assert tracking(editor).following
    assert panel.keep_button.isEnabled()
    tracking(editor).drop()


@pytest.mark.slow
def test_a_take_of_a_file_ends_with_the_file_before_it_leaps_back_to_its_beginning(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    until(lambda: panel.record_button.text() == "Record")
    take, source = tracking(editor).take, tracking(editor).source
    assert take is not None
    assert isinstance(source, PlayedTrackers)
    assert take.length_s < source.begins_anew_s(take.samples[0].time_s) - take.samples[0].time_s
    click(panel.keep_button)
    roots = kept_roots(editor)
    assert np.linalg.norm(np.diff(roots, axis=0), axis=1).max() < 0.1, "metres in a frame"


@pytest.mark.slow
def test_a_take_outlives_its_source(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    until(lambda: tracking(editor).take is not None and tracking(editor).take.length_s > 1.0)  # type: ignore[union-attr]
    click(panel.source.kind.button("network"))
    assert panel.rows.rows == {}
    until(lambda: panel.state.text().startswith("A take of"))
    click(panel.keep_button)
    assert np.ptp(kept_roots(editor), axis=0).max() > 0.05, "the motion stands still"


def test_buttons_stay_under_the_pointer_when_a_recording_begins(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    until(lambda: "lets" in panel.state.text())
    laid_out()
    before = panel.keep_button.mapTo(panel, QPoint())
    click(panel.record_button)
    until(panel.keep_button.isEnabled)
    until(lambda: "so far" in panel.state.text())
    laid_out()
    assert panel.keep_button.mapTo(panel, QPoint()) == before


@pytest.mark.slow
def test_a_take_is_discarded_once_the_user_has_said_so(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    assert not panel.discard_button.isEnabled()
    click(panel.record_button)
    recorded(editor)
    until(panel.discard_button.isEnabled)
    with answering(key(Qt.Key.Key_Escape)):
        click(panel.discard_button)
    assert tracking(editor).recording
    with answering(button(messages.GIVE_UP)):
        click(panel.discard_button)
    assert tracking(editor).take is None
    assert not tracking(editor).recording
    assert tracking(editor).following
    assert panel.record_button.text() == "Record"
    assert not panel.keep_button.isEnabled()
    click(panel.follow_button)
    strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)  # asks nothing


@pytest.mark.slow
def test_a_take_that_waits_is_told_while_somebody_follows_again(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    recorded(editor)
    click(panel.follow_button)
    click(panel.follow_button)
    until(lambda: panel.state.text().startswith("“Person 1” follows 6 trackers. A take of"))
    assert "Keep makes it the motion of “Person 1”" in panel.state.text()


@pytest.mark.slow
def test_a_file_starts_again_with_each_follow(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    QTest.qWait(700)
    click(panel.record_button)
    recorded(editor)
    take, own = tracking(editor).take, editor.session.document.characters[0].pose.root_position
    assert take is not None
    first = take.samples[0].readings["pelvis"].position
    assert first is not None
    assert np.allclose(first[[0, 2]], own[[0, 2]], atol=1e-4)


@pytest.mark.slow
def test_every_step_of_a_take_goes_by_key(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    widened(editor)
    panel = playing(editor, monkeypatch)
    panel.activateWindow()
    until(lambda: QApplication.activeWindow() is panel)
    rows = [w for each in panel.rows.rows.values() for w in (each.joint, each.position, each.rotation)]
    until(lambda: all(widget.isVisible() for widget in rows))  # Tab passes by what is not laid out yet
    panel.rows.setFocus()
    until(panel.rows.hasFocus)
    found = []
    for _ in range(3 * len(SIX) + 2):
        QTest.keyClick(QApplication.focusWidget(), TAB)
        found.append(QApplication.focusWidget())
    assert found == [*rows, panel.follow_button, panel.record_button]
    assert rows[1].accessibleName() == "Use the place of Pelvis"
    QTest.keyClick(panel.record_button, SPACE)
    recorded(editor)
    assert panel.record_button.hasFocus(), "the keys are on a tracker's joint"
    QTest.keyClick(panel.record_button, SPACE)
    assert panel.record_button.hasFocus()
    assert panel.keep_button.isEnabled()
    QTest.keyClick(panel.record_button, BACKTAB)
    QTest.keyClick(panel.follow_button, SPACE)
    until(lambda: panel.state.text().startswith("A take of"))
    QTest.keyClick(panel.follow_button, TAB)
    QTest.keyClick(panel.record_button, TAB)
    assert panel.keep_button.hasFocus()
    QTest.keyClick(panel.keep_button, SPACE)
    assert panel.follow_button.hasFocus()
    assert len(kept_roots(editor)) > 10


def test_a_tracker_changes_places_with_the_one_on_the_joint_that_is_chosen(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    choose(row(panel, "left_wrist").joint, "right_wrist")
    assert row(panel, "right_wrist").joint.currentData() == "left_wrist"
    choose(row(panel, "head").joint, "")
    choose(row(panel, "pelvis").joint, "")
    assert not row(panel, "pelvis").position.isChecked()
    choose(row(panel, "pelvis").joint, "head")
    assert row(panel, "pelvis").position.isChecked()
    assert row(panel, "head").joint.currentData() == ""


def test_the_view_goes_to_trackers_that_are_elsewhere_in_their_room_and_back(editor: Editor) -> None:
    def beside() -> np.ndarray:
        root = editor.session.shown.characters[0].pose.root_position
        return np.array(editor.viewport.camera.target) - root * [1.0, 0.0, 1.0]

    panel, port = listening(editor)
    place, turn = np.float32([3.0, 0.95, -2.0]), np.eye(3, dtype=np.float32)
    network, timer, own = sender_to(port), QTimer(interval=20), beside()
    first = editor.viewport.camera.target

    def send() -> None:
        for packet in encode([Transform(Kind.TRACKER, "pelvis", place, turn), SenderTime(0.0)]):
            network.send(packet)

    timer.timeout.connect(send)
    timer.start()
    try:
        until(lambda: len(panel.rows.rows) == 1)
        choose(row(panel, "pelvis").joint, "")
        click(panel.follow_button)
        until(lambda: panel.state.text() == "“Person 1” stands still: no tracker that is heard is on a joint.")
        click(panel.follow_button)
        choose(row(panel, "pelvis").joint, "pelvis")
        click(panel.follow_button)
        until(lambda: np.linalg.norm(np.subtract(editor.viewport.camera.target, first)) > 3.0)
        assert beside() == pytest.approx(own, abs=1e-5)
        click(panel.follow_button)
        assert editor.viewport.camera.target == pytest.approx(first, abs=1e-5)
    finally:
        timer.stop()
        network.close()


@pytest.mark.slow
def test_why_a_take_cannot_be_kept_is_said(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    recorded(editor)
    click(panel.follow_button)
    strike(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    until(lambda: not editor.session.document.characters)
    until(lambda: panel.state.text().endswith("waits. Its person was deleted: undo that to keep it."))
    click(panel.keep_button)
    assert "has left the scene" in panel.trouble.text()
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    click(panel.keep_button)
    until(lambda: "Record trackers" in editor.session.history.steps())
    assert editor.trackers.panel is panel


@pytest.mark.slow
def test_a_take_is_edited_on_the_timeline_exported_and_opened_again(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    panel, session = playing(editor, monkeypatch), editor.session
    click(panel.record_button)
    recorded(editor, 15)
    click(panel.keep_button)
    frames = len(kept_roots(editor))
    panel.close()
    time, mouse = TimelineMouse(editor), ViewMouse(editor)
    time.to_frame(7)
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(5, -10), QPoint(10, -25), QPoint(20, -50))
    settled(session)
    assert keys_of(editor) == [0, 7]
    edited = joints_of(active(editor)).positions
    file = tmp_path / "take.bvh"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    with answering(button("Export…")):
        editor.actions["file.export_bvh"].trigger()
    until(lambda: file.exists() and not editor.jobs.busy)
    session.history.mark_saved()
    strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    editor.files.open_path(file)
    until(lambda: not editor.jobs.busy and len(session.document.actors[0].clip) == frames)
    time.to_frame(7)
    assert np.abs(joints_of(active(editor)).positions - edited).max() < 2e-3


def test_an_opened_panel_has_the_keys_and_return_listens(editor: Editor) -> None:
    widened(editor)
    panel = opened(editor)
    until(lambda: QApplication.activeWindow() is panel)
    panel.source.kind.button("file").setFocus()
    QTest.keyClick(panel.source.kind.button("file"), Qt.Key.Key_Right)
    until(panel.source.port.isVisible)
    panel.source.port.setFocus()
    panel.source.port.selectAll()
    QTest.keyClicks(panel.source.port, str(free_port()))
    QTest.keyClick(panel.source.port, Qt.Key.Key_Return)
    assert panel.source.connect_button.text() == "Stop listening"
    assert panel.isVisible()
    until(panel.calibrate_button.isEnabled)
    QTest.keyClick(panel.follow_button, Qt.Key.Key_F9)
    assert panel.counting > 0, "the key is dead until the window refreshes"
    QTest.keyClick(panel.follow_button, Qt.Key.Key_F9)
    assert panel.counting == 0
    click(panel.source.kind.button("file"))
    QTest.keyClick(panel.follow_button, Qt.Key.Key_F9)
    assert panel.trouble.text() == "Listen first: there is nobody to calibrate."
    panel.close()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("left_knee", "Left knee"), ("bone:LeftUpperLeg", "Left upper leg bone"), ("LHR-1A2B", "LHR-1A2B"),
        ("left_controller", "Left controller"), ("tracker_2", "Tracker 2"), ("waist", "Waist"),
        ("a1b2_c3d4", "a1b2_c3d4"), ("Émile", "Émile"),
    ],
)  # fmt: skip
def test_a_row_is_called_in_words_what_its_tracker_is(name: str, shown: str) -> None:
    assert title_of(name, ("left_knee",)) == shown
