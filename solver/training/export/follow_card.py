"""What cards say of networks that follow sensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FOLLOWS = (
    "A latent space of poses of SMPL's 22 body joints, and a predictor of the next latent. A search in this space\n"
    "finds the pose for any set of positions, rotations and aims, for a single pose or frame by frame for a motion."
)
FOLLOW_CURVE = "latents one to sixteen steps ahead, RMS"
FOLLOW_LIMITS = """\
- Poses are only as exact as the latent space can represent them. Keeping parts of a base pose is not learned.
- It looks at every second of 30 frames a second. At other rates its predictions fit less well.
"""


def follow_quality(metrics: Mapping[str, Any], shipped: Mapping[str, Any]) -> str:
    """How good it is on protocol D."""
    rows = "\n".join(
        f"| {what} | {e['mpjpe_mm']:.1f} | {e['ge_rad']:.3f} | {e['effector_mm']:.1f} | {e['velocity_cm_s']:.1f} |"
        for what, e in (("search alone", shipped["raw"]), ("with the exact stage", shipped["exact"]))
    )
    return f"""Split {metrics["split"]}, protocol {metrics["protocol"]} (the first seconds of clips, followed by
six, five and four sensors, with roots aligned), mean neutral body, {metrics["shipped"]}, {shipped["megabytes"]:.1f} MB,
{shipped["network_ms"]:.1f} ms per frame of six sensors on one thread:

| | MPJPE mm | rotations rad | sensors mm | velocity cm/s |
|--|--|--|--|--|
{rows}"""


def autoencoder_notes(settings: Mapping[str, Any], history: list[dict[str, float]]) -> list[str]:
    """What cards say of the run that the autoencoder comes from."""
    paper = {"batch": 64, "learning_rate": 1e-4, "position_weight": 100.0, "divergence": 1e-3, "continuity": 1.0,
             "posture_balance": 0.0}  # fmt: skip
    found = [
        f"- autoencoder: `{name}` {settings[name]} (paper: {value})"
        for name, value in paper.items()
        if name in settings and settings[name] != value
    ]
    if history and "mpjpe_mm" in history[-1]:
        last = history[-1]
        found.append(
            f"- autoencoder: {last['step']:.0f} steps in {last['minutes']:.0f} minutes (paper: a day on a GPU); "
            f"on the val split a pose comes back {last['mpjpe_mm']:.1f} mm and {last['ge_rad']:.3f} rad off"
        )
    return found
