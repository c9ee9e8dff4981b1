"""A slider that goes to where its track is pressed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider


class FrameSlider(QSlider):
    """A horizontal slider. A press on the track brings the handle under the pointer, which drags it on from there."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to where the bar is pressed, and go on dragging from there."""
        if event.button() == Qt.MouseButton.LeftButton:
            option = QStyleOptionSlider()
            self.initStyleOption(option)
            part, style = QStyle.SubControl, self.style()
            handle = style.subControlRect(QStyle.ComplexControl.CC_Slider, option, part.SC_SliderHandle, self)
            if not handle.contains(event.position().toPoint()):
                groove = style.subControlRect(QStyle.ComplexControl.CC_Slider, option, part.SC_SliderGroove, self)
                travel = groove.width() - handle.width()
                at = round(event.position().x() - groove.x() - handle.width() / 2)
                self.setSliderDown(True)  # first: a jump and the drag after it are one scrub
                self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, max(travel, 1)))
        super().mousePressEvent(event)
