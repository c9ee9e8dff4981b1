"""The open picture of a folder being labelled: what its files hold, writing them, and reading them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from app.document.exchange.label_files import LabelFiles
from app.document.exchange.label_folder import save_label
from app.document.exchange.label_opening import LabelPicture, PeopleReader, open_picture, with_picture_of_now
from app.document.exchange.label_sequence import LabelSequence
from app.document.exchange.label_state import PictureState, state_in
from app.document.in_photo.looked_over import look_over
from app.document.model.document import Document
from app.document.scene_file.io import changed_on_disk, save_scene
from app.labelling.values import RELOAD, SAVE_ANYWAY, LabelQuestions
from app.services.session import Session
from solver.errors import PoserError
from solver.files.json_checks import Node


class OpenPicture:
    """The open picture's files, and the session's document that they hold. reader: of a picture without files.
    reloaded: called once it shows as its files have it now.

    picture: as it was opened. kept: the document as it was opened or written last. seen: the SHA-256 of the scene's
    file then. looked_over: whether somebody accepted it as it is now. busy: whether it is changing the session itself.
    """

    def __init__(
        self,
        session: Session,
        ask: LabelQuestions,
        reader: Callable[[], PeopleReader],
        reloaded: Callable[[], object],
    ) -> None:
        self._session, self._ask, self._reader, self._reloaded = session, ask, reader, reloaded
        self.picture = LabelPicture(PictureState())
        self.kept: Document = session.history.document
        self.seen, self.looked_over, self.busy = "", False, False

    @contextmanager
    def changing(self) -> Iterator[None]:
        """While this lasts, the session's changes are its own."""
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    def opened(self, picture: LabelPicture) -> None:
        """Note that the session shows a picture as its files have it."""
        self.picture, self.looked_over = replace(picture, image=None), False
        self.kept, self.seen = self._session.history.document, picture.seen

    def write(self, sequence: LabelSequence, place: int, checked: bool, usable: bool) -> bool:
        """Write scene, label and the folder's key points; False if that failed, after telling the user."""
        session, files = self._session, sequence.every[place]
        session.solve_now()
        looked_over = look_over({actor.id for actor in session.document.actors})
        document = looked_over(session.document) if checked else session.document
        if checked or self.looked_over:
            document = with_picture_of_now(document, files, self.picture.now)
        if not self._may_write(sequence, place):
            return False
        try:
            seen, label = save_label(files, document, checked, usable)
            sequence.states[place] = state_in(Node(label, str(files.label)), files, place + 1)
        except PoserError as error:
            self._ask.refuse(str(error))
            return False
        if checked:  # part of the last step, so that undo needs no step for it
            session.history.amend(session.history.revision, looked_over)
        self.looked_over = self.looked_over or checked
        self._note_saved(files, seen)
        return self.write_coco(sequence)

    def write_scene(self, sequence: LabelSequence, place: int) -> bool:
        """Write the scene alone; False if that failed, after telling the user."""
        self._session.solve_now()
        if not self._may_write(sequence, place):
            return False
        try:
            self._note_saved(sequence.every[place], save_scene(sequence.every[place].scene, self._session.document))
        except PoserError as error:
            self._ask.refuse(str(error))
            return False
        return True

    def write_coco(self, sequence: LabelSequence) -> bool:
        """Write the folder's key points; False if that failed, after telling the user."""
        try:
            sequence.write_coco()
        except PoserError as error:
            self._ask.refuse(str(error))
            return False
        return True

    def _may_write(self, sequence: LabelSequence, place: int) -> bool:
        """Whether the files may be replaced. Where the scene's was changed elsewhere the user says, and may have it
        shown instead."""
        scene = sequence.every[place].scene
        if not changed_on_disk(scene, self.seen):
            return True
        answer = self._ask.changed(scene.name)
        if answer == RELOAD:
            self._reload(sequence, place)
        return answer == SAVE_ANYWAY

    def _reload(self, sequence: LabelSequence, place: int) -> None:
        """Show the picture as its files have it now; a step, so that undo brings back what was done here."""
        files, session = sequence.every[place], self._session
        picture = open_picture(files, place + 1, self._reader())
        if picture is None or picture.document is None:
            self._ask.refuse(picture.state.reason if picture is not None else files.scene.name)
            return
        document = picture.document
        with self.changing():
            session.edit(f"Reload {files.scene.name}", lambda _document: document, as_is=True)
            session.saved_as(files.scene, picture.seen)
        self.opened(picture)
        sequence.states[place] = picture.state
        self.write_coco(sequence)
        self._reloaded()

    def _note_saved(self, files: LabelFiles, seen: str) -> None:
        with self.changing():
            self._session.saved_as(files.scene, seen)
            self.kept, self.seen = self._session.history.document, seen
            self.picture = replace(self.picture, stale=False)
