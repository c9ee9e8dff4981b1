"""How joints, effectors and errors are called in the window."""

from __future__ import annotations

import math
import re

from solver.ik.effectors import Effector
from solver.ik.problem import Residual

KIND_TITLES = {"position": "Position", "rotation": "Rotation", "lookat": "Look-at"}
STATE_TITLES = {
    "met": "met",
    "tolerated": "within tolerance",
    "unreachable": "not reachable",
    "disabled": "off",
    "loose": "loose, goes along with the body",
    "": "waiting",
}

STATE_WORDS = {  # where there is little room; "" where the effector's kind says more
    "met": "",
    "tolerated": "Tolerated",
    "unreachable": "Missed",
    "disabled": "Off",
    "loose": "Loose",
    "": "",
}


def joint_title(name: str) -> str:
    """ "left_wrist" as "Left wrist", "spine1" as "Spine 1"."""
    return re.sub(r"(?<=[a-z])(?=\d)", " ", name.replace("_", " ")).capitalize()


def effector_title(effector: Effector) -> str:
    """ "Left wrist · position"."""
    return f"{joint_title(effector.joint)} · {KIND_TITLES[effector.kind].lower()}"


def residual_text(kind: str, residual: Residual | None) -> str:
    """How far an effector is from its target: millimetres or degrees, "" when unknown or switched off."""
    if residual is None or residual.state == "disabled":
        return ""
    if kind == "position":
        millimetres = residual.value * 1000
        return f"{millimetres:.1f} mm" if millimetres < 100 else f"{millimetres / 10:.1f} cm"
    return f"{math.degrees(residual.value):.1f}°"
