"""The bars of planted feet by keyboard: one is chosen, arrows go from bar to bar, Space holds it or lets it go."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from app.panels.timeline.timeline_view import TimelineView

KEY = Qt.Key


class FootBarKeyboard:
    """Which bar is chosen, and what keys without modifiers do to it; until Esc they are for bars."""

    def __init__(self, track: TimelineView) -> None:
        self._track = track
        self._at: tuple[int, float, float] | None = None
        self._run: dict[Qt.Key, Callable[[], object]] = {
            KEY.Key_Left: lambda: self._along(-1),
            KEY.Key_Right: lambda: self._along(1),
            KEY.Key_Home: lambda: self._end(first=True),
            KEY.Key_End: lambda: self._end(first=False),
            KEY.Key_Up: lambda: self._to_foot(0),
            KEY.Key_Down: lambda: self._to_foot(1),
            KEY.Key_Space: self._switch,
            KEY.Key_Return: self._switch,
            KEY.Key_Enter: self._switch,
            KEY.Key_Delete: self._let_go,
            KEY.Key_Backspace: self._let_go,
            KEY.Key_Escape: self.leave,
        }

    @property
    def number(self) -> int | None:
        """The number of the chosen bar among the contacts; None if there is none, or it is gone."""
        contacts = self._track.marks.contacts
        return contacts.index(self._at) if self._at in contacts else None

    def enter(self) -> None:
        """Choose the bar nearest to the frame looked at; called again, choose none."""
        bars, frame = self._track.marks.contacts, self._track.player.frame
        if self.number is not None:
            self.leave()
        elif bars:
            self._choose(min(range(len(bars)), key=lambda i: max(bars[i][1] - frame, frame - bars[i][2], 0.0)))

    def leave(self) -> None:
        """Choose none; keys are for frames again."""
        self._at = None
        self._track.bar_changed()

    def wants(self, key: Qt.Key) -> bool:
        """Whether a key without modifiers is for bars now."""
        return self.number is not None and key in self._run

    def press(self, key: Qt.Key) -> None:
        """Do what the key says."""
        self._run[key]()

    def _choose(self, number: int) -> None:
        """Choose a bar and go to its frames, so that it can be seen."""
        player = self._track.player
        self._at = _, first, last = self._track.marks.contacts[number]
        if not first <= player.frame <= last:
            player.go_to(round(first))
        self._track.bar_changed()

    def _along(self, step: int) -> None:
        """Go to the next or the previous bar of the same foot."""
        same = self._of_foot(self._track.marks.contacts[self.number or 0][0])
        place = same.index(self.number or 0) + step
        if 0 <= place < len(same):
            self._choose(same[place])

    def _end(self, first: bool) -> None:
        self._choose(self._of_foot(self._track.marks.contacts[self.number or 0][0])[0 if first else -1])

    def _to_foot(self, foot: int) -> None:
        """Go to that foot's bar nearest in time."""
        bars = self._track.marks.contacts
        _, first, last = bars[self.number or 0]
        others = self._of_foot(foot)
        if others and bars[self.number or 0][0] != foot:
            self._choose(min(others, key=lambda i: abs(bars[i][1] + bars[i][2] - first - last)))

    def _of_foot(self, foot: int) -> list[int]:
        bars = self._track.marks.contacts
        return sorted((i for i, bar in enumerate(bars) if bar[0] == foot), key=lambda i: bars[i][1])

    def _switch(self) -> None:
        self._track.switch_contact(self.number or 0)

    def _let_go(self) -> None:
        if self._track.marks.holds(self.number or 0):
            self._switch()
