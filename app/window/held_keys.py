"""Keys that mean something while held, or during a drag: the window asks here before its commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent

from app.panels.job_bar import JobBar
from app.panels.widgets.notices import Notices
from app.services.player import Player
from app.services.session import Session
from app.viewport.tools.pose_tool import PoseTool
from app.viewport.tools.surface_key import SURFACE_KEY
from rendering.view.viewport import Viewport

PEEK = Qt.Key.Key_N  # held: the motion before the edit, alone
PLAY = Qt.Key.Key_Space
SAID_MS = 6000
# A key that is pressed again within it was held all along: on X11 a repeat begins with a release, and nothing tells
# that from the last one before the press has come.
REPEAT_MS = 60


class HeldKeys:
    """Handles the keys of a drag, those that nudge what is selected, and the one that shows the motion before the edit.

    Space comes here from fields that have no use for it, such as a number just typed: the motion then plays as well.
    Esc without a drag pauses playing, else it acts as Cancel in the bar of the running job; with nothing to cancel it
    gives the keyboard focus to the view. waiting: whether another scene is about to open, so that nothing here moves.
    grey: why the command of a key is grey, "" if it has none; it is said, as a key that does nothing looks broken.
    """

    def __init__(
        self,
        session: Session,
        viewport: Viewport,
        tool: PoseTool,
        player: Player,
        job_bar: JobBar,
        waiting: Callable[[], bool],
        grey: Callable[[QKeyEvent], str],
        notices: Notices,
    ) -> None:
        self._session, self._viewport, self._tool, self._player = session, viewport, tool, player
        self._job_bar, self._waiting, self._grey, self._notices = job_bar, waiting, grey, notices
        self._said = ""
        self._looked = QTimer(singleShot=True, interval=REPEAT_MS)
        self._looked.timeout.connect(self._end_peek)

    def coming(self, event: QKeyEvent) -> None:
        """Note a key of the view that a command may take: S scales a selected prop, and still means a surface if it is
        held while somebody is dragged."""
        if event.key() == SURFACE_KEY and not event.modifiers() and not self._tool.dragging:
            self._tool.constrain(SURFACE_KEY)

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it was one of these."""
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Escape:
            return self._viewport.cancel_drag() or self._player.pause() or self._job_bar.give_up() or self._leave()
        if self._waiting():
            return False
        if key == PEEK and not event.modifiers() and not self._tool.dragging:
            self._looked.stop()
            self._session.set_view(peek=True)
            return True
        if key == PLAY and not event.modifiers() and self._player.can_play:
            if not event.isAutoRepeat() and not self._tool.dragging:
                self._player.toggle()
            return True
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if self._tool.constrain(key, plane=shift):
            return True
        alone = shift and held == Qt.KeyboardModifier.ControlModifier  # as the two keys mean in a drag
        if (alone or not held) and self._tool.nudge(key, far=shift and not alone, alone=alone):
            return True
        return self._say_why_not(event)

    def _say_why_not(self, event: QKeyEvent) -> bool:
        """Say in the status bar why the key's command is grey; False for a key without one.

        Not during a drag, nor for S, which is held before one to lay something on a surface.
        """
        if self._tool.dragging or event.isAutoRepeat() or (event.key() == SURFACE_KEY and not event.modifiers()):
            return False
        self._notices.retract(self._said)  # the next key is answered at once
        self._said = self._grey(event)
        if self._said:
            self._notices.say(self._said, SAID_MS)
        return bool(self._said)

    def _leave(self) -> bool:
        """Give the keyboard focus back to the view; False if the view has it."""
        elsewhere = not self._viewport.hasFocus()
        self._viewport.setFocus()
        return elsewhere

    def key_released(self, event: QKeyEvent | None) -> None:
        """Handle the release of a key; None: the window lost the keyboard, so no key is held any more."""
        if event is None or not event.isAutoRepeat():
            self._tool.key_released(Qt.Key(event.key()) if event else None)
            if event is None:
                self._end_peek()
            elif event.key() == PEEK:
                self._looked.start()

    def _end_peek(self) -> None:
        self._session.set_view(peek=False)
