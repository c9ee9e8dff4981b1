"""The keyboard of a timeline that has the focus."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.panels.timeline.foot_bar_keyboard import FootBarKeyboard
from app.panels.timeline.timeline_view import TimelineView

NONE, ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
KEY = Qt.Key
CLOSER = 1.25
GO_ON_WHILE_HELD = (KEY.Key_Left, KEY.Key_Right, KEY.Key_Comma, KEY.Key_Period, KEY.Key_Down, KEY.Key_Up, KEY.Key_Plus,
                    KEY.Key_Minus)  # fmt: skip


class TrackKeyboard:
    """The timeline's keys, claimed only if they have something to do: elsewhere they mean something else."""

    def __init__(self, track: TimelineView) -> None:
        self._track = track
        player, chosen = track.player, track.chosen
        self.bars = FootBarKeyboard(track)
        self._run: dict[tuple[Qt.Key, Qt.KeyboardModifier], Callable[[], object]] = {
            (KEY.Key_Left, NONE): lambda: player.step(-1),
            (KEY.Key_Right, NONE): lambda: player.step(1),
            (KEY.Key_Comma, NONE): lambda: player.step(-1),
            (KEY.Key_Period, NONE): lambda: player.step(1),
            (KEY.Key_Down, NONE): lambda: player.to_key(-1),
            (KEY.Key_Up, NONE): lambda: player.to_key(1),
            (KEY.Key_Down, SHIFT): self.bars.enter,
            (KEY.Key_Up, SHIFT): chosen.select_here,
            (KEY.Key_Left, ALT): lambda: chosen.move(-1),
            (KEY.Key_Right, ALT): lambda: chosen.move(1),
            (KEY.Key_Home, NONE): lambda: player.to_end(last=False),
            (KEY.Key_End, NONE): lambda: player.to_end(last=True),
            (KEY.Key_Home, CTRL): player.begin_here,
            (KEY.Key_End, CTRL): player.end_here,
            (KEY.Key_Left, SHIFT): lambda: player.to_end(last=False),
            (KEY.Key_Right, SHIFT): lambda: player.to_end(last=True),
            (KEY.Key_Space, NONE): player.toggle,
            (KEY.Key_Return, NONE): track.ask_number,
            (KEY.Key_Enter, NONE): track.ask_number,
            (KEY.Key_I, NONE): chosen.toggle_here,
            (KEY.Key_S, NONE): chosen.toggle_here,
            (KEY.Key_J, NONE): track.switch_in_betweens,
            (KEY.Key_A, NONE): track.show_all,
            (KEY.Key_Plus, NONE): lambda: track.zoom(CLOSER),
            (KEY.Key_Minus, NONE): lambda: track.zoom(1 / CLOSER),
            (KEY.Key_A, CTRL): chosen.select_all,
            (KEY.Key_C, CTRL): chosen.copy,
            (KEY.Key_V, CTRL): chosen.paste,
            (KEY.Key_Delete, NONE): chosen.delete,
            (KEY.Key_Backspace, NONE): chosen.delete,
            (KEY.Key_Escape, NONE): self._escape,
        }

    def wants(self, event: QKeyEvent) -> bool:
        """Whether the key has something to do here and now."""
        key = _combination(event)
        if self._for_bars(key):
            return True
        if key == (KEY.Key_C, CTRL):
            return bool(self._track.chosen.frames)
        if key == (KEY.Key_V, CTRL):
            return self._track.chosen.can_paste
        return key in self._run

    def press(self, event: QKeyEvent) -> bool:
        """Do what the key says; False for one that is not the timeline's. During a drag only Esc counts."""
        key = _combination(event)
        for_bars = self._for_bars(key)
        if not self.wants(event) or (key == (KEY.Key_Escape, NONE) and not (for_bars or self._can_escape)):
            return False
        again = event.isAutoRepeat() and key[0] not in GO_ON_WHILE_HELD
        if not again and (not self._track.held or key[0] == KEY.Key_Escape):
            if for_bars and not self._track.held:
                self.bars.press(key[0])
            else:
                self._run[key]()
        return True

    def _for_bars(self, key: tuple[Qt.Key, Qt.KeyboardModifier]) -> bool:
        return key[1] == NONE and self.bars.wants(key[0])

    @property
    def _can_escape(self) -> bool:
        """Whether Esc has something to cancel here; else it is for whatever else is being done."""
        return self._track.held or bool(self._track.chosen.frames)

    def _escape(self) -> None:
        """Cancel a drag; without one, deselect all keys."""
        if not self._track.cancel_drag():
            self._track.chosen.select(())


def _combination(event: QKeyEvent) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() == KEY.Key_Plus:
        held &= ~SHIFT
    return KEY(event.key()), held
