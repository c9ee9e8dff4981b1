"""Folders of pose files as still poses to learn from and to measure on, a fixed part of them held out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import numpy as np

from solver.errors import InputRefused
from solver.formats.pose_json.pose_file import PosePerson
from solver.formats.pose_json.write import read_pose_json
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton

BODY = 22  # joints of SMPL's before the hands
EACH = 4  # one of so many poses of a folder is held out


def held_out(names: Iterable[str]) -> frozenset[str]:
    """Those of the poses ("Lying/On the back") that nothing learns from: each fourth of its folder, by name."""
    folders: dict[str, list[str]] = {}
    for name in sorted(names):
        folders.setdefault(PurePosixPath(name).parent.as_posix(), []).append(name)
    return frozenset(name for poses in folders.values() for name in poses[EACH - 2 :: EACH])


def people_of(path: Path, skeleton: Skeleton) -> tuple[PosePerson, ...]:
    """The people of a pose file; InputRefused unless all have the names of the skeleton's body joints."""
    people = read_pose_json(path).people
    for person in people:
        if person.skeleton.names[:BODY] != skeleton.names[:BODY]:
            reason = f"the joints of “{person.name}” are not those of our body" if person.name else "it is another rig"
            raise InputRefused(path, reason, "Open it in the window and save the pose of a person of the body")
    return people


def body_pose(person: PosePerson, joints: int) -> Pose:
    """The person's pose of the 22 body joints on a body of `joints` joints, the rest at rest, as in recordings."""
    rotations = np.tile(np.eye(3, dtype=np.float32), (joints, 1, 1))
    rotations[:BODY] = person.pose.rotations[:BODY]
    return Pose(person.pose.root_position, rotations)


def still_motion(path: Path, skeleton: Skeleton, held: int) -> Motion:
    """Each person of a pose file, held for `held` frames, as a motion of the skeleton; InputRefused as above.

    The root is as high as in the file, whatever the build: learning only looks at joints relative to the root.
    """
    people = people_of(path, skeleton)
    if not people:
        raise InputRefused(path, "there is nobody in it", "Choose another file")
    poses = [body_pose(person, len(skeleton.names)) for person in people]
    roots = np.array([pose.root_position for pose in poses], np.float32)
    rotations = np.stack([pose.rotations for pose in poses])
    return Motion(np.repeat(roots, held, axis=0), np.repeat(rotations, held, axis=0), 30.0)
