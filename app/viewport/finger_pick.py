"""Which point of a finger, a joint or the tip, a press on a hand takes if fingers are large enough to aim at."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of
from rendering.camera.camera import View
from rendering.picking.picking import JOINT_RADIUS, Hit
from rendering.scene.values import JointDots
from solver.body.finger_chain import FINGER_POINTS, TIP, Array, FingerPoint, fingers_in_world
from solver.body.fingers import has_fingers
from solver.body.hands import hands_at_rest

LARGE, SMALL = 52.0, 22.0  # least length of a finger in pixels: normally, and while the panel of hands is open
BESIDE = 0.016  # metres from the bones within which skin belongs to a finger
FINGER: Literal["finger"] = "finger"  # the kind of hit
TITLES = ("thumb", "index finger", "middle finger", "ring finger", "little finger")


def finger_hit(character: Character, hit: Hit, view: View, wide: bool) -> Hit | None:
    """A hit on a character's body as one on the finger there; None if it is not a finger, or too small to aim at.

    wide: whether the panel of hands is open.
    """
    if not _shows_fingers(character) or hit.place is None:
        return None
    fingers = fingers_of(character)
    where = nearest_point(fingers, hit.place)
    if where is None or not _can_be_aimed_at(fingers[where.side, where.finger], view, wide):
        return None
    return Hit(FINGER, (FINGER, where.name), hit.depth)


def tip_beside(character: Character, view: View, pixel: ArrayLike, wide: bool) -> Hit | None:
    """The fingertip next to a pixel that is on nothing, since the skin ends where one aims."""
    if not _shows_fingers(character):
        return None
    fingers = fingers_of(character)
    seen = view.project_with_depth(fingers[:, :, TIP].reshape(-1, 3))
    away = np.linalg.norm(seen[:, :2] - np.asarray(pixel, np.float64), axis=1)
    away[~np.isfinite(away)] = np.inf
    side, finger = divmod(int(np.argmin(away)), len(TITLES))
    if away.min() > JOINT_RADIUS or not _can_be_aimed_at(fingers[side, finger], view, wide):
        return None
    return Hit(FINGER, (FINGER, FingerPoint(side, finger, TIP).name), float(seen[np.argmin(away), 2]))


def _shows_fingers(character: Character) -> bool:
    own = character.own_skin
    return has_fingers(body_of(character)) and (own is None or not own.hides_fingers)


def _can_be_aimed_at(chain: Array, view: View, wide: bool) -> bool:
    long = float(np.linalg.norm(np.diff(chain, axis=0), axis=1).sum())
    return long >= (SMALL if wide else LARGE) * view.metres_per_pixel(chain[-1])


def fingers_of(character: Character) -> Array:
    """(2, 5, 4, 3) metres in the world: each finger's three joints and its tip."""
    hands = character.hands or hands_at_rest()
    return fingers_in_world(body_of(character), character.shape, hands, joints_of(character))


def with_finger_dots(dots: JointDots, character: Character, hovered: str) -> JointDots:
    """The dots, and behind them those of the finger whose point is hovered, for its joints that bend and its tip."""
    where, bends = FINGER_POINTS[hovered], (1, 2, 3)
    ids = tuple((FINGER, FingerPoint(where.side, where.finger, point).name) for point in bends)
    places = fingers_of(character)[where.side, where.finger, bends]
    return replace(dots, ids=dots.ids + ids, positions=np.concatenate([dots.positions, places]))


def nearest_point(fingers: Array, place: np.ndarray) -> FingerPoint | None:
    """The point of a finger meant by a place on the skin, of fingers (2, 5, 4, 3); None for the palm and all else.

    It is the nearer end of the part beside the place; places nearer to the knuckle belong to the hand.
    """
    start, way = fingers[:, :, :-1], np.diff(fingers, axis=2)
    along = ((place - start) * way).sum(axis=-1) / (way**2).sum(axis=-1)
    away = np.linalg.norm(start + np.clip(along, 0.0, 1.0)[..., None] * way - place, axis=-1)
    side, finger, part = (int(i) for i in np.unravel_index(np.argmin(away), away.shape))
    point = part + int(along[side, finger, part] > 0.5)
    return FingerPoint(side, finger, point) if away[side, finger, part] < BESIDE and point else None


def hand_of(name: str) -> str:
    """The joint that carries a point of a finger: "left_hand" of "left_index_tip"."""
    return FINGER_POINTS[name].hand


def finger_words(where: FingerPoint) -> str:
    """ "left index finger"."""
    return f"{('left', 'right')[where.side]} {TITLES[where.finger]}"
