"""From an SMPL body's motion to a motion of our skeleton.

SMPL's local rotations are taken as they are. Its rest pose is nearly the T-pose that ours is exactly: the legs stand
some 5° apart and the arms hang by some degrees, and a limb on our body is off by that much. That is less than people's
rest poses differ from each other, and it keeps straight arms and legs straight, which swinging the limbs would not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.hands import HandMotion, Hands, hands_or_motion
from solver.body.whole_rig import HANDS
from solver.formats.motion_bounds import check_motion
from solver.formats.motion_report import MotionReport
from solver.formats.smpl.npz import SmplFile
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS
from solver.values import read_only

Array = NDArray[np.floating]

CHUNK = 4096  # frames worked on at once
ONE_PIECE = 1e-4  # of an entry of a rotation
# AMASS has Z up. Only a file whose people stand along +Y throughout is taken to have Y up.
STANDS_ALONG_Y = 0.85
UPRIGHT = {
    "+Y": np.eye(3),
    "-Y": np.diag([1.0, -1.0, -1.0]),
    "+Z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}


class MeanBody(NamedTuple):
    """Metres of a model's mean body at rest. pelvis: (3,), where `trans` has 0. hips: (3,) from there, the middle
    between the hips. leg: from hip to knee to ankle.
    """

    pelvis: tuple[float, float, float]
    hips: tuple[float, float, float]
    leg: float


_SMPL = MeanBody((-0.002, -0.223, 0.028), (0.001, -0.091, -0.006), 0.777)
MEAN_BODIES = {
    "SMPL": _SMPL,
    "SMPL-H": _SMPL,
    "SMPL-X": MeanBody((0.003, -0.351, 0.012), (-0.003, -0.098, -0.024), 0.789),
}


def smpl_hands(file: SmplFile) -> Hands | HandMotion | None:
    """How the file's person holds their hands; None if fingers are not given, or turn with each hand as one piece."""
    if file.fingers is None:
        return None
    parts = [
        np.asarray(from_rotation_vector(file.fingers[start : start + CHUNK].astype(np.float64)), np.float32)
        for start in range(0, len(file), CHUNK)
    ]
    turns = np.concatenate(parts)
    return None if _as_one_piece(turns) else hands_or_motion(turns)


def _as_one_piece(turns: Array) -> bool:
    """Whether a hand's five fingers turn alike at the knuckles and nowhere else, so that SMPL's hand is what turns."""
    hands = turns.reshape(len(turns), 2, 5, 3, 3, 3)
    others = np.abs(hands[:, :, :, 1:] - np.eye(3)).max()
    return bool(max(others, np.abs(hands[:, :, :, 0] - hands[:, :, :1, 0]).max()) < ONE_PIECE)


def smpl_to_motion(file: SmplFile, skeleton: Skeleton, fingers: bool = False) -> tuple[Motion, MotionReport]:
    """The file's motion on our skeleton (SMPL's joint names), and what was understood of it.

    The path is scaled by the length of the legs. The file's person is assumed to have the model's mean body, since only
    the model itself knows what its betas mean: the path is off by some centimetres for a tall or short person. fingers:
    whether they are read separately, by `smpl_hands`: hands are then at rest, as the middle fingers turn none.
    """
    up = _up_axis(file)
    upright, body = UPRIGHT[up], MEAN_BODIES[file.model]
    scale = rig_of(skeleton).leg_length / body.leg
    to_hips = mid_hips(skeleton)
    roots = np.empty((len(file), 3), np.float32)
    rotations = np.empty((len(file), 24, 3, 3), np.float32)
    for start in range(0, len(file), CHUNK):
        part = slice(start, start + CHUNK)
        local = from_rotation_vector(file.poses[part])
        hips = file.trans[part] + body.pelvis + local[:, 0] @ body.hips
        local[:, 0] = upright @ local[:, 0]
        roots[part] = scale * hips @ upright.T - local[:, 0] @ to_hips
        if fingers:
            local[:, [SMPL_JOINTS.index(hand) for hand in HANDS]] = np.eye(3)
        rotations[part] = local
    check_motion(file.source, roots, file.fps)
    read_only(roots, rotations)
    lost = "the person's own shape (betas) is not used: it has a meaning for SMPL bodies only"
    notes = file.notes if file.shape is not None else (*file.notes, lost)
    report = MotionReport(file.model, "m", scale, up, len(file), file.fps, notes=notes)
    return Motion(roots, rotations, file.fps), report


def _up_axis(file: SmplFile) -> str:
    if file.up:
        return file.up
    step = max(1, len(file) // 500)
    mean_up = from_rotation_vector(file.poses[::step, 0])[:, :, 1].mean(axis=0)
    return "+Y" if mean_up[1] > STANDS_ALONG_Y else "+Z"


def mid_hips(skeleton: Skeleton) -> Array:
    """(3,) metres from the pelvis to the middle between the hips; the path follows the legs, not the pelvis joint."""
    left, right = (skeleton.offsets[skeleton.index(leg.root)].astype(np.float64) for leg in LEGS)
    return (left + right) / 2
