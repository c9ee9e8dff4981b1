"""DragPoser's autoencoder in numpy: poses to latents, latents to poses with their derivative."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.kinematics.rotations import to_quaternion_xyzw
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.solvers.latent.latent_weights import LatentWeights

Array = NDArray[np.floating]

SHIFT_SCALE = 0.03  # metres in a frame, as the network was trained
BONE_SCALE = 0.05  # metres
NEAR = 0.5  # of a latent's numbers: so small a change hardly affects the derivative


class Decoded(NamedTuple):
    """A pose from the latent space. turns: (J, 4) xyzw of any length, of each joint in the root's frame; the first is
    the root's turn since the frame before. shift: (3,) metres, the root's way since then, in its axes at that frame."""

    turns: Array
    shift: Array


class PoseSpace:
    """The autoencoder of checked weights, for one body's bones at a time."""

    def __init__(self, weights: LatentWeights) -> None:
        self._part = weights.under("autoencoder")
        self.joints = len(weights.config.joints)
        self.parents = np.array([max(p, 0) for p in SMPL_PARENTS[: self.joints]])
        self.above = _ancestors(SMPL_PARENTS[: self.joints])
        try:
            self.reference = self._part["reference"].astype(np.float64)
            last = np.concatenate([self._part["to_turns.weight"], SHIFT_SCALE * self._part["to_shift.weight"]])
            rest = SHIFT_SCALE * self._part["to_shift.bias"]
            bias = np.concatenate([self._part["to_turns.bias"] + self._part["reference"].ravel(), rest])
            hidden, order = blocks_of(self._part["unpool.weight"])
            self._layers = Layers(hidden, self._part["unpool.bias"][order], np.ascontiguousarray(last[:, order]), bias)
            self._exact = self._layers.in_float64()
            self.latent = self._part["from_latent.weight"].shape[1]
            self.encoded(np.zeros((self.joints, 8)), self._part["bones"])
            self.decoder(self._part["bones"])(np.zeros(self.latent))
        except (KeyError, ValueError, IndexError) as error:
            way_out = "Restore the folder, or choose another solver"
            raise InputRefused("model.safetensors", f"its tensors are not the network's ({error})", way_out) from None

    def encode(self, local: Array, shift: Array, turn: Array, bones: Array) -> Array:
        """The latent of a pose: local rotations (J, 3, 3), the root's way and turn (3, 3) since the frame before."""
        seen = [turn]
        for joint in range(1, self.joints):
            above = self.parents[joint]
            seen.append(local[joint] if above == 0 else seen[above] @ local[joint])
        world = np.stack(seen)
        q = to_quaternion_xyzw(world)
        q = np.where((q * self.reference).sum(axis=-1, keepdims=True) < 0, -q, q)
        places = self.places(world, bones)
        places[0] = shift
        real, w = q[:, :3], q[:, 3:]
        dual = 0.5 * np.concatenate([w * places + np.cross(places, real), -(places * real).sum(-1, keepdims=True)], 1)
        numbers = (np.concatenate([q, dual], axis=1) - self._part["mean"]) / self._part["spread"]
        return self.encoded(numbers, bones)

    def encoded(self, numbers: Array, bones: Array) -> Array:
        """The latent (L,) of numbers (J, 8) of mean 0 and spread 1."""
        told = (bones - self._part["bones"]) / BONE_SCALE
        h = np.concatenate([numbers, told], axis=1).astype(np.float32).ravel()
        for name in ("by_joint", "pool", "by_limb"):
            h = Hidden.of(self._linear(name, h)).out
        return self._linear("to_mean", h).astype(np.float64)

    def places(self, world: Array, bones: Array) -> Array:
        """(J, 3) metres from the root, in its frame. world: (J, 3, 3) joints' turns there; the root's is not read."""
        turns = np.concatenate([np.eye(3)[None], world[1:]])[self.parents]
        moved = np.einsum("jab,jb->ja", turns, bones)
        moved[0] = 0.0
        return np.asarray(self.above @ moved)

    def decoder(self, bones: Array, exact: bool = False) -> Decoder:
        """The decoder for one body's bones (J, 3). exact: computes poses in float64, only derivatives in float32."""
        told = ((bones - self._part["bones"]) / BONE_SCALE).astype(np.float32).ravel()
        start = self._part["from_latent.bias"] + self._part["from_bones.weight"] @ told
        after = self._exact if exact else self._layers
        return Decoder(self._part["from_latent.weight"], start, after, self._layers, self.joints)

    def _linear(self, name: str, x: Array) -> Array:
        return np.asarray(self._part[f"{name}.weight"] @ x + self._part[f"{name}.bias"])


