"""Fits our body to one person's landmarks; where the picture leaves depth open, every reading of a limb is tried.

A picture cannot tell a limb that points at the camera from one that points away (Taylor, CVIU 2000): for each arm and
leg the mirrored readings of its two bones are started from as well, and the limb held out to the camera, of which the
picture shows next to nothing; limits, the natural prior and the depths in the evidence decide between them.

What face and hands show comes in last: a hand seen wrongly would choose wrong readings.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.photo.fit.evidence import NO_ROTATIONS, Evidence
from solver.photo.fit.least_squares import Fit, Weights, minimise, posed_joints
from solver.photo.fit.start import analytic_start, placed
from solver.rig.roles import ARMS, LEGS, SMPL_ROLES

Array = NDArray[np.float64]
LIMBS = tuple(tuple(SMPL_ROLES.index(role) for role in limb.line) for limb in (*LEGS, *ARMS))
READINGS = tuple(product((False, True), repeat=2))[1:]  # which bones of a limb to mirror
_TRIAL_STEPS, _FINAL_STEPS = 8, 30
# Onto the picture: of the spreads there; of what stays, depths in metres, radians of all as a whole, and betas.
_FINE, _DEPTH_M, _TURN, _SHAPE = 0.3, 0.005, 0.01, 0.1
_HELD_OUT = 0.8  # cosine to the view from which a bone already points at the camera
_ASIDE = 0.5  # how far a limb that is held out still leans the way it did; 1 is 45 degrees
_FORESHORTENED = 0.12  # share of a bone's length along the view below which its mirror image is the same reading


def fit_person(body: Body, seen: Evidence, weights: Weights | None = None) -> Fit:
    """The pose, place and proportions that explain the landmarks best."""
    weights = weights or Weights()
    with_turns, seen = seen, replace(seen, turns=NO_ROTATIONS)
    best = minimise(body, seen, analytic_start(body, seen), weights, _FINAL_STEPS)
    for _ in range(2):
        before = best.cost
        for limb in LIMBS:
            for other in (*(mirrored(body, best, limb, r) for r in READINGS), _held_out(body, best, limb)):
                if other is None:
                    continue
                tried = minimise(body, seen, placed(body, seen, other), weights, _TRIAL_STEPS)
                if tried.cost < best.cost:
                    best = tried
        if best.cost > before * 0.995:
            break
    return minimise(body, with_turns, best, weights, _FINAL_STEPS)


def onto_picture(body: Body, seen: Evidence, fit: Fit) -> Fit:
    """The fit nearer to its landmarks in the picture, with its depths and proportions; its cost stays what it was.

    The picture is what the user sees. But it tells little about depth: what landmarks are off by there would go into
    depth and proportions, were all of the fit held to them as firmly.
    """
    points, weights = seen.points, Weights()
    places = points.places(*posed_joints(body, fit))
    known = replace(
        seen, world=places - places[points.hips].mean(axis=0), world_weights=np.ones(len(places)),
        turns=seen.turns._replace(spread=_FINE * seen.turns.spread),
    )  # fmt: skip
    firm = replace(weights, pixel=_FINE * weights.pixel, depth=_DEPTH_M, turn=_TURN, shape=_SHAPE)
    start = replace(fit, betas=np.zeros_like(fit.betas), turn=np.zeros(2))
    nearer = minimise(body, known, start, firm, _FINAL_STEPS, shape_of(fit))
    return replace(nearer, betas=fit.betas + nearer.betas, turn=fit.turn, cost=fit.cost)


def shape_of(fit: Fit) -> BodyShape:
    """The fit's proportions as a body's shape."""
    return BodyShape(fit.betas.astype(np.float32))


def mirrored(body: Body, fit: Fit, limb: tuple[int, ...], readings: tuple[bool, ...]) -> Fit | None:
    """The fit with some bones of a limb mirrored in depth; None where that changes nothing."""
    places, turns = posed_joints(body, fit)
    world = turns.copy()
    changed = False
    for joint, child, mirror in zip(limb, limb[1:], readings, strict=False):
        bone = places[child] - places[joint]
        if mirror and abs(bone[2]) > _FORESHORTENED * np.linalg.norm(bone):
            world[joint] = rotation_between(bone, bone * [1, 1, -1]) @ world[joint]
            changed = True
    return _with_limb(fit, limb, world) if changed else None


def _held_out(body: Body, fit: Fit, limb: tuple[int, ...]) -> Fit | None:
    """The fit with a limb towards the camera, leaning as it did; None if one of its bones already points there."""
    places, turns = posed_joints(body, fit)
    world = turns.copy()
    for joint, child in pairwise(limb):
        bone = places[child] - places[joint]
        across = bone * [1.0, 1.0, 0.0]
        if bone[2] > _HELD_OUT * np.linalg.norm(bone):
            return None
        goal = _ASIDE * across / max(float(np.linalg.norm(across)), 1e-6) + [0.0, 0.0, 1.0]
        world[joint] = rotation_between(bone, goal) @ world[joint]
    return _with_limb(fit, limb, world)


def _with_limb(fit: Fit, limb: tuple[int, ...], world: Array) -> Fit:
    """The fit with world rotations (24, 3, 3) for a limb's joints; its hand or foot keeps its direction in the room."""
    local = fit.rotations.copy()
    for joint in limb:
        local[joint] = world[SMPL_PARENTS[joint]].T @ world[joint]
    return replace(fit, rotations=local)
