"""A picture of a folder being labelled, as a document to correct: from its scene, its label, or by reading it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from os.path import exists, isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.document import edits
from app.document.exchange.label import label_edit
from app.document.exchange.label_files import LabelFiles
from app.document.exchange.label_folder import save_label
from app.document.exchange.label_state import PictureState, Stage, is_of_another_scene, state_in, state_of
from app.document.model.document import Document
from app.document.scene_file.io import load_scene
from app.document.scene_file.photo_link import sha256_of
from solver.errors import InputRefused, PoserError
from solver.files.json_checks import Node
from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD

if TYPE_CHECKING:
    from app.document.exchange.people import RecoveryOptions
    from solver.photo.estimate import SoFar
    from solver.photo.image_file import PhotoImage

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True)
class LabelPicture:
    """One picture as it was opened. document: None if it cannot be opened; `state` says why.

    seen: the SHA-256 of the scene's file, "" if there is none. now: that of the picture if it has changed since its
    label was made, else "". fits: whether the label can still be that of the picture as it is now. unsure: how many
    were found in reading it just now who may be nobody and are not in the document. image: what is in the picture's
    file, where that was read. stale: whether the scene's file was changed after the label was made.
    """

    state: PictureState
    document: Document | None = None
    seen: str = ""
    now: str = ""
    fits: bool = True
    unsure: int = 0
    image: PhotoImage | None = None
    stale: bool = False


@dataclass(frozen=True)
class PeopleReader:
    """How a picture without a proposal is read. body: of the people. known: official bodies that scenes may name.

    estimator: its name. recovery: of handles. shown(image), so_far(people): called while it is read, with a
    `PhotoImage` and a `PhotoResult`.
    """

    body: str
    known: Collection[str] = ()
    estimator: str = "built-in"
    recovery: RecoveryOptions | None = None
    shown: Callable[[Any], object] = lambda _image: None
    so_far: SoFar = lambda _people: None

    def people_in(
        self, path: Path, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> tuple[Document, int]:
        """A picture's people with their photo as a document, and how many were left out who may be nobody.

        The photo alone where nobody is found. PoserError names the picture, also where its estimator fails.
        """
        from app.document.exchange.people import people_edit
        from solver.body.catalog import load_body
        from solver.estimates.plug_ins import people_in_photo
        from solver.photo.image_file import load_image

        image = load_image(path)
        self.shown(image)
        body = load_body(self.body)
        try:
            found = people_in_photo(
                self.estimator, image, body, progress=progress, cancelled=cancelled, so_far=self.so_far
            )
        except PoserError as error:
            raise error if path.name in str(error) else PoserError(f"{path}: {error}") from None
        sure = [place for place, person in enumerate(found.people) if person.score >= LIKELIHOOD_THRESHOLD]
        edit = people_edit(
            image, found, sure, body=self.body, recovery=self.recovery, progress=progress, cancelled=cancelled
        )
        return edit(Document()), len(found.people) - len(sure)


def open_picture(
    files: LabelFiles,
    number: int,
    reader: PeopleReader,
    progress: Progress = lambda _share, _text: None,
    cancelled: Cancelled = lambda: False,
) -> LabelPicture | None:
    """The picture with its people; None if cancelled. number: its place in the folder, from 1.

    Its scene is opened, or else its label; without either it is read, and the proposal is written at once. Where the
    scene has several photos, the picture is in front. The state says what cannot be read.
    """
    state = state_of(files, number)
    images: list[PhotoImage] = []

    def note(image: PhotoImage) -> None:
        images.append(image)
        reader.shown(image)

    try:
        if isfile(files.scene):
            scene = _scene(files, reader.known, state)
            return _with_scene(files, state, scene, sha256_of(files.scene))
        if state.stage not in (Stage.NEW, Stage.REFUSED):
            label = files.read()
            document = label_edit(Node(label, str(files.label)), files.label, reader.body)(Document())
            return _compared(files, state, document, "")
        document, unsure = replace(reader, shown=note).people_in(files.picture, progress, cancelled)
    except PoserError as error:  # its label counts in the COCO file all the same, as long as there is a picture
        row = state.row if exists(files.picture) else None
        return LabelPicture(PictureState(Stage.UNREADABLE, _why(error), row))
    if cancelled():
        return None
    arrived = LabelPicture(state, document, unsure=unsure, image=next(iter(images), None))
    if state.stage is Stage.REFUSED:  # it stays until somebody says that it may go
        return arrived
    try:
        seen, label = save_label(files, document, checked=False)
    except PoserError:  # tried again, and said, when the picture is left
        return arrived
    return replace(arrived, state=state_in(Node(label, str(files.label)), files, number), seen=seen)


def with_picture_of_now(document: Document, files: LabelFiles, now: str) -> Document:
    """The document with the picture's checksum as it is now, once somebody has looked it over; "" leaves it."""
    own = files.photo_among(document.photos)
    if not now or own is None:
        return document
    place, count = document.photos.index(own), len(document.photos)
    relinked = edits.relink_photo(own.path, now)(edits.choose_photo(place)(document))
    return edits.choose_photo(-place % count)(relinked)


def _why(error: PoserError) -> str:
    """Why a picture cannot be read; not to choose another one, as the folder's pictures are chosen already."""
    from solver.photo.image_file import USABLE

    if isinstance(error, InputRefused) and error.way_out == USABLE:
        return str(InputRefused(error.source, error.reason, place=error.place))
    return str(error)


def _scene(files: LabelFiles, known: Collection[str], state: PictureState) -> Document:
    try:
        return load_scene(files.scene, known)
    except InputRefused as error:
        if state.stage in (Stage.NEW, Stage.REFUSED):  # there is no label to open it by
            raise
        by_label = f"{error.way_out}, or move it away: then the picture opens by its label".removeprefix(", or ")
        raise InputRefused(error.source, error.reason, by_label, error.place) from None


def _with_scene(files: LabelFiles, state: PictureState, scene: Document, seen: str) -> LabelPicture:
    """The picture by its scene. The label's poses are checked: what cannot be read must not be replaced unasked."""
    stale = False
    try:
        label = files.read()
        stale = label is not None and is_of_another_scene(Node(label, str(files.label)), files)
    except PoserError as error:
        state = PictureState(Stage.REFUSED, str(error))
    return replace(_compared(files, state, scene, seen), stale=stale)


def _compared(files: LabelFiles, state: PictureState, document: Document, seen: str) -> LabelPicture:
    from solver.photo.image_file import load_image

    photo = files.photo_among(document.photos)
    image = load_image(files.picture)  # one that is gone or was damaged since is not opened
    if photo is not None:  # another one may have been in front; it may even be gone, so that nothing would show
        document = edits.choose_photo(document.photos.index(photo))(document)
    if photo is None or image.sha256 == photo.sha256:
        return LabelPicture(state, document, seen, image=image)
    return LabelPicture(state, document, seen, image.sha256, image.size == photo.camera.image_size, image=image)
