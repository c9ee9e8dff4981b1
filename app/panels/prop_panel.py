"""The selected prop in numbers: its place, turn and size; and what its gizmo does. Further selected props follow."""

from __future__ import annotations

from functools import partial

import numpy as np

from app.document import edits
from app.document.model.history import Edit
from app.document.model.identity import name_or_count
from app.document.model.prop import KINDS, MESH, Prop
from app.panels.target.typed_angles import TypedAngles
from app.panels.widgets.buttons import SegmentedControl
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import Panel, panel_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from app.services.steps.contacts import with_people_on
from app.services.view_state import moving_props, selected_prop

AXES = "XYZ"
SIZES = ("Width", "Height", "Depth")
ROUND = "Diameter"
NOT_SOLID = {
    "open": "its surface is open. Close its holes in the program that made it, or put a box into it.",
    "room": "it faces inwards, as a room does. If it is none, flip its faces in the program that made it.",
    "sheet": "it is a sheet without an inside.",
}


class PropPanel(Panel):
    """Centimetres of its place and size; degrees about X, Y and Z."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._turned = TypedAngles()
        self.tool = SegmentedControl([("move", "Move"), ("turn", "Turn"), ("scale", "Scale")])
        self.tool.chosen.connect(lambda tool: session.set_view(prop_tool=tool))
        length = partial(ValueSlider, decimals=1, suffix=" cm", bounded=False)
        self.places = [length(axis, -200, 200, span=100.0) for axis in AXES]
        self.angles = [ValueSlider(axis, -180, 180, decimals=1, suffix="°", span=180.0) for axis in AXES]
        self.sizes = [length(title, 0.1, 200, span=100.0) for title in SIZES]
        for i in range(3):
            bind_scrub(self.places[i], session, lambda: self._text("Move"), partial(self._move, i))
            bind_scrub(self.angles[i], session, lambda: self._text("Turn"), partial(self._turn, i))
            bind_scrub(self.sizes[i], session, lambda: self._text("Scale"), partial(self._size, i))
            self.sizes[i].falls_short = partial(self._falls_short, self.sizes[i])
        self.notes, self.several = wrapped_label(), wrapped_label()
        place, turn, size = map(wrapped_label, ("Place of its base", "Turn", "Size"))
        numbers = (place, *self.places, turn, *self.angles, size, *self.sizes)
        panel_layout(self, self.tool, self.several, *numbers, self.notes)

    def refresh(self) -> None:
        """Show the selected prop."""
        prop = self._prop()
        if prop is None:
            return
        self.tool.set_current(self._session.view.prop_tool)
        for field, metres in zip(self.places, prop.place, strict=True):
            field.set_value(round(float(metres) * 100, 2))
        for field, degrees in zip(self.angles, self._turned.shown(prop.id, prop.turn), strict=True):
            field.set_value(round(degrees, 2))
        tied = KINDS[prop.kind].tied
        for i, (field, metres) in enumerate(zip(self.sizes, prop.size, strict=True)):
            field.set_value(round(float(metres) * 100, 2))
            field.default = field.value() if prop.kind == MESH else round(KINDS[prop.kind].size[i] * 100, 2)
            field.setVisible(i not in tied[1:])
            _name(field, ROUND if i in tied else SIZES[i])
        self.several.setText(self._about_others(prop))
        self.several.setVisible(bool(self.several.text()))
        self.notes.setText(_notes(prop))
        self.notes.setVisible(bool(self.notes.text()))

    def _prop(self) -> Prop | None:
        return selected_prop(self._session.document, self._session.view)

    def _others(self) -> list[str]:
        """The ids of further selected props, which change as well: none that is locked."""
        props = moving_props(self._session.document, self._session.view)
        return [prop.id for prop in props if prop.id != self._session.view.prop]

    def _changing(self) -> list[Prop]:
        prop = self._prop()
        moving = moving_props(self._session.document, self._session.view)
        return [] if prop is None else [prop, *(one for one in moving if one is not prop)]

    def _text(self, verb: str) -> str:
        return f"{verb} {name_or_count(self._changing(), 'props')}"

    def _about_others(self, prop: Prop) -> str:
        count = len(self._others())
        if not count:
            return ""
        if count == 1:
            also = "The other selected prop moves and turns by as much, and gets the same size."
        else:
            also = f"The {count} other selected props move and turn by as much, and get the same size."
        return f"These are the numbers of “{prop.name}”. {also}"

    def _move(self, axis: int, centimetres: float) -> Edit | None:
        prop = self._prop()
        if prop is None:
            return None
        place = prop.place.astype(np.float64)
        place[axis] = centimetres / 100
        return with_people_on(edits.place_props(prop.id, self._others(), place))

    def _turn(self, axis: int, degrees: float) -> Edit | None:
        prop = self._prop()
        if prop is None:
            return None
        turn = self._turned.typed(prop.id, prop.turn, axis, degrees)
        return with_people_on(edits.turn_props(prop.id, self._others(), turn))

    def _falls_short(self, field: ValueSlider, wanted: float) -> str:
        """Why a prop does not take a typed size; "" if it does."""
        self.refresh()
        shown = field.value()
        if abs(shown - wanted) <= 0.001 * abs(wanted):
            return ""
        return f"The {'maximum' if wanted > shown else 'minimum'} is {field.text()}."

    def _size(self, axis: int, centimetres: float) -> Edit | None:
        prop = self._prop()
        if prop is None:
            return None
        return with_people_on(edits.size_props([prop.id, *self._others()], axis, centimetres / 100))


def _name(field: ValueSlider, label: str) -> None:
    if field.label != label:
        field.label = label
        field.setAccessibleName(label)
        field.update()


def _notes(prop: Prop) -> str:
    if prop.kind != MESH or prop.mesh is None:
        return ""
    from app.document.model.mesh_solid import Filling, filling, thinnest

    found, count = filling(prop.mesh), len(prop.mesh.faces)
    triangles = "1 triangle" if count == 1 else f"{count:,} triangles"
    if found is Filling.SOLID:
        return f"{triangles}. Solid where it is thicker than about {thinnest(prop.size) * 100:.2g} cm."
    return f"{triangles}. Not solid: {NOT_SOLID[found.value]}"
