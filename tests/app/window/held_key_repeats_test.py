"""A key that is held: under X11 its repeats come as releases and presses of the same time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcutEvent
from timeline_driver import frame_of, set_moving

from app.window.editor import Editor

RELEASE, OVERRIDE, PRESS = QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress
CODE = 43  # of the key on the keyboard, whichever letter it gives
HANDLES, NEXT = "view.handles", "time.frame_after"


def sent(editor: Editor, kind: QEvent.Type, key: Qt.Key, at: int) -> None:
    """Let the window have an event of a key as X11 sends it. at: the server's clock, in milliseconds."""
    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, CODE, 0, 0)
    event.setTimestamp(at)
    QCoreApplication.sendEvent(editor.window.windowHandle(), event)


def shortcut(editor: Editor, command: str, key: Qt.Key, at: int) -> None:
    """Press the key of a command: Qt asks who else wants it, then runs the command instead of passing the key on."""
    sent(editor, OVERRIDE, key, at)
    QCoreApplication.sendEvent(editor.actions[command], QShortcutEvent(QKeySequence(key), 0))


@pytest.mark.gl
def test_a_switch_whose_key_is_held_is_switched_once(editor: Editor) -> None:
    before = editor.session.view.handles
    shortcut(editor, HANDLES, Qt.Key.Key_H, 1000)
    for at in (1660, 1700, 1740):
        sent(editor, RELEASE, Qt.Key.Key_H, at)
        shortcut(editor, HANDLES, Qt.Key.Key_H, at)
    assert editor.session.view.handles != before
    sent(editor, RELEASE, Qt.Key.Key_H, 1760)
    shortcut(editor, HANDLES, Qt.Key.Key_H, 1820)
    assert editor.session.view.handles == before, "struck again, it switches back"


@pytest.mark.gl
def test_what_goes_on_while_a_key_is_held_does(editor: Editor) -> None:
    set_moving(editor, 201)
    shortcut(editor, NEXT, Qt.Key.Key_Period, 1000)
    for at in (1660, 1700):
        sent(editor, RELEASE, Qt.Key.Key_Period, at)
        shortcut(editor, NEXT, Qt.Key.Key_Period, at)
    assert frame_of(editor) == 3


@pytest.mark.gl
def test_space_held_plays_and_does_not_pause_again(editor: Editor) -> None:
    set_moving(editor, 201)
    for at in (1000, 1660, 1700):
        sent(editor, OVERRIDE, Qt.Key.Key_Space, at)
        sent(editor, PRESS, Qt.Key.Key_Space, at)
        assert editor.player.playing
        sent(editor, RELEASE, Qt.Key.Key_Space, {1000: 1660, 1660: 1700}.get(at, 1720))
    sent(editor, OVERRIDE, Qt.Key.Key_Space, 1800)
    sent(editor, PRESS, Qt.Key.Key_Space, 1800)
    assert not editor.player.playing
