"""A latent as a whole pose in the world, with how everything moves with the latent and the root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.solvers.latent.pose_space import Decoded, Decoder, matrices

Array = NDArray[np.floating]

ROOT = 6  # unknowns beside the latent: what the root moves (3, metres) and turns (3, radians) beyond what is decoded


class Place(NamedTuple):
    """Unknowns of a pose. latent: (L,). shift: (3,) metres, turn: (3, 3), what the root does beyond what is decoded."""

    latent: Array
    shift: Array
    turn: Array

    def moved(self, step: Array) -> Place:
        """After a step (L + ROOT,)."""
        latent, shift, turn = np.split(step, [len(self.latent), len(self.latent) + 3])
        return Place(self.latent + latent, self.shift + shift, self.turn @ from_rotation_vector(turn))

    @property
    def beyond(self) -> Array:
        """(ROOT,) what the root does beyond what is decoded."""
        return np.concatenate([self.shift, to_rotation_vector(self.turn)])


class Posed(NamedTuple):
    """A pose of J joints in the world: root (3,), places (J, 3) and world (J, 3, 3); seen: (J, 3, 3) from the root."""

    places: Array
    world: Array
    seen: Array


class Rates(NamedTuple):
    """How places and turns change with L + ROOT unknowns: moves and spins, (J, 3, L + ROOT) each, in the world."""

    moves: Array
    spins: Array


@dataclass(frozen=True)
class Figure:
    """A body whose pose is decoded after a frame in which its root was at `root` (3,) and turned by `turn` (3, 3).

    joints: how many the decoder knows; those behind them are as in `local` (J, 3, 3).
    """

    skeleton: Skeleton
    decode: Decoder
    joints: int
    root: Array
    turn: Array
    local: Array

    def posed(self, place: Place) -> Posed:
        """The pose alone."""
        return self._posed(place, self.decode(place.latent))[0]

    def with_rates(self, place: Place) -> tuple[Posed, Rates]:
        """The pose and its derivative."""
        decoded, slopes = self.decode.with_slopes(place.latent)
        posed, bones = self._posed(place, decoded)
        count, size = len(self.skeleton), len(place.latent)
        spin = np.zeros((count, 3, size))
        spin[: self.joints] = own_spins(decoded.turns, slopes.turns)
        turned = spin[0].copy()
        spin[0] = 0.0
        spin[: self.joints] = posed.seen[: self.joints] @ spin[: self.joints]
        parents = self.skeleton.parents
        for joint in range(self.joints, count):
            spin[joint] = spin[parents[joint]]
        above = np.maximum(parents, 0)
        drawn = np.tensordot(ancestors(parents), -crossed(bones) @ spin[above], axes=1)

        root, moves, spins = posed.world[0], np.zeros((count, 3, size + ROOT)), np.zeros((count, 3, size + ROOT))
        spins[:, :, :size] = root @ (place.turn.T @ turned + spin)
        spins[:, :, size + 3 :] = root
        moves[:, :, :size] = root @ drawn + self.turn @ slopes.shift
        moves[:, :, size : size + 3] = self.turn
        arms = crossed(posed.places - posed.places[0])
        moves[:, :, :size] -= arms @ (root @ place.turn.T @ turned)
        moves[:, :, size + 3 :] -= arms @ root
        return posed, Rates(moves, spins)

    def pose(self, place: Place) -> Pose:
        """The pose as the rest of the program knows it."""
        posed, parents = self.posed(place), self.skeleton.parents
        local = np.array(self.local, np.float64)
        local[0] = posed.world[0]
        for joint in range(1, self.joints):
            above = parents[joint]
            local[joint] = posed.seen[joint] if above == 0 else posed.seen[above].T @ posed.seen[joint]
        return Pose(posed.places[0].astype(np.float32), local.astype(np.float32))

    def _posed(self, place: Place, decoded: Decoded) -> tuple[Posed, Array]:
        """The pose, and the bones (J, 3) as they lie in the root's frame."""
        parents, count = self.skeleton.parents, len(self.skeleton)
        seen = np.empty((count, 3, 3))
        seen[: self.joints] = matrices(decoded.turns)
        root = self.turn @ seen[0] @ place.turn
        seen[0] = np.eye(3)
        for joint in range(self.joints, count):
            seen[joint] = seen[parents[joint]] @ self.local[joint]
        bones = np.einsum("jab,jb->ja", seen[np.maximum(parents, 0)], self.skeleton.offsets)
        bones[0] = 0.0
        at = self.root + self.turn @ (decoded.shift + place.shift)
        return Posed(at + ancestors(parents) @ bones @ root.T, root @ seen, seen), bones


def own_spins(turns: Array, slopes: Array) -> Array:
    """(J, 3, L) radians in each joint's own axes, of quaternions (J, 4) xyzw of any length and their slopes."""
    x, y, z, w = (turns / np.square(turns).sum(axis=-1, keepdims=True)).T
    rows = np.stack([w, z, -y, -x, -z, w, x, -y, y, -x, w, -z], axis=-1).reshape(-1, 3, 4)
    return np.asarray(2.0 * rows @ slopes)


def crossed(vectors: Array) -> Array:
    """(..., 3, 3) matrices that make of a vector its cross product with (..., 3)."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    none = np.zeros_like(x)
    return np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*x.shape, 3, 3)


_known: dict[tuple[int, ...], Array] = {}


def ancestors(parents: tuple[int, ...]) -> Array:
    """(J, J), 1 where the second joint is the first or lies between it and the root."""
    if parents not in _known:
        matrix = np.eye(len(parents))
        for joint, parent in enumerate(parents):
            if parent >= 0:
                matrix[joint] += matrix[parent]
        _known[parents] = matrix
    return _known[parents]
