"""The uncertainty of a person's joints, by how far several looks at the person disagree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import LIMB_LANDMARKS, NOSE
from solver.photo.sighting import SEEN, SUPPOSED, Sighting
from solver.rig.roles import SIDES, Role

DEPTH_SHARE = 0.25  # of the disagreement along the view: however large, the picture still fixes a joint across it
LOOKS = 10  # at a person, as a rule; a sighting does not say how many there were


def joint_uncertainty(person: Landmarks) -> dict[str, float]:
    """Metres by joint, for joints near a landmark, the pelvis and the head; empty if there was only a single look."""
    if person.spread is None:
        return {}
    across, along = np.linalg.norm(person.spread[:, :2], axis=1), person.spread[:, 2]
    marks = range(len(across))
    return _by_joint({i: _off(across[i], along[i], person.visibility[i], len(person.looks)) for i in marks})


def sighting_uncertainty(sighting: Sighting, metres_per_pixel: float) -> dict[str, float]:
    """Metres by joint, from what is kept of the looks. Points put by hand are unsure in depth alone; points whose
    spread is not known are left out."""
    off = {
        mark: _off((point.pixel_spread or 0.0) * metres_per_pixel, point.depth_spread, point.confidence, LOOKS)
        for mark, point in sighting.by_mark.items()
        if point.depth_spread is not None
    }
    return _by_joint(off)


def _off(across: float, along: float, confidence: float, looks: int) -> float:
    """Metres; the median of several looks errs less than a look."""
    supposed = SUPPOSED if confidence < SEEN else 1.0
    return float((across + DEPTH_SHARE * along) / np.sqrt(max(looks, 1)) * supposed)


def _by_joint(off: Mapping[int, float]) -> dict[str, float]:
    """By BlazePose's numbers, as metres by joint."""
    marks = {Role.HEAD: (NOSE,), Role.PELVIS: (23, 24)}
    for side in range(len(SIDES)):
        for part, (first, near, _) in LIMB_LANDMARKS.items():
            if part in ("pinky", "index", "heel"):
                continue
            marks[near.mirrored if side else near] = (first + side,)
        marks[Role.RIGHT_HAND if side else Role.LEFT_HAND] = (LIMB_LANDMARKS["index"][0] + side,)
    return {
        str(role): float(np.mean([off[mark] for mark in of])) for role, of in marks.items() if all(m in off for m in of)
    }
