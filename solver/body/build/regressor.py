"""The joint regressor: joints as weighted sums of vertices, fitted over people of many shapes.

The rows are smooth (ridge) and signed. Non-negative rows leave 6 to 8 mm at hips and knees: there the rig's joint moves
relative to the skin around it as people grow taller or heavier, which no mean of vertices follows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.body.whole_rig import SMPLX_JOINTS, whole_tree
from solver.rig.roles import ARMS, LEGS, TRUNK, Role

Array = NDArray[np.float64]

_TORSO = {*TRUNK, *(leg.root for leg in LEGS), Role.NECK, *(arm.girdle for arm in ARMS if arm.girdle)}
_MOST_CANDIDATES = 1200
_RIDGE = 0.03  # square metres: keeps every weight below 0.05, so that noise in a vertex does not reach the joint


def source_of(joint: str) -> int:
    """Which of the people's 55 joints this one is; SMPL's hands are the middle knuckles."""
    return SMPLX_JOINTS.index(joint.replace("_hand", "_middle1"))


def fit_regressor(vertices: Array, joints: Array, weights: Array, names: Sequence[str]) -> Array:
    """(J, V) rows that sum to 1, one for each name, from people in T-pose; exact for person 0, the mean one.

    vertices: (N, V, 3) and joints: (N, 55, 3) metres. weights: (V, W), of the first W joints of the whole tree, to
    which the names belong.
    """
    regressor = np.zeros((len(names), vertices.shape[1]))
    for row, name in zip(regressor, names, strict=True):
        source = source_of(name)
        columns = _candidates(name, vertices[0], joints[0, source], weights)
        relative = (vertices[:, columns] - joints[:, None, source]).transpose(0, 2, 1)  # N, 3, candidates
        system = relative[1:].reshape(-1, len(columns))
        quadratic = system.T @ system + _RIDGE * np.eye(len(columns))
        # The mean person's joint (a T-pose to the last digit) and the sum of the row are constraints.
        constraints = np.concatenate([relative[0], np.ones((1, len(columns)))])
        solved = np.linalg.solve(quadratic, constraints.T)
        row[columns] = solved @ np.linalg.solve(constraints @ solved, [0.0, 0.0, 0.0, 1.0])
    return regressor


def regressor_errors(regressor: Array, vertices: Array, joints: Array, names: Sequence[str]) -> Array:
    """(J,) metres, mean distance of regressed and true joints over people."""
    regressed = np.einsum("jv,nvk->njk", regressor, vertices)
    return np.linalg.norm(regressed - joints[:, [source_of(name) for name in names]], axis=-1).mean(axis=0)


def _candidates(name: str, mean: Array, place: Array, weights: Array) -> NDArray[np.intp]:
    """Vertices that surround the joint: those that it or its neighbours move; in the torso a whole slice of it.

    Rings well above and below matter too: from them any share of a limb's growth can be mixed.
    """
    names, parents = whole_tree()
    names, parents = names[: weights.shape[1]], parents[: weights.shape[1]]
    joint = names.index(name)
    parent = max(parents[joint], 0)
    family = {joint, parent, max(parents[parent], 0)}
    family |= {c for c, p in enumerate(parents) if p in (joint, parent)}
    near = weights[:, sorted(family)].sum(axis=1) > 0.02
    if name in _TORSO:
        torso = weights[:, [names.index(other) for other in _TORSO]].sum(axis=1) > 0.5
        near |= torso & (np.abs(mean[:, 1] - place[1]) < 0.25)
    indices = np.flatnonzero(near)
    distance = np.linalg.norm(mean[indices] - place, axis=1)
    nearest = indices[np.argsort(distance)]
    # The nearest third as it is, the rest thinned.
    head, tail = nearest[: _MOST_CANDIDATES // 3], nearest[_MOST_CANDIDATES // 3 :]
    step = max(1, -(-len(tail) // (_MOST_CANDIDATES - len(head))))
    return np.concatenate([head, tail[::step]])
