"""The frame slider of a character whose clip has several frames; hidden otherwise."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.frame_slider import FrameSlider
from app.services.live import Live
from app.services.session import Session
from app.services.streams import ClipStream


class MotionBar(QWidget):
    """Choose the frame that is looked at, or play. Neither edits: what was posed at a frame is there again later.

    Whoever takes hold of the slider or edits while it plays means the frame that is seen: playing ends there. A drag
    that went on over frames that pass by would leave a key at each.
    """

    def __init__(self, session: Session, live: Live) -> None:
        super().__init__()
        self._session = session
        self.live = live
        live.setParent(self)
        self.live.stopped.connect(self._show_stopped)
        self._revision = session.history.revision
        session.history.subscribe(lambda _document: self._stop_at_edits())
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.play = IconButton("play", "Play the motion (Space)", checkable=True)
        self.play.clicked.connect(self.toggle)
        self.slider = FrameSlider()
        self.slider.setAccessibleName("Frame")
        self.slider.sliderPressed.connect(self.stop)
        self.slider.valueChanged.connect(self._show_frame)
        self.label = QLabel()
        self.label.setMinimumWidth(96)
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout(self)
        line.setContentsMargins(SPACE, 4, SPACE + 4, 4)
        line.setSpacing(SPACE)
        line.addWidget(self.play)
        line.addWidget(self.slider, 1)
        line.addWidget(self.label)
        self.hide()

    def refresh(self) -> None:
        """Show the active character's clip; a frame with a key says so."""
        active = self._session.active
        if active is None or len(active.clip) == 1:
            self.stop()
            self.hide()
            return
        clip, frame = active.clip, active.frame
        self.slider.blockSignals(True)
        self.slider.setRange(0, len(clip) - 1)
        self.slider.setValue(frame)
        self.slider.blockSignals(False)
        self.label.setText(f"Frame {frame + 1} of {len(clip)}{' · key' if clip.key(frame) is not None else ''}")
        self.show()

    def stop(self) -> None:
        """End playing."""
        self.live.stop()

    def toggle(self) -> None:
        """Play from the frame that is looked at, or pause."""
        active = self._session.active
        if self.live.running or self._session.in_step or active is None or len(active.clip) == 1:
            self.stop()
            self._show_stopped()
            return
        self._revision = self._session.history.revision
        self.live.start(active.id, ClipStream(len(active.clip), active.clip.fps, active.frame))
        self.play.setChecked(True)
        self.play.set_icon("pause", "accent")

    def _show_stopped(self) -> None:
        self.play.setChecked(False)
        self.play.set_icon("play")

    def _stop_at_edits(self) -> None:
        if self._session.history.revision != self._revision:  # not what a solve that was under way brings
            self.stop()

    def _show_frame(self, frame: int) -> None:
        self.stop()
        if self._session.active is not None:
            self._session.look_at_frame(self._session.active.id, frame)
