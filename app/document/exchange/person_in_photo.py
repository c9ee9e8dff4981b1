"""One person of the scene's photo: found in a box drawn over it, or read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.document.edits.characters import add_character
from app.document.edits.effectors import set_recovered
from app.document.exchange.people import RecoveryOptions, effectors_of
from app.document.model.combine import on_character
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import body_of
from app.document.model.history import Edit
from app.document.posing.create import new_character
from app.document.posing.placing import skin_of
from app.document.posing.reshape import resized
from app.document.posing.solving import usable_of
from solver.body.catalog import load_body
from solver.camera import PinholeCamera
from solver.errors import InputRefused, PoserError
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.regions import iou
from solver.photo.detection.turned_looks import Box
from solver.photo.fingers import hands_seen
from solver.photo.image_file import PhotoImage, load_image
from solver.photo.person_in_box import as_landmarks, clipped_box, person_in_box, posed_in_camera, standing_in_box
from solver.photo.sighting import sighting_of
from solver.solvers.catalog import DEFAULT_SOLVER, usable_on

_SAME_BOX = 0.5  # overlap from which a box is round somebody, so that no other person can be meant
_AIR = 0.08  # of the longer side, by which a box is wider than the body: that may be beside the person in the photo


@dataclass(frozen=True, eq=False)
class FoundInBox:
    """The edit that adds a person. seen: whether the networks saw one; else a figure stands in the box.

    there: id of the person that the box is round already, if nobody else is seen in it; the edit then changes nothing.
    """

    edit: Edit
    seen: bool
    there: str = ""


def find_in_box(document: Document, box: Sequence[float], body: str, recovery: RecoveryOptions) -> FoundInBox:
    """Who is in a box (left, top, right, bottom, pixels) of the photo behind the scene, under its present camera.

    Nobody else moves. A person the networks see is posed with a few effectors; else a figure stands in the box, with
    the effectors of a new person, unless the box is round somebody of the scene. PoserError for a box that holds no
    person, InputRefused for a photo that is gone.
    """
    photo = _photo(document)
    box = clipped_box(box, photo.camera.image_size)
    image, model = _pixels(photo), load_body(body)
    marks = person_in_box(image.rgb, box, _in_photo(document.characters, photo.camera))
    if marks is None and (there := _whom_it_is_round(document.characters, box, photo.camera)) is not None:
        return FoundInBox(lambda now: now, False, there.id)
    if marks is None:
        shape, pose = standing_in_box(model, box, photo.camera)
        return FoundInBox(lambda now: add_character(new_character(now, body=body, shape=shape, pose=pose))(now), False)
    person = posed_in_camera(model, marks, photo.camera)
    effectors = effectors_of(person, body, usable_on(DEFAULT_SOLVER, model).solver.spec.id, recovery)

    def edit(now: Document) -> Document:
        character = new_character(now, body=body, shape=person.shape, pose=person.pose)
        sighting, hands = sighting_of(marks, photo.sha256), hands_seen(marks, model)
        seen = replace(character, effectors=(), sighting=sighting, hands=hands)
        return set_recovered(seen.id, effectors)(add_character(seen)(now))

    return FoundInBox(edit, True)


def read_again(document: Document, id: str, recovery: RecoveryOptions) -> Edit | None:
    """The edit that reads a person's pose, place, shape and effectors again from where it is in the photo; None where
    nobody is seen there.

    Name, colour and all else stay. PoserError for a person who is outside the photo or has a skeleton that is not ours.
    """
    photo, character = _photo(document), document.character(id)
    others = [other for other in document.characters if other.id != id]
    box = box_of_character(character, photo.camera)
    image = _pixels(photo)
    marks = person_in_box(image.rgb, box, _in_photo(others, photo.camera))
    if marks is None:
        return None
    person = posed_in_camera(body_of(character), marks, photo.camera)
    effectors = effectors_of(person, character.body, usable_of(character).solver.spec.id, recovery)

    def change(now: Character) -> Character:
        shaped = resized(now, person.shape)
        posed = replace(shaped, pose=person.pose, base_pose=person.pose, effectors=())
        return replace(posed, sighting=sighting_of(marks, photo.sha256), hands=hands_seen(marks, body_of(now)))

    return lambda now: set_recovered(id, effectors)(on_character(id, change)(now))


def box_of_character(character: Character, camera: PinholeCamera) -> Box:
    """Left, top, right, bottom in pixels of what a camera sees of somebody, with some air around.

    PoserError where that is nothing, or too little.
    """
    pixels = camera.project(skin_of(character))
    pixels = pixels[np.isfinite(pixels).all(axis=1)]
    if not len(pixels):
        raise PoserError(f"{character.name} is behind the photo's camera. Move them in front of it first.")
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    air = _AIR * float((high - low).max())
    try:
        return clipped_box((*(low - air), *(high + air)), camera.image_size)
    except PoserError:
        way_out = "Move them over the person in the photo, or draw a box round that person."
        raise PoserError(f"{character.name} is outside the photo, or very small in it. {way_out}") from None


def _whom_it_is_round(people: Sequence[Character], box: Box, camera: PinholeCamera) -> Character | None:
    """The visible person whose body a box is drawn round, the best fit; None if there is nobody."""
    shares: list[tuple[float, Character]] = []
    for character in people:
        if not character.visible:
            continue
        try:
            theirs = box_of_character(character, camera)
        except PoserError:  # outside the photo
            continue
        shares.append((float(iou(np.array(box), np.array([theirs]))[0]), character))
    share, nearest = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    return nearest if share >= _SAME_BOX else None


def _photo(document: Document) -> Photo:
    if document.photo is None:
        raise PoserError("The scene has no photo. Open one first.")
    return document.photo


def _pixels(photo: Photo) -> PhotoImage:
    """The photo's picture; InputRefused where it has not the size its camera saw."""
    image = load_image(photo.path)
    if image.size != photo.camera.image_size:
        was, now = (f"{width} × {height}" for width, height in (photo.camera.image_size, image.size))
        reason = f"is {now} pixels large now, but was {was} when it came into the scene"
        raise InputRefused(photo.path, reason, "Put the former file back, or open this one as a new photo")
    return image


def _in_photo(people: Sequence[Character], camera: PinholeCamera) -> list[Landmarks]:
    """Where visible people are in the picture, except those of another skeleton or not wholly before the camera."""
    found = []
    for character in people:
        if not character.visible:
            continue
        try:
            marks = as_landmarks(body_of(character), character.shape, character.pose, camera)
        except PoserError:
            continue
        if np.isfinite(marks.pixels).all():
            found.append(marks)
    return found
