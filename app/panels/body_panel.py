"""The body: gender, stature and weight, and the ten shape sliders."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QPushButton

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import body_of
from app.document.model.history import Edit
from app.panels.own_skin_row import OwnSkinRow
from app.panels.timeline.stride_slider import StrideSlider
from app.panels.widgets.buttons import SegmentedControl
from app.panels.widgets.popups import show_menu
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import Panel, horizontal_layout, panel_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.services.background.body_warm_up import BodyWarmUp
from app.services.session import Session
from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.catalog import DEFAULT_BODY, is_fitted, origin_of
from solver.body.measures import stature, weight
from solver.body.shape_presets import SHAPE_PRESETS, ShapePreset

SLIDER_RANGE = min(3.0, SHAPE_LIMIT)  # standard deviations: hardly anyone is beyond three

STATURES, WEIGHTS = (0.735, 1.265), (0.33, 2.65)  # relative to that body's mean shape
ADULT_CM, ADULT_KG = 170.0, 60.0
SEEN = 0.15  # centimetres or kilograms that show, as the fields show tenths


NO_AGE = "Networks take no account of age: they pose a similar adult, and the handles are then met on this body."
OTHER_PROPORTIONS = (
    "Its joints are where your character has them. "
    "Networks pose a similar adult, and the handles are then met on this body."
)


class BodyPanel(Panel):
    """Edits the active character's shape; every change of a slider solves again, so that the effectors hold."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.gender = SegmentedControl([(g, g.capitalize()) for g in GENDERS])
        self.gender.chosen.connect(self._set_gender)
        self.sliders = [
            ValueSlider(f"Shape {i + 1}", -SLIDER_RANGE, SLIDER_RANGE, decimals=2) for i in range(SHAPE_COMPONENTS)
        ]
        for i, slider in enumerate(self.sliders):
            bind_scrub(slider, session, partial(self._text, i), partial(self._set_beta, i))
        tall, heavy = (a * ADULT_CM for a in STATURES), (a * ADULT_KG for a in WEIGHTS)
        self.stature = ValueSlider("Stature", *tall, default=ADULT_CM, decimals=1, suffix=" cm")
        self.weight = ValueSlider("Body weight", *heavy, default=ADULT_KG, decimals=1, suffix=" kg")
        bind_scrub(self.stature, session, lambda: "Change stature", self._set_stature)
        bind_scrub(self.weight, session, lambda: "Change body weight", self._set_weight)
        self.stature.falls_short = partial(self._falls_short, self.stature)
        self.weight.falls_short = partial(self._falls_short, self.weight)
        self.stride = StrideSlider(session)
        self._measured: tuple[str, BodyShape] | None = None
        self.presets = QPushButton("Presets…")
        self.presets.setProperty("flat", True)
        self.presets.setToolTip("Bodies by name: child, teenager, elder, strong, heavy, stylised")
        self.presets.clicked.connect(self._ask_below)
        self.age = wrapped_label()
        self.own_skin = OwnSkinRow(session)
        self.reset = QPushButton("Reset shape")
        self.reset.setProperty("flat", True)
        self.reset.clicked.connect(self._reset)
        panel_layout(
            self,
            self.own_skin,
            self.gender,
            wrapped_label("Measured"),
            self.stature,
            self.weight,
            self.stride,
            wrapped_label("Shape, where 0 is average"),
            *self.sliders,
            horizontal_layout(self.presets, self.reset, stretch=True),
            self.age,
        )
        self._labelled = ""
        self.warm_up = BodyWarmUp()

    def _warm_up(self) -> None:
        active = self._session.active
        if active is not None and origin_of(active.body) == DEFAULT_BODY:
            self.warm_up.begin(active.shape.gender)

    def refresh(self) -> None:
        """Show the active character."""
        active = self._session.active
        self.setEnabled(active is not None)
        if active is None:
            return
        if self._labelled != active.body:
            self._labelled = active.body
            for slider, label in zip(self.sliders, body_of(active).component_names, strict=False):
                slider.set_label(label)
        self.gender.set_current(active.shape.gender)
        for slider, beta in zip(self.sliders, active.shape.betas, strict=True):
            slider.set_value(round(float(beta), 3))
        self.reset.setEnabled(bool(active.shape.betas.any()) and not edits.has_shape_of_own(active))
        self.presets.setEnabled(any(p.betas for p in edits.presets_for(active)))
        variant = origin_of(active.body) != active.body
        self.age.setVisible(variant)
        if variant:
            name = next((p.name for p in SHAPE_PRESETS if p.body == active.body), active.body)
            self.age.setText(OTHER_PROPORTIONS if is_fitted(active.body) else f"{name}. {NO_AGE}")
        self._measure(active)
        self.stride.refresh()
        self.stride.setVisible(self.stride.usable)
        self.own_skin.refresh_for(active)
        for widget in (self.gender, self.stature, self.weight, *self.sliders):
            widget.setEnabled(not edits.has_shape_of_own(active))

    def _measure(self, active: Character) -> None:
        """Show stature and weight, computed again for another shape."""
        of = active.body, active.shape
        if self._measured is not None and self._measured == of:
            return
        body, mean = body_of(active), BodyShape(gender=active.shape.gender)
        if self._measured is None or (self._measured[0], self._measured[1].gender) != (of[0], of[1].gender):
            for slider, usual, range_of in (
                (self.stature, stature(body, mean) * 100, STATURES),
                (self.weight, weight(body, mean), WEIGHTS),
            ):
                low, high = (round(share * usual, 1) for share in range_of)
                slider.set_range(low, high, round(usual, 1))
        self._measured = of
        self.stature.set_value(round(stature(body, active.shape) * 100, 1))
        self.weight.set_value(round(weight(body, active.shape), 1))

    def _text(self, index: int) -> str:
        return f"Change {self.sliders[index].label.lower()}"

    def _set_beta(self, index: int, value: float) -> Edit | None:
        active = self._session.active
        return edits.set_beta(active.id, index, value) if active else None

    def _set_stature(self, centimetres: float) -> Edit | None:
        active, self._measured = self._session.active, None  # beyond reach the number goes back to the actual one
        return edits.set_stature(active.id, centimetres / 100) if active else None

    def _set_weight(self, kilograms: float) -> Edit | None:
        active, self._measured = self._session.active, None
        return edits.set_weight(active.id, kilograms) if active else None

    def _falls_short(self, field: ValueSlider, wanted: float) -> str:
        """Why the body does not take a typed measure: only one slider changes it, and that is at its end."""
        self.refresh()
        if abs(field.value() - wanted) < SEEN:
            return ""
        end = "most" if wanted > field.value() else "least"
        return f"With the other sliders as they are, {field.text()} is the {end}."

    def ask_preset(self, place: QPoint, title: str = "") -> None:
        """Show the named bodies at a place on the screen, under a title if it is not at the button; they load
        meanwhile."""
        self._warm_up()
        show_menu(self, place, self._fill_presets, title)

    def _ask_below(self) -> None:
        self.ask_preset(self.presets.mapToGlobal(QPoint(0, self.presets.height())))

    def _fill_presets(self, menu: QMenu) -> None:
        active = self._session.active
        menu.setToolTipsVisible(True)
        for preset in edits.presets_for(active) if active is not None else ():
            action = menu.addAction(preset.name, partial(take_body, self._session, preset))
            action.setToolTip(preset.note)

    def _set_gender(self, gender: str) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit(f"Choose the {gender} body", edits.set_gender(active.id, gender), solve=True)

    def _reset(self) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit("Reset shape", edits.reset_shape(active.id), solve=True)


def take_body(session: Session, preset: ShapePreset) -> None:
    """Give the active character a named body, in one step."""
    active = session.active
    if active is not None and preset in edits.presets_for(active):
        session.edit(f"Take the body “{preset.name}”", edits.take_preset(active, preset), solve=True)
