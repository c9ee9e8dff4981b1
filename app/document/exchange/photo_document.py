"""A photo's people as a document, in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solver.sentences import percent

if TYPE_CHECKING:
    from app.document.model.document import Document
    from solver.camera import PinholeCamera
    from solver.photo.image_file import PhotoImage

NOT_SAID = "found; the estimator does not say how sure it is"


def document_of_photo(
    path: Path,
    body: str | None = None,
    chosen: Sequence[int] | None = None,
    *,
    recovery: tuple[int, float] | None = None,
    focal_px: float | None = None,
    tell: Callable[[str], None] = lambda line: None,
    estimator: str = "built-in",
    progress: Callable[[float, str], None] | None = None,
) -> Document:
    """The people in a photo as a new document.

    chosen: numbers from 1; all if none are given. recovery: how many effectors at most, and the joint error in metres
    that will do. tell: is told who was found. estimator: the one that reads the photo. progress: is told which share is
    done, and of what: first of finding people, then of finding effectors.
    Raises InputRefused for a bad image, for one without people, and for a wrong number.
    """
    from solver.errors import InputRefused
    from solver.photo.image_file import load_image

    image = load_image(path)  # refuses what is not a picture before anything slow is loaded

    from app.document.exchange.people import RecoveryOptions, people_edit
    from app.document.model.document import Document
    from solver.body.catalog import DEFAULT_BODY, load_body
    from solver.estimates.plug_ins import people_in_photo
    from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD

    body = body or DEFAULT_BODY
    result = people_in_photo(estimator, image, load_body(body), focal_px, progress)
    found = len(result.people)
    if not found:
        raise InputRefused(
            path,
            "nobody was found in the photo",
            "Choose one that shows the whole person, or use it as a backdrop in the window",
        )
    for number in chosen or ():
        if number > found:
            were = "person was" if found == 1 else "people were"
            way_out = "Leave out --people" if found == 1 else f"Choose from 1 to {found}"
            raise InputRefused(path, f"there is no person {number}: {found} {were} found", way_out)
    for number, person in enumerate(result.people, start=1):
        left_out = chosen is not None and number not in chosen
        floating = "" if person.on_floor else ", not on the floor that the others share"
        may_be = f"looks like a {person.like}" if person.like else "may be nobody, a statue or a drawing"
        doubt = "" if person.score >= LIKELIHOOD_THRESHOLD else f", {may_be}"
        sure = f"{percent(person.score)} sure it's a person{doubt}" if person.scored else NOT_SAID
        age = ", posed as a child" if person.smaller else ""
        tell(f"Person {number}: {sure}{age}{floating}{', left out' if left_out else ''}")
    if focal_px is None and (text := about_panorama(image, result.camera)):
        tell(text)
    if image.left_out:
        tell(image.left_out)
    places = None if chosen is None else [number - 1 for number in chosen]
    options = RecoveryOptions(*recovery) if recovery else None
    return people_edit(image, result, places, body, options, progress)(Document())


def about_panorama(image: PhotoImage, camera: PinholeCamera) -> str:
    """What to say about the lens that a panorama was read with, unasked; "" for other pictures."""
    from app.document.exchange.people import focal_from
    from app.document.model.document import GUESSED, NOTED
    from solver.focal_length import NO_LENS, equivalent_mm, is_panorama

    if not is_panorama(image.size):
        return ""
    whence = {GUESSED: "a guess, as the file does not state it", NOTED: "from the file, which noted a single shot's"}
    why = whence.get(focal_from(image, camera), "as the estimator says")
    lens = f"{equivalent_mm(camera.focal_px, image.size):.0f} mm"
    return f"A panorama: its lens is taken for one of {lens}, {why} (--focal sets it). {NO_LENS}"
