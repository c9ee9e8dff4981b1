"""SMPL-SI: a body's shape from six lengths of a skeleton, by a kernel density estimator.

Voleti et al., SMPL-IK (SIGGRAPH Asia 2022), section 4, equation (3), with our body in SMPL's place.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, Body
from solver.body.bone_lengths import rest_places
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.memoise import memoised

Array = NDArray[np.float64]
SAMPLES = 20_000
SCALES = (0.2, 2.0)
WIDTH = 0.02  # metres, of the Gaussian kernel
PAIRS = (
    ("right_hip", "right_knee"), ("right_knee", "right_ankle"), ("head", "right_ankle"), ("head", "right_wrist"),
    ("right_shoulder", "right_elbow"), ("right_elbow", "right_wrist"),
)  # fmt: skip
_FROM, _TO = (np.array([SMPL_JOINTS.index(pair[end]) for pair in PAIRS]) for end in (0, 1))
_SEED = 20_22


def six_lengths(places: ArrayLike) -> Array:
    """(..., 6) metres: the lengths of `PAIRS` in a T-pose whose joints are at places (..., 24, 3)."""
    joints = np.asarray(places, dtype=np.float64)
    return np.linalg.norm(joints[..., _TO, :] - joints[..., _FROM, :], axis=-1)


def smpl_si(lengths: ArrayLike, body: Body, gender: str = "neutral") -> tuple[Array, Array]:
    """Betas (..., 10) and scale (...) of equation (3) for six lengths (..., 6), metres, of a skeleton in T-pose.

    Always between the samples: a skeleton unlike all of them gets the shape of the nearest.
    """
    wanted = np.asarray(lengths, dtype=np.float64)
    shapes, features = _samples(cast(Hashable, body), gender)
    rows = wanted.reshape(-1, len(PAIRS))
    found = np.stack([_mean(row, shapes, features) for row in rows]).reshape(*wanted.shape[:-1], SHAPE_COMPONENTS + 1)
    return found[..., :SHAPE_COMPONENTS], found[..., SHAPE_COMPONENTS]


def _mean(row: Array, shapes: Array, features: Array) -> Array:
    exponent = -0.5 * (((features - row) / WIDTH) ** 2).sum(axis=1)
    weights = np.exp(exponent - exponent.max())  # relative to the largest, as otherwise all of them underflow to 0
    return weights @ shapes / weights.sum()


@memoised(4)
def _samples(body: Body, gender: str) -> tuple[Array, Array]:
    """(N, 11) betas and scale, drawn uniformly from all that a body can have, and (N, 6) lengths of `PAIRS`."""
    random = np.random.default_rng(_SEED)
    betas = random.uniform(-SHAPE_LIMIT, SHAPE_LIMIT, (SAMPLES, SHAPE_COMPONENTS))
    scales = random.uniform(*SCALES, SAMPLES)
    features = scales[:, None] * six_lengths(rest_places(body, gender).of(betas))
    return np.column_stack([betas, scales]), features
