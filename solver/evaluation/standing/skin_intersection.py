"""How deep a body's skin intersects itself: measured on the surface, however a solver represents the body.

For each limb the part beyond its hinge (forearms and hands, shins and feet) is checked: how deep its vertices are
within the trunk with the head, and within the other limbs. The nearest vertex of such a piece of skin says on which
side of it a vertex is; but a piece is open where it was cut, and beyond the cut that means nothing. So a vertex that
seems to be inside counts only if the skin of all but its own limb goes around it, and is no deeper than that skin is
away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from solver.body.body import Body, BodyShape
from solver.body.floor import posed_vertices
from solver.body.hands import Hands, skin_with
from solver.contact.filling import normals_of
from solver.contact.intersections import is_surrounded
from solver.contact.vertices import touchable_vertices
from solver.kinematics.pose import Pose
from solver.memoise import memoised
from solver.rig.roles import LIMBS

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
FURTHEST = 0.3  # metres: anything further from a surface is not within it


@dataclass(frozen=True)
class _Part:
    """A piece of skin. vertices: those that can be met from outside. all: every vertex of it. open: (V,) whether a
    vertex is on its open edge."""

    vertices: Indices
    all: Indices
    open: NDArray[np.bool_]


def self_intersection_depth(body: Body, shape: BodyShape, pose: Pose, hands: Hands | None = None) -> float:
    """Metres that the skin of forearms, hands, shins and feet is within other parts of the body, at the deepest.

    hands: how the fingers are held.
    """
    skin = posed_vertices(body, shape, pose, rest=skin_with(body, shape, hands)).astype(np.float64)
    normals, parts = normals_of(skin, body.faces), _parts(body)
    carrier, deepest = body.weights.argmax(axis=1), 0.0
    trees = [(part, cKDTree(skin[part.vertices])) for part in parts]
    rig = body.rig(shape)
    for own, limb in zip(parts[1:], LIMBS, strict=True):
        others = body.faces[~np.isin(body.faces, own.all).any(axis=1)]
        outer = np.flatnonzero(np.isin(carrier, [rig.index(role) for role in (limb.hinge, limb.end, limb.tip)]))
        rest = [(part, tree) for part, tree in trees if part is not own]
        furthest = np.max([_depths(skin[outer], skin, normals, *one) for one in rest], axis=0)
        nearest = np.min([tree.query(skin[outer], distance_upper_bound=FURTHEST)[0] for _, tree in rest], axis=0)
        depths = np.minimum(furthest, nearest)  # a vertex just below a trunk also seems to be within an arm far off
        for i in np.argsort(-depths):
            if depths[i] <= deepest:
                break
            if is_surrounded(skin[outer[i]], skin, others):
                deepest = float(depths[i])
    return deepest


def depth_within(skin: Array, points: Indices, other: Array, body: Body) -> float:
    """Metres that the deepest of a skin's vertices `points`, (N,), is within another person's skin `other` (V, 3).

    body: the one that skin belongs to.
    """
    part = _whole(body)
    depths = _depths(skin[points], other, normals_of(other, body.faces), part, cKDTree(other[part.vertices]))
    for i in np.argsort(-depths):
        if depths[i] <= 0.0 or is_surrounded(skin[points[i]], other, body.faces):
            return float(depths[i])
    return 0.0


def _depths(points: Array, skin: Array, normals: Array, part: _Part, tree: cKDTree) -> Array:
    """(N,) metres that points (N, 3) seem to be within a part, none less than 0."""
    away, at = tree.query(points, distance_upper_bound=FURTHEST)
    near, depths = np.flatnonzero(np.isfinite(away)), np.zeros(len(points))
    vertex = part.vertices[at[near]]
    height = ((points[near] - skin[vertex]) * normals[vertex]).sum(axis=1)
    depths[near] = np.where(part.open[vertex], 0.0, np.maximum(-height, 0.0))
    return depths


@memoised()
def _parts(body: Body) -> tuple[_Part, ...]:
    """The trunk with the head, then the limbs in the order of LIMBS."""
    rig = body.rig(BodyShape())
    limbs = [frozenset(rig.index(role) for role in limb.joints) for limb in LIMBS]
    trunk = frozenset(range(len(rig))) - frozenset().union(*limbs)
    return tuple(_part(body, joints) for joints in (trunk, *limbs))


@memoised()
def _whole(body: Body) -> _Part:
    return _part(body, range(body.weights.shape[1]))


def _part(body: Body, joints: Iterable[int]) -> _Part:
    of_part = np.isin(body.weights.argmax(axis=1), sorted(joints))
    border = body.faces[of_part[body.faces].any(axis=1) & ~of_part[body.faces].all(axis=1)]
    edge = np.zeros(len(of_part), bool)
    edge[border] = True
    return _Part(np.flatnonzero(of_part & touchable_vertices(body)), np.flatnonzero(of_part), edge & of_part)
