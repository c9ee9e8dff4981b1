"""How many gestures a pose read from a photo needs: someone who knows the truth drags landmarks and flips limbs.

Gestures take turns. The first drags the landmark that is furthest off in the picture to where the joint is, and the fit
goes on from where it was. The second flips the arm or leg that is furthest off in space to the nearest of its other
readings, or the next worst where none is nearer. Then again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.evaluation.metrics import pa_mpjpe_mm, procrustes_aligned
from solver.photo.accuracy import shared_indices, shared_marks
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import LIMBS, READINGS, mirrored
from solver.photo.fit.least_squares import Fit, Weights, minimise, posed_joints
from solver.photo.fit.lifting import lifted_evidence
from solver.photo.fit.start import placed
from solver.photo.people import PhotoResult

Array = NDArray[np.float64]
GESTURES = (0, 1, 2, 4)  # after which it is told how far off the pose is
_STEPS = 8


def corrected(body: Body, result: PhotoResult, number: int, joints: Array, pixels: Array) -> dict[int, float]:
    """Millimetres (PA-MPJPE) by the gestures made so far. joints: (12, 3) metres, pixels: (12, 2), the truth."""
    person, camera = result.people[number], result.camera
    seen = lifted_evidence(body, person.landmarks, camera.focal_px, camera.principal_px)
    goals = (pixels - camera.principal_px) * [1.0, -1.0]
    fit, left, errors = person.fit, list(range(len(goals))), {0: _error(body, person.fit, joints)}
    for gesture in range(max(GESTURES)):
        if gesture % 2 == 0:
            seen, fit, left = _dragged(body, seen, fit, goals, left)
        else:
            fit = flipped(body, seen, fit, joints)
        if gesture + 1 in GESTURES:
            errors[gesture + 1] = _error(body, fit, joints)
    return errors


def _dragged(body: Body, seen: Evidence, fit: Fit, goals: Array, left: list[int]) -> tuple[Evidence, Fit, list[int]]:
    """The evidence with one more landmark at its goal, and sure; the fit to it; which landmarks are still as seen."""
    rows = [int(np.flatnonzero(seen.points.landmark == mark)[0]) for mark in shared_marks()]
    worst = max(left, key=lambda i: float(np.linalg.norm(seen.pixels[rows[i]] - goals[i])))
    dragged, sure = seen.pixels.copy(), seen.on_picture.copy()
    dragged[rows[worst]], sure[rows[worst]] = goals[worst], 1.0
    now = replace(seen, pixels=dragged, on_picture=sure)
    return now, minimise(body, now, fit, Weights(), _STEPS), [i for i in left if i != worst]


def flipped(body: Body, seen: Evidence, fit: Fit, joints: Array) -> Fit:
    """The fit with the worst limb that another reading brings nearer to the truth in that reading."""
    own = posed_joints(body, fit)[0]
    shared = shared_indices()
    off = dict(zip(shared, np.linalg.norm(procrustes_aligned(own[shared], joints) - joints, axis=1), strict=True))
    before = _error(body, fit, joints)
    for limb in sorted(LIMBS, key=lambda limb: -sum(off[joint] for joint in limb[1:])):
        others = [mirrored(body, fit, limb, readings) for readings in READINGS]
        tried = [placed(body, seen, other) for other in others if other is not None]
        best = min(tried, key=lambda other: _error(body, other, joints), default=fit)
        if _error(body, best, joints) < before:
            return best
    return fit


def _error(body: Body, fit: Fit, joints: Array) -> float:
    return float(pa_mpjpe_mm(posed_joints(body, fit)[0][shared_indices()], joints))
