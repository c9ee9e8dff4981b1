"""How much faces and hands say about head and wrists, on renderings with known truth.

python -m scripts.photo.face_and_hand_study --renderings DIR

DIR was written by scripts.photo.photo_renderings. Prints for each half the angle in degrees by which heads and wrists
are off, without and with what faces and hands show, and the error of poses (PA-MPJPE over 12 joints) of the people
concerned. Then, from the half “tune”, where points of face and palm are at rest: the tables of
`solver.photo.fit.observed_rotations`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.optimize import linear_sum_assignment

from app.document.exchange.people import DEFAULT_EFFECTORS, with_gaze
from scripts.arguments import script_parser
from solver import focal_length
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.errors import PoserError
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.ik.memory import FRESH
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.face_and_hands import with_face_and_hands
from solver.photo.detection.faces import is_clear_face
from solver.photo.detection.people2d import find_people
from solver.photo.fit import observed_rotations
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import fit_person, shape_of
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.fit.lifting import lifted_evidence
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import HALVES, TUNE, TruePerson, TruePicture, read_renderings
from solver.rig.roles import ARMS, Role
from solver.solvers.catalog import DEFAULT_SOLVER, usable_on
from solver.solvers.effector_costs import with_tolerance
from solver.solvers.recovery import recover_effectors

Array = NDArray[np.float64]
HEAD, WRISTS = SMPL_JOINTS.index(Role.HEAD), [SMPL_JOINTS.index(arm.end) for arm in ARMS]
_MIRROR = np.array([-1.0, 1.0, 1.0])
_ROUNDS, _ALIKE = 4, 0.5  # of the search for the middle; radians from it within which a look at a palm counts


@dataclass(frozen=True, eq=False)
class Read:
    """One person of a rendering. turned: (24, 3, 3) true rotations in the camera's frame; places (12, 3): shared
    joints. fits: without and with what face and hands show. misled: the fit to a face that is somebody else's, which
    marks and fits are without; None if there is none. seconds: of looking at face and hands."""

    half: str
    turned: Array
    places: Array
    marks: Landmarks
    seen: Evidence
    fits: tuple[Fit, Fit]
    misled: Fit | None
    principal: tuple[float, float]
    seconds: float


def read_all(folder: Path, body: Body) -> Iterator[Read]:
    """Everybody found in a set of renderings. Raises InputRefused."""
    for picture in read_renderings(folder):
        image = load_image(folder / picture.name)
        found = find_people(image.rgb)
        focal = image.focal_px or focal_length.guessed_px(image.size)
        for known, marks in paired(picture, found):
            yield _read(picture, known, marks, Image.fromarray(image.rgb), focal, body)


def paired(picture: TruePicture, found: Sequence[Landmarks]) -> list[tuple[TruePerson, Landmarks]]:
    """The people known, each with what was read of them."""
    joints, marks = shared_indices(), shared_landmarks()
    true = [person.pixels[joints] for person in picture.people]
    apart = np.ones((len(true), len(found)))
    for i, goal in enumerate(true):
        size = np.linalg.norm(np.ptp(goal, axis=0))
        apart[i] = [np.median(np.linalg.norm(goal - one.pixels[marks], axis=1)) / size for one in found]
    pairs = zip(*linear_sum_assignment(np.minimum(apart, 1.0)), strict=True)
    return [(picture.people[i], found[j]) for i, j in pairs if apart[i, j] < IS_ONE]


def _read(
    picture: TruePicture, known: TruePerson, marks: Landmarks, image: Image.Image, focal: float, body: Body
) -> Read:
    posed = forward_kinematics(load_body(known.body).skeleton(known.shape), known.pose)
    turn = picture.camera.rotation.astype(np.float64)
    principal = (image.width / 2, image.height / 2)
    began = time.perf_counter()
    with_face_and_hands(image, marks)
    seconds = time.perf_counter() - began
    _, _, plain = fit_landmarks(body, replace(marks, face=None, hands=(None, None)), focal, principal)
    own, seen, fit = fit_landmarks(body, marks, focal, principal)
    misled = None
    if own.face is None and marks.face is not None and is_clear_face(marks.face):
        misled = fit_person(body, lifted_evidence(body, replace(own, face=marks.face), focal, principal))
    turned = turn.T @ posed.rotations.astype(np.float64)
    places = known.joints[shared_indices()]
    return Read(picture.half, turned, places, own, seen, (plain, fit), misled, principal, seconds)


def degrees(body: Body, read: Read, fit: Fit, joint: int) -> float:
    """By how much a joint's rotation is off."""
    return float(
        np.degrees(np.linalg.norm(to_rotation_vector(posed_joints(body, fit)[1][joint].T @ read.turned[joint])))
    )


def millimetres(body: Body, read: Read, fit: Fit) -> float:
    """PA-MPJPE of a fit."""
    return float(pa_mpjpe_mm(posed_joints(body, fit)[0][shared_indices()], read.places))


