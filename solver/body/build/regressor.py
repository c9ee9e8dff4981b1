"""The joint regressor: joints as weighted sums of vertices, fitted over people of many shapes.

The rows are smooth (ridge) and signed. Non-negative rows leave 6 to 8 mm at hips and knees: there the rig's joint moves
against the skin around it as people grow taller or heavier, which no mean of vertices follows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.body.joints52 import JOINTS_24_OF_52
from solver.kinematics.skeleton import BODY_PARTS, SMPL_JOINTS, SMPL_PARENTS

Array = NDArray[np.float64]

_TORSO = {*BODY_PARTS["torso"], "left_hip", "right_hip", "neck", "left_collar", "right_collar"}
_MOST_CANDIDATES = 1200
_RIDGE = 0.03  # square metres: keeps every weight below 0.05, so that noise in a vertex does not reach the joint


def fit_regressor(vertices: Array, joints: Array, weights: Array) -> Array:
    """(24, V) rows that sum to 1, from people in T-pose; exact for person 0, the mean one.

    vertices: (N, V, 3) and joints: (N, 52, 3) metres. weights: (V, 24).
    """
    regressor = np.zeros((24, vertices.shape[1]))
    for j, source in enumerate(JOINTS_24_OF_52):
        columns = _candidates(j, vertices[0], joints[0, source], weights)
        relative = (vertices[:, columns] - joints[:, None, source]).transpose(0, 2, 1)  # N, 3, candidates
        system = relative[1:].reshape(-1, len(columns))
        quadratic = system.T @ system + _RIDGE * np.eye(len(columns))
        # The mean person's joint (a T-pose to the last digit) and the sum of the row are constraints.
        constraints = np.concatenate([relative[0], np.ones((1, len(columns)))])
        solved = np.linalg.solve(quadratic, constraints.T)
        regressor[j, columns] = solved @ np.linalg.solve(constraints @ solved, [0.0, 0.0, 0.0, 1.0])
    return regressor


def regressor_errors(regressor: Array, vertices: Array, joints: Array) -> Array:
    """(24,) metres, mean distance of regressed and true joints over people."""
    regressed = np.einsum("jv,nvk->njk", regressor, vertices)
    return np.linalg.norm(regressed - joints[:, list(JOINTS_24_OF_52)], axis=-1).mean(axis=0)


def _candidates(joint: int, mean: Array, place: Array, weights: Array) -> NDArray[np.intp]:
    """Vertices that surround the joint: those it or its neighbours move; around the torso a whole slice of it.

    Rings well above and below matter too: between them any share of a limb's growth can be mixed.
    """
    parent = max(SMPL_PARENTS[joint], 0)
    family = {joint, parent, max(SMPL_PARENTS[parent], 0)}
    family |= {c for c, p in enumerate(SMPL_PARENTS) if p in (joint, parent)}
    near = weights[:, sorted(family)].sum(axis=1) > 0.02
    if SMPL_JOINTS[joint] in _TORSO:
        torso = weights[:, [SMPL_JOINTS.index(name) for name in _TORSO]].sum(axis=1) > 0.5
        near |= torso & (np.abs(mean[:, 1] - place[1]) < 0.25)
    indices = np.flatnonzero(near)
    distance = np.linalg.norm(mean[indices] - place, axis=1)
    nearest = indices[np.argsort(distance)]
    # The nearest third as it is, the rest thinned.
    head, tail = nearest[: _MOST_CANDIDATES // 3], nearest[_MOST_CANDIDATES // 3 :]
    step = max(1, -(-len(tail) // (_MOST_CANDIDATES - len(head))))
    return np.concatenate([head, tail[::step]])
