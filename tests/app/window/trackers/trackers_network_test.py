"""Trackers over the network as a user has them: from the calibration to an edited and exported motion, by keys and
mouse; and what is said where trackers change on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button
from network_driver import sender_to
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QFileDialog
from timeline_driver import TimelineMouse, keys_of
from trackers_driver import SIX, choose, click, listening, playing, row, tracking
from window_driver import ViewMouse, active, place_of, settled, strike, until

from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor
from solver.formats.bvh.read import read_bvh, to_motion
from solver.formats.vmc.encode import encode
from solver.formats.vmc.messages import Kind, Message, SenderTime, Transform
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.trackers.simulated_trackers import simulated_sample

pytestmark = pytest.mark.gl

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Performer:
    """Wears six trackers and sends them fifty times a second: stands in a T-pose until `walks`, then sways to and fro.

    names: what the trackers are called, in the order of SIX.
    """

    def __init__(self, editor: Editor, port: int) -> None:
        self.walks, self.names = False, [f"T-{number}" for number in range(len(SIX))]
        self._skeleton, self._network, self._sent = skeleton_of(active(editor)), sender_to(port), 0
        self._timer = QTimer(interval=20)
        self._timer.timeout.connect(self._send)
        self._timer.start()

    def stop(self) -> None:
        """Say nothing more."""
        self._timer.stop()
        self._network.close()

    def _send(self) -> None:
        self._sent += self.walks
        rest, sway = rest_pose(self._skeleton), np.sin(0.1 * self._sent)
        turns = np.array(rest.rotations)
        turns[self._skeleton.index("left_shoulder")] = from_rotation_vector([0.0, 0.0, 0.8 * sway])
        pose = Pose(rest.root_position + np.float32([0.0, 0.0, 0.2 * sway]), turns.astype(np.float32))
        readings = simulated_sample(self._skeleton, pose, SIX, 0.0).readings.values()
        told: list[Message] = [
            Transform(Kind.TRACKER, name, reading.position, reading.rotation)
            for name, reading in zip(self.names, readings, strict=True)
            if reading.position is not None and reading.rotation is not None
        ]
        for packet in encode([*told, SenderTime(0.02 * self._sent)]):
            with suppress(ConnectionRefusedError):  # nobody listens any more
                self._network.send(packet)


@pytest.fixture
def performers() -> Iterator[list[Performer]]:
    """Those who send; they end with the test."""
    found: list[Performer] = []
    yield found
    for each in found:
        each.stop()


@pytest.fixture(autouse=True)
def quick_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.dialogs.trackers_dialog.SECOND_MS", 50)


def recorded(editor: Editor, samples: int) -> None:
    """Wait until a take holds so many samples."""
    until(lambda: len(tracking(editor).take or ()) > samples)


def joints(names: Sequence[str], editor: Editor) -> list[str]:
    return [tracking(editor).attachments[name].joint for name in names]


@pytest.mark.slow
def test_a_performance_is_calibrated_recorded_edited_undone_and_exported(
    editor: Editor, performers: list[Performer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    session = editor.session
    panel, port = listening(editor)
    performers.append(Performer(editor, port))
    until(lambda: len(panel.rows.rows) == len(SIX))
    assert all(each.joint.currentData() == "" for each in panel.rows.rows.values())
    until(lambda: panel.calibration.text().startswith("6 trackers are on no joint yet. Calibrate finds the joints"))
    strike(editor, Qt.Key.Key_F9)
    until(lambda: "in a T-pose" in panel.calibration.text())
    assert joints(performers[0].names, editor) == list(SIX)
    performers[0].walks = True
    click(panel.record_button)
    recorded(editor, 60)
    click(panel.follow_button)
    until(lambda: panel.state.text().startswith("A take of"))
    click(panel.keep_button)
    until(lambda: session.history.steps() == ("Record trackers",) and not editor.jobs.busy)
    click(panel.source.connect_button)
    until(panel.calibration.isHidden)  # what is played or heard next is not measured yet
    panel.close()
    source = session.document.actors[0].clip.source
    assert source is not None
    assert np.ptp(np.array(source.motion.root_positions)[:, 2]) > 0.2

    time, mouse = TimelineMouse(editor), ViewMouse(editor)
    time.to_frame(20)
    before = joints_of(active(editor)).positions
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(5, -10), QPoint(10, -25), QPoint(20, -50))
    settled(session)
    assert keys_of(editor) == [0, 20]
    edited = joints_of(active(editor)).positions
    assert np.abs(edited - before).max() > 0.03
    strike(editor, Qt.Key.Key_Z, CONTROL)
    settled(session)
    assert np.abs(joints_of(active(editor)).positions - before).max() < 1e-5
    strike(editor, Qt.Key.Key_Z, CONTROL)
    settled(session)
    assert session.document.actors[0].clip.source is None
    for _ in range(2):
        strike(editor, Qt.Key.Key_Z, CONTROL | SHIFT)
        settled(session)
    assert keys_of(editor) == [0, 20]

    file = tmp_path / "take.bvh"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    with answering(button("Export…")):
        editor.actions["file.export_bvh"].trigger()
    until(lambda: file.exists() and not editor.jobs.busy)
    motion, _ = to_motion(read_bvh(file), skeleton_of(active(editor)))
    assert len(motion) == len(source.motion)
    session.history.mark_saved()


@pytest.mark.slow
def test_a_sender_that_comes_back_under_other_names_is_reported_and_calibrated_again(
    editor: Editor, performers: list[Performer]
) -> None:
    panel, port = listening(editor)
    performers.append(Performer(editor, port))
    until(lambda: len(panel.rows.rows) == len(SIX))
    click(panel.calibrate_button)
    until(lambda: tracking(editor).calibration.stance == "T-pose")
    click(panel.follow_button)
    until(lambda: "follows 6 trackers" in panel.state.text())
    performers[0].stop()
    until(lambda: "stands still: no tracker is heard" in panel.state.text())
    until(lambda: not tracking(editor).now_heard().readings)
    performers.append(Performer(editor, port))
    performers[1].names = [f"NEW-{number}" for number in range(len(SIX))]
    until(lambda: "6 trackers have come under other names: calibrate" in panel.state.text())
    click(panel.calibrate_button)
    until(lambda: "follows 6 trackers" in panel.state.text())
    assert joints(performers[1].names, editor) == list(SIX)
    assert list(panel.rows.rows) == performers[1].names
    assert "other names" not in panel.state.text()


@pytest.mark.slow
def test_other_sensors_end_a_recording_and_the_panel_says_so_and_keeps_the_take(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.record_button)
    recorded(editor, 20)
    choose(panel.source.sensors, "4")
    until(lambda: len(panel.rows.rows) == 4)
    assert panel.trouble.isVisible()
    assert panel.trouble.text().startswith("Recording ended: its trackers were replaced or closed. The take of")
    assert panel.record_button.text() == "Record"
    assert tracking(editor).following, "with the other sensors"
    click(panel.keep_button)
    assert not panel.trouble.isVisible()
    until(lambda: editor.session.history.steps() == ("Record trackers",))
    until(lambda: not editor.jobs.busy)


def test_a_take_whose_port_was_closed_meanwhile_waits(editor: Editor, performers: list[Performer]) -> None:
    panel, port = listening(editor)
    performers.append(Performer(editor, port))
    until(lambda: len(panel.rows.rows) == len(SIX))
    choose(row(panel, "T-1").joint, "head")
    click(panel.record_button)
    recorded(editor, 10)
    click(panel.source.connect_button)
    assert "Recording ended" in panel.trouble.text()
    assert panel.keep_button.isEnabled()
    tracking(editor).drop()


def test_a_take_of_trackers_on_no_joint_is_no_motion_and_waits_for_one_to_be_put_on(
    editor: Editor, performers: list[Performer]
) -> None:
    panel, port = listening(editor)
    performers.append(Performer(editor, port))
    until(lambda: len(panel.rows.rows) == len(SIX))
    click(panel.record_button)
    recorded(editor, 10)
    click(panel.keep_button)
    assert "No tracker was on a joint in this take" in panel.trouble.text()
    assert panel.keep_button.isEnabled()
    assert editor.session.history.steps() == ()
    choose(row(panel, "T-1").joint, "head")
    click(panel.keep_button)
    until(lambda: editor.session.history.steps() == ("Record trackers",) and not editor.jobs.busy)
    editor.session.history.mark_saved()
