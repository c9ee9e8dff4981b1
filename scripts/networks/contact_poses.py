"""Unrecorded poses on the floor: `python -m scripts.networks.contact_poses --data data/mocap.npz -o data/contact.npz`.

A recorded pose is tilted as its posture asks and brought to the floor by the exact stage, contacts at their heights.
Results unlike a human pose are thrown away. The poses are added to the data as clips called “synthetic/…”.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scripts.arguments import script_parser
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.kinds import Position
from solver.effectors.placement import placed
from solver.evaluation.body_joints import body_skeleton
from solver.evaluation.naturalness import beyond_limits, prior_energy
from solver.ik.exact import refine
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_quaternion_xyzw, from_rotation_vector, to_quaternion_xyzw
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import Role
from solver.training.data.dataset import QUATERNION_SCALE, PoseData, load_pose_data, quantised, save_pose_data

JITTER = 0.06  # metres, of contacts
MOST_ENERGY, MOST_BEYOND_DEG, LOWEST, MISSED = 8.0, 15.0, -0.12, 0.08  # of what is kept; metres
Place = tuple[float, float, float]  # to the left, up and ahead, metres


@dataclass(frozen=True)
class Contacts:
    """tilt: degrees by which a standing pose falls forward. places: of joints; of pairs, the left ones."""

    name: str
    tilt: float
    places: dict[Role, Place]

    def targets(self) -> dict[Role, Place]:
        """The places of both sides."""
        right = {role.mirrored: (-x, y, z) for role, (x, y, z) in self.places.items() if role.side}
        return {**self.places, **right}


SEAT, KNEELING = (
    {Role.PELVIS: (0.0, 0.10, 0.0)},
    {Role.LEFT_KNEE: (0.12, 0.07, 0.0), Role.LEFT_FOOT: (0.12, 0.04, -0.45)},
)
LYING = {**SEAT, Role.SPINE3: (0.0, 0.12, -0.30), Role.HEAD: (0.0, 0.10, -0.58)}
POSTURES = (
    Contacts("sit", -10.0, {**SEAT, Role.LEFT_ANKLE: (0.12, 0.08, 0.5)}),
    Contacts("hands_behind", -30.0, {**SEAT, Role.LEFT_ANKLE: (0.12, 0.08, 0.55), Role.LEFT_WRIST: (0.25, 0.06, -0.3)}),
    Contacts("cross_legged", 0.0, {**SEAT, Role.LEFT_KNEE: (0.32, 0.12, 0.28), Role.LEFT_ANKLE: (-0.06, 0.08, 0.3)}),
    Contacts("kneel", 0.0, {**KNEELING, Role.PELVIS: (0.0, 0.47, 0.0)}),
    Contacts("sit_on_heels", 0.0, {**KNEELING, Role.PELVIS: (0.0, 0.22, -0.33)}),
    Contacts("all_fours", 80.0, {**KNEELING, Role.LEFT_WRIST: (0.2, 0.06, 0.5)}),
    Contacts("plank", 75.0, {Role.LEFT_FOOT: (0.1, 0.04, 0.0), Role.LEFT_WRIST: (0.2, 0.06, 1.25)}),
    Contacts("back", -90.0, {**LYING, Role.LEFT_ANKLE: (0.12, 0.07, 0.75)}),
    Contacts("back_knees_up", -90.0, {**LYING, Role.LEFT_ANKLE: (0.12, 0.08, 0.4)}),
    Contacts("belly", 90.0, {**SEAT, Role.SPINE3: (0.0, 0.12, 0.3), Role.LEFT_FOOT: (0.12, 0.05, -0.85)}),
)

# Those that renderings of people (`scripts.photo.rendered_people`) make in another way.
ALSO = (
    Contacts(
        "chair",
        0.0,
        {Role.PELVIS: (0.0, 0.5, 0.0), Role.LEFT_KNEE: (0.13, 0.5, 0.4), Role.LEFT_ANKLE: (0.13, 0.08, 0.42)},
    ),
    Contacts(
        "crouch",
        20.0,
        {Role.PELVIS: (0.0, 0.35, -0.1), Role.LEFT_ANKLE: (0.14, 0.08, 0.0), Role.LEFT_FOOT: (0.16, 0.04, 0.13)},
    ),
)


def main(arguments: list[str] | None = None) -> None:
    """Make the poses, say how many of each posture were kept, and write them with the recorded ones."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=1500, help="poses tried for each posture")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    data = load_pose_data(args.data)
    skeleton = body_skeleton(load_body(DEFAULT_BODY).skeleton(BodyShape()))
    rng = np.random.default_rng(args.seed)
    frames = data.frames_of("train")
    for posture in (*POSTURES, *ALSO):
        starts = rng.choice(frames, args.each)
        tried = [on_floor(skeleton, recorded(data, frame), posture, rng) for frame in starts]
        kept = [pose for pose in tried if pose is not None]
        print(f"{posture.name}: {len(kept)} of {args.each} kept", flush=True)
        data = with_clip(data, f"synthetic/{posture.name}", kept)
    save_pose_data(data, args.out)


def recorded(data: PoseData, frame: int) -> Pose:
    """One pose of the data."""
    return Pose(data.root_positions[frame], from_quaternion_xyzw(data.quaternions_xyzw[frame] / QUATERNION_SCALE))


def on_floor(skeleton: Skeleton, pose: Pose, posture: Contacts, rng: np.random.Generator) -> Pose | None:
    """The pose in that posture; None if it comes out unlike a human pose."""
    rotations = np.array(pose.rotations)
    ahead = rotations[0] @ np.array([0.0, 0.0, 1.0])
    heading = from_rotation_vector(np.array([0.0, -np.arctan2(ahead[0], ahead[2]), 0.0]))
    fallen = from_rotation_vector(np.array([np.radians(posture.tilt + rng.normal(0.0, 10.0)), 0.0, 0.0]))
    rotations[0] = fallen @ heading @ rotations[0]
    targets = {name: np.array(at) + rng.normal(0.0, JITTER, 3) for name, at in posture.targets().items()}
    effectors = tuple(
        Position(id=name, joint=name, target=np.array([x, posture.targets()[name][1], z], np.float32))
        for name, (x, _, z) in targets.items()
    )
    lowered = placed(skeleton, Pose(np.zeros(3, np.float32), rotations.astype(np.float32)), effectors)
    found = refine(IKProblem.without_masks(skeleton, effectors, lowered), lowered)
    joints = forward_kinematics(skeleton, found.pose).positions
    local = np.asarray(found.pose.rotations, np.float64)[None]
    fits = max(residual.value for residual in found.residuals) < MISSED and joints[:, 1].min() > LOWEST
    likely = prior_energy(local)[0] < MOST_ENERGY and beyond_limits(local)[0] < MOST_BEYOND_DEG
    return found.pose if fits and likely else None


def with_clip(data: PoseData, name: str, poses: list[Pose]) -> PoseData:
    """The data with one more clip to learn from."""
    if not poses:
        return data
    turns = quantised(to_quaternion_xyzw(np.stack([pose.rotations for pose in poses])))
    return replace(
        data,
        quaternions_xyzw=np.concatenate([data.quaternions_xyzw, turns]),
        root_positions=np.concatenate([data.root_positions, np.stack([pose.root_position for pose in poses])]),
        frame_clip=np.concatenate([data.frame_clip, np.full(len(poses), len(data.clip_names), np.int32)]),
        clip_names=(*data.clip_names, name),
        clip_splits=(*data.clip_splits, "train"),
    )


if __name__ == "__main__":
    main()
