"""A latent as a whole pose in the world, and its derivative by the latent, the root and joints that turn alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.kernel_arrays import tree_of
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.solvers.latent.latent_kernels import Beyond, Body, Rates, Stand, move_on, numbers_of, pose_body, spin_body
from solver.solvers.latent.pose_space import Decoded, Decoder

Array = NDArray[np.float64]

ROOT = 6  # unknowns beside the latent: what the root moves (3, metres) and turns (3, radians) beyond what is decoded


class Place(NamedTuple):
    """Unknowns of a pose. latent: (L,). beyond: what root and free joints do beyond what is decoded."""

    latent: Array
    beyond: Beyond

    def moved(self, step: Array) -> Place:
        """After a step (L + ROOT + 3 K,)."""
        size, own = len(self.latent), len(self.beyond.own)
        to = Beyond(np.empty(3), np.empty((3, 3)), np.empty((own, 3, 3)))
        move_on(self.beyond, step[size:], to)
        return Place(self.latent + step[:size], to)

    @property
    def numbers(self) -> Array:
        """(L + ROOT + 3 K,): the latent, metres and radians."""
        found = np.empty(len(self.latent) + ROOT + 3 * len(self.beyond.own))
        found[: len(self.latent)] = self.latent
        numbers_of(self.beyond, found[len(self.latent) :])
        return found


class Figure:
    """A body whose pose is decoded after a frame in which its root was at `root` (3,) and turned by `turn` (3, 3).

    local: (J, 3, 3), for joints after those that the decoder knows. free: joints that may turn by themselves.
    """

    def __init__(
        self, skeleton: Skeleton, decode: Decoder, root: NDArray[np.floating], turn: NDArray[np.floating],
        local: NDArray[np.floating], free: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        self.decode, self.tree, self.free = decode, tree_of(skeleton), free
        here, way = (np.ascontiguousarray(part, np.float64) for part in (root, turn))
        self.stand = Stand(here, way, np.array(free, np.int64))
        count = len(skeleton)
        self.body = Body(np.array(local, np.float64, order="C"), np.empty((count, 3)), np.empty((count, 3, 3)))

    def start(self, latent: NDArray[np.floating]) -> Place:
        """The pose as decoded."""
        own = np.tile(np.eye(3), (len(self.free), 1, 1))
        return Place(np.asarray(latent, np.float64), Beyond(np.zeros(3), np.eye(3), own))

    def posed(self, place: Place) -> Body:
        """The pose in the world; the arrays are this figure's own and hold until the next call."""
        return self._posed(place, self.decode(place.latent))

    def with_rates(self, place: Place) -> tuple[Body, Rates]:
        """The pose and its derivative."""
        decoded, slopes = self.decode.with_slopes(place.latent)
        body, size = self._posed(place, decoded), len(place.latent)
        unknowns = size + ROOT + 3 * len(self.free)
        rates = Rates(np.zeros((3, unknowns)), np.empty((len(decoded.turns), 3, unknowns)))
        rates.moves[:, :size] = self.stand.turn @ slopes.shift
        rates.moves[:, size : size + 3] = self.stand.turn
        turns, rates_of_turns = np.asarray(decoded.turns, np.float64), np.asarray(slopes.turns, np.float64)
        spin_body(turns, rates_of_turns, self.stand, place.beyond, self.tree, body.local, rates.spins)
        return body, rates

    def pose(self, place: Place) -> Pose:
        """The pose as the rest of the program knows it."""
        body = self.posed(place)
        return Pose(body.positions[0].astype(np.float32), body.local.astype(np.float32))

    def _posed(self, place: Place, decoded: Decoded) -> Body:
        turns, shift = np.asarray(decoded.turns, np.float64), np.asarray(decoded.shift, np.float64)
        pose_body(turns, shift, self.stand, place.beyond, self.tree, self.body)
        return self.body
