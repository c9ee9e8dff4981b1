"""Effectors and rotations as JSON; scenes and pose files share this spelling."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.formats.json_checks import Node, plain
from solver.ik.effectors import EFFECTOR_TYPES, Effector, LookAt, Position, Rotation
from solver.kinematics.rotations import from_quaternion_xyzw, geodesic_angle, to_quaternion_xyzw
from solver.values import FloatArray

EFFECTOR_KEYS = frozenset(
    {"id", "type", "joint", "target", "matrix", "axis", "tolerance", "pinned", "enabled", "loose"}
)
AGREEMENT = 1e-5  # radians between a quaternion and the matrix written beside it


def quaternion_to_json(rotation: ArrayLike) -> list[float]:
    """(3, 3) -> [x, y, z, w] with w >= 0, 9 decimals."""
    return [round(float(v), 9) + 0.0 for v in to_quaternion_xyzw(rotation)]


def quaternion_from_json(node: Node) -> NDArray[np.floating]:
    """[x, y, z, w] of about unit length -> (3, 3); it is normalised."""
    quaternion = node.vector(4, limit=10.0)
    length = float(np.linalg.norm(quaternion))
    if not 0.9 <= length <= 1.1:
        node.refuse(f"has length {length:.3g}, and a rotation's quaternion has length 1", "Write it as [x, y, z, w]")
    return from_quaternion_xyzw(quaternion)


def effector_to_json(effector: Effector, exact: bool = False) -> dict[str, Any]:
    """One effector as a plain object; a rotation's target is a quaternion x, y, z, w.

    exact: writes a rotation's matrix too, so that reading gives the same float32 numbers back.
    """
    result: dict[str, Any] = {"id": effector.id, "type": effector.kind, "joint": effector.joint}
    if isinstance(effector, Rotation):
        result["target"] = quaternion_to_json(effector.target)
        if exact:
            result["matrix"] = plain(effector.target.reshape(9))
    elif isinstance(effector, Position | LookAt):
        result["target"] = plain(effector.target)
    if isinstance(effector, LookAt):
        result["axis"] = plain(effector.local_axis)
    result |= {
        "tolerance": float(effector.tolerance),
        "pinned": bool(effector.pinned),
        "enabled": bool(effector.enabled),
    }
    return result | {"loose": True} if effector.loose else result


def effector_from_json(node: Node, joints: Collection[str]) -> Effector:
    """The effector that an object describes; `joints` are the names it may be on. InputRefused otherwise."""
    cls = EFFECTOR_TYPES[node["type"].choice(EFFECTOR_TYPES)]
    joint = node["joint"].string(limit=200)
    if joint not in joints:
        node["joint"].refuse(f"there is no joint named “{joint}”", f"Known: {', '.join(joints)}")
    common: dict[str, Any] = {"id": value.string(limit=200) if (value := node.get("id")) else ""}
    if value := node.get("tolerance"):
        common["tolerance"] = value.number(0.0, 1.0)
    for key in ("pinned", "enabled", "loose"):
        if value := node.get(key):
            common[key] = value.boolean()
    target = node["target"]
    if cls is Rotation:
        return Rotation(joint, _float32(_rotation(target, node.get("matrix"))), **common)
    if cls is LookAt and (axis := node.get("axis")):
        local_axis = axis.vector(3)
        if np.linalg.norm(local_axis) < 1e-6:
            axis.refuse("has no length", "Write a direction such as [0, 0, 1]")
        return LookAt(joint, _float32(target.vector(3)), _float32(local_axis), **common)
    return cls(joint, _float32(target.vector(3)), **common)


def _float32(values: NDArray[np.floating]) -> FloatArray:
    return values.astype(np.float32)


def _rotation(target: Node, matrix: Node | None) -> NDArray[np.floating]:
    """The matrix where it agrees with the quaternion; a quaternion changed by hand wins."""
    rotation = quaternion_from_json(target)
    if matrix is not None:
        exact = matrix.vector(9, limit=2.0).reshape(3, 3)
        if np.abs(exact - rotation).max() < AGREEMENT and geodesic_angle(exact, rotation) < AGREEMENT:
            return exact
    return rotation
