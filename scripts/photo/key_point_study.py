"""How well key points of other programs are fitted: of our own body in recorded poses, where the truth is known.

python -m scripts.photo.key_point_study [--data data/mocap.npz] [--split test] [--layout coco] [--count 100]
                                            [--noise 0.01] [--seed 1]

Points are marked where people see them (`solver.estimates.points_of_body`), and left out on the side of the head that
is turned away; each is off by the noise, a share of the person's extent in the picture. The camera's lens is 26 to
85 mm, and the fit takes it for 50 mm. Prints the mean, or for the head also the median, over all people: degrees by
which the head is turned wrongly in the camera's frame; millimetres of all joints, best aligned (PA-MPJPE) and about the
middle of the hips.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import one_of, script_parser
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.estimates.estimate import Estimate
from solver.estimates.key_points import BODY_25, COCO_17, OPENPOSE_18, read_openpose
from solver.estimates.people import to_people
from solver.estimates.points_of_body import seen_points
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.evaluation.poses import random_shape
from solver.focal_length import focal_px
from solver.formats.clip_folder import SPLITS
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_quaternion_xyzw, from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.fit.evidence import EARS, EYES, NOSE
from solver.rig.roles import Role
from solver.training.data.dataset import QUATERNION_SCALE, PoseData, load_pose_data
from solver.training.data.pose_prior import without_heading

Array = NDArray[np.float64]
LAYOUTS = {"coco": (COCO_17, 17), "body25": (BODY_25, 25), "openpose18": (OPENPOSE_18, 18)}
SIDE = 900  # pixels
HEAD = SMPL_JOINTS.index(Role.HEAD)
# Which way points of the face look, in the head's frame, and the cosine to the camera below which they are hidden.
FACING = {NOSE: (0.0, 0.0, 1.0), EYES[0]: (0.5, 0.0, 0.87), EYES[1]: (-0.5, 0.0, 0.87)}
FACING |= {EARS[0]: (1.0, 0.0, -0.1), EARS[1]: (-1.0, 0.0, -0.1)}
TURNED_AWAY = -0.1


class Sample(NamedTuple):
    """One person. places (24, 3), rotations (24, 3, 3): of the joints in the camera's frame, x right, y up, metres.
    pixels: (33, 2) by BlazePose's numbers, NaN where there is no point or it is hidden."""

    places: Array
    rotations: Array
    pixels: Array


def sample(body: Body, data: PoseData, frame: int, noise: float, rng: np.random.Generator) -> Sample:
    """A random person in a recorded pose, turned anyhow, before a random camera."""
    turns = from_quaternion_xyzw(data.quaternions_xyzw[frame] / QUATERNION_SCALE)
    local = np.tile(np.eye(3), (len(SMPL_JOINTS), 1, 1))
    local[: len(turns)] = turns
    local = without_heading(local[None])[0]
    local[0] = from_rotation_vector([0.0, rng.uniform(-np.pi, np.pi), 0.0]) @ local[0]
    pose = Pose(np.zeros(3, np.float32), local.astype(np.float32))
    posed = forward_kinematics(body.skeleton(random_shape(rng)), pose)
    places, points = posed.positions.astype(np.float64), seen_points(body)
    focal = focal_px(float(np.exp(rng.uniform(np.log(26), np.log(85)))), (SIDE, SIDE))
    turn = from_rotation_vector([-np.radians(rng.normal(8, 10)), 0.0, 0.0])
    extent = np.linalg.norm(np.ptp(places @ turn, axis=0)[:2]) + 0.3
    away = focal * extent / (SIDE * rng.uniform(0.5, 0.95))
    eye = (places.max(axis=0) + places.min(axis=0)) / 2 + turn[:, 2] * away
    marks = (points.places(places, posed.rotations) - eye) @ turn
    shown = focal * marks[:, :2] * [1.0, -1.0] / -marks[:, 2:] + SIDE / 2
    shown += rng.normal(size=shown.shape) * noise * np.linalg.norm(np.ptp(shown, axis=0))
    pixels, rotations = np.full((33, 2), np.nan), turn.T @ posed.rotations
    pixels[points.landmark] = shown
    there = (places[HEAD] - eye) @ turn
    for mark, way in FACING.items():
        if rotations[HEAD] @ np.array(way) @ -there < TURNED_AWAY * np.linalg.norm(there):
            pixels[mark] = np.nan
    return Sample((places - eye) @ turn, rotations, pixels)


def as_file(one: Sample, layout: dict[int, int], count: int) -> Estimate | None:
    """The person as OpenPose's JSON has it, read."""
    rows = np.zeros((count, 3))
    for number, mark in layout.items():
        if not np.isnan(one.pixels[mark, 0]):
            rows[number] = *one.pixels[mark], 1.0
    return read_openpose({"people": [{"pose_keypoints_2d": rows.ravel().tolist()}]}, "study")


def errors(body: Body, one: Sample, estimate: Estimate) -> tuple[float, float, float]:
    """Degrees of the head; millimetres best aligned; millimetres about the middle of the hips."""
    result = to_people(estimate, body, (SIDE, SIDE)).result
    (person,), camera = result.people, result.camera
    posed = forward_kinematics(body.skeleton(person.shape), person.pose)
    places, rotations = posed.positions @ camera.rotation, camera.rotation.T @ posed.rotations
    off = (places - places[1:3].mean(axis=0)) - (one.places - one.places[1:3].mean(axis=0))
    head = np.linalg.norm(to_rotation_vector(one.rotations[HEAD].T @ rotations[HEAD]))
    best = float(np.mean(pa_mpjpe_mm(places, one.places)))
    return float(np.degrees(head)), best, 1000 * float(np.linalg.norm(off, axis=1).mean())


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("--split", type=one_of(SPLITS), default="test")
    parser.add_argument("--layout", type=one_of(LAYOUTS), default="coco", help="of: " + ", ".join(LAYOUTS))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--noise", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    data, body, rng = load_pose_data(args.data), load_body(DEFAULT_BODY), np.random.default_rng(args.seed)
    frames, found = data.frames_of(args.split), []
    for _ in range(args.count):
        one = sample(body, data, int(rng.choice(frames)), args.noise, rng)
        estimate = as_file(one, *LAYOUTS[args.layout])
        if estimate is not None and estimate.people:
            found.append(errors(body, one, estimate))
    head, best, about = np.array(found).T
    print(f"{len(found)} people: head {head.mean():.1f}° (median {np.median(head):.1f}°), ", end="")
    print(f"joints {best.mean():.0f} mm best aligned, {about.mean():.0f} mm about the hips")


if __name__ == "__main__":
    main()
