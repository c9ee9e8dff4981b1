"""A person pushed along the line of sight, growing with distance so that the picture stays; and where they face."""

from __future__ import annotations

from math import pi, remainder

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.document import Character
from app.document.model.figure import body_of
from app.document.posing.placing import moved, turned
from app.document.posing.reshape import resized
from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.bone_lengths import rest_places

Array = NDArray[np.float64]
_LEAST_CHANGE = 0.01  # metres a joint must move for one standard deviation of a shape's component to be worth it
_LEAST_SHARE = 0.05  # of the distance


def distance(character: Character, eye: ArrayLike) -> float:
    """Metres from `eye` (3,) to the pelvis."""
    return float(np.linalg.norm(character.pose.root_position - np.asarray(eye, np.float64)))


def reach(character: Character, eye: ArrayLike) -> tuple[float, float]:
    """How near and how far a person can be pushed, metres from `eye` (3,): where its body is as small and as large as
    it gets."""
    here, growth, betas = distance(character, eye), _growth(character), character.shape.betas.astype(np.float64)
    to_end = np.abs(np.sign(growth) * SHAPE_LIMIT - betas), np.abs(np.sign(growth) * SHAPE_LIMIT + betas)
    rate = np.maximum(np.abs(growth), 1e-9)
    larger, smaller = ((ends / rate).min() for ends in to_end)
    return here * max(1.0 - float(smaller), _LEAST_SHARE), here * (1.0 + float(larger))


def times_as_far(character: Character, eye: ArrayLike, metres: float) -> float:
    """How many times as far from `eye` (3,) somebody gets who is pushed to `metres` from it, within `reach`."""
    low, high = reach(character, eye)
    return min(max(metres, low), high) / max(distance(character, eye), 1e-9)


def pushed(character: Character, eye: ArrayLike, metres: float) -> Character:
    """The whole character at `metres` from `eye` (3,) along the line of sight, within `reach`.

    It grows with the distance by its shape, so that its joints stay where they are in the picture; targets go along.
    """
    more = times_as_far(character, eye, metres) - 1.0
    if abs(more) < 1e-9:
        return character
    betas = np.clip(character.shape.betas + more * _growth(character), -SHAPE_LIMIT, SHAPE_LIMIT)
    larger = resized(character, BodyShape(betas.astype(np.float32), character.shape.gender))
    return moved(larger, more * (character.pose.root_position.astype(np.float64) - np.asarray(eye, np.float64)))


def facing(character: Character, eye: ArrayLike) -> float:
    """Radians by which a person's hips are turned about the vertical from `eye` (3,), positive to the person's left."""
    away = np.asarray(eye, np.float64) - character.pose.root_position
    ahead = character.pose.rotations[0][:, 2]
    return remainder(float(np.arctan2(ahead[0], ahead[2]) - np.arctan2(away[0], away[2])), 2 * pi)


def faced(character: Character, eye: ArrayLike, angle: float) -> Character:
    """The whole character turned about the vertical through its pelvis to face `angle` radians from `eye`."""
    return turned(character, angle - facing(character, eye))


def _growth(character: Character) -> Array:
    """(10,) how the betas change, per share, for a body that is larger overall: joints go straight away from the pelvis
    as nearly as a shape allows."""
    rest = rest_places(body_of(character), character.shape.gender)
    places = rest.of(character.shape.betas)
    rows = (rest.directions - rest.directions[0]).reshape(-1, SHAPE_COMPONENTS)
    normal = rows.T @ rows + _LEAST_CHANGE**2 * np.eye(SHAPE_COMPONENTS)
    return np.asarray(np.linalg.solve(normal, rows.T @ (places - places[0]).ravel()), dtype=np.float64)
