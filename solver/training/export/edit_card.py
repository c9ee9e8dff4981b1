"""What cards say of networks that edit poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

EDITS = (
    "Edits a pose of SMPL's 22 body joints. Given a start pose and targets for any of wrists, ankles and head, it\n"
    "predicts where the joints of the edited pose are. The bones of any body are then fitted to these places."
)
EDIT_CURVE = "drawn targets mm, once bones have their lengths"
EDIT_LIMITS = """\
- It knows neither tolerances nor what to keep. It takes no rotations, and positions only of wrists, ankles and head.
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
    return f"""{split} (two or five targets, from another pose of the clip or drawn around the
start pose with a standard deviation of 11 cm on each axis), mean neutral body, {size} the
paper's networks, {shipped["network_ms"]:.2f} ms per answer on one thread, bones and rotations included:

| | targets mm | drawn targets mm | MPJPE mm | PA-MPJPE mm |
|--|--|--|--|--|
{rows}

Before bones are given their lengths, the network misses the targets by {raw["places_mm"]:.1f} mm (drawn ones included)
and the lengths of bones by {100 * raw["bones_share"]:.1f}%. After the exact stage it misses only unreachable ones."""
