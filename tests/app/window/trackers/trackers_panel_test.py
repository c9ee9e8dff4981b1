"""The trackers' panel in the window: every control by mouse and keys, with files and with real packets."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from dialog_driver import answering, button
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from sample_files import CLIPS
from trackers_driver import LIVELY, SIX, choose, click, listening, opened, playing, row, tracking, widened
from window_driver import laid_out, strike, until

from app.dialogs import messages
from app.dialogs.trackers_dialog import TrackersDialog
from app.document.model.figure import joints_of
from app.tracking.receiver import TrackerReceiver
from app.window.editor import Editor
from solver.trackers.attachment import Attachment

pytestmark = pytest.mark.gl

ROOT = Path(__file__).resolve().parents[4]
LEFT = Qt.MouseButton.LeftButton


def head_of(editor: Editor) -> np.ndarray:
    return np.array(joints_of(editor.session.shown.characters[0]).positions[15])


@pytest.fixture
def sender() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Programs that send trackers; they end with the test."""
    programs: list[subprocess.Popen[bytes]] = []
    yield programs
    for program in programs:
        program.terminate()
        program.wait(20)


def send(sender: list[subprocess.Popen[bytes]], port: int, *arguments: str) -> None:
    script = [sys.executable, str(ROOT / "examples" / "send_trackers.py"), str(CLIPS / "reach.bvh")]
    sender.append(subprocess.Popen([*script, "--port", str(port), *arguments], cwd=ROOT))


def test_the_panel_opens_on_the_screen_however_low_the_window_stands(editor: Editor) -> None:
    room = editor.window.screen().availableGeometry()
    editor.window.move(0, room.bottom() - 250)
    until(lambda: editor.window.y() > room.bottom() - 300)
    panel = opened(editor)
    assert room.contains(panel.geometry())
    panel.close()


