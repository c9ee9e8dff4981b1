"""The uncertainty of a person's joints, by how far several looks at the person disagree."""

from __future__ import annotations

import numpy as np

from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import LIMB_LANDMARKS, NOSE
from solver.photo.sighting import SEEN, SUPPOSED
from solver.rig.roles import SIDES, Role

DEPTH_SHARE = 0.25  # of the disagreement along the view: however large, the picture still fixes a joint across it


def joint_uncertainty(person: Landmarks) -> dict[str, float]:
    """Metres by joint, for joints near a landmark, the pelvis and the head; empty if there was only a single look."""
    if person.spread is None:
        return {}
    across = np.linalg.norm(person.spread[:, :2], axis=1) + DEPTH_SHARE * person.spread[:, 2]
    across /= np.sqrt(max(len(person.looks), 1))  # the median errs less than a look
    off = across * np.where(person.visibility[: len(across)] < SEEN, SUPPOSED, 1.0)
    found = {Role.HEAD: float(off[NOSE])}
    for side in range(len(SIDES)):
        for part, (first, near, _) in LIMB_LANDMARKS.items():
            if part in ("pinky", "index", "heel"):
                continue
            found[near.mirrored if side else near] = float(off[first + side])
        hand = Role.RIGHT_HAND if side else Role.LEFT_HAND
        found[hand] = float(off[LIMB_LANDMARKS["index"][0] + side])
    found[Role.PELVIS] = float(off[[23, 24]].mean())
    return {str(role): metres for role, metres in found.items()}
