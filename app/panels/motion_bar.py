"""The frame slider of a character that carries a motion; hidden otherwise."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.document import edits
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.frame_slider import FrameSlider
from app.services.session import Session
from app.theme import SPACE


class MotionBar(QWidget):
    """Choose the frame; one scrub is one undo step. Playing only shows: it ends with one step to the frame reached."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._key: object | None = None
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.play = IconButton("play", "Play the motion", checkable=True)
        self.play.clicked.connect(self._toggle_play)
        self.slider = FrameSlider()
        self.slider.setAccessibleName("Frame")
        self.slider.valueChanged.connect(self._show_frame)
        self.slider.sliderReleased.connect(self._end)
        self.label = QLabel()
        self.label.setMinimumWidth(96)
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout(self)
        line.setContentsMargins(SPACE, 4, SPACE + 4, 4)
        line.setSpacing(SPACE)
        line.addWidget(self.play)
        line.addWidget(self.slider, 1)
        line.addWidget(self.label)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._next)
        self.hide()

    def refresh(self) -> None:
        """Show the active character's motion."""
        active = self._session.active
        motion = active.motion if active else None
        if active is None or motion is None:
            self.stop()
            self.hide()
            return
        self.slider.blockSignals(True)
        self.slider.setRange(0, len(motion) - 1)
        self.slider.setValue(active.frame)
        self.slider.blockSignals(False)
        self.label.setText(f"Frame {active.frame + 1} of {len(motion)}")
        self.setVisible(len(motion) > 1)

    def stop(self) -> None:
        """End playing."""
        if self._timer.isActive():
            self._timer.stop()
            self.play.setChecked(False)
            self.play.set_icon("play")
            self._end()

    def _toggle_play(self) -> None:
        active = self._session.active
        if self._timer.isActive() or active is None or active.motion is None:
            self.stop()
            return
        self.play.set_icon("pause", "accent")
        self._timer.start(max(round(1000 / active.motion.fps), 15))

    def _next(self) -> None:
        active = self._session.active
        if active is None or active.motion is None:
            self.stop()
            return
        # frames may come faster than they can be drawn: keep the motion's pace
        step = max(round(self._timer.interval() / 1000 * active.motion.fps), 1)
        self._show_frame((active.frame + step) % len(active.motion))

    def _show_frame(self, frame: int) -> None:
        active = self._session.active
        if active is None or active.motion is None:
            return
        held = self.slider.isSliderDown() or self._timer.isActive()
        if held and self._key is None:
            self._key = ("frame", object())
        self._session.edit("Choose frame", edits.set_frame(active.id, frame), self._key)

    def _end(self) -> None:
        if self._key is not None:
            self._key = None
            self._session.close_step()
