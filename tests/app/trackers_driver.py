"""What a user does with the trackers' panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget
from sample_files import CLIPS, recordings
from window_driver import laid_out, strike, until

from app.dialogs.tracker_rows import TrackerRow
from app.dialogs.trackers_dialog import TrackersDialog
from app.tracking.receiver import TrackerReceiver
from app.tracking.tracking import Tracking
from app.window.editor import Editor

LEFT = Qt.MouseButton.LeftButton
SIX = ("pelvis", "head", "left_wrist", "right_wrist", "left_ankle", "right_ankle")
LIVELY = next((path for path in recordings() if path.stem == "cmu_02_01"), CLIPS / "reach.bvh")


def click(widget: QWidget) -> None:
    until(widget.isVisible)  # a new row shows as soon as it is laid out
    assert widget.isEnabled(), "it cannot be clicked"
    QTest.mouseClick(widget, LEFT)


def widened(editor: Editor) -> None:
    """The window as wide as on a large screen, where the panel has a window of its own."""
    editor.window.resize(1480, 800)
    laid_out()


def opened(editor: Editor) -> TrackersDialog:
    """The panel after a press of its key."""
    strike(editor, Qt.Key.Key_T)
    assert editor.trackers.panel is not None
    until(editor.trackers.panel.isVisible)
    return editor.trackers.panel


def tracking(editor: Editor) -> Tracking:
    assert editor.trackers.tracking is not None
    return editor.trackers.tracking


def playing(editor: Editor, monkeypatch: pytest.MonkeyPatch, file: Path = LIVELY) -> TrackersDialog:
    """The panel with a file that was chosen by its button."""
    panel = opened(editor)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(file), ""))
    click(panel.source.choose)
    until(lambda: len(panel.rows.rows) == len(SIX))
    return panel


def choose(box: QComboBox, data: object) -> None:
    """Choose from a list as a user does: open it, go to the row, click."""
    row = box.findData(data)
    assert row >= 0, data
    box.showPopup()
    view = box.view()
    view.scrollTo(box.model().index(row, 0))
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(box.model().index(row, 0)).center())
    until(lambda: box.currentIndex() == row)
    box.hidePopup()


def row(panel: TrackersDialog, name: str) -> TrackerRow:
    return panel.rows.rows[name]


def free_port() -> int:
    receiver = TrackerReceiver()
    receiver.start(0)
    port = receiver.port
    receiver.stop()
    return port


def listening(editor: Editor) -> tuple[TrackersDialog, int]:
    """The panel that listens at a port typed by keys."""
    panel = opened(editor)
    return panel, listen(panel)


def listen(panel: TrackersDialog) -> int:
    """Have an open panel listen at a port typed by keys, which is returned."""
    port = free_port()
    click(panel.source.kind.button("network"))
    panel.source.port.setFocus()
    panel.source.port.selectAll()
    QTest.keyClicks(panel.source.port, str(port))
    click(panel.source.connect_button)
    until(lambda: panel.source.connect_button.text() == "Stop listening")
    return port
