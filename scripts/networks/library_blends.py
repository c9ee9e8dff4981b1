"""More poses like those of a library.

python -m scripts.networks.library_blends --data data/with-library.npz -o data/blends.npz

Two library poses of one posture are mixed, and a part of the difference between two recorded poses is put on top, so
that the change is one that bodies make. Results unlike a human pose are thrown away. Held-out poses take no part. The
poses are added to the data as clips called “blend/…”.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from scripts.networks.contact_poses import recorded, with_clip
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.body_joints import body_skeleton
from solver.evaluation.naturalness import beyond_limits, prior_energy
from solver.evaluation.posture import POSTURES
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, interpolate, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.training.data.dataset import PoseData, load_pose_data, save_pose_data
from solver.training.data.posture_balance import frame_postures

ENERGY, BEYOND_DEG = 1.25, 8.0  # of what is kept: energy at most, in those of both poses; how much further it may bend
PUT_ON = 0.35  # the most of the difference between two recorded poses


def main(arguments: list[str] | None = None) -> None:
    """Make the poses, say how many of each posture were kept, and write them with those that they are made from."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--data", type=Path, required=True, help="made by “train prepare --library”")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=60, help="poses tried for each pose of the library")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    data = load_pose_data(args.data)
    skeleton = body_skeleton(load_body(DEFAULT_BODY).skeleton(BodyShape()))
    rng = np.random.default_rng(args.seed)
    still, moving = of_library(data)
    postures = frame_postures(data, still, skeleton)
    for posture in np.unique(postures):
        ones = still[postures == posture]
        tried = [blended(data, skeleton, one, rng.choice(ones), moving, rng) for one in ones for _ in range(args.each)]
        kept = [pose for pose in tried if pose is not None]
        print(f"{POSTURES[posture].value}: {len(ones)} poses, {len(kept)} of {len(tried)} kept", flush=True)
        data = with_clip(data, f"blend/{POSTURES[posture].value}", kept)
    save_pose_data(data, args.out)


def of_library(data: PoseData) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One frame of each still clip to learn from, and all frames of the others."""
    frames = data.frames_of("train")
    clips = data.frame_clip[frames]
    library = [i for i, name in enumerate(data.clip_names) if name.startswith("poses/")]
    still = np.isin(clips, library)
    return frames[still][np.unique(clips[still], return_index=True)[1]], frames[~still]


def blended(
    data: PoseData, skeleton: Skeleton, one: int, other: int, moving: NDArray[np.int64], rng: np.random.Generator
) -> Pose | None:
    """A pose between two, with something recorded on top; None if it comes out unlike a human pose."""
    poses = [recorded(data, one), recorded(data, other)]
    turns = [np.array(pose.rotations, np.float64) for pose in poses]
    for turn in turns:
        turn[0] = ahead(turn[0])
    share = rng.uniform(0.0, 0.6)
    mixed = np.asarray(interpolate(turns[0], turns[1], share), np.float64)
    before, after = (np.asarray(recorded(data, frame).rotations, np.float64) for frame in rng.choice(moving, 2))
    put_on = rng.uniform(0.0, PUT_ON) * to_rotation_vector(np.swapaxes(before, 1, 2) @ after)
    put_on[0] = rng.normal(0.0, np.radians(4.0), 3)  # the root's own heading is any
    mixed = mixed @ from_rotation_vector(put_on)
    three = np.stack([*turns, mixed])
    energies, beyond = prior_energy(three), beyond_limits(three)
    if energies[2] > ENERGY * energies[:2].max() or beyond[2] > beyond[:2].max() + BEYOND_DEG:
        return None
    lows = [forward_kinematics(skeleton, pose).positions[:, 1].min() for pose in poses]
    pose = Pose(np.zeros(3, np.float32), mixed.astype(np.float32))
    lowest = forward_kinematics(skeleton, pose).positions[:, 1].min()
    height = (1.0 - share) * lows[0] + share * lows[1] - lowest
    return Pose(np.array([0.0, height, 0.0], np.float32), pose.rotations)


def ahead(root: NDArray[np.floating]) -> NDArray[np.floating]:
    """A root's rotation without its heading: the way the chest faces or, for a person lying down, the head points."""
    way = root @ np.array([0.0, 0.0, 1.0])
    if abs(way[1]) > 0.7:
        way = root @ np.array([0.0, 1.0, 0.0])
    heading = np.array([0.0, -np.arctan2(way[0], way[2]), 0.0])
    return np.asarray(from_rotation_vector(heading) @ root)


if __name__ == "__main__":
    main()
