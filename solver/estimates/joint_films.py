"""Films of joints' places alone: HumanML3D's 22 and what text-to-motion networks save, and Human3.6M's 17.

The layouts are in docs/estimates.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.content import numbers
from solver.rig.roles import SMPL_ROLES, Role

Array = NDArray[np.float64]
T2M_FPS, OTHER_FPS = 20.0, 30.0
MOST_FRAMES = 3000  # of which each takes some hundredths of a second
H36M_17 = (
    Role.PELVIS, Role.RIGHT_HIP, Role.RIGHT_KNEE, Role.RIGHT_ANKLE, Role.LEFT_HIP, Role.LEFT_KNEE, Role.LEFT_ANKLE,
    None, Role.NECK, None, Role.HEAD, Role.LEFT_SHOULDER, Role.LEFT_ELBOW, Role.LEFT_WRIST, Role.RIGHT_SHOULDER,
    Role.RIGHT_ELBOW, Role.RIGHT_WRIST,
)  # fmt: skip
_OF_SMPL = (22, 24, 52, 55, 127)  # joints of SMPL and its kin, which all begin with the same 22
_FEATURES = {263: "HumanML3D's", 251: "KIT's"}
_KEYS = ("joints", "joints_3d", "joints3d", "positions", "positions_3d", "keypoints_3d", "motion", "poses_3d", "arr_0")
_SAVE_JOINTS = "Save its joints, as its recover_from_ric makes them: (frames, 22, 3)"


@dataclass(frozen=True, eq=False)
class JointFilm:
    """places: (T, K, 3) of `roles`, in the file's unit, Y up. up: the file's own axis. notes: what was guessed."""

    source: str
    places: Array
    roles: tuple[Role, ...]
    fps: float
    up: str
    notes: tuple[str, ...] = ()


def joint_film(content: Any, source: str) -> JointFilm | None:
    """The first person of a file of joints; None for another layout, InputRefused for features without joints."""
    table, notes = _table(content, source)
    if table is None:
        return None
    if table.ndim == 2 and table.shape[1] in _FEATURES:
        whose = _FEATURES[table.shape[1]]
        raise InputRefused(source, f"holds {whose} {table.shape[1]} features a frame, not joints", _SAVE_JOINTS)
    if table.ndim == 2:
        table = table[None]
    if table.ndim != 3 or table.shape[2] != 3 or not len(table):
        return None
    count = table.shape[1]
    if count in _OF_SMPL:
        roles: Sequence[Role | None] = SMPL_ROLES[:22]
        hips, fps = (1, 2), T2M_FPS if count == 22 else OTHER_FPS
    elif count == len(H36M_17):
        roles, hips, fps = H36M_17, (4, 1), OTHER_FPS
    else:
        return None
    places = numbers(table, source, "")
    if len(places) > MOST_FRAMES:
        reason = f"has {len(places):,} frames of joints"
        raise InputRefused(source, reason, f"Save at most {MOST_FRAMES:,} at a time")
    _check(places, hips, source)
    kept = [i for i, role in enumerate(roles) if role is not None]
    named = tuple(role for role in roles if role is not None)
    up, turned = _upright(places[:, kept], named)
    told = (*notes, f"the frame rate is missing; {fps:g} frames a second were assumed") if len(places) > 1 else notes
    return JointFilm(source, places[:, kept] @ turned.T, named, fps, up, told)


def _table(content: Any, source: str) -> tuple[NDArray[Any] | None, tuple[str, ...]]:
    """The array of joints, frames first, and what was left out."""
    if isinstance(content, np.ndarray):
        return content, ()
    if not isinstance(content, Mapping):
        return None, ()
    key = next((key for key in _KEYS if isinstance(content.get(key), np.ndarray)), None)
    table = content[key] if key else None
    if table is None or key != "motion" or table.ndim != 4:
        return (table, ()) if table is not None and table.ndim == 3 else (None, ())
    if not len(table) or table.shape[2] != 3:  # rotations, as of MDM's own features
        return None, ()
    lengths = numbers(content.get("lengths", table.shape[3]), source, "lengths").ravel()
    frames = int(np.clip(lengths[0], 1, table.shape[3])) if len(lengths) else table.shape[3]
    way = "to open another one, save results[“motion”][i].transpose(2, 0, 1) by itself"
    left = f"only the first of {len(table)} motions was read; {way}"
    return table[0, :, :, :frames].transpose(2, 0, 1), (left,) if len(table) > 1 else ()


def _check(places: Array, hips: tuple[int, int], source: str) -> None:
    """InputRefused where the joints cannot be in the order that their number says: the first is no pelvis, further from
    the middle between the hips than these are apart."""
    across = places[:, hips[0]] - places[:, hips[1]]
    wide = float(np.median(np.linalg.norm(across, axis=1)))
    off = np.linalg.norm(places[:, 0] - places[:, list(hips)].mean(axis=1), axis=1)
    if wide <= 0 or np.median(off) > wide:
        reason = f"holds {places.shape[1]} points in an order that is not known"
        way_out = "Save SMPL's 22 joints, or Human3.6M's 17 with the pelvis first"
        raise InputRefused(source, reason, way_out)


def _upright(places: Array, roles: tuple[Role, ...]) -> tuple[str, Array]:
    """The axis along which trunks mostly stand, and the turn (3, 3) that brings it to +Y."""
    at = {role: places[:, i] for i, role in enumerate(roles)}
    trunk = (at[Role.LEFT_SHOULDER] + at[Role.RIGHT_SHOULDER] - at[Role.LEFT_HIP] - at[Role.RIGHT_HIP]) / 2
    along = (trunk / np.maximum(np.linalg.norm(trunk, axis=1, keepdims=True), 1e-9)).mean(axis=0)
    return max(UP_TURNS.items(), key=lambda axis: float(axis[1][1] @ along))


UP_TURNS: dict[str, Array] = {
    "+Y": np.eye(3),
    "-Y": np.diag([1.0, -1.0, -1.0]),
    "+Z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    "-Z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
}
