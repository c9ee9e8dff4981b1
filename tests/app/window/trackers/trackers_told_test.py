"""What the trackers' panel says: how late the picture is, and why nobody can follow yet."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from network_driver import sender_to
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFileDialog, QLabel
from trackers_driver import LIVELY, SIX, click, listen, opened, playing, widened
from window_driver import laid_out, strike, until

from app.window.editor import Editor
from solver.formats.vmc.encode import encode
from solver.formats.vmc.messages import Kind, SenderTime, Transform

pytestmark = pytest.mark.gl


def test_what_a_long_delay_is_of_can_be_read_whole(editor: Editor) -> None:
    panel = opened(editor)
    panel.latency.show_text("131 ms, 95% below 243 ms; slow ones +145")
    laid_out()
    for label in (each for each in panel.findChildren(QLabel) if each.text() in ("Sample to pixel", "Packets")):
        assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()
    assert panel.rect().contains(QRect(panel.latency.mapTo(panel, QPoint()), panel.latency.size()))


def test_short_values_end_where_long_ones_do(editor: Editor) -> None:
    panel = opened(editor)
    ends = []

    def note(value: QLabel) -> None:
        laid_out()
        ends.append(value.mapTo(panel, QPoint(last_drawn(value), 0)).x())

    panel.latency.show_text("–")
    panel.packets.show_text("12,684 received, 0 dropped")
    note(panel.latency)
    note(panel.packets)
    for text in ("131 ms, 95% below 243 ms; slow ones +145", "30 ms, 95% below 41 ms", "–"):
        panel.latency.show_text(text)
        note(panel.latency)
    assert max(ends) - min(ends) <= 8, ends


def last_drawn(label: QLabel) -> int:
    """The last column of a label in which something is drawn."""
    image = label.grab().toImage()
    ground = image.pixel(0, 0)
    drawn = [x for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) != ground]
    return round(max(drawn) / image.devicePixelRatio())


def test_who_listens_in_vain_is_told_what_to_check(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.window.controls.tracker_texts.SOON_S", 0.2)
    panel = opened(editor)
    click(panel.source.kind.button("network"))
    assert panel.empty.text() == "Give this port to the program that sends, and press Listen."
    port = listen(panel)
    until(lambda: f"send to 127.0.0.1, port {port}. If it runs elsewhere, stop" in panel.empty.text())
    network = sender_to(port)
    network.send(b"/something/else\0,\0\0\0")
    until(lambda: "comes, but no trackers. Choose the VMC protocol" in panel.empty.text())
    network.close()
    click(panel.source.connect_button)
    click(panel.source.reach.button("open"))
    click(panel.source.connect_button)
    until(lambda: f", port {port}, and let this computer's firewall accept" in panel.empty.text())
    laid_out()
    assert panel.empty.height() >= panel.empty.heightForWidth(panel.empty.width()), "all of it can be read"


def test_six_trackers_stand_whole_above_what_is_said_of_them(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    widened(editor)
    playing(editor, monkeypatch)
    strike(editor, Qt.Key.Key_T)
    panel = opened(editor)
    assert panel.isWindow()
    until(lambda: panel.height() == panel.sizeHint().height())  # no taller than a file's trackers need
    port = listen(panel)
    names = ("left_controller", "right_controller", "waist", "left_shoe", "right_shoe", "hat")
    network, sent_s = sender_to(port), count(step=0.02)

    def all_are_there() -> bool:
        told = [Transform(Kind.TRACKER, name, np.zeros(3), np.eye(3)) for name in names]
        for packet in encode([*told, SenderTime(next(sent_s))]):
            network.send(packet)
        return len(panel.rows.rows) == len(names) and bool(panel.calibration.text())

    until(all_are_there)
    network.close()
    laid_out()
    lines = panel.calibration.height() / panel.calibration.fontMetrics().lineSpacing()
    assert lines >= 2, "as much as after a calibration"
    assert panel.rows.verticalScrollBar().maximum() == 0


def test_without_a_source_nobody_follows_and_the_buttons_say_why(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(editor)
    buttons = panel.follow_button, panel.record_button
    assert panel.empty.text().startswith("Choose a motion")
    assert not any(each.isEnabled() for each in buttons)
    assert {each.toolTip() for each in buttons} == {"Choose a motion first: there is nothing to follow"}
    click(panel.source.kind.button("network"))
    assert panel.empty.text() == "Give this port to the program that sends, and press Listen."
    assert {each.toolTip() for each in buttons} == {"Listen first: there is nothing to follow"}
    click(panel.source.kind.button("file"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(LIVELY), ""))
    click(panel.source.choose)
    until(lambda: len(panel.rows.rows) == len(SIX))
    assert all(each.isEnabled() for each in buttons)
    assert not any("first" in each.toolTip() for each in buttons)
