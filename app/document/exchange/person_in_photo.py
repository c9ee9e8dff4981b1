"""One person of the scene's photo: found in a box drawn over it, or read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from app.document.edits.characters import add_character
from app.document.edits.effectors import set_recovered
from app.document.exchange.people import RecoveryOptions, effectors_of
from app.document.in_photo.photo_membership import is_of_another_photo
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
from solver.photo.blur import deblurred
from solver.photo.depth_ambiguity import is_doubtful
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.regions import iou
from solver.photo.detection.turned_looks import Box
from solver.photo.exposure import well_lit
from solver.photo.fingers import hands_seen
from solver.photo.floor.lying_figure import lying_in_box
from solver.photo.image_file import PhotoImage, load_image
from solver.photo.noise import denoised
from solver.photo.person_in_box import as_landmarks, clipped_box, person_in_box, posed_in_camera, standing_in_box
from solver.photo.second_try.tried_again import tried_again
from solver.photo.sighting import sighting_of
from solver.solvers.catalog import DEFAULT_SOLVER, usable_on

_SAME_BOX = 0.5  # overlap from which a box is round somebody, so that no other person can be meant
_AIR = 0.08  # of the longer side, by which a box is wider than the body: that may be beside the person in the photo


@dataclass(frozen=True, eq=False)
class Reading:
    """Somebody as the networks saw them in the photo. others: where the others of the scene are in it."""

    image: PhotoImage
    photo: Photo
    marks: Landmarks
    others: Sequence[Landmarks]
    recovery: RecoveryOptions

    @property
    def is_doubtful(self) -> bool:
        """Whether the pose is mostly off by how far looks disagree, so that a second try may see it better."""
        return is_doubtful(sighting_of(self.marks, ""))

    def edit_of(self, character: Character) -> Edit:
        """The edit that gives a character of the scene this pose, place, shape and effectors; all else stays."""
        person = posed_in_camera(body_of(character), self.marks, self.photo.camera)
        effectors = effectors_of(person, character.body, usable_of(character).solver.spec.id, self.recovery)

        def change(now: Character) -> Character:
            shaped = resized(now, person.shape)
            posed = replace(shaped, pose=person.pose, base_pose=person.pose, effectors=())
            sighting = sighting_of(self.marks, self.photo.sha256)
            return replace(posed, sighting=sighting, hands=hands_seen(self.marks, body_of(now)))

        return lambda now: set_recovered(character.id, effectors)(on_character(character.id, change)(now))

    def second_try(self, character: Character, cancelled: Callable[[], bool]) -> Edit | None:
        """The edit that gives them what a second try sees; None if it sees nothing better, or is cancelled."""
        again = tried_again(Image.fromarray(self.image.rgb), self.marks, (self.marks, *self.others), cancelled)
        return None if again is self.marks or cancelled() else replace(self, marks=again).edit_of(character)


@dataclass(frozen=True, eq=False)
class FoundInBox:
    """The edit that adds a person. reading: what the networks saw of them; None where a figure was put in the box.

    there: id of the person that the box is round already, if nobody else is seen in it; the edit then changes nothing.
    """

    edit: Edit
    reading: Reading | None = None
    there: str = ""

    @property
    def seen(self) -> bool:
        """Whether the networks saw somebody."""
        return self.reading is not None


def find_in_box(document: Document, box: Sequence[float], body: str, recovery: RecoveryOptions) -> FoundInBox:
    """Who is in a box (left, top, right, bottom, pixels) of the photo behind the scene, under its present camera.

    Nobody else moves. A person the networks see is posed with a few effectors; else a figure stands in the box, or lies
    in one much wider than high, with the effectors of a new person, unless the box is round somebody of the scene.
    PoserError for a box that holds no person, InputRefused for a photo that is gone.
    """
    photo = _photo(document)
    box = clipped_box(box, photo.camera.image_size)
    image, model = _pixels(photo), load_body(body)
    others = _known(document, photo.camera)
    marks = person_in_box(image.rgb, box, others)
    if marks is None and (there := _whom_it_is_round(document.characters, box, photo.camera)) is not None:
        return FoundInBox(lambda now: now, there=there.id)
    if marks is None:
        shape, pose = lying_in_box(model, box, photo.camera) or standing_in_box(model, box, photo.camera)
        return FoundInBox(lambda now: add_character(new_character(now, body=body, shape=shape, pose=pose))(now))
    person = posed_in_camera(model, marks, photo.camera)
    effectors = effectors_of(person, body, usable_on(DEFAULT_SOLVER, model).solver.spec.id, recovery)

    def edit(now: Document) -> Document:
        character = new_character(now, body=body, shape=person.shape, pose=person.pose)
        sighting, hands = sighting_of(marks, photo.sha256), hands_seen(marks, model)
        seen = replace(character, effectors=(), sighting=sighting, hands=hands)
        return set_recovered(seen.id, effectors)(add_character(seen)(now))

    return FoundInBox(edit, Reading(image, photo, marks, others, recovery))


def read_again(document: Document, id: str, recovery: RecoveryOptions) -> Reading | None:
    """A person of the scene read again from where they are in the photo; None where nobody is seen there.

    PoserError for a person who is outside the photo or has a skeleton that is not ours.
    """
    photo, character = _photo(document), document.character(id)
    box = box_of_character(character, photo.camera)
    others = _known(document, photo.camera, besides=id)
    image = _pixels(photo)
    marks = person_in_box(image.rgb, box, others)
    return None if marks is None else Reading(image, photo, marks, others, recovery)


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
    """The photo's picture as networks read it; InputRefused where it has not the size its camera saw."""
    image = load_image(photo.path)
    if image.size != photo.camera.image_size:
        was, now = (f"{width} × {height}" for width, height in (photo.camera.image_size, image.size))
        reason = f"is {now} pixels large now, but was {was} when it came into the scene"
        raise InputRefused(photo.path, reason, "Put the former file back, or open this one as a new photo")
    return replace(image, rgb=well_lit(deblurred(denoised(image.rgb))))


def _known(document: Document, camera: PinholeCamera, besides: str = "") -> list[Landmarks]:
    """Where visible people are in the picture, except those of another photo, of another skeleton or not wholly before
    the camera. besides: the id of somebody who does not count."""
    found = []
    for character in document.characters:
        if not character.visible or character.id == besides or is_of_another_photo(character, document):
            continue
        try:
            marks = as_landmarks(body_of(character), character.shape, character.pose, camera)
        except PoserError:
            continue
        if np.isfinite(marks.pixels).all():
            found.append(marks)
    return found
