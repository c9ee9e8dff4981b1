"""Writing BVH: T-pose rest with the shaped offsets, ZXY channels, depth-first order, an End Site on every leaf."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solver.errors import UnknownName
from solver.files.atomic import write_text
from solver.formats.bvh.euler_path import smooth_euler
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.joint_names import written_names
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

UNITS = {"m": (1.0, 6), "cm": (100.0, 4)}  # units a metre, decimals of a length: both a micrometre
ORDER = "ZXY"
POSE_FPS = 30.0
_ROTATIONS = " ".join(f"{axis}rotation" for axis in ORDER)
_TIPS = {Role.HEAD: (0.0, 0.2, 0.0), **{leg.tip: (0.0, 0.0, 0.07) for leg in LEGS}}  # metres


def write_bvh(
    path: str | os.PathLike[str], skeleton: Skeleton, content: Motion | Pose, *, names: str = "smpl", unit: str = "m"
) -> None:
    """Write a pose or a motion as `bvh_text` spells it, all or nothing; InputRefused if it cannot be written."""
    write_text(path, bvh_text(skeleton, content, names=names, unit=unit))


def bvh_text(skeleton: Skeleton, content: Motion | Pose, *, names: str = "smpl", unit: str = "m") -> str:
    """The BVH text of one pose (a single frame) or of a motion.

    names: "smpl", "humanik" or "mixamo". unit: "m" or "cm". The root's OFFSET is zero and its position channels are the
    pelvis's absolute position, so that programs that add the two and programs that do not agree.
    """
    if unit not in UNITS:
        raise UnknownName("unit", unit, UNITS)
    motion = content if isinstance(content, Motion) else _one_frame(content)
    order = depth_first(skeleton)
    lines = ["HIERARCHY", *_hierarchy(skeleton, written_names(skeleton.names, names), unit)]
    frames = list(_frames(motion, order, unit))
    lines += ["MOTION", f"Frames: {len(frames)}", f"Frame Time: {1 / motion.fps:.6f}", *frames]
    return "\n".join(lines) + "\n"


def depth_first(skeleton: Skeleton) -> tuple[int, ...]:
    """Joint indices in the order in which a BVH file lists them, which is not SMPL's."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting.extend(reversed(skeleton.children(joint)))
    return tuple(order)


def end_site(skeleton: Skeleton, joint: int) -> NDArray[np.float64]:
    """(3,) metres from a leaf joint to its bone's tip, never zero, as some programs drop bones without length."""
    role = rig_of(skeleton).roles[joint]
    tip = _TIPS.get(role) if role else None
    if tip is not None:
        return np.array(tip)
    bone = np.array(skeleton.offsets[joint], dtype=np.float64)
    length = float(np.linalg.norm(bone))
    return bone / length * max(0.5 * length, 0.05) if length > 1e-6 else np.array([0.0, 0.05, 0.0])


def _one_frame(pose: Pose) -> Motion:
    return Motion(pose.root_position[None], pose.rotations[None], POSE_FPS)


def _hierarchy(skeleton: Skeleton, names: tuple[str, ...], unit: str) -> Iterator[str]:
    scale, decimals = UNITS[unit]

    def vector(values: NDArray[np.floating]) -> str:
        rounded = np.round(np.asarray(values, dtype=np.float64) * scale, decimals) + 0.0
        # Python's % writes a point whatever the system's language is.
        return " ".join(f"%.{decimals}f" % value for value in rounded.tolist())

    def block(joint: int, tab: str) -> Iterator[str]:
        inner = tab + "\t"
        root = joint == 0
        yield f"{tab}{'ROOT' if root else 'JOINT'} {names[joint]}"
        yield tab + "{"
        yield f"{inner}OFFSET {vector(np.zeros(3) if root else skeleton.offsets[joint])}"
        yield f"{inner}CHANNELS " + ("6 Xposition Yposition Zposition " if root else "3 ") + _ROTATIONS
        for child in skeleton.children(joint):
            yield from block(child, inner)
        if not skeleton.children(joint):
            yield from (f"{inner}End Site", inner + "{")
            yield f"{inner}\tOFFSET {vector(end_site(skeleton, joint))}"
            yield inner + "}"
        yield tab + "}"

    return block(0, "")


def _frames(motion: Motion, order: tuple[int, ...], unit: str) -> Iterator[str]:
    scale, decimals = UNITS[unit]
    angles = np.degrees(smooth_euler(ORDER, motion.rotations[:, list(order)]))
    positions = np.round(motion.root_positions.astype(np.float64) * scale, decimals)
    # Rounding first, and adding zero, keeps "-0.000000" out.
    values = np.concatenate([positions, np.round(angles, 6).reshape(len(motion), -1)], axis=1) + 0.0
    form = " ".join([f"%.{decimals}f"] * 3 + ["%.6f"] * (3 * len(order)))
    return (form % tuple(row) for row in values.tolist())
