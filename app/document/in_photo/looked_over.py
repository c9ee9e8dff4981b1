"""People of a photo whom the user has looked over: corrected, or found right. Nobody is sent to them any more."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit

_AT_THE_JOINT = 1e-4  # metres, or of a turn's numbers: a handle that is put where its joint is changes no pose


def look_over(ids: Collection[str]) -> Edit:
    """The people of those ids are right as they are; those who were never seen in a photo stay as they are."""

    def edit(document: Document) -> Document:
        for character in document.characters:
            if character.id in ids:
                document = _looked_over(document, character)
        return document

    return edit


def noting_corrections(edit: Edit) -> Edit:
    """The edit, by which whoever it poses otherwise has been corrected. Not so where it only moves somebody as a whole,
    or reads them again."""

    def noted(document: Document) -> Document:
        after = edit(document)
        before = {character.id: character for character in document.characters}
        for character in after.characters:
            was = before.get(character.id)
            if was is not None and was is not character and not character.frame and _is_corrected(was, character):
                after = _looked_over(after, character)
        return after

    return noted


def _looked_over(document: Document, character: Character) -> Document:
    seen = character.sighting
    if seen is None or seen.looked_over:
        return document
    return document.with_character(replace(character, sighting=replace(seen, looked_over=True)))


def _is_corrected(was: Character, now: Character) -> bool:
    """Whether limbs were posed otherwise, or a target left its joint, while what was seen is the same."""
    seen, known = now.sighting, was.sighting
    if seen is None or known is None or seen.looked_over or seen.points is not known.points:
        return False
    if now.pose is not was.pose:  # somebody who is moved as a whole, or with the camera, keeps the limbs
        return not np.array_equal(now.pose.rotations[1:], was.pose.rotations[1:])
    old = {effector.id: effector.target for effector in was.effectors}
    moved = [e for e in now.effectors if e.id in old and not np.array_equal(e.target, old[e.id])]
    skeleton, joints = skeleton_of(now), joints_of(now)
    return any(not np.allclose(e.target, e.at_pose(skeleton, joints).target, atol=_AT_THE_JOINT) for e in moved)
