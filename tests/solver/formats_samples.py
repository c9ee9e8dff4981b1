"""Skeletons, poses and foreign files for the tests of file formats, made by our own code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, to_euler
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton

_LEFT = {
    "hip": (0.06, -0.09, -0.01), "knee": (0.03, -0.39, 0), "ankle": (-0.01, -0.42, -0.03), "foot": (0.03, -0.06, 0.13),
    "collar": (0.07, 0.12, -0.02), "shoulder": (0.12, 0.04, -0.01), "elbow": (0.26, 0, -0.01), "wrist": (0.25, 0, 0),
    "hand": (0.08, -0.01, 0),
}  # fmt: skip
_MIDDLE = {
    "pelvis": (0, 0.95, 0.01), "spine1": (0, 0.12, -0.03), "spine2": (0, 0.13, 0.01), "spine3": (0, 0.06, 0.01),
    "neck": (0, 0.21, -0.02), "head": (0, 0.08, 0.04),
}  # fmt: skip


def sample_skeleton(height: float = 1.0) -> Skeleton:
    """An adult T-pose with SMPL's joints, scaled by `height`."""
    offsets = []
    for name in SMPL_JOINTS:
        side, _, part = name.partition("_")
        offset = np.array(_MIDDLE.get(name) or _LEFT[part], dtype=np.float64)
        offsets.append(offset * ([-1, 1, 1] if side == "right" else [1, 1, 1]) * height)
    return Skeleton(SMPL_JOINTS, SMPL_PARENTS, np.array(offsets, np.float32))


def sample_motion(frames: int = 8, seed: int = 0, swing: float = 0.6, fps: float = 30.0) -> Motion:
    """A person who stands, sways and walks on a little; every joint turns by some `swing` radians."""
    rng = np.random.default_rng(seed)
    phase, speed = rng.uniform(0, 2 * np.pi, (24, 3)), rng.integers(1, 3, (24, 3))
    time = np.linspace(0, 2 * np.pi, frames, endpoint=False)[:, None, None]
    vectors = swing * 0.6 * np.sin(speed * time + phase) + swing * 0.3 * rng.normal(size=(24, 3))
    vectors[:, 0] *= 0.3
    path = np.stack([0.1 * np.sin(time[:, 0, 0]), 0.95 + 0.02 * np.cos(time[:, 0, 0]), 0.2 * time[:, 0, 0]], axis=-1)
    return Motion(path.astype(np.float32), from_rotation_vector(vectors).astype(np.float32), fps)


def any_motion(frames: int, seed: int) -> Motion:
    """Rotations from all over the sphere, for what must hold for every pose."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(frames, 24, 3))
    vectors *= rng.uniform(0, np.pi, (frames, 24, 1)) / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return Motion(rng.normal(size=(frames, 3)), from_rotation_vector(vectors).astype(np.float32))


def world_positions(skeleton: Skeleton, motion: Motion) -> NDArray[np.floating]:
    """(F, J, 3) metres."""
    return forward_kinematics_batch(
        skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations
    ).positions


def foreign_bvh(
    skeleton: Skeleton,
    motion: Motion,
    *,
    rest_turns: NDArray[np.floating] | None = None,
    axes: NDArray[np.floating] | None = None,
    scale: float = 1.0,
    order: str = "ZXY",
    position_everywhere: bool = False,
    names: tuple[str, ...] | None = None,
    children_backwards: bool = False,
) -> str:
    """A motion as another program might spell it, written independently of our own writer.

    rest_turns: (J, 3, 3), how each joint's frame of the file stands in our rest pose: the file's rest pose shows the
    bones turned back by it. axes: (3, 3) from our world to the file's.
    """
    count = len(skeleton)
    turns = np.tile(np.eye(3), (count, 1, 1)) if rest_turns is None else np.asarray(rest_turns, dtype=np.float64)
    axes = np.eye(3) if axes is None else axes
    names = skeleton.names if names is None else names
    offsets, rotations = np.zeros((count, 3)), np.zeros((len(motion), count, 3, 3))
    for j, parent in enumerate(skeleton.parents):
        above = axes.T if parent < 0 else turns[parent]
        offsets[j] = above.T @ skeleton.offsets[j] * scale
        rotations[:, j] = above.T @ motion.rotations[:, j] @ turns[j]
    roots = motion.root_positions @ axes.T * scale
    angles = np.degrees(to_euler(order, rotations))
    lines, columns = ["HIERARCHY"], []

    def block(j: int, tab: str) -> None:
        lines.append(f"{tab}{'JOINT' if tab else 'ROOT'} {names[j]}")
        lines.append(tab + "{")
        lines.append(f"{tab} OFFSET " + " ".join(f"{v:.9f}" for v in offsets[j]))
        places = not tab or position_everywhere
        channels = (["Xposition", "Yposition", "Zposition"] if places else []) + [f"{a}rotation" for a in order]
        lines.append(f"{tab} CHANNELS {len(channels)} " + " ".join(channels))
        if places:
            columns.append(roots if not tab else np.tile(offsets[j], (len(motion), 1)))
        columns.append(angles[:, j])
        children = skeleton.children(j)
        for child in children[::-1] if children_backwards else children:
            block(child, tab + "  ")
        if not children:
            lines.extend([tab + " End Site", tab + " {", tab + "  OFFSET 0 0.1 0", tab + " }"])
        lines.append(tab + "}")

    block(0, "")
    lines += ["MOTION", f"Frames: {len(motion)}", f"Frame Time: {1 / motion.fps:.9f}"]
    lines += [" ".join(f"{v:.9f}" for v in row) for row in np.concatenate(columns, axis=1)]
    return "\n".join(lines) + "\n"
