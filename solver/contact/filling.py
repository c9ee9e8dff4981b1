"""Balls that fill a body: their choice, and their sizes in a shape.

`python -m solver.contact.filling`: chooses those of the embedded body anew and writes assets/body/ball_vertices.json.

Each is the largest ball within the skin that touches it at one vertex (a ball of its medial axis). For each part of the
body enough are chosen that the skin is nowhere further from them than the part's measure.
"""

from __future__ import annotations

import argparse
import json

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
    a, b, c = (skin[faces[:, i]] for i in range(3))
    each = np.repeat(np.cross(b - a, c - a), 3, axis=0)
    total = np.stack([np.bincount(faces.ravel(), each[:, i], len(skin)) for i in range(3)], axis=1)
    return np.asarray(total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12), np.float64)


def radii(touched: Array, normals: Array, skin: Array) -> Array:
    """(K,) metres, radii of the largest balls that touch a skin (N, 3) from within at points (K, 3) with normals."""
    to = touched[:, None] - skin
    toward = 2.0 * np.einsum("kna,ka->kn", to, normals)
    square = (to**2).sum(axis=2)
    sizes = np.where(toward > 1e-9, square / np.where(toward > 1e-9, toward, 1.0), np.inf)
    return np.asarray(sizes.min(axis=1), np.float64)


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


def fill_with_balls(body: Body, skin: Array) -> tuple[Indices, Array]:
    """(P,) the joint of each ball, and (P, 4) centre and radius, metres, within a skin (V, 3) in the T-pose.

    A ball is larger than the one that fits by as much as the skin is off its part's balls on average.
    """
    chosen, normals, parts = ball_vertices(body), normals_of(skin, body.faces), vertices_by_joint(body)
    joints = body.weights[chosen].argmax(axis=1).astype(np.int64)
    balls = np.empty((len(chosen), 4))
    for j in np.unique(joints).tolist():
        own, of_joint = skin[parts[j]], joints == j
        at, way = skin[chosen[of_joint]], normals[chosen[of_joint]]
        sizes = np.minimum(radii(at, way, own), np.ptp(own, axis=0).max() / 2.0)
        centres = at - sizes[:, None] * way
        off = (np.linalg.norm(own[:, None] - centres, axis=2) - sizes).min(axis=1)
        balls[of_joint, :3], balls[of_joint, 3] = centres, sizes + np.clip(off, 0.0, OFF).mean()
    return joints, balls


def _hands(rig: Rig) -> frozenset[int]:
    return frozenset(rig.index(role) for arm in ARMS for role in (arm.end, arm.tip))


if __name__ == "__main__":
    from solver.body.catalog import load_body
    from solver.files.atomic import write_text

    argparse.ArgumentParser(prog="python -m solver.contact.filling", description=__doc__).parse_args()
    vertices = chosen_balls(load_body(DEFAULT_BODY), SHAPES).tolist()
    write_text(FILE, json.dumps({"vertices": vertices}) + "\n")
    print(f"{len(vertices)} balls: {FILE}")
