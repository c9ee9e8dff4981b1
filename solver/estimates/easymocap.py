"""EasyMocap's SMPL parameters of one frame, which turn a person about the origin, not about the pelvis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from solver.errors import InputRefused
from solver.estimates.checks import whole_people
from solver.estimates.content import numbers
from solver.estimates.estimate import Estimate
from solver.estimates.smpl_parameters import read_smpl
from solver.formats.smpl.motion import MEAN_BODIES
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector

# By how many numbers `poses` has: the model, and where its body ends; after it come hands, jaw and eyes.
_MODELS = {72: ("SMPL", 72), 78: ("SMPL", 66), 87: ("SMPL-X", 66), 66: ("SMPL", 66), 69: ("SMPL", 69)}
_NAMES = ("Rh", "Th", "poses")


def read_easymocap(content: Any, source: str) -> Estimate | None:
    """A list of people, also in `annots`: `Rh` (1, 3), `Th` (1, 3), `poses` (1, 72, 78 or 87), `shapes` (1, 10)."""
    people = content.get("annots") if isinstance(content, Mapping) else content
    if not isinstance(people, list) or not people or not all(isinstance(one, Mapping) for one in people):
        return None
    if not all("Rh" in one and "Th" in one for one in people):
        if all("keypoints3d" in one for one in people):
            way_out = "Open the file of the same frame in the folder smpl"
            raise InputRefused(source, "holds EasyMocap's points, not its SMPL parameters", way_out, "keypoints3d")
        return None
    told: dict[str, list[Any]] = {"global_orient": [], "body_pose": [], "transl": [], "betas": []}
    models = set()
    left_out, notes = whole_people(people, (*_NAMES, "shapes"))
    for i, one in enumerate(people):
        if i in left_out:
            continue
        if "poses" not in one:
            raise InputRefused(source, "holds Rh and Th, but no poses", "Save poses as well", f"[{i}]")
        turn, path, pose = (numbers(one[name], source, f"[{i}].{name}").ravel() for name in _NAMES)
        if len(turn) != 3 or len(path) != 3 or len(pose) not in _MODELS:
            reason = f"has {len(turn)}, {len(path)} and {len(pose)} numbers in Rh, Th and poses"
            raise InputRefused(source, reason, "Save one frame: 3, 3, and 72, 78 or 87 numbers", f"[{i}]")
        model, end = _MODELS[len(pose)]
        models.add(model)
        about, own = (np.asarray(from_rotation_vector(vector)) for vector in (turn, pose[:3] * (len(pose) != 69)))
        pelvis = np.array(MEAN_BODIES[model].pelvis)
        body = pose[3:end] if len(pose) != 69 else pose
        told["global_orient"].append(to_rotation_vector(about @ own))
        told["body_pose"].append(np.pad(body, (0, (69 if model == "SMPL" else 63) - len(body))))
        told["transl"].append(path + about @ pelvis - pelvis)
        shapes = numbers(one.get("shapes", np.zeros(10)), source, f"[{i}].shapes").ravel()
        told["betas"].append(np.pad(shapes[:10], (0, max(0, 10 - len(shapes)))))
    if len(models) > 1:
        raise InputRefused(source, "holds people of several models", "Save those of one model", "poses")
    found = read_smpl({name: np.array(rows) for name, rows in told.items()}, source)
    return None if found is None else replace(found, kind="EasyMocap", notes=(*notes, *found.notes))
