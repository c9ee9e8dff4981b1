"""How far the active person is from the camera of its photo and which way it faces, as numbers to scrub."""

from __future__ import annotations

from math import degrees, radians

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.document import edits
from app.document.in_photo.line_of_sight import distance, facing, reach
from app.document.model.document import Character
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from app.services.steps.contacts import are_touched, pushed_along
from app.services.steps.depth_flips import eye_of_photo


class CameraDistanceRows(QWidget):
    """Pushes along the line of sight, and turns about the vertical. Each scrub goes from how the person was before."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._start: Character | None = None
        self._carried: tuple[Prop, ...] = ()  # what the person carries, as it was before
        self.distance = ValueSlider("Distance", 0.5, 10.0, decimals=2, suffix=" m", span=3.0)
        self.distance.setToolTip(
            "How far the active person is from the camera of its photo. It grows with the distance and keeps its place "
            "in the picture; the ends are the smallest and the largest that its body gets"
        )
        bind_scrub(self.distance, session, lambda: self._text("Push"), self._push, self._is_followed)
        self.facing = ValueSlider("Facing", -180.0, 180.0, decimals=0, suffix="°")
        self.facing.setToolTip("Which way the active person's hips face: 0° is towards the camera of its photo")
        bind_scrub(self.facing, session, lambda: self._text("Turn"), self._turn, solve=False)
        for slider in (self.distance, self.facing):
            slider.finished.connect(self._forget)
            slider.cancelled.connect(self._forget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for slider in (self.distance, self.facing):
            layout.addWidget(slider)

    def refresh(self) -> None:
        """Show the active person; nothing if there is none, or no photo."""
        active = self._session.active
        eye = self._eye(active)
        self.setVisible(active is not None and eye is not None)
        if active is None or eye is None:
            return
        if self._start is None:  # while it is scrubbed its ends stay where they are
            self.distance.set_range(*(round(metres, 3) for metres in (*reach(active, eye), distance(active, eye))))
        self.distance.set_value(round(distance(active, eye), 3))
        self.facing.set_value(round(degrees(facing(active, eye)), 1))

    def _push(self, metres: float) -> Edit | None:
        start = self._begun()
        eye = self._eye(start)
        if start is None or eye is None:
            return None
        return edits.push_character(start, eye, metres, self._carried)

    def _is_followed(self) -> bool:
        start = self._start
        return start is not None and are_touched(self._session.document, self._carried, start.id)

    def _turn(self, angle: float) -> Edit | None:
        start = self._begun()
        eye = self._eye(start)
        return edits.face_character(start, eye, radians(angle)) if start is not None and eye is not None else None

    def _begun(self) -> Character | None:
        if self._start is None and self._session.active is not None:
            self._start = self._session.active
            self._carried = pushed_along(self._session.document, self._start.id, ())
        return self._start

    def _forget(self) -> None:
        self._start = None
        self.refresh()

    def _text(self, verb: str) -> str:
        active = self._session.active
        return f"{verb} {active.name}" if active is not None else verb

    def _eye(self, person: Character | None) -> NDArray[np.floating] | None:
        """(3,) metres: where the camera of the person's own photo is."""
        return None if person is None else eye_of_photo(person, self._session.document)
