"""From a photo's path to characters in the document: estimation in a job, the choice of people, recovery in a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.document import edits
from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.background.jobs import Cancelled, Jobs, Progress, Work
from app.services.body_choice import BodyChoice
from app.services.session import Session
from app.services.settings import Settings, SettingsStore
from solver.errors import PoserError

if TYPE_CHECKING:
    from app.document.exchange.people import RecoveryOptions
    from app.services.background.photo_warm_up import PhotoWarmUp
    from solver.photo.image_file import PhotoImage
    from solver.photo.people import PhotoResult

ADD, NEW_SCENE = "add", "new scene"
WAITS = "{}, as soon as the solver is prepared"
Place = Callable[[], str | None]
Choose = Callable[["PhotoImage", "PhotoResult"], Sequence[int] | None]


class PhotoImport(QObject):
    """Runs the steps one after another.

    choose: asks the user which people to take; nobody for the photo alone, None to cancel. backdrop: whether a picture
    without people, by its name, is to stand behind the people of the scene, or else a figure. reading(image): this
    photo, a `PhotoImage`, is being read; seen(people): the people found in it so far, a `PhotoResult`, roughly posed.
    Both come while the job runs.
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
        backdrop: Callable[[str, bool], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._settings = session, jobs, settings
        self._body, self._choose, self._backdrop = body, choose, backdrop

    @cached_property
    def ready(self) -> PhotoWarmUp:
        """Loads what the first photo needs, while it is still being chosen."""
        from app.services.background.photo_warm_up import PhotoWarmUp

        return PhotoWarmUp(self._body.id, lambda: self._settings.values.photo_estimator)

    def stop(self) -> None:
        """Wait until nothing is loading; the window has closed."""
        if "ready" in vars(self):  # else nobody has asked for a photo
            self.ready.wait()

    def document_of(self, people: PhotoResult) -> Document:
        """The people of a photo still being read, as a document that is not opened."""
        from app.document.posing.create import new_character

        document = Document()
        for person in people.people:
            body = person.own_id(self._body.id())
            character = new_character(document, body=body, shape=person.shape, pose=person.pose)
            document = edits.add_character(character)(document)
        return document

    def start(
        self,
        path: Path,
        imported: Callable[[str], None],
        place: Place = lambda: ADD,
        picture: PhotoImage | None = None,
    ) -> None:
        """Find the people in a photo, ask, and put them where `place` says; `imported` is called when they are there,
        with anything else there is to say.

        place: asked once they are known: ADD or NEW_SCENE, None to cancel. People who are added replace those in an
        untouched scene; a scene that was worked on keeps its photo, behind the new one. picture: what is in the file,
        if it has been read.
        """

        def arrive(edit: Edit, image: PhotoImage) -> None:
            where = place()
            if where and self._arrive(f"Open {path.name}", edit, where):
                imported(image.left_out)

        def put_behind(image: PhotoImage, people: PhotoResult) -> None:
            where = place()
            if where and self._put_behind(f"Open {path.name}", image, people.camera.focal_px, where):
                imported(image.left_out)

        def found(result: tuple[Any, Any]) -> None:
            image, people = result
            if people.people:
                self._take(image, people, lambda edit: arrive(edit, image), alone=lambda: put_behind(image, people))
            elif (where := place()) and self._offer_backdrop(path, image, people.camera.focal_px, where):
                imported(image.left_out)

        self._jobs.run(f"Finding the people in {path.name}", self._reading_of(path, picture), found)

    def start_another(
        self, path: Path, people: bool, imported: Callable[[str], None], picture: PhotoImage | None = None
    ) -> None:
        """Add another photo to the scene, with a camera of its own, and look through it.

        people: whether those found and chosen in it come along; if not, or if there are none, the photo comes alone.
        imported: called when it is there, with anything else there is to say. picture: as for `start`.
        """
        session = self._session

        def arrive(edit: Edit, hint: str = "") -> None:
            from app.document.exchange.import_placement import added_people  # not needed to show the window

            before, text = session.document, f"Add photo {path.name}"
            if session.edit(text, edit):
                new = added_people(before, session.document)
                if new:
                    session.select(new[0].id)
                session.set_view(through_photo=True)
                imported(hint)

        def found(result: tuple[Any, Any]) -> None:
            from app.document.exchange.backdrop import behind_edit

            image, seen = result

            def alone() -> Edit:
                return behind_edit(image, seen.camera.focal_px, session.active.id if session.active else "", seen)

            if people and seen.people:
                arrive_posed = lambda edit: arrive(_beside_others(edit), image.left_out)  # noqa: E731
                left = lambda: arrive(alone(), image.left_out)  # noqa: E731
                self._take(image, seen, arrive_posed, left, for_scene=True)
                return
            hint = "Nobody was found in it." if people else ""
            arrive(alone(), f"{hint} {image.left_out}".strip())

        reading = self._reading_of(path, picture)
        self._jobs.run(f"Finding the people in {path.name}", reading, found, for_scene=True)

    def start_backdrop(self, path: Path, imported: Callable[[str], None]) -> None:
        """Put a picture behind the scene without looking for people in it, and look through its camera.

        In an untouched scene a figure is put in front of it; else the people there stay as they are. imported: as for
        `start`.
        """

        def load(progress: Progress, cancelled: Cancelled) -> tuple[Any, float]:
            from solver.focal_length import guessed_px
            from solver.photo.image_file import load_image

            image = load_image(path)
            return image, image.focal_px or guessed_px(image.size)

        def arrive(found: tuple[Any, float]) -> None:
            if self._put_behind(f"Put {path.name} behind the scene", *found, ADD):
                imported(found[0].left_out)

        self._jobs.run(f"Opening {path.name}", load, arrive)

    def _reading_of(self, path: Path, picture: PhotoImage | None) -> Work:
        """The job that reads a photo: its picture, if that is not known yet, and the people in it."""
        body, estimator = self._body.id(), self._settings.values.photo_estimator

        def estimate(progress: Progress, cancelled: Cancelled) -> tuple[Any, Any]:
            from solver.body.catalog import load_body
            from solver.estimates.plug_in_names import BUILT_IN
            from solver.estimates.plug_ins import people_in_photo
            from solver.photo.image_file import load_image

            def tell(share: float, what: str) -> None:
                waits = estimator == BUILT_IN and not self._session.service.awake  # both need the compiler
                progress(share, WAITS.format(what) if waits and what else what)

            def show(people: PhotoResult) -> None:
                if not cancelled():  # or another photo may be read by now
                    self.seen.emit(people)

            image = picture or load_image(path)
            self.reading.emit(image)
            people = people_in_photo(estimator, image, load_body(body), progress=tell, cancelled=cancelled, so_far=show)
            return image, people

        return estimate

    def _take(
        self,
        image: PhotoImage,
        result: PhotoResult,
        arrive: Callable[[Edit], None],
        alone: Callable[[], None],
        for_scene: bool = False,
    ) -> None:
        chosen = self._choose(image, result)
        if chosen is None:
            return
        if not chosen:
            alone()
            return
        body, settings = self._body.id(), self._settings.values

        def recover(progress: Progress, cancelled: Cancelled) -> Edit:
            from app.document.exchange.people import people_edit

            return people_edit(image, result, chosen, body, recovery_options(settings), progress, cancelled)

        self._jobs.run("Finding the handles of each pose", recover, arrive, for_scene=for_scene)

    def _offer_backdrop(self, path: Path, image: PhotoImage, focal_px: float, where: str) -> bool:
        """Ask whether the picture is to be a backdrop, of the people of the scene if there are any."""
        session = self._session
        people = where == ADD and not session.untouched and len(session.document.actors) > 0
        return self._backdrop(path.name, people) and self._put_behind(f"Open {path.name}", image, focal_px, where)

    def _put_behind(self, text: str, image: PhotoImage, focal_px: float, where: str) -> bool:
        """Put a picture behind the people of a scene that was worked on, or else behind a figure."""
        from app.document.exchange.backdrop import backdrop_edit, behind_edit

        session = self._session
        if where == NEW_SCENE or session.untouched or not session.document.actors:
            return self._arrive(text, backdrop_edit(image, focal_px, self._body.id()), where)
        done = session.edit(text, behind_edit(image, focal_px, session.active.id if session.active else ""))
        session.set_view(through_photo=done or session.view.through_photo)
        return done

    def _arrive(self, text: str, edit: Edit, where: str) -> bool:
        from app.document.exchange.import_placement import added_people, placed_in_empty_scene

        session, before = self._session, self._session.document
        if where == NEW_SCENE:
            try:
                document = edit(Document())
            except PoserError as error:
                session.refused.emit(str(error))
                return False
            session.open(document, saved=False)
        elif not session.edit(text, placed_in_empty_scene(edit) if session.untouched else _beside_others(edit)):
            return False
        session.select(added_people(before, session.document)[0].id)
        session.set_view(through_photo=session.document.photo is not before.photo)
        return True


def _beside_others(edit: Edit) -> Edit:
    """The edit with the people of a photo beside those already there, and their photo behind the scene."""
    from app.document.exchange.import_placement import placed_before_photo, placed_beside_others

    return placed_before_photo(placed_beside_others(edit))


def recovery_options(settings: Settings) -> RecoveryOptions:
    """How handles are recovered, as the settings say."""
    from app.document.exchange.people import RecoveryOptions
    from solver.effectors.kinds import kinds

    taken = frozenset(kind.id for kind in kinds()) - set(settings.recover_without.split())
    return RecoveryOptions(settings.recover_count, settings.recover_threshold, taken)
