"""The same picture through another lens: moves a camera and the people before it so that everyone keeps their place.

A longer lens sees the same picture from further away, and people who are off its middle less from above, from below or
from one side. Each person is placed and turned as one piece. What all would lean by is the camera's: it tilts and rolls
instead, and rises with the floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.camera import PinholeCamera
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector, rotation_between

Array = NDArray[np.float64]
# What weighs as much as being off by the whole person's extent in the picture:
LEAN = 0.1  # per radian; little, for the picture comes first
UPRIGHT = 1e3  # per radian, for those who cannot lean
FLOOR = 3.0  # per metre off the floor, for those who were on it; more, and a roll from seat to heels takes many rounds
LEVEL = 0.05  # per metre for the others, who keep their height about as it was
NEAREST = 0.05  # metres: no joint comes nearer to the camera
_ROUNDS = 20
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.01)  # of a step, the first that helps
_GAIN = 0.999  # of the cost, which a round has to bring it below to be worth another
_DAMPING = 1e-12


@dataclass(frozen=True, eq=False)
class Seen:
    """Somebody before a camera. joints: (J, 3), lowest: (M, 3) metres of the world, points of skin of which one will be
    the lowest. grounded: whether they are on the floor. upright: whether they may only turn about the vertical."""

    joints: Array
    lowest: Array
    grounded: bool
    upright: bool = False

    def is_before(self, camera: PinholeCamera) -> bool:
        """Whether all joints are in front of the camera."""
        return bool(camera.in_frame(self.joints)[:, 2].max() < -NEAREST)


@dataclass(frozen=True, eq=False)
class _State:
    """In the camera's frame: the floor's normal (3,) and how far below the camera it is, and of N people how they are
    turned, (N, 3, 3), and where their middles are, (N, 3) metres."""

    up: Array
    height: float
    turns: Array
    places: Array


@dataclass(frozen=True, eq=False)
class _Parts:
    """What a state is off by: of each joint in the picture, (N, J, 2), the leans, (N, 3), and over the floor, (N,), all
    weighted. arms: (N, J, 3) from the middle to the joints, low: (N, 3) to the lowest point, in the camera's frame."""

    picture: Array
    lean: Array
    level: Array
    arms: Array
    low: Array

    @property
    def cost(self) -> float:
        return float((self.picture**2).sum() + (self.lean**2).sum() + (self.level**2).sum())


def through_other_lens(
    camera: PinholeCamera, focal_px: float, people: Sequence[Seen]
) -> tuple[PinholeCamera, list[RigidMotion]]:
    """The camera with another lens, in pixels, and what carries each person to where they look as they did.

    All joints are before the camera, which stays over the same spot of the floor.
    """
    return _Fit(camera, focal_px, people).found()


