"""Fits our body to one person's landmarks; where the picture leaves depth open, every reading of a limb is tried.

A picture cannot tell a limb that points at the camera from one that points away (Taylor, CVIU 2000): for each arm and
leg the mirrored readings of its two bones are started from as well, and limits, the natural prior and the landmark
network's own depth decide between them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.estimators.evidence import Evidence
from solver.estimators.least_squares import Fit, Weights, minimise, posed_joints
from solver.estimators.start import analytic_start, placed
from solver.kinematics.rotations import between
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS

Array = NDArray[np.float64]
_J = {name: j for j, name in enumerate(SMPL_JOINTS)}

_LIMBS = tuple(
    tuple(_J[f"{side}_{name}"] for name in limb)
    for limb in (("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist"))
    for side in ("left", "right")
)
_TRIAL_STEPS, _FINAL_STEPS = 8, 30
_FORESHORTENED = 0.12  # share of a bone's length along the view below which its mirror image is the same reading


def fit_person(body: Body, seen: Evidence, weights: Weights | None = None) -> Fit:
    """The pose, place and proportions that explain the landmarks best."""
    weights = weights or Weights()
    best = minimise(body, seen, analytic_start(body, seen), weights, _FINAL_STEPS)
    for _ in range(2):
        before = best.cost
        for limb in _LIMBS:
            for readings in product((False, True), repeat=2):
                other = _mirrored(body, best, limb, readings)
                if other is None:
                    continue
                tried = minimise(body, seen, placed(body, seen, other), weights, _TRIAL_STEPS)
                if tried.cost < best.cost:
                    best = tried
        if best.cost > before * 0.995:
            break
    return minimise(body, seen, best, weights, _FINAL_STEPS)


def shape_of(fit: Fit) -> BodyShape:
    """The fit's proportions as a body's shape."""
    return BodyShape(fit.betas.astype(np.float32))


def _mirrored(body: Body, fit: Fit, limb: tuple[int, ...], readings: tuple[bool, ...]) -> Fit | None:
    """The fit with some bones of a limb mirrored in depth; None where that changes nothing."""
    places, turns = posed_joints(body, fit)
    world = turns.copy()
    changed = False
    for joint, child, mirror in zip(limb, limb[1:], readings, strict=False):
        bone = places[child] - places[joint]
        if mirror and abs(bone[2]) > _FORESHORTENED * np.linalg.norm(bone):
            world[joint] = between(bone, bone * [1, 1, -1]) @ world[joint]
            changed = True
    if not changed:
        return None
    local = fit.rotations.copy()
    for joint in limb:
        local[joint] = world[SMPL_PARENTS[joint]].T @ world[joint]
    return replace(fit, rotations=local)
