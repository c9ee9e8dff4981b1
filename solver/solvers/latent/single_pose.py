"""A single pose by DragPoser's search: from the base pose, and during a drag also from where the last one was found.

A search from the base pose alone now and then ends elsewhere while an effector moves on: joints flip. One from the
last pose alone would stay wherever a drag once led. So both are tried, and the one from the base pose is taken if it
costs clearly less: a drag back to where it began finds what it began with, unless it has found something better.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.pose import Pose
from solver.solvers.latent.latent_pose import LatentBody, LatentPoint
from solver.solvers.latent.latent_search import Objective, SearchResult, SearchSettings, search

Array = NDArray[np.float64]

SOFT_SHARES = (0.01, 0.1)
COLD_START = SearchSettings(steps=20, least_gain=1e-4, soft_shares=SOFT_SHARES, corrects_curvature=True)
RESTART = COLD_START._replace(steps=4)  # near the base pose it is there by then; from far away it seldom wins
WARM_START = SearchSettings(steps=8, least_gain=1e-4, corrects_curvature=True)
NO_STEPS = SearchSettings(steps=0)
# With a target far out of reach the energy is nearly flat, and a body would creep along it: tiny gains are not taken.
FAR, FLAT_GAIN = 1e3, 0.98
RESTART_WINS = 0.95  # of the cost of going on: the search from the base pose has to be below it
MET_AT_BASE = 0.01  # metres or radians: if the base pose misses no more than this, nothing that a drag found counts


class SinglePoseMemory(NamedTuple):
    """What is remembered of a single pose. base, bones: what it was found for. free: joints that turn by themselves.
    asked: what was asked. latent: (L,) of the base pose."""

    base: Pose
    bones: NDArray[np.floating]
    free: tuple[int, ...]
    asked: bytes
    latent: Array
    point: LatentPoint

    def is_for(self, base: Pose, bones: NDArray[np.floating]) -> bool:
        """Whether the base pose is still this one."""
        return self.base == base and np.array_equal(self.bones, bones)


def single_pose(
    figure: LatentBody,
    objective: Objective,
    base: Pose,
    bones: NDArray[np.floating],
    home: bool,
    kept: SinglePoseMemory | None,
) -> SinglePoseMemory:
    """The place found; the base pose's latent is the one expected. kept: of the same base pose, None for a search only
    from there. home: whether the base pose itself does what is asked."""
    latent = objective.expected
    said = (*objective.rows, objective.shares, latent, np.array(objective.weights), *objective.bounds)
    asked = b"".join(np.ascontiguousarray(part).tobytes() for part in said)
    start = figure.start(latent)

    def found(start: LatentPoint, settings: SearchSettings) -> SearchResult:
        return search(figure, objective, start, settings)

    if kept is not None and kept.free == figure.free and kept.asked == asked:
        return kept
    if kept is None or kept.free != figure.free or home:
        best = found(start, COLD_START)
    else:
        restarted, continued = found(start, RESTART), found(kept.point, WARM_START)
        stayed = found(kept.point, NO_STEPS)
        if stayed.energy > FAR and continued.energy > FLAT_GAIN * stayed.energy:
            continued = stayed
        best = restarted if restarted.energy < RESTART_WINS * continued.energy else continued
    return SinglePoseMemory(base, bones, figure.free, asked, latent, best.point)
