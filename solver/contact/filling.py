"""Balls that fill a body: their choice, and their sizes in a shape.

`python -m solver.contact.filling`: chooses those of the embedded body anew and writes assets/body/ball_vertices.json.

Each is the largest ball within the skin that touches it at one vertex (a ball of its medial axis). For each part of the
body enough are chosen that the skin is nowhere further from them than the part's measure.
"""

from __future__ import annotations

import argparse
import json
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape, mean_shape
from solver.body.catalog import DEFAULT_BODY, origin_of
from solver.contact.vertices import CROWDED, contact_vertices, vertices_in
from solver.memoise import memoised
from solver.resources import resource_folder
from solver.rig.rig import Rig
from solver.rig.roles import ARMS

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
FILE = resource_folder("assets", "body") / "ball_vertices.json"
OFF, OFF_HANDS = 0.008, 0.004  # metres between the skin and the nearest ball
MOST = 45  # balls of one joint
LEAST = 0.002  # share of a part that each further ball has to serve
SHAPES, FEW_SHAPES, SPREAD = 12, 4, 2.0  # drawn within so many standard deviations
FEW = 700  # vertices of one joint that are looked at


@memoised(4, by_identity=True)
def vertices_by_joint(body: Body) -> tuple[Indices, ...]:
    """For each joint the vertices that it carries most; none that no face uses."""
    carrier = body.weights.argmax(axis=1)
    used = np.zeros(len(carrier), bool)
    used[body.faces] = True
    parts = []
    for j in range(body.weights.shape[1]):
        own = np.flatnonzero(used & (carrier == j))
        if len(own) > CROWDED:  # those that stick out are enough
            own = np.intersect1d(own, contact_vertices(body))
        parts.append(own[np.linspace(0, len(own) - 1, min(FEW, len(own))).astype(np.int64)])
    return tuple(parts)


def normals_of(skin: Array, faces: NDArray[np.integer]) -> Array:
    """(V, 3) unit normals of the skin's vertices (V, 3), outwards."""
    # axis by axis: half the time that rows of three take
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = (along[faces.T] for along in np.ascontiguousarray(skin.T))
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    total = np.zeros((3, len(skin)))
    for axis, each in enumerate((uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)):
        for corner in faces.T:
            total[axis] += np.bincount(corner, each, len(skin))
    return np.asarray((total / np.maximum(np.sqrt((total**2).sum(axis=0)), 1e-12)).T, np.float64, order="C")


def radii(touched: Array, normals: Array, skin: Array) -> Array:
    """(K,) metres, radii of the largest balls that touch a skin (N, 3) from within at points (K, 3) with normals."""
    toward = 2.0 * np.einsum("kna,ka->kn", touched[:, None] - skin, normals)
    square, inwards = squares_between(touched, skin), toward > 1e-9
    sizes = np.divide(square, toward, out=np.full_like(square, np.inf), where=inwards)
    return np.asarray(sizes.min(axis=1), np.float64)


def squares_between(points: Array, others: Array) -> Array:
    """(K, L) square metres, of the distances from points (K, 3) to others (L, 3)."""
    square = np.subtract.outer(points[:, 0], others[:, 0]) ** 2
    for axis in (1, 2):
        square += np.subtract.outer(points[:, axis], others[:, axis]) ** 2
    return np.asarray(square, np.float64)


def chosen_balls(body: Body, shapes: int = FEW_SHAPES) -> Indices:
    """(P,) vertices at which balls touch the skin, in the order of their joints: enough in each of `shapes` shapes."""
    rng, genders = np.random.default_rng(0), body.genders
    drawn = [
        BodyShape(rng.uniform(-SPREAD, SPREAD, SHAPE_COMPONENTS).astype(np.float32), genders[i % len(genders)])
        for i in range(1, shapes)
    ]
    skins = [body.vertices(shape).astype(np.float64) for shape in (mean_shape(body), *drawn)]
    normals, hands = [normals_of(skin, body.faces) for skin in skins], _hands(body.rig(mean_shape(body)))
    chosen: list[int] = []
    for j, own in enumerate(vertices_by_joint(body)):
        measure = OFF_HANDS if j in hands else OFF
        each = [_covered(skin[own], normal[own], measure) for skin, normal in zip(skins, normals, strict=True)]
        covers = np.concatenate(each, axis=1)
        left = np.ones(covers.shape[1], bool)
        for _ in range(MOST if len(own) else 0):
            gain = covers[:, left].sum(axis=1)
            best = int(gain.argmax())
            if gain[best] < LEAST * covers.shape[1]:
                break
            left &= ~covers[best]
            chosen.append(int(own[best]))
    return np.array(chosen, np.int64)


