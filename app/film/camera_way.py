"""A camera that moves while a motion plays: through the views that a scene keeps, in the order of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.document.model.bookmark import Bookmark
from solver.kinematics.curves import curve_through

if TYPE_CHECKING:
    from rendering.camera.camera import OrbitCamera


def camera_on_way(views: Sequence[Bookmark], share: float) -> OrbitCamera:
    """The camera when a share 0..1 of the film is over, at rest in the first and the last view.

    It turns the short way round what it looks at. Views in parallel projection are seen in perspective, except where
    all are parallel.
    """
    from rendering.camera.camera import OrbitCamera

    yaws = np.unwrap([view.yaw for view in views])
    values = [
        (*view.target, np.log(view.distance), yaw, view.pitch, np.log(np.tan(view.fov_y / 2)))
        for view, yaw in zip(views, yaws, strict=True)
    ]
    x, y, z, far, yaw, pitch, wide = curve_through(np.linspace(0.0, 1.0, len(views)), values, [share])[0].tolist()
    flat = all(view.flat for view in views)
    return OrbitCamera((x, y, z), float(np.exp(far)), yaw, pitch, float(2 * np.arctan(np.exp(wide))), flat)
