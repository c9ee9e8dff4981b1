"""What cards say of networks that lift landmarks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LIFTS = (
    "Lifts the landmarks of a person in a photo to a pose of SMPL's 22 body joints, and says how far off each point\n"
    "may be: 23 points in the picture, the places in metres that landmark networks guess, how well each is seen."
)
LIFT_CURVE = "points mm, about the hips"
LIFT_LIMITS = """\
- It learned the errors of BlazePose's landmarks on renderings of our own bodies; other networks err otherwise.
- It does not place people, and knows neither proportions nor floor: the fit to the picture after it does.
"""


def lift_quality(metrics: Mapping[str, Any], shipped: Mapping[str, Any]) -> str:
    """How good it is on people of the split."""
    raw = shipped["raw"]
    size = f"{metrics['shipped']}, {shipped['megabytes']:.1f} MB, {shipped['network_ms']:.2f} ms"
    return f"""Split {metrics["split"]}, people in all posture classes seen with measured errors of landmarks,
{size} per person and mirror image on one thread:

| points mm, about the hips | aligned (PA) | rotations rad | said to be off, mm |
|--|--|--|--|
| {raw["mpjpe_mm"]:.1f} | {raw["pa_mpjpe_mm"]:.1f} | {raw["ge_rad"]:.3f} | {raw["unsure_mm"]:.1f} |

docs/photo.md says what it is worth on pictures."""
