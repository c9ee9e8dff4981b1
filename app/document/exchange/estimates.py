"""An estimator's file as people of the scene, before the picture they were seen in, if it is at hand."""

from __future__ import annotations

from collections.abc import Callable
from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.document.model.history import Edit
from app.document.posing.create import DEFAULT_BODY
from solver.body.shape_fit import DEFAULT_ESTIMATOR
from solver.errors import InputRefused
from solver.sentences import sentence_case

if TYPE_CHECKING:
    from solver.estimates.estimate import Estimate
    from solver.estimates.people import EstimatedPeople
    from solver.photo.image_file import PhotoImage

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp")
_ADDED = ("_keypoints", "_pose", "_smpl", "_results")  # what estimators put behind a picture's name
_SAME_SHAPE = 0.02  # share by which a picture's sides may differ in proportion from what the file says

_BEYOND, _MANY = 0.05, 0.1  # share of a side, share of points: with more points farther outside, it is another picture

_POSING = 0.3  # of the time; the rest is finding handles
Progress = Callable[[float, str], None]


class EstimateEdit(NamedTuple):
    """An estimate as an edit. report: what was understood, a few plain lines. hint: sentences on what was left out or
    guessed."""

    edit: Edit
    report: str
    hint: str


def picture_beside(path: Path) -> Path | None:
    """The picture of the same name in the same folder: “a.npz” and “a_keypoints.json” go with “a.jpg”."""
    stems = [path.stem, *(path.stem.removesuffix(end) for end in _ADDED if path.stem.endswith(end))]
    names = {f"{stem}{suffix}" for stem in stems for suffix in PICTURE_SUFFIXES}
    found = sorted(other for other in path.parent.iterdir() if other.name.lower() in {name.lower() for name in names})
    return found[0] if found else None


def estimate_edit(
    estimate: Estimate,
    path: Path,
    body: str = DEFAULT_BODY,
    shape_by: str = DEFAULT_ESTIMATOR,
    picture: Path | None = None,
    progress: Progress | None = None,
) -> EstimateEdit:
    """The edit that adds everybody of an estimate with the picture, and what was understood.

    The camera is that of the picture as shown, whatever size the file says. picture: its path; by default the one
    beside the file, if any. One that cannot be read is left out if it merely lies there; InputRefused if it was named.
    """
    from app.document.exchange.people import people_edit
    from solver.body.catalog import load_body
    from solver.estimates.estimate import rescaled_estimate
    from solver.estimates.people import FILM_FPS, to_people
    from solver.estimates.picture_shares import in_pixels
    from solver.photo.image_file import load_image

    image, reason = (load_image(picture), "") if picture is not None else _beside(estimate, path)
    estimate = in_pixels(estimate, None if image is None else image.in_file or image.size)
    count = _count(len({p.track or i for i, p in enumerate(estimate.people)}))
    notes = [sentence_case(note) for note in estimate.notes] + [reason] * bool(reason)
    size = estimate.image_size
    if image is not None:
        size = estimate.image_size or image.in_file or image.size
        if size != image.size and _alike(image.size, size):
            estimate, size = rescaled_estimate(estimate, size, image.size), image.size
    lens = image.focal_px if image is not None and size == image.size else None
    found = to_people(estimate, load_body(body), size, shape_by, _part(progress, 0.0, _POSING), lens)
    if image is not None and not found.seen:
        notes.append("The file has no camera: the picture was left out")
        image = None
    films = [motion for motion in found.motions if motion is not None]
    if films:
        notes.append(f"{_count(len(films))} with a motion, assumed to run at {FILM_FPS:g} frames a second")
    lines = [f"{estimate.kind}: {count}", *notes, *_said(found, image)]
    handles = _part(progress, _POSING, 1.0 - _POSING)
    edit = people_edit(image, found.result, body=body, progress=handles, motions=found.motions)
    return EstimateEdit(edit, "\n".join(lines), " ".join(f"{note}." for note in notes))


def _part(progress: Progress | None, start: float, share: float) -> Progress | None:
    """Progress of a part of the work that begins at `start` and makes up `share`, both as shares of the whole."""
    return None if progress is None else lambda done, text: progress(start + share * done, text)


def _beside(estimate: Estimate, path: Path) -> tuple[PhotoImage | None, str]:
    """The picture that an estimate's file names or that lies beside it, or why it is left out."""
    from solver.photo.image_file import load_image

    found = _picture_named(estimate, path) or picture_beside(path)
    if found is None:
        return None, ""
    try:
        image = load_image(found)
    except InputRefused:
        return None, f"{found.name} cannot be read, and was left out"
    reason = _unfit(estimate, image)
    return (None, f"{found.name} {reason}, and was left out") if reason else (image, "")


def _picture_named(estimate: Estimate, path: Path) -> Path | None:
    """The picture that the file names, where it says or beside the file; None if it is at neither place."""
    folder, name = path.absolute().parent, PureWindowsPath(estimate.picture).name  # splits at both kinds of slashes
    places = (folder / estimate.picture, folder / name) if name else ()
    return next((place for place in places if place.suffix.lower() in PICTURE_SUFFIXES and isfile(place)), None)


def _unfit(estimate: Estimate, image: PhotoImage) -> str:
    """Why the picture beside an estimate is not the one it was made from; "" where it may be."""
    from solver.estimates.estimate import KeyPoints

    size = estimate.image_size
    if size is not None:
        return "" if _alike(image.size, size) else "has other proportions than the file says"
    if estimate.shares:
        return ""
    flat = [told.pixels for p in estimate.people if isinstance(told := p.content, KeyPoints) and told.positions is None]
    if not flat:
        return ""
    pixels = np.concatenate(flat)
    pixels, sides = pixels[~np.isnan(pixels[:, 0])], np.array(image.in_file or image.size)
    beyond = ((pixels < -_BEYOND * sides) | (pixels > (1.0 + _BEYOND) * sides)).any(axis=1)
    return "is smaller than the picture in which the points were found" if beyond.mean() > _MANY else ""


def _said(found: EstimatedPeople, image: PhotoImage | None) -> list[str]:
    lines = [f"Seen in {Path(image.path).name}"] if image is not None else []
    floating = sum(not person.on_floor for person in found.result.people)
    if floating:
        lines.append(f"{_count(floating)} not on the floor that the others share")
    return lines


def _alike(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1.0) < _SAME_SHAPE


def _count(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"
