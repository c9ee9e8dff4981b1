"""Body files in the layout of the official ones, made of our own body."""

from __future__ import annotations

from functools import cache

import numpy as np

from solver.body.embedded_body import BODY_FOLDER
from solver.body.whole_rig import FACE_JOINTS, SMPLH_JOINTS, SMPLX_JOINTS, whole_tree


@cache
def _neutral() -> dict[str, np.ndarray]:
    """Our neutral body's file, unpacked once."""
    with np.load(BODY_FOLDER / "neutral.npz") as file:
        return {name: file[name] for name in file.files}


def official(kind: str) -> dict[str, np.ndarray]:
    """Our neutral body in the layout of an official file of that kind, with extra shape directions as those have."""
    ours, own = _neutral(), ("v_template", "shapedirs", "J_regressor", "weights", "f", "kintree_table")
    arrays = {name: ours[name].copy() for name in own}  # a test may change them
    arrays["shapedirs"] = np.concatenate([arrays["shapedirs"], np.ones_like(arrays["shapedirs"])], axis=2)
    if kind == "SMPL":
        return arrays
    names = SMPLX_JOINTS if kind == "SMPLX" else SMPLH_JOINTS
    all_names, _ = whole_tree()
    columns = dict(zip(all_names, ours["whole_weights"].T, strict=True))
    rows = dict(zip(all_names, [*ours["J_regressor"], *ours["rigid_regressor"]], strict=True))
    if kind == "SMPLH":  # an SMPL-H file's head has no joints of its own
        columns["head"] = columns["head"] + sum(columns[name] for name in FACE_JOINTS)
    weights = np.stack([columns[name] for name in names], axis=1)
    regressor = np.stack([rows[name] for name in names])
    return {**arrays, "weights": weights, "J_regressor": regressor}
