"""How deep a body's skin is within itself: measured on the surface, whatever a solver takes the body for.

Of each limb the part beyond its hinge (forearms and hands, shins and feet) is looked at: how deep its vertices are
within the trunk with the head, and within the other limbs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from solver.body.body import Body, BodyShape
from solver.body.floor import posed_vertices
from solver.contact.filling import CROWDED, normals_of
from solver.contact.vertices import contact_vertices
from solver.kinematics.pose import Pose
from solver.made_once import made_once
from solver.rig.roles import LIMBS

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
FURTHEST = 0.3  # metres: what is further from a surface is not within it


@dataclass(frozen=True)
class _Part:
    """A piece of skin. vertices: what of it is met from outside. open: (V,) whether a vertex is on its open edge."""

    vertices: Indices
    open: NDArray[np.bool_]


def skin_depth(body: Body, shape: BodyShape, pose: Pose) -> float:
    """Metres that the skin of forearms, hands, shins and feet is within other parts of the body, at the deepest."""
    skin = posed_vertices(body, shape, pose).astype(np.float64)
    normals, parts = normals_of(skin, body.faces), _parts(body)
    carrier, deepest = body.weights.argmax(axis=1), 0.0
    trees = [(part, cKDTree(skin[part.vertices])) for part in parts]
    rig = body.rig(shape)
    for own, limb in zip(parts[1:], LIMBS, strict=True):
        outer = np.flatnonzero(np.isin(carrier, [rig.index(role) for role in (limb.hinge, limb.end, limb.tip)]))
        for part, tree in trees:
            if part is not own:
                deepest = max(deepest, _depth(skin[outer], skin, normals, part, tree))
    return deepest


def _depth(points: Array, skin: Array, normals: Array, part: _Part, tree: cKDTree) -> float:
    away, at = tree.query(points, distance_upper_bound=FURTHEST)
    near = np.isfinite(away)
    vertex = part.vertices[at[near]]
    height = ((points[near] - skin[vertex]) * normals[vertex]).sum(axis=1)
    return float(max(0.0, -height[~part.open[vertex]].min(initial=0.0)))


@made_once()
def _parts(body: Body) -> tuple[_Part, ...]:
    """The trunk with the head, then the limbs in the order of LIMBS."""
    rig = body.rig(BodyShape())
    limbs = [frozenset(rig.index(role) for role in limb.joints) for limb in LIMBS]
    trunk = frozenset(range(len(rig))) - frozenset().union(*limbs)
    return tuple(_part(body, joints) for joints in (trunk, *limbs))


def _part(body: Body, joints: Iterable[int]) -> _Part:
    of_part = np.isin(body.weights.argmax(axis=1), sorted(joints))
    vertices = []
    for j in joints:
        own = np.intersect1d(np.flatnonzero(body.weights.argmax(axis=1) == j), np.unique(body.faces))
        vertices.append(np.intersect1d(own, contact_vertices(body)) if len(own) > CROWDED else own)
    border = body.faces[of_part[body.faces].any(axis=1) & ~of_part[body.faces].all(axis=1)]
    edge = np.zeros(len(of_part), bool)
    edge[border] = True
    return _Part(np.concatenate(vertices), edge & of_part)
