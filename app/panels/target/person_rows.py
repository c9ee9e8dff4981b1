"""Where the selected people are, in numbers: as the root handle moves, raises and turns them."""

from __future__ import annotations

from functools import partial
from math import copysign, cos, degrees, radians, remainder

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.document.model.document import Character
from app.document.model.history import Edit
from app.document.model.identity import name_or_count
from app.document.posing.mirroring import heading
from app.document.posing.placing import goes_whole, lowest_skin, moved, place_of, turned
from app.look.theme import SPACE
from app.panels.widgets.field_editor import tell_below
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.steps.contacts import MovedPeople, people_to_move
from app.services.view_state import moving_people

AXES = "XYZ"
SAME_TURN = 1e-6  # how far the cosine of two turns' difference may be from 1, for them to be one turn
NEAR = 0.051  # centimetres or degrees: what is as close to the number typed is shown as the same
OF_SEVERAL = "With several people selected it is the active one's, and the others go along"
MEANS = {
    "X": "where the cross on the floor below the pelvis is",
    "Y": "how high the lowest point of the skin is above the floor",
    "Z": "where the cross on the floor below the pelvis is",
    "Turn": "about the vertical, as the ring on the floor turns; 0° faces along Z",
}
HOW = "Drag to change, Shift for fine steps; double-click to type; right-click to reset"
AT_FRAME = "Sets a key at this frame. To move all frames, press K while you drag the cross on the floor."
FURTHER_M, FURTHER_RADIANS = 0.02, 0.05  # looked at to tell what is in the way
LET_GO = "To let go instead, see “Contacts of a moved person” in the Settings dialog."


