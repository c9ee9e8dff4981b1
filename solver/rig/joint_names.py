"""The names that other programs give to our joints when a file is written."""

from __future__ import annotations

from solver.errors import UnknownName
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import FINGER_PARTS, SIDES

_MIDDLE = {
    "pelvis": "Hips", "spine1": "Spine", "spine2": "Spine1", "spine3": "Spine2", "neck": "Neck", "head": "Head",
}  # fmt: skip
_SIDED = {
    "collar": "Shoulder", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand", "hand": "HandMiddle1",
    "hip": "UpLeg", "knee": "Leg", "ankle": "Foot", "foot": "ToeBase",
    **{part: f"Hand{part.capitalize()}" for part in FINGER_PARTS},
}  # fmt: skip
_FACE = {"jaw": "Jaw", "left_eye_smplhf": "LeftEye", "right_eye_smplhf": "RightEye"}
_JOINTS = (*SMPL_JOINTS, *_FACE, *(f"{side}_{part}" for side in SIDES for part in FINGER_PARTS))


def _humanik(joint: str) -> str:
    side, _, part = joint.partition("_")
    return _MIDDLE.get(joint) or _FACE.get(joint) or side.capitalize() + _SIDED[part]


PROFILES: dict[str, dict[str, str]] = {
    "smpl": {joint: joint for joint in _JOINTS},
    "humanik": {joint: _humanik(joint) for joint in _JOINTS},
    "mixamo": {joint: "mixamorig:" + _humanik(joint) for joint in _JOINTS},
}
PROFILE_TITLES = {"smpl": "SMPL", "humanik": "HumanIK / MotionBuilder", "mixamo": "Mixamo"}


def written_names(joints: tuple[str, ...], profile: str) -> tuple[str, ...]:
    """What the profile calls these joints; a joint that it does not know keeps its own name, without spaces.

    A hand is the middle finger's first joint, unless that is among the joints as well.
    """
    if profile not in PROFILES:
        raise UnknownName("set of joint names", profile, PROFILES)
    known = dict(PROFILES[profile])
    if "left_middle1" in joints:
        for hand in ("left_hand", "right_hand"):
            known[hand] = known[hand].replace("HandMiddle1", "FingerBase")
    return tuple(known.get(joint, "_".join(joint.split())) for joint in joints)
