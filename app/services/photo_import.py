"""From a photo's path to characters in the document: estimation in a job, the choice of people, recovery in a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.document import edits
from app.document.history import Edit
from app.document.state import Document
from app.services.body_choice import BodyChoice
from app.services.jobs import Cancelled, Jobs, Progress
from app.services.session import Session
from app.services.settings import SettingsStore
from solver.errors import InputRefused

if TYPE_CHECKING:
    from solver.estimators.image_file import PhotoImage
    from solver.estimators.photo import PhotoResult

Choose = Callable[["PhotoImage", "PhotoResult"], Sequence[int] | None]


class PhotoImport(QObject):
    """Runs the steps one after another. choose: asks the user whom to take, None to leave it all."""

    def __init__(
        self,
        *,
        session: Session,
        jobs: Jobs,
        settings: SettingsStore,
        body: BodyChoice,
        choose: Choose,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._settings = session, jobs, settings
        self._body, self._choose = body, choose

    def start(self, path: Path, imported: Callable[[], None]) -> None:
        """Find the people of a photo, ask, and add them; `imported` is called when they are in the document."""
        body = self._body.id()

        def estimate(progress: Progress, cancelled: Cancelled) -> tuple[Any, Any]:
            from solver.body.catalog import load_body
            from solver.estimators.image_file import load_image
            from solver.estimators.photo import estimate_people

            image = load_image(path)
            result = estimate_people(image, load_body(body), progress=progress, cancelled=cancelled)
            if not result.people and not cancelled():
                raise InputRefused(path, "nobody was found on the photo", "Choose one that shows a person whole")
            return image, result

        self._jobs.run(f"Finding the people on {path.name}", estimate, lambda found: self._found(path, found, imported))

    def _found(self, path: Path, found: tuple[Any, Any], imported: Callable[[], None]) -> None:
        image, result = found
        chosen = self._choose(image, result)
        if not chosen:
            return
        body, settings = self._body.id(), self._settings.values

        def recover(progress: Progress, cancelled: Cancelled) -> Edit:
            from app.document.people import Recovery, people_edit

            recovery = Recovery(settings.recover_count, settings.recover_threshold)
            return people_edit(image, result, chosen, body, recovery, progress, cancelled)

        def add(edit: Edit) -> None:
            session = self._session
            untouched = self._is_untouched()
            kept = 0 if untouched else len(session.document.characters)
            whole = edits.chain(clear_untouched, edit) if untouched else edit
            if session.edit(f"Open {path.name}", whole):
                session.select(session.document.characters[kept].id)
                session.set_view(through_photo=True)
                imported()

        self._jobs.run("Finding the handles of each pose", recover, add)

    def _is_untouched(self) -> bool:
        session = self._session
        return session.path is None and not session.history.dirty and not session.history.steps()


def clear_untouched(document: Document) -> Document:
    """Without the characters that stood there for a start."""
    for character in document.characters:
        document = edits.remove_character(character.id)(document)
    return document
