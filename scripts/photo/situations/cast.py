"""Who is in the pictures of scripts.photo.situations.renderings: poses of the library, kind by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.photo.rendered_people import SEAT_M, Held
from scripts.photo.rendered_scenes import Person
from solver.body.body import Body, BodyShape
from solver.body.floor import posed_vertices
from solver.evaluation.library_poses import read_library_poses
from solver.evaluation.posture import POSTURES, Posture, postures_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.rig import rig_of
from solver.rig.roles import Role

Array = NDArray[np.float64]
UPRIGHT = ("Standing/*", "Walking/*", "Gesturing/*", "Working/*", "Dancing/*")


@dataclass(frozen=True)
class Kind:
    """A kind of picture. poses: patterns of names in the library. people: how many, or two who are posed together.

    rise: degrees that the camera is above what it looks at. lens: mm. share: of the picture's height that is filled.
    facing: degrees between where people look and the camera, at most. size: of the picture, in parts.
    """

    poses: tuple[str, ...] = UPRIGHT
    people: tuple[int, int] = (1, 1)
    together: bool = False
    rise: tuple[float, float] = (-4.0, 12.0)
    lens: tuple[float, float] = (28.0, 70.0)
    share: tuple[float, float] = (0.55, 0.85)
    facing: float = 180.0
    shape: tuple[float, float] | None = None
    against: bool = False


HIGH, LOW, COUNTER, WARDROBE, WAIST, NECK, TABLE = (
    "high above", "low below", "behind a counter", "behind a wardrobe", "cut at the waist", "cut at the neck",
    "at a table",
)  # fmt: skip
BACK, CROSSED, FACE, HUG, CARRY, ROW, WIDE, TELE, PHONE, AGAINST, MOTION = (
    "from behind", "arms crossed", "hand before the face", "hugging", "carried", "row far away", "wide angle", "tele",
    "phone", "against the light", "jumping and kicking",
)  # fmt: skip
ON_FLOOR = "on the floor"
KINDS = {
    HIGH: Kind((*UPRIGHT, "Sitting on the floor/*", "Running/*"), rise=(48.0, 82.0), lens=(20.0, 50.0)),
    LOW: Kind((*UPRIGHT, "Running/*", "Fighting/*"), rise=(-24.0, -10.0), lens=(18.0, 30.0), share=(0.6, 0.9)),
    COUNTER: Kind(facing=100.0),
    WARDROBE: Kind(),
    WAIST: Kind(facing=120.0),
    NECK: Kind(),
    TABLE: Kind(("Sitting on a chair/*",), people=(1, 2), rise=(0.0, 22.0), facing=75.0, share=(0.45, 0.75)),
    BACK: Kind((*UPRIGHT, "Sitting on the floor/*", "Kneeling/*", "Fighting/*")),
    CROSSED: Kind(("Standing/Arms crossed", "Standing/H*", "Standing/Shy", "Gesturing/Plead", "Gesturing/Clap")),
    FACE: Kind(
        ("Gesturing/Facepalm", "Gesturing/On the phone", "Gesturing/Salute", "Fighting/Block", "Fighting/Guard",
         "Fighting/Draw a bow", "Working/Take a photo", "Sitting on a chair/Thinker"), facing=80.0,
    ),
    HUG: Kind(("Two people/Hug", "Two people/Waltz"), together=True),
    CARRY: Kind(("Two people/Piggyback",), together=True),
    ROW: Kind(people=(5, 6), share=(0.09, 0.16), lens=(24.0, 50.0)),
    WIDE: Kind(people=(1, 3), rise=(-6.0, 20.0), lens=(15.0, 20.0), share=(0.4, 0.7)),
    TELE: Kind(people=(1, 3), rise=(-2.0, 6.0), lens=(135.0, 300.0), share=(0.4, 0.8)),
    PHONE: Kind(people=(1, 2), lens=(24.0, 52.0), share=(0.35, 0.7), shape=(9.0, 19.5)),
    AGAINST: Kind((*UPRIGHT, "Running/*"), people=(1, 2), against=True),
    MOTION: Kind(("Jumping/*", "Fighting/*kick", "Fighting/*", "Running/*", "Dancing/*"), share=(0.4, 0.75)),
    ON_FLOOR: Kind(
        ("Sitting on the floor/*", "Kneeling/*", "Lying/*"), rise=(0.0, 30.0), lens=(24.0, 70.0), share=(0.3, 0.7),
    ),
}  # fmt: skip
BY_DEFAULT = tuple(name for name in KINDS if name != ON_FLOOR)  # as older pictures were drawn


def cast(folder: Path, body: Body) -> dict[str, list[list[Held]]]:
    """For each kind the poses that its pictures may show, those of one file together. Raises InputRefused."""
    return {name: [*_files(folder, body, kind)] for name, kind in KINDS.items()}


def _files(folder: Path, body: Body, kind: Kind) -> list[list[Held]]:
    found: dict[str, list[Held]] = {}
    for pattern in kind.poses:
        for true in read_library_poses(folder, body, files_like=pattern).poses:
            if true.frame == len(found.setdefault(true.clip, [])):
                found[true.clip].append(_held(body, true.pose, true.clip))
    return [people for people in found.values() if kind.together or len(people) == 1]


def _held(body: Body, pose: Pose, name: str) -> Held:
    skeleton = body.skeleton(BodyShape())
    joints = forward_kinematics(skeleton, pose).positions.astype(np.float64)
    posture = POSTURES[int(postures_of(rig_of(skeleton), joints[None])[0])]
    lowest = float(posed_vertices(body, BodyShape(), pose)[:, 1].min())
    pelvis = float(joints[SMPL_JOINTS.index(Role.PELVIS), 1] - joints[:, 1].min())
    seat = posture is Posture.SITTING and pelvis > SEAT_M
    return PlacedHeld(
        posture, name, 0, np.array(pose.rotations, np.float64), lowest if lowest > 0.04 else 0.0, seat,
        np.array(pose.root_position, np.float64),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class PlacedHeld(Held):
    """A pose of the library. root: (3,) metres, where its file has the pelvis, beside the other person's."""

    root: Array | None = None


def together(people: Sequence[Held], at: Array, facing: float, body: Body) -> list[Person]:
    """People posed together, as one piece, of the build that their file has. facing: radians, of the piece."""
    turn, placed = from_rotation_vector([0.0, facing, 0.0]), []
    roots = np.array([one.root for one in people if isinstance(one, PlacedHeld)])
    middle = roots.mean(axis=0) * [1.0, 0.0, 1.0]
    for one, root in zip(people, roots, strict=True):
        rotations = one.rotations.copy()
        rotations[0] = turn @ rotations[0]
        pose = Pose((turn @ (root - middle) + at).astype(np.float32), rotations.astype(np.float32))
        skin = posed_vertices(body, BodyShape(), pose).astype(np.float64)
        placed.append(Person(replace(one, lift=0.0), body, BodyShape(), pose, skin))
    return placed
