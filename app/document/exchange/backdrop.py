"""A picture as a backdrop, seen by a camera that could be the picture's: with a figure in front of it, or with the
people of the scene. A further photo of a scene is put behind it the same way if its people are not wanted.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan, atan2, cos, sin, sqrt, tan
from typing import TYPE_CHECKING

import numpy as np

from app.document.edits.characters import add_character
from app.document.edits.photo import add_photo, choose_photo
from app.document.exchange.people import photo_of
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.model.history import Edit
from app.document.posing.create import DEFAULT_BODY, new_character
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

if TYPE_CHECKING:
    from solver.photo.image_file import PhotoImage
    from solver.photo.people import PhotoResult

EYE_M = 1.5  # the camera's height
LEAST_M = 1.2  # of the height that the camera is placed for, as people who lie have hardly any
CROWN_M = 0.13  # metres from the highest joint to the top of the head
FEET_AT = 0.88  # of the picture's height, from above
TALLEST = 0.66  # of the picture's height
WIDEST = 1.8  # a figure's height over the picture's width: with hanging arms it is a good third as wide as tall


def backdrop_edit(image: PhotoImage, focal_px: float, body: str = DEFAULT_BODY) -> Edit:
    """The edit that adds a person who stands in the middle of the picture and the picture, after the photos there are.

    focal_px: the lens, in pixels of the picture.
    """

    def edit(document: Document) -> Document:
        standing = new_character(Document(), body=body).pose  # at the origin, whoever else is there
        person = new_character(document, body=body, pose=standing)
        height = float(joints_of(person).positions[:, 1].max()) + CROWN_M
        photo = photo_of(image, camera_for(height, image.size, focal_px))
        return add_photo(photo)(add_character(person)(document))

    return edit


def behind_edit(image: PhotoImage, focal_px: float, about: str = "", result: PhotoResult | None = None) -> Edit:
    """The edit that puts a picture behind the scene, after the photos it has, and chooses it; nobody is added.

    about: the id of the person its camera looks at, by default the first one. result: who was found in the picture and
    the camera that saw them; the camera is then placed as if the surest of them were that person and faced the same
    way. Without it the camera is placed so that the person fills a good part of the picture.
    """

    def edit(document: Document) -> Document:
        person = next((c for c in document.characters if c.id == about), next(iter(document.characters), None))
        if person is not None and result is not None and result.people:
            camera = _as_seen_by(result.camera, result.people[0].pose, person.pose)
        else:
            shown = person or new_character(document)
            height = float(np.ptp(joints_of(shown).positions[:, 1])) + CROWN_M
            level = camera_for(max(height, LEAST_M), image.size, focal_px)
            x, _, z = person.pose.root_position if person is not None else (0.0, 0.0, 0.0)
            camera = replace(level, position=level.position + np.array([x, 0.0, z], np.float32))
        after = add_photo(photo_of(image, camera))(document)
        return choose_photo(len(after.photos) - 1)(after)

    return edit


def _as_seen_by(camera: PinholeCamera, seen: Pose, pose: Pose) -> PinholeCamera:
    """A camera that saw one pose, moved over the floor and turned about the vertical to see another one likewise."""
    yaws = [atan2(*one.rotations[0][[0, 2], 2].tolist()) for one in (pose, seen)]
    turn = np.asarray(from_rotation_vector([0.0, yaws[0] - yaws[1], 0.0]), dtype=np.float64)
    here, there = (one.root_position * [1.0, 0.0, 1.0] for one in (seen, pose))
    position = turn @ (camera.position - here) + there
    rotation = turn @ camera.rotation.astype(np.float64)
    return replace(camera, position=position.astype(np.float32), rotation=rotation.astype(np.float32))


def camera_for(height_m: float, image_size: tuple[int, int], focal_px: float) -> PinholeCamera:
    """The camera in whose picture somebody of that height, standing at the origin, fills a good part.

    It stands as high as people hold theirs and is tilted so that the feet are in the picture's lower part.
    """
    width, height = image_size
    share = min(TALLEST, WIDEST * width / height)
    below, above = (FEET_AT - 0.5) * height, (share - FEET_AT + 0.5) * height  # from the middle, pixels
    feet, top = atan(below / focal_px), atan(above / focal_px)  # the same as angles, down and up
    spread = tan(feet + top)  # the angle at which the figure is seen says how far away it stands
    distance = (height_m + sqrt(height_m**2 + 4 * spread**2 * EYE_M * (height_m - EYE_M))) / (2 * spread)
    tilt = atan(EYE_M / distance) - feet  # downwards
    rotation = np.array([[1, 0, 0], [0, cos(tilt), sin(tilt)], [0, -sin(tilt), cos(tilt)]], np.float32)
    position = np.array([0, EYE_M, distance], np.float32)
    return PinholeCamera(position, rotation, focal_px, (width / 2, height / 2), image_size)
