"""An estimator's file as people of the scene, before the picture that they were seen in, where it is at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.model.history import Edit
from app.document.posing.create import DEFAULT_BODY
from solver.body.shape_fit import DEFAULT_ESTIMATOR

if TYPE_CHECKING:
    from solver.estimates.estimate import Estimate
    from solver.estimates.people import EstimatedPeople
    from solver.photo.image_file import PhotoImage

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp")
_ADDED = ("_keypoints", "_pose", "_smpl", "_results")  # what estimators put behind a picture's name
_SAME_SHAPE = 0.02  # share by which a picture's sides may differ in proportion from what the file says

Progress = Callable[[float, str], None]


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
) -> tuple[Edit, str]:
    """The edit that adds everybody of an estimate with the picture, and what was understood, a few plain lines.

    picture: where it is; by default the one beside the file, if any. InputRefused for a picture that cannot be read.
    """
    from app.document.exchange.people import people_edit
    from solver.body.catalog import load_body
    from solver.estimates.people import FILM_FPS, to_people
    from solver.photo.image_file import load_image

    beside = picture or picture_beside(path)
    image = load_image(beside) if beside is not None else None
    lines = [f"{estimate.kind}: {_count(len({p.track or i for i, p in enumerate(estimate.people)}))}"]
    lines += [note[:1].upper() + note[1:] for note in estimate.notes]
    if image is not None and picture is None and not _alike(image.size, estimate.image_size or image.size):
        lines.append(f"{Path(image.path).name} is of other proportions than the file says, and was left out")
        image = None
    size = estimate.image_size or (image.size if image is not None else None)
    lens = image.focal_px if image is not None and size == image.size else None
    found = to_people(estimate, load_body(body), size, shape_by, progress, lens)
    if image is not None and not found.seen:
        lines.append("The file has no camera: the picture was left out")
        image = None
    lines += _said(found, image, FILM_FPS)
    return people_edit(image, found.result, body=body, progress=progress, motions=found.motions), "\n".join(lines)


def _said(found: EstimatedPeople, image: PhotoImage | None, fps: float) -> list[str]:
    lines = [f"Seen in {Path(image.path).name}"] if image is not None else []
    films = [motion for motion in found.motions if motion is not None]
    if films:
        lines.append(f"{_count(len(films))} with a motion, taken for {fps:g} frames a second")
    floating = sum(not person.on_floor for person in found.result.people)
    if floating:
        lines.append(f"{_count(floating)} not on the floor that the others share")
    return lines


def _alike(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1.0) < _SAME_SHAPE


def _count(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"
