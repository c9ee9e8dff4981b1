"""Where the body has to be for its mass to be over what bears it, while it goes slowly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.contact.balance import TOUCHES, MassShares, convex_hull, nearest_within
from solver.ik.multi_solve.between_keys import smoothed
from solver.kinematics.curves import each_eased
from solver.kinematics.fk import WorldJoints

Array = NDArray[np.float64]

SLOW, FAST = 0.4, 0.9  # m/s that the mass goes: slower it is brought over what bears it, faster it is not
EVEN_S, ENDS_S = 0.2, 0.3  # seconds to each side over which that is smoothed, and at both ends in which it fades
MOST_M = 0.12  # metres that the body is moved at most


def brought_over(mass: MassShares, worlds: WorldJoints, skins: Array, up: NDArray[np.floating], fps: float) -> Array:
    """(N, 3) metres along the floor by which the bodies of frames in a row are to be moved.

    worlds: their joints. skins: (N, P, 3) metres of points of their skin. up: (N,) 0..1, how far limbs alone bear the
    body.
    """
    each = [WorldJoints(*one) for one in zip(*worlds, strict=True)]
    centres = np.array([mass.centre(world) for world in each])[:, [0, 2]]
    speeds = np.linalg.norm(np.gradient(centres, axis=0), axis=1) * fps
    counts = up * each_eased((FAST - speeds) / (FAST - SLOW))
    moved = np.zeros((len(each), 3))
    for frame in np.flatnonzero(counts > 0.0).tolist():
        skin = skins[frame]
        support = convex_hull(skin[skin[:, 1] < TOUCHES][:, [0, 2]])
        if len(support):
            moved[frame, [0, 2]] = counts[frame] * (nearest_within(centres[frame], support) - centres[frame])
    far = np.linalg.norm(moved, axis=1, keepdims=True)
    moved *= np.minimum(1.0, MOST_M / np.maximum(far, 1e-9))
    margin, ends = round(EVEN_S * fps), max(round(ENDS_S * fps), 1)
    frames = np.arange(len(each))
    fading = each_eased(np.minimum(frames, frames[::-1]) / ends)
    return smoothed(np.pad(moved, ((margin, margin), (0, 0))), margin) * fading[:, None]
