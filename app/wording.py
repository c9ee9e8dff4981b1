"""How joints, effectors and errors are called in the window."""

from __future__ import annotations

import math
import re

from solver.ik.effectors import Effector
from solver.ik.problem import Cause, Reason, Residual

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


def reason_text(reason: Reason, by: str = "") -> str:
    """Why an effector is not reachable: “Out of reach by 12.0 cm”, “Left ankle is in the way”.

    by: how far it is off, where that is not said already.
    """
    joint = joint_title(reason.joint)
    match reason.cause:
        case Cause.OUT_OF_REACH:
            return f"Out of reach by {by}" if by else "Out of reach"
        case Cause.EFFECTOR if reason.kind == "position":
            return f"{joint} is in the way"
        case Cause.EFFECTOR:
            return f"{KIND_TITLES[reason.kind]} of {joint.lower()} is in the way"
        case Cause.KEPT:
            return f"{joint} is in the way, which is kept" if reason.joint else "What is kept is in the way"
        case Cause.LIMITS:
            return "A joint cannot turn so far"
        case Cause.SEVERAL:
            return "Several others are in the way together"


def amid(sentence: str) -> str:
    """A sentence as it stands behind a colon."""
    return sentence[:1].lower() + sentence[1:]


def reason_word(reason: Reason) -> str:
    """The same where there is little room."""
    return "Too far" if reason.cause in (Cause.OUT_OF_REACH, Cause.LIMITS) else "Blocked"
