"""A person's face and hands, looked at closely where the landmarks of the whole person have them.

No detector is needed: the landmarks say where to look, and what is seen there where to look better. MediaPipe's
networks: Kartynnik et al., Real-time Facial Surface Geometry from Monocular Video (2019), and Zhang et al., MediaPipe
Hands (2020).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Face, Hand, Landmarks, Region, crop, run_network
from solver.photo.detection.faces import EYE_CORNERS
from solver.photo.detection.models import FACE, HAND

Array = NDArray[np.float64]
FACE_SIDE, HAND_SIDE = 192, 224  # pixels of the networks' inputs
_LEFT_EYE, _RIGHT_EYE, _MOUTH, _EARS = slice(1, 4), slice(4, 7), slice(9, 11), [7, 8]
_ELBOW, _WRIST, _PINKY, _INDEX = 13, 15, 17, 19  # of the left side; the right ones follow at +1
_FACE_AIR = 1.5  # side of the square relative to the face's
_HAND_AIR = 2.0  # side of the square relative to the palm's
_PALM = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
_KNUCKLES = [5, 9, 9, 13]
_NOTHING = 0.05, 0.1  # presence of a face and of a hand below which the first look saw something else
_LIKELY = 0.5  # presence of a face from which it is looked at upside down, too
_LEAST_SIDE = 8.0  # pixels, side of the smallest square worth a look
_TURN = 0.3  # radians between two looks at a hand


@dataclass(frozen=True, eq=False)
class _HandLook:
    """presence, right: 0..1. unit: (21, 2) of the square, 0..1. metres: (21, 3) in the picture's axes."""

    presence: float
    right: float
    unit: Array
    metres: Array


def with_face_and_hands(picture: Image.Image, person: Landmarks) -> Landmarks:
    """The person with face and hands where an RGB picture shows them."""
    left, right = (_hand(picture, person.pixels, side) for side in (0, 1))
    return replace(person, face=face_of(picture, person.pixels), hands=(left, right))


def face_of(picture: Image.Image, pixels: Array) -> Face | None:
    """The face of a person with these landmarks, (39, 2) pixels; None where an RGB picture shows nothing like one.

    None, too, if it is more surely a face upside down: then the landmarks have chin and forehead exchanged.
    """
    region = _face_region(pixels)
    if region.side < _LEAST_SIDE:
        return None
    first = _face_look(picture, region)
    if first.presence < _NOTHING[0]:
        return None
    region = _around(first.points[:, :2], angle_of(first), _FACE_AIR)
    if region.side < _LEAST_SIDE:
        return None
    face = _face_look(picture, region)
    if face.presence < _LIKELY:  # `is_clear_face` would not take it for one anyway
        return face
    turned = _face_look(picture, replace(region, angle=region.angle + np.pi))
    return None if turned.presence > face.presence else face


def face_in(picture: Image.Image, region: Region) -> Face | None:
    """The face in a square of an RGB picture, either way up; None where there is nothing like one."""
    first = max((_face_look(picture, replace(region, angle=region.angle + turn)) for turn in (0.0, np.pi)), key=_surely)
    if first.presence < _NOTHING[0]:
        return None
    return _face_look(picture, _around(first.points[:, :2], angle_of(first), _FACE_AIR))


def angle_of(face: Face) -> float:
    """Radians by which a face is turned in the picture, 0 for upright, as a `Region` has them."""
    across = np.subtract(*face.points[EYE_CORNERS, :2])
    return float(np.arctan2(across[1], across[0]))


def _surely(face: Face) -> float:
    return face.presence


def _face_look(picture: Image.Image, region: Region) -> Face:
    outputs = run_network(FACE, crop(picture, region, FACE_SIDE) / 255.0)
    values = outputs["conv2d_21"].reshape(468, 3).astype(np.float64) / FACE_SIDE
    presence = float(1 / (1 + np.exp(-np.clip(outputs["conv2d_31"].ravel()[0], -80, 80))))
    return Face(presence, np.column_stack([region.to_picture(values[:, :2]), values[:, 2] * region.side]))


