"""The selected effector's target in numbers; with no effector selected, where the selected people are."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.document import edits
from app.document.model.document import Character
from app.document.model.history import Edit
from app.document.posing.fingertips import finger_name
from app.document.posing.sources import character_with_resolved_targets
from app.look.wording import effector_title, joint_title, left_surface_text
from app.panels.target.person_rows import PersonRows
from app.panels.target.typed_angles import TypedAngles
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import panel_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.steps.contacts import prop_in_hand, with_people_on
from solver.effectors.asleep import is_asleep
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector

AXES = "XYZ"
NOTHING = "Select a person to see where they are, or one effector to see its target."
OF_JOINTS = "{} selected. Double-click a joint to add an effector there: its target then shows here."


class TargetPanel(QWidget):
    """Centimetres of a place, or degrees about X, Y and Z for an effector that turns; of people see `PersonRows`.

    said(text): what a step has done besides. taken: the user takes hold of a number, which should stand still.
    """

    said = Signal(str)
    taken = Signal()

    def __init__(self, session: Session, settings: SettingsStore | None = None) -> None:
        super().__init__()
        self._session = session
        self._turned = TypedAngles()
        self._left = ""  # what has come off its surface in the step under way, in words
        self.title: QLabel = wrapped_label()
        self.places = [
            ValueSlider(axis, -200, 200, decimals=1, suffix=" cm", bounded=False, span=100.0) for axis in AXES
        ]
        self.angles = [ValueSlider(axis, -180, 180, decimals=1, suffix="°", span=180.0) for axis in AXES]
        self.person = PersonRows(session, settings)
        for i in range(3):
            bind_scrub(self.places[i], session, self._text, partial(self._move, i))
            self.places[i].finished.connect(self._tell)
            self.places[i].cancelled.connect(self._forget)
            bind_scrub(self.angles[i], session, self._text, partial(self._turn, i))
        self.person.taken.connect(self.taken)
        for field in (*self.places, *self.angles, *self.person.fields):
            field.opening.connect(self._stand_still)
        panel_layout(self, self.title, *self.places, *self.angles, self.person)

    def showEvent(self, event: QShowEvent) -> None:
        """Show what changed while it was folded."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the one selected effector."""
        chosen = self._session.selected_effectors
        effector = chosen[0] if len(chosen) == 1 else None
        asleep = effector is not None and is_asleep(effector)
        person = self._whole_person()
        if person is not None and self.isVisibleTo(self.window()):  # a folded panel need not look where the skin ends
            self.person.refresh(person)
        self.person.setVisible(person is not None)
        if effector is not None:
            self.title.setText(self._title(effector))
        elif person is not None:
            self.title.setText(f"{person.name} · place and turn")
        else:
            self.title.setText(f"{len(chosen)} effectors selected" if chosen else self._nothing())
        turning = isinstance(effector, TurnEffector)
        for field in self.places:
            field.setVisible(effector is not None and not turning and not asleep)
        for field in self.angles:
            field.setVisible(turning)
        if isinstance(effector, TurnEffector):
            for field, value in zip(self.angles, self._turned.shown(effector.id, effector.target), strict=True):
                field.set_value(round(value, 2))
        elif effector is not None:
            for field, metres in zip(self.places, effector.target, strict=True):
                field.set_value(round(float(metres) * 100, 2))

    def _stand_still(self) -> None:
        """Show the number as it is now, and not only with the next picture: that would drop what is typed meanwhile."""
        self.taken.emit()
        self.refresh()

    def _whole_person(self) -> Character | None:
        """The active person, if it is selected as a whole."""
        view = self._session.view
        return None if view.effectors or view.joints or view.prop else self._session.active

    def _nothing(self) -> str:
        """What to select to see anything here."""
        joints = self._session.view.joints
        if not joints:
            return NOTHING
        return OF_JOINTS.format(joint_title(*joints) if len(joints) == 1 else f"{len(joints)} joints")

    def _one(self) -> Effector | None:
        chosen = self._session.selected_effectors
        return chosen[0] if len(chosen) == 1 else None

    def _title(self, effector: Effector) -> str:
        active = self._session.active
        return effector_title(effector, finger_name(active, effector) if active else "")

    def _text(self) -> str:
        effector = self._one()
        return f"Set {self._title(effector).lower()}" if effector else "Set target"

    def _move(self, axis: int, centimetres: float) -> Edit | None:
        effector, active, document = self._one(), self._session.active, self._session.document
        if effector is None or active is None or isinstance(effector, TurnEffector):
            return None
        if (prop := prop_in_hand(document, [effector])) is not None:  # it takes the hand along, once that is solved
            here = character_with_resolved_targets(document, active).effector(effector.id).target
            moved = edits.carry_by(prop.id, (centimetres / 100 - here[axis]) * np.eye(3)[axis])
            return with_people_on(edits.carried_at_frame(prop, active.id, moved), besides=active.id)
        self._left = self._left or left_surface_text([effector], active.id, document.names)
        target = np.array(effector.target)
        target[axis] = centimetres / 100
        return edits.set_target(active.id, effector.id, target)

    def _tell(self) -> None:
        if self._left:
            self.said.emit(self._left)
        self._forget()

    def _forget(self) -> None:
        self._left = ""

    def _turn(self, axis: int, degrees: float) -> Edit | None:
        effector = self._one()
        if not isinstance(effector, TurnEffector):
            return None
        turn = self._turned.typed(effector.id, effector.target, axis, degrees)
        return edits.set_target(self._session.view.character, effector.id, turn)
