"""What is done to whoever rides on a cart, or to the cart below them, in the window: copies, keys and deleting."""

from __future__ import annotations

import numpy as np
import pytest
from people_on_props_window_test import sit_down
from prop_driver import added, the_prop
from PySide6.QtCore import Qt
from riding_window_test import SEAT_M, all_solved, animate, off_seat, pull
from timeline_driver import TimelineMouse, keys_of
from window_driver import active, settled, strike

from app.document import edits
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.slow]
KEY, CTRL = Qt.Key, Qt.KeyboardModifier.ControlModifier


def riding(editor: Editor, wide: float = 1.0) -> tuple[np.ndarray, TimelineMouse]:
    """Somebody put by the mouse on a box so many times as wide, which moves away by frame 60; all is solved. Where the
    pelvis is on the box, (3,) metres."""
    who = active(editor).id
    x, _, z = active(editor).pose.root_position.tolist()
    box, mouse = added(editor, "box", (x, 0.0, z - 0.35)), TimelineMouse(editor)
    editor.session.edit("Wide", edits.set_prop_size(box.id, box.size * [wide, 1.0, 1.0]))
    animate(editor)
    mouse.to_frame(60)
    pull(editor)
    assert np.linalg.norm(the_prop(editor).place - box.place) > 0.3
    mouse.to_frame(0)
    sit_down(editor, who, the_prop(editor))
    mouse.to_frame(60)
    all_solved(editor)
    return on_box(editor, who), mouse


def on_box(editor: Editor, who: str) -> np.ndarray:
    """(3,) metres from the box to somebody's pelvis."""
    there = editor.session.document.character(who).pose.root_position - the_prop(editor).place
    return np.asarray(there @ the_prop(editor).turn)


def test_a_copy_made_on_the_way_rides_beside_the_original_at_every_frame(editor: Editor) -> None:
    at, mouse = riding(editor, wide=4.0)
    who = active(editor).id
    mouse.scrub(30)
    editor.session.select(who)
    strike(editor, KEY.Key_D, CTRL)
    copy = active(editor).id
    assert copy != who
    assert keys_of(editor, copy) == keys_of(editor, who)
    beside = on_box(editor, copy)
    assert abs(beside[1] - at[1]) < 1e-3
    assert 0.3 < np.linalg.norm(beside - at) < 1.2
    all_solved(editor)
    assert max(off_seat(editor, mouse, beside, 0, 15, 30, 45, 60)) < SEAT_M
    strike(editor, KEY.Key_Z, CTRL)
    assert len(editor.session.document.characters) == 1


def test_a_copy_for_whom_there_is_no_room_is_said_to_be_on_nothing(editor: Editor) -> None:
    riding(editor)
    editor.session.select(active(editor).id)
    strike(editor, KEY.Key_D, CTRL)
    settled(editor.session)
    said = editor.window.status.notices.shown
    assert said.startswith("There is no room for Person 2 on Box, so nothing bears Person 2."), said


def test_keys_set_before_the_frames_behind_are_solved_are_where_their_owner_rides(editor: Editor) -> None:
    at, mouse = riding(editor)
    who = active(editor).id
    editor.in_betweens.stop()  # as on a machine that is slow to come to it
    editor.session.select(who)
    for frame in (30, 60, 45):
        mouse.to_frame(frame)
        strike(editor, KEY.Key_I)
    assert keys_of(editor, who) == [0, 30, 45, 60]
    assert editor.in_betweens.missing(who)
    assert max(off_seat(editor, mouse, at, 0, 30, 45, 60)) < SEAT_M


def test_who_rides_on_a_cart_that_is_deleted_stays_where_they_are_seen_by_a_key_of_theirs(editor: Editor) -> None:
    _, mouse = riding(editor)
    who, session = active(editor).id, editor.session
    mouse.scrub(30)
    seen, first = active(editor).pose.root_position, session.document.actor(who).clip.keys[0].pose.root_position
    assert np.linalg.norm(seen - first) > 0.1
    strike(editor, KEY.Key_Delete)
    settled(session)
    assert not session.document.props
    assert keys_of(editor, who) == [0, 30]
    assert active(editor).pose.root_position == pytest.approx(seen, abs=5e-3)
    assert "a key at this frame now" in editor.window.status.notices.shown
    all_solved(editor)
    mouse.scrub(60)
    assert active(editor).pose.root_position == pytest.approx(seen, abs=5e-3)
    strike(editor, KEY.Key_Z, CTRL)
    assert keys_of(editor, who) == [0]


def test_without_the_keys_of_the_cart_nobody_is_shown_riding_for_a_moment_more(editor: Editor) -> None:
    at, mouse = riding(editor)
    editor.in_betweens.stop()  # as on a machine that is slow to come to it
    mouse.scrub(0)
    mouse.click(mouse.on("keys", 0))
    mouse.click(mouse.on("keys", 60), Qt.KeyboardModifier.ShiftModifier)
    mouse.strike(KEY.Key_Delete)
    assert the_prop(editor).clip is None
    assert max(off_seat(editor, mouse, at, 0, 30, 60)) < SEAT_M
