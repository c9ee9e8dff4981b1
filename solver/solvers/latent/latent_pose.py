"""A latent as a whole pose in the world, and its derivative by the latent, the root and joints that turn alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.kernel_arrays import tree_of
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.solvers.latent.latent_kernels import (
    Correction,
    PosedBody,
    PoseDerivative,
    PreviousFrame,
    add_step,
    body_derivative,
    correction_numbers,
    pose_body,
)
from solver.solvers.latent.pose_space import Decoded, Decoder

Array = NDArray[np.float64]

ROOT = 6  # unknowns beside the latent: what the root moves (3, metres) and turns (3, radians) beyond what is decoded


class LatentPoint(NamedTuple):
    """The unknowns of a pose. latent: (L,). correction: what is added at the root and the free joints."""

    latent: Array
    correction: Correction

    def moved(self, step: Array) -> LatentPoint:
        """After a step (L + ROOT + 3 K,)."""
        size, own = len(self.latent), len(self.correction.own)
        to = Correction(np.empty(3), np.empty((3, 3)), np.empty((own, 3, 3)))
        add_step(self.correction, step[size:], to)
        return LatentPoint(self.latent + step[:size], to)

    @property
    def numbers(self) -> Array:
        """(L + ROOT + 3 K,): the latent, metres and radians."""
        found = np.empty(len(self.latent) + ROOT + 3 * len(self.correction.own))
        found[: len(self.latent)] = self.latent
        correction_numbers(self.correction, found[len(self.latent) :])
        return found


class LatentBody:
    """A body whose pose is decoded after a frame in which its root was at `root` (3,) and turned by `turn` (3, 3).

    local: (J, 3, 3), for joints after those that the decoder knows. free: joints that may turn by themselves.
    """

    def __init__(
        self, skeleton: Skeleton, decode: Decoder, root: NDArray[np.floating], turn: NDArray[np.floating],
        local: NDArray[np.floating], free: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        self.decode, self.tree, self.free = decode, tree_of(skeleton), free
        here, way = (np.ascontiguousarray(part, np.float64) for part in (root, turn))
        self.previous = PreviousFrame(here, way, np.array(free, np.int64))
        count = len(skeleton)
        self.body = PosedBody(np.array(local, np.float64, order="C"), np.empty((count, 3)), np.empty((count, 3, 3)))

    def start(self, latent: NDArray[np.floating]) -> LatentPoint:
        """The pose as decoded."""
        own = np.tile(np.eye(3), (len(self.free), 1, 1))
        return LatentPoint(np.asarray(latent, np.float64), Correction(np.zeros(3), np.eye(3), own))

    def posed(self, place: LatentPoint) -> PosedBody:
        """The pose in the world; the arrays are this figure's own and hold until the next call."""
        return self._posed(place, self.decode(place.latent))

    def with_derivative(self, place: LatentPoint) -> tuple[PosedBody, PoseDerivative]:
        """The pose and its derivative."""
        decoded, slopes = self.decode.with_slopes(place.latent)
        body, size = self._posed(place, decoded), len(place.latent)
        unknowns = size + ROOT + 3 * len(self.free)
        rates = PoseDerivative(np.zeros((3, unknowns)), np.empty((len(decoded.turns), 3, unknowns)))
        rates.moves[:, :size] = self.previous.turn @ slopes.shift
        rates.moves[:, size : size + 3] = self.previous.turn
        turns, rates_of_turns = np.asarray(decoded.turns, np.float64), np.asarray(slopes.turns, np.float64)
        body_derivative(turns, rates_of_turns, self.previous, place.correction, self.tree, body.local, rates.spins)
        return body, rates

    def pose(self, place: LatentPoint) -> Pose:
        """The pose as the rest of the program knows it."""
        body = self.posed(place)
        return Pose(body.positions[0].astype(np.float32), body.local.astype(np.float32))

    def _posed(self, place: LatentPoint, decoded: Decoded) -> PosedBody:
        turns, shift = np.asarray(decoded.turns, np.float64), np.asarray(decoded.shift, np.float64)
        pose_body(turns, shift, self.previous, place.correction, self.tree, self.body)
        return self.body
