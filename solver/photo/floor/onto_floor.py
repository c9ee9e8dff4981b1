"""Sets one person onto a given floor without moving them in the picture: along the line of sight, growing or shrinking.

A person who is moved along the line of sight and grows with the distance looks the same in the picture. People's
heights differ by a few per cent, and so may their distance; a person who would have to be a giant or a dwarf does not
stand on that floor. Bodies do not grow evenly, nor do limbs that point at the camera; turns of a degree or two make up
for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, Body
from solver.body.floor import posed_vertices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import shape_of
from solver.photo.fit.least_squares import Fit, Weights, posed_joints

Array = NDArray[np.float64]
J = len(SMPL_JOINTS)

STATURE = 0  # the component of the betas that changes most how tall a body is
TALLEST = 3.0  # standard deviations of betas that people who are set onto a floor keep within
MOVED = 0.006  # share of the extent by which the body's points may move in the picture, in the median
_WORSE = 0.004  # share of the extent by which they may be further from their landmarks than before, in the median
_KEPT = 0.005  # share of the extent, the spread of where the body's points stay in the picture
_TURNED = 0.03  # radians, the spread of the joints' turns that make up for growing
_STEPS = 12
_EXACT = 1e-4  # metres over the floor that count as none


def _carried() -> NDArray[np.bool_]:
    """(24, 24) whether a joint turns along with another one, or is that joint itself."""
    carried = np.eye(J, dtype=bool)
    for j, parent in enumerate(SMPL_PARENTS):
        if parent >= 0:
            carried[j] |= carried[parent]
    return carried


_CARRIED = _carried()


@dataclass(frozen=True, eq=False)
class _View:
    """The body's points for one fit. on_picture: (P, 2) about the principal point. moves: (P, 2, 85) by root, betas and
    turns.

    in_front: whether the camera can see them all. contact: metres of the lowest point of the skin over the floor.
    """

    on_picture: Array
    moves: Array
    in_front: bool
    contact: float


def set_onto_floor(body: Body, seen: Evidence, fit: Fit, skin: Array, up: Array, floor: float) -> Fit | None:
    """The fit with its lowest point on the floor, or None where the picture does not allow it.

    skin: its `skin_vertices`. up: (3,) unit, the floor's normal in the camera's frame. floor: its height over the
    camera along that, metres.
    """
    over = skin @ up
    first = _look(body, seen, fit, float(over.min()) - floor)
    if not first.in_front:
        return None
    lifts = np.concatenate([up, _lifts_by_betas(body, fit, up, over), np.zeros(3 * J)])  # the next step mends turns
    pixel = _KEPT * seen.size_px  # for hidden points too: they should stay where the fit shows them
    spread = np.repeat([Weights().shape, _TURNED], [SHAPE_COMPONENTS, 3 * J])
    nature = np.eye(len(spread), len(lifts), 3) / spread[:, None]
    changed = np.zeros(len(spread))
    most = np.maximum(TALLEST, np.abs(fit.betas))
    here, view = fit, first
    for _ in range(_STEPS):
        rows = np.concatenate([view.moves.reshape(-1, len(lifts)) / pixel, nature])
        off = np.append((view.on_picture - first.on_picture).ravel() / pixel, changed / spread)
        step = _constrained(rows, -off, lifts, -view.contact)
        changed += step[3:]
        betas = fit.betas + changed[:SHAPE_COMPONENTS]
        turned = _turned(body, here, step[3 + SHAPE_COMPONENTS :].reshape(J, 3))
        here = replace(here, root=here.root + step[:3], betas=betas, rotations=turned)
        if not (np.abs(here.betas) < np.minimum(most + 1.0, SHAPE_LIMIT)).all():
            return None
        view = _look(body, seen, here, float((skin_vertices(body, here) @ up).min()) - floor)
        if not view.in_front:
            return None
        if abs(view.contact) < _EXACT and np.abs(step).max() < 1e-3:
            break
    if abs(view.contact) > 10 * _EXACT or (np.abs(here.betas) > most).any():
        return None
    moved = _middle(view.on_picture - first.on_picture) / seen.size_px
    worse = (_middle(view.on_picture - seen.pixels) - _middle(first.on_picture - seen.pixels)) / seen.size_px
    return here if moved <= MOVED and worse <= _WORSE else None


def statures(body: Body, fit: Fit, lowest: float, floors: Array) -> Array:
    """(N,) about how tall, as the `STATURE` component of the betas, a person must be to stand on floors (N,).

    lowest: how high over the camera their lowest point is, metres, as floors are.
    """
    other, sign = _grown(fit, STATURE)
    tall, taller = (float(np.ptp(body.vertices(shape_of(f))[:, 1])) for f in (fit, other))
    share = np.maximum(floors / lowest if abs(lowest) > 0.01 else np.full(len(floors), np.inf), 1e-3)
    needed = np.where(np.abs(floors - lowest) < 1e-3, 0.0, np.log(share) / (sign * np.log(taller / tall)))
    return np.asarray(needed + fit.betas[STATURE])


def skin_vertices(body: Body, fit: Fit, only: int | None = None) -> Array:
    """(V, 3) metres in the camera's frame; only: one vertex by its number."""
    pose = Pose(fit.root.astype(np.float32), fit.rotations.astype(np.float32))
    chosen = None if only is None else np.array([only], np.int32)
    return np.asarray(posed_vertices(body, shape_of(fit), pose, chosen), dtype=np.float64)


