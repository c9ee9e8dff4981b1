"""Somebody without frames who holds on to somebody with keys: the status bar says so, and how both come to move."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from timeline_hand import TimelineHand
from window_hand import Hand, active, settled, strike

from app.document import edits
from app.window.editor import Editor

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def pair(editor: Editor) -> Editor:
    """A second person, still, has a hand on the first one's shoulder, who is active and has 120 frames."""
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    editor.session.edit("Nearer", edits.move_character(active(editor).id, [-0.5, 0.0, 0.0]), solve=True)
    editor.refresh()
    editor.actions["contact.shoulder"].trigger()
    settled(editor.session)
    editor.session.select("c1")
    editor.refresh()
    editor.actions["time.animate"].trigger()
    settled(editor.session)
    editor.refresh()
    return editor


def pose_at(editor: Editor, frame: int) -> None:
    TimelineHand(editor).to_frame(frame)
    wrist = next(e for e in active(editor).effectors if e.joint == "right_wrist")
    hand = Hand(editor)
    hand.drag(hand.place(wrist.target), QPoint(-10, -20), QPoint(-20, -50))
    settled(editor.session)
    editor.refresh()


def test_who_holds_on_without_frames_is_named_once_a_key_was_set(pair: Editor) -> None:
    notices = pair.window.status.notices
    assert "Person 2 holds on" not in notices.shown
    pose_at(pair, 60)
    assert notices.shown.startswith("Person 2 holds on to Person 1 with one pose for all frames")
    notices.take_back(notices.shown)
    pose_at(pair, 90)
    assert notices.shown == "", "once is enough"
    pair.session.open(pair.session.document)
    settled(pair.session)
    pose_at(pair, 30)
    assert notices.shown.startswith("Person 2 holds on"), "in another scene they are others"


def test_nothing_is_said_where_both_have_frames(pair: Editor) -> None:
    pair.session.select("c2")
    pair.refresh()
    pair.actions["time.animate"].trigger()
    pair.session.select("c1")
    pair.refresh()
    pose_at(pair, 60)
    assert "holds on" not in pair.window.status.notices.shown
