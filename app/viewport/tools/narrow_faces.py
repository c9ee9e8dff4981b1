"""Walls seen edge on: a limb beside one comes onto its broad side, not onto the end that hides it in the picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.prop import Prop
from app.document.model.prop_spots import SpotOnProp, spot_of
from rendering.camera.camera import View

Array = NDArray[np.floating]
WALLS = ("box", "plane")
LOW, HIGH = np.array([-0.5, 0.0, -0.5]), np.array([0.5, 1.0, 0.5])
THINNEST = 0.25  # metres up to which a wall is thin
BROADER = 2.0  # times as broad as thick, in both other ways: a board, no post
ELSEWHERE = 0.35  # metres from which the face that is seen is another place than where the limb is


def broad_side(prop: Prop, seen: Array, normal: Array, limb: Array, view: View, pixel: Array) -> SpotOnProp | None:
    """Where a limb comes onto the broad side of a thin wall of which the pointer meets a narrow face far off.

    In a view from the front, a wall beside somebody is its near end, which may be a metre ahead of them; what they can
    lean on is hidden behind it. So the place under the pointer that is as far away as the limb counts, if that is in
    the wall, on the side where the limb is. None where the face that is seen is meant.

    seen: (3,) metres, where the pointer meets the prop, with the outward normal there, (3,). limb: (3,) metres.
    """
    thin = int(np.argmin(prop.size))
    if prop.kind not in WALLS or prop.size[thin] > min(THINNEST, np.sort(prop.size)[1] / BROADER):
        return None
    if abs(normal @ prop.turn[:, thin]) > np.sqrt(0.5):
        return None
    origin, way = view.ray(pixel)
    ahead = -view.camera.rotation[:, 2]
    there = origin + float((limb - origin) @ ahead) / float(way @ ahead) * way
    own = prop.frame.own(there)
    if (own < LOW).any() or (own > HIGH).any() or np.linalg.norm(there - seen) < ELSEWHERE:
        return None
    above = bool(prop.frame.own(limb)[thin] > (LOW + HIGH)[thin] / 2)
    own[thin] = (HIGH if above else LOW)[thin]
    return spot_of(prop, own, (1.0 if above else -1.0) * np.eye(3)[thin])
