"""Photos whose people are known: renderings with a truth.json, and photographs with a ground_truth.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY
from solver.camera import PinholeCamera
from solver.errors import InputRefused
from solver.files.json_text import json_text
from solver.files.reading import MEBIBYTE, read_text
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.accuracy import read_truth, shared_indices
from solver.photo.reprojection import pictures_in

Array = NDArray[np.float64]
FILE, VERSION = "truth.json", 1
TUNE, REPORT = "tune", "report"
HALVES = (TUNE, REPORT)
ROUND = 12  # pictures after which the kinds come round again; the posture classes do after twice as many
MOST_BYTES = 256 * MEBIBYTE


@dataclass(frozen=True, eq=False)
class TruePerson:
    """A person in a rendering. posture: a class of `solver.evaluation.posture`. pose: in the picture's world. body: the
    id of the one that was drawn, as of a child.

    joints: (24, 3) metres in the world. pixels: (24, 2), where the camera sees them. clip, frame: the pose's origin.
    """

    posture: str
    clip: str
    frame: int
    shape: BodyShape
    pose: Pose
    joints: Array
    pixels: Array
    body: str = DEFAULT_BODY


@dataclass(frozen=True, eq=False)
class TruePicture:
    """A rendering. name: its file. kind: how its people are placed. half: which half it belongs to, see `half_of`."""

    name: str
    half: str
    kind: str
    camera: PinholeCamera
    people: tuple[TruePerson, ...]


@dataclass(frozen=True, eq=False)
class KnownPerson:
    """What is known about one person in a photo. joints: (12, 3) metres, pixels: (12, 2), those of `SHARED_JOINTS`."""

    posture: str
    joints: Array
    pixels: Array | None


@dataclass(frozen=True, eq=False)
class Case:
    """A photo to measure on. half and kind: "" where there are none. people: those about whom something is known; all:
    whether nobody else is in the photo."""

    path: Path
    half: str
    kind: str
    people: tuple[KnownPerson, ...]
    all: bool


def half_of(index: int) -> str:
    """The half of the index-th picture, the same in every set: one is for tuning, the other is reported.

    Each kind of picture, and each posture class of people alone, takes turns between the halves.
    """
    return HALVES[(index // (2 * ROUND) + index % ROUND) % 2]


def truth_text(pictures: Sequence[TruePicture]) -> str:
    """The content of a set's truth.json."""
    rows = [
        {
            "file": picture.name,
            "half": picture.half,
            "kind": picture.kind,
            "camera": {
                "position_m": _rounded(picture.camera.position),
                "rotation": _rounded(picture.camera.rotation),
                "focal_px": round(picture.camera.focal_px, 3),
                "principal_px": list(picture.camera.principal_px),
                "image_size": list(picture.camera.image_size),
            },
            "people": [
                {
                    "posture": person.posture,
                    "clip": person.clip,
                    "frame": person.frame,
                    "body": person.body,
                    "gender": person.shape.gender,
                    "betas": _rounded(person.shape.betas),
                    "root_m": _rounded(person.pose.root_position),
                    "rotation_vectors": _rounded(to_rotation_vector(person.pose.rotations)),
                    "joints_m": _rounded(person.joints),
                    "joints_px": _rounded(person.pixels, 2),
                }
                for person in picture.people
            ],
        }
        for picture in pictures
    ]
    return json_text({"version": VERSION, "joint_names": list(SMPL_JOINTS), "pictures": rows})


def read_renderings(folder: Path, half: str | None = None) -> tuple[TruePicture, ...]:
    """The pictures of a set's truth.json, or of one half. Raises InputRefused if there is none or it is not one."""
    path = folder / FILE
    way_out = "Name a folder that python -m scripts.photo.photo_renderings wrote"
    try:
        data = json.loads(read_text(path, MOST_BYTES))
        if data["version"] != VERSION:
            raise ValueError(f"it is of version {data['version']}")
        pictures = tuple(_picture(row) for row in data["pictures"])
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise InputRefused(path, f"cannot be used as the truth of renderings ({error!r})", way_out) from error
    if not pictures:
        raise InputRefused(path, "there is no picture in it", way_out)
    return tuple(each for each in pictures if half in (None, each.half))


def rendered_cases(folder: Path) -> list[Case]:
    """The pictures of a set of renderings, everybody in them known. Raises InputRefused."""
    shared = shared_indices()
    return [
        Case(
            folder / picture.name, picture.half, picture.kind,
            tuple(KnownPerson(p.posture, p.joints[shared], p.pixels[shared]) for p in picture.people), all=True,
        )
        for picture in read_renderings(folder)
    ]  # fmt: skip


def photo_cases(folder: Path) -> list[Case]:
    """The pictures of a folder; in those that its ground_truth.json covers one person is known. Raises InputRefused."""
    known = read_truth(folder) if (folder / "ground_truth.json").exists() else {}
    return [
        Case(path, "", "", (KnownPerson("", known[path.name], None),) if path.name in known else (), all=False)
        for path in pictures_in(folder)
    ]


def _picture(row: Mapping[str, Any]) -> TruePicture:
    if row["half"] not in HALVES or Path(row["file"]).name != row["file"]:
        raise ValueError(f"“{row['file']}” of half “{row['half']}”")
    camera, count = row["camera"], len(SMPL_JOINTS)
    principal, size = (tuple(camera[key]) for key in ("principal_px", "image_size"))
    position, rotation = _numbers(camera["position_m"], (3,)), _numbers(camera["rotation"], (3, 3))
    lens = PinholeCamera(
        position.astype(np.float32), rotation.astype(np.float32), float(camera["focal_px"]),
        (float(principal[0]), float(principal[1])), (int(size[0]), int(size[1])),
    )  # fmt: skip
    people = tuple(
        TruePerson(
            str(person["posture"]), str(person["clip"]), int(person["frame"]),
            BodyShape(_numbers(person["betas"], (10,)).astype(np.float32), person["gender"]),
            Pose(
                _numbers(person["root_m"], (3,)).astype(np.float32),
                np.asarray(from_rotation_vector(_numbers(person["rotation_vectors"], (count, 3))), dtype=np.float32),
            ),
            _numbers(person["joints_m"], (count, 3)), _numbers(person["joints_px"], (count, 2)),
            str(person.get("body", DEFAULT_BODY)),
        )
        for person in row["people"]
    )  # fmt: skip
    return TruePicture(row["file"], row["half"], str(row["kind"]), lens, people)


def _numbers(value: Any, shape: tuple[int, ...]) -> Array:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"finite numbers of shape {shape} are wanted, not {array.shape}")
    return array


def _rounded(values: Any, digits: int = 6) -> list[Any]:
    return list(np.round(np.asarray(values, dtype=np.float64), digits).tolist())
