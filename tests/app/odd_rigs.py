"""BVH files of somebody with one arm raised, as rigs whose joints are hard to recognise."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from app.document import edits
from app.document.exchange.export import export_bvh
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector


def somebody() -> Character:
    """A person whose left arm is raised to the side and whose right knee is bent, for two frames."""
    person = new_document().characters[0]
    skeleton, rotations = skeleton_of(person), person.pose.rotations.copy()
    rotations[skeleton.index("left_shoulder")] = from_rotation_vector([0.0, 0.0, 0.9])
    rotations[skeleton.index("right_hip")] = from_rotation_vector([-0.9, 0.0, 0.0])
    rotations[skeleton.index("right_knee")] = from_rotation_vector([1.2, 0.0, 0.0])
    motion = Motion(np.stack([person.pose.root_position] * 2), np.stack([rotations] * 2))
    return edits.import_motion(person.id, motion)(new_document()).characters[0]


def written(file: Path, *changes: tuple[str, str]) -> Path:
    """That person as a BVH file, with the text changed. changes: regular expressions and what stands instead."""
    (path,) = export_bvh(file, [somebody()], whole_motion=True)
    text = path.read_text()
    for found, instead in changes:
        text, count = re.subn(found, instead, text)
        assert count, found
    path.write_text(text)
    return path


def two_people(file: Path) -> Path:
    """That person twice in one file."""
    path = written(file)
    hierarchy, _, frames = path.read_text().partition("MOTION\n")
    head, rows = frames.splitlines()[:2], frames.splitlines()[2:]
    body = hierarchy.partition("ROOT")[2]
    path.write_text("\n".join([f"{hierarchy}ROOT{body}MOTION", *head, *(f"{row} {row}" for row in rows)]) + "\n")
    return path


def exchanged(file: Path) -> Path:
    """With left and right exchanged in the joints' names."""
    return written(file, (r"\bleft_", "other_"), (r"\bright_", "left_"), (r"\bother_", "right_"))


def nameless(file: Path) -> Path:
    """With names that say nothing, and feet that do not point forward."""
    path = written(file, (r"(JOINT \w+_foot\s*\{\s*OFFSET) \S+ \S+ \S+", r"\1 0.0 -0.05 0.0"))
    lines, number = path.read_text().splitlines(), 0
    for i, line in enumerate(lines):
        if line.strip().startswith(("ROOT", "JOINT")):
            lines[i] = re.sub(r"(ROOT|JOINT) \S+", rf"\1 Bone.{number:03}", line)
            number += 1
    path.write_text("\n".join(lines) + "\n")
    return path


def lame(file: Path) -> Path:
    """With one knee of an unknown name in a leg of another length: neither names nor shape tell."""
    return written(
        file, ("left_knee", "Elephant"), (r"(JOINT left_ankle\s*\{\s*OFFSET) (\S+) \S+", r"\1 \2 -0.3"),
        ("left_hip", "Giraffe"),
    )  # fmt: skip


def places(person: Character) -> np.ndarray:
    """(22, 3) metres, the joints about the pelvis; hands and their fingers are left out."""
    joints = joints_of(person).positions[:22]
    return np.asarray(joints - joints[0])
