"""Unity's names for a human's bones (`HumanBodyBones`), which VRM and the VMC protocol use as well."""

from __future__ import annotations

from collections.abc import Mapping

from solver.rig.roles import BODY_ROLES, Role

_MIDDLE = {
    Role.PELVIS: "Hips", Role.SPINE1: "Spine", Role.SPINE2: "Chest", Role.SPINE3: "UpperChest", Role.NECK: "Neck",
    Role.HEAD: "Head",
}  # fmt: skip
_PARTS = {
    "hip": "UpperLeg", "knee": "LowerLeg", "ankle": "Foot", "foot": "Toes", "collar": "Shoulder",
    "shoulder": "UpperArm", "elbow": "LowerArm", "wrist": "Hand",
}  # fmt: skip
# By role, parents first. Fingers, eyes and jaw are not among them: no solver moves those.
BONES: Mapping[Role, str] = {
    role: role.side.capitalize() + _PARTS[role.part] if role.side else _MIDDLE[role] for role in BODY_ROLES
}
BONE_ROLES: Mapping[str, Role] = {bone: role for role, bone in BONES.items()}
