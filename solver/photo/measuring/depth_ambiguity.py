"""`python -m solver.photo.measuring.depth_ambiguity --renderings DIR [--half report]`: what dashes and marks are worth.

On renderings: how often a point called a guess is off, and how often one that is not; how many of the arms and legs
that another reading would bring nearer to the truth are marked as undecided, and how many of the marked are such.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.ik.multi_solve.depth_readings import next_reading
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.photo.accuracy import shared_indices
from solver.photo.depth_ambiguity import depth_ambiguous_limbs, extent_px, is_guess
from solver.photo.estimate import estimate_people
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import NOBODY, matched_people
from solver.photo.measuring.truth import HALVES, REPORT, KnownPerson, TruePerson, TruePicture, read_renderings
from solver.photo.people import EstimatedPerson, PhotoResult
from solver.photo.sighting import Sighting, sighting_of
from solver.rig.roles import LIMBS, SMPL_ROLES, Limb
from solver.solvers.catalog import DEFAULT_SOLVER, usable_on

Array = NDArray[np.float64]
OFF_PLACE, OFF_DEPTH = 0.04, 0.15  # of the extent, and metres, beyond which a point counts as off
NEARER = 0.05  # metres by which another reading brings hinge and end nearer to the truth, of a limb that is wrong
_HINGES = {"elbow": 13, "knee": 25}  # BlazePose's number of a limb's hinge; its end follows at +2, the right one at +1


@dataclass(frozen=True)
class LimbRow:
    """One arm or leg. guess, off: (2,) of its hinge and end, whether they are called guesses and whether they are off.
    marked: whether it is undecided and has another reading; wrong: whether another reading is nearer to the truth."""

    guess: tuple[bool, bool]
    off: tuple[bool, bool]
    marked: bool
    wrong: bool


def rows_of(picture: TruePicture, folder: Path, body: Body) -> list[LimbRow]:
    """All limbs of everybody found in a rendering. InputRefused if it cannot be read."""
    result, shared = estimate_people(load_image(folder / picture.name), body), shared_indices()
    known = [KnownPerson(p.posture, p.joints[shared], p.pixels[shared]) for p in picture.people]
    rows: list[LimbRow] = []
    for person, number in zip(picture.people, matched_people(known, result, body), strict=True):
        if number != NOBODY:
            rows += _limbs(body, result, result.people[number], person, picture)
    return rows


def _limbs(
    body: Body, result: PhotoResult, read: EstimatedPerson, true: TruePerson, picture: TruePicture
) -> list[LimbRow]:
    body = read.own(body)
    solver, skeleton = usable_on(DEFAULT_SOLVER, body).solver, body.skeleton(read.shape)
    places = forward_kinematics(skeleton, read.pose).positions.astype(np.float64)
    sighting = sighting_of(read.landmarks, "")
    undecided = depth_ambiguous_limbs(skeleton, places, result.camera.position, sighting)
    extent = float(np.linalg.norm(np.ptp(true.pixels, axis=0)))
    here, there = result.camera.in_frame(places), picture.camera.in_frame(true.joints)
    pixels = result.camera.project(places)
    rows = []
    for limb in LIMBS:
        line = [SMPL_ROLES.index(role) for role in limb.line]
        others = [result.camera.in_frame(each) for each in _others(body, solver, read, limb, result.camera.position)]
        best = min((_apart(other, there, line) for other in others), default=np.inf)
        aside = np.linalg.norm(pixels - true.pixels, axis=1)[line[1:]] / extent
        deep = np.abs(_depths(here, line) - _depths(there, line))
        off = (aside > OFF_PLACE) | (deep > OFF_DEPTH)
        rows.append(
            LimbRow(
                _guesses(sighting, limb),
                (bool(off[0]), bool(off[1])),
                limb in undecided and bool(others),
                _apart(here, there, line) - best > NEARER,
            )
        )
    return rows


def _others(body: Body, solver: Solver, read: EstimatedPerson, limb: Limb, eye: NDArray[np.floating]) -> list[Array]:
    """(J, 3) joints of the limb's other readings."""
    skeleton, pose, found = body.skeleton(read.shape), read.pose, []
    for _ in range(3):
        problem = IKProblem.without_masks(skeleton, (), pose, read.shape, body.id)
        other = next_reading(solver, problem, pose, limb.hinge, np.asarray(eye, np.float64))
        if other is None:
            break
        places, pose = forward_kinematics(skeleton, other).positions.astype(np.float64), other
        found.append(places)
    return found


def _apart(one: Array, other: Array, line: list[int]) -> float:
    """The mean distance of hinge and end, metres, with the roots aligned; both in their camera's frame."""
    return float(np.linalg.norm((one[line] - one[line[0]]) - (other[line] - other[line[0]]), axis=1)[1:].mean())


def _depths(places: Array, line: list[int]) -> Array:
    hips = places[[SMPL_ROLES.index(leg.root) for leg in LIMBS[2:]]].mean(axis=0)
    return np.asarray((places[line[1:]] - hips) @ (hips / np.linalg.norm(hips)))


def _guesses(sighting: Sighting, limb: Limb) -> tuple[bool, bool]:
    first, extent = _HINGES[limb.hinge.part] + (limb.side == "right"), extent_px(sighting)
    hinge, end = (is_guess(sighting.by_mark[mark], extent) for mark in (first, first + 2))
    return hinge, end


def summary(rows: list[LimbRow]) -> str:
    """A few lines of shares."""
    guess, off = (np.array([getattr(row, name) for row in rows]).ravel() for name in ("guess", "off"))
    marked, wrong = (np.array([getattr(row, name) for row in rows]) for name in ("marked", "wrong"))
    both = int((marked & wrong).sum())
    return "\n".join(
        (
            f"points: {len(guess)}, guesses: {guess.sum()}, off: {off.sum()}",
            f"off among guesses: {_share(off[guess])}, among the others: {_share(off[~guess])}",
            f"limbs: {len(rows)}, wrong: {wrong.sum()}, marked: {marked.sum()}, both: {both}",
            f"marked among the wrong: {_share(marked[wrong])}, wrong among the marked: {_share(wrong[marked])}, "
            f"wrong among the others: {_share(wrong[~marked])}",
        )
    )


def _share(flags: NDArray[np.bool_]) -> str:
    return f"{100 * flags.mean():.0f}%" if len(flags) else "none"


def main() -> int:
    """Print the shares."""
    parser = argparse.ArgumentParser(prog="python -m solver.photo.measuring.depth_ambiguity", description=__doc__)
    parser.add_argument("--renderings", metavar="DIR", type=Path, required=True)
    parser.add_argument("--half", choices=HALVES, default=REPORT)
    args = parser.parse_args()
    body, rows = load_body(DEFAULT_BODY), []
    for picture in read_renderings(args.renderings):
        if picture.half == args.half:
            rows += rows_of(picture, args.renderings, body)
    print(summary(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
