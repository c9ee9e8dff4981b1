"""Whether a small network that lifts landmarks to a pose reads photos better than the fit alone.

.venv/bin/python -m scripts.lifter_study --renderings DIR [--data data/mocap.npz] [--half tune] [--minutes 20]

DIR is from `scripts.photo_renderings`. Trained on those clips of the split `train` that no picture of the half shows,
with the errors that the landmark networks make on the other half. PA-MPJPE (mm) of the people of the half, by posture:
landmarks, the network, the fit, and the fit to where the network has the points, each weighed by how sure it is, begun
at its pose and without trying other readings of limbs.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from scripts.lifter import (
    BODY,
    COUNT,
    HIPS,
    OTHER_JOINT,
    OTHER_POINT,
    POINTS,
    SIGN,
    Lessons,
    Lifter,
    names_of,
    points_of,
    trained,
)
from solver import film
from solver.body.body import SHAPE_COMPONENTS
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import between
from solver.photo.accuracy import shared_indices, shared_marks
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.people2d import find_people
from solver.photo.fit.evidence import Evidence, evidence
from solver.photo.fit.fit import fit_person
from solver.photo.fit.least_squares import Fit, Weights, minimise, posed_joints
from solver.photo.fit.start import on_ground, placed
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import HALVES, TUNE, TruePerson, TruePicture, read_renderings
from solver.training.data.dataset import load_pose_data

Array = NDArray[np.float64]
AHEAD = np.array([0.0, 0.0, -1.0])
STEPS, SURE_M, TRUST, LEAST, MOST = 30, 0.1, 0.5, 0.1, 6.0


@dataclass(frozen=True, eq=False)
class Seen:
    """Somebody of a rendering whom the networks saw."""

    picture: TruePicture
    person: TruePerson
    marks: Landmarks
    evidence: Evidence

    @property
    def straight(self) -> Array:
        """The rotation from the cut-out, see `scripts.lifter`, into the camera's frame."""
        x, y = self.evidence.pixels[HIPS].mean(axis=0)
        return between(AHEAD, np.array([x, y, -self.evidence.focal_px]))

    def off(self, joints: Array) -> float:
        """PA-MPJPE, millimetres, of joints (12, 3)."""
        return float(pa_mpjpe_mm(joints, self.person.joints[shared_indices()]))


def seen_in(folder: Path) -> list[Seen]:
    """Everybody in the renderings whom the networks see."""
    found: list[Seen] = []
    shared, marks = shared_indices(), shared_marks()
    for picture in read_renderings(folder):
        image = load_image(folder / picture.name)
        focal = image.focal_px or film.focal_px(50.0, image.size)
        for read in find_people(image.rgb):
            off = [np.median(np.linalg.norm(read.pixels[marks] - p.pixels[shared], axis=1)) for p in picture.people]
            person = picture.people[int(np.argmin(off))]
            if min(off) < IS_ONE * np.linalg.norm(np.ptp(person.pixels[shared], axis=0)):
                middle = (image.size[0] / 2, image.size[1] / 2)
                found.append(Seen(picture, person, read, evidence(read, POINTS, focal, middle)))
    return found


def errors_of(people: list[Seen]) -> tuple[Array, Array]:
    """(N, P, 3) in space and (N, P, 2) in the picture, as `Lessons` takes them; hopeless ones are left out."""
    space, flat = [], []
    for seen in people:
        posed = forward_kinematics(BODY.skeleton(seen.person.shape), seen.person.pose)
        true = POINTS.places(posed.positions, posed.rotations)
        pixels = (seen.picture.camera.project(true) - seen.picture.camera.principal_px) * [1.0, -1.0]
        true = seen.picture.camera.in_frame(true)
        hips = true[HIPS].mean(axis=0)
        true = (true - hips) @ between(AHEAD, hips)
        read = seen.evidence.world @ seen.straight
        read = read - read[HIPS].mean(axis=0)
        off = read * np.linalg.norm(true) / np.linalg.norm(read) - true
        beside = (seen.evidence.pixels - pixels) / seen.evidence.size_px
        if np.linalg.norm(off, axis=1).mean() < 0.35 and np.median(np.linalg.norm(beside, axis=1)) < 0.1:
            space.append(off)
            flat.append(beside)
    return np.array(space), np.array(flat)


