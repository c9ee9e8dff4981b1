"""The body: gender and the ten shape sliders."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QPushButton, QWidget

from app.document import edits
from app.document.model.history import Edit
from app.document.posing.solving import body_of
from app.panels.scrub import bind
from app.panels.widgets.buttons import Segments
from app.panels.widgets.section import fill, row
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT

SLIDER_RANGE = min(3.0, SHAPE_LIMIT)  # standard deviations: beyond three there is hardly anyone


class BodyPanel(QWidget):
    """Edits the active character's shape; every slider change solves again, so that the effectors hold."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.gender = Segments([(g, g.capitalize()) for g in GENDERS])
        self.gender.chosen.connect(self._set_gender)
        self.sliders = [
            ValueSlider(f"Shape {i + 1}", -SLIDER_RANGE, SLIDER_RANGE, decimals=2) for i in range(SHAPE_COMPONENTS)
        ]
        for i, slider in enumerate(self.sliders):
            bind(slider, session, partial(self._text, i), partial(self._set_beta, i))
        self.reset = QPushButton("Reset shape")
        self.reset.setProperty("flat", True)
        self.reset.clicked.connect(self._reset)
        fill(self, self.gender, *self.sliders, row(self.reset, stretch=True))
        self._labelled = ""

    def refresh(self) -> None:
        """Show the active character."""
        active = self._session.active
        self.setEnabled(active is not None)
        if active is None:
            return
        if self._labelled != active.body:
            self._labelled = active.body
            for slider, label in zip(self.sliders, body_of(active).component_names, strict=False):
                slider.label = label
                slider.setAccessibleName(label)
                slider.update()
        self.gender.set_current(active.shape.gender)
        for slider, beta in zip(self.sliders, active.shape.betas, strict=True):
            slider.set_value(round(float(beta), 3))
        self.reset.setEnabled(bool(active.shape.betas.any()))

    def _text(self, index: int) -> str:
        return f"Change {self.sliders[index].label.lower()}"

    def _set_beta(self, index: int, value: float) -> Edit | None:
        active = self._session.active
        return edits.set_beta(active.id, index, value) if active else None

    def _set_gender(self, gender: str) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit(f"Choose the {gender} body", edits.set_gender(active.id, gender), solve=True)

    def _reset(self) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit("Reset shape", edits.reset_shape(active.id), solve=True)
