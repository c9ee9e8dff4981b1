"""A body's skin and joints at rest, how shape changes them, and how both follow when bones change their size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS

Array = NDArray[np.floating]


class RestBody(NamedTuple):
    """Of one gender, metres, in the T-pose: skin (V, 3), joints (24, 3), rigid (R, 3) of the rigid joints.

    skin_per_beta (V, 3, 10), joints_per_beta (24, 3, 10) and rigid_per_beta (R, 3, 10): what one standard deviation
    adds.
    """

    skin: Array
    skin_per_beta: Array
    joints: Array
    joints_per_beta: Array
    rigid: Array
    rigid_per_beta: Array


class Skin(NamedTuple):
    """What all variants have in common: weights (V, 24), faces (F, 3), names of the rigid joints, and (R,) which of the
    24 joints carries each."""

    weights: Array
    faces: NDArray[np.integer]
    rigid: tuple[str, ...]
    carriers: NDArray[np.integer]


class Bones(NamedTuple):
    """Sizes of bones: scales (24, 3), the factors by which what each joint carries grows, along the world's axes.

    In a T-pose limbs lie along axes, so that a bone can grow in length and in girth.
    """

    scales: Array
    on: Skin

    def places(self, joints: Array) -> Array:
        """(24, 3, ...): where the joints end up, or what a way becomes; the pelvis stays."""
        placed = np.array(joints, np.float64)
        for j, p in enumerate(SMPL_PARENTS):
            if p >= 0:
                placed[j] = placed[p] + _times(self.scales[p], joints[j] - joints[p])
        return placed

    def skin(self, skin: Array, joints: Array, placed: Array) -> Array:
        """(V, 3, ...): the skin, or ways of it, about joints that go from `joints` to `placed`, blended by weights."""
        moved = placed - _times(self.scales, joints)
        blended = np.tensordot(self.on.weights, moved, axes=(1, 0))
        return np.asarray(_times(self.on.weights @ self.scales, skin) + blended)

    def rigid(self, rigid: Array, joints: Array, placed: Array) -> Array:
        """(R, 3, ...): the rigid joints, or ways of them, each as the joint that carries it."""
        above = self.on.carriers
        return np.asarray(placed[above] + _times(self.scales[above], rigid - joints[above]))

    def rest(self, rest: RestBody, placed: Array | None = None) -> RestBody:
        """The rest of such bones; placed: (24, 3) where its joints are, if they are known."""
        joints = self.places(rest.joints) if placed is None else placed
        ways = self.places(rest.joints_per_beta)
        return RestBody(
            self.skin(rest.skin, rest.joints, joints),
            self.skin(rest.skin_per_beta, rest.joints_per_beta, ways),
            joints,
            ways,
            self.rigid(rest.rigid, rest.joints, joints),
            self.rigid(rest.rigid_per_beta, rest.joints_per_beta, ways),
        )


def between(first: RestBody, second: RestBody, share: float) -> RestBody:
    """The rest that is a share of the way from one to the other."""
    return RestBody(*(a + share * (b - a) for a, b in zip(first, second, strict=True)))


def on_floor(rest: RestBody) -> RestBody:
    """The rest raised so that its soles stand at y = 0."""
    up = np.array([0.0, -float(rest.skin[:, 1].min()), 0.0])
    return rest._replace(skin=rest.skin + up, joints=rest.joints + up, rigid=rest.rigid + up)


def scales_of(changes: dict[str, tuple[float, float, float]]) -> Array:
    """(24, 3) of 1, except for these joints, along x, y and z; “hip” stands for both sides."""
    scales = np.ones((len(SMPL_JOINTS), 3))
    for j, name in enumerate(SMPL_JOINTS):
        said = changes.get(name) or changes.get(name.partition("_")[2])
        if said is not None:
            scales[j] = said
    return scales


def _times(scales: Array, values: Array) -> Array:
    """(..., 3) factors times (..., 3) or (..., 3, K)."""
    return np.asarray(scales.reshape(scales.shape + (1,) * (values.ndim - scales.ndim)) * values)