def lifted(network: Lifter, bones: torch.Tensor, seen: Seen) -> tuple[Array, Array, Array]:
    """Local rotations (24, 3, 3) and points (P, 3) in the camera's frame, and how far off each point is (P,), metres:
    the mean of what the network says of what was seen and of its mirror image."""
    given, turn = seen.evidence, seen.straight
    space = given.world @ turn
    space = space - space[HIPS].mean(axis=0)
    rays = np.concatenate([given.pixels, np.full((COUNT, 1), -given.focal_px)], axis=1) @ turn
    flat = rays[:, :2] / -rays[:, 2:]
    flat = (flat - flat[HIPS].mean(axis=0)) / np.linalg.norm(np.ptp(flat, axis=0))
    weight = np.clip(given.on_picture / np.maximum(given.points.trust, 1e-6), 0.0, 1.0)
    both = (
        (flat, flat[OTHER_POINT] * [-1.0, 1.0]), (space, space[OTHER_POINT] * [-1.0, 1.0, 1.0]),
        (weight, weight[OTHER_POINT]),
    )  # fmt: skip
    with torch.no_grad():
        local, unsure = network(*(torch.tensor(np.stack(pair), dtype=torch.float32) for pair in both))
        mirrored = local[1, OTHER_JOINT] * SIGN * SIGN[:, None]
        u, _, v = torch.linalg.svd(local[0] + mirrored)
        u[:, :, 2] *= torch.det(u @ v)[:, None]
        mean = u @ v
        points, _ = points_of(mean[None], bones[None])
    rotations = mean.double().numpy().copy()
    rotations[0] = turn @ rotations[0]
    sure = 0.1 * np.exp(((unsure[0] + unsure[1, OTHER_POINT]) / 2).numpy())
    return rotations, points[0].double().numpy() @ turn.T, sure


def rows_of(people: list[Seen], network: Lifter, bones: torch.Tensor) -> dict[str, list[tuple[float, ...]]]:
    """By posture: landmarks, the network, the fit, the fit to the network."""
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    shared = shared_indices()
    for seen in people:
        rotations, points, unsure = lifted(network, bones, seen)
        metres = np.clip(TRUST * (SURE_M / unsure) ** 2, LEAST, MOST)
        told = replace(seen.evidence, world=points, in_metres=metres)
        begin = on_ground(BODY, told, placed(BODY, told, Fit(np.zeros(3), rotations, np.zeros(SHAPE_COMPONENTS))))
        fits = begin, fit_person(BODY, seen.evidence), minimise(BODY, told, begin, Weights(), STEPS)
        own = seen.marks.world[shared_marks()] * [1.0, -1.0, -1.0]
        row = seen.off(own), *(seen.off(posed_joints(BODY, fit)[0][shared].copy()) for fit in fits)
        for name in ("all", seen.person.posture):
            rows[name].append(row)
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("--half", choices=HALVES, default=TUNE, help="which is measured (default: tune)")
    parser.add_argument("--minutes", type=float, default=20.0, help="of training (default: 20)")
    given = parser.parse_args()
    torch.set_num_threads(1)
    people = seen_in(given.renderings)
    mine = [seen for seen in people if seen.picture.half == given.half]
    others = [seen for seen in people if seen.picture.half != given.half]
    shown = {
        p.clip for picture in read_renderings(given.renderings) if picture.half == given.half for p in picture.people
    }
    data = load_pose_data(given.data)
    lessons = Lessons(data, names_of(data, ["train"]) - shown, *errors_of(others))
    rows = rows_of(mine, trained(lessons, given.minutes), lessons.bones)
    print("| mm | people | landmarks | network | fit | fit to the network |\n|--|--:|--:|--:|--:|--:|")
    for name, each in rows.items():
        print(f"| {name} | {len(each)} | {' | '.join(f'{mean:.1f}' for mean in np.mean(each, axis=0))} |")


if __name__ == "__main__":
    main()
