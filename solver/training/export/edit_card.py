"""What cards say of networks that edit poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

EDITS = (
    "Edits a pose of SMPL's 22 body joints: from a start pose and places for any of wrists, ankles and head to the\n"
    "joint positions of the edited pose, to which bones of any body and their rotations are then fitted."
)
EDIT_CURVE = "drawn targets mm, with bones of their lengths"
EDIT_LIMITS = """\
- It knows neither tolerances nor what is to be kept, no rotations, and of places only those of wrists, ankles and head.
- The pelvis stays above the same point of the floor.
"""


def edit_quality(metrics: Mapping[str, Any], shipped: Mapping[str, Any]) -> str:
    """How good it is on protocol N."""
    raw = shipped["raw"]
    rows = "\n".join(
        f"| {what} | {e['effector_mm']:.1f} | {e['drawn_mm']:.1f} | {e['mpjpe_mm']:.1f} | {e['pa_mpjpe_mm']:.1f} |"
        for what, e in (("network alone", raw), ("with the exact stage", shipped["exact"]))
    )
    split = f"Split {metrics['split']}, protocol {metrics['protocol']}"
    size = f"{metrics['shipped']}, {shipped['megabytes']:.2f} MB, of which {shipped['paper_megabytes']:.2f} MB are"
    return f"""{split} (two targets and five; of another pose of the clip, or drawn about the
start pose with 11 cm on each axis), mean neutral body, {size} the nets
of the paper, {shipped["network_ms"]:.2f} ms per answer on one thread, bones and rotations included:

| | targets mm | drawn targets mm | MPJPE mm | PA-MPJPE mm |
|--|--|--|--|--|
{rows}

Before bones get their lengths the network is {raw["places_mm"]:.1f} mm off the targets, drawn ones among them,
and bones are {100 * raw["bones_share"]:.1f} % off. With the exact stage targets are missed that no bones reach."""