def tell(body: Body, people: Sequence[Read]) -> None:
    """Print how far off heads and wrists are."""
    for name, joints in (("heads", [HEAD]), ("wrists", WRISTS)):
        rows = [
            (joint in read.seen.turns.joints, *(degrees(body, read, fit, joint) for fit in read.fits))
            for read in people
            for joint in joints
        ]  # fmt: skip
        for which, some in (("all", rows), ("that are seen", [row for row in rows if row[0]])):
            values = np.array([row[1:] for row in some]).reshape(-1, 2)
            told = [f"{np.mean(v):.1f} (median {np.median(v):.1f})" for v in values.T] if len(values) else []
            print(f"  {len(some)} {name} {which}: off by degrees, before and now: {', '.join(told)}")
    posed = np.array([from_handles(body, read) for read in people if HEAD in read.seen.turns.joints])
    if len(posed):
        print(f"  {len(posed)} of them posed by {DEFAULT_EFFECTORS} handles alone, without and with a look-at:")
        print(
            f"  heads off by {posed[:, 0].mean(axis=0).round(1)} degrees, joints {posed[:, 1].mean(axis=0).round(1)} mm"
        )
    for read in people:
        if read.misled is not None:
            off = [degrees(body, read, fit, HEAD) for fit in (read.misled, read.fits[1])]
            print(f"  a face that is somebody else's: head off by {off[0]:.0f} degrees with it, {off[1]:.0f} without")
    with_turns = [read for read in people if len(read.seen.turns.joints)]
    for which, group in (("all", people), ("with face or hands", with_turns)):
        errors = np.array([[millimetres(body, read, fit) for fit in read.fits] for read in group])
        if len(errors):
            print(f"  {len(group)} people {which}: {errors.mean(axis=0).round(1)} mm before and now")
    print(f"  {1000 * np.mean([read.seconds for read in people]):.0f} ms a person to look at face and hands")


def from_handles(body: Body, read: Read) -> Array:
    """(2, 2) degrees by which the head is off the truth, and millimetres from the fit; without and with a look-at."""
    fit, shape = read.fits[1], shape_of(read.fits[1])
    skeleton, solver = body.skeleton(shape), usable_on(DEFAULT_SOLVER, body).solver
    pose = Pose(fit.root.astype(np.float32), fit.rotations.astype(np.float32))
    found = recover_effectors(skeleton, shape, pose, solver.spec.id, max_effectors=DEFAULT_EFFECTORS).effectors
    rows = []
    for handles in (found, with_gaze(read.marks, pose, skeleton, found, DEFAULT_EFFECTORS)):
        problem = IKProblem.without_masks(
            skeleton, tuple(with_tolerance(e) for e in handles), natural_pose(skeleton), shape
        )
        posed = forward_kinematics(skeleton, solver.solve(problem, FRESH).pose)
        off = to_rotation_vector(posed.rotations[HEAD].T.astype(np.float64) @ read.turned[HEAD])
        apart = np.linalg.norm(posed.positions - forward_kinematics(skeleton, pose).positions, axis=1)
        rows.append((np.degrees(np.linalg.norm(off)), 1000 * apart.mean()))
    return np.array(rows).T


def at_rest(people: Sequence[Read]) -> tuple[Array, Array]:
    """(F, 3) the points of the face, made symmetric, and (K, 3) those of the left palm, in their joints' frames."""
    faces, palms = [], []
    for read in people:
        camera = read.seen.focal_px, read.principal
        if read.marks.face is not None and is_clear_face(read.marks.face):
            faces.append(
                observed_rotations.normalised_points(observed_rotations.face_points(read.marks.face, *camera))
                @ read.turned[HEAD]
            )
        for hand, joint, mirror in zip(read.marks.hands, WRISTS, (np.ones(3), _MIRROR), strict=True):
            if hand is not None and observed_rotations.is_clear_hand(hand):
                for look in observed_rotations.palm_points(hand, *camera):
                    palms.append(observed_rotations.normalised_points(look) @ read.turned[joint] * mirror)
    face, count = np.median(faces, axis=0), len(observed_rotations.PAIRED)
    first = len(observed_rotations.MIDLINE)
    other = np.concatenate([face[:first], face[first + count :], face[first : first + count]]) * _MIRROR
    palm = np.median(palms, axis=0)
    for _ in range(_ROUNDS):
        alike = [look for look in palms if np.sqrt(((look - palm) ** 2).sum(axis=1).mean()) < _ALIKE]
        palm = observed_rotations.normalised_points(np.median(alike, axis=0))
    return observed_rotations.normalised_points((face + other) / 2), palm


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR", help="with a truth.json")
    given = parser.parse_args(arguments)
    try:
        body = load_body(DEFAULT_BODY)
        people = list(read_all(given.renderings, body))
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    halves = {half: those for half in HALVES if (those := [read for read in people if read.half == half])}
    for half, those in halves.items():
        print(f"The half “{half}”:")
        tell(body, those)
    if TUNE not in halves:
        return 0
    rest = at_rest(halves[TUNE])
    for points, numbers in zip(rest, (observed_rotations.FACE_POINTS, observed_rotations.PALM_POINTS), strict=True):
        print({int(n): tuple(round(float(v), 3) for v in point) for n, point in zip(numbers, points, strict=True)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
