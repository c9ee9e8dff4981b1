"""A picture in which nobody was found as a backdrop: somebody stands in front of it, seen by a camera that could be
the picture's.
"""

from __future__ import annotations

from math import atan, cos, sin, sqrt, tan
from typing import TYPE_CHECKING

import numpy as np

from app.document.edits.characters import add_character
from app.document.edits.photo import set_photo
from app.document.exchange.people import photo_of
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.posing.create import DEFAULT_BODY, new_character
from app.document.posing.solving import joints_of
from solver.camera import PinholeCamera

if TYPE_CHECKING:
    from solver.photo.image_file import PhotoImage

EYE_M = 1.5  # the camera's height
CROWN_M = 0.13  # metres from the highest joint to the top of the head
FEET_AT = 0.88  # of the picture's height, from above
TALLEST = 0.66  # of the picture's height
WIDEST = 1.8  # a figure's height by the picture's width: with hanging arms it is a good third as wide as tall


def backdrop_edit(image: PhotoImage, focal_px: float, body: str = DEFAULT_BODY) -> Edit:
    """The edit that adds a person who stands in the middle of the picture, and puts the picture behind.

    focal_px: the lens, in pixels of the picture.
    """

    def edit(document: Document) -> Document:
        standing = new_character(Document(), body=body).pose  # at the origin, whoever else is there
        person = new_character(document, body=body, pose=standing)
        height = float(joints_of(person).positions[:, 1].max()) + CROWN_M
        photo = photo_of(image, camera_for(height, image.size, focal_px))
        return set_photo(photo)(add_character(person)(document))

    return edit


def camera_for(height_m: float, image_size: tuple[int, int], focal_px: float) -> PinholeCamera:
    """The camera in whose picture somebody of that height, standing at the origin, fills a good part.

    It stands as high as people hold theirs and is tilted so that the feet are in the picture's lower part.
    """
    width, height = image_size
    share = min(TALLEST, WIDEST * width / height)
    below, above = (FEET_AT - 0.5) * height, (share - FEET_AT + 0.5) * height  # of the middle, pixels
    feet, top = atan(below / focal_px), atan(above / focal_px)  # the same as angles, down and up
    spread = tan(feet + top)  # the angle at which the figure is seen says how far away it stands
    distance = (height_m + sqrt(height_m**2 + 4 * spread**2 * EYE_M * (height_m - EYE_M))) / (2 * spread)
    tilt = atan(EYE_M / distance) - feet  # downwards
    rotation = np.array([[1, 0, 0], [0, cos(tilt), sin(tilt)], [0, -sin(tilt), cos(tilt)]], np.float32)
    position = np.array([0, EYE_M, distance], np.float32)
    return PinholeCamera(position, rotation, focal_px, (width / 2, height / 2), image_size)
