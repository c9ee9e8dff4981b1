"""What a picture leaves open, set by keys: a limb nearer or farther, the other side of a body, its distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from app.document import edits
from app.document.model.document import Character, Document
from app.services.session import Session
from app.services.steps.contacts import are_touched, move_people, place_people, pushed_along
from app.services.view_state import moving_props
from app.window.commands.actions import Command
from rendering.camera.camera import OrbitCamera
from rendering.view.viewport import Viewport
from solver.kinematics.pose import Pose

REST_MS = 120  # for which the pointer stays on a joint before its other reading shows
NO_LIMB = "Point at a joint or a handle of an arm or a leg, or select one, to flip it in depth."
NO_OTHER = "No other reading of this limb: it lies flat in the picture, or bends no other way."
FLIPPED = "Flipped in depth. Through the photo's camera it looks the same: turn the view to see it."
TURNED = "{} is seen from the other side now: Shift+D turns back. Ctrl+D adds a copy."
NO_LARGER = "Its body gets no larger, and would have to be farther away. Another focal length moves everybody."
NO_SMALLER = "Its body gets no smaller, and would have to be nearer. Another focal length moves everybody."
PUSH = 0.02  # share of the distance for one press of the key
STEEP = 0.1  # level share of a sight that leads straight down
TURN = float(np.radians(5.0))


class DepthControl(QObject):
    """Flips in depth as seen from the camera of the person's own photo, or from the view if there is no photo.

    In a scene with a photo, the other reading of the limb under the pointer shows as a ghost, best seen from the side,
    as through the photo's camera both look the same. said(text): why nothing was done, or that a flip
    does not show.
    retracted(text): a notice that no longer holds, as something has been done since.
    """

    said = Signal(str)
    retracted = Signal(str)

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._asked: tuple[object, ...] = ()
        self._notices: set[str] = set()
        self._turns: dict[str, tuple[Pose, Pose]] = {}  # before and after somebody's last turn
        self._said_in = session.document
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._show)
        session.changed.connect(self._soon)

    def commands(self) -> tuple[Command, ...]:
        """What menus and the command search offer."""
        has = lambda: self._session.active is not None  # noqa: E731
        return (
            Command("pose.flip_limb", "Flip limb in depth", self.flip_limb, ("D",), enabled=has,
                    tip="Flip limb in depth: the next way in which the arm or leg under the pointer, or the selected "
                        "one, may go nearer or farther; its joints stay where the picture shows them"),
            Command("pose.turn_round", "Front or back", self.turn_round, ("Shift+D",), enabled=has,
                    tip="Front or back: the same outline seen from the other side, left and right exchanged"),
            Command("pose.farther", "Push farther", lambda: self.push(1 + PUSH), ("Shift+PgUp",), enabled=has,
                    tip="Push farther: away along the line of sight, larger with distance, the same in the picture. "
                        "Without a photo: away over the floor"),
            Command("pose.nearer", "Pull nearer", lambda: self.push(1 / (1 + PUSH)), ("Shift+PgDown",), enabled=has,
                    tip="Pull nearer: along the line of sight, smaller as it comes, the same in the picture. "
                        "Without a photo: nearer over the floor"),
            Command("pose.turn_left", "Turn to its left", lambda: self.turn(TURN), ("Ctrl+PgUp",), enabled=has,
                    tip="Turn to its left: the whole person, about the vertical through its hips, by 5°"),
            Command("pose.turn_right", "Turn to its right", lambda: self.turn(-TURN), ("Ctrl+PgDown",), enabled=has,
                    tip="Turn to its right: the whole person, about the vertical through its hips, by 5°"),
        )  # fmt: skip

    def flip_limb(self) -> None:
        """Take the next reading of the limb pointed at or selected."""
        from app.services.steps.depth_flips import flip_limb  # only once asked for

        active, joints = self._session.active, self._joints()
        if active is not None and joints:
            of_limb = lambda person: self._of_limb(person, joints)  # noqa: E731
            flip_limb(self._session, active.id, of_limb, self._eye_of, self._not_flipped, self._flipped)
        elif active is not None:
            self._say(NO_LIMB)

    def _not_flipped(self, limb: bool) -> None:
        self._say(NO_OTHER if limb else NO_LIMB)

    def _flipped(self) -> None:
        if self._session.document.photo is not None and self._session.view.through_photo:
            self._say(FLIPPED)

    def turn_round(self) -> None:
        """See the active person from the other side."""
        active = self._session.active
        if active is None:
            return
        from app.services.steps.depth_flips import camera_of_photo  # only once asked for

        id, eye, camera = active.id, self._eye_of(active), camera_of_photo(active, self._session.document)
        before: list[Pose] = []  # once a solve under way has ended

        def edit(document: Document) -> Document:
            from app.document.in_photo.depth import turned_round  # only once asked for: it compiles on a new machine

            person = document.character(id)
            was, now = self._turns.get(id, (person.pose, None))
            pose = was if now == person.pose else turned_round(person, eye, camera)  # two turns are none
            before[:] = [person.pose]
            return edits.set_turned_round(id, pose)(document)

        if self._session.edit("Front or back", edit):
            self._turns[id] = before[0], self._session.document.character(id).pose
            if self._session.document.photo is None:  # who knows this key from other programs wanted a copy
                self._say(TURNED.format(active.name))

    def push(self, share: float) -> None:
        """Put the active person so many times as far away: in a scene with a photo along the line of sight, as far as
        its body can be so large; without one level over the floor, at its own size."""
        from app.document.in_photo.line_of_sight import distance

        active = self._session.active
        if active is None:
            return
        eye = self._eye_of(active)
        document, view = self._session.document, self._session.view
        chosen = moving_props(document, view) if not view.prop else ()
        if document.photo is None:
            shift = (share - 1.0) * distance(active, eye) * self._level_away(active)
            move_people(self._session, f"Move {active.name}", [active], shift, props=chosen)
            return
        props = pushed_along(document, active.id, chosen)
        edit = edits.push_character(active, eye, share * distance(active, eye), props)
        if not self._session.edit(f"Push {active.name}", edit, solve=are_touched(document, props, active.id)):
            self._say(NO_LARGER if share > 1.0 else NO_SMALLER)

    def turn(self, angle: float) -> None:
        """Turn the active person about the vertical, radians to its left."""
        active = self._session.active
        if active is not None:
            turned = edits.turn_character(active.id, angle)
            place_people(self._session, f"Turn {active.name}", [active], turned)

    def _say(self, text: str) -> None:
        self._retract_but(text)
        self._notices.add(text)
        self._said_in = self._session.document
        self.said.emit(text)

    def _retract_but(self, kept: str) -> None:
        for text in self._notices - {kept}:
            self.retracted.emit(text)
        self._notices &= {kept}

    def _joints(self) -> list[str]:
        """The joint pointed at, if any, and the selected ones."""
        active, view = self._session.active, self._session.view
        if active is None:
            return []
        on = {effector.id: effector.joint for effector in active.effectors}
        kind, under, *_ = view.hover or ("", "")
        pointed = under if kind == "joint" else on.get(under, "") if kind == "effector" else ""
        chosen = [on[id] for id in sorted(view.effectors) if id in on] + sorted(view.joints)
        return [joint for joint in (pointed, *chosen) if joint]

    def _of_limb(self, active: Character, joints: Sequence[str]) -> str:
        """The first of these joints that belongs to an arm or a leg; "" if none does."""
        from app.document.in_photo.depth import is_of_limb

        return next((joint for joint in joints if is_of_limb(active, joint)), "")

    def _other(self, character: Character, joint: str) -> Pose | None:
        from app.document.in_photo.depth import other_depth

        return other_depth(character, joint, self._eye_of(character))

    def _eye_of(self, character: Character) -> NDArray[np.floating]:
        from app.services.steps.depth_flips import eye_of_photo

        eye = eye_of_photo(character, self._session.document)
        return eye if eye is not None else self._viewport.camera.eye

    def _level_away(self, person: Character) -> NDArray[np.float64]:
        """(3,) which way over the floor leads away from the viewer; in a view straight down or up, up the screen."""
        camera, level = self._viewport.camera, np.array([1.0, 0.0, 1.0])
        ahead = -camera.rotation[:, 2]
        parallel = isinstance(camera, OrbitCamera) and camera.orthographic
        sight = ahead if parallel else person.pose.root_position - camera.eye
        away = level * sight.astype(np.float64)
        if np.linalg.norm(away) < STEEP * np.linalg.norm(sight):
            away = level * camera.rotation[:, 1].astype(np.float64)
        return np.asarray(away / np.linalg.norm(away))

    def _soon(self) -> None:
        if self._notices and self._session.document is not self._said_in:
            self._retract_but("")
        view, photo = self._session.view, self._session.document.photo
        asked = (view.hover, photo, self._session.active) if view.hover is not None and photo is not None else ()
        if len(asked) == len(self._asked) and all(a is b for a, b in zip(asked, self._asked, strict=True)):
            return
        self._asked = asked
        if view.reading is not None:
            self._session.set_view(reading=None)
        if asked:
            self._rest.start()
        else:
            self._rest.stop()

    def _show(self) -> None:
        active = self._session.active
        if active is None or self._session.in_step or not self._session.service.awake:
            return
        joint = self._of_limb(active, self._joints())
        if joint:
            self._session.set_view(reading=self._other(active, joint))
