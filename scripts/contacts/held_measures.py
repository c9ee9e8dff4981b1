"""Measures of who holds something from frame to frame: how deep skin is in it, and how elbows swivel."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.document.model.prop import Prop
from solver.kinematics.rotations import rotation_between

Array = NDArray[np.float64]
BENT_M = 0.05  # metres that an elbow is off the line from shoulder to hand, from which on it counts in full


def depth_in(skin: Array, prop: Prop) -> float:
    """Metres that skin is in a thing."""
    return max(0.0, *(-float(solid.distances(skin).min()) for solid in prop.solids()))


def swivels(shoulders: Array, elbows: Array, hands: Array) -> Array:
    """(F - 1,) degrees from frame to frame by which elbows go about the lines from shoulders to hands; less where the
    arm is all but straight."""
    lines = (hands - shoulders) / np.linalg.norm(hands - shoulders, axis=1, keepdims=True)
    aside = elbows - shoulders
    aside -= (aside * lines).sum(axis=1, keepdims=True) * lines
    far = np.linalg.norm(aside, axis=1)
    aside /= np.maximum(far, 1e-6)[:, None]
    along = np.array([rotation_between(*pair) @ one for pair, one in zip(pairwise(lines), aside[:-1], strict=True)])
    angles = np.degrees(np.arccos(np.clip((along * aside[1:]).sum(axis=1), -1.0, 1.0)))
    return np.asarray(angles * np.minimum(far[:-1] / BENT_M, 1.0))
