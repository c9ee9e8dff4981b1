"""From a photo's path to characters in the document: estimation in a job, the choice of people, recovery in a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.document.exchange.arrival import beside_the_others, in_an_empty_scene, newcomers
from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.body_choice import BodyChoice
from app.services.jobs import Cancelled, Jobs, Progress
from app.services.session import Session
from app.services.settings import Settings, SettingsStore
from solver.errors import InputRefused, PoserError

if TYPE_CHECKING:
    from app.document.exchange.people import Recovery
    from solver.photo.estimate import PhotoResult
    from solver.photo.image_file import PhotoImage

ADD, NEW_SCENE = "add", "new scene"
Place = Callable[[], str | None]
Choose = Callable[["PhotoImage", "PhotoResult"], Sequence[int] | None]


class PhotoImport(QObject):
    """Runs the steps one after another.

    choose: asks the user whom to take, None to leave it all. backdrop: whether a picture without people is to
    stand behind a figure. reading(picture): (H, W, 3) uint8, a photo is being read; seen(boxes): who is found in it by
    then, left, top, right, bottom in pixels. Both come while the job runs.
    """

    reading = Signal(object)
    seen = Signal(object)

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

    def start(self, path: Path, imported: Callable[[], None], place: Place = lambda: ADD) -> None:
        """Find the people in a photo, ask, and put them where `place` says; `imported` is called when they are there.

        place: asked when they are known: ADD or NEW_SCENE, None to leave it. People who are added replace whoever
        stands in an untouched scene; a scene that was worked on keeps the photo that it has.
        """
        body, estimator = self._body.id(), self._settings.values.photo_estimator

        def estimate(progress: Progress, cancelled: Cancelled) -> tuple[Any, Any]:
            from solver.body.catalog import load_body
            from solver.estimates.plug_ins import people_in_photo
            from solver.photo.image_file import load_image

            image = load_image(path)
            self.reading.emit(image.rgb)
            people = people_in_photo(
                estimator, image, load_body(body), progress=progress, cancelled=cancelled, so_far=self.seen.emit
            )
            return image, people

        def arrive(edit: Edit) -> None:
            where = place()
            if where and self._arrive(f"Open {path.name}", edit, where):
                imported()

        def found(result: tuple[Any, Any]) -> None:
            image, people = result
            if people.people:
                self._take(image, people, arrive)
            elif (where := place()) and self._offer_backdrop(path, image, people.camera.focal_px, where):
                imported()

        self._jobs.run(f"Finding the people in {path.name}", estimate, found)

    def _take(self, image: PhotoImage, result: PhotoResult, arrive: Callable[[Edit], None]) -> None:
        chosen = self._choose(image, result)
        if not chosen:
            return
        body, settings = self._body.id(), self._settings.values

        def recover(progress: Progress, cancelled: Cancelled) -> Edit:
            from app.document.exchange.people import people_edit

            return people_edit(image, result, chosen, body, recovery_of(settings), progress, cancelled)

        self._jobs.run("Finding the handles of each pose", recover, arrive)

    def _offer_backdrop(self, path: Path, image: PhotoImage, focal_px: float, where: str) -> bool:
        session = self._session
        if where == ADD and not session.untouched and session.document.photo is not None:
            reason, way_out = "nobody was found in the photo", "Open it as a new scene to use it as a backdrop"
            session.refused.emit(str(InputRefused(path, reason, way_out)))
            return False
        if not self._backdrop(path.name):
            return False
        from app.document.exchange.backdrop import backdrop_edit

        return self._arrive(f"Open {path.name}", backdrop_edit(image, focal_px, self._body.id()), where)

    def _arrive(self, text: str, edit: Edit, where: str) -> bool:
        session, before = self._session, self._session.document
        if where == NEW_SCENE:
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


def recovery_of(settings: Settings) -> Recovery:
    """How handles are recovered, as the settings say."""
    from app.document.exchange.people import Recovery
    from solver.effectors.kinds import kinds

    taken = frozenset(kind.id for kind in kinds()) - set(settings.recover_without.split())
    return Recovery(settings.recover_count, settings.recover_threshold, taken)
