"""The timeline below the view: buttons, the frame's number, and the track of frames and keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.timeline.chosen_keys import ChosenKeys
from app.panels.timeline.frame_field import FrameField
from app.panels.timeline.track import Track
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.elided import ElidedText
from app.services.playing import Player
from app.services.session import Session

STILL = "A still pose. Open a BVH or AMASS file to move"


class Timeline(QWidget):
    """What time it is for everybody, and the keys of the active person. said(text): for the status bar.

    Where nobody moves it is a calm strip of one line.
    """

    said = Signal(str)

    def __init__(self, session: Session, player: Player) -> None:
        super().__init__()
        self._session, self.player = session, player
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.chosen = ChosenKeys(session, self)
        self.chosen.said.connect(self.said)
        self.track = Track(session, player, self.chosen)
        self.still = QLabel(STILL)
        self.still.setProperty("role", "muted")
        self.still.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.still.setFixedHeight(28)
        self.to_key = (
            IconButton("key_before", "Go to the key before (Down)"),
            IconButton("key_after", "Go to the next key (Up)"),
        )
        self.step = (
            IconButton("frame_before", "One frame back (Left)"),
            IconButton("frame_after", "One frame on (Right)"),
        )
        self.play = IconButton("play", "Play the motion (Space)", checkable=True)
        self.loop = IconButton("loop", "Play over and over", checkable=True)
        self.all = IconButton("all_frames", "Show all frames (A over the timeline); the wheel zooms")
        self.field = FrameField()
        self.label = ElidedText(tone="muted")
        self._connect()
        self.controls = self._controls()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.controls, self.track, self.still):
            column.addWidget(widget)
        self.refresh()

    def refresh(self) -> None:
        """Show as much as there is: the whole where anybody moves, else a line."""
        moves = self.player.can_play
        if not moves:
            self.player.stop()
        for widget in (self.controls, self.track):
            widget.setVisible(moves)
        self.still.setVisible(not moves)
        self._follow()

    def _connect(self) -> None:
        for direction, button in zip((-1, 1), self.to_key, strict=True):
            button.clicked.connect(lambda _checked=False, to=direction: self.player.to_key(to))
        for direction, button in zip((-1, 1), self.step, strict=True):
            button.setAutoRepeat(True)
            button.clicked.connect(lambda _checked=False, by=direction: self.player.step(by))
        self.play.clicked.connect(self.player.toggle)
        self.loop.clicked.connect(self.player.set_loop)
        self.all.clicked.connect(self.track.show_all)
        self.field.wanted.connect(lambda number: self.player.look_at(number - 1))
        self.field.closed.connect(self.track.setFocus)  # the arrows and Space go on from the frame that was typed
        self.player.changed.connect(self._show_playing)
        self.track.number_asked.connect(self.field.open_editor)
        self.track.zoomed.connect(self._show_zoom)
        self._session.changed.connect(self._follow)

    def _controls(self) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(SPACE, 3, SPACE, 3)
        line.setSpacing(2)
        for button in (self.to_key[0], self.step[0], self.play, self.step[1], self.to_key[1], self.loop):
            line.addWidget(button)
        line.addSpacing(SPACE)
        line.addWidget(self.field)
        line.addSpacing(SPACE)
        line.addWidget(self.label, 1)
        line.addWidget(self.all)
        return row

    def _follow(self) -> None:
        """Show the time as it is now; asked often, so it does little."""
        if not self.controls.isVisibleTo(self):
            return
        self.track.follow()
        clock, frame = self.track.clock, self.player.frame
        self.field.set_number(frame + 1)
        key = any(abs(place - frame) < 0.5 for _, place in self.track.marks.keys)
        self.label.set_text(f"of {clock.frames:,}  ·  {frame / clock.fps:.2f} s{'  ·  key' if key else ''}")
        self.loop.setChecked(self._session.view.loop)

    def _show_playing(self) -> None:
        self.play.setChecked(self.player.playing)
        self.play.set_icon(*(("pause", "accent") if self.player.playing else ("play", "muted")))

    def _show_zoom(self) -> None:
        self.all.setEnabled(not self.track.scale.whole)
