"""Single people of the photo: found in a box the user draws, read again, or merged from two."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.edits.photo import choose_photo
from app.document.in_photo.photo_membership import own_photo
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.services.background.jobs import Cancelled, Jobs, Progress
from app.services.background.photo_import import recovery_options
from app.services.body_choice import BodyChoice
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.view_state import edit_in_view, selected_people
from app.window.commands.actions import Command
from rendering.view.viewport import Viewport
from solver.errors import PoserError

if TYPE_CHECKING:
    from app.document.exchange.person_in_photo import FoundInBox, Reading
    from app.viewport.overlays.box_mark import BoxMark
    from app.viewport.overlays.photo_box import PhotoBox

NOBODY_SEEN = "Nobody is seen in the box: a figure was put there."
THERE_ALREADY = (
    "{0} is in the box already, and nobody else is seen in it. Shift+R reads {0} again; Alt+Shift+A adds somebody whom "
    "you pose by hand."
)
NO_TWIN = (
    "Nobody else lies over {} in the photo. To merge two people who stand apart, select both: the active one, whose "
    "handles show, stays."
)
SEEN_BETTER = "A second try saw {} better."
GONE = "{} is no longer in the scene: nothing was changed."
OTHER_PHOTO = "Another photo is behind the scene now, or its camera was moved: nothing was changed."


class PhotoPeople(QObject):
    """Reads single people in the background; each person added or read again is one step of undo.

    said(text): the result, or why nothing was done.
    """

    said = Signal(str)

    def __init__(
        self, session: Session, jobs: Jobs, settings: SettingsStore, body: BodyChoice, viewport: Viewport
    ) -> None:
        super().__init__(viewport)
        self._session, self._jobs, self._settings, self._body = session, jobs, settings, body
        self._viewport = viewport
        self._box: PhotoBox | None = None
        self._mark: BoxMark | None = None

    def commands(self) -> tuple[Command, ...]:
        """What menus and the command search offer."""
        photo = lambda: self._session.document.photo is not None  # noqa: E731
        one = lambda: photo() and self._session.active is not None  # noqa: E731
        two = lambda: self._chosen_twin is not None or (one() and len(self._session.document.characters) > 1)  # noqa: E731
        return (
            Command("pose.find_in_box", "Find somebody in a box", self.draw_box, ("Shift+F",), enabled=photo,
                    checked=lambda: self.is_drawing,
                    tip="Find somebody in a box: draw it over the photo, round somebody who was not found; if nobody "
                        "is seen, a figure is put there"),
            Command("pose.read_again", "Read the person again", self.read_again, ("Shift+R",), enabled=one,
                    tip="Read the person again: pose, place and shape anew from where the active person is in the "
                        "photo; name and colour stay"),
            Command("pose.merge", "Merge duplicate", self.merge, ("Ctrl+J",), enabled=two,
                    tip="Merge duplicate: where the active person was found twice, whoever else lies "
                        "over them in the photo, or is selected with them, goes; the active one stays as it is"),
        )  # fmt: skip

    @property
    def is_drawing(self) -> bool:
        """Whether a box is being waited for."""
        return self._box is not None and not self._box.isHidden()

    def draw_box(self) -> None:
        """Let the user draw a box over the photo; called again, stop waiting for one."""
        if self._box is None:
            from app.viewport.overlays.box_mark import BoxMark
            from app.viewport.overlays.photo_box import PhotoBox  # only once it is asked for

            self._mark = BoxMark(self._viewport)
            self._jobs.finished.connect(self._unmark)
            self._box = PhotoBox(self._session, self._viewport)
            self._box.drawn.connect(lambda *box: self.find_in(box))
            self._box.ended.connect(self._session.changed)
        if self.is_drawing:
            self._box.stop()
            return
        self._session.set_view(through_photo=True)
        self._box.start()

    def find_in(self, box: tuple[float, ...]) -> None:
        """Find who is in a box, left, top, right, bottom in pixels of the photo, or put a figure there."""
        from solver.photo.person_in_box import clipped_box

        document, body = self._session.document, self._body.id()
        settings = self._settings.values
        if document.photo is None:
            return
        try:
            clipped_box(box, document.photo.camera.image_size)
        except PoserError as error:
            self.said.emit(str(error))
            return

        def work(progress: Progress, cancelled: Cancelled) -> FoundInBox:
            from app.document.exchange.person_in_photo import find_in_box

            return find_in_box(document, box, body, recovery_options(settings))

        def done(found: FoundInBox) -> None:
            if found.there:
                self._already(found.there)
                return
            before = {character.id for character in self._session.document.characters}
            text = "Find somebody in a box" if found.seen else "Put a figure into a box"
            if self._take(document, self._session.document, text, found.edit):
                new = [c for c in self._session.document.characters if c.id not in before]
                self._session.select(new[0].id)
                self.said.emit(f"{new[0].name} was found in the box." if found.seen else NOBODY_SEEN)
                self._try_again(new[0], found.reading)

        self._jobs.run("Looking into the box", work, done, for_scene=True)
        if self._mark is not None:
            self._mark.show_at(box)

    def _unmark(self) -> None:
        """Hide the box once nothing is being read: before it is read, another job may end."""
        if self._mark is not None and not self._jobs.busy:
            self._mark.hide()

    def read_again(self) -> None:
        """Read the active person again, in the photo that it was read off; that one comes behind the scene."""
        before, active = self._session.document, self._session.active
        settings = self._settings.values
        if active is None or before.photo is None:
            return
        document = _at_own_photo(before, active.id)

        def work(progress: Progress, cancelled: Cancelled) -> tuple[Reading, Edit] | None:
            from app.document.exchange.person_in_photo import read_again

            reading = read_again(document, active.id, recovery_options(settings))
            return (reading, reading.edit_of(document.character(active.id))) if reading is not None else None

        def done(read: tuple[Reading, Edit] | None) -> None:
            now = self._session.document
            if all(character.id != active.id for character in now.characters):
                self.said.emit(GONE.format(active.name))
                return
            now, another = _at_own_photo(now, active.id), document.photo is not before.photo
            within = f" in {Path(document.photo.path).name}" if another and document.photo is not None else ""
            if read is None:
                self.said.emit(
                    f"Nobody is seen where {active.name} is{within or ' in the photo'}: nothing was changed."
                )
            elif self._take(document, now, f"Read {active.name} again", lambda _: read[1](now)):
                self.said.emit(f"{active.name} was read again{within}.")
                self._try_again(self._session.document.character(active.id), read[0])

        self._jobs.run(f"Reading {active.name} again", work, done, for_scene=True)

    def _try_again(self, character: Character, reading: Reading | None) -> None:
        """Look again at somebody just read whose pose is mostly off, while they show as they are; what is seen better
        belongs to the same step. It is dropped once anything else was done."""
        if reading is None or not reading.is_doubtful:
            return
        session, revision, view = self._session, self._session.history.revision, self._session.view

        def work(progress: Progress, cancelled: Cancelled) -> Edit | None:
            return reading.second_try(character, cancelled)

        def done(edit: Edit | None) -> None:
            if edit is not None and session.history.amend(revision, edit_in_view(view, edit), saved=False):
                self.said.emit(SEEN_BETTER.format(character.name))

        self._jobs.run(f"Looking closely at {character.name}", work, done, for_scene=True)

    def merge(self) -> None:
        """Make one of the active person and the only other one who is selected, or else whoever lies over them in the
        photo that they were read off."""
        from app.document.edits.merging import twin_of

        document, active = self._session.document, self._session.active
        if active is None:
            return
        twin = self._chosen_twin or twin_of(document, active.id)
        if twin is None:
            self.said.emit(NO_TWIN.format(active.name))
            return
        from app.services.steps.deleting import merge_people  # only once somebody is merged

        if said := merge_people(self._session, active.id, twin.id):
            self.said.emit(said)

    @property
    def _chosen_twin(self) -> Character | None:
        """The other one of two selected people."""
        people = selected_people(self._session.view, self._session.document)
        return people[1] if len(people) == 2 else None

    def _already(self, id: str) -> None:
        there = next((c for c in self._session.document.characters if c.id == id), None)
        if there is not None:
            self._session.select(id)
            self.said.emit(THERE_ALREADY.format(there.name))

    def _take(self, before: Document, after: Document, text: str, edit: Edit) -> bool:
        """Do an edit worked out for the document before; False, telling the user, if the photo is another one after."""
        photo, now = before.photo, after.photo
        if photo is None or now is None or (photo.sha256, photo.camera) != (now.sha256, now.camera):
            self.said.emit(OTHER_PHOTO)
            return False
        return self._session.edit(text, edit)


def _at_own_photo(document: Document, id: str) -> Document:
    """The document with the photo behind it that a person was read off."""
    return choose_photo(own_photo(document.character(id), document))(document)
