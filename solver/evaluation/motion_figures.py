"""What is measured on edited motions: constraints, what else has changed, smoothness, and feet that slip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.kinds import Position
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.metrics import MILLIMETRES
from solver.evaluation.motion_edits import EditedClip
from solver.evaluation.protocols import EDIT_HANDLES
from solver.ik.preserve_modes import limb_of
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Poses

Array = NDArray[np.float64]

AROUND = 3  # frames before and after an edit that are also measured: jerk takes four frames
CENTIMETRES = 100.0


def motion_figures(clips: Sequence[EditedClip], answers: Sequence[Poses]) -> dict[str, float]:
    """The figures of edits by name, means over their frames; a metric with nothing to measure is absent.

    answers: the poses of the frames inside each edit.
    """
    parts = [_parts(clip, poses) for clip, poses in zip(clips, answers, strict=True)]
    joined = {name: np.concatenate([part[name].ravel() for part in parts]) for name in parts[0]} if parts else {}
    return {name: float(values.mean()) for name, values in joined.items() if len(values)}


def _parts(clip: EditedClip, answer: Poses) -> dict[str, Array]:
    skeleton, edit = clip.skeleton, clip.edit
    first, last = max(0, edit.frames[0] - AROUND), min(len(clip.motion) - 1, edit.frames[-1] + AROUND)
    frames = np.arange(first, last + 1)
    inside = edit.inside - first
    under = clip.source(frames)
    shown = Poses(np.array(under.roots), np.array(under.rotations))
    shown.roots[inside], shown.rotations[inside] = answer
    before, after = (
        forward_kinematics_batch(skeleton.parents, skeleton.offsets, *poses).positions.astype(np.float64)
        for poses in (under, shown)
    )
    wanted = np.array(before)
    edited = skeleton.index(edit.joint)
    wanted[:, edited] += edit.offset_at(frames)
    missed = MILLIMETRES * np.linalg.norm(after - wanted, axis=-1)[inside]
    given = [skeleton.index(joint) for joint, kind in EDIT_HANDLES if kind == Position.kind]
    body = [skeleton.index(name) for name in BODY_JOINTS]
    rest = [j for j in body if j not in limb_of(skeleton, edited)]
    jerks = np.diff(after[:, body], 3, axis=0) * clip.motion.fps**3
    return {
        "edited_mm": missed[:, edited],
        Position.spec.figure: missed[:, given],
        "erosion_mm": MILLIMETRES * np.linalg.norm(after - before, axis=-1)[inside][:, rest],
        "jerk": np.linalg.norm(jerks, axis=-1),
        "skate_cm": _slips(clip, after, first),
    }


def _slips(clip: EditedClip, places: Array, first: int) -> Array:
    """Centimetres that planted feet slip over the floor from frame to frame. places: (F, J, 3) from frame `first`."""
    slips = [np.empty(0)]
    for contact in clip.contacts:
        ball = clip.skeleton.index(contact.foot)
        part = places[max(contact.first - first, 0) : max(contact.last + 1 - first, 0), ball][:, [0, 2]]
        slips.append(CENTIMETRES * np.linalg.norm(np.diff(part, axis=0), axis=-1))
    return np.concatenate(slips)
