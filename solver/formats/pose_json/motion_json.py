"""A person's motion in pose JSON: its rate, and for each frame a row of places and a row of quaternions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from solver.body.hands import HandMotion, Hands, hands_or_motion
from solver.body.whole_rig import FINGER_JOINTS
from solver.files.json_checks import Node, plain
from solver.files.json_text import Spelled
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_quaternion_xyzw, quaternion_path_xyzw
from solver.sentences import counted
from solver.size_limits import FARTHEST_ROOT_M, FPS_RANGE, MAX_FRAMES, MAX_JOINTS

DECIMALS = 7  # of a quaternion: as near as single precision knows it
NUMBERS = {int, float, Spelled}


def motion_to_json(motion: Motion, names: Sequence[str], frame: int, hands: HandMotion | None = None) -> dict[str, Any]:
    """The object that is written. names: of the motion's joints. frame: the one that the person's pose shows, from 0.
    hands: the fingers of each frame, if they move.

    A joint's quaternions do not change sign from one frame to the next.
    """
    written = {
        "fps": float(motion.fps),
        "frame": int(frame),
        "joints": list(names),
        "translations": plain(motion.root_positions),
        "rotations": _rows_of(motion.rotations),
    }
    if hands is not None:
        written["hands"] = {"joints": list(FINGER_JOINTS), "rotations": _rows_of(hands.turns())}
    return written


def _rows_of(rotations: NDArray[np.floating]) -> list[list[float]]:
    quaternions = np.round(quaternion_path_xyzw(rotations), DECIMALS) + 0.0
    return quaternions.reshape(len(rotations), -1).tolist()  # type: ignore[no-any-return]


def values_of(motion: Motion, hands: HandMotion | None = None) -> int:
    """How many of a JSON file's values (see MAX_JSON_VALUES) the motion takes, to within its few other keys."""
    fingers = 0 if hands is None else 4 * len(FINGER_JOINTS) + 1
    return len(motion) * (4 + 4 * motion.rotations.shape[1] + 1 + fingers)


def hands_from_json(node: Node, frames: int) -> Hands | HandMotion:
    """The fingers in each of a motion's frames; those that are not listed are at rest. InputRefused otherwise."""
    listed = [each.string(200) for each in node["joints"].items(MAX_JOINTS)]
    if len(set(listed)) != len(listed) or not set(listed) <= set(FINGER_JOINTS):
        known = f"{FINGER_JOINTS[0]} … {FINGER_JOINTS[-1]}"
        node["joints"].refuse("are not joints of fingers", f"Name each once, as SMPL-X does: {known}")
    rows = _rows(node["rotations"], 4 * len(listed), 10.0).reshape(-1, len(listed), 4)
    if len(rows) != frames:
        _refuse_lengths(node["rotations"], len(rows), frames)
    _check_lengths(node["rotations"], rows)
    turns = np.tile(np.eye(3, dtype=np.float32), (frames, len(FINGER_JOINTS), 1, 1))
    turns[:, [FINGER_JOINTS.index(name) for name in listed]] = from_quaternion_xyzw(rows)
    return hands_or_motion(turns)


def motion_from_json(node: Node, names: Sequence[str]) -> tuple[Motion, int]:
    """The motion on joints of these names, in their order, and the frame that is shown; InputRefused otherwise."""
    order = _order(node["joints"], names)
    roots = _rows(node["translations"], 3, FARTHEST_ROOT_M)
    if len(roots) == 0:
        node["translations"].refuse("has no frames", "Give at least one")
    turns = _rows(node["rotations"], 4 * len(names), 10.0).reshape(-1, len(names), 4)
    if len(turns) != len(roots):
        _refuse_lengths(node["rotations"], len(turns), len(roots))
    fps = node["fps"].number(*FPS_RANGE)
    _check_lengths(node["rotations"], turns)
    frame = shown.integer(0, len(roots) - 1) if (shown := node.get("frame")) else 0
    rotations = from_quaternion_xyzw(turns[:, order]).astype(np.float32)
    return Motion(roots.astype(np.float32), rotations, fps), frame


def _refuse_lengths(rotations: Node, frames: int, places: int) -> NoReturn:
    way_out = "Give each frame a row of both"
    rotations.refuse(f"has {counted(frames, 'frame')}, translations {places}", way_out)


def _order(node: Node, names: Sequence[str]) -> list[int]:
    """Where in the file's rows each of the joints is."""
    listed = [each.string(200) for each in node.items(MAX_JOINTS)]
    if len(set(listed)) != len(listed) or set(listed) != set(names):
        node.refuse("are not the joints of rest_joints", "Name each of them once")
    return [listed.index(name) for name in names]


def _rows(node: Node, width: int, limit: float) -> NDArray[np.float64]:
    """(F, width) finite numbers within ±limit. Only rows with something wrong are checked number by number."""
    rows = node.items(MAX_FRAMES)
    good = all(type(r.value) is list and len(r.value) == width and set(map(type, r.value)) <= NUMBERS for r in rows)
    if good:
        values = np.array([row.value for row in rows], dtype=np.float64).reshape(-1, width)
        wrong = np.flatnonzero((np.abs(values) > limit).any(axis=1))
        if not wrong.size:
            return values
        rows = [rows[wrong[0]]]
    return np.array([row.vector(width, limit) for row in rows])


def _check_lengths(node: Node, quaternions: NDArray[np.float64]) -> None:
    lengths = np.linalg.norm(quaternions, axis=-1)
    wrong = np.argwhere((lengths < 0.9) | (lengths > 1.1))
    if len(wrong):
        frame, joint = (int(place) for place in wrong[0])
        reason = f"quaternion {joint + 1} has length {lengths[frame, joint]:.3g}, but that of a rotation has length 1"
        node.items(MAX_FRAMES)[frame].refuse(reason, "Write each as x, y, z, w")
