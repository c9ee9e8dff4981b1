"""Who in a picture may be a child, and where the floor is then.

Networks see a child with an adult's proportions in depth, so too far away, with feet too low: the others seem to hang
above a floor there. So the floor may be where most people's feet agree, if whoever is below would stand on it with a
child's size. How large face and head are on the body counts a little: unless a face is seen, it tells children from
adults poorly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.catalog import VARIANTS
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import EARS, NOSE, Evidence
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.floor.onto_floor import STATURE
from solver.rig.roles import SMPL_ROLES, Role

Array = NDArray[np.float64]
CHILD = next(id for id in VARIANTS if id.endswith(":child"))
# Of how tall children are as shares of an adult: the mean logarithm, its spread, the least and the most. Who is only a
# little below the others may as well be a short adult.
_SHARE, _SPREAD, _SHORTEST, _TALLEST = -0.31, 0.11, -0.55, -0.08
_SELDOM = 3.0  # log odds against anybody being a child, before what is seen
IN_THE_AIR = 4.0  # log odds against anybody being in the air or on something, while others stand on the floor
_STATURE_COUNTS = 0.25  # of the square of a stature's standard deviations
_MOST = 2.0  # log odds that the size of face and head may say
_LEAST = -1.0  # of these: below it are two in three adults and one child in eight, and nobody there is taken for one
# Faces measure exp(-3.1..-2.88) m (root mean square about the middle) at the size of the fitted body, children's
# exp(-2.81..-2.67) m.
_FACE, _FACE_COUNTS = -2.84, 30.0
# Of nose and ears over the fitted body's, as a logarithm; of eyes over mouth, as a logarithm of metres; of the stature.
_HEAD, _HEAD_COUNTS = 0.09, 9.0
_EYES, _EYES_COUNT, _EYES_BLUR = -2.66, 6.0, 0.01
_SMALL, _SMALL_COUNTS = -0.22, 1.5
_HEAD_BLUR = 0.03  # metres, by which nose and ears are off
_EYE_MARKS, _MOUTH_MARKS = [2, 5], [9, 10]
_HEAD_JOINT = SMPL_ROLES.index(Role.HEAD)


@dataclass(frozen=True, eq=False)
class MayBeChildren:
    """odds: for each person, `child_odds`. fitted: a child's body, what the landmarks say about it, and it fitted to
    them, for a person by number."""

    odds: Sequence[float]
    fitted: Callable[[int], tuple[Body, Evidence, Fit]]


@dataclass(frozen=True, eq=False)
class FloorWithChildren:
    """floor: its height over the camera, metres. children: the numbers of those who stand on it as children."""

    floor: float
    children: tuple[int, ...]


def child_odds(body: Body, marks: Landmarks, seen: Evidence, fit: Fit) -> float:
    """How much likelier face and head are a child's than an adult's, as a logarithm within ±2; rough."""
    places, turns = posed_joints(body, fit)
    per_metre = seen.focal_px / max(-float(places[_HEAD_JOINT, 2]), 1e-3)
    if marks.face is not None:
        size = _spread(marks.face.points) / np.sqrt(len(marks.face.points)) / per_metre
        odds = _FACE_COUNTS * (np.log(max(size, 1e-6)) - _FACE)
    else:
        points = seen.points
        on_body = points.places(places, turns)
        head = np.isin(points.landmark, (NOSE, *EARS))
        blur = _HEAD_BLUR * per_metre
        shown = np.hypot(_spread(seen.pixels[head]), blur)
        fitted = np.hypot(_spread(seen.focal_px * on_body[head, :2] / -on_body[head, 2:]), blur)
        eyes = marks.pixels[_EYE_MARKS].mean(axis=0) - marks.pixels[_MOUTH_MARKS].mean(axis=0)
        odds = _HEAD_COUNTS * (np.log(shown / fitted) - _HEAD)
        odds += _EYES_COUNT * (np.log(np.linalg.norm(eyes) / per_metre + _EYES_BLUR) - _EYES)
        odds -= _SMALL_COUNTS * (fit.betas[STATURE] - _SMALL)
    return float(np.clip(odds, -_MOST, _MOST))


def floor_with_children(
    floors: Array, lowest: Array, tall: Array, own: Array, stands: NDArray[np.bool_], shown: NDArray[np.bool_],
    odds: Sequence[float],
) -> FloorWithChildren | None:  # fmt: skip
    """The likeliest of floors (N,), if adults stand on it and whoever is below has a child's size; else None.

    Heights over the camera, metres. lowest: (P,) of everybody's lowest point. tall: (P, N) the `STATURE` with which
    adults stand on each floor; own: (P, 1) that of the fits. stands: (P, N) whether such adults exist. shown: (P,)
    whether feet are seen. odds: (P,) see `child_odds`.
    """
    below = (lowest[:, None] < floors - 1e-6) & ~stands
    adult = np.where(stands, _STATURE_COUNTS * (tall - own) ** 2, IN_THE_AIR)
    adult = np.where(below & shown[:, None], np.inf, adult)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.log(floors / lowest[:, None])
    looks = np.asarray(odds)[:, None]
    fits = (share > _SHORTEST) & (share < _TALLEST) & (looks > _LEAST)
    child = _SELDOM - looks + 0.5 * ((share - _SHARE) / _SPREAD) ** 2
    child = np.where(fits, np.maximum(child, 0.0), np.inf)
    small = child < adult
    total = np.where((stands & ~small).any(axis=0), np.minimum(adult, child).sum(axis=0), np.inf)
    best = int(total.argmin())
    if not np.isfinite(total[best]) or not small[:, best].any():
        return None
    return FloorWithChildren(float(floors[best]), tuple(np.flatnonzero(small[:, best]).tolist()))


def _spread(points: Array) -> float:
    """The root of the sum of squares of the distances from the middle."""
    return float(np.linalg.norm(points - points.mean(axis=0)))
