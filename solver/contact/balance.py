"""Balance of a posed body: its centre of mass, its support, and how far the first is within the second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.hands import Hands
from solver.contact.floor_points import floor_points
from solver.kinematics.fk import WorldJoints
from solver.memoise import memoised

Array = NDArray[np.float64]
TOUCHES = 0.01  # metres above the floor below which skin bears on it
STEP = 0.012  # metres between the samples of a body's volume
AROUND = 6  # vertices around a sample that say which joints carry it


@dataclass(frozen=True, eq=False)
class Balance:
    """centre: (3,) metres, the centre of mass in the world. support: (K, 2) x and z, the corners of the support polygon
    in order; fewer than three where points or a line bear the body, none where it is in the air.

    margin: metres from the centre's ground projection to the polygon's edge, positive inside; None in the air.
    """

    centre: Array
    support: Array
    margin: float | None

    @property
    def is_balanced(self) -> bool:
        """Whether the centre of mass is over the support."""
        return self.margin is not None and self.margin >= 0.0


@dataclass(frozen=True, eq=False)
class MassShares:
    """Of one body and shape. shares: (J,) of the mass by joint, sum 1. moments: (J, 3) metres, where that is in the
    joint's frame, times the share."""

    shares: Array
    moments: Array

    def centre(self, world: WorldJoints) -> Array:
        """(3,) metres, the centre of mass of the body in that pose."""
        turned = np.einsum("jab,jb->a", world.rotations, self.moments)
        return np.asarray(turned + self.shares @ world.positions, np.float64)


def balance(body: Body, shape: BodyShape, world: WorldJoints, hands: Hands | None = None) -> Balance:
    """The balance of a body on the floor y = 0. hands: how its fingers are held, as they may touch the floor.

    Raises InputRefused if the embedded body's file of contact vertices cannot be read.
    """
    centre = mass_shares(body, shape).centre(world)
    points = floor_points(body, shape, hands).places(world)
    support = convex_hull(points[points[:, 1] < TOUCHES][:, [0, 2]])
    return Balance(centre, support, margin_of(centre[[0, 2]], support))


def mass_shares(body: Body, shape: BodyShape) -> MassShares:
    """What each joint carries of a body's mass, with flesh of one density; the same object for equal shapes."""
    return _shares(body, shape.betas.tobytes(), shape.gender)


@memoised(16)
def _shares(body: Body, betas: bytes, gender: str) -> MassShares:
    from scipy.spatial import cKDTree  # a quarter of a second, which a solver that needs no balance is spared

    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    skin = body.vertices(shape).astype(np.float64)
    samples, volumes = volume_samples(skin, body.faces)
    away, near = cKDTree(skin).query(samples, AROUND)
    closeness = 1.0 / np.maximum(away, 1e-4) ** 2
    closeness *= (volumes / volumes.sum() / closeness.sum(axis=1))[:, None]
    # gathered at the vertices first, so that their weights are read once, not for each sample
    mass = np.bincount(near.ravel(), closeness.ravel(), len(skin))
    at = [np.bincount(near.ravel(), (closeness * samples[:, i, None]).ravel(), len(skin)) for i in range(3)]
    weights = body.weights.astype(np.float64)
    shares, moments = weights.T @ mass, weights.T @ np.stack(at, axis=1)
    joints = body.skeleton(shape).rest_positions.astype(np.float64)
    return MassShares(shares, moments - shares[:, None] * joints)


