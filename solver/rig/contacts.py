"""Where a motion has its feet planted, by height and speed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.joint_paths import joint_paths, velocities
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

LOW_M = 0.05  # above the height of the balls of standing feet
SLOW_M_S = 0.25  # a foot that swings goes at one to four metres a second
SHORTEST_S = 0.1  # a foot that only brushes the floor is not planted
FLAT_M, LEVEL_M_S = 0.025, 0.1  # a foot that slides stays as high as it stands; one that lands or leaves does not
FASTEST_SLIDE_M_S = 1.5  # a foot that swings low over the floor is faster
HOLE_S = 0.05  # noise that does not end a contact
STANDING = 5.0  # percentile of the lower ball's height that counts as standing: people may leap, or be lifted


class FootContact(NamedTuple):
    """A foot on the floor. foot: the role of its ball, which stays where it is. first, last: frames."""

    foot: Role
    first: int
    last: int


def foot_contacts_of(skeleton: Skeleton, motion: Motion, sliding: bool = False) -> tuple[FootContact, ...]:
    """The planted feet of a motion on a skeleton, the left foot's first, each foot's in order; none for a single frame.

    sliding: also feet on the floor that slide along it, which are not planted. The floor is at the height where the
    feet are lowest. A skeleton without feet has no contacts.
    """
    rig = rig_of(skeleton)
    feet = tuple(leg.tip for leg in LEGS)
    if rig.lacking(feet) or len(motion) < 2:
        return ()
    places = joint_paths(skeleton, motion, [rig.index(rig.name(foot)) for foot in feet]).positions
    heights, ways = places[..., 1], velocities(places, motion.fps)
    floor, speeds = float(np.percentile(heights.min(axis=1), STANDING)), np.linalg.norm(ways, axis=-1)
    planted = (heights < floor + LOW_M) & (speeds < SLOW_M_S)
    if sliding:
        level = np.abs(ways[..., 1]) < LEVEL_M_S
        planted |= (heights < floor + FLAT_M) & level & (speeds < FASTEST_SLIDE_M_S)
    return tuple(
        FootContact(foot, first, last)
        for side, foot in enumerate(feet)
        for first, last in _runs(planted[:, side], round(HOLE_S * motion.fps), max(2, round(SHORTEST_S * motion.fps)))
    )


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
