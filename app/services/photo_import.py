"""From a photo's path to characters in the document: estimation in a job, the choice of people, recovery in a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.document.arrival import beside_the_others, in_an_empty_scene, newcomers
from app.document.history import Edit
from app.document.state import Document
from app.services.body_choice import BodyChoice
from app.services.jobs import Cancelled, Jobs, Progress
from app.services.session import Session
from app.services.settings import SettingsStore
from solver.errors import InputRefused, PoserError

if TYPE_CHECKING:
    from solver.estimators.image_file import PhotoImage
    from solver.estimators.photo import PhotoResult

Choose = Callable[["PhotoImage", "PhotoResult"], Sequence[int] | None]


class PhotoImport(QObject):
    """Runs the steps one after another.

    choose: asks the user whom to take, None to leave it all. backdrop: asks whether a picture of nobody is to stand
    behind a figure.
    """

    def __init__(
        self,
        *,
        session: Session,
        jobs: Jobs,
        settings: SettingsStore,
        body: BodyChoice,
        choose: Choose,
        backdrop: Callable[[str], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._settings = session, jobs, settings
        self._body, self._choose, self._backdrop = body, choose, backdrop

    def start(self, path: Path, imported: Callable[[], None], may_replace: Callable[[], bool] | None = None) -> None:
        """Find the people of a photo, ask, and add them; `imported` is called when they are in the document.

        may_replace: with it they become a new scene, if it allows that in the end; without they are added to the open
        one, which keeps the photo that it has.
        """
        body = self._body.id()

        def estimate(progress: Progress, cancelled: Cancelled) -> tuple[Any, Any]:
            from solver.body.catalog import load_body
            from solver.estimators.image_file import load_image
            from solver.estimators.photo import estimate_people

            image = load_image(path)
            return image, estimate_people(image, load_body(body), progress=progress, cancelled=cancelled)

        def arrive(edit: Edit) -> None:
            if self._arrive(f"Open {path.name}", edit, may_replace):
                imported()

        def found(result: tuple[Any, Any]) -> None:
            self._found(path, *result, arrive, keeps_photo=may_replace is None)

        self._jobs.run(f"Finding the people in {path.name}", estimate, found)

    def _found(self, path: Path, image: Any, result: Any, arrive: Callable[[Edit], None], keeps_photo: bool) -> None:
        body, settings, document = self._body.id(), self._settings.values, self._session.document
        if not result.people:
            if keeps_photo and document.photo is not None and not self._session.untouched:
                reason, way_out = "nobody was found in the photo", "Open it as a new scene to have it as a backdrop"
                self._session.refused.emit(str(InputRefused(path, reason, way_out)))
            elif self._backdrop(path.name):
                from app.document.backdrop import backdrop_edit

                arrive(backdrop_edit(image, result.focal_px, body))
            return
        chosen = self._choose(image, result)
        if not chosen:
            return

        def recover(progress: Progress, cancelled: Cancelled) -> Edit:
            from app.document.people import Recovery, people_edit

            recovery = Recovery(settings.recover_count, settings.recover_threshold)
            return people_edit(image, result, chosen, body, recovery, progress, cancelled)

        self._jobs.run("Finding the handles of each pose", recover, arrive)

    def _arrive(self, text: str, edit: Edit, may_replace: Callable[[], bool] | None) -> bool:
        session, before = self._session, self._session.document
        if may_replace is not None:
            if not may_replace():
                return False
            try:
                document = edit(Document())
            except PoserError as error:
                session.refused.emit(str(error))
                return False
            session.open(document, saved=False)
        elif not session.edit(text, in_an_empty_scene(edit) if session.untouched else beside_the_others(edit)):
            return False
        session.select(newcomers(before, session.document)[0].id)
        session.set_view(through_photo=session.document.photo is not before.photo)
        return True
