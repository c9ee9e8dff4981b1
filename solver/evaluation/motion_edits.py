"""The edits of protocol M: keys that move the end of one limb away from where a recorded motion has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.floor import keep_sole_on_floor
from solver.errors import InputRefused
from solver.evaluation.poses import random_shape
from solver.formats.bvh.read import read_bvh, to_motion
from solver.kinematics.curves import curve_through
from solver.kinematics.pose import Motion, Poses
from solver.kinematics.skeleton import Skeleton
from solver.rig.contacts import FootContact, foot_contacts_of

EDITS = Path(__file__).with_name("motion_edits.json")

Array = NDArray[np.float64]
Frames = NDArray[np.int64]


@dataclass(frozen=True)
class MotionEdit:
    """A change to a clip. kind: what it is in a word, the class in tables. joint: the end of a limb.

    frames: of the keys, rising. offsets: (K, 3) metres in the clip's space, by which each key moves the joint.
    """

    kind: str
    clip: str
    joint: str
    frames: tuple[int, ...]
    offsets: Array

    @property
    def inside(self) -> Frames:
        """The frames that the edit changes: all between the first key and the last."""
        return np.arange(self.frames[0] + 1, self.frames[-1])

    def offset_at(self, frames: Frames) -> Array:
        """(N, 3) metres, how far the joint is moved at frames: along the curve of the keys, not at all beyond them."""
        return curve_through(self.frames, self.offsets, frames)


@dataclass(frozen=True)
class EditedClip:
    """An edit and the motion that it is made to. shape, skeleton: of the body that moves."""

    edit: MotionEdit
    motion: Motion
    body: Body
    shape: BodyShape

    @property
    def skeleton(self) -> Skeleton:
        """The body's skeleton in its shape."""
        return self.body.skeleton(self.shape)

    @cached_property
    def contacts(self) -> tuple[FootContact, ...]:
        """Where the motion has feet planted."""
        return foot_contacts_of(self.skeleton, self.motion)

    def source(self, frames: Frames) -> Poses:
        """The recorded poses at frames; beyond either end, the pose at that end."""
        inside = np.clip(frames, 0, len(self.motion) - 1)
        return Poses(self.motion.root_positions[inside], self.motion.rotations[inside])


def read_edits() -> tuple[MotionEdit, ...]:
    """The edits of the file that comes with the program."""
    found = json.loads(EDITS.read_text(encoding="utf-8"))["edits"]
    return tuple(
        MotionEdit(
            each["kind"],
            each["clip"],
            each["joint"],
            tuple(key["frame"] for key in each["keys"]),
            np.array([key["offset"] for key in each["keys"]], dtype=np.float64),
        )
        for each in found
    )


def edited_clips(
    edits: tuple[MotionEdit, ...],
    files: Mapping[str, Path],
    body: Body,
    shapes: str = "mean",
    most: int | None = None,
    seed: int = 0,
) -> tuple[tuple[EditedClip, ...], dict[str, str]]:
    """The edits whose clips are among the files, on the mean body or each on a random one; and why clips were skipped.

    most: a seeded choice of this many. Edits of a clip that cannot be read, or is too short for them, are skipped.
    """
    there = [number for number, edit in enumerate(edits) if edit.clip in files]
    if most is not None and most < len(there):
        there = sorted(np.random.default_rng([seed, 2]).choice(there, most, replace=False).tolist())
    found, skipped = [], {}
    for number in there:
        edit = edits[number]
        shape = random_shape(np.random.default_rng([seed, 3, number])) if shapes == "random" else BodyShape()
        try:
            motion, _ = to_motion(read_bvh(files[edit.clip]), body.skeleton(BodyShape()))
            if edit.frames[-1] >= len(motion):
                raise InputRefused(files[edit.clip], "it is shorter than an edit of it", "Use the clip as it came")
        except (InputRefused, ValueError) as error:  # ValueError: a number that is not finite
            skipped[edit.clip] = str(error)
            continue
        found.append(EditedClip(edit, _on(motion, body, shape), body, shape))
    return tuple(found), skipped


def _on(motion: Motion, body: Body, shape: BodyShape) -> Motion:
    """The motion of the mean body on another one, whose soles stay on the floor."""
    if shape == BodyShape():
        return motion
    moved = Poses.of([keep_sole_on_floor(body, BodyShape(), shape, motion.pose(frame)) for frame in range(len(motion))])
    return Motion(moved.roots, moved.rotations, motion.fps)