def _face_region(pixels: Array) -> Region:
    eyes = (pixels[_LEFT_EYE].mean(axis=0) + pixels[_RIGHT_EYE].mean(axis=0)) / 2
    mouth = pixels[_MOUTH].mean(axis=0)
    down, middle = mouth - eyes, (eyes + mouth) / 2
    side = _FACE_AIR * head_of(pixels)
    return Region((float(middle[0]), float(middle[1])), side, float(np.arctan2(-down[0], down[1])))


def head_of(pixels: Array) -> float:
    """The size of a head in pixels by its landmarks, the first of (39, 2)."""
    left, right = pixels[_LEFT_EYE].mean(axis=0), pixels[_RIGHT_EYE].mean(axis=0)
    down = pixels[_MOUTH].mean(axis=0) - (left + right) / 2
    ears = np.linalg.norm(np.subtract(*pixels[_EARS]))
    return max(2.6 * float(np.linalg.norm(down)), 2.6 * float(np.linalg.norm(left - right)), float(ears))


def _hand(picture: Image.Image, pixels: Array, side: int) -> Hand | None:
    """The left hand for side 0, the right one for 1: two looks find it, then three see it, one mirrored, one turned."""
    region = _hand_region(pixels, side)
    for _ in range(2):
        if region.side < _LEAST_SIDE:
            return None
        look = _hand_look(picture, region)
        if look.presence < _NOTHING[1]:
            return None
        region = _palm_region(region.to_picture(look.unit))
    others = (
        _hand_look(picture, replace(region, side=1.25 * region.side), mirrored=True),
        _hand_look(picture, replace(region, angle=region.angle + _TURN)),
    )
    first = _hand_look(picture, region)
    looks = (first, *others)
    right = float(np.mean([look.right for look in looks]))
    return Hand(
        presence=float(np.median([look.presence for look in looks])),
        own_side=right if side else 1 - right,
        side=region.side,
        pixels=region.to_picture(first.unit),
        metres=np.stack([look.metres for look in looks]),
    )


def _hand_look(picture: Image.Image, region: Region, mirrored: bool = False) -> _HandLook:
    cut = crop(picture, region, HAND_SIDE) / np.float32(255.0)
    outputs = run_network(HAND, np.ascontiguousarray(cut[:, ::-1]) if mirrored else cut)
    unit = outputs["Identity"].reshape(21, 3)[:, :2].astype(np.float64) / HAND_SIDE
    metres = outputs["Identity_3"].reshape(21, 3).astype(np.float64)
    right = float(outputs["Identity_2"].ravel()[0])
    if mirrored:
        unit, metres, right = unit * [-1.0, 1.0] + [1.0, 0.0], metres * [-1.0, 1.0, 1.0], 1 - right
    metres[:, :2] = metres[:, :2] @ region.turn.T
    return _HandLook(float(outputs["Identity_1"].ravel()[0]), right, unit, metres)


def _hand_region(pixels: Array, side: int) -> Region:
    """Where the whole person's landmarks have a hand; sized by its own landmarks or the forearm's."""
    wrist, pinky, index, elbow = (pixels[first + side] for first in (_WRIST, _PINKY, _INDEX, _ELBOW))
    ahead = (2 * index + pinky) / 3 - wrist
    centre = wrist + 1.2 * ahead
    size = max(5.4 * float(np.linalg.norm(ahead)), 0.9 * float(np.linalg.norm(elbow - wrist)))
    return Region((float(centre[0]), float(centre[1])), size, float(np.arctan2(ahead[0], -ahead[1])))


def _palm_region(on_picture: Array) -> Region:
    ahead = on_picture[_KNUCKLES].mean(axis=0) - on_picture[0]
    angle = float(np.arctan2(ahead[0], -ahead[1]))
    return _around(on_picture[_PALM], angle, _HAND_AIR, 0.1)


def _around(points: Array, angle: float, air: float, up: float = 0.0) -> Region:
    """The square with that angle around points (N, 2), pixels; up: its shift, as a share of their extent."""
    turn = Region((0.0, 0.0), 1.0, angle).turn
    low, high = (points @ turn).min(axis=0), (points @ turn).max(axis=0)
    side = float((high - low).max())
    centre = turn @ ((low + high) / 2 - [0.0, up * side])
    return Region((float(centre[0]), float(centre[1])), air * side, angle)
