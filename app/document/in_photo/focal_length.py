"""Setting the focal length of the photo's camera: people stay on the picture, and as far as it allows on the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.document.in_photo.with_camera import carried_whole
from app.document.model.document import SET, Character, Document
from app.document.model.figure import joints_of
from app.document.model.history import Edit
from app.document.posing.placing import skin_of
from solver.body.floor import STANDS_WITHIN
from solver.effectors.contact import Contact
from solver.errors import PoserError
from solver.memoise import memoised_on_value
from solver.photo.fit.other_lens import Seen, through_other_lens
from solver.values import changed

_MAY_BE_LOWEST = 0.15  # metres over the lowest point of the skin; people hardly lean


def set_focal(start: Document, focal_px: float) -> Edit:
    """Change the photo's focal length, in pixels, from the document as it was at the start.

    People are moved and turned as they are, so that they stay in place in the picture. The camera tilts, rolls and
    rises with the floor, which takes up most of what they would lean by; feet on the floor stay on it. People who
    touch each other move as one piece, so that hands stay in hands. The lens of the start gives back the start.
    People of other photos stay where they are.
    """

    def edit(document: Document) -> Document:
        # The start does without these.
        from app.document.in_photo.photo_membership import belongs_to_photo
        from app.document.posing.tied_groups import tied_groups

        before = start.at(document.frames)
        photo = before.photo
        if photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        if not (np.isfinite(focal_px) and focal_px > 1.0):
            raise PoserError(f"A focal length of {focal_px:g} pixels is not possible.")
        if focal_px == photo.camera.focal_px:
            return before
        seen = {c.id: _seen(c) for c in before.characters if belongs_to_photo(c, before)}
        people = [c for c in before.characters if c.id in seen and seen[c.id].is_before(photo.camera)]
        groups = tied_groups([_with_contacts_alone(c) for c in people])
        pieces = [_as_one([seen[c.id] for c in group]) for group in groups]
        camera, ways = through_other_lens(photo.camera, focal_px, pieces)
        way = {c.id: one for group, one in zip(groups, ways, strict=True) for c in group}
        after = before.with_characters(carried_whole(c, way[c.id]) if c.id in way else c for c in before.characters)
        return replace(after, photos=(replace(photo, camera=camera, focal_from=SET), *before.photos[1:]))

    return edit


def _with_contacts_alone(character: Character) -> Character:
    """A look at somebody does not tie people together here."""
    contacts = tuple(e for e in character.effectors if isinstance(e, Contact) and e.is_active)
    return changed(character, effectors=contacts)


def _as_one(people: Sequence[Seen]) -> Seen:
    """People who touch each other, as a single piece."""
    if len(people) == 1:
        return people[0]
    joints, lowest = (
        np.concatenate(parts) for parts in zip(*((one.joints, one.lowest) for one in people), strict=True)
    )
    return Seen(joints, lowest, any(one.grounded for one in people), any(one.upright for one in people))


@memoised_on_value
def _seen(character: Character) -> Seen:
    skin = skin_of(character).astype(np.float64)
    heights = skin[:, 1]
    lowest = float(heights.min())
    return Seen(
        joints_of(character).positions.astype(np.float64),
        skin[heights < lowest + _MAY_BE_LOWEST],
        abs(lowest) < STANDS_WITHIN,
        character.clip.source is not None,
    )
