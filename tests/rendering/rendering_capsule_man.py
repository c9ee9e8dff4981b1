"""A figure made of capsules on SMPL's 24 joints: enough of a body for tests that draw."""

from __future__ import annotations

import numpy as np

from rendering.scene.values import Figure, Mesh
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton

_RIGHT_OF_LEFT = {"left": 1.0, "right": -1.0}
_REST = {
    "pelvis": (0, 0.95, 0), "hip": (0.09, 0.87, 0), "knee": (0.10, 0.49, 0), "ankle": (0.10, 0.08, -0.02),
    "foot": (0.10, 0.03, 0.11), "spine1": (0, 1.05, 0), "spine2": (0, 1.18, 0), "spine3": (0, 1.27, 0),
    "neck": (0, 1.46, -0.01), "head": (0, 1.56, 0.01), "collar": (0.05, 1.39, 0), "shoulder": (0.18, 1.40, 0),
    "elbow": (0.44, 1.40, 0), "wrist": (0.70, 1.40, 0), "hand": (0.78, 1.40, 0),
}  # fmt: skip
_RADII = {"spine": 0.12, "pelvis": 0.11, "hip": 0.075, "knee": 0.055, "shoulder": 0.05, "elbow": 0.04, "neck": 0.06}


def skeleton() -> Skeleton:
    """SMPL's joints with plausible proportions."""
    rest = []
    for name in SMPL_JOINTS:
        side, _, part = name.partition("_")
        x, y, z = _REST[part or name]
        rest.append((x * _RIGHT_OF_LEFT.get(side, 1.0), y, z))
    positions = np.array(rest, dtype=np.float32)
    offsets = positions.copy()
    for j, p in enumerate(SMPL_PARENTS):
        if p >= 0:
            offsets[j] = positions[j] - positions[p]
    return Skeleton(SMPL_JOINTS, SMPL_PARENTS, offsets)


def mesh(bones: Skeleton | None = None, rings: int = 8, sides: int = 12) -> Mesh:
    """A capsule around each bone, skinned to the bone's upper joint; hands, feet and head get a ball."""
    bones = bones or skeleton()
    vertices, faces, owners = [], [], []
    rest = bones.rest_positions
    for j, p in enumerate(bones.parents):
        ends = [(p, rest[p], rest[j])] if p >= 0 else []
        if not bones.children(j):
            ends.append((j, rest[j], rest[j] + 0.5 * (rest[j] - rest[p])))
        for owner, a, b in ends:
            name = bones.names[owner].split("_")[-1].rstrip("123")
            v, f = _capsule(a, b, _RADII.get(name, 0.04), rings, sides)
            faces.append(f + sum(map(len, vertices)))
            vertices.append(v)
            owners += [owner] * len(v)
    weights = np.zeros((len(owners), len(bones)), dtype=np.float32)
    weights[np.arange(len(owners)), owners] = 1.0
    points = np.concatenate(vertices).astype(np.float32)
    suit = ((points[:, 1] < 1.4) & (np.abs(points[:, 0]) < 0.4) & (points[:, 1] > 0.4)).astype(np.float32)
    return Mesh(points, np.concatenate(faces).astype(np.int32), weights, suit)


def figure(pose: Pose | None = None, body: Mesh | None = None, **settings: object) -> Figure:
    """The capsule man in a pose."""
    bones = skeleton()
    pose = pose or rest_pose(bones)
    settings.setdefault("id", "man")
    return Figure(
        mesh=body if body is not None else mesh(bones),
        skinning=skinning_matrices(bones, pose),
        joints=forward_kinematics(bones, pose).positions,
        parents=bones.parents,
        **settings,  # type: ignore[arg-type]
    )


def _capsule(a: np.ndarray, b: np.ndarray, radius: float, rings: int, sides: int) -> tuple[np.ndarray, np.ndarray]:
    axis = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
    u = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    u /= np.linalg.norm(u)
    v = np.cross(axis, u)
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    around = np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v
    points = []
    for angle in np.linspace(-np.pi / 2, np.pi / 2, 2 * rings):
        end = a if angle < 0 else b
        points.append(end + radius * (np.sin(angle) * axis + np.cos(angle) * around))
    faces = []
    for ring in range(2 * rings - 1):
        for k in range(sides):
            n = (k + 1) % sides
            i, j = ring * sides, (ring + 1) * sides
            faces += [(i + k, i + n, j + k), (i + n, j + n, j + k)]
    return np.concatenate(points), np.array(faces)
