"""How well the photo networks and the fit do on renderings of our own body in recorded poses, where the truth is known.

python -m scripts.photo.landmark_study --bvh FOLDER [--split train] [--count 400] [--seed 1]

Prints, part by part, by how much the networks' marks are offset from where `solver.photo.fit.evidence` expects them
(add it to its MEASURED), how far they are off in the picture and in depth, by how much their metres are turned as a
whole, and the error of poses (PA-MPJPE over 12 joints) of the landmarks as given and of the fit, which knows as little
about the lens as with most photos.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.services.screen import drawing
from rendering.camera.camera import PhotoView
from rendering.drawing.offscreen import render_image
from rendering.scene.values import Figure, Mesh, Scene
from scripts.arguments import script_parser
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.evaluation.poses import random_shape
from solver.focal_length import focal_px
from solver.formats.clip_folder import SPLITS, split_files
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, nearest_rotation, to_rotation_vector
from solver.photo.accuracy import nearest_person, raw_joints, shared_indices
from solver.photo.estimate import estimate_people
from solver.photo.fit.evidence import EARS, LIMB_LANDMARKS, NOSE, body_points, evidence
from solver.photo.image_file import PhotoImage
from solver.photo.people import PhotoResult
from solver.training.data.pose_prior import read_clip, without_heading

Array = NDArray[np.float64]
SIDE = 640  # pixels
SEEN = 0.6  # visibility from which a mark counts
MISS = 0.03  # metres beyond which a mark's miss counts less and less
PARTS = {NOSE: ("nose", 1.0), EARS[0]: ("ear", 1.0), EARS[1]: ("ear", -1.0)} | {
    first + i: (part, (1.0, -1.0)[i]) for part, (first, *_) in LIMB_LANDMARKS.items() for i in (0, 1)
}


@dataclass(frozen=True, eq=False)
class Sample:
    """A rendering. places (24, 3), rotations (24, 3, 3): of the joints in the camera's frame, x right, y up, metres."""

    picture: PhotoImage
    places: Array
    rotations: Array
    focal_px: float


class Mark(NamedTuple):
    """One landmark: by (2, 3) the effect of its offset in the picture, off (2,) metres there, metres off in depth."""

    moves: Array
    off: Array
    deep: float


def samples(clips: list[Array], count: int, seed: int) -> Iterator[Sample]:
    """Random people in random recorded poses, with random cameras, the studio's lights and plain backgrounds."""
    rng, body = np.random.default_rng(seed), load_body(DEFAULT_BODY)
    for _ in range(count):
        clip = clips[rng.integers(len(clips))]
        local = without_heading(clip[rng.integers(len(clip))][None])[0]
        local[0] = from_rotation_vector([0.0, rng.uniform(-np.pi, np.pi), 0.0]) @ local[0]
        shape = random_shape(rng)
        skeleton, pose = body.skeleton(shape), Pose(np.zeros(3, np.float32), local.astype(np.float32))
        posed = forward_kinematics(skeleton, pose)
        places = posed.positions.astype(np.float64)
        focal = focal_px(float(np.exp(rng.uniform(np.log(26), np.log(85)))), (SIDE, SIDE))
        down, roll = np.radians(rng.normal(8, 10)), np.radians(rng.normal(0, 2))
        turn = from_rotation_vector([-down, 0.0, 0.0]) @ from_rotation_vector([0.0, 0.0, roll])
        extent = np.linalg.norm(np.ptp(places @ turn, axis=0)[:2]) + 0.3
        away = focal * extent / (SIDE * rng.uniform(0.5, 0.95))
        aside = rng.uniform(-0.1, 0.1, 2) * SIDE * away / focal
        eye = (places.max(axis=0) + places.min(axis=0)) / 2 - turn @ np.array([*aside, -away])
        mesh = Mesh(body.vertices(shape), body.faces, body.weights, body.suit_mask)
        skin, suit = np.array([217, 163, 131]) * rng.uniform(0.35, 1.15), rng.uniform(20, 235, 3)
        figure = Figure(
            0, mesh, skinning_matrices(skeleton, pose), places, skeleton.parents, skin=_hex(skin), suit=_hex(suit)
        )
        lens = PhotoView(PinholeCamera(eye, turn.astype(np.float32), focal, (SIDE / 2, SIDE / 2), (SIDE, SIDE)))
        drawn = render_image(Scene((figure,), grid=False), lens, (SIDE, SIDE), transparent=True).astype(np.float64)
        alpha = drawn[..., 3:] / 255
        pixels = drawn[..., :3] * alpha + _background(rng) * (1 - alpha)
        rotations = turn.T @ posed.rotations.astype(np.float64)
        yield Sample(
            PhotoImage(pixels.clip(0, 255).astype(np.uint8), "rendering", ""), (places - eye) @ turn, rotations, focal
        )


