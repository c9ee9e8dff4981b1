"""What cards say of networks that lift landmarks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LIFTS = (
    "Lifts the landmarks of a person in a photo to a pose of SMPL's 22 body joints, and estimates how far off each\n"
    "point may be. Its input is 23 points in the picture, the places in metres that landmark networks guess, and how\n"
    "well each point is seen."
)
LIFT_CURVE = "points mm, relative to the hips"
LIFT_LIMITS = """\
- It learned the errors that BlazePose's landmarks have on renderings of our own bodies. Other networks make others.
- It does not place people and knows neither their proportions nor the floor. The fit to the picture takes care of that.
"""


def lift_quality(metrics: Mapping[str, Any], shipped: Mapping[str, Any]) -> str:
    """How good it is on people of the split."""
    raw = shipped["raw"]
    size = f"{metrics['shipped']}, {shipped['megabytes']:.1f} MB, {shipped['network_ms']:.2f} ms"
    return f"""Split {metrics["split"]}, people in all posture classes, seen with the measured errors of landmarks,
{size} per person and mirror image on one thread:

| points mm, relative to the hips | aligned (PA) | rotations rad | estimated error mm |
|--|--|--|--|
| {raw["mpjpe_mm"]:.1f} | {raw["pa_mpjpe_mm"]:.1f} | {raw["ge_rad"]:.3f} | {raw["unsure_mm"]:.1f} |

docs/photo-poses.md tells how much it helps on pictures."""
