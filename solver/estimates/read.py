"""Reading a file of any estimator: its content says whose layout it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from solver.errors import InputRefused
from solver.estimates.checks import SAY_RATE
from solver.estimates.content import read_content
from solver.estimates.easymocap import read_easymocap
from solver.estimates.estimate import MOST_PEOPLE, Estimate
from solver.estimates.instances import read_by_picture, read_instances
from solver.estimates.key_points import read_coco, read_openpose, read_sam3d
from solver.estimates.mediapipe import read_mediapipe
from solver.estimates.one_picture import of_one_frame
from solver.estimates.person_films import read_person_films
from solver.estimates.smpl_parameters import read_romp, read_smpl, read_tracks

READERS: tuple[Callable[[Any, str], Estimate | None], ...] = (
    read_romp, read_sam3d, read_smpl, read_tracks, read_person_films, read_easymocap, read_openpose, read_by_picture,
    read_mediapipe, read_instances, read_coco,
)  # fmt: skip
KNOWN = (
    "4D-Humans (HMR2), ROMP, BEV, TRACE, VIBE, PARE, WHAM, SAM 3D Body, EasyMocap, AIST++, EDGE, 3DPW, Motion-X, SMPL "
    "parameters (global_orient, body_pose, transl), key points of OpenPose, COCO, mmpose, AlphaPose, YOLO, MediaPipe"
)


def read_estimate(path: str | os.PathLike[str]) -> Estimate:
    """The people that an estimator's file holds. InputRefused for an unknown layout, no people, or too many."""
    path = Path(path)
    return estimate_of(read_content(path), path)


def estimate_of(content: Any, path: Path, nobody_too: bool = False, frame: int | None = None) -> Estimate:
    """Likewise, from a file's content. nobody_too: an estimate without people is returned as well. frame: which one of
    a film of key points, from 1; by default the first with somebody in it."""
    found = estimate_in(content, path, nobody_too, frame)
    if found is None:
        way_out = f"These are read: {KNOWN}; see docs/estimates.md"
        raise InputRefused(path, f"has a layout that is not known ({_described(content)[:120]})", way_out)
    return found


def _described(content: Any) -> str:
    """What a file holds whose layout is not known, in a few words."""
    if isinstance(content, dict):
        return ", ".join(map(str, list(content)[:6])) or "it is empty"
    if isinstance(content, np.ndarray):
        return f"a single array, {' x '.join(map(str, content.shape))}" if content.shape else "a single value"
    if not isinstance(content, list | tuple):
        return "a single value"
    names = f", of {', '.join(map(str, list(content[0])[:6]))}" if content and isinstance(content[0], dict) else ""
    return f"a list, length {len(content)}{names}"


def estimate_in(content: Any, path: Path, nobody_too: bool = False, frame: int | None = None) -> Estimate | None:
    """Likewise; None where no reader knows the layout. frame: which one of a film of key points, from 1."""
    content, note = of_one_frame(content, frame, path)
    for read in READERS:
        found = read(content, str(path))
        if found is not None:
            found = replace(found, notes=(*found.notes, note)) if note else found
            if not found.people and not nobody_too:
                reason = f"holds no people to pose: {'; '.join(found.notes)}" if found.notes else "holds no people"
                raise InputRefused(path, reason, "Choose the estimate of a picture with somebody in it")
            count = len({person.track or place for place, person in enumerate(found.people)})
            if count > MOST_PEOPLE:
                smpl = found.kind.endswith("parameters")  # films of these have a rate, others' a layout of their own
                frames = f". If they are the frames of a film, {SAY_RATE}" if smpl else ""
                raise InputRefused(path, f"holds {count} people", f"Leave out all but {MOST_PEOPLE}{frames}")
            return found
    return None
