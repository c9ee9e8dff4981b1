"""`python -m solver.photo.accuracy --photos DIR [--copies N] [--on-picture]`: how close the
poses read from photos are to measured ones.

DIR holds photos and a ground_truth.json with joints3d_m (camera space, metres, x right, y down, z away) by photo.
Printed in millimetres: the mean distance over the 12 joints of the limbs after a similarity alignment (PA-MPJPE), for
the landmarks of a single look by the quick network, for the median of all looks by both networks, for the
fitted body's joints, for the points of that body that the landmarks mark (up to 3 cm beside the joints, so that
they can be compared with landmarks directly), and for the joints of the body posed by 6, 8 and 12 effectors alone.
`in its bones`: joints rebuilt with the true bone lengths, so that only directions are compared.
`no error in ours`: the true directions with our body's bone lengths, because the joints of other skeletons are not
quite where ours are.

--copies also measures N copies of each photo, from 95 down to 50% of its size, and prints the mean and the worst of
every column: how much a photo's pose depends on chance in its pixels.

--on-picture measures instead how well every person of every picture in DIR covers what the networks saw; no measured
poses are needed: see `solver.photo.reprojection`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.errors import InputRefused, PoserError
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.files.reading import MEBIBYTE, read_text
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.detection.blazepose import Landmarks
from solver.photo.estimate import estimate_people
from solver.photo.fit.evidence import body_points
from solver.photo.image_file import PhotoImage, load_image
from solver.photo.people import EstimatedPerson, PhotoResult
from solver.photo.reprojection import pictures_in, reprojection_errors
from solver.rig.roles import ARMS, LEGS, Limb, Role
from solver.solvers.catalog import DEFAULT_SOLVER, usable_on
from solver.solvers.recovery import recover_effectors

Array = NDArray[np.float64]

# The joints that truth and landmarks share, and the left side's landmarks; right ones follow at +1.
_LANDMARKS = dict(zip((*ARMS[0].line, *LEGS[0].line), (11, 13, 15, 23, 25, 27), strict=True))
SHARED_JOINTS: tuple[Role, ...] = (*_LANDMARKS, *(role.mirrored for role in _LANDMARKS))
EFFECTORS = (6, 8, 12)
_TURN = np.array([1.0, -1.0, -1.0])  # camera space of the truth to ours


def measure(image: PhotoImage, truth: Array, body: Body) -> dict[str, float]:
    """Millimetres by column for the person in a photo nearest to truth (12, 3), and seconds for the photo."""
    began = time.perf_counter()
    result = estimate_people(image, body)
    seconds = time.perf_counter() - began
    if not result.people:
        width, height = image.size
        raise InputRefused(image.path, f"nobody was found in it at {width} x {height} pixels", "Leave it out")
    best, error = nearest_person(result, truth, body)
    person = result.people[best]
    raw, fitted = raw_joints(result, best), fitted_joints(body, result, best)
    row = {
        "one look": float(pa_mpjpe_mm(_joints_of(person.landmarks.looks[0]), truth)),
        "landmarks": float(pa_mpjpe_mm(raw, truth)),
        "fit": error,
        "its marked points": float(pa_mpjpe_mm(_marked(body, person), truth)),
        "landmarks in its bones": float(pa_mpjpe_mm(with_bone_lengths_of(raw, truth), truth)),
        "fit in its bones": float(pa_mpjpe_mm(with_bone_lengths_of(fitted, truth), truth)),
        "no error in ours": float(pa_mpjpe_mm(with_bone_lengths_of(truth, fitted), truth)),
    }
    body = person.own(body)
    skeleton = body.skeleton(person.shape)
    solver = usable_on(DEFAULT_SOLVER, body).solver.spec.id
    for count in EFFECTORS:
        found = recover_effectors(skeleton, person.shape, person.pose, solver, max_effectors=count)
        places = forward_kinematics(skeleton, found.pose).positions[shared_indices()]
        row[f"{count} effectors"] = float(pa_mpjpe_mm(places, truth))
    return {**row, "seconds": seconds}


def nearest_person(result: PhotoResult, truth: Array, body: Body) -> tuple[int, float]:
    """The number of the person whose fitted joints are nearest to truth (12, 3), and how far off they are, in mm."""
    errors = [float(pa_mpjpe_mm(fitted_joints(body, result, i), truth)) for i in range(len(result.people))]
    best = int(np.argmin(errors))
    return best, errors[best]


def raw_joints(result: PhotoResult, number: int) -> Array:
    """(12, 3) the shared joints as the landmark networks give them."""
    return _joints_of(result.people[number].landmarks)


def landmark_pixels(result: PhotoResult, number: int) -> Array:
    """(12, 2) where the landmark networks see the shared joints in the picture."""
    return np.asarray(result.people[number].landmarks.pixels[shared_landmarks()], dtype=np.float64)


def _joints_of(landmarks: Landmarks) -> Array:
    return np.asarray(landmarks.world[shared_landmarks()] * _TURN)


def with_bone_lengths_of(joints: Array, other: Array) -> Array:
    """(12, 3) joints rebuilt from the mid-hip with their own directions and the bone lengths of another twelve."""
    built = np.zeros_like(joints)
    a, b = ({name: points[i] for i, name in enumerate(SHARED_JOINTS)} for points in (joints, other))

    def bone(start: Array, end: Array, like: Array) -> Array:
        way = end - start
        return np.asarray(way * np.linalg.norm(like) / max(float(np.linalg.norm(way)), 1e-9))

    def middle(points: dict[Role, Array], pair: tuple[Limb, Limb]) -> Array:
        return np.asarray(sum(points[limb.root] for limb in pair) / 2)

    trunk = bone(middle(a, LEGS), middle(a, ARMS), middle(b, ARMS) - middle(b, LEGS))
    for pair, at in ((LEGS, np.zeros(3)), (ARMS, trunk)):
        for limb in pair:
            own, across = limb.root, limb.root.mirrored
            place = at + bone(a[across], a[own], b[own] - b[across]) / 2
            built[SHARED_JOINTS.index(own)] = place
            for start, end in pairwise(limb.line):
                place = place + bone(a[start], a[end], b[end] - b[start])
                built[SHARED_JOINTS.index(end)] = place
    return built


def downscaled(image: PhotoImage, scale: float) -> PhotoImage:
    """A copy of a photo with its sides times scale, 0..1."""
    width, height = (max(round(side * scale), 1) for side in image.size)
    pixels = np.asarray(Image.fromarray(image.rgb).resize((width, height), Image.Resampling.LANCZOS))
    return replace(image, rgb=pixels, focal_px=image.focal_px and image.focal_px * scale)


def true_joints(entry: dict[str, Any], names: list[str]) -> Array:
    """(12, 3) the shared joints of one photo's ground truth."""
    names = entry.get("joint_names", names)
    return np.asarray(entry["joints3d_m"], dtype=np.float64)[[names.index(name) for name in SHARED_JOINTS]] * _TURN


