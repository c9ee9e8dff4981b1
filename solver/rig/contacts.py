"""Where a motion has its feet planted, by height and speed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

LOW_M = 0.05  # above the height at which the balls of the feet are when they stand
SLOW_M_S = 0.25  # a foot that swings goes at one to four metres a second
SHORTEST_S = 0.1  # a foot that only brushes the floor is not planted
HOLE_S = 0.05  # noise that does not end a contact
CHUNK = 4096  # frames whose joints are held in memory at once
STANDING = 5.0  # percentile of the lower ball's height that is taken for standing: people may leap, or be lifted

Array = NDArray[np.float64]


class Contact(NamedTuple):
    """A foot on the floor. foot: the role of its ball, which stays where it is. first, last: frames."""

    foot: Role
    first: int
    last: int


def contacts_of(skeleton: Skeleton, motion: Motion) -> tuple[Contact, ...]:
    """The planted feet of a motion on a skeleton, the left foot's first, each foot's in order; none of a single frame.

    The floor is where the feet are lowest, wherever that is. A skeleton without feet has no contacts.
    """
    rig = rig_of(skeleton)
    feet = tuple(leg.tip for leg in LEGS)
    if rig.lacking(feet) or len(motion) < 2:
        return ()
    places = _places(skeleton, motion, [rig.index(rig.name(foot)) for foot in feet])
    heights = places[..., 1]
    floor = float(np.percentile(heights.min(axis=1), STANDING))
    speeds = np.linalg.norm(np.gradient(places, 1.0 / motion.fps, axis=0), axis=-1)
    planted = (heights < floor + LOW_M) & (speeds < SLOW_M_S)
    return tuple(
        Contact(foot, first, last)
        for side, foot in enumerate(feet)
        for first, last in _runs(planted[:, side], round(HOLE_S * motion.fps), max(2, round(SHORTEST_S * motion.fps)))
    )


def _places(skeleton: Skeleton, motion: Motion, joints: list[int]) -> Array:
    """(F, len(joints), 3) metres, where the joints are in each frame."""
    parts = []
    for start in range(0, len(motion), CHUNK):
        part = slice(start, start + CHUNK)
        world = forward_kinematics_batch(
            skeleton.parents, skeleton.offsets, motion.root_positions[part], motion.rotations[part]
        )
        parts.append(world.positions[:, joints].astype(np.float64))
    return np.concatenate(parts)


def _runs(on: NDArray[np.bool_], hole: int, shortest: int) -> list[tuple[int, int]]:
    """First and last of each run of True that is long enough, over holes that are short enough."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(np.int8), [0]])))
    runs: list[tuple[int, int]] = []
    for first, end in edges.reshape(-1, 2).tolist():
        if runs and first - runs[-1][1] - 1 <= hole:
            runs[-1] = runs[-1][0], end - 1
        else:
            runs.append((first, end - 1))
    return [(first, last) for first, last in runs if last - first + 1 >= shortest]
