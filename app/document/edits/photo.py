"""Edits of the photo behind the scene. Each function returns an edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.edits.effectors import on_every_effector
from app.document.edits.pose import set_pose
from app.document.model.combine import on_character
from app.document.model.document import Document, Photo
from app.document.model.history import Edit
from solver.effectors.effector import Effector
from solver.effectors.sources import RaySource
from solver.errors import PoserError
from solver.kinematics.pose import Pose
from solver.sentences import counted


def set_photo(photo: Photo | None) -> Edit:
    """Put a photo behind the scene in place of the one there, or take that one away (None); other photos stay."""

    def edit(document: Document) -> Document:
        if document.photo == photo:
            return document
        if photo is None:
            document = _renumbered(document, {place: place - 1 for place in range(1, len(document.photos))})
        return replace(document, photos=(*([photo] if photo else ()), *document.photos[1:]))

    return edit


def add_photo(photo: Photo) -> Edit:
    """Add a photo: behind the scene if it has none yet, else after those it has."""
    return lambda document: replace(document, photos=(*document.photos, photo))


def choose_photo(place: int) -> Edit:
    """Put another of the scene's photos behind it, by its place among them; the others follow in their order.

    PoserError where there is none.
    """

    def edit(document: Document) -> Document:
        if not 0 <= place < len(document.photos):
            raise PoserError(f"The scene has {counted(len(document.photos), 'photo')}, and none at place {place + 1}.")
        if place == 0:
            return document
        count = len(document.photos)
        after = _renumbered(document, {was: (was - place) % count for was in range(count)})
        return replace(after, photos=(*document.photos[place:], *document.photos[:place]))

    return edit


def set_photo_visible(visible: bool) -> Edit:
    """Show or hide the photo."""
    return _on_photo(lambda photo: replace(photo, visible=bool(visible)))


def set_photo_opacity(opacity: float) -> Edit:
    """Set how strongly the photo shows, clipped to 0..1."""
    value = min(max(float(opacity), 0.0), 1.0)
    return _on_photo(lambda photo: replace(photo, opacity=value))


def relink_photo(path: str, sha256: str) -> Edit:
    """Point to the photo's file where it is now; the camera and what was seen in the photo stay."""
    relink = _on_photo(lambda photo: replace(photo, path=path, sha256=sha256))

    def edit(document: Document) -> Document:
        before, after = document.photo, relink(document)
        if before is None or before.sha256 == sha256:
            return after
        people = (
            replace(c, sighting=replace(c.sighting, photo=sha256))
            if c.sighting is not None and c.sighting.photo == before.sha256
            else c
            for c in document.characters
        )
        return after.with_characters(people)

    return edit


def put_points(character_id: str, pose: Pose, put: Mapping[int, NDArray[np.float64]]) -> Edit:
    """Put the character into `pose`, in which the user put points, by BlazePose's numbers, at (2,) pixels of the photo.

    Those points count as sure from then on.
    """

    def edit(document: Document) -> Document:
        from app.document.in_photo.photo_points import surely_seen  # only once a point is put

        if document.photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        photo = document.photo.sha256
        seen = on_character(character_id, lambda c: replace(c, sighting=surely_seen(c.sighting, photo, put)))
        return seen(set_pose(character_id, pose)(document))

    return edit


def _on_photo(change: Callable[[Photo], Photo]) -> Edit:
    def edit(document: Document) -> Document:
        if document.photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        after = change(document.photo)
        return document if after == document.photo else replace(document, photos=(after, *document.photos[1:]))

    return edit


def _renumbered(document: Document, places: Mapping[int, int]) -> Document:
    """The document with targets on rays through photos renumbered; a target whose photo goes loses its source.

    A number that no photo had stays as it is.
    """
    count = len(document.photos)

    def change(_: str, effector: Effector) -> Effector:
        source = effector.source
        if not isinstance(source, RaySource) or source.photo >= count or places.get(source.photo) == source.photo:
            return effector
        now = places.get(source.photo)
        return replace(effector, source=None if now is None else replace(source, photo=now))

    return on_every_effector(document, change)
