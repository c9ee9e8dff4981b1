"""What the trackers' panel says: how late the picture is, and why nobody can follow yet."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QFileDialog, QLabel
from trackers_driver import LIVELY, SIX, click, opened
from window_driver import laid_out, until

from app.window.editor import Editor

pytestmark = pytest.mark.gl


def test_what_a_long_delay_is_of_can_be_read_whole(editor: Editor) -> None:
    panel = opened(editor)
    panel.latency.show_text("131 ms, 95 % below 243 ms; slow ones +145")
    laid_out()
    for label in (each for each in panel.findChildren(QLabel) if each.text() in ("Sample to pixel", "Packets")):
        assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()
    assert panel.rect().contains(QRect(panel.latency.mapTo(panel, QPoint()), panel.latency.size()))


def test_without_a_source_nobody_follows_and_the_buttons_say_why(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(editor)
    buttons = panel.follow_button, panel.record_button
    assert panel.empty.text().startswith("Choose a motion")
    assert not any(each.isEnabled() for each in buttons)
    assert {each.toolTip() for each in buttons} == {"Choose a motion first: there is nothing to follow"}
    click(panel.source.kind.button("network"))
    assert panel.empty.text() == "Trackers show here as soon as they are heard."
    assert {each.toolTip() for each in buttons} == {"Listen first: there is nothing to follow"}
    click(panel.source.kind.button("file"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(LIVELY), ""))
    click(panel.source.choose)
    until(lambda: len(panel.rows.rows) == len(SIX))
    assert all(each.isEnabled() for each in buttons)
    assert not any("first" in each.toolTip() for each in buttons)