class PersonRows(QWidget):
    """Centimetres of the active person's place, and degrees that it is turned about the vertical. All selected people
    move by as much, and turn about their middle. Each scrub goes from where they were before, as a drag does.

    taken: a scrub begins.
    """

    taken = Signal()

    def __init__(self, session: Session, settings: SettingsStore | None = None) -> None:
        super().__init__()
        self._session, self._settings = session, settings
        self._moving: MovedPeople | None = None
        self._before: tuple[NDArray[np.float64], float] = (np.zeros(3), 0.0)  # cm and degrees, when it began
        self._typed: tuple[str, float] = ("", 0.0)  # whose turn, in degrees
        self._held = False  # whether contacts held on when people were moved last
        self._awaited: tuple[ValueSlider, float, int] | None = None  # a number typed, and the revision to be solved
        self._seen: tuple[tuple[object, ...], NDArray[np.float64]] = ((), np.zeros(3))
        self.places = [
            ValueSlider(axis, -200, 200, decimals=1, suffix=" cm", bounded=False, span=100.0) for axis in AXES
        ]
        self.turn = ValueSlider("Turn", -180, 180, decimals=1, suffix="°", span=180.0)
        self.hint = wrapped_label()
        for i, field in enumerate(self.places):
            bind_scrub(field, session, partial(self._text, "Move"), partial(self._move, i), self._solves)
        bind_scrub(self.turn, session, partial(self._text, "Turn"), self._turn, self._solves)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE // 2 + 2)
        self.fields = (*self.places, self.turn)
        for field in self.fields:
            field.finished.connect(self._forget)
            field.cancelled.connect(self._forget)
            field.falls_short = partial(self._falls_short, field)
            field.setToolTip(f"{field.label}: {MEANS[field.label]}. {OF_SEVERAL}. {HOW}")
            column.addWidget(field)
        column.addWidget(self.hint)

    def refresh(self, person: Character) -> None:
        """Show where the active person is."""
        self._show(person)
        self.hint.setText(self._hint(person))
        self.hint.setVisible(bool(self.hint.text()))
        if self._awaited is not None and not self._session.solving:
            field, wanted, revision = self._awaited
            self._awaited = None
            if revision == self._session.history.revision and (said := self._falls_short(field, wanted)):
                tell_below(field, said)

    def _show(self, person: Character) -> None:
        for field, centimetres in zip(self.places, self._place(person), strict=True):
            field.set_value(round(float(centimetres), 2))
        self.turn.set_value(round(self._turned(person), 2))

    def _place(self, person: Character) -> NDArray[np.float64]:
        """(3,) centimetres."""
        now = (person.pose, person.shape, person.body)
        if not self._seen[0] or any(a is not b for a, b in zip(self._seen[0], now, strict=True)):
            x, z = place_of(person)
            self._seen = now, 100.0 * np.array([x, lowest_skin(person), z])
        return self._seen[1]

    def _turned(self, person: Character) -> float:
        """Degrees: what was typed last while it still is so, as 180° and −180° are one turn."""
        now = degrees(heading(person.pose.rotations[0]))
        id, typed = self._typed
        if id == person.id and 1.0 - cos(radians(typed - now)) < SAME_TURN:
            return typed
        return now

    def _hint(self, person: Character) -> str:
        others = len(moving_people(self._session.view, self._session.document)) - 1
        if others:
            who = "The other selected person moves" if others == 1 else f"The {others} other selected people move"
            return f"{who} by as much, and all turn about their middle."
        if self._session.view.through_photo:
            return "To keep them in place in the photo, use Distance and Facing in the Photo panel."
        if len(person.clip) == 1:
            return ""
        return "The whole motion goes along." if goes_whole(person) else AT_FRAME

    def _move(self, axis: int, centimetres: float) -> Edit | None:
        moving = self._begun()
        if moving is None:
            return None
        return moving.by((centimetres - self._before[0][axis]) / 100 * np.eye(3)[axis])

    def _turn(self, angle: float) -> Edit | None:
        moving = self._begun()
        if moving is None:
            return None
        self._typed = moving.people[0].id, angle
        return moving.by(np.zeros(3), radians(angle - self._before[1]))

    def _begun(self) -> MovedPeople | None:
        if self._moving is None and self._session.active is not None:
            self.taken.emit()
            self._moving = people_to_move(self._session, self._settings)
            first = self._moving.people[0]
            self._before, self._held = (self._place(first), self._turned(first)), self._moving.holds_on
        return self._moving

    def _solves(self) -> bool:
        return self._moving is not None and self._moving.solves

    def _forget(self) -> None:
        self._moving = None

    def _text(self, verb: str) -> str:
        people = moving_people(self._session.view, self._session.document)
        return f"{verb} {name_or_count(people, 'people')}" if people else verb

    def _falls_short(self, field: ValueSlider, wanted: float) -> str:
        """Why they do not come to where a typed number has them; "" if they do, or are about to, and once their bodies
        have followed it is asked again."""
        session, person = self._session, self._session.active
        self._awaited = None
        if person is None or session.late.names:
            return ""
        if session.solving:
            self._awaited = field, wanted, session.history.revision
            return ""
        self._show(person)
        away = field.value() - wanted
        if abs((away + 180.0) % 360.0 - 180.0 if field is self.turn else away) <= NEAR:
            return ""
        if self._held:
            if thing := self._in_the_way(person, field, -away):
                return f"“{thing}” is in the way, and contacts hold on: they come to {field.text()}."
            return f"Contacts hold them at {field.text()}. {LET_GO}"
        lower = field is self.places[1] and away > 0
        return f"The floor is in the way: the minimum is {field.text()}." if lower else ""

    def _in_the_way(self, person: Character, field: ValueSlider, missing: float) -> str:
        """The name of what stops them, besides contacts, on the way that is missing, in the field's unit; "" if nothing
        does."""
        from app.document.posing.holds.stopped_by import stopped_by  # only once somebody is stopped

        if field is self.turn:
            on = turned(person, copysign(FURTHER_RADIANS, remainder(missing, 360.0)))
        else:
            on = moved(person, copysign(FURTHER_M, missing) * np.eye(3)[self.places.index(field)])
        return stopped_by(self._session.document, person, on)
