"""Edits of motions as problems for solvers, and the two ways to make one: between its keys, or frame by frame.

A frame's base pose is that of the source motion. The end of the edited limb is asked to depart by the edit's curve, the
pelvis and the ends of the other limbs to be where the motion has them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, type_of
from solver.evaluation.motion_edits import EditedClip, Frames
from solver.evaluation.protocols import EDIT_HANDLES
from solver.ik.memory import AtPose
from solver.ik.multi_solve.between_keys import BetweenKeys
from solver.ik.pipeline.pipeline import Solver
from solver.ik.preserve_modes import PreserveMode, posed_joints
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, Poses


def problems_of(clip: EditedClip, mode: PreserveMode, frames: Frames) -> list[IKProblem]:
    """The problems at frames.

    Joints are kept as in the application once the mode is chosen: those posed by effectors are free to follow.
    """
    skeleton, problems = clip.skeleton, []
    for pose, offset in zip(clip.source(frames).each(), clip.edit.offset_at(frames), strict=True):
        world = forward_kinematics(skeleton, pose)
        asked: list[Effector] = []
        for joint, kind in EDIT_HANDLES:
            held = type_of(kind).on(skeleton, joint, world)
            moved = isinstance(held, Position) and joint == clip.edit.joint
            asked.append(replace(held, target=held.target + offset.astype(np.float32)) if moved else held)
        masks = np.full((2, len(skeleton)), [[mode.place], [mode.shape]], np.float32)
        masks[:, posed_joints(skeleton, asked)] = 0.0
        problems.append(IKProblem(skeleton, clip.shape, tuple(asked), pose, masks[0], masks[1], clip.body.id))
    return problems


def between_keys(solver: Solver[Any], clip: EditedClip, mode: PreserveMode) -> Poses:
    """The edited frames as the application makes them: keys that move something are posed, and the frames between are
    solved over the source motion."""
    edit, fps = clip.edit, clip.motion.fps
    keys = np.array(edit.frames)
    posed = [
        solver.solve(problem, AtPose(problem.base_pose)).pose if offset.any() else None
        for problem, offset in zip(problems_of(clip, mode, keys), edit.offsets, strict=True)
    ]
    between = BetweenKeys(solver, lambda frames: problems_of(clip, mode, frames), keys, posed, fps, recorded=True)
    poses: list[Pose] = []
    for (first, last), key in zip(pairwise(edit.frames), posed[1:], strict=True):
        poses += between.solved(np.arange(first + 1, last)).each()
        poses.append(clip.source(np.array([last])).each()[0] if key is None else key)
    return Poses.of(poses[:-1])


def frame_by_frame(solve: Callable[[IKProblem], Pose], clip: EditedClip, mode: PreserveMode) -> Poses:
    """The edited frames, each solved on its own."""
    return Poses.of([solve(problem) for problem in problems_of(clip, mode, clip.edit.inside)])
