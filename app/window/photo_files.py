"""Photos from files: opened, put behind the scene, added to it, and found again where their file has moved."""

from __future__ import annotations

from collections.abc import Callable
from os.path import isdir
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.dialogs import messages
from app.services.background.jobs import Jobs
from app.services.background.photo_import import PhotoImport
from app.services.session import Session

if TYPE_CHECKING:
    from app.document.in_photo.relink import PhotoRelink
    from solver.photo.image_file import PhotoImage


class PhotoFiles(QObject):
    """What the File menu does with photos.

    step_message(text): for the status bar, about the step by which something has just come in.
    """

    step_message = Signal(str)

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        photos: PhotoImport,
        window: QWidget,
        folder: Callable[[], str],
        open_path: Callable[[Path], None],
        done: Callable[[Path, str], None],
    ) -> None:
        """folder: where dialogs begin. open_path: opens a file of any kind. done: called with a file that has come in
        and a hint."""
        super().__init__(window)
        self._session, self._jobs, self._photos, self._window = session, jobs, photos, window
        self._folder, self._open_path, self._done = folder, open_path, done

    def open(self) -> None:
        """Ask for a photo and open it."""
        self._photos.ready.begin()
        path = self._ask_for_picture("Open a photo")
        if path is not None:
            self._open_path(path)

    def open_backdrop(self) -> None:
        """Ask for a picture and put it behind the scene without looking for people in it."""
        path = self._ask_for_picture("Open a picture as backdrop")
        if path is not None:
            self._photos.start_backdrop(path, lambda hint: self._done(path, hint))

    def is_there(self) -> bool:
        """Whether a photo is behind the scene."""
        return self._session.document.photo is not None

    def add(self) -> None:
        """Ask for another photo of the scene, and whether its people should come along."""
        self._photos.ready.begin()
        path = self._ask_for_picture("Add a photo to this scene")
        if path is None:
            return

        def ask(picture: PhotoImage) -> None:
            answer = messages.ask_for_its_people(self._window, path.name)
            if answer != messages.CANCEL:
                people = answer == messages.PEOPLE
                self._photos.start_another(path, people, lambda hint: self._done(path, hint), picture)

        # no question about a file that turns out to be no picture
        load = lambda progress, cancelled: _work().load_image(path)  # noqa: E731
        self._jobs.run(f"Opening {path.name}", load, ask, for_scene=True)

    def find(self) -> None:
        """Ask where the file of the photo behind the scene is now, and show it from there; others moved with it too."""
        photo, others = self._session.document.photo, self._session.document.photos[1:]
        path = self._ask_for_picture("Find the photo's file") if photo is not None else None
        if photo is None or path is None:
            return

        def take(found: PhotoRelink) -> None:
            if self._session.edit("Find the photo's file", found.edit):
                self.step_message.emit(f"Found {path.name}. {found.hint}".strip())

        relink = lambda progress, cancelled: _work().photo_relink(photo, path, others)  # noqa: E731
        self._jobs.run(f"Opening {path.name}", relink, take, for_scene=True)

    def read(self, path: Path, photo: Path, picture: PhotoImage | None, may_close: Callable[[], bool]) -> None:
        """Ask where the people of a photo should go, and have it read. path: the file that was opened, such as a label.

        picture: the photo, if it has been read. may_close: whether the open document may go.
        """
        from app.window.controls.photo_destination import PhotoDestination  # only once a photo is opened

        place = PhotoDestination(self._session, path.name, may_close, self._window)
        if place.ask():
            self._photos.start(photo, lambda hint: self._done(path, hint), place, picture)

    def _ask_for_picture(self, title: str) -> Path | None:
        photo = self._session.document.photo
        beside = "" if photo is None else str(Path(photo.path).parent)  # where a label's scene is there are no pictures
        start = beside if beside and isdir(beside) else self._folder()
        path, _ = QFileDialog.getOpenFileName(self._window, title, start, _work().PHOTO_FILTER)
        return Path(path) if path else None


def _work() -> ModuleType:
    """What opening needs: the window starts without it."""
    from app.window import file_imports

    return file_imports