def _background(rng: np.random.Generator) -> Array:
    cells = int(rng.choice([2, 4, 8, 16, 32]))
    blotches, plain, mix = rng.uniform(0, 255, (cells, cells, 3)), rng.uniform(0, 255, 3), rng.uniform()
    picture = Image.fromarray((mix * blotches + (1 - mix) * plain).astype(np.uint8))
    return np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BICUBIC), dtype=np.float64)


def _hex(colour: Array) -> str:
    return "#" + "".join(f"{int(np.clip(value, 0, 255)):02x}" for value in colour)


def marks_of(sample: Sample, result: PhotoResult, number: int) -> tuple[dict[int, Mark], Array]:
    """What each visible landmark says, by its number, and the turn (3,) between the networks' metres and the truth."""
    points, landmarks = body_points(load_body(DEFAULT_BODY)), result.people[number].landmarks
    seen = evidence(landmarks, points, sample.focal_px, (SIDE / 2, SIDE / 2))
    places = points.places(sample.places, sample.rotations)
    about = places - places[np.isin(points.landmark, LIMB_LANDMARKS["hip"][0] + np.arange(2))].mean(axis=0)
    limbs = ~np.isin(points.landmark, (NOSE, *EARS))
    turn = nearest_rotation(about[limbs].T @ seen.world[limbs])
    found = {}
    for p, mark in enumerate(points.landmark):
        if landmarks.visibility[mark] < SEEN:
            continue
        x, depth, mirror = places[p], -places[p, 2], np.array([PARTS[mark][1], 1.0, 1.0])
        look = np.array([[1.0, 0.0, x[0] / depth], [0.0, 1.0, x[1] / depth]])
        off = (seen.pixels[p] - sample.focal_px * x[:2] / depth) * depth / sample.focal_px
        deep = float(seen.world[p, 2] - about[p, 2])
        found[int(mark)] = Mark(look @ sample.rotations[points.carrier[p]] * mirror, off, deep)
    return found, to_rotation_vector(turn).astype(np.float64)


def better_offset(marks: list[Mark]) -> tuple[Array, float, float]:
    """By how much (3,) a part's offset should change; the median miss in the picture in metres before and after."""
    moves, off = np.stack([mark.moves for mark in marks]), np.stack([mark.off for mark in marks])
    weight, change = np.ones(len(marks)), np.zeros(3)
    for _ in range(30):
        normal = np.einsum("nij,n,nik->jk", moves, weight, moves) + 1e-3 * np.eye(3)
        change = np.linalg.solve(normal, np.einsum("nij,n,ni->j", moves, weight, off))
        miss = np.linalg.norm(off - moves @ change, axis=1)
        weight = 1 / (1 + (miss / MISS) ** 2)
    return change, float(np.median(np.linalg.norm(off, axis=1))), float(np.median(miss))


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True, help="folder of BVH files with a manifest.json of splits")
    parser.add_argument("--split", choices=SPLITS, default="val")
    parser.add_argument("--count", type=int, default=160)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    if given.count < 1:
        parser.error("--count takes a number of pictures, 1 or more")
    try:
        clips = [read_clip(path) for path in split_files(given.bvh, given.split).values()]
        with drawing():
            _study(samples(clips, given.count, given.seed))
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _study(pictures: Iterator[Sample]) -> None:
    body = load_body(DEFAULT_BODY)
    marks: dict[str, list[Mark]] = {part: [] for part, _ in PARTS.values()}
    turns, raw, fit, missed = [], [], [], 0
    for sample in pictures:
        truth = sample.places[shared_indices()]
        result = estimate_people(sample.picture, body)
        if not result.people:
            missed += 1
            continue
        best, error = nearest_person(result, truth, body)
        fit.append(error)
        raw.append(pa_mpjpe_mm(raw_joints(result, best), truth))
        found, turn = marks_of(sample, result, best)
        turns.append(turn)
        for number, mark in found.items():
            marks[PARTS[number][0]].append(mark)
    if not fit:
        raise PoserError("Nobody was found in any of the pictures, so there is nothing to report.")
    print(f"{len(fit)} people found, {missed} not")
    print("part       marks   change of offset, mm       off in the picture, mm   in depth, mm (medians)")
    for part, rows in marks.items():
        if not rows:
            continue
        change, before, after = better_offset(rows)
        deep = 1000 * np.median([abs(row.deep) for row in rows])
        shown = "".join(f"{1000 * value:8.1f}" for value in change)
        print(f"{part:<10}{len(rows):6}{shown}{1000 * before:17.1f} -> {1000 * after:.1f}{deep:18.1f}")
    low, high = np.percentile(np.degrees(turns), [16, 84], axis=0)
    print("turn of the metres, degrees (half the middle 68%): " + "".join(f"{v:6.1f}" for v in (high - low) / 2))
    for name, errors in (("landmarks", raw), ("fit", fit)):
        print(f"{name}: PA-MPJPE mean {np.mean(errors):.1f}, median {np.median(errors):.1f} mm")


if __name__ == "__main__":
    sys.exit(main())