def test_on_a_small_screen_the_panel_is_small_and_its_rows_scroll(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    widened(editor)
    small = QRect(0, 0, 683, 467)  # of 1024 x 700 at 150%
    monkeypatch.setattr(TrackersDialog, "screen", lambda _: SimpleNamespace(availableGeometry=lambda: small))
    panel = playing(editor, monkeypatch)
    assert small.contains(panel.geometry())
    assert panel.minimumSizeHint().height() < small.height()
    for each in (panel.follow_button, panel.discard_button, panel.packets, panel.source.choose):
        assert panel.rect().contains(QRect(each.mapTo(panel, QPoint()), each.size())), each
    last = list(panel.rows.rows.values())[-1]
    laid_out()
    panel.rows.ensureWidgetVisible(last)
    place = last.mapTo(panel.rows.viewport(), QPoint())
    assert panel.rows.viewport().rect().contains(QRect(place, last.size()))
    assert last.height() >= 30, "rows scroll and are not squeezed"


@pytest.mark.slow
def test_a_file_is_followed_and_its_take_is_a_motion_that_undo_takes_back(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = editor.session
    panel = playing(editor, monkeypatch)
    assert panel.source.name.text() == LIVELY.name
    assert [each.joint.currentData() for each in panel.rows.rows.values()] == list(SIX)
    own, before = head_of(editor), session.history.document
    click(panel.follow_button)
    until(lambda: np.linalg.norm(head_of(editor) - own) > 1e-3)
    until(lambda: all(each.dot.heard for each in panel.rows.rows.values()))
    assert not session.view.handles
    click(panel.record_button)
    until(lambda: tracking(editor).take is not None and len(tracking(editor).take) > 20)  # type: ignore[arg-type]
    until(lambda: "Recording" in panel.state.text())
    assert session.history.document is before
    until(lambda: panel.latency.text().endswith(" ms"))
    click(panel.keep_button)
    until(lambda: session.history.steps() == ("Record trackers",))
    until(lambda: not editor.jobs.busy)
    assert session.view.handles
    assert len(session.document.actors[0].clip) > 20
    until(lambda: not panel.keep_button.isEnabled())
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.history.document is before


@pytest.mark.slow
def test_nobody_is_told_to_drag_a_handle_while_handles_are_hidden(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, hint = playing(editor, monkeypatch), editor.window.hint
    until(hint.isVisible)
    assert hint.text().startswith("Drag a handle")
    click(panel.follow_button)
    until(lambda: not hint.isVisible())
    click(panel.follow_button)
    until(hint.isVisible)


@pytest.mark.slow
def test_stop_shows_the_person_as_they_were_and_a_take_still_waits(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, own = playing(editor, monkeypatch), head_of(editor)
    click(panel.record_button)
    assert panel.follow_button.text() == "Stop"
    until(lambda: tracking(editor).take is not None and len(tracking(editor).take) > 5)  # type: ignore[arg-type]
    click(panel.follow_button)
    assert np.array_equal(head_of(editor), own)
    assert panel.keep_button.isEnabled()
    assert panel.state.text().startswith("A take of")
    tracking(editor).drop()


@pytest.mark.sweep
@pytest.mark.parametrize("answer", [messages.KEEP_TAKE, messages.GIVE_UP, messages.CANCEL])
def test_a_take_that_waits_is_not_recorded_over_unasked(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 5)
    click(panel.follow_button)
    first = tracking(editor).take
    with answering(button(answer)):
        click(panel.record_button)
    if answer == messages.KEEP_TAKE:
        until(lambda: editor.session.history.steps() == ("Record trackers",))
        assert not tracking(editor).recording
        click(panel.record_button)
    if answer == messages.CANCEL:
        assert tracking(editor).take is first
        assert not tracking(editor).recording
    else:
        assert tracking(editor).recording
        assert tracking(editor).take is not first
        click(panel.follow_button)
    tracking(editor).drop()


def test_a_trackers_joint_and_what_is_used_of_it_are_chosen_in_its_row(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.follow_button)
    choose(row(panel, "left_wrist").joint, "left_elbow")
    click(row(panel, "head").position)
    click(row(panel, "pelvis").rotation)
    attachments = tracking(editor).attachments
    assert attachments["left_wrist"] == Attachment("left_elbow")
    assert attachments["head"] == Attachment("head", position=False)
    assert attachments["pelvis"] == Attachment("pelvis", rotation=False)
    choose(row(panel, "head").joint, "")
    assert not row(panel, "head").position.isEnabled()
    assert tracking(editor).following
    until(lambda: "5 trackers" in panel.state.text())


def test_sets_of_sensors_are_chosen_from_a_list(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.follow_button)
    for choice, worn, rows in (("5", 5, 5), ("4", 4, 4), ("3", 3, 3), ("every", 6, 22)):
        choose(panel.source.sensors, choice)
        until(lambda rows=rows: len(panel.rows.rows) == rows)  # type: ignore[misc]
        assert sum(bool(each.joint) for each in tracking(editor).attachments.values()) == worn
        assert tracking(editor).following


def test_a_files_sensors_are_not_calibrated_and_why_is_said(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    assert not panel.calibrate_button.isEnabled()
    assert "on the joints themselves" in panel.calibrate_button.toolTip()
    strike(editor, Qt.Key.Key_F9)
    assert not panel.counting


@pytest.mark.slow
def test_packets_are_heard_calibrated_followed_and_recorded(
    editor: Editor, sender: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.dialogs.trackers_dialog.SECOND_MS", 100)
    panel, port = listening(editor)
    assert not panel.source.port.isEnabled()
    assert not panel.source.reach.isEnabled()
    assert not panel.record_button.isEnabled()
    assert "No tracker is heard" in panel.record_button.toolTip()
    send(sender, port, "--t-pose", "60")
    until(lambda: len(panel.rows.rows) == len(SIX))
    until(panel.record_button.isEnabled)
    assert panel.record_button.toolTip().startswith("Begin a take")
    until(lambda: all(each.dot.heard for each in panel.rows.rows.values()))
    assert row(panel, "left_controller").joint.currentData() == ""
    click(panel.calibrate_button)
    assert panel.counting == 3
    assert panel.calibrate_button.text() == "Stand still… 3"
    until(lambda: tracking(editor).calibration.stance == "T-pose")
    assert row(panel, "left_controller").joint.currentData() == "left_wrist"
    assert row(panel, "right_controller").joint.currentData() == "right_wrist"
    until(lambda: "m tall, in a T-pose" in panel.calibration.text())
    click(panel.follow_button)
    until(lambda: "follows 6 trackers" in panel.state.text())
    until(lambda: joints_of(editor.session.shown.characters[0]).positions[20, 1] > 1.2)  # the arm is out to the side
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 10)
    click(panel.keep_button)
    until(lambda: editor.session.history.steps() == ("Record trackers",))
    until(lambda: "received, 0 dropped" in panel.packets.text())
    click(panel.source.connect_button)
    until(lambda: panel.source.connect_button.text() == "Listen")
    assert panel.rows.rows == {}


@pytest.mark.slow
def test_a_sender_that_speaks_five_times_a_second_is_followed_smoothly_and_its_delay_is_told(
    editor: Editor, sender: list[subprocess.Popen[bytes]]
) -> None:
    panel, port = listening(editor)
    send(sender, port, "--rate", "5", "--sensors", ",".join(SIX))
    until(lambda: len(panel.rows.rows) == len(SIX))
    for name, joint in (("left_controller", "left_wrist"), ("right_controller", "right_wrist")):
        choose(row(panel, name).joint, joint)
    click(panel.follow_button)
    until(lambda: tracking(editor).shown.delays_s[0] > 0.1)
    receiver, shown = tracking(editor).source, dict[int, set[float]]()
    assert isinstance(receiver, TrackerReceiver)

    def moves_between() -> int:
        """Between how many samples and the next the body was in three places or more: in steps it is in two at most."""
        places = shown.setdefault(receiver.counts.samples, set())
        places.add(float(joints_of(editor.session.shown.characters[0]).positions[20].sum()))
        return sum(len(each) >= 3 for each in shown.values())

    until(lambda: moves_between() >= 5)
    until(lambda: panel.latency.text() not in ("", "–"))
    assert int(panel.latency.text().split(" ms")[0]) >= 140


def test_the_countdown_runs_by_key_and_is_cancelled_by_key(
    editor: Editor, sender: list[subprocess.Popen[bytes]]
) -> None:
    panel, port = listening(editor)
    send(sender, port, "--t-pose", "60")
    until(lambda: len(panel.rows.rows) == len(SIX))
    strike(editor, Qt.Key.Key_F9)
    until(lambda: panel.counting > 0)
    strike(editor, Qt.Key.Key_F9)
    assert panel.counting == 0
    assert panel.calibrate_button.text() == "Calibrate"
    assert tracking(editor).calibration.stance == ""


@pytest.mark.slow
def test_trackers_that_are_silent_while_calibrating_are_counted(
    editor: Editor, sender: list[subprocess.Popen[bytes]]
) -> None:
    panel, port = listening(editor)
    send(sender, port, "--t-pose", "60")
    until(lambda: len(panel.rows.rows) == len(SIX))
    sender[0].terminate()
    until(lambda: not any(each.dot.heard for each in panel.rows.rows.values()))
    send(sender, port, "--t-pose", "60", "--sensors", "head,left_wrist,right_wrist")
    until(lambda: sum(each.dot.heard for each in panel.rows.rows.values()) == 3)
    strike(editor, Qt.Key.Key_F9)
    until(lambda: "3 trackers were silent then: calibrate again once they are heard." in panel.calibration.text())


@pytest.mark.slow
def test_two_programs_that_send_the_same_trackers_are_told_until_one_ends(
    editor: Editor, sender: list[subprocess.Popen[bytes]]
) -> None:
    panel, port = listening(editor)
    for _ in range(2):
        send(sender, port)
    until(lambda: panel.state.text().startswith("Another program sends trackers of the same names."))
    sender[0].terminate()
    until(lambda: panel.state.text() == "Follow lets “Person 1” move with the trackers.")
    assert row(panel, "head").isVisible()


def test_a_sender_that_falls_silent_is_seen_and_the_body_stays(
    editor: Editor, sender: list[subprocess.Popen[bytes]]
) -> None:
    panel, port = listening(editor)
    send(sender, port)
    until(lambda: len(panel.rows.rows) == len(SIX))
    click(panel.follow_button)
    until(lambda: "trackers" in panel.state.text())
    sender[0].terminate()
    until(lambda: not any(each.dot.heard for each in panel.rows.rows.values()))
    until(lambda: panel.state.text() == "“Person 1” stands still: no tracker is heard.")
    still = head_of(editor)
    QTest.qWait(100)
    assert np.array_equal(head_of(editor), still)
    assert np.isfinite(still).all()
    assert tracking(editor).following


def test_the_allowed_senders_are_chosen_and_a_port_in_use_is_explained(editor: Editor) -> None:
    panel = opened(editor)
    click(panel.source.kind.button("network"))
    assert panel.source.reach.current() == "here"
    click(panel.source.reach.button("open"))
    assert panel.source.reach.current() == "open"
    click(panel.source.reach.button("here"))
    other = TrackerReceiver()
    other.start(0)
    try:
        panel.source.port.setFocus()
        panel.source.port.selectAll()
        QTest.keyClicks(panel.source.port, str(other.port))
        click(panel.source.connect_button)
        assert str(other.port) in panel.trouble.text()
        assert panel.source.connect_button.text() == "Listen"
    finally:
        other.stop()


@pytest.mark.slow
def test_closing_the_panel_gives_the_port_back_and_keeps_the_take(
    editor: Editor, sender: list[subprocess.Popen[bytes]]
) -> None:
    panel, port = listening(editor)
    send(sender, port)
    until(lambda: len(panel.rows.rows) == len(SIX))
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 10)
    panel.close()
    assert editor.trackers.panel is None
    assert not tracking(editor).following
    until(lambda: editor.session.history.steps() == ("Record trackers",))
    again = TrackerReceiver()
    again.start(port)
    again.stop()
    assert opened(editor) is not panel


@pytest.mark.sweep
@pytest.mark.parametrize("answer", [messages.KEEP_TAKE, messages.GIVE_UP, messages.CANCEL])
def test_a_take_that_was_not_kept_is_asked_about_before_the_scene_goes(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    panel, scene = playing(editor, monkeypatch), editor.session.document
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 5)
    with answering(button(answer)):
        strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert not tracking(editor).following
    if answer == messages.KEEP_TAKE:
        until(lambda: editor.session.history.steps() == ("Record trackers",))
    elif answer == messages.GIVE_UP:
        assert tracking(editor).take is None
        assert editor.session.document is not scene
    else:
        assert tracking(editor).take is not None
        assert editor.session.document is scene
        tracking(editor).drop()


def test_a_double_click_on_keep_makes_one_step(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 5 and panel.keep_button.isEnabled())
    click(panel.keep_button)
    QTest.mouseClick(panel.keep_button, LEFT)
    until(lambda: not editor.jobs.busy)
    assert editor.session.history.steps() == ("Record trackers",)


def test_the_panel_opens_from_the_menu_and_stays_beside_the_view(editor: Editor) -> None:
    editor.actions["time.trackers"].trigger()
    panel = editor.trackers.panel
    assert panel is not None
    assert panel.isVisible()
    assert not panel.isModal()
    corner = editor.window.mapToGlobal(QPoint(0, 0))
    assert panel.pos().x() >= corner.x()