class _Fit:
    """Gauss–Newton for everybody and the floor at once; each person is eliminated from the floor's three unknowns."""

    def __init__(self, camera: PinholeCamera, focal_px: float, people: Sequence[Seen]) -> None:
        self._camera, self._focal, self._k = camera, focal_px, focal_px / camera.focal_px
        self._rotation, self._eye = camera.rotation.astype(np.float64), camera.position.astype(np.float64)
        self._up = self._rotation.T[:, 1]
        most = max((len(one.joints) for one in people), default=1)
        self._middles, self._joints = np.zeros((len(people), 3)), np.zeros((len(people), most, 3))
        self._wanted, self._weights = np.zeros((len(people), most, 2)), np.zeros((len(people), most, 1))
        self._lowest = []
        for i, one in enumerate(people):
            joints, n = camera.in_frame(one.joints), len(one.joints)
            self._middles[i] = joints.mean(axis=0)
            self._joints[i, :n] = joints - self._middles[i]
            seen = joints[:, :2] / -joints[:, 2:] / self._k  # in units of the new lens
            self._wanted[i, :n] = seen
            self._weights[i, :n] = 1.0 / max(float(np.linalg.norm(np.ptp(seen, axis=0))), 1e-9) / np.sqrt(n)
            self._lowest.append(camera.in_frame(one.lowest) - self._middles[i])
        self._above = np.array([one.lowest[:, 1].min() for one in people])
        self._level = np.array([FLOOR if one.grounded else LEVEL for one in people])
        self._lean = np.array([UPRIGHT if one.upright else LEAN for one in people])

    def found(self) -> tuple[PinholeCamera, list[RigidMotion]]:
        state = self._start()
        parts = self._parts(state)
        for _ in range(_ROUNDS if len(state.places) else 0):
            people, floor = self._step(state, parts)
            tries = (_moved(state, share * people, share * floor) for share in _SHARES)
            looked = ((tried, self._parts(tried)) for tried in tries)
            possible = (found for found in looked if self._is_possible(*found) and found[1].cost <= parts.cost)
            before = parts.cost
            state, parts = next(possible, (state, parts))
            if parts.cost >= _GAIN * before:
                break
        return self._in_world(state)

    def _start(self) -> _State:
        """Everything k times as deep: the floor stays even, and everybody in its picture, though not in shape."""
        deeper = np.array([1.0, 1.0, self._k])
        up = self._up / deeper
        length = float(np.linalg.norm(up))
        up /= length
        reach = np.linalg.norm(self._joints, axis=2).max(axis=1, initial=0.0) + 2 * NEAREST
        places = self._middles * deeper
        places *= np.maximum(reach / -places[:, 2], 1.0)[:, None]
        turns = np.tile(rotation_between(self._up, up).astype(np.float64), (len(places), 1, 1))
        return _State(up, float(self._eye[1]) / length, turns, places)

    def _parts(self, state: _State) -> _Parts:
        arms = self._joints @ state.turns.swapaxes(1, 2)
        at = arms + state.places[:, None]
        picture = self._weights * (at[..., :2] / -at[..., 2:] - self._wanted)
        lean = self._lean[:, None] * (state.turns @ self._up - state.up)
        own = state.up @ state.turns
        lowest = [points[(points @ up).argmin()] for points, up in zip(self._lowest, own, strict=True)]
        low = np.einsum("nab,nb->na", state.turns, np.reshape(lowest, (-1, 3)))
        level = self._level * ((low + state.places) @ state.up + state.height - self._above)
        return _Parts(picture, lean, level, arms, low)

    def _is_possible(self, state: _State, parts: _Parts) -> bool:
        nearest = -(parts.arms[..., 2] + state.places[:, None, 2]).max()
        return bool(nearest > NEAREST) and state.height > 0.0

    def _step(self, state: _State, parts: _Parts) -> tuple[Array, Array]:
        """(N, 6) a turn and a shift in shares of the distance for each person; (3,) the floor's normal and height."""
        n, j = parts.picture.shape[:2]
        distance, across = np.linalg.norm(state.places, axis=1), _across(state.up)
        at = parts.arms + state.places[:, None]
        moves = np.concatenate(
            [_by_turn(parts.arms), np.broadcast_to(distance[:, None, None, None] * np.eye(3), (n, j, 3, 3))], axis=3
        )
        depth = -at[..., 2, None, None]
        seen = (moves[..., :2, :] + at[..., :2, None] / depth * moves[..., 2:, :]) / depth
        rows = np.zeros((n, 2 * j + 4, 9))
        rows[:, :-4, :6] = (self._weights[..., None] * seen).reshape(n, 2 * j, 6)
        rows[:, -4:-1, :3] = self._lean[:, None, None] * _by_turn(state.turns @ self._up)
        rows[:, -4:-1, 6:8] = -self._lean[:, None, None] * across
        rows[:, -1, :3] = self._level[:, None] * np.cross(parts.low, state.up)
        rows[:, -1, 3:6] = (self._level * distance)[:, None] * state.up
        rows[:, -1, 6:8] = self._level[:, None] * ((parts.low + state.places) @ across)
        rows[:, -1, 8] = self._level
        off = np.concatenate([parts.picture.reshape(n, -1), parts.lean, parts.level[:, None]], axis=1)
        normal = rows.swapaxes(1, 2) @ rows + _DAMPING * np.eye(9)
        pull = np.einsum("nra,nr->na", rows, off)
        own, shared = normal[:, :6, :6], normal[:, :6, 6:]
        solved = np.linalg.solve(own, np.concatenate([shared, pull[:, :6, None]], axis=2))
        left = normal[:, 6:, 6:] - shared.swapaxes(1, 2) @ solved[..., :3]
        pulled = pull[:, 6:] - np.einsum("nab,na->nb", shared, solved[..., 3])
        floor = -np.linalg.solve(left.sum(axis=0) + _DAMPING * np.eye(3), pulled.sum(axis=0))
        return -solved[..., 3] - solved[..., :3] @ floor, floor

    def _in_world(self, state: _State) -> tuple[PinholeCamera, list[RigidMotion]]:
        rotation = self._rotation @ rotation_between(state.up, self._up)
        eye = np.array([self._eye[0], state.height, self._eye[2]])
        camera = replace(
            self._camera,
            position=eye.astype(np.float32),
            rotation=rotation.astype(np.float32),
            focal_px=self._focal,
        )
        ways = []
        for turn, was, place in zip(state.turns, self._middles, state.places, strict=True):
            whole = rotation @ turn @ self._rotation.T
            ways.append(RigidMotion(whole, rotation @ place + eye - whole @ (self._rotation @ was + self._eye)))
        return camera, ways


def _moved(state: _State, people: Array, floor: Array) -> _State:
    up = state.up + _across(state.up) @ floor[:2]
    distance = np.linalg.norm(state.places, axis=1)[:, None]
    return _State(
        up / np.linalg.norm(up),
        state.height + float(floor[2]),
        from_rotation_vector(people[:, :3]) @ state.turns,
        state.places + people[:, 3:] * distance,
    )


def _across(up: Array) -> Array:
    """(3, 2) the two directions along the floor."""
    other = np.eye(3)[np.abs(up).argmin()]
    first = np.cross(up, other / np.linalg.norm(np.cross(up, other)))
    return np.stack([first, np.cross(up, first)], axis=1)


def _by_turn(arms: Array) -> Array:
    """(..., 3, 3) how the ends of arms (..., 3) move by a small turn about x, y and z, in its columns."""
    moves = np.zeros((*arms.shape, 3))
    for row, column, axis in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        moves[..., row, column], moves[..., column, row] = arms[..., axis], -arms[..., axis]
    return moves
