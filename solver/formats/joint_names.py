"""The names that other programs give to the 24 joints when a file is written."""

from __future__ import annotations

from solver.errors import UnknownName
from solver.kinematics.skeleton import SMPL_JOINTS

_MIDDLE = {
    "pelvis": "Hips", "spine1": "Spine", "spine2": "Spine1", "spine3": "Spine2", "neck": "Neck", "head": "Head",
}  # fmt: skip
_SIDED = {
    "collar": "Shoulder", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand", "hand": "HandMiddle1",
    "hip": "UpLeg", "knee": "Leg", "ankle": "Foot", "foot": "ToeBase",
}  # fmt: skip


def _humanik(joint: str) -> str:
    side, _, part = joint.partition("_")
    return _MIDDLE.get(joint) or side.capitalize() + _SIDED[part]


PROFILES: dict[str, dict[str, str]] = {
    "smpl": {joint: joint for joint in SMPL_JOINTS},
    "humanik": {joint: _humanik(joint) for joint in SMPL_JOINTS},
    "mixamo": {joint: "mixamorig:" + _humanik(joint) for joint in SMPL_JOINTS},
}
PROFILE_TITLES = {"smpl": "SMPL", "humanik": "HumanIK / MotionBuilder", "mixamo": "Mixamo"}


def written_names(joints: tuple[str, ...], profile: str) -> tuple[str, ...]:
    """What the profile calls these joints; a joint that it does not know keeps its own name, without spaces."""
    if profile not in PROFILES:
        raise UnknownName("set of joint names", profile, PROFILES)
    return tuple(PROFILES[profile].get(joint, "_".join(joint.split())) for joint in joints)