def _look(body: Body, seen: Evidence, fit: Fit, contact: float) -> _View:
    places, turns = posed_joints(body, fit)
    points = seen.points.places(places, turns)
    by_betas = []
    for k in range(SHAPE_COMPONENTS):
        other, sign = _grown(fit, k)
        by_betas.append(sign * (seen.points.places(*posed_joints(body, other)) - points))
    by_root = np.broadcast_to(np.eye(3), (len(points), 3, 3))
    by_turns = (
        np.cross(np.eye(3), (points[:, None] - places)[:, :, None]) * _CARRIED[seen.points.carrier][..., None, None]
    )
    by_turns = by_turns.reshape(len(points), 3 * J, 3).swapaxes(1, 2)
    by_unknown = np.concatenate([by_root, np.stack(by_betas, axis=-1), by_turns], axis=2)
    depth = np.maximum(-points[:, 2], 1e-3)
    on_picture = seen.focal_px * points[:, :2] / depth[:, None]
    moves = seen.focal_px * by_unknown[:, :2] + on_picture[..., None] * by_unknown[:, 2:]
    return _View(on_picture, moves / depth[:, None, None], bool(points[:, 2].max() < -0.1), contact)


def _turned(body: Body, fit: Fit, by: Array) -> Array:
    """(24, 3, 3) local rotations, each joint turned by a small rotation vector (24, 3) of the camera's frame."""
    _, world = posed_joints(body, fit)
    local = fit.rotations.copy()
    for j, parent in enumerate(SMPL_PARENTS):
        about = by[j] if parent < 0 else world[parent].T @ by[j]
        local[j] = from_rotation_vector(about) @ local[j]
    return local


def _lifts_by_betas(body: Body, fit: Fit, up: Array, over: Array) -> Array:
    """(10,) metres by which the lowest point moves up with each of the betas. over: (V,) how high the skin is."""
    lowest = int(over.argmin())
    grown = (_grown(fit, k) for k in range(SHAPE_COMPONENTS))
    return np.array([sign * ((skin_vertices(body, other, lowest) @ up)[0] - over[lowest]) for other, sign in grown])


def _grown(fit: Fit, component: int) -> tuple[Fit, float]:
    """The fit with one of the betas a standard deviation nearer the mean, where it is valid; and the sign."""
    betas, sign = fit.betas.copy(), -1.0 if fit.betas[component] > 0 else 1.0
    betas[component] += sign
    return replace(fit, betas=betas), sign


def _middle(apart: Array) -> float:
    return float(np.median(np.linalg.norm(apart, axis=1)))


def _constrained(rows: Array, wanted: Array, line: Array, value: float) -> Array:
    """The least-squares solution of rows @ x = wanted with line @ x = value held exactly."""
    n = rows.shape[1]
    system = np.zeros((n + 1, n + 1))
    system[:n, :n], system[:n, n], system[n, :n] = rows.T @ rows, line, line
    return np.asarray(np.linalg.solve(system, np.append(rows.T @ wanted, value))[:n], dtype=np.float64)