def volume_samples(vertices: Array, faces: NDArray[np.integer]) -> tuple[Array, Array]:
    """(N, 3) points inside a closed surface and (N,) the cubic metres that each stands for.

    Rays along Z, STEP metres apart, tell where they enter and leave; a ray that passes through a hole is left out.
    vertices: (V, 3) metres. faces: (F, 3), counter-clockwise from outside.
    """
    # not on the vertices of a symmetric mesh: a ray through an edge would count it twice
    low = vertices[:, :2].min(axis=0) - np.array([0.5317, 0.4731]) * STEP
    corners = (vertices[:, :2] - low)[faces] / STEP  # (F, 3, 2), in rays
    first = np.ceil(corners.min(axis=1)).astype(np.int64)
    size = np.maximum(np.floor(corners.max(axis=1)).astype(np.int64) - first + 1, 0)
    counts = size[:, 0] * size[:, 1]
    face = np.repeat(np.arange(len(faces)), counts)
    k = np.arange(len(face)) - np.repeat(np.cumsum(counts) - counts, counts)
    ray = first[face] + np.stack([k % size[face, 0], k // size[face, 0]], axis=1)
    a, b, c = (corners[face, i] for i in range(3))
    area = _cross(b - a, c - a)
    with np.errstate(divide="ignore", invalid="ignore"):
        u, v = _cross(c - b, ray - b) / area, _cross(a - c, ray - c) / area
    hit = (area != 0.0) & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
    face, ray, u, v = face[hit], ray[hit], u[hit], v[hit]
    z = vertices[faces, 2][face]
    depth = u * z[:, 0] + v * z[:, 1] + (1.0 - u - v) * z[:, 2]
    enters = np.where(area[hit] < 0.0, 1, -1)  # a face that looks to -Z is where a ray along +Z comes in
    column = ray[:, 0] * (int(ray[:, 1].max()) + 1) + ray[:, 1]
    order = np.lexsort((depth, column))
    column, ray, depth, enters = column[order], ray[order], depth[order], enters[order]
    _, which = np.unique(column, return_inverse=True)
    begins = np.searchsorted(which, np.arange(which.max() + 1))
    within = np.cumsum(enters)
    within -= (within - enters)[begins][which]
    whole = np.bincount(which, enters) == 0
    inside = np.flatnonzero((within[:-1] > 0) & (which[:-1] == which[1:]) & whole[which[:-1]])
    length = depth[inside + 1] - depth[inside]
    pieces = np.maximum(np.ceil(length / STEP).astype(np.int64), 1)
    of = np.repeat(np.arange(len(inside)), pieces)
    nth = np.arange(len(of)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    along = depth[inside][of] + (nth + 0.5) / pieces[of] * length[of]
    places = np.concatenate([low + ray[inside][of] * STEP, along[:, None]], axis=1)
    return places, length[of] / pieces[of] * STEP**2


def convex_hull(points: Array) -> Array:
    """(K, 2) corners of what (N, 2) points span, in order; one or two if they are one point or on one line."""
    ordered: list[tuple[float, float]] = sorted({(x, y) for x, y in points.tolist()})
    if len(ordered) < 3:
        return np.array(ordered, np.float64).reshape(-1, 2)
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1], np.float64)


def _chain(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for x, y in points:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-12:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def margin_of(point: Array, corners: Array) -> float | None:
    """Metres from a point (2,) to the edge of a convex polygon (K, 2), positive inside; None if it has no corner."""
    if not len(corners):
        return None
    away = float(np.linalg.norm(_to_the_edge(point, corners)))
    return away if _is_inside(point, corners) else -away


def nearest_within(point: Array, corners: Array) -> Array:
    """(2,) metres, the point of a convex polygon (K, 2), K > 0, that is nearest to a point (2,): itself if inside."""
    return point if _is_inside(point, corners) else point + _to_the_edge(point, corners)


def _to_the_edge(point: Array, corners: Array) -> Array:
    along = np.roll(corners, -1, axis=0) - corners
    to = point - corners
    share = np.clip((to * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-18), 0.0, 1.0)
    away = share[:, None] * along - to
    return np.asarray(away[np.linalg.norm(away, axis=1).argmin()])


def _is_inside(point: Array, corners: Array) -> bool:
    along = np.roll(corners, -1, axis=0) - corners
    return len(corners) > 2 and bool((_cross(along, point - corners) >= 0.0).all())


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