def fitted_joints(body: Body, result: PhotoResult, number: int) -> Array:
    """(12, 3) the shared joints of the body as it was fitted."""
    person = result.people[number]
    return np.asarray(
        forward_kinematics(person.own(body).skeleton(person.shape), person.pose).positions[shared_indices()]
    )


def _marked(body: Body, person: EstimatedPerson) -> Array:
    """(12, 3) the points of the posed body that the shared joints' landmarks mark."""
    body = person.own(body)
    points, posed = body_points(body), forward_kinematics(body.skeleton(person.shape), person.pose)
    places = points.places(posed.positions, posed.rotations)
    return np.asarray(places[[list(points.landmark).index(mark) for mark in shared_landmarks()]])


def shared_landmarks() -> list[int]:
    """The landmarks of the shared joints."""
    return [_LANDMARKS[role] if role in _LANDMARKS else _LANDMARKS[role.mirrored] + 1 for role in SHARED_JOINTS]


def shared_indices() -> list[int]:
    """Where the shared joints are among SMPL's."""
    return [SMPL_JOINTS.index(name) for name in SHARED_JOINTS]


def read_truth(folder: Path) -> dict[str, Array]:
    """The shared joints of every photo in a folder's ground_truth.json that has them; InputRefused if it is not one."""
    path = folder / "ground_truth.json"
    try:
        data = json.loads(read_text(path, MEBIBYTE))
        return {name: true_joints(entry, data["joint_names"]) for name, entry in data["photos"].items()}
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise InputRefused(path, f"cannot be used as ground truth ({error})", "Correct or remove it") from error


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m solver.photo.accuracy", description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, metavar="DIR")
    parser.add_argument("--copies", type=int, default=0, metavar="N", help="measure N smaller copies of each as well")
    parser.add_argument(
        "--on-picture", action="store_true", help="compare people with their own landmarks in the photo"
    )
    given = parser.parse_args(arguments)
    if given.copies < 0:
        parser.error("--copies takes a number of copies, 0 or more")
    folder, scales = given.photos, np.linspace(0.95, 0.5, given.copies)
    try:
        body = load_body(DEFAULT_BODY)
        if given.on_picture:
            for path in pictures_in(folder):
                for number, row in enumerate(reprojection_errors(load_image(path), body), start=1):
                    _tell(f"{path.name} {number}", row, digits=2)
            return 0
        for name, truth in read_truth(folder).items():
            image = load_image(folder / name)
            _tell(name, measure(image, truth, body))
            rows = []
            for scale in scales:
                try:
                    rows.append(measure(downscaled(image, scale), truth, body))
                except InputRefused as error:
                    print(f"  {error}")
            if rows:
                _tell("  mean of its copies", {key: float(np.mean([row[key] for row in rows])) for key in rows[0]})
                _tell("  worst of its copies", {key: max(row[key] for row in rows) for key in rows[0]})
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _tell(name: str, row: dict[str, float], digits: int = 1) -> None:
    print(f"{name:<30}" + "".join(f"  {column} {value:.{digits}f}" for column, value in row.items()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
