"""The body joints that count, and the zones that effectors are drawn from."""

from __future__ import annotations

from solver.kinematics.skeleton import BODY_PARTS, SMPL_JOINTS

BODY_JOINTS: tuple[str, ...] = tuple(name for name in SMPL_JOINTS if not name.endswith("_hand"))
_TRUNK = ("_collar", "_hip")  # they belong to the zones of the head and of the hips
LIMBS: dict[str, tuple[str, ...]] = {
    limb: tuple(name for name in BODY_PARTS[limb] if name in BODY_JOINTS and not name.endswith(_TRUNK))
    for limb in ("left arm", "right arm", "left leg", "right leg")
}
ZONES: dict[str, tuple[str, ...]] = {
    **LIMBS,
    "hips": ("pelvis", "spine1", "left_hip", "right_hip"),
    "head": ("spine3", "neck", "left_collar", "right_collar", "head"),
}