def _covered(points: Array, normals: Array, measure: float) -> NDArray[np.bool_]:
    """(N, N): whether the ball that touches at one of N points leaves another no further off than `measure`."""
    if not len(points):
        return np.zeros((0, 0), bool)
    sizes = np.minimum(radii(points, normals, points), 1.0)
    away = np.linalg.norm(points - (points - sizes[:, None] * normals)[:, None], axis=2) - sizes[:, None]
    return np.asarray(np.abs(away) < measure)


@memoised()
def ball_vertices(body: Body) -> Indices:
    """(P,) vertices at which a body's balls touch its skin, in the order of their joints.

    Raises InputRefused if the embedded body's file cannot be read.
    """
    if origin_of(body.id) != DEFAULT_BODY:
        return chosen_balls(body)
    return vertices_in(FILE, body, "what fills the body", "solver.contact.filling")


class Filling(NamedTuple):
    """joints: (P,) the joint of each ball. balls: (P, 4) centre and radius, metres, within a skin (V, 3)."""

    joints: Indices
    balls: Array
    skin: Array


def fill_with_balls(body: Body, skin: Array, beside: Filling | None = None) -> Filling:
    """The balls within a skin (V, 3) in the T-pose. beside: those within another one; they stay at joints of which the
    skin is the same.

    A ball is larger than the one that fits by as much as the skin is off its part's balls on average.
    """
    chosen, parts = ball_vertices(body), vertices_by_joint(body)
    joints = body.weights[chosen].argmax(axis=1).astype(np.int64)
    balls = np.empty((len(chosen), 4)) if beside is None else beside.balls.copy()
    filled = np.unique(joints).tolist()
    if beside is not None:
        filled = _otherwise(body, skin, beside, joints)
    at_balls = np.zeros(len(skin), bool)
    at_balls[chosen[np.isin(joints, filled)]] = True
    normals = normals_of(skin, body.faces[at_balls[body.faces].any(axis=1)])
    for j in filled:
        own, of_joint = skin[parts[j]], joints == j
        at, way = skin[chosen[of_joint]], normals[chosen[of_joint]]
        sizes = np.minimum(radii(at, way, own), np.ptp(own, axis=0).max() / 2.0)
        centres = at - sizes[:, None] * way
        off = (np.sqrt(squares_between(own, centres)) - sizes).min(axis=1)
        balls[of_joint, :3], balls[of_joint, 3] = centres, sizes + np.clip(off, 0.0, OFF).mean()
    return Filling(joints, balls, skin)


def _otherwise(body: Body, skin: Array, beside: Filling, joints: Indices) -> list[int]:
    """The joints whose balls in a skin (V, 3) are others than in the one beside. joints: (P,) those of the balls."""
    chosen, parts = ball_vertices(body), vertices_by_joint(body)
    moved = np.any(skin != beside.skin, axis=1)
    turned = np.zeros(len(skin), bool)  # those whose normals are
    turned[body.faces[moved[body.faces].any(axis=1)]] = True
    return [j for j in np.unique(joints).tolist() if moved[parts[j]].any() or turned[chosen[joints == j]].any()]


def _hands(rig: Rig) -> frozenset[int]:
    return frozenset(rig.index(role) for arm in ARMS for role in (arm.end, arm.tip))


if __name__ == "__main__":
    from solver.body.catalog import load_body
    from solver.files.atomic import write_text

    argparse.ArgumentParser(prog="python -m solver.contact.filling", description=__doc__).parse_args()
    vertices = chosen_balls(load_body(DEFAULT_BODY), SHAPES).tolist()
    write_text(FILE, json.dumps({"vertices": vertices}) + "\n")
    print(f"{len(vertices)} balls: {FILE}")
