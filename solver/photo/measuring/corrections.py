"""How many gestures correct a pose read from a photo: simulated users, who know the truth, drag, flip and turn.

There are three gestures:
- drag the body's point that is furthest off in the picture to where the joint is; the body follows as it does in the
  window (`refit`). A point that was dragged is held there, and not dragged again;
- flip the arm or leg that is furthest off in space to the nearest of its other readings, or the next worst if none is
  nearer;
- turn the whole person round, left and right exchanged, which lets go of all points.

And there are two users. One makes, each time, the gesture that brings the pose nearest to the truth in space, and stops
where none helps (`corrected`). The other drags and flips by turns, a drag first, and keeps what comes of it whether or
not it helps (`corrected_by_turns`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.camera import PinholeCamera
from solver.evaluation.metrics import pa_mpjpe_mm, procrustes_aligned
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.pose import Pose
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import LIMBS, READINGS, mirrored, shape_of
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.fit.lifting import lifted_evidence
from solver.photo.fit.start import placed
from solver.photo.people import PhotoResult
from solver.photo.refit import marked_points, refit
from solver.rig.mirroring import mirror_pose

Array = NDArray[np.float64]
Put = dict[int, Array]  # where points were dragged, in pixels (2,), by landmark
GESTURES = (0, 1, 2, 4)  # after which the pose's error is reported


def corrected(body: Body, result: PhotoResult, number: int, joints: Array, pixels: Array) -> dict[int, float]:
    """Millimetres (PA-MPJPE) by the gestures made so far, each the best. joints: (12, 3) metres, pixels: (12, 2), the
    truth."""
    camera, seen = _seen(body, result, number)
    up = result.camera.rotation.astype(np.float64)[1]

    def best(_: int, fit: Fit, put: Put) -> tuple[Fit, Put]:
        ways: tuple[tuple[Fit, Put], ...] = (
            _dragged(body, camera, fit, put, pixels),
            (flipped(body, seen, fit, joints), put),  # the same again where no flip helps
            (turned_round(body, fit, up), {}),
        )
        return min(ways, key=lambda way: _error(body, way[0], joints))

    return _after_each(body, result.people[number].fit, joints, best)


def corrected_by_turns(body: Body, result: PhotoResult, number: int, joints: Array, pixels: Array) -> dict[int, float]:
    """As `corrected`, but a drag and a flip by turns, whether or not they help."""
    camera, seen = _seen(body, result, number)

    def next_one(gesture: int, fit: Fit, put: Put) -> tuple[Fit, Put]:
        if gesture % 2:
            return flipped(body, seen, fit, joints), put
        return _dragged(body, camera, fit, put, pixels)

    return _after_each(body, result.people[number].fit, joints, next_one)


def _seen(body: Body, result: PhotoResult, number: int) -> tuple[PinholeCamera, Evidence]:
    """The camera at the origin, in whose frame fits are, and what was seen of the person."""
    camera = replace(result.camera, position=np.zeros(3, np.float32), rotation=np.eye(3, dtype=np.float32))
    return camera, lifted_evidence(body, result.people[number].landmarks, camera.focal_px, camera.principal_px)


def _after_each(
    body: Body, fit: Fit, joints: Array, gesture: Callable[[int, Fit, Put], tuple[Fit, Put]]
) -> dict[int, float]:
    errors, put = {0: _error(body, fit, joints)}, Put()
    for number in range(max(GESTURES)):
        fit, put = gesture(number, fit, put)
        if number + 1 in GESTURES:
            errors[number + 1] = _error(body, fit, joints)
    return errors


def turned_round(body: Body, fit: Fit, up: Array) -> Fit:
    """The fit seen from behind where it was seen from the front, in the same outline, as the window turns people round.

    up: (3,) in the camera's frame.
    """
    sight = fit.root - up * (up @ fit.root)
    pose = Pose(fit.root.astype(np.float32), fit.rotations.astype(np.float32))
    found = mirror_pose(body.skeleton(shape_of(fit)), pose, MirrorPlane.across(sight / np.linalg.norm(sight), fit.root))
    return replace(fit, root=found.root_position.astype(np.float64), rotations=found.rotations.astype(np.float64))


def _dragged(body: Body, camera: PinholeCamera, fit: Fit, before: Put, goals: Array) -> tuple[Fit, Put]:
    """The fit with one more point at its goal (12, 2), pixels; and all points that were put somewhere by now."""
    shape, pose = shape_of(fit), Pose(fit.root.astype(np.float32), fit.rotations.astype(np.float32))
    shown = marked_points(body, shape, pose, camera)
    at = dict(zip(shown.landmark.tolist(), shown.pixels, strict=True))
    goal = {mark: where for mark, where in zip(shared_landmarks(), goals, strict=True) if mark not in before}
    worst = max(goal, key=lambda mark: float(np.linalg.norm(at[mark] - goal[mark])))
    put = {**before, worst: goal[worst]}
    found = refit(body, shape, pose, camera, put)
    rotations = found.rotations.astype(np.float64)
    return replace(fit, root=found.root_position.astype(np.float64), rotations=rotations), put


def flipped(body: Body, seen: Evidence, fit: Fit, joints: Array) -> Fit:
    """The fit with one limb flipped: the worst of those that another reading brings nearer to the truth."""
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
