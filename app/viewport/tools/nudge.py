"""Arrow keys move the selected prop, handles or people by small steps in the plane of the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.model.identity import name_or_count
from app.document.model.prop import Prop
from app.document.posing.sources import character_with_resolved_targets
from app.look.wording import effector_title, left_surface_text
from app.services.session import Session
from app.services.steps.contacts import holds_on, move_people, prop_in_hand, with_people_on
from app.services.view_state import moving_people, moving_props
from rendering.camera.camera import Camera
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.ik.multi_solve.only_limb import only_limb
from solver.kinematics.rigid_motion import RigidMotion

if TYPE_CHECKING:
    from app.services.settings import SettingsStore

STEP, FAR_STEP = 0.01, 0.10  # metres
RUN_MS = 700  # at most between two presses that make one undo step


class Nudge(QObject):
    """Presses of the keys; those that follow each other soon and move the same things are one undo step.

    say: is told what has come off its surface by such a step.
    """

    def __init__(
        self, session: Session, parent: QObject, say: Callable[[str], object], settings: SettingsStore | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._say, self._settings = session, say, settings
        self._key: tuple[object, ...] = ()
        self._rest = QTimer(self, singleShot=True, interval=RUN_MS)
        self._rest.timeout.connect(session.end_key_repeat)

    def move(
        self, what: Character | Prop, camera: Camera, way: tuple[int, int], *, far: bool, alone: bool = False
    ) -> None:
        """Move the selected props, or what is selected of a character, one step.

        way: right and up in the view, each -1, 0 or 1. alone: handles move their limb and nothing else.
        """
        shift = (FAR_STEP if far else STEP) * (way[0] * camera.rotation[:, 0] + way[1] * camera.rotation[:, 1])
        if isinstance(what, Prop):
            props = moving_props(self._session.document, self._session.view)
            self._go_on(("prop", *(prop.id for prop in props)))
            moved = with_people_on(edits.chain(*(edits.move_prop(prop.id, shift) for prop in props)))
            self._session.edit(f"Move {name_or_count(props, 'props')}", moved, self._key, solve=True)
            self._wait()
            return
        self._move_person(what, shift, alone)

    def _go_on(self, what: tuple[object, ...]) -> None:
        if not self._rest.isActive() or self._key[1:] != what:
            self._key = (object(), *what)

    def _move_person(self, character: Character, shift: NDArray[np.floating], alone: bool) -> None:
        asked = character_with_resolved_targets(self._session.shown, character)  # handles are drawn like this
        chosen = tuple(e for e in asked.effectors if e.id in self._session.view.effectors)
        moved = tuple(e for e in chosen if not isinstance(e, TurnEffector))
        if chosen and not moved:  # effectors that only turn have no place
            return
        people = moving_people(self._session.view, self._session.document)
        what = tuple(e.id for e in moved) or tuple(person.id for person in people)
        self._go_on((character.id, *what))
        if moved:
            self._move_effectors(character, moved, shift, alone)
        else:
            who = name_or_count(people, "people")
            self._move_people(people, f"Move {who}", shift)
        self._wait()

    def _move_people(self, people: Sequence[Character], text: str, shift: NDArray[np.floating]) -> None:
        props, hold = moving_props(self._session.document, self._session.view), holds_on(self._settings)
        move_people(self._session, text, people, shift, props=props, hold=hold, key=self._key)

    def _move_effectors(
        self, character: Character, moved: tuple[Effector, ...], shift: NDArray[np.floating], alone: bool
    ) -> None:
        if (prop := prop_in_hand(self._session.document, moved)) is not None:  # it takes the hand along
            carried = with_people_on(edits.carry_by(prop.id, shift), besides=character.id)
            self._session.edit(f"Move {prop.name}", carried, self._key, solve=True)
            return
        hold = only_limb(skeleton_of(character), moved[-1].joint, character.pose) if alone else None
        if hold is not None:
            moved = tuple(e for e in moved if e.joint not in hold.frozen)
        steps = [edits.set_enabled(character.id, e.id, True) for e in moved if not e.enabled]
        rigid = RigidMotion.move(shift)
        steps += [edits.set_target(character.id, e.id, e.moved_by(rigid).target) for e in moved]
        what = effector_title(moved[0]).lower() if len(moved) == 1 else f"{len(moved)} effectors"
        left = left_surface_text(moved, character.id, self._session.document.names)
        if self._session.edit(f"Move {what}", edits.chain(*steps), self._key, solve=True, hold=hold) and left:
            self._say(left)

    def _wait(self) -> None:
        self._session.repeat_merge_key = self._key
        self._rest.start()
