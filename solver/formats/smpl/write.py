"""Writing motions as AMASS has them: an .npz file of SMPL-H or SMPL-X rotations with Z up.

`smpl_to_motion` reads it back as it was.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, BodyShape
from solver.body.catalog import DEFAULT_BODY, OURS, is_fitted
from solver.body.whole_rig import HANDS, RIGID_JOINTS, SMPLH_JOINTS, SMPLX_JOINTS, carrier
from solver.errors import UnknownName
from solver.files.atomic import write_bytes
from solver.formats.smpl.motion import MEAN_BODIES, UPRIGHT, mid_hips
from solver.formats.smpl.npz import LONGEST_NAME, OUR_BODY, OUR_FITTED, OUR_NAME, OUR_SHAPE, RATES, Z_UP
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of

MODELS = {"SMPL-H": ("smplh", SMPLH_JOINTS), "SMPL-X": ("smplx", SMPLX_JOINTS)}
BETAS = 16  # as AMASS has them


class OwnBody(NamedTuple):
    """A body that is the model's own. pelvis: (3,) metres, its rest place in the model's space. betas: (10,)."""

    pelvis: NDArray[np.floating]
    betas: NDArray[np.floating]


def write_smpl_npz(path: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file of such arrays, see `smpl_arrays`, all or nothing; InputRefused if it cannot be written."""
    stream = io.BytesIO()
    np.savez_compressed(stream, **dict[str, Any](arrays))
    write_bytes(path, stream.getvalue())


def smpl_arrays(
    skeleton: Skeleton,
    content: Motion | Pose,
    *,
    model: str = "SMPL-H",
    gender: str = "neutral",
    own: OwnBody | None = None,
    shape: BodyShape | None = None,
    body: str = DEFAULT_BODY,
    name: str = "",
) -> dict[str, NDArray[Any]]:
    """The arrays of a motion's file, or of a pose's, which has one frame.

    skeleton: with SMPL's joint names. model: "SMPL-H" has 156 numbers a frame, "SMPL-X" 165.
    own: for a skeleton that is the model's own, whose path and betas are then written as they are. Without it the
    file's person is the model's mean body, as our betas mean nothing to it, and the path is scaled to its legs.
    shape, body: of our own body and its id, beside what other programs read, so that this one finds it again.
    name: what the person is called.
    """
    if model not in MODELS:
        raise UnknownName("model", model, MODELS)
    kind, joints = MODELS[model]
    motion = content if isinstance(content, Motion) else Motion(content.root_position[None], content.rotations[None])
    down, mean = UPRIGHT["+Z"].T, MEAN_BODIES[model]
    roots, turns = motion.root_positions.astype(np.float64), motion.rotations[:, 0].astype(np.float64)
    if own is None:
        hips = (roots + turns @ mid_hips(skeleton)) @ down.T * (mean.leg / rig_of(skeleton).leg_length)
        trans = hips - mean.pelvis - down @ turns @ mean.hips
    else:
        trans = roots @ down.T - own.pelvis
    vectors = np.stack([_rotation_vectors(skeleton, motion, joint, down) for joint in joints], axis=1)
    betas = np.zeros(BETAS)
    if own is not None:
        betas[: len(own.betas)] = own.betas
    return {
        "poses": vectors.reshape(len(motion), -1),
        "trans": trans,
        "betas": betas,
        "gender": np.array(gender),
        "surface_model_type": np.array(kind),
        **{rate: np.array(float(motion.fps)) for rate in RATES},
        Z_UP: np.array(1),
        **({} if shape is None else _ours(shape, body)),
        **({OUR_NAME: _bytes(name)} if name else {}),
    }


def _ours(shape: BodyShape, body: str) -> dict[str, NDArray[Any]]:
    told = np.array([GENDERS.index(shape.gender), *shape.betas], np.float64)
    if is_fitted(body):
        return {OUR_SHAPE: told, OUR_FITTED: np.frombuffer(body.encode("ascii"), np.uint8)}
    return {OUR_SHAPE: told, OUR_BODY: np.array(OURS.index(body))}


def _bytes(name: str) -> NDArray[np.uint8]:
    told = name.encode("utf-8", "replace")[:LONGEST_NAME].decode("utf-8", "ignore")
    return np.frombuffer(told.encode(), np.uint8)


def _rotation_vectors(
    skeleton: Skeleton, motion: Motion, joint: str, down: NDArray[np.floating]
) -> NDArray[np.floating]:
    """(F, 3) axis times angle of one of the model's joints in its parent's frame.

    Its fingers hang from the wrist, ours from the hand: a finger's first joint takes the hand's rotation along.
    """
    known = joint in skeleton.names
    local: NDArray[Any] = motion.rotations[:, skeleton.index(joint)].astype(np.float64) if known else np.eye(3)[None]
    if joint in RIGID_JOINTS and (hand := carrier(joint)) in HANDS:
        local = motion.rotations[:, skeleton.index(hand)] @ local
    elif skeleton.names[0] == joint:
        local = down @ local
    return to_rotation_vector(np.broadcast_to(local, (len(motion), 3, 3)))
