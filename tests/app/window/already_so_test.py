"""A key whose command finds everything as it would leave it says so: silence would look like a broken key."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from timeline_driver import set_moving
from window_driver import active, settled, strike, until

from app.document import edits
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY = Qt.Key
NONE, CTRL, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def said(editor: Editor) -> str:
    return editor.window.status.notices.shown


def struck(editor: Editor, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> str:
    """What is said of a key, whatever was said before."""
    editor.window.status.notices.retract(said(editor))
    strike(editor, key, held)
    return said(editor)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("key", "held", "text"),
    [
        (KEY.Key_End, NONE, "Person 1 is on the floor already."),
        (KEY.Key_R, ALT | SHIFT, "The right side is like the left one already."),
        (KEY.Key_B, CTRL, "This pose is the base pose already."),
        (KEY.Key_Z, ALT, "There is no earlier view to go back to."),
        (KEY.Key_Z, ALT | SHIFT, "There is no later view to go forward to."),
    ],
)
def test_what_is_so_already_is_told_and_makes_no_step(
    editor: Editor, key: Qt.Key, held: Qt.KeyboardModifier, text: str
) -> None:
    for _ in range(2):  # the first may still set the person on the floor, or keep the pose
        told = struck(editor, key, held)
    steps = editor.session.history.steps()
    assert told == text
    assert struck(editor, key, held) == text
    assert editor.session.history.steps() == steps


def test_a_pose_pasted_where_it_was_copied_is_told_of_and_elsewhere_it_is_not(editor: Editor) -> None:
    struck(editor, KEY.Key_C, CTRL)
    assert struck(editor, KEY.Key_V, CTRL) == "Person 1 is in that pose already."
    assert editor.session.history.steps() == ()
    other = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    editor.session.select("c1", [other.id])
    assert struck(editor, KEY.Key_G) == (
        "The position effector is selected already: drag its handle. Meanwhile X, Y or Z keeps it to an axis, and a "
        "number says how far."
    )
    raised = edits.set_target("c1", other.id, np.asarray(other.target) + (0.0, 0.3, 0.0))
    editor.session.edit("Raise", raised, solve=True)
    settled(editor.session)
    assert struck(editor, KEY.Key_V, CTRL) == ""
    assert editor.session.history.undo_text == "Paste pose"


def test_there_is_no_key_beyond_the_last_one(editor: Editor) -> None:
    set_moving(editor, 60, (40,))
    assert struck(editor, KEY.Key_Down) == "There is no key before this frame"
    assert struck(editor, KEY.Key_Up) == ""
    until(lambda: active(editor).frame == 40)
    assert struck(editor, KEY.Key_Up) == "There is no key after this frame"


def test_handles_that_a_key_hides_are_told_of_until_it_shows_them(editor: Editor) -> None:
    """Who knows H from another program hides what the pointer is over, and had nothing left to drag."""
    assert struck(editor, KEY.Key_H) == "The handles are hidden. H shows them again."
    strike(editor, KEY.Key_H)
    assert said(editor) == ""


def test_a_light_chosen_for_a_look_without_light_says_where_it_is_seen(editor: Editor) -> None:
    strike(editor, KEY.Key_8, ALT)
    assert struck(editor, KEY.Key_9, ALT) == (
        "Grey light is chosen. Silhouette has no light; Clay (Alt+4) and Suit (Alt+5) have."
    )
    strike(editor, KEY.Key_4, ALT)
    assert said(editor) == ""
    assert struck(editor, KEY.Key_9, ALT) == ""


def test_shift_d_without_a_photo_says_that_it_turns_somebody_round_and_adds_no_copy(editor: Editor) -> None:
    told = "Person 1 is seen from the other side now: Shift+D turns back. Ctrl+D adds a copy."
    assert struck(editor, KEY.Key_D, SHIFT) == told
    assert len(editor.session.document.characters) == 1
    strike(editor, KEY.Key_Z, CTRL)
    assert said(editor) == ""