class Block(NamedTuple):
    """Rows of a sparse matrix that are zero in the same columns. rows: their indices. columns: where they are not."""

    rows: slice
    columns: NDArray[np.int64]
    numbers: Array


class Layers(NamedTuple):
    """The layers after the first. hidden, bias: the second one. weight, rest: the last one and its bias."""

    hidden: tuple[Block, ...]
    bias: Array
    weight: Array
    rest: Array

    def in_float64(self) -> Layers:
        """These layers converted to float64."""
        hidden = tuple(block._replace(numbers=block.numbers.astype(np.float64)) for block in self.hidden)
        return Layers(hidden, *(part.astype(np.float64) for part in self[1:]))

    def mixed(self, x: Array) -> Array:
        """The second layer's matrix times x (M, ...)."""
        made = np.empty((len(self.bias), *x.shape[1:]), x.dtype)
        for block in self.hidden:
            np.matmul(block.numbers, x[block.columns], out=made[block.rows])
        return made


def blocks_of(weight: Array) -> tuple[tuple[Block, ...], NDArray[np.int64]]:
    """A sparse matrix (N, M) as blocks, and the order of rows (N,) that brings those of each block together."""
    used, which = np.unique(weight != 0, axis=0, return_inverse=True)
    order, ends = np.argsort(which.ravel(), kind="stable"), np.cumsum(np.bincount(which.ravel(), minlength=len(used)))
    rows = [slice(int(start), int(end)) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    columns = [np.flatnonzero(mask) for mask in used]
    blocks = (
        Block(at, there, np.ascontiguousarray(weight[np.ix_(order[at], there)]))
        for at, there in zip(rows, columns, strict=True)
    )
    return tuple(blocks), order


class Hidden(NamedTuple):
    """A layer's numbers (N,) before and after x sigmoid(x), and the sigmoid."""

    into: Array
    out: Array
    gate: Array

    @classmethod
    def of(cls, x: Array) -> Hidden:
        """From the layer's input."""
        gate = _gate(x)
        return cls(x, x * gate, gate)

    def slopes(self) -> Array:
        """(N,) derivatives, in float32."""
        return np.asarray(self.gate * (1.0 + self.into - self.out), np.float32)


class Decoder:
    """From latents to poses of one body, through two hidden layers, of which the second sees only what is near."""

    def __init__(self, first: Array, start: Array, after: Layers, slopes: Layers, joints: int) -> None:
        self._first, self._start, self._after, self._slopes, self._joints = first, start, after, slopes, joints
        self._near = 0.0 if after is not slopes else NEAR
        self._known: tuple[Array, Decoded] | None = None
        self._last: tuple[Array, tuple[Array, Hidden, Hidden]] | None = None

    def __call__(self, z: Array) -> Decoded:
        """The pose of a latent (L,)."""
        return self._split(self._through(z)[0])

    def with_slopes(self, z: Array) -> tuple[Decoded, Decoded]:
        """The pose of a latent (L,), and its derivative: each number with one more axis of L.

        Unless poses are exact, the derivative is that of the latent asked for before, if that is near enough.
        """
        numbers, first, second = self._through(z)
        if self._known is not None and np.abs(self._known[0] - z).max() < self._near:
            return self._split(numbers), self._known[1]
        rates = self._slopes.mixed(first.slopes()[:, None] * self._first)
        rates *= second.slopes()[:, None]
        slopes = self._split(self._slopes.weight @ rates)
        self._known = np.array(z), slopes
        return self._split(numbers), slopes

    def _through(self, z: Array) -> tuple[Array, Hidden, Hidden]:
        """The pose's numbers, and both hidden layers; the last result is kept, as a search asks again where it was."""
        if self._last is not None and np.array_equal(self._last[0], z):
            return self._last[1]
        first = Hidden.of(self._first @ z.astype(self._after.bias.dtype) + self._start)
        second = Hidden.of(self._after.mixed(first.out) + self._after.bias)
        found = self._after.weight @ second.out + self._after.rest, first, second
        self._last = np.array(z), found
        return found

    def _split(self, numbers: Array) -> Decoded:
        turns = 4 * self._joints
        return Decoded(
            numbers[:turns].reshape(self._joints, 4, *numbers.shape[1:]).astype(np.float64),
            numbers[turns:].astype(np.float64),
        )


def _gate(x: Array) -> Array:
    """sigmoid(x), by which x is multiplied."""
    gate: Array = np.tanh(0.5 * x)  # which cannot overflow, as exp(-x) can
    gate *= 0.5
    gate += 0.5
    return gate


def _ancestors(parents: tuple[int, ...]) -> Array:
    matrix = np.eye(len(parents))
    for joint, parent in enumerate(parents):
        if parent >= 0:
            matrix[joint] += matrix[parent]
    return matrix
